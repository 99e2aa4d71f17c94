/** @import { Drawn, NearBuilding, Ring } from './types.js' */

import { METRES_PER_DEGREE } from './shadows.js';

const MOST = 50;

/**
 * The buildings nearest to a place, each once, by the corner of their outline that is nearest.
 * @param {readonly Drawn[]} features
 * @param {{ lng: number, lat: number }} place
 * @returns {NearBuilding[]}
 */
export function nearestBuildings(features, place) {
  const east = METRES_PER_DEGREE * Math.cos((place.lat * Math.PI) / 180);
  /** @type {Map<string, NearBuilding>} */
  const found = new Map();
  for (const { properties, geometry } of features) {
    const id = String(properties.building_id);
    let least = Number.POSITIVE_INFINITY;
    for (const [outer = []] of polygonsOf(geometry)) {
      for (const [lon, lat] of outer) {
        const [x, y] = [(lon - place.lng) * east, (lat - place.lat) * METRES_PER_DEGREE];
        least = Math.min(least, x * x + y * y);
      }
    }
    const metres = Math.sqrt(least);
    if (metres < (found.get(id)?.metres ?? Number.POSITIVE_INFINITY)) found.set(id, { id, metres, properties });
  }
  return [...found.values()].sort((a, b) => a.metres - b.metres || (a.id < b.id ? -1 : 1)).slice(0, MOST);
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
