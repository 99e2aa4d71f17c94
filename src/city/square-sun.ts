import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { gridSquareCentre } from '../geo/grid-square.ts';
import { convergenceDeg, planeOf } from '../geo/plane.ts';
import { zoneOf } from '../geo/zones.ts';
import { type DayPath, dayPath } from '../solar/day-path.ts';
import { REFERENCE_DAYS, type SolarDay } from '../solar/solar-day.ts';
import { RULE_DAYS } from '../sunlight/assessments.ts';
import { MONTHS } from '../sunlight/result.ts';
import { type DayCurve, dayCurve, type SunCurves, sunCurves } from '../sunlight/sun-curves.ts';

/** The sun over a grid square on twelve days. */
interface SquareSun {
  paths: readonly DayPath[];
  curves: SunCurves;
}

/** Sun curves over a grid square, by date. */
type DayCurves = ReadonlyMap<string, DayCurve>;

/** No stored curves. */
const NONE: DayCurves = new Map();
/** The days whose curves a dataset stores for each of its grid squares: all days that answers need without a date. */
const KEPT_DAYS: readonly SolarDay[] = [...REFERENCE_DAYS, ...RULE_DAYS];

/** `YYYY-M-D`. */
export const dateOf = ({ year, month, day }: SolarDay): string => `${year}-${month}-${day}`;

/**
 * The sun over a grid square in the plane of a zone. The kernel always takes twelve days, so with fewer days the last
 * one is repeated.
 * @param kept curves by date that need not be computed
 */
export function squareSun(
  square: string,
  zone: number,
  days: readonly SolarDay[] = REFERENCE_DAYS,
  kept: DayCurves = NONE,
): SquareSun {
  const { lat, lon } = gridSquareCentre(square);
  const convergence = convergenceDeg(planeOf(zone), lat, lon);
  const dayPaths = days.map((day) => dayPath(day, lat, lon));
  const paths = Array.from({ length: MONTHS }, (_, i) => dayPaths[Math.min(i, dayPaths.length - 1)]);
  const curveOf = (path: DayPath): DayCurve => kept.get(dateOf(path.solarDay)) ?? dayCurve(path, convergence);
  return { paths, curves: sunCurves(paths, convergence, curveOf) };
}

/** The zone of the stored curves of a grid square, which is the square's own. */
export function keptZone(square: string): number {
  const { lat, lon } = gridSquareCentre(square);
  return zoneOf(lat, lon);
}

/**
 * Computes the curves of a grid square that a dataset stores, in order of `KEPT_DAYS`. They follow from its code alone.
 */
export function madeCurves(square: string): DayCurve[] {
  const { lat, lon } = gridSquareCentre(square);
  const convergence = convergenceDeg(planeOf(keptZone(square)), lat, lon);
  return KEPT_DAYS.map((day) => dayCurve(dayPath(day, lat, lon), convergence));
}

/** Bytes of a value; and bytes of the head of a curve: its first bin and its length (u16). */
const VALUE_BYTES = 4;
const HEAD_BYTES = 4;

/** A little more than the curves of a grid square take, so that they are decompressed in one piece. */
const UNPACKED_BYTES = 448 * 1024;

/**
 * Packs the curves of a grid square with zstd. First come the heads; then the values, all minutes before all slopes. Of
 * each value the third difference of its bits is stored, which is small on a smooth curve, with its sign in the lowest
 * bit. The lowest bytes of all values come first, then the second, third and highest bytes.
 */
export function packCurves(curves: readonly DayCurve[]): Uint8Array {
  const rows = [...curves.map(({ minute }) => minute), ...curves.map(({ slope }) => slope)];
  const valueCount = rows.reduce((sum, row) => sum + row.length, 0);
  const plain = Buffer.alloc(HEAD_BYTES * curves.length + VALUE_BYTES * valueCount);
  for (const [day, { first, minute }] of curves.entries()) {
    plain.writeUInt16LE(first, HEAD_BYTES * day);
    plain.writeUInt16LE(minute.length, HEAD_BYTES * day + 2);
  }
  let at = HEAD_BYTES * curves.length;
  for (const row of rows) {
    // The bits of the three values before this one, the nearest first. A row begins as if after zeros.
    let [before1, before2, before3] = [0, 0, 0];
    for (const bits of new Int32Array(row.buffer, row.byteOffset, row.length)) {
      const difference = (bits - 3 * before1 + 3 * before2 - before3) | 0;
      // The sign moves to the lowest bit, so that small differences have zeros in their higher bytes.
      const unsigned = (difference << 1) ^ (difference >> 31);
      for (let byte = 0; byte < VALUE_BYTES; byte++) plain[at + byte * valueCount] = unsigned >> (8 * byte);
      [before1, before2, before3] = [bits, before1, before2];
      at++;
    }
  }
  return zstdCompressSync(plain);
}

/**
 * Unpacks the curves of `packCurves`, by date. A curve has the minute and slope of the sun in the bins from `first` on.
 * Stored are third differences of the bits of the values, which are small because a short piece of a curve is nearly a
 * parabola. So a value is the stored difference plus three times the value before, less three times the one before
 * that, plus the third one back.
 */
export function unpackCurves(bytes: Uint8Array): DayCurves {
  const plain = zstdDecompressSync(bytes, { chunkSize: UNPACKED_BYTES });
  const heads = KEPT_DAYS.map((day, i) => ({
    date: dateOf(day),
    first: plain.readUInt16LE(HEAD_BYTES * i),
    length: plain.readUInt16LE(HEAD_BYTES * i + 2),
  }));
  // The lowest bytes of all values, then the second, third and highest bytes.
  const planes = plain.subarray(HEAD_BYTES * heads.length);
  const valueCount = planes.length / VALUE_BYTES;
  const bits = new Int32Array(valueCount);
  let at = 0;
  // The minutes of all curves, then their slopes.
  for (const { length } of [...heads, ...heads]) {
    // The bits of the three values before this one, the nearest first.
    let [before1, before2, before3] = [0, 0, 0];
    for (const end = at + length; at < end; at++) {
      const low = planes[at] | (planes[valueCount + at] << 8);
      const high = planes[2 * valueCount + at] | (planes[3 * valueCount + at] << 8);
      const unsigned = low | (high << 16);
      // The sign is the lowest bit.
      const difference = (unsigned >>> 1) ^ -(unsigned & 1);
      // Differences and sums both wrap at 32 bits. `| 0` after each operation keeps them integers, which is faster.
      const value = (((difference + Math.imul(3, (before1 - before2) | 0)) | 0) + before3) | 0;
      bits[at] = value;
      before3 = before2;
      before2 = before1;
      before1 = value;
    }
  }
  const curves = new Map<string, DayCurve>();
  const all = new Float32Array(bits.buffer);
  let start = 0;
  for (const { date, first, length } of heads) {
    const slopeStart = valueCount / 2 + start;
    const minute = all.subarray(start, start + length);
    curves.set(date, { first, minute, slope: all.subarray(slopeStart, slopeStart + length) });
    start += length;
  }
  return curves;
}

/**
 * True when the curves are those of the grid square. The last digits may differ, because processors of other types
 * compute them differently.
 */
export function areCurvesOf(square: string, kept: DayCurves): boolean {
  return madeCurves(square).every(({ first, minute, slope }, i) => {
    const curve = kept.get(dateOf(KEPT_DAYS[i]));
    return curve?.first === first && areClose(curve.minute, minute) && areClose(curve.slope, slope);
  });
}

/** Relative difference that the last digits can make. */
const LAST_DIGITS = 1e-5;

/** True when two lists differ in the last digits at most. */
const areClose = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) <= LAST_DIGITS * Math.max(1, Math.abs(b[i])));
