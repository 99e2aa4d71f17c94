import geodesic from 'geographiclib-geodesic';
import { type LatLon, RADIANS } from '../geo/degree.ts';
import { isInJapan } from '../geo/grid-square.ts';

/** The ellipsoid of JGD2011: GRS80. */
const GRS80 = new geodesic.Geodesic.Geodesic(6378137, 1 / 298.257222101);

/** Length of the shortest line between two points on the ellipsoid, metres (Karney 2013; better than a micrometre). */
export function geodesicMetres(a: LatLon, b: LatLon): number {
  // `!`: the result has `s12` because DISTANCE is requested.
  return GRS80.Inverse(a.lat, a.lon, b.lat, b.lon, geodesic.Geodesic.DISTANCE).s12!;
}

/** Why a position is not used. */
export type PositionFault = 'missing' | 'zero' | 'fallback' | 'swapped' | 'abroad' | 'far' | 'elsewhere' | 'census';

/** Default answers of geocoders for an unknown address: a field in Ireland, the centre of Japan. */
const FALLBACKS: readonly LatLon[] = [
  { lat: 53.41291, lon: -8.24389 },
  { lat: 36.204824, lon: 138.252924 },
];

/** An office farther than this from the middle of its municipality is not believed. */
const FAR_METRES = 60_000;

/** The lists have 15 decimals, but the values are not that precise. Seven decimals are one centimetre. */
const STEPS_PER_DEGREE = 1e7;

/** A published position, or why it is not used. */
export function readPosition(lat: string, lon: string): { position: LatLon } | { fault: PositionFault } {
  const [y, x] = [degrees(lat), degrees(lon)];
  if (y === null || x === null) return { fault: 'missing' };
  if (y === 0 && x === 0) return { fault: 'zero' };
  const areNear = (a: number, b: number) => Math.abs(a - b) < 1e-5;
  if (FALLBACKS.some((fallback) => areNear(fallback.lat, y) && areNear(fallback.lon, x))) return { fault: 'fallback' };
  if (isInJapan(x, y)) return { fault: 'swapped' };
  if (!isInJapan(y, x)) return { fault: 'abroad' };
  const rounded = (value: number) => Math.round(value * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
  return { position: { lat: rounded(y), lon: rounded(x) } };
}

/** The middle of some positions: the medians of latitude and longitude. Null for none. */
export function middleOf(positions: readonly LatLon[]): LatLon | null {
  if (positions.length === 0) return null;
  return { lat: median(positions.map(({ lat }) => lat)), lon: median(positions.map(({ lon }) => lon)) };
}

/** True when a position is too far from the middle of its municipality. */
export function isFar(position: LatLon, middle: LatLon): boolean {
  return geodesicMetres(position, middle) > FAR_METRES;
}

/** Side of a cell for the search, degrees: 2.2 km to the north, 1.5 to 2 km to the east. */
const CELL_DEGREES = 0.02;
/** Limit of the rings of cells that are searched. */
const MOST_RINGS = 25;
/** A cell's diagonal as a multiple of its shorter side, at most: 1.76 at the northern end of Japan. */
const DIAGONAL_PER_SIDE = 1.8;

/**
 * Makes a function that finds the positions nearest to a point: at most `most`, nearest first, by their index. It finds
 * none beyond 25 cells, 38 to 55 km.
 */
export function nearestFinder(positions: readonly LatLon[]): (point: LatLon, most: number) => number[] {
  const cellOf = (degrees: number) => Math.floor(degrees / CELL_DEGREES);
  const cells = Map.groupBy(positions.keys(), (i) => {
    const { lat, lon } = positions[i];
    return `${cellOf(lat)},${cellOf(lon)}`;
  });
  return (point, most) => {
    const squaredDistance = (i: number) => {
      const { lat, lon } = positions[i];
      const east = (lon - point.lon) * Math.cos(point.lat * RADIANS);
      return (lat - point.lat) ** 2 + east ** 2;
    };
    const candidates: number[] = [];
    let lastRing = MOST_RINGS;
    for (let ring = 0; ring <= lastRing; ring++) {
      for (const cell of ringOf(cellOf(point.lat), cellOf(point.lon), ring))
        candidates.push(...(cells.get(cell) ?? []));
      // A position of this ring is at most `ring + 1` diagonals away. Everything nearer is in the rings up to that
      // distance, because a ring is at least one side wide.
      if (candidates.length >= most) lastRing = Math.min(lastRing, Math.ceil((ring + 1) * DIAGONAL_PER_SIDE));
    }
    return candidates.sort((a, b) => squaredDistance(a) - squaredDistance(b)).slice(0, most);
  };
}

/** The cells of a square ring around a cell. */
function ringOf(row: number, column: number, ring: number): string[] {
  const cells: string[] = [];
  for (let y = -ring; y <= ring; y++) {
    const step = Math.abs(y) === ring ? 1 : Math.max(1, 2 * ring);
    for (let x = -ring; x <= ring; x += step) cells.push(`${row + y},${column + x}`);
  }
  return cells;
}

/** True when a fault means that nothing is known; otherwise a position is known but not believed. */
export function meansUnknown(fault: PositionFault): boolean {
  return fault === 'missing' || fault === 'zero' || fault === 'fallback';
}

/** A number of degrees; null for another text. */
function degrees(text: string): number | null {
  const plain = text.normalize('NFKC').trim();
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  const half = values.length >> 1;
  return values.length % 2 === 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}
