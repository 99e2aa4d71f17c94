/** @import { Drawn, NearBuilding, Ring } from './types.js' */

import { METRES_PER_DEGREE } from './tiles.js';

/** Limit of the nearest buildings. */
const MOST = 50;

/**
 * The mark of a building in a list: its side and the edge around the outline, pixels, and the least length that the side
 * shows, metres. A house does not fill the mark, so it looks smaller than a tower.
 */
export const MARK = { side: 30, edge: 2, leastM: 20 };

/**
 * Pixels of a metre in the mark of a building.
 * @param {number} eastM its length to the east, metres
 * @param {number} northM
 */
export const markScale = (eastM, northM) => (MARK.side - 2 * MARK.edge) / Math.max(MARK.leastM, eastM, northM);

/**
 * The buildings nearest to a place, each once although it may be in several tiles. A building that contains the place
 * has the distance 0.
 * @param {readonly Drawn[]} features
 * @param {{ lng: number, lat: number }} place
 * @returns {NearBuilding[]}
 */
export function nearestBuildings(features, place) {
  /** @type {Map<string, NearBuilding>} */
  const nearest = new Map();
  for (const { properties, geometry } of features) {
    const id = String(properties.building_id);
    const metres = metresTo(geometry, place);
    if (metres < (nearest.get(id)?.metres ?? Number.POSITIVE_INFINITY))
      nearest.set(id, { id, metres, polygons: polygonsOf(geometry), properties });
  }
  return [...nearest.values()].sort((a, b) => a.metres - b.metres || (a.id < b.id ? -1 : 1)).slice(0, MOST);
}

/**
 * Metres from a place to the outline of a geometry, 0 inside it; for a point, metres to it.
 * @param {GeoJSON.Geometry} geometry
 * @param {{ lng: number, lat: number }} place
 */
export function metresTo(geometry, place) {
  const east = METRES_PER_DEGREE * Math.cos((place.lat * Math.PI) / 180);
  /** @type {(position: readonly number[]) => [number, number]} */
  const metres = ([lon = 0, lat = 0]) => [(lon - place.lng) * east, (lat - place.lat) * METRES_PER_DEGREE];
  if (geometry.type === 'Point') return Math.hypot(...metres(geometry.coordinates));
  let least = Number.POSITIVE_INFINITY;
  for (const [outer = []] of polygonsOf(geometry)) {
    let isInside = false;
    for (let i = 1; i < outer.length; i++) {
      const [[ax, ay], [bx, by]] = [metres(outer[i - 1] ?? []), metres(outer[i] ?? [])];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * (bx - ax) + ay * (by - ay)) / length));
      least = Math.min(least, Math.hypot(ax + share * (bx - ax), ay + share * (by - ay)));
      // A line to the east from the place crosses this edge: an odd number of crossings means inside.
      if (ay > 0 !== by > 0 && ax - (ay * (bx - ax)) / (by - ay) > 0) isInside = !isInside;
    }
    if (isInside) return 0;
  }
  return least;
}

/**
 * The polygons of a geometry, each its rings.
 * @param {GeoJSON.Geometry} geometry
 * @returns {Ring[][]}
 */
export function polygonsOf(geometry) {
  if (geometry.type === 'Polygon') return [/** @type {Ring[]} */ (geometry.coordinates)];
  return geometry.type === 'MultiPolygon' ? /** @type {Ring[][]} */ (geometry.coordinates) : [];
}
