import { at } from './svg.ts';

/** A place of the drawing. */
export type Place = readonly [x: number, y: number];

/** A building of the skyline as it is drawn: its upper edge from left to right, down to the horizon. */
export interface Silhouette {
  name: string;
  edge: readonly Place[];
}

/** What is written or marked already, around its middle. */
export interface Mark {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A name on its building; `isUpright`: along the building's height, read from below. */
interface Label extends Mark {
  name: string;
  isUpright: boolean;
}

const MOST_LABELS = 5;
/** Of a letter of a label, and its halo. */
const LETTER = 6.4;
const HALO = 3;
const LINE_HEIGHT = 10;
/** From one place that is tried to the next. */
const STEP = 4;

/**
 * Names for the buildings that take most of the picture, each within its own building and over nothing else that is marked; a
 * building without such a place has none.
 * @param horizon where the buildings stand.
 */
export function skylineLabels(silhouettes: readonly Silhouette[], horizon: number, marks: readonly Mark[]): Label[] {
  const labels: Label[] = [];
  const bySize = silhouettes
    .map((one) => ({ ...one, size: sizeOf(one.edge, horizon) }))
    .sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
  for (const one of bySize) {
    if (labels.length === MOST_LABELS) break;
    if (labels.some(({ name }) => name === one.name)) continue;
    const taken = [...marks, ...labels];
    const label = placed(one, horizon, taken, false) ?? placed(one, horizon, taken, true);
    if (label !== null) labels.push(label);
  }
  return labels;
}

/** The area of the drawing under an edge. */
export function sizeOf(edge: readonly Place[], horizon: number): number {
  return edge.reduce((sum, [x, y], i) => sum + (horizon - y) * (x - (edge[i - 1]?.[0] ?? x)), 0);
}

/** The free place for a name that is nearest to the middle of its building, the lowest of several. */
function placed({ name, edge }: Silhouette, horizon: number, taken: readonly Mark[], isUpright: boolean): Label | null {
  const length = name.length * LETTER + HALO;
  const [width, height] = isUpright ? [LINE_HEIGHT, length] : [length, LINE_HEIGHT];
  const [from, to] = [edge[0][0] + width / 2, edge[edge.length - 1][0] - width / 2];
  const highest = Math.min(...edge.map(([, y]) => y)) + height / 2;
  const middle = (from + to) / 2;
  for (let aside = 0; aside <= (to - from) / 2; aside += STEP) {
    for (const x of aside === 0 ? [middle] : [middle - aside, middle + aside]) {
      for (let y = horizon - HALO - height / 2; y >= highest; y -= STEP) {
        const mark = { x: at(x), y: at(y), width, height };
        if (isWithin(mark, edge) && !taken.some((other) => overlap(mark, other))) return { ...mark, name, isUpright };
      }
    }
  }
  return null;
}

function isWithin({ x, y, width, height }: Mark, edge: readonly Place[]): boolean {
  const top = y - height / 2;
  return edge.every(([ex, ey], i) => {
    const next = edge[i + 1]?.[0] ?? ex;
    const isBeside = Math.max(ex, next) < x - width / 2 || ex > x + width / 2;
    return isBeside || Math.max(ey, edge[i + 1]?.[1] ?? ey) <= top;
  });
}

const overlap = (a: Mark, b: Mark): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
