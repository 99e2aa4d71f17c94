import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

/**
 * Writes several copies of a city model side by side, to test the program on more buildings: `node
 * bench/dataset/city-copies.ts --from DIR --to DIR [--copies 10]`. DIR holds one CityGML file for each grid square.
 * Each copy is moved by whole grid squares, and its building IDs are 10,000,000 higher than those of the copy before.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    copies: { type: 'string', default: '10' },
  },
});
if (values.from === undefined || values.to === undefined) {
  console.error('usage: node bench/dataset/city-copies.ts --from DIR --to DIR [--copies 10]');
  process.exit(2);
}

/** Distance between the copies, in grid squares of the third order: wide enough for the six wards of the tests. */
const SQUARES_EAST = 12;
const SQUARES_NORTH = 15;
/** Degrees of a grid square of the third order. */
const SQUARE_LON = 1 / 80;
const SQUARE_LAT = 1 / 120;

/** Steps east and north of each copy, in an order that keeps ten copies within latitudes 35.4–35.9 and longitudes 139.5–140. */
const PLACES: readonly (readonly [east: number, north: number])[] = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, 1],
  [-1, 1],
  [1, 1],
  [0, -1],
  [-1, -1],
  [1, -1],
  [0, -2],
  [-1, -2],
  [1, -2],
];

const copies = Number(values.copies);
if (!(copies >= 1 && copies <= PLACES.length)) throw new RangeError(`--copies must be 1 to ${PLACES.length}`);
const files = (await readdir(values.from)).filter((name) => name.endsWith('.gml')).sort();
await mkdir(values.to, { recursive: true });
for (const file of files) {
  for (let copy = 0; copy < copies; copy++) await writeCopy(file, copy);
}
console.log(`${files.length * copies} files in ${values.to}`);

async function writeCopy(file: string, copy: number): Promise<void> {
  const [east, north] = PLACES[copy] ?? [0, 0];
  const square = movedSquare(basename(file).slice(0, 8), east * SQUARES_EAST, north * SQUARES_NORTH);
  const lines = createInterface({ input: createReadStream(join(values.from ?? '', file)), crlfDelay: Infinity });
  const target = createWriteStream(join(values.to ?? '', square + file.slice(8)));
  await pipeline(async function* () {
    for await (const line of lines) {
      yield `${movedLine(line, copy, east * SQUARES_EAST * SQUARE_LON, north * SQUARES_NORTH * SQUARE_LAT)}\n`;
    }
  }, target);
}

/** Moves the coordinates and building IDs of a line of CityGML to the copy. */
function movedLine(line: string, copy: number, lonDeg: number, latDeg: number): string {
  return line
    .replace(/(\d{5}-bldg-)(\d+)/g, (_, ward: string, number: string) => ward + (Number(number) + copy * 10_000_000))
    .replace(/<gml:posList>([^<]*)</g, (_, list: string) => `<gml:posList>${movedPositions(list, lonDeg, latDeg)}<`);
}

function movedPositions(list: string, lonDeg: number, latDeg: number): string {
  const numbers = list.trim().split(/\s+/);
  for (let at = 0; at + 2 < numbers.length; at += 3) {
    numbers[at] = (Number(numbers[at]) + latDeg).toFixed(9);
    numbers[at + 1] = (Number(numbers[at + 1]) + lonDeg).toFixed(9);
  }
  return numbers.join(' ');
}

/** The grid square (JIS X 0410, third order) at this number of squares east and north of another. */
function movedSquare(code: string, east: number, north: number): string {
  const digit = (at: number) => Number(code[at]);
  const row = Number(code.slice(0, 2)) * 80 + digit(4) * 10 + digit(6) + north;
  const column = Number(code.slice(2, 4)) * 80 + digit(5) * 10 + digit(7) + east;
  const part = (n: number) => [Math.floor(n / 80), Math.floor((n % 80) / 10), n % 10] as const;
  const [p, q, r] = part(row);
  const [u, v, w] = part(column);
  return `${p}${u}${q}${v}${r}${w}`;
}
