/** A ring of longitude and latitude, closed. */
export type Ring = [lon: number, lat: number][];

export const square = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

/** A hazard layer as GeoJSON, with polygons and multipolygons in turn. Two numbers in place of rings are a point. */
export const zoneLayer = (zones: [properties: object, rings: Ring[] | [lon: number, lat: number]][]): string => {
  const geometry = (coordinates: (typeof zones)[0][1], i: number) => {
    if (typeof coordinates[0] === 'number') return { type: 'Point', coordinates };
    return i % 2 === 0 ? { type: 'Polygon', coordinates } : { type: 'MultiPolygon', coordinates: [coordinates] };
  };
  const features = zones.map(([properties, coordinates], i) => ({
    type: 'Feature',
    properties,
    geometry: geometry(coordinates, i),
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
};
