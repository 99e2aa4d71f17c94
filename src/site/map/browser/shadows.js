/** @import { Bounds, Caster, Ring, Roof, Sun, SunRow } from './types.js' */

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
  const mostM = LONGEST_M * Math.tan(sun.altitudeDeg * RADIANS);
  const coordinates = casters.flatMap(({ heightM, polygons, roof = [] }) => {
    const perMetre = shadowOfMetre(sun, (roof[0] ?? polygons[0])?.[0]?.[0]?.[1] ?? 0);
    if (roof.length > 0) return roof.flatMap((surface) => roofShadow(surface, perMetre, mostM, view));
    const [east, north] = perMetre.map((one) => one * Math.min(mostM, heightM));
    return polygons.flatMap((rings) =>
      rings.flatMap((ring, i) =>
        reaches([...ring, ...moved(ring, east, north)], view) ? swept(ring, i > 0, east, north) : [],
      ),
    );
  });
  const geometry = /** @type {const} */ ({ type: 'MultiPolygon', coordinates });
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
}

/** @type {(ring: Ring, east: number, north: number) => Ring} */
const moved = (ring, east, north) => ring.map(([lon, lat]) => [lon + east, lat + north]);

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
 * True when the box around some places meets a view.
 * @param {Ring} places
 * @param {Bounds} view
 */
function reaches(places, { west, south, east, north }) {
  const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)];
  return (
    Math.max(...lons) >= west && Math.min(...lons) <= east && Math.max(...lats) >= south && Math.min(...lats) <= north
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
    strips.push([[...run, ...moved(run, east, north).reverse(), corner(i - run.length + 1)]]);
  }
  return strips;
}

const STEPS_PER_DEGREE = 1e6;

/**
 * The roof surfaces of a building from their text in a tile: rings of longitude, latitude and metres above its base.
 * @param {unknown} text
 * @returns {Roof}
 */
export function roofOf(text) {
  if (typeof text !== 'string' || text === '') return [];
  let [x, y] = [0, 0];
  /** @type {(point: string) => [lon: number, lat: number, heightM: number]} */
  const pointOf = (point) => {
    const [east = 0, north = 0, up = 0] = point.split(',').map(Number);
    x += east;
    y += north;
    return [x / STEPS_PER_DEGREE, y / STEPS_PER_DEGREE, up / 10];
  };
  return text.split(';').map((surface) => surface.split('|').map((ring) => ring.split(' ').map(pointOf)));
}

/**
 * The shadow of a roof surface on level ground, as far as it reaches into a view: the surface shifted by its shadow, and
 * the strip that each of its edges covers.
 * @param {Roof[number]} surface
 * @param {readonly [east: number, north: number]} perMetre length of the shadow of one metre, degrees
 * @param {number} mostM limit of the heights
 * @param {Bounds} view
 * @returns {Ring[][]}
 */
function roofShadow(surface, [east, north], mostM, view) {
  /** @type {Ring[]} */
  const near = surface.map((ring) => ring.map(([lon, lat]) => [lon, lat]));
  /** @type {Ring[]} */
  const far = surface.map((ring) =>
    ring.map(([lon, lat, heightM]) => [lon + Math.min(mostM, heightM) * east, lat + Math.min(mostM, heightM) * north]),
  );
  if (!reaches([...(near[0] ?? []), ...(far[0] ?? [])], view)) return [];
  const strips = near.flatMap((ring, i) =>
    ring.map((a, j) => {
      const k = (j + 1) % ring.length;
      const [b = a, farA = a, farB = a] = [ring[k], far[i]?.[j], far[i]?.[k]];
      return [closed([a, b, farB, farA])];
    }),
  );
  return [far.map(closed), ...strips];
}

/**
 * @param {Ring} ring
 * @returns {Ring}
 */
const closed = (ring) => [...ring, ...ring.slice(0, 1)];
