import Flatbush from 'flatbush';
import { geodesicMetres } from './geodesic.ts';

/** What a pair of coordinates is worth. */
export type PositionFault = 'missing' | 'zero' | 'fallback' | 'swapped' | 'abroad' | 'far' | 'elsewhere';

export interface LatLon {
  /** Degrees. */
  lat: number;
  lon: number;
}

/** The country with its remotest islands, degrees: the bounds of `near`. */
export const COUNTRY = { south: 20, north: 46, west: 122, east: 154 };

/** What geocoders answer when they do not know: a field in Ireland, the centre of Japan. */
const FALLBACKS: readonly LatLon[] = [
  { lat: 53.41291, lon: -8.24389 },
  { lat: 36.204824, lon: 138.252924 },
];

/** Beyond this distance from the middle of its municipality an office is not believed to be where it is said to be. */
export const FAR_METRES = 60_000;

/** Coordinates carry fifteen decimals without meaning them; seven are a centimetre. */
const DECIMALS = 1e7;

/** A position as published, or why it is none. */
export function readPosition(lat: string, lon: string): { position: LatLon } | { fault: PositionFault } {
  const [y, x] = [degrees(lat), degrees(lon)];
  if (y === null || x === null) return { fault: 'missing' };
  if (y === 0 && x === 0) return { fault: 'zero' };
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-5;
  if (FALLBACKS.some((one) => near(one.lat, y) && near(one.lon, x))) return { fault: 'fallback' };
  if (inCountry({ lat: x, lon: y })) return { fault: 'swapped' };
  if (!inCountry({ lat: y, lon: x })) return { fault: 'abroad' };
  return { position: { lat: Math.round(y * DECIMALS) / DECIMALS, lon: Math.round(x * DECIMALS) / DECIMALS } };
}

/** The middle of some positions: the medians of latitude and longitude. Null for none. */
export function middleOf(positions: readonly LatLon[]): LatLon | null {
  if (positions.length === 0) return null;
  return { lat: median(positions.map(({ lat }) => lat)), lon: median(positions.map(({ lon }) => lon)) };
}

/** Whether a position is too far from the middle of its municipality. */
export function isFar(position: LatLon, middle: LatLon): boolean {
  return geodesicMetres(position, middle) > FAR_METRES;
}

/** Finds the positions nearest to one, by number; good for kilometres, not across the country. */
export function spotsIndex(positions: readonly LatLon[]): (at: LatLon, most: number) => number[] {
  const tree = new Flatbush(Math.max(1, positions.length));
  // A degree of longitude is shorter: the tree is told of it as of one at the position's own latitude.
  const x = ({ lat, lon }: LatLon) => lon * Math.cos((lat * Math.PI) / 180);
  for (const position of positions) tree.add(x(position), position.lat);
  if (positions.length === 0) tree.add(0, 0);
  tree.finish();
  return (at, most) => (positions.length === 0 ? [] : tree.neighbors(x(at), at.lat, most));
}

/** Whether a fault means that nothing is known; otherwise something is, but it is not believed. */
export function meansUnknown(fault: PositionFault): boolean {
  return fault === 'missing' || fault === 'zero' || fault === 'fallback';
}

function degrees(text: string): number | null {
  const plain = text.normalize('NFKC').trim();
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

function inCountry({ lat, lon }: LatLon): boolean {
  return lat >= COUNTRY.south && lat <= COUNTRY.north && lon >= COUNTRY.west && lon <= COUNTRY.east;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  const half = values.length >> 1;
  return values.length % 2 === 1 ? values[half]! : (values[half - 1]! + values[half]!) / 2;
}
