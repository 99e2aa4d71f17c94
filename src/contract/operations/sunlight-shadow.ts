import type { Static } from 'typebox';
import { ringsExpected, ringsFault, ringsOf } from '../../geo/ring-text.ts';
import { COLLECTION_TYPE, Ring } from '../geojson.ts';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { inQuery } from '../parameter.ts';
import { count, Flag, oneOf, orNull, Quantity, Text, Type } from '../schema.ts';
import { Time } from '../sunlight-shapes.ts';
import { MOST_PLANNED, PLANNED_PARAMETERS } from './sunlight-what-if.ts';

/** Heights of the plane above mean ground, metres (別表第四 (は)). */
const PLANES_M = ['1.5', '4', '6.5'] as const;
/** Default hours of shadow of the lines: those of 別表第四 (に) outside Hokkaido. */
export const USUAL_HOURS: readonly number[] = [2, 2.5, 3, 4, 5];
const MOST_LINES = 10;

const Position = Type.Tuple(
  [Quantity('Longitude, degrees.', '$building_lon'), Quantity('Latitude, degrees.', '$building_lat')],
  { description: 'Longitude and latitude (JGD2011).' },
);

const ShadowArea = Type.Object(
  {
    type: Type.Literal('MultiPolygon', { examples: ['MultiPolygon'] }),
    coordinates: Type.Array(Type.Array(Ring, { description: 'The outer ring, then the holes.' }), {
      description: 'A polygon for each part. Those of a very intricate building may overlap.',
    }),
  },
  { title: 'ShadowArea', description: 'An area, as a geometry of GeoJSON (RFC 7946).' },
);

const ShadowLines = Type.Object(
  {
    type: Type.Literal('MultiLineString', { examples: ['MultiLineString'] }),
    coordinates: Type.Array(
      Type.Array(Position, {
        description: 'A line; one that closes ends where it begins.',
        examples: [
          [
            ['$lon', '$lat'],
            ['$lon_east', '$lat_north'],
          ],
        ],
      }),
      { description: 'Lines. They end at walls.' },
    ),
  },
  { title: 'ShadowLines', description: 'Lines, as a geometry of GeoJSON (RFC 7946).' },
);

const KIND = oneOf(['building', 'site', 'site_line', 'hours', 'shadow'], 'What the feature is.', {
  examples: ['hours'],
});

const ShadowFeature = Type.Object(
  {
    type: Type.Literal('Feature', { examples: ['Feature'] }),
    id: Text('Names the feature within the answer.', 'hours-2.5'),
    geometry: Type.Union([ShadowArea, ShadowLines], { description: 'An area or lines.' }),
    properties: Type.Object(
      {
        kind: KIND,
        hours: orNull(Quantity('Hours of shadow along the line.', 2.5, 0), 'the feature is no line of hours'),
        true_solar_time: orNull(Time, 'the feature is no shadow', 'True solar time of the shadow.'),
        clock: orNull(Time, 'the feature is no shadow', 'The same time by the clock, JST.'),
        distance_m: orNull(
          Quantity('Distance of the line from the boundary of the site, metres.', 5),
          'the feature is no line around the site',
        ),
      },
      { title: 'ShadowProperties', description: 'What the feature is.' },
    ),
  },
  { title: 'ShadowFeature', description: 'A building, the site, a line, or a shadow at one time.' },
);

const ShadowZone = Type.Object(
  {
    from_m: Quantity('The zone begins at this distance from the boundary of the site, metres.', 5),
    to_m: orNull(Quantity('It ends at this distance, metres.', 10), 'it has no end'),
    most_hours: Quantity('The most hours of shadow in it.', 3.4, 0, 24),
    lat: Quantity('Where that is: latitude, degrees.', '$building_lat'),
    lon: Quantity('Where that is: longitude, degrees.', '$building_lon'),
  },
  { title: 'ShadowZone', description: 'The most shadow in a zone around the site.' },
);

const ShadowCaster = Type.Object(
  {
    building_id: orNull(BuildingId, 'the building is planned'),
    height_m: Quantity('Height above its base, metres.', 31),
    base_m: Quantity('Height of its base above the datum of the city model, metres.', 3.2),
    area_m2: Quantity('Area of its ground, square metres.', 412.5, 0),
  },
  { title: 'ShadowCaster', description: 'A building whose shadow is studied.' },
);

export const ShadowStudy = Type.Object(
  {
    type: COLLECTION_TYPE,
    date: Text('The day.', '2026-12-22'),
    plane_m: Quantity('Height of the plane above mean ground, metres.', 4),
    ground_m: Quantity(
      'Mean ground, metres above the datum of the city model: the mean of the bases, by the length of the walls.',
      3.2,
    ),
    true_solar_from: Time,
    true_solar_to: Time,
    from: Time,
    to: Time,
    step_m: Quantity('Distance between the points that were counted, metres.', 0.5),
    step_s: Quantity('Seconds between the shadows that were counted.', 2, 0),
    neighbours: orNull(
      count('Neighbours whose shade counts, too.', 212),
      'only the shade of the buildings that were asked about counts',
    ),
    is_cut: Flag('Whether a line of hours leaves the area that was counted, 200 m around the buildings.', false),
    buildings: Type.Array(ShadowCaster, {
      maxItems: MOST_PLANNED,
      description: 'The buildings whose shadow is studied.',
    }),
    zones: orNull(
      Type.Array(ShadowZone, {
        maxItems: 2,
        description: 'From 5 to 10 m, and beyond 10 m. A zone that buildings cover entirely is left out.',
      }),
      'no site was given',
      'The most shadow beyond the lines of the site.',
    ),
    source: Text('The law, with what it says.', '建築基準法第56条の2'),
    is_not: Text('What the answer does not tell.', 'A study, not a filing.'),
    features: Type.Array(ShadowFeature, { description: 'Buildings, site, lines and shadows.' }),
  },
  { title: 'ShadowStudy', description: 'Hours of shadow on a plane above the ground as GeoJSON.' },
);
export type ShadowStudy = Static<typeof ShadowStudy>;

const [ring, heights, bases, replaces] = PLANNED_PARAMETERS;

/** A day of the century whose sun is known. */
export const DAY_PARAMETER = {
  name: 'date',
  in: 'query',
  required: false,
  schema: Type.String({ format: 'date', pattern: '^20\\d{2}-\\d{2}-\\d{2}$' }),
  rule: {
    name: 'years',
    says: 'a day from 2000-01-01 to 2099-12-31',
    holds: (date: string) => date.startsWith('20'),
  },
  description: 'The day. Default: the winter solstice.',
  example: '2026-12-22',
} as const satisfies Parameter;

/** The studied buildings and the method. */
export const SHADOW_PARAMETERS = [
  inQuery('building_id', BuildingId, 'The building whose shadow is studied; or give `ring`.', '$building_id'),
  {
    ...ring,
    required: false,
    description: 'Outlines of planned buildings whose shadow is studied; or give `building_id`.',
  },
  {
    ...heights,
    required: false,
    description:
      'With `ring`: heights above their bases, metres, one for all or one for each ring. With `building_id`: its height in place ' +
      'of the model.',
  },
  bases,
  {
    name: 'site',
    in: 'query',
    required: false,
    schema: Type.String({ maxLength: 2500 }),
    rule: {
      name: 'site',
      says: ringsExpected(1),
      holds: (text: string) => ringsOf(text, 1) !== null,
      found: (text: string) => ringsFault(text, 1),
    },
    description: 'Boundary of the site, from which the lines of 5 and 10 m are drawn, written as `ring` is.',
    example: '$ring',
    isLogged: false,
  },
  {
    name: 'plane_m',
    in: 'query',
    required: false,
    schema: Type.Enum([...PLANES_M], { type: 'string' }),
    default: '4',
    description: 'Height of the plane above mean ground, metres.',
    example: '4',
  },
  inQuery(
    'hours',
    Type.Array(Type.Number({ minimum: 0.25, maximum: 8 }), { maxItems: MOST_LINES }),
    'Hours of shadow to draw. Default: 2, 2.5, 3, 4 and 5.',
    '2.5,4',
  ),
  DAY_PARAMETER,
  {
    name: 'neighbours',
    in: 'query',
    required: false,
    schema: Type.Boolean(),
    default: false,
    description: 'Also count the shade of surrounding buildings.',
    example: 'true',
  },
  { ...replaces, description: 'Surrounding buildings to remove.' },
  {
    name: 'step_m',
    in: 'query',
    required: false,
    schema: Type.Number({ minimum: 0.5, maximum: 5 }),
    default: 0.5,
    description: 'Distance of the points, metres. It is larger when the area needs over a million points.',
    example: '1',
  },
] as const satisfies Parameter[];

export const sunlightShadow = {
  id: 'sunlight-shadow',
  path: '/api/v1/sunlight/shadow.geojson',
  section: 'sunlight',
  summary: 'Hours of shadow that a building casts on the ground, computed on demand',
  description:
    'For a building or up to three planned ones: lines of equal hours of shadow (等時間日影) on a plane 1.5, 4 or 6.5 m above mean ' +
    'ground, counted from 8 to 16 h true solar time (9 to 15 h in Hokkaido), and the shadow at each full hour (時刻日影). With a site: the lines of 5 and 10 m around it, and the largest hours beyond them. A study, not a document for an application. Provisional.',
  parameters: SHADOW_PARAMETERS,
  costUnits: 6,
  isComputed: true,
  answer: { form: 'geojson', schema: ShadowStudy },
  examples: [{ building_id: '$building_id' }, { ring: '$ring', height_m: '30', site: '$ring' }],
} as const satisfies Operation;
