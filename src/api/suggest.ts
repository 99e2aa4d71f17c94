import { editDistance } from '../contract/edit-distance.ts';

/** Longest text to compare; the comparison takes quadratic time. */
const LONGEST_COMPARED = 80;

/** The largest edit distance to a suggestion: one typing error for each three letters of it, at most two. */
function slipsAllowed({ length }: string): number {
  return Math.min(2, Math.floor(length / 3));
}

/** The candidate that was probably meant: the one with the fewest typing errors; null when each has too many. */
export function didYouMean(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST_COMPARED) return null;
  const lowerCase = word.toLowerCase();
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const slips = editDistance(lowerCase, candidate);
    if (slips <= slipsAllowed(candidate) && slips < fewest) {
      best = candidate;
      fewest = slips;
    }
  }
  return best;
}

/**
 * Makes the function that suggests the path that was probably meant: one that differs in its last slash, or by typing
 * errors outside its parameters. The function returns null when no path is near.
 */
export function pathSuggester(routes: readonly { path: string }[]): (path: string) => string | null {
  const templates = routes.map(({ path }) => path.split('/'));
  return (path) => {
    if (path.length > LONGEST_COMPARED) return null;
    const segments = path.replace(/\/+$/, '').split('/');
    let best: string | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const template of templates) {
      const suggestion = corrected(segments, template);
      if (suggestion !== null && suggestion.slips < fewest && suggestion.path !== path) {
        best = suggestion.path;
        fewest = suggestion.slips;
      }
    }
    return best;
  };
}

/**
 * A written path with the fixed segments of a template, and the number of typing errors in them; null when there are
 * too many, or a parameter has no value.
 */
function corrected(written: readonly string[], template: readonly string[]): { path: string; slips: number } | null {
  const segments = template.at(-1) === '' ? template.slice(0, -1) : template;
  if (segments.length !== written.length || segments.length < 2) return null;
  let slips = 0;
  const fixed: string[] = [];
  const path: string[] = [];
  for (const [i, segment] of segments.entries()) {
    if (segment.includes('{')) {
      if (!hasValueFor(segment, written[i])) return null;
      path.push(written[i]);
    } else {
      slips += editDistance(written[i].toLowerCase(), segment);
      fixed.push(segment);
      path.push(segment);
    }
  }
  if (slips > slipsAllowed(fixed.join('/'))) return null;
  // The template may end with a slash.
  return { path: [...path, ...template.slice(segments.length)].join('/'), slips };
}

/** True when the text has a value for the parameter of a segment, and the fixed text after it, as in `{name}.json`. */
function hasValueFor(segment: string, text: string): boolean {
  const end = segment.slice(segment.indexOf('}') + 1);
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

/** The `detail` of the 404 of an unknown path. */
export const nothingAt = (path: string): string => `There is nothing at ${quote(path)}.`;

/** The percent-decoded text; null when it is not percent-encoded UTF-8. */
export function percentDecoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
