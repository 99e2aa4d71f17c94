/**
 * The lines of a text that comes in pieces cut anywhere, without their ends: LF or CRLF, or CR alone in a text that has no LF
 * at all. What follows the last end is a line too, if an empty one.
 * @param pieces are gone through twice.
 */
export function* linesOf(pieces: Iterable<string>): Generator<string> {
  const end = someHas(pieces, '\n') ? '\n' : '\r';
  let rest = '';
  for (const piece of pieces) {
    rest += piece;
    if (!piece.includes(end)) continue;
    const lines = rest.split(end);
    rest = lines.pop()!;
    for (const line of lines) yield end === '\n' && line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  yield rest;
}

/** The same lines but for the blank ones at the end. */
export function* withoutBlankEnd(lines: Iterable<string>): Generator<string> {
  let blank: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') blank.push(line);
    else {
      yield* blank;
      blank = [];
      yield line;
    }
  }
}

function someHas(pieces: Iterable<string>, text: string): boolean {
  for (const piece of pieces) if (piece.includes(text)) return true;
  return false;
}
