import { editDistance } from '../contract/edit-distance.ts';

/** Longest text to compare; the comparison takes quadratic time. */
const LONGEST_COMPARED = 80;

/** The largest edit distance of a suggestion. */
function slipsAllowed({ length }: string): number {
  return Math.min(2, Math.floor(length / 3));
}

/**
 * The known word that was probably meant. It differs by at most two typing errors, and at most one for each three
 * letters.
 */
export function didYouMean(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST_COMPARED) return null;
  const written = word.toLowerCase();
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const slips = editDistance(written, candidate);
    if (slips <= slipsAllowed(candidate) && slips < fewest) {
      best = candidate;
      fewest = slips;
    }
  }
  return best;
}

/** Finds the path that was probably meant: one that differs in its last slash, or by typing errors outside its parameters. */
export function pathSuggester(routes: readonly { path: string }[]): (path: string) => string | null {
  const templates = routes.map(({ path }) => path.split('/'));
  return (path) => {
    if (path.length > LONGEST_COMPARED) return null;
    const written = path.replace(/\/+$/, '').split('/');
    let best: string | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const template of templates) {
      const near = resemblance(template, written);
      if (near !== null && near.slips < fewest && near.path !== path) {
        best = near.path;
        fewest = near.slips;
      }
    }
    return best;
  };
}

/** The written path with the fixed parts of a template; null when it differs too much. */
function resemblance(template: readonly string[], written: readonly string[]): { path: string; slips: number } | null {
  const parts = template.at(-1) === '' ? template.slice(0, -1) : template;
  if (parts.length !== written.length || parts.length < 2) return null;
  let slips = 0;
  const meant: string[] = [];
  for (const [i, part] of parts.entries()) {
    const isParameter = part.includes('{');
    if (isParameter && !fits(written[i], part)) return null;
    if (!isParameter) slips += editDistance(written[i].toLowerCase(), part);
    meant.push(isParameter ? written[i] : part);
  }
  const own = parts.filter((part) => !part.includes('{')).join('/');
  const path = [...meant, ...template.slice(parts.length)].join('/');
  return slips <= slipsAllowed(own) ? { path, slips } : null;
}

/** True when the text has a value for the parameter in this part of a template, and the fixed text after it. */
function fits(text: string, part: string): boolean {
  const end = part.slice(part.indexOf('}') + 1);
  return text.length > end.length && text.endsWith(end);
}

/** Longest text of a client that answers repeat, characters. */
const LONGEST_SHOWN = 80;

/** A text of a client, cut so that a message stays on one line. Does not cut a character in two. */
export function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The cut text in quotation marks, escaped. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** The percent-decoded text; null when it is not percent-encoded UTF-8. */
export function percentDecoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
