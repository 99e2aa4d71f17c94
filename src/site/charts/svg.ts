import { type Fragment, type Html, html } from '../markup.ts';

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
  content: Fragment,
): Html {
  return html`<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="${role}" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${content}</svg>`;
}

/** The width of a letter: a Japanese letter is as wide as it is high. */
const letterWidth = (letter: string, size: number): number => (letter > '\u00ff' ? size : 0.56 * size);

/** The width of a text whose letters have a size. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + letterWidth(letter, size), 0);

/** Size of small text, pixels. */
const SMALL = 12.5;

/** Breaks a small text into lines of limited width, after punctuation and spaces if possible. */
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
    used += letterWidth(text.charAt(i), SMALL);
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

/** A position in a drawing. */
export type Point = readonly [x: number, y: number];

/** Half the width of a badge. */
export const BADGE = 9;

/** A letter in a disc, which names a building. */
export const badge = (letter: string, [x, y]: Point, title: string): Html =>
  html`<g class="badge"><title>${title}</title><circle cx="${at(x)}" cy="${at(y)}" r="${BADGE}"/><text class="middle" x="${at(x)}" y="${at(y + 4.5)}">${letter}</text></g>`;

/** An arrow to the north in the upper right corner. */
export const northArrow = (width: number, word: string): Html =>
  html`<path class="north" d="M${width - 18} 30l-6 -4 6 -16 6 16z"/><text class="halo middle" x="${width - 18}" y="46">${word}</text>`;

/** Widest bar of a scale, pixels, and the lengths that it can have, metres. */
const BAR = 100;
const LENGTHS_M = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** A bar in the lower left corner with the length of a round number of metres. */
export function scaleBar(height: number, pixelsPerMetre: number, name: (metres: number) => string): Html {
  const metres = LENGTHS_M.findLast((length) => length * pixelsPerMetre <= BAR) ?? 1;
  const width = at(metres * pixelsPerMetre);
  return html`<path class="scale-bar" d="M12 ${at(height - 12)}v4h${width}v-4"/><text class="halo small" x="${18 + width}" y="${at(height - 6)}">${name(metres)}</text>`;
}

/** The labels of a drawing: none covers another one, or a box that is reserved. */
export class Labels {
  readonly #size: Point;
  readonly #taken: { middle: Point; size: Point }[] = [];

  constructor(width: number, height: number) {
    this.#size = [width, height];
  }

  /** Reserves a box. */
  reserve(middle: Point, size: Point): void {
    this.#taken.push({ middle, size });
  }

  /**
   * The first of some positions where a box is inside the drawing and free. It is then reserved. Null: there is none.
   */
  place(middles: Iterable<Point>, size: Point): Point | null {
    for (const middle of middles) {
      const isInside = middle.every((value, i) => value >= size[i] / 2 && value <= this.#size[i] - size[i] / 2);
      const isFree = this.#taken.every((other) =>
        middle.some((value, i) => Math.abs(value - other.middle[i]) >= (size[i] + other.size[i]) / 2),
      );
      if (!isInside || !isFree) continue;
      this.reserve(middle, size);
      return middle;
    }
    return null;
  }
}

/** Points along a path: its corners, and points between them at equal distances of `step` or a little more. */
export const alongPath = (corners: readonly Point[], step: number): Point[] =>
  corners.flatMap(([x, y], i) => {
    const [px, py] = corners[i - 1] ?? [x, y];
    const steps = Math.max(1, Math.floor(Math.hypot(x - px, y - py) / step));
    return Array.from({ length: steps }, (_, one): Point => {
      const share = (one + 1) / steps;
      return [px + share * (x - px), py + share * (y - py)];
    });
  });
