import { raw as marked, html as template } from 'hono/html';

/** Text that is HTML. The template escapes everything else. */
export type Html = ReturnType<typeof marked>;

/** A value of a template; `null` and `false` are empty. */
export type Fragment = string | number | boolean | null | undefined | Html | readonly Fragment[];

/** HTML from a template; every text among the values is escaped, in text and in quoted attributes alike. */
export const html = (strings: TemplateStringsArray, ...values: Fragment[]): Html =>
  template(strings, ...values) as Html;

/** Marks text as HTML. Only for text of this program. */
export const raw = (text: string): Html => marked(text);

/** An `<option>` of a `<select>`. */
export const option = (value: string | number, name: string, isChosen: boolean): Html =>
  html`<option value="${value}"${isChosen ? html` selected` : null}>${name}</option>`;

/**
 * A text in which parts are marked, such as by an element around each. The parts are in the order of the text; each is
 * marked where it first occurs after the one before it. A part that does not occur is passed over. In the text between
 * them, numbers keep their units on one line ({@link unbroken}).
 */
export function withMarked(text: string, parts: readonly string[], mark: (part: string) => Html): Html {
  const [part, ...others] = parts;
  if (part === undefined) return unbroken(text);
  const start = part === '' ? -1 : text.indexOf(part);
  if (start < 0) return withMarked(text, others, mark);
  return html`${unbroken(text.slice(0, start))}${mark(part)}${withMarked(text.slice(start + part.length), others, mark)}`;
}

/** A text with parts of it in bold. */
export const withBold = (text: string, parts: readonly string[]): Html =>
  withMarked(text, parts, (part) => html`<b>${part}</b>`);

/**
 * A text with parts that other people wrote, each in `<bdi>`: the direction of their letters does not reorder the text
 * around them.
 */
export const isolated = (text: string, parts: readonly string[]): Html =>
  withMarked(text, parts, (part) => html`<bdi>${part}</bdi>`);

/** Longest phone number, with its hyphens. */
const PHONE_LETTERS = 20;

/** A published phone number on one line. A longer text is no number, and breaks. */
export const phoneNumber = (text: string): Html =>
  html`<bdi${text.length > PHONE_LETTERS ? null : html` class="nowrap"`}>${text}</bdi>`;

/**
 * A name that other people wrote, for a text without elements, such as a title in a drawing: the direction of its
 * letters does not reorder the text around it (FIRST STRONG ISOLATE and its end).
 */
export const isolate = (name: string): string => `\u2068${name}\u2069`;

/**
 * A word with hyphens (`Chiyoda-ku`, `13101-bldg-1`), a date, or a number with its unit (`70 m`, `12月15日`), and a bracket
 * or comma beside it: browsers end a line between an element and a bracket. Also a range (`2.4〜7.2時間`), where a
 * building stands (`南西236°・29 m`), a limit (`月150,000円以内`), and what ends a range whose sum is marked (`までです。`).
 */
const JOINED =
  /([（「]?(?:[\w.']+(?:-[\w.']+)+|^まで(?:です)?|[東西南北]{1,2} ?\d+°・(?:\d+ m|すぐ隣)|[月約]?(?:\d[\d.]*〜)?\d[\d.,]*(?:年\d+月\d+日|月\d+日|か所|か月|時間|番目|万?円(?:以[上下内]|から|まで)?|[年月日階分棟件点番人割万]| ?(?:km|m|h|%|°)(?!\w)| (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?!\w)))[）」、。]?)/;

/** A text in which no line ends inside a word with hyphens, a date, or between a number and its unit. */
export const unbroken = (text: string): Html =>
  html`${text.split(JOINED).map((part, i) => (i % 2 === 0 ? part : html`<span class="nowrap">${part}</span>`))}`;

/**
 * A field with choices, each as its value and its name.
 * @param className `whole` gives it a whole line on a small screen
 */
export const selectField = (
  name: string,
  label: string,
  options: readonly (readonly [value: string | number, name: string])[],
  chosen: unknown,
  className?: 'whole',
): Html =>
  html`<label${className && html` class="${className}"`}>${label}<select name="${name}">${options.map(([value, words]) => option(value, words, value === chosen))}</select></label>`;

/** A region around one or more tables that can be scrolled where the screen is too small. */
export const scrolling = (label: string, tables: Fragment): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${tables}</div>`;

/** A published URL as a link target; null unless it is http or https. */
export function webAddress(published: string | null): string | null {
  if (published === null || !URL.canParse(published)) return null;
  const { protocol, href } = new URL(published);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
