/** @import { Bounds, Ring, Roof } from './types.js' */

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
 * The shadow of a roof on level ground, as far as it reaches into a view: each surface shifted by its shadow, and the
 * strip that each of its edges covers.
 * @param {Roof} roof
 * @param {readonly [east: number, north: number]} perMetre length of the shadow of one metre, degrees
 * @param {number} mostM limit of the heights
 * @param {Bounds} view
 * @returns {Ring[][]}
 */
export function roofShadows(roof, [east, north], mostM, view) {
  /** @type {Ring[][]} */
  const found = [];
  for (const surface of roof) {
    const near = surface.map((ring) => ring.map(([lon, lat]) => /** @type {[number, number]} */ ([lon, lat])));
    const far = surface.map((ring) =>
      ring.map(([lon, lat, heightM]) => {
        const metres = Math.min(mostM, heightM);
        return /** @type {[number, number]} */ ([lon + metres * east, lat + metres * north]);
      }),
    );
    if (!reaches([...(near[0] ?? []), ...(far[0] ?? [])], view)) continue;
    found.push(far.map(closed));
    for (const [i, ring] of near.entries()) {
      for (const [j, a] of ring.entries()) {
        const k = (j + 1) % ring.length;
        const [b = a, farA = a, farB = a] = [ring[k], far[i]?.[j], far[i]?.[k]];
        found.push([closed([a, b, farB, farA])]);
      }
    }
  }
  return found;
}

/**
 * @param {Ring} ring
 * @returns {Ring}
 */
const closed = (ring) => [...ring, ...ring.slice(0, 1)];

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
