import type { LatLon } from '../geo/degree.ts';
import type { Box } from '../geo/grid-square.ts';
import { isCounterClockwise } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';

// GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0/): the metadata of files, and geometries as WKB.

/**
 * JGD2011 as PROJJSON (https://proj.org/specifications/projjson.html): the datum of PLATEAU's EPSG:6697, without
 * heights.
 */
const JGD2011 = {
  $schema: 'https://proj.org/schemas/v0.7/projjson.schema.json',
  type: 'GeographicCRS',
  name: 'JGD2011',
  datum: {
    type: 'GeodeticReferenceFrame',
    name: 'Japanese Geodetic Datum 2011',
    ellipsoid: { name: 'GRS 1980', semi_major_axis: 6378137, inverse_flattening: 298.257222101 },
  },
  coordinate_system: {
    subtype: 'ellipsoidal',
    axis: [
      { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: 'degree' },
      { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: 'degree' },
    ],
  },
  id: { authority: 'EPSG', code: 6668 },
};

/** The value of the metadata key `geo` of a file with one geometry column, `geometry`. */
const geoMetadata = (geometry: object): string =>
  JSON.stringify({ version: '1.1.0', primary_column: 'geometry', columns: { geometry } });

/**
 * The value of the metadata key `geo` of a file with multipolygons in the column `geometry` and their boxes in the
 * column `bbox`.
 */
export const multiPolygonMetadata = ({ west, south, east, north }: Box): string =>
  geoMetadata({
    encoding: 'WKB',
    geometry_types: ['MultiPolygon'],
    crs: JGD2011,
    orientation: 'counterclockwise',
    edges: 'planar',
    bbox: [west, south, east, north],
    covering: {
      bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'], xmax: ['bbox', 'xmax'], ymax: ['bbox', 'ymax'] },
    },
  });

/**
 * The value of the metadata key `geo` of a file with points in the column `geometry`.
 * @param positions the points of the file
 */
export function pointMetadata(positions: readonly LatLon[]): string {
  const bbox = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { lat, lon } of positions) {
    bbox[0] = Math.min(bbox[0], lon);
    bbox[1] = Math.min(bbox[1], lat);
    bbox[2] = Math.max(bbox[2], lon);
    bbox[3] = Math.max(bbox[3], lat);
  }
  return geoMetadata({
    encoding: 'WKB',
    geometry_types: ['Point'],
    crs: JGD2011,
    edges: 'planar',
    ...(positions.length > 0 && { bbox }),
  });
}

/** The metadata of a file under the key `hidamari`: facts about the whole file, and the descriptions of its columns. */
export const fileMetadata = (
  about: object,
  columns: readonly { name: string; description: string }[],
): { hidamari: string } => ({
  hidamari: JSON.stringify({
    ...about,
    columns: Object.fromEntries(columns.map(({ name, description }) => [name, description])),
  }),
});

/** Codes of WKB: the byte order, and the types of geometries. */
const WKB_LITTLE_ENDIAN = 1;
const WKB_POINT = 1;
const WKB_POLYGON = 3;
const WKB_MULTI_POLYGON = 6;

/** A point as WKB (OGC 06-103r4, §8.2): x is the longitude, y the latitude. */
export function pointWkb(lat: number, lon: number): Uint8Array {
  const bytes = new Uint8Array(21);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, WKB_LITTLE_ENDIAN);
  view.setUint32(1, WKB_POINT, true);
  view.setFloat64(5, lon, true);
  view.setFloat64(13, lat, true);
  return bytes;
}

/**
 * Footprints as a WKB multipolygon (OGC 06-103r4, §8.2): x is the longitude, y the latitude. Rings are closed; outer
 * rings run counter-clockwise, holes clockwise.
 */
export function multiPolygonWkb(footprints: readonly Footprint[]): Uint8Array {
  // 9 bytes for the head of each geometry, 4 for the number of points, 16 for a point. A ring repeats its first point.
  let size = 9;
  for (const { rings } of footprints) {
    size += 9;
    for (const ring of rings) size += 4 + 8 * (ring.length + 2);
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  // A geometry begins with its byte order, its type and the number of its polygons or rings.
  const writeHead = (type: number, count: number): void => {
    view.setUint8(at, WKB_LITTLE_ENDIAN);
    view.setUint32(at + 1, type, true);
    view.setUint32(at + 5, count, true);
    at += 9;
  };
  writeHead(WKB_MULTI_POLYGON, footprints.length);
  for (const { rings } of footprints) {
    writeHead(WKB_POLYGON, rings.length);
    for (const [index, ring] of rings.entries()) {
      const points = ring.length / 2;
      view.setUint32(at, points + 1, true);
      at += 4;
      // The first ring of a polygon is its outer ring. A ring of the other direction is written from its end.
      const forwards = isCounterClockwise(ring) === (index === 0);
      for (let i = 0; i <= points; i++) {
        const point = 2 * (forwards ? i % points : (points - i) % points);
        view.setFloat64(at, ring[point + 1], true);
        view.setFloat64(at + 8, ring[point], true);
        at += 16;
      }
    }
  }
  return bytes;
}
