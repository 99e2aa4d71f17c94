import { type Html, html } from '../markup.ts';
import { at, drawing } from './svg.ts';

/** A thing with a position, metres east and north of the middle. */
interface Pin {
  /** Its number in the list beside the plan. */
  number: number;
  east: number;
  north: number;
  /** The text beside the pin, if there is room. */
  label: string;
  /** The name for screen readers. */
  title: string;
  href: string;
}

/** A name of a place, for orientation. */
interface PlaceName {
  name: string;
  east: number;
  north: number;
}

interface PinPlanWords {
  title: string;
  description: string;
  north: string;
  distance: (metres: number) => string;
}

const SIZE = 440;
const EDGE = 26;
const PIN = 11;
/** Sizes of a letter of a label, and of a line. */
const [LETTER, LINE] = [7.2, 16];
const RINGS_M = [250, 500, 1000, 2000, 4000, 8000];

interface Box {
  x: number;
  y: number;
  width: number;
}

/** Numbered pins around a place, circles of distance around it, and names of towns below. */
export function pinPlan(
  pins: readonly Pin[],
  names: readonly PlaceName[],
  { hasMiddle, leastM }: { hasMiddle: boolean; leastM: number },
  words: PinPlanWords,
): Html {
  const reach = Math.max(leastM, ...pins.map(({ east, north }) => Math.max(Math.abs(east), Math.abs(north))));
  const scale = (SIZE / 2 - EDGE) / reach;
  const x = (east: number): number => at(SIZE / 2 + east * scale);
  const y = (north: number): number => at(SIZE / 2 - north * scale);
  const rings = hasMiddle ? RINGS_M.filter((metres) => metres <= reach * 1.2 && metres * scale > 30) : [];
  const ringTop = (metres: number): number => at(SIZE / 2 - metres * scale - 4);
  const taken: Box[] = [
    ...pins.map(({ east, north }) => ({ x: x(east) - PIN, y: y(north), width: 2 * PIN })),
    ...rings.map((metres) => ({ x: SIZE / 2 - 3 * LETTER, y: ringTop(metres) - 5, width: 6 * LETTER })),
    { x: SIZE - 28, y: 28, width: 28 },
  ];
  const labels = pins.map(({ east, north, label }) => {
    const width = [...label].reduce((sum, letter) => sum + (letter > '\u00ff' ? 2 * LETTER : LETTER), 0);
    const box = [x(east) + PIN + 3, x(east) - PIN - 3 - width]
      .map((left) => ({ x: at(left), y: y(north), width }))
      .find((one) => isFree(one, taken));
    if (box === undefined) return null;
    taken.push(box);
    return html`<text class="halo" x="${box.x}" y="${at(box.y + 5)}">${label}</text>`;
  });
  const ground = names.flatMap(({ name, east, north }) => {
    const width = [...name].length * 2 * LETTER;
    const box = { x: at(x(east) - width / 2), y: y(north), width };
    if (!isFree(box, taken)) return [];
    taken.push(box);
    return html`<text class="ground-name" x="${box.x}" y="${at(box.y + 5)}">${name}</text>`;
  });
  return drawing(
    { id: 'pins', width: SIZE, height: SIZE, title: words.title, description: words.description, role: 'group' },
    [
      html`<rect class="ground" width="${SIZE}" height="${SIZE}"/>`,
      rings.map(
        (metres) =>
          html`<circle class="ring" cx="${SIZE / 2}" cy="${SIZE / 2}" r="${at(metres * scale)}"/><text class="halo middle" x="${SIZE / 2}" y="${ringTop(metres)}">${words.distance(metres)}</text>`,
      ),
      ground,
      hasMiddle ? html`<circle class="here" cx="${SIZE / 2}" cy="${SIZE / 2}" r="8"/>` : null,
      // The nearest is drawn last, above the others.
      [...pins]
        .reverse()
        .map(
          ({ number, east, north, title, href }) =>
            html`<a href="${href}" aria-label="${number} ${title}"><circle class="pin" cx="${x(east)}" cy="${y(north)}" r="${PIN}"/><text class="pin-number middle" x="${x(east)}" y="${at(y(north) + 4.5)}">${number}</text></a>`,
        ),
      labels,
      html`<path class="north" d="M${SIZE - 18} 30l-6 -4 6 -16 6 16z"/><text class="halo middle" x="${SIZE - 18}" y="46">${words.north}</text>`,
    ],
  );
}

/** True when a box lies inside the drawing and overlaps no other. */
function isFree(box: Box, taken: readonly Box[]): boolean {
  return (
    box.x > 0 &&
    box.x + box.width < SIZE &&
    box.y > LINE &&
    box.y < SIZE - 4 &&
    taken.every((one) => Math.abs(one.y - box.y) >= LINE || one.x + one.width < box.x || one.x > box.x + box.width)
  );
}
