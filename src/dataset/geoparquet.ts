import { type Flat, signedArea } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';
import type { Box } from './cell.ts';

/** GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0/): the `geo` metadata, and polygons as WKB. */

/** JGD2011 as PROJJSON (https://proj.org/specifications/projjson.html): the datum of PLATEAU's EPSG:6697, without heights. */
export const JGD2011 = {
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

/** The value of the `geo` key: a column `geometry` of multipolygons, and their boxes in a column `bbox`. */
export function geoMetadata({ west, south, east, north }: Box): string {
  return JSON.stringify({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: ['MultiPolygon'],
        crs: JGD2011,
        orientation: 'counterclockwise',
        edges: 'planar',
        bbox: [west, south, east, north],
        covering: {
          bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'], xmax: ['bbox', 'xmax'], ymax: ['bbox', 'ymax'] },
        },
      },
    },
  });
}

const WKB_LITTLE_ENDIAN = 1;
const WKB_POLYGON = 3;
const WKB_MULTI_POLYGON = 6;

/**
 * Footprints as a WKB multipolygon (OGC 06-103r4, §8.2): x is the longitude, y the latitude; rings are closed, outer
 * ones run counter-clockwise and holes clockwise.
 */
export function multiPolygon(footprints: readonly Footprint[]): Uint8Array {
  let size = 9;
  for (const { rings } of footprints) {
    size += 9;
    for (const ring of rings) size += 4 + 8 * (ring.length + 2);
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const head = (type: number, count: number): void => {
    view.setUint8(at, WKB_LITTLE_ENDIAN);
    view.setUint32(at + 1, type, true);
    view.setUint32(at + 5, count, true);
    at += 9;
  };
  head(WKB_MULTI_POLYGON, footprints.length);
  for (const { rings } of footprints) {
    head(WKB_POLYGON, rings.length);
    for (const [index, ring] of rings.entries()) {
      const points = ring.length / 2;
      view.setUint32(at, points + 1, true);
      at += 4;
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

/** With longitude to the right and latitude up; a ring holds latitude first, which mirrors its area. */
export const isCounterClockwise = (ring: Flat): boolean => signedArea(ring) <= 0;
