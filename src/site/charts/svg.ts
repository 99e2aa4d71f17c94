import { type Gap, type Html, html } from '../markup.ts';

/** A coordinate of a drawing, to a tenth. */
export const at = (value: number): number => Math.round(value * 10) / 10;

/** A drawing with a name and a description for screen readers. */
export function drawing(
  {
    id,
    width,
    height,
    title,
    description,
    role = 'img',
  }: { id: string; width: number; height: number; title: string; description: string; role?: 'img' | 'group' },
  content: Gap,
): Html {
  return html`<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="${role}" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${content}</svg>`;
}

/** Width of a Japanese letter of small text: it equals its height. */
const WIDE_LETTER = 12.5;
const NARROW_LETTER = 7;

/** Breaks a text into lines of limited width, after punctuation and spaces if possible. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '') {
    const room = fitting(rest, width);
    const most = /^[、。，・]/.test(rest.slice(room)) ? room + 1 : room;
    const mark = most === rest.length ? most : rest.slice(0, most).search(/[、。，, ・][^、。，, ・]*$/) + 1;
    const end = mark > most / 2 ? mark : most;
    lines.push(rest.slice(0, end).trim());
    rest = rest.slice(end);
  }
  return lines;
}

/** The number of letters from the beginning that fit; at least one. */
function fitting(text: string, width: number): number {
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    used += text.charCodeAt(i) > 0xff ? WIDE_LETTER : NARROW_LETTER;
    if (used > width) return Math.max(1, i);
  }
  return text.length;
}

/** Minutes after midnight of a time of day, `HH:MM` or `HH:MM:SS`. */
export function minutesOf(time: string): number {
  const [hours, minutes, seconds = 0] = time.split(':').map(Number);
  return hours * 60 + minutes + seconds / 60;
}

/** The time of day, `HH:MM`, of whole minutes after midnight. */
export const clockTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Half the width of a badge. */
export const BADGE = 9;

/** A letter in a disc, which names a building. */
export const badge = (letter: string, x: number, y: number, title: string): Html =>
  html`<g class="badge"><title>${title}</title><circle cx="${at(x)}" cy="${at(y)}" r="${BADGE}"/><text class="middle" x="${at(x)}" y="${at(y + 4.5)}">${letter}</text></g>`;
