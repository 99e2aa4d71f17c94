/** @import { Caster, Ring, Sun, SunRow } from './types.js' */

const METRES_PER_DEGREE = 111_320;
/** A shadow longer than this leaves the view. Metres. */
const LONGEST_M = 1500;
const RADIANS = Math.PI / 180;

/**
 * The sun at a minute, between two rows of a table that has one every `step` minutes; null where it is down.
 * @param {readonly SunRow[]} rows
 * @param {number} from
 * @param {number} step
 * @param {number} minute
 * @returns {Sun | null}
 */
export function sunBetween(rows, from, step, minute) {
  const place = (minute - from) / step;
  const [before, after] = [rows[Math.floor(place)], rows[Math.ceil(place)]];
  if (before === undefined || after === undefined) return null;
  const share = place - Math.floor(place);
  const altitudeDeg = before[1] + share * (after[1] - before[1]);
  return altitudeDeg <= 0 ? null : { azimuthDeg: before[0] + share * (after[0] - before[0]), altitudeDeg };
}

/**
 * The shadows on flat ground: for each wall the strip it sweeps, and the roof moved to the shadow's end. They overlap and
 * are to be painted in one opaque colour.
 * @param {readonly Caster[]} casters
 * @param {Sun} sun
 * @returns {GeoJSON.FeatureCollection}
 */
export function groundShadows(casters, sun) {
  /** @type {Ring[][]} */
  const coordinates = [];
  for (const { heightM, polygons } of casters) {
    const length = Math.min(LONGEST_M, heightM / Math.tan(sun.altitudeDeg * RADIANS));
    const away = (sun.azimuthDeg + 180) * RADIANS;
    for (const rings of polygons) {
      const lat = rings[0]?.[0]?.[1] ?? 0;
      const east = (length * Math.sin(away)) / (METRES_PER_DEGREE * Math.cos(lat * RADIANS));
      const north = (length * Math.cos(away)) / METRES_PER_DEGREE;
      coordinates.push(...swept(rings, east, north));
    }
  }
  const geometry = /** @type {const} */ ({ type: 'MultiPolygon', coordinates });
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
}

/**
 * The polygons that a footprint covers on its way.
 * @param {Ring[]} rings
 * @param {number} east degrees
 * @param {number} north degrees
 * @returns {Ring[][]}
 */
function swept(rings, east, north) {
  /** @type {(corner: [number, number]) => [number, number]} */
  const moved = ([x, y]) => [x + east, y + north];
  /** @type {Ring[][]} */
  const covered = [rings.map((ring) => ring.map(moved))];
  for (const ring of rings) {
    for (const [i, corner] of ring.entries()) {
      const next = ring[i + 1];
      if (next !== undefined) covered.push([[corner, next, moved(next), moved(corner), corner]]);
    }
  }
  return covered;
}
