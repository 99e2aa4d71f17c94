import { KM_PER_DEGREE, RADIANS } from './degree.ts';
import { JAPAN } from './grid-square.ts';
import { boundsOf, ringLength, segmentsCross, signedArea } from './polygon.ts';

/**
 * Rings of corners in a URL: corners as `lat,lon` with `;` between them, or as an encoded polyline (Google's algorithm,
 * five decimals), and `/` between rings. A ring is open: its last corner is joined to the first.
 */

/** Fewest and most corners of a ring. */
const LEAST_CORNERS = 3;
const MOST_CORNERS = 100;
/** Smallest and largest area of a ring, square metres, and its largest extent, metres. */
const LEAST_AREA = 1;
const MOST_AREA = 100_000;
const MOST_EXTENT = 500;
/** Smallest mean width of a ring, metres. Footprints narrower than a millimetre have no area (sunlight/repair.ts). */
const LEAST_WIDTH = 0.01;

/** The expected form of a text of rings, to complete "must be …". */
export function ringsExpected(most: number): string {
  const rings = most === 1 ? 'one ring' : `1 to ${most} rings with / between them, each`;
  return (
    `${rings} of ${LEAST_CORNERS} to ${MOST_CORNERS} corners as lat,lon;lat,lon;… in degrees or as an encoded polyline, ` +
    `in Japan, ${LEAST_AREA} to ${MOST_AREA.toLocaleString('en')} m², at most ${MOST_EXTENT} m across, without crossing itself`
  );
}

/** The rings of a text, each `[lat, lon, …]`, degrees; null when it does not have the form of `ringsExpected`. */
export function ringsOf(text: string, most: number): number[][] | null {
  const rings = readRings(text, most);
  return typeof rings === 'string' ? null : rings;
}

/** What is wrong with a text of rings: completes "but …". */
export function ringsFault(text: string, most: number): string {
  const rings = readRings(text, most);
  return typeof rings === 'string' ? rings : 'has no fault';
}

/** The rings of a text, or what is wrong with it. A ring is a list `lat,lon;lat,lon;…`, or an encoded polyline. */
function readRings(text: string, most: number): number[][] | string {
  const parts = text.split('/');
  if (parts.length > most) return `there are ${parts.length} rings`;
  const rings: number[][] = [];
  for (const [i, part] of parts.entries()) {
    const ring = part.includes(';') ? cornersOf(part) : polylineOf(part);
    if (ring === null) return `ring ${i + 1} is ${JSON.stringify(shortened(part))}`;
    const fault = faultOf(ring);
    if (fault !== null) return `ring ${i + 1} ${fault}`;
    rings.push(ring);
  }
  return rings;
}

/** The beginning of a text, for messages. */
const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Parses corners `lat,lon;lat,lon`. Null when the text is not a list of them. */
function cornersOf(text: string): number[] | null {
  const corners = text.split(';');
  if (!corners.every((corner) => /^\d+(\.\d+)?,\d+(\.\d+)?$/.test(corner))) return null;
  return withoutClosingCorner(corners.flatMap((corner) => corner.split(',').map(Number)));
}

/**
 * Each character of a polyline has five bits, counted from this character code. The sixth bit means that more follow.
 */
const POLYLINE_ZERO = 63;
const POLYLINE_SCALE = 1e5;
/** Limit of the characters of a number in a polyline: 180° with five decimals need five. */
const MOST_CHARACTERS = 6;

/**
 * Parses an encoded polyline: each number is the difference to the previous corner. Null when the text is not one. Of a
 * ring with too many corners it reads more than MOST_CORNERS, then stops: `faultOf` refuses the ring.
 */
function polylineOf(text: string): number[] | null {
  const ring: number[] = [];
  const last = [0, 0];
  for (let at = 0; at < text.length && ring.length <= 2 * MOST_CORNERS + 2; ) {
    let value = 0;
    for (let shift = 0; ; shift += 5) {
      const bits = text.charCodeAt(at++) - POLYLINE_ZERO;
      if (!(bits >= 0 && bits < 64) || shift === 5 * MOST_CHARACTERS) return null;
      value += (bits & 31) * 2 ** shift;
      if (bits < 32) break;
    }
    // An odd value stands for a negative difference.
    const difference = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    const axis = ring.length % 2;
    last[axis] += difference;
    ring.push(last[axis] / POLYLINE_SCALE);
  }
  return ring.length % 2 === 0 ? withoutClosingCorner(ring) : null;
}

/** A ring without its last corner if that repeats the first. */
function withoutClosingCorner(ring: number[]): number[] {
  const isClosed = ring.length > 2 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1);
  return isClosed ? ring.slice(0, -2) : ring;
}

/** What is wrong with a ring; null for a ring that can be a building or a site. */
function faultOf(ring: readonly number[]): string | null {
  const corners = ring.length / 2;
  if (corners < LEAST_CORNERS) return `has ${corners} corners`;
  if (corners > MOST_CORNERS) return `has more than ${MOST_CORNERS} corners`;
  const [south, west, north, east] = boundsOf([ring]);
  const isInJapan = south >= JAPAN.south && north <= JAPAN.north && west >= JAPAN.west && east <= JAPAN.east;
  if (!isInJapan) return `lies from ${south}, ${west} to ${north}, ${east} (latitude, longitude), not in Japan`;
  const metresPerLat = 1000 * KM_PER_DEGREE;
  const metresPerLon = metresPerLat * Math.cos(south * RADIANS);
  const extent = Math.hypot((north - south) * metresPerLat, (east - west) * metresPerLon);
  if (extent > MOST_EXTENT) return `is ${extent.toFixed(0)} m across`;
  if (crossesItself(ring)) return 'crosses itself';
  const area = Math.abs(signedArea(ring)) * metresPerLat * metresPerLon;
  if (!(area >= LEAST_AREA && area <= MOST_AREA)) return `has an area of ${area.toFixed(1)} m²`;
  const inMetres = ring.map((degrees, i) => degrees * (i % 2 === 0 ? metresPerLat : metresPerLon));
  // A strip has two long sides.
  return (2 * area) / ringLength(inMetres) >= LEAST_WIDTH ? null : `is narrower than ${100 * LEAST_WIDTH} cm`;
}

/** Whether two sides of a ring cross. Sides that share a corner do not: `segmentsCross` wants a point inside both. */
function crossesItself(ring: readonly number[]): boolean {
  const corner = (i: number): [number, number] => [ring[i % ring.length], ring[(i + 1) % ring.length]];
  for (let i = 0; i < ring.length; i += 2) {
    for (let j = i + 4; j < ring.length; j += 2) {
      if (segmentsCross(...corner(i), ...corner(i + 2), ...corner(j), ...corner(j + 2))) return true;
    }
  }
  return false;
}
