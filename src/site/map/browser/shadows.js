/** @import { Bounds, Caster, Ring, Sun, SunRow } from './types.js' */

import { roofShadows } from './roof-shadows.js';

export const METRES_PER_DEGREE = 111_320;
/** A longer shadow leaves the view. Metres. */
const LONGEST_M = 1500;
const RADIANS = Math.PI / 180;

/**
 * The sun at a minute, interpolated in a table with a row every `step` minutes; null below the horizon.
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
 * The shadows on level ground that reach into a view, without the ground under the buildings. They overlap, so they
 * must be painted in one opaque colour.
 * @param {readonly Caster[]} casters
 * @param {Sun} sun
 * @param {Bounds} view
 * @returns {GeoJSON.FeatureCollection}
 */
export function groundShadows(casters, sun, view) {
  /** @type {Ring[][]} */
  const coordinates = [];
  for (const { heightM, polygons, roof = [] } of casters) {
    const mostM = LONGEST_M * Math.tan(sun.altitudeDeg * RADIANS);
    if (roof.length > 0) {
      coordinates.push(...roofShadows(roof, shadowOfMetre(sun, roof[0]?.[0]?.[0]?.[1] ?? 0), mostM, view));
      continue;
    }
    for (const rings of polygons) {
      const perMetre = shadowOfMetre(sun, rings[0]?.[0]?.[1] ?? 0);
      const metres = Math.min(mostM, heightM);
      const [east, north] = [metres * perMetre[0], metres * perMetre[1]];
      for (const [i, ring] of rings.entries()) {
        if (reaches(ring, east, north, view)) coordinates.push(...swept(ring, i > 0, east, north));
      }
    }
  }
  const geometry = /** @type {const} */ ({ type: 'MultiPolygon', coordinates });
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
}

/**
 * Length of the shadow of one metre of height on level ground, degrees.
 * @param {Sun} sun
 * @param {number} lat
 * @returns {[east: number, north: number]}
 */
function shadowOfMetre(sun, lat) {
  const away = (sun.azimuthDeg + 180) * RADIANS;
  const length = 1 / Math.tan(sun.altitudeDeg * RADIANS);
  const east = (length * Math.sin(away)) / (METRES_PER_DEGREE * Math.cos(lat * RADIANS));
  return [east, (length * Math.cos(away)) / METRES_PER_DEGREE];
}

/**
 * True when the area that a ring covers during its shift may be in view.
 * @param {Ring} ring
 * @param {number} east degrees
 * @param {number} north degrees
 * @param {Bounds} view
 */
function reaches(ring, east, north, view) {
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  return (
    Math.max(...lons) + Math.max(0, east) >= view.west &&
    Math.min(...lons) + Math.min(0, east) <= view.east &&
    Math.max(...lats) + Math.max(0, north) >= view.south &&
    Math.min(...lats) + Math.min(0, north) <= view.north
  );
}

/**
 * The area that a footprint covers during its shift, without itself: for each run of leading walls the strip that it
 * covers.
 * @param {Ring} ring closed
 * @param {boolean} isHole
 * @param {number} east degrees
 * @param {number} north degrees
 * @returns {Ring[][]}
 */
function swept(ring, isHole, east, north) {
  const corners = ring.slice(0, -1);
  /** @type {(i: number) => [number, number]} */
  const corner = (i) => corners[i % corners.length] ?? [0, 0];
  let area = 0;
  for (const [i, [x, y]] of corners.entries()) area += x * corner(i + 1)[1] - corner(i + 1)[0] * y;
  const side = area > 0 === isHole ? -1 : 1;
  /** @type {(i: number) => boolean} */
  const leads = (i) =>
    side * ((corner(i + 1)[1] - corner(i)[1]) * east - (corner(i + 1)[0] - corner(i)[0]) * north) > 0;
  const first = corners.findIndex((_, i) => leads(i) && !leads(i + corners.length - 1));
  /** @type {Ring[][]} */
  const strips = [];
  for (let i = first; first >= 0 && i < first + corners.length; i++) {
    if (!leads(i)) continue;
    const run = [corner(i)];
    for (; leads(i); i++) run.push(corner(i + 1));
    const far = run.map(([x, y]) => /** @type {[number, number]} */ ([x + east, y + north]));
    strips.push([[...run, ...far.reverse(), corner(i - run.length + 1)]]);
  }
  return strips;
}
