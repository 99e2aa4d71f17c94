import { hash } from 'node:crypto';

/**
 * A strong ETag. The bytes of an answer follow from the dataset, the request and the coding, so that a hash of these
 * does what a hash of the body would, and is the same on every server.
 */
export function entityTag(dataset: string, request: string, coding: string): string {
  return `"${hash('sha256', `${dataset}\n${request}\n${coding}`, 'base64url').slice(0, 22)}"`;
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
