/** @import { Drawn, NearBuilding, Ring } from './types.js' */

const MOST = 50;

/**
 * The buildings nearest to a place, each once, by the corner of their outline that is nearest.
 * @param {readonly Drawn[]} features
 * @param {(lon: number, lat: number) => number} distance
 * @returns {NearBuilding[]}
 */
export function nearestBuildings(features, distance) {
  /** @type {Map<string, NearBuilding>} */
  const found = new Map();
  for (const { properties, geometry } of features) {
    const id = String(properties.building_id);
    const metres = Math.min(...corners(geometry).map(([lon, lat]) => distance(lon, lat)));
    if (metres < (found.get(id)?.metres ?? Number.POSITIVE_INFINITY)) found.set(id, { id, metres, properties });
  }
  return [...found.values()].sort((a, b) => a.metres - b.metres || (a.id < b.id ? -1 : 1)).slice(0, MOST);
}

/**
 * @param {GeoJSON.Geometry} geometry
 * @returns {Ring}
 */
const corners = (geometry) => polygonsOf(geometry).flatMap(([outer]) => outer ?? []);

/**
 * The polygons of a geometry, each its rings.
 * @param {GeoJSON.Geometry} geometry
 * @returns {Ring[][]}
 */
export function polygonsOf(geometry) {
  if (geometry.type === 'Polygon') return [/** @type {Ring[]} */ (geometry.coordinates)];
  return geometry.type === 'MultiPolygon' ? /** @type {Ring[][]} */ (geometry.coordinates) : [];
}
