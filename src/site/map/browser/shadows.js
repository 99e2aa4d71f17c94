/** @import { Bounds, Caster, Ring, Roof, ShownGround, Sun, SunRow } from './types.js' */

import { METRES_PER_DEGREE } from './tiles.js';

/** Greatest length of a shadow, metres: a longer one leaves the view. */
const LONGEST_M = 1500;
/** On uneven ground an edge is cut into pieces of this length, and the ground is looked up in steps of it, metres. */
const STEP_M = 8;
const RADIANS = Math.PI / 180;
/** Tiles store the corners of roofs in millionths of a degree. */
const STEPS_PER_DEGREE = 1e6;

/**
 * The sun at a minute, interpolated in a table with a row every `step` minutes; null below the horizon and outside of
 * the table.
 * @param {readonly SunRow[]} rows
 * @param {number} from minute of the first row
 * @param {number} step
 * @param {number} minute after midnight
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
 * The roof surfaces of a building from their text in a tile: rings of longitude, latitude and metres above its base. In
 * the text `;` separates surfaces, `|` rings and a blank corners. A corner has its distance from the corner before it,
 * east and north, and its height in tenths of a metre.
 * @param {unknown} text
 * @returns {Roof}
 */
export function roofOf(text) {
  if (typeof text !== 'string' || text === '') return [];
  let [x, y] = [0, 0];
  /** @type {(point: string) => Top} */
  const pointOf = (point) => {
    const [east = 0, north = 0, up = 0] = point.split(',').map(Number);
    x += east;
    y += north;
    return [x / STEPS_PER_DEGREE, y / STEPS_PER_DEGREE, up / 10];
  };
  return text.split(';').map((surface) => surface.split('|').map((ring) => ring.split(' ').map(pointOf)));
}

/** @typedef {[lon: number, lat: number, aboveBaseM: number]} Top */

/**
 * The shadows of buildings on the ground that reach into a view. Each top edge gives a strip: from the place below the
 * edge to where the rays over it meet the ground. Strips overlap, so they must be painted in one opaque colour.
 * @param {readonly Caster[]} casters
 * @param {Sun} sun
 * @param {Bounds} view
 * @param {ShownGround | null} ground null: level ground
 * @returns {Ring[][]}
 */
export function groundShadows(casters, sun, view, ground = null) {
  /** @type {Ring[][]} */
  const strips = [];
  // A ray that falls by this height is as long as the longest shadow.
  const mostM = LONGEST_M * Math.tan(sun.altitudeDeg * RADIANS);
  for (const { heightM, polygons, roof = [], id } of casters) {
    const lat = (roof[0]?.[0] ?? polygons[0]?.[0])?.[0]?.[1] ?? 0;
    const perMetre = shadowOfMetre(sun, lat);
    const runs = roof.length > 0 ? roof.flat().flatMap(edgesOf) : leadingWalls(polygons, heightM, perMetre);
    const baseM = ground?.baseOf(id) ?? null;
    for (const run of runs) {
      const tops = baseM === null ? run : inPieces(run, lat);
      const near = tops.map(([lon, lat]) => /** @type {[number, number]} */ ([lon, lat]));
      const far = tops.map((top) => {
        const isLevel = ground === null || baseM === null;
        const fallenM = isLevel ? Math.min(mostM, top[2]) : fallTo(ground, baseM, top, perMetre, mostM);
        return /** @type {[number, number]} */ ([top[0] + fallenM * perMetre[0], top[1] + fallenM * perMetre[1]]);
      });
      const strip = [...near, ...far.toReversed(), ...near.slice(0, 1)];
      if (meets(strip, view)) strips.push([strip]);
    }
  }
  return strips;
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
 * How far the ray over a top falls before it meets the ground, metres. Unknown ground is taken as level.
 * @param {ShownGround} ground
 * @param {number} baseM height of the building's base
 * @param {Top} top
 * @param {readonly [east: number, north: number]} perMetre
 * @param {number} mostM
 */
function fallTo({ heightAt }, baseM, [lon, lat, aboveBaseM], perMetre, mostM) {
  /** Height of the ray over the ground after it has fallen by some metres. @type {(fallenM: number) => number} */
  const overGround = (fallenM) => {
    const height = heightAt(lon + fallenM * perMetre[0], lat + fallenM * perMetre[1]);
    return aboveBaseM - fallenM + (Number.isNaN(height) ? 0 : baseM - height);
  };
  const step = (STEP_M * mostM) / LONGEST_M;
  let over = overGround(0);
  if (over <= 0) return 0;
  for (let fallenM = step; fallenM < mostM; fallenM += step) {
    const next = overGround(fallenM);
    // The ray meets the ground within this step: its height is interpolated.
    if (next <= 0) return fallenM - (step * next) / (next - over);
    over = next;
  }
  return mostM;
}

/**
 * The edges of a ring of a roof, each as its two corners. All are needed: any of them may throw the longest shadow.
 * @param {readonly Top[]} ring the first corner is not repeated at its end
 * @returns {Top[][]}
 */
const edgesOf = (ring) => ring.map((top, i) => [top, ring[(i + 1) % ring.length] ?? top]);

/**
 * The top edges of prisms over the walls that look away from the sun: their strips cover those of all other walls. Edges
 * that follow each other are one run of corners.
 * @param {readonly Ring[][]} polygons
 * @param {number} heightM
 * @param {readonly [east: number, north: number]} perMetre
 * @returns {Top[][]}
 */
function leadingWalls(polygons, heightM, [east, north]) {
  /** @type {Top[][]} */
  const runs = [];
  for (const [place, ring] of polygons.flatMap((rings) => [...rings.entries()])) {
    const corners = ring.slice(0, -1);
    /** @type {(i: number) => [number, number]} */
    const corner = (i) => corners[i % corners.length] ?? [0, 0];
    /** Twice the area, positive for a counter-clockwise ring. */
    let area = 0;
    for (const [i, [x, y]] of corners.entries()) area += x * corner(i + 1)[1] - corner(i + 1)[0] * y;
    const isHole = place > 0;
    // The outside is on the right of a counter-clockwise outer ring (1), on the left of a clockwise one (-1).
    const side = area > 0 === isHole ? -1 : 1;
    /** True when the wall from a corner to the next looks away from the sun. @type {(i: number) => boolean} */
    const leads = (i) =>
      side * ((corner(i + 1)[1] - corner(i)[1]) * east - (corner(i + 1)[0] - corner(i)[0]) * north) > 0;
    // The first wall of a run: the wall before it does not lead.
    const first = corners.findIndex((_, i) => leads(i) && !leads(i + corners.length - 1));
    for (let i = first; first >= 0 && i < first + corners.length; i++) {
      if (!leads(i)) continue;
      /** @type {Top[]} */
      const run = [[...corner(i), heightM]];
      for (; leads(i); i++) run.push([...corner(i + 1), heightM]);
      runs.push(run);
    }
  }
  return runs;
}

/**
 * A run of corners with points between them, so that no two neighbours are farther apart than `STEP_M`.
 * @param {readonly Top[]} run
 * @param {number} lat
 * @returns {Top[]}
 */
function inPieces(run, lat) {
  const perLon = METRES_PER_DEGREE * Math.cos(lat * RADIANS);
  return run.flatMap((a, i) => {
    const b = run[i + 1];
    if (b === undefined) return [a];
    const lengthM = Math.hypot((b[0] - a[0]) * perLon, (b[1] - a[1]) * METRES_PER_DEGREE);
    const pieces = Math.max(1, Math.ceil(lengthM / STEP_M));
    return Array.from({ length: pieces }, (_, k) => {
      const share = k / pieces;
      return /** @type {Top} */ (a.map((value, axis) => value + share * ((b[axis] ?? 0) - value)));
    });
  });
}

/**
 * True when the box around some places meets a view.
 * @param {Ring} places
 * @param {Bounds} view
 */
function meets(places, { west, south, east, north }) {
  const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)];
  return (
    Math.max(...lons) >= west && Math.min(...lons) <= east && Math.max(...lats) >= south && Math.min(...lats) <= north
  );
}
