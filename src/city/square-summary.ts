import { createHash } from 'node:crypto';
import type { RecordAttributes } from '../building/attributes.ts';
import { hasText } from '../formats/column-file.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import { boundsOf } from '../geo/polygon.ts';
import { zoneOf } from '../geo/zones.ts';
import { type SquareBuildings, shadingTop } from './square-file.ts';
import type { TreeEntry } from './tree-file.ts';

/** The facts about a square that decide which squares shade it and which it shades. */
export interface SquareSummary {
  square: string;
  /** Plane coordinate zone. */
  zone: number;
  buildings: number;
  /** Number of buildings with an ID. */
  served: number;
  /** Extent of all its footprints, degrees. */
  south: number;
  west: number;
  north: number;
  east: number;
  /** Lowest base of a building with an ID, metres; null when there is none. */
  lowestBase: number | null;
  emptyParts: EmptyParts;
  ladder: HeightLadder;
}

/**
 * The fifth-order squares (about 250 m) of a grid square whose buildings may be missing from the data: one bit for
 * each, the lowest bit for the first of `fifthOrderSquares`.
 */
export interface EmptyParts {
  /** Without any building or census area: sea, or land that was not loaded. */
  unknown: number;
  /** With land of towns that have households but no loaded building. */
  missing: number;
}

/**
 * For each whole metre of height, the number of buildings above it. Entry k counts buildings whose top is above
 * `lowest` + k; `digests[k]` is a digest of everything that other squares can see of them. Entry 0 counts all
 * buildings.
 */
interface HeightLadder {
  lowest: number;
  counts: number[];
  digests: string[];
}

/** Digests are cut to 128 bits, which is enough to avoid collisions. */
const DIGEST_CHARS = 32;

/**
 * The summary of a square with buildings: their number, bounds, how many have an ID and are served, the lowest base of
 * these, and how many buildings are higher than each metre (`ladder`).
 */
export function summariseSquare(code: string, square: SquareBuildings): Omit<SquareSummary, 'emptyParts'> {
  const centre = gridSquareCentre(code);
  const [south, west, north, east] = boundsOf([square.latLon]);
  let served = 0;
  let lowestBase: number | null = null;
  for (let row = 0; row < square.count; row++) {
    // A building without an ID only shades others.
    if (!hasText(square.ids, row)) continue;
    served++;
    lowestBase = Math.min(lowestBase ?? Infinity, square.base[row]);
  }
  const zone = zoneOf(centre.lat, centre.lon);
  const extent = { south, west, north, east };
  const ladder = heightLadder(square);
  return { square: code, zone, buildings: square.count, served, ...extent, lowestBase, ladder };
}

/**
 * Counts the buildings above each whole metre, from the tallest building down. Each building is added to one hash, so
 * the digest at a height covers all buildings above it.
 * @param square has at least one building
 */
function heightLadder(square: SquareBuildings): HeightLadder {
  const top = Float64Array.from({ length: square.count }, (_, row) => shadingTop(square, row));
  const tallestFirst = Array.from(top.keys()).sort((a, b) => top[b] - top[a] || a - b);
  const wholeMetreBelow = (height: number): number => Math.ceil(height) - 1;
  const highest = wholeMetreBelow(top[tallestFirst[0]]);
  const lowest = wholeMetreBelow(top[tallestFirst[tallestFirst.length - 1]]);
  const counts: number[] = [];
  const digests: string[] = [];
  const hash = createHash('sha256');
  const piecesOf = visiblePieces(square);
  // The number of buildings above `height`, and the digest of these.
  let above = 0;
  let digest = '';
  for (let height = highest; height >= lowest; height--) {
    const pieces: Uint8Array[] = [];
    for (; above < tallestFirst.length && top[tallestFirst[above]] > height; above++)
      pieces.push(...piecesOf(tallestFirst[above]));
    if (pieces.length > 0) {
      // All pieces in one call, because a call costs as much as many of these bytes.
      hash.update(Buffer.concat(pieces));
      digest = hash.copy().digest('hex').slice(0, DIGEST_CHARS);
    }
    counts.push(above);
    digests.push(digest);
  }
  // The ladder begins at the lowest height.
  return { lowest, counts: counts.reverse(), digests: digests.reverse() };
}

/**
 * A function that gives everything of a building (by its row) that a neighbour's result can depend on, in pieces of
 * bytes: ID, heights, point, walls, roof.
 */
function visiblePieces(square: SquareBuildings): (row: number) => Uint8Array[] {
  // By row the first footprint, by footprint the first ring, by ring the first vertex.
  const { ids, base, top, lat, lon, footprints, rings, vertices } = square;
  const { roofs, roofRings, roofVertices, roofPoints } = square;
  const latLon = bytesOf(square.latLon);
  return (row) => {
    const numbers = Float64Array.of(base[row], top[row], lat[row], lon[row]);
    const pieces = [ids.bytes.subarray(ids.offsets[row], ids.offsets[row + 1]), LINE_END, bytesOf(numbers)];
    for (let f = footprints[row]; f < footprints[row + 1]; f++) {
      const [first, end] = [rings[f], rings[f + 1]];
      // How many numbers each ring has, so that the same points in other rings give another digest.
      const lengths = Array.from(vertices.subarray(first, end), (from, i) => 2 * (vertices[first + i + 1] - from));
      pieces.push(Buffer.from(`${lengths}\n`));
      pieces.push(latLon.subarray(vertices[first] * VERTEX_BYTES, vertices[end] * VERTEX_BYTES));
    }
    const [firstSurface, endSurface] = [roofs[row], roofs[row + 1]];
    if (firstSurface < endSurface) {
      const [firstRing, endRing] = [roofRings[firstSurface], roofRings[endSurface]];
      const starts = roofVertices.subarray(firstRing, endRing + 1);
      // Relative numbers: the same roofs give the same digest, wherever they stand in the file.
      pieces.push(bytesOf(roofRings.slice(firstSurface, endSurface + 1).map((ring) => ring - firstRing)));
      pieces.push(bytesOf(starts.slice().map((vertex) => vertex - starts[0])));
      pieces.push(bytesOf(roofPoints.subarray(3 * starts[0], 3 * roofVertices[endRing])));
    }
    return pieces;
  };
}

const LINE_END = Buffer.from('\n');
/** Latitude and longitude. */
const VERTEX_BYTES = 16;

/** The bytes of a list of numbers. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * The index of the grid squares of a dataset. Squares are in files `squares/<code>.square`, with their trees beside
 * them.
 */
export const SQUARES_INDEX = 'squares/index.json';
/** The files of a square and of its tree, by their names in a dataset. */
export const squareFileName = (code: string): string => `squares/${code}.square`;
export const treeFileName = (code: string): string => `squares/${code}.tree`;

export interface IndexedSquare extends Omit<SquareSummary, 'ladder'> {
  ladder: Omit<HeightLadder, 'digests'>;
  /** Identifies everything that its results depend on; null when it has no building with an ID. */
  fingerprint: string | null;
  /** Its tree in the plane of its own zone. */
  tree: TreeEntry;
  /** With which terrain it was computed; absent: with none. */
  terrain?: RecordAttributes['terrain'];
}

/** The text of the index, one line for each square. */
export function squareIndexText(squares: readonly IndexedSquare[]): string {
  return `[\n${squares.map((square) => JSON.stringify(square)).join(',\n')}\n]\n`;
}

/** Parses the index. Indexes of earlier versions do not have empty parts. */
export function parseSquareIndex(bytes: Uint8Array): IndexedSquare[] {
  const squares: IndexedSquare[] = JSON.parse(new TextDecoder().decode(bytes));
  return squares.map((square) => ({ ...square, emptyParts: square.emptyParts ?? { unknown: 0, missing: 0 } }));
}
