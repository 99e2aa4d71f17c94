/** Clean-up of published text: what people type in two ways becomes one, what differs in meaning stays. */

/** Digits and spaces made half-width, runs of spaces one, none at the ends; invisible characters dropped. */
export function tidy(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => digit.normalize('NFKC'))
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[\s\u00a0\u3000]+/g, ' ')
    .trim();
}

/** Without control characters (NUL and its like), which no published value means; line breaks and tabs are spaces. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  return text.replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '');
}

/** Whether `tidy` would change more than the ends. */
export function hasWideText(text: string): boolean {
  return /[０-９\u3000]/.test(text);
}

/** All forms of hyphen and dash that stand between digits. */
const DASHES = /[-‐‑‒–—―−－ーｰ─]/g;

/**
 * A telephone number with ASCII digits and hyphens, or null when it is none. Ten or eleven digits that begin
 * with 0, grouped as published.
 */
export function phoneNumber(text: string): string | null {
  const phone = text
    .normalize('NFKC')
    .replace(DASHES, '-')
    .replace(/[()（）/]/g, '-')
    .replace(/\s/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  const digits = phone.replaceAll('-', '').length;
  return /^0\d+(-\d+){0,3}$/.test(phone) && (digits === 10 || digits === 11) ? phone : null;
}

/**
 * A web address with its scheme, or null when the text is none (an e-mail address, words). A bare host or a
 * mistyped scheme is completed.
 */
export function webAddress(text: string): string | null {
  const typed = text.normalize('NFKC').replace(/\s/g, '');
  const rest = typed.replace(/^(h?t?tps?)[:;]?\/*(?=[^/])/i, '');
  const scheme = /^h?t?tps/i.test(typed) ? 'https' : 'http';
  const whole = /^https?:\/\/[^/]/i.test(typed) ? typed : `${scheme}://${rest}`;
  const host = /^https?:\/\/([^/?#:@]+)(:\d+)?([/?#]|$)/i.exec(whole)?.[1];
  if (host === undefined || !/^([\p{L}\p{N}_-]+\.)+\p{L}{2,}$/u.test(host)) return null;
  return URL.canParse(whole) ? whole : null;
}

/** A reading in full-width katakana: half-width kana and hiragana are turned into it. */
export function reading(text: string): string {
  return tidy(text.normalize('NFKC')).replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));
}

/** Whether a reading is one: katakana, with the digits, letters and signs that stand in names. */
export function isReading(text: string): boolean {
  return /\p{Script=Katakana}/u.test(text) && !/[\p{Script=Han}\p{Script=Hiragana}]/u.test(text);
}

/** Whether a text is written in katakana alone. */
export function isKatakana(text: string): boolean {
  return /^[\p{Script=Katakana}ー・\s\u3000（）()]+$/u.test(text);
}
