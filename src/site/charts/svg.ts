import { type Fragment, type Html, html } from '../markup.ts';

/** A coordinate of a drawing, to a tenth. */
export const tenth = (value: number): number => Math.round(value * 10) / 10;

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

/**
 * Breaks a small text into lines of limited width. A line ends after its last punctuation mark or space if this is in
 * its second half, otherwise after the last letter with room.
 * @param width of a line, pixels
 */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '') {
    const room = lettersThatFit(rest, width);
    // A line does not begin with punctuation: one mark may stand outside of the width.
    const longest = /^[、。，・]/.test(rest.slice(room)) ? room + 1 : room;
    const isLastLine = longest === rest.length;
    const afterMark = isLastLine ? longest : rest.slice(0, longest).search(/[、。，, ・][^、。，, ・]*$/) + 1;
    const end = afterMark > longest / 2 ? afterMark : longest;
    lines.push(rest.slice(0, end).trim());
    rest = rest.slice(end);
  }
  return lines;
}

/** The number of letters from the beginning of a small text that fit in a width; at least one. */
function lettersThatFit(text: string, width: number): number {
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

/** Half the width of a badge, pixels. */
export const BADGE = 9;

/** Distance from the middle of a text's box down to the feet of its letters, pixels. */
export const BASELINE = 4.5;

/** A letter in a disc, which names a building. */
export const badge = (letter: string, [x, y]: Point, title: string): Html =>
  html`<g class="badge"><title>${title}</title><circle cx="${tenth(x)}" cy="${tenth(y)}" r="${BADGE}"/><text class="middle" x="${tenth(x)}" y="${tenth(y + BASELINE)}">${letter}</text></g>`;

/** An arrow to the north in the upper right corner. */
export const northArrow = (width: number, word: string): Html =>
  html`<path class="north" d="M${width - 18} 30l-6 -4 6 -16 6 16z"/><text class="halo middle" x="${width - 18}" y="46">${word}</text>`;

/** Widest bar of a scale, pixels, and the lengths that it can have, metres. */
const BAR = 100;
const LENGTHS_M = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** A bar in the lower left corner of a drawing, as long as a round number of metres, with this number beside it. */
export function scaleBar(height: number, pixelsPerMetre: number, name: (metres: number) => string): Html {
  const metres = LENGTHS_M.findLast((length) => length * pixelsPerMetre <= BAR) ?? 1;
  const width = tenth(metres * pixelsPerMetre);
  return html`<path class="scale-bar" d="M12 ${tenth(height - 12)}v4h${width}v-4"/><text class="halo small" x="${18 + width}" y="${tenth(height - 6)}">${name(metres)}</text>`;
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
   * Reserves a box at the first of some positions where it is inside the drawing and covers no reserved box.
   * @returns the middle of the box; null when no position is free
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

/** Points along a path: its corners, and between two corners points at equal distances, at least `step` apart. */
export const alongPath = (corners: readonly Point[], step: number): Point[] =>
  corners.flatMap(([x, y], i) => {
    // The first corner has no corner before it: it gives one point, itself.
    const [previousX, previousY] = corners[i - 1] ?? [x, y];
    const steps = Math.max(1, Math.floor(Math.hypot(x - previousX, y - previousY) / step));
    return Array.from({ length: steps }, (_, index): Point => {
      const share = (index + 1) / steps;
      return [previousX + share * (x - previousX), previousY + share * (y - previousY)];
    });
  });
