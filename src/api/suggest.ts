import { editDistance } from '../contract/edit-distance.ts';

/** Longer texts than this are not compared: they are no slips of the keyboard, and the comparison is quadratic. */
const LONGEST_COMPARED = 80;

/** How many typing errors a suggestion may be away from what was written. */
function slipsAllowed({ length }: string): number {
  return Math.min(2, Math.floor(length / 3));
}

/** The known word that was probably meant: at most two slips of the pen away, and one for each three letters. */
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

/**
 * Finds the path that was probably meant by one that there is not: with or without a slash at the end, or with slips of
 * the pen in what a known path has outside of its parameters.
 */
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

/** What was written with the template's own parts put right; null where that takes too much. */
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

/** Whether a text has what follows the parameter in a part of a template, and something before it. */
function fits(text: string, part: string): boolean {
  const end = part.slice(part.indexOf('}') + 1);
  return text.length > end.length && text.endsWith(end);
}

/** Longer texts are cut when they are repeated to those who sent them. Characters. */
const LONGEST_SHOWN = 80;

/** What a client sent, cut so that a message stays one readable line. A character is never cut in two. */
export function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The same in quotes and escaped. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** A text without its percent-encoding; null when it is not percent-encoded UTF-8. */
export function percentDecoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
