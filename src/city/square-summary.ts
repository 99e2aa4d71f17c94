import { createHash } from 'node:crypto';
import type { RecordAttributes } from '../building/attributes.ts';
import { hasText } from '../formats/column-file.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import { zoneOf } from '../geo/zones.ts';
import { type SquareBuildings, shadingTop } from './square-file.ts';
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
  /** Some of it is land of towns that have households, and of which no building was loaded. */
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
export function summariseSquare(code: string, square: SquareBuildings): Omit<SquareSummary, 'emptyParts'> {
  const centre = gridSquareCentre(code);
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < square.latLon.length; i += 2) {
    const lat = square.latLon[i];
    const lon = square.latLon[i + 1];
    south = Math.min(south, lat);
    north = Math.max(north, lat);
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  let served = 0;
  let lowestBase: number | null = null;
  for (let row = 0; row < square.count; row++) {
    if (!hasText(square.ids, row)) continue;
    served++;
    lowestBase = Math.min(lowestBase ?? Infinity, square.base[row]);
  }
  const zone = zoneOf(centre.lat, centre.lon);
  const extent = { south, west, north, east };
  const ladder = heightLadder(square);
  return { square: code, zone, buildings: square.count, served, ...extent, lowestBase, ladder };
}

/** The ladder of a square that is not empty: one chain of digests, from the tallest building down. */
function heightLadder(square: SquareBuildings): HeightLadder {
  const top = Float64Array.from({ length: square.count }, (_, row) => shadingTop(square, row));
  const falling = Array.from(top.keys()).sort((a, b) => top[b] - top[a] || a - b);
  const highest = top[falling[0]];
  const lowest = Math.ceil(top[falling[falling.length - 1]]) - 1;
  const counts: number[] = [];
  const digests: string[] = [];
  const hash = createHash('sha256');
  const piecesOf = seenOfBuildings(square);
  let seen = 0;
  let digest = '';
  for (let height = Math.ceil(highest) - 1; height >= lowest; height--) {
    const pieces: Uint8Array[] = [];
    for (; seen < falling.length && top[falling[seen]] > height; seen++) pieces.push(...piecesOf(falling[seen]));
    if (pieces.length > 0) {
      // One call of the hash costs as much as many of these bytes.
      hash.update(Buffer.concat(pieces));
      digest = hash.copy().digest('hex').slice(0, DIGEST_CHARS);
    }
    counts.push(seen);
    digests.push(digest);
  }
  return { lowest, counts: counts.reverse(), digests: digests.reverse() };
}

/** All that a neighbour's result can hold of a building, in pieces: its ID, its heights, its point, its walls, its roof. */
function seenOfBuildings(square: SquareBuildings): (row: number) => Uint8Array[] {
  const { ids, base, top, lat, lon, footprints, rings, vertices } = square;
  const { roofs, roofRings, roofVertices, roofPoints } = square;
  const latLon = bytesOf(square.latLon);
  return (row) => {
    const numbers = Float64Array.of(base[row], top[row], lat[row], lon[row]);
    const pieces = [ids.bytes.subarray(ids.offsets[row], ids.offsets[row + 1]), LINE_END, bytesOf(numbers)];
    for (let f = footprints[row]; f < footprints[row + 1]; f++) {
      const [first, end] = [rings[f], rings[f + 1]];
      const lengths = Array.from(vertices.subarray(first, end), (from, i) => 2 * (vertices[first + i + 1] - from));
      pieces.push(Buffer.from(`${lengths}\n`));
      pieces.push(latLon.subarray(vertices[first] * VERTEX_BYTES, vertices[end] * VERTEX_BYTES));
    }
    const [firstSurface, endSurface] = [roofs[row], roofs[row + 1]];
    if (firstSurface < endSurface) {
      const [firstRing, endRing] = [roofRings[firstSurface], roofRings[endSurface]];
      const starts = roofVertices.subarray(firstRing, endRing + 1);
      pieces.push(bytesOf(roofRings.slice(firstSurface, endSurface + 1).map((ring) => ring - firstRing)));
      pieces.push(bytesOf(starts.slice().map((vertex) => vertex - starts[0])));
      pieces.push(bytesOf(roofPoints.subarray(3 * starts[0], 3 * roofVertices[endRing])));
    }
    return pieces;
  };
}

const LINE_END = Buffer.from('\n');
/** Of a latitude and a longitude. */
const VERTEX_BYTES = 16;

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

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
  /** With which terrain it was computed; absent: with none. */
  terrain?: RecordAttributes['terrain'];
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
