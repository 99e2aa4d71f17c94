/** Bytes with a meaning in XML. */
export const LT = 0x3c;
export const GT = 0x3e;
export const SLASH = 0x2f;
export const BANG = 0x21;
export const QUESTION = 0x3f;
export const EQUALS = 0x3d;
export const QUOTE = 0x22;
export const APOSTROPHE = 0x27;
export const COLON = 0x3a;
export const SPACE = 0x20;

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Letters, `_`, `:` and all non-ASCII bytes (XML 1.0 §2.3, without its list of symbols). */
export const isNameStart = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte === 0x3a || byte >= 0x80;

const PREDEFINED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Replaces entity and character references in a text (XML 1.0 §4.1, §4.6).
 * @throws Error that names the reference when it is neither one of the five predefined entities nor a character
 */
export function decodeReferences(text: string): string {
  return text.replace(/&([^;&\s<]{0,32};?)/g, (whole, body: string) => {
    if (!body.endsWith(';')) throw new Error(`"&" that begins no reference ("${whole.slice(0, 20)}"); write &amp;`);
    const name = body.slice(0, -1);
    if (Object.hasOwn(PREDEFINED, name)) return PREDEFINED[name];
    const number = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
    if (!number) throw new Error(`unknown entity ${whole}; only the five of XML and numeric ones are read`);
    const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
    if (!isCharacter(code)) throw new Error(`${whole} is not a character of XML`);
    return String.fromCodePoint(code);
  });
}

/** True for a code point that XML may contain (XML 1.0 §2.2, production Char). */
function isCharacter(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}
