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
 * Whether If-None-Match names the tag (RFC 9110, 13.1.2): a list of tags, compared weakly, or `*`, which matches
 * whatever exists. A header that is not well formed matches nothing.
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const wanted = tag.startsWith('W/') ? tag.slice(2) : tag;
  for (const [, opaque] of header.matchAll(/(?:W\/)?("[^"]*")/g)) if (opaque === wanted) return true;
  return false;
}
