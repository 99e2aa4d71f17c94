/**
 * A strong ETag. The bytes of an answer follow from the dataset, the request and the coding, so that these name it as
 * well as a hash of the body would, and do so the same on every server.
 * @param dataset in characters that a tag may have.
 * @param request the same; it is made of identifiers and numbers that have been checked.
 */
export function entityTag(dataset: string, request: string, coding: string): string {
  return `"${dataset}/${request}/${coding}"`;
}

/**
 * Whether If-None-Match names the tag, a strong one (RFC 9110, 13.1.2): a list of tags, compared weakly, or `*`, which matches
 * whatever exists. A header that is not well formed matches nothing.
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  if (!TAG_LIST.test(header)) return false;
  return [...header.matchAll(/"[^"]*"/g)].some(([opaque]) => opaque === tag);
}

/** RFC 9110, 5.6.1 and 8.8.3: tags with commas between them; members of the list may be empty. */
const TAG_LIST = /^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/;
