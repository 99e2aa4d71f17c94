/** Longer texts are cut when they are repeated to those who sent them. Characters. */
const LONGEST = 80;

/** What a client sent, cut so that a message stays one readable line. A character is never cut in two. */
export function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The same in quotes and escaped. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}
