import type { Findings } from './findings.ts';

/**
 * The text of a published table. UTF-8 with or without a byte order mark, UTF-16 with one, or Shift_JIS (as
 * spreadsheets write it), which is noted. Bytes that are neither stand as U+FFFD, which is noted with their line.
 */
export function decodeTable(bytes: Uint8Array, file: string, findings: Findings): string {
  const at = { file, line: 0 };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    findings.note('file_utf16', at);
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const utf8 = decodeWhole('utf-8', bytes);
  if (utf8 !== null) {
    if (!marked) findings.note('file_without_bom', at);
    return utf8;
  }
  const japanese = marked ? null : decodeWhole('shift_jis', bytes);
  if (japanese !== null) {
    findings.note('file_shift_jis', at);
    return japanese;
  }
  const best = marked ? new TextDecoder().decode(bytes) : fewestLost(bytes);
  best.split('\n').forEach((line, i) => {
    if (line.includes('\ufffd')) findings.note('file_bytes', { file, line: i + 1 }, line.slice(0, 80));
  });
  return best;
}

/** Null when a byte does not belong to the encoding. */
function decodeWhole(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function fewestLost(bytes: Uint8Array): string {
  const texts = ['utf-8', 'shift_jis'].map((encoding) => new TextDecoder(encoding).decode(bytes));
  const lost = texts.map((text) => text.split('\ufffd').length);
  return lost[0]! <= lost[1]! ? texts[0]! : texts[1]!;
}
