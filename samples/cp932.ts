/** Encodes text in cp932 (Windows Shift_JIS), which Node decodes but does not encode. Throws for a character outside it. */
export function cp932(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of text) {
    const code = TABLE.get(char);
    if (code === undefined) throw new Error(`cp932 has no ${JSON.stringify(char)}`);
    bytes.push(...code);
  }
  return Uint8Array.from(bytes);
}

/** The decoder's own table, turned round; of several codes for one character the first counts. */
const TABLE = new Map<string, number[]>();
const decoder = new TextDecoder('shift_jis', { fatal: true });
const learn = (code: number[]): void => {
  try {
    const char = decoder.decode(Uint8Array.from(code));
    if ([...char].length === 1 && !TABLE.has(char)) TABLE.set(char, code);
  } catch {
    // Not a character.
  }
};
for (let byte = 0; byte < 0xe0; byte++) learn([byte]);
for (let lead = 0x81; lead <= 0xfc; lead++) for (let trail = 0x40; trail <= 0xfc; trail++) learn([lead, trail]);
