import { createHash, type Hash } from 'node:crypto';
import { textAt } from '../formats/column-file.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import { zoneOf } from '../geo/zones.ts';
import { footprintsAt, type SquareBuildings } from './square-file.ts';
import type { TreeEntry } from './tree-file.ts';

/** What decides which grid squares shade which, without their buildings. */
export interface SquareSummary {
  square: string;
  /** Plane coordinate zone. */
  zone: number;
  buildings: number;
  /** Buildings with an ID. */
  served: number;
  /** Extent of all its footprints, degrees. */
  south: number;
  west: number;
  north: number;
  east: number;
  /** Lowest base of a served building, metres; null when none is served. */
  lowestBase: number | null;
  emptyParts: EmptyParts;
  ladder: HeightLadder;
}

/**
 * The fifth-order squares (about 250 m) of a grid square of which it is not known that what stands there was loaded: a bit for
 * each, the lowest for the first of `fifthOrderSquares`.
 */
export interface EmptyParts {
  /** Nothing stands there and no census area lies there: sea, or land of which nothing was loaded. */
  unknown: number;
  /** Some of it is land of a municipality of which no buildings were loaded here. */
  missing: number;
}

/**
 * How many buildings stand above each whole metre of height: entry k counts those whose top is higher than `lowest` + k,
 * and has a digest of all that others can see of them. The first entry holds every building.
 */
interface HeightLadder {
  lowest: number;
  counts: number[];
  digests: string[];
}

/** Digests are cut to 128 bits: enough that two differing sets of buildings never have one digest. */
const DIGEST_CHARS = 32;

/** Sums up a square that is not empty. */
export function summariseSquare(code: string, square: SquareBuildings, emptyParts: EmptyParts): SquareSummary {
  const centre = gridSquareCentre(code);
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < square.latLon.length; i += 2) {
    const [lat, lon] = [square.latLon[i], square.latLon[i + 1]];
    south = Math.min(south, lat);
    north = Math.max(north, lat);
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  let served = 0;
  let lowestBase: number | null = null;
  for (let row = 0; row < square.count; row++) {
    if (textAt(square.ids, row) === null) continue;
    served++;
    lowestBase = Math.min(lowestBase ?? Infinity, square.base[row]);
  }
  const zone = zoneOf(centre.lat, centre.lon);
  const extent = { south, west, north, east };
  const ladder = heightLadder(square);
  return { square: code, zone, buildings: square.count, served, ...extent, lowestBase, emptyParts, ladder };
}

/** The ladder of a square that is not empty: one chain of digests, from the tallest building down. */
function heightLadder(square: SquareBuildings): HeightLadder {
  const { top } = square;
  const falling = Array.from(top.keys()).sort((a, b) => top[b] - top[a] || a - b);
  const highest = top[falling[0]];
  const lowest = Math.ceil(top[falling[falling.length - 1]]) - 1;
  const counts: number[] = [];
  const digests: string[] = [];
  const hash = createHash('sha256');
  let seen = 0;
  for (let height = Math.ceil(highest) - 1; height >= lowest; height--) {
    for (; seen < falling.length && top[falling[seen]] > height; seen++) hashBuilding(hash, square, falling[seen]);
    counts.push(seen);
    digests.push(hash.copy().digest('hex').slice(0, DIGEST_CHARS));
  }
  return { lowest, counts: counts.reverse(), digests: digests.reverse() };
}

/** All that a neighbour's result can hold of a building: its ID, its heights, its point, its walls. */
function hashBuilding(hash: Hash, square: SquareBuildings, row: number): void {
  hash.update(`${textAt(square.ids, row) ?? ''}\n`);
  hash.update(Float64Array.of(square.base[row], square.top[row], square.lat[row], square.lon[row]));
  for (const { rings } of footprintsAt(square, row)) {
    hash.update(`${rings.map((ring) => ring.length)}\n`);
    for (const ring of rings) hash.update(ring);
  }
}

/** The grid squares of a dataset, in files `squares/<code>.square`, their trees, and what is known of them without opening one. */
export const SQUARES_INDEX = 'squares/index.json';
export const squareFileName = (code: string): string => `squares/${code}.square`;

export const treeFileName = (code: string): string => `squares/${code}.tree`;

export interface IndexedSquare extends Omit<SquareSummary, 'ladder'> {
  ladder: Omit<HeightLadder, 'digests'>;
  /** Identity of everything that its results depend on; null where no building is served. */
  fingerprint: string | null;
  /** Its tree in the plane of its own zone. */
  tree: TreeEntry;
}

/** The text of the index: a line for each square. */
export function squareIndexText(squares: readonly IndexedSquare[]): string {
  return `[\n${squares.map((square) => JSON.stringify(square)).join(',\n')}\n]\n`;
}

/** The index from its bytes; of one that was written before empty parts were told, none is known. */
export function parseSquareIndex(bytes: Uint8Array): IndexedSquare[] {
  const squares: IndexedSquare[] = JSON.parse(new TextDecoder().decode(bytes));
  return squares.map((square) => ({ ...square, emptyParts: square.emptyParts ?? { unknown: 0, missing: 0 } }));
}
