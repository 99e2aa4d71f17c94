import type { XmlWindow } from './window.ts';

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/**
 * Passes over tags inside an element that is not wanted, counting only their depth (1: directly inside). Stops, with
 * `window.pos` at the `<`, before a comment or the like, before the end tag of the element itself, and before what the
 * window holds only in part. Gives the depth at that place.
 */
export function skipTags(window: XmlWindow, depth: number): number {
  const { bytes, end } = window;
  for (;;) {
    const lt = window.find(LT, window.pos);
    window.pos = lt === -1 ? end : lt;
    if (lt === -1 || lt + 1 >= end) return depth;
    const byte = bytes[lt + 1]!;
    if (byte === BANG || byte === QUESTION || (byte === SLASH && depth === 1)) return depth;
    const gt = byte === SLASH ? window.find(GT, lt + 2) : tagEnd(bytes, lt + 1, end);
    if (gt === -1) return depth;
    if (byte === SLASH) depth--;
    else if (bytes[gt - 1] !== SLASH) depth++;
    window.pos = gt + 1;
  }
}

/** Position of the `>` that ends a tag, quoted ones apart; -1 when it is not there yet. */
function tagEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === GT) return i;
    if (byte === QUOTE || byte === APOSTROPHE) {
      do i++;
      while (i < end && bytes[i] !== byte);
    }
  }
  return -1;
}
