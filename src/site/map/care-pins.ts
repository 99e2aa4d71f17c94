import { gzipSync } from 'node:zlib';
import { type Case, isPartOfBill } from '../../contract/kaigo-cost.ts';
import { absent, found, refused } from '../../contract/outcome.ts';
import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import type { KaigoAnswers } from '../../dataset/kaigo.ts';
import { RADIANS } from '../../geo/degree.ts';
import { EQUATOR_M, tileBox } from '../../geo/web-tile.ts';
import { PackedBody } from '../../http/body.ts';
import { CASE_FIELDS, caseIn } from '../kaigo/case.ts';
import { monthlyOf } from '../kaigo/money.ts';
import { HOMES } from '../kaigo/services.ts';
import { routeOf } from '../route.ts';
import { PIN_SERVICE } from './choices.ts';

/** Zoom of the tiles of homes. At this zoom a tile is about 4 km wide. */
export const PINS_ZOOM = 13;
/** Limit of the homes of one tile. Of more homes the nearest to its middle are in the tile. */
const MOST = 500;

/**
 * A tile of homes as GeoJSON: the position of each, and its monthly costs in a case (null: unknown).
 * @param services of the homes
 */
function careTile(kaigo: KaigoAnswers, x: number, y: number, services: readonly string[], careCase: Case): object {
  const side = 2 ** PINS_ZOOM;
  const { west, south, east, north } = tileBox({ z: PINS_ZOOM, x, y });
  const [lat, lon] = [(north + south) / 2, (west + east) / 2];
  // The radius of the circle through the corners of the tile: it has all homes of the tile, and others.
  const radiusM = (Math.SQRT1_2 * EQUATOR_M * Math.cos(lat * RADIANS)) / side;
  const { facilities } = kaigo.near(lat, lon, Math.ceil(radiusM), services, MOST, careCase).toJSON();
  const homes = facilities.flatMap((home) => {
    const { lat: homeLat, lon: homeLon } = home;
    const isInTile =
      homeLat !== null && homeLon !== null && homeLat >= south && homeLat < north && homeLon >= west && homeLon < east;
    return isInTile ? { ...home, position: [homeLon, homeLat] } : [];
  });
  return {
    type: 'FeatureCollection',
    features: homes.map(({ facility_id: id, name, cost_estimate, service_codes, position }) => {
      // The share of insured care alone is not the price of a home.
      const yen = isPartOfBill(cost_estimate) ? null : (monthlyOf(cost_estimate)?.typical ?? null);
      return {
        type: 'Feature',
        properties: { id, name, yen, service: service_codes.find((code) => services.includes(code)) ?? null },
        geometry: { type: 'Point', coordinates: position },
      };
    }),
  };
}

/** A parameter in the path of a tile or of another file of the map. */
export const tileParameter = (name: string, schema: Parameter['schema'], example: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema,
  example,
  description: 'Number of the tile.',
});
/** The dataset in the path of a tile. A tile of another dataset than the served one does not exist. */
export const TILE_DATASET = tileParameter('dataset_id', Type.String({ pattern: '^[0-9a-f]{16}$' }), '5f3cee3282240949');
const TileNumber = Type.Integer({ minimum: 0, maximum: 2 ** PINS_ZOOM - 1 });

/** The route of the tiles of homes. The query has the case and a service; without them: the standard case, all homes. */
export const careTiles = routeOf({
  id: 'care-tile',
  path: '/tiles/{dataset_id}/homes/{x}/{y}.json',
  kind: 'page',
  section: 'kaigo',
  parameters: [
    TILE_DATASET,
    tileParameter('x', TileNumber, '7276'),
    tileParameter('y', TileNumber, '3225'),
    PIN_SERVICE,
    ...CASE_FIELDS,
  ],
  answer: { form: 'other', mediaType: 'application/geo+json' },
  cache: 'immutable',
  isTile: true,
  find(values, { dataset: { manifest, kaigo } }) {
    const { dataset_id, x, y, ...query } = values as { dataset_id: string; x: number; y: number; service?: string };
    if (kaigo === null || dataset_id !== manifest.dataset_id) return absent();
    const careCase = caseIn(new URLSearchParams(query));
    const fault = kaigo.caseFault(careCase, null);
    if (fault !== null) return refused('invalid-parameter', `The case is not possible: ${fault.kind}.`);
    const services = query.service === undefined ? HOMES : [query.service];
    return found(new PackedBody(gzipSync(JSON.stringify(careTile(kaigo, x, y, services, careCase)))));
  },
});
