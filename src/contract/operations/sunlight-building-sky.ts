import type { Static } from 'typebox';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { Flag, Latitude, Longitude, oneOf, orNull, Quantity, Text, Type, Whole } from '../schema.ts';
import {
  ASSUMED_PARAMETERS,
  AssumedShape,
  Azimuth,
  buildingId,
  FaceName,
  FLOOR_PARAMETER,
  FloorNumber,
  Method,
  Month,
  ReceptorCount,
  StandIn,
  Time,
  WallAzimuth,
} from '../sunlight-shapes.ts';
import { BALCONY_PARAMETERS, BalconyShape } from './sunlight-building-floor.ts';

const Altitude = Quantity('Degrees over the horizon.', 12.4, -1, 90);

const SkylinePart = Type.Object(
  {
    building_id: orNull(
      BuildingId,
      'nothing rises over the horizon here, the building has no published ID, or it is terrain',
    ),
    terrain: Flag('Whether it is the terrain that rises here.', false),
    points: Type.Array(
      Type.Tuple([Azimuth, Altitude], { description: 'Azimuth and altitude.', examples: [[91.5, 12.4]] }),
      {
        description: 'Azimuth and altitude of its edge, from left to right.',
        examples: [
          [
            [91.5, 12.4],
            [91.75, 12.41],
          ],
        ],
      },
    ),
  },
  { title: 'SkylinePart', description: 'A part of the skyline along which one building stands highest.' },
);

const SunPath = Type.Object(
  {
    month: Month,
    sunrise: Time,
    sunset: Time,
    positions: Type.Array(
      Type.Tuple([Time, Azimuth, Altitude], {
        description: 'Time, azimuth and altitude.',
        examples: [['08:15', 126.4, 13.2]],
      }),
      {
        description: 'Time of day, azimuth and altitude of the sun every quarter of an hour, over a flat horizon.',
        examples: [[['08:15', 126.4, 13.2]]],
      },
    ),
  },
  { title: 'SunPath', description: 'The path of the sun on one day.' },
);

/** Steps of the horizon, degrees, and of the text for PVGIS. */
export const HORIZON_STEP_DEG = 0.1;
export const PVGIS_STEP_DEG = 1;

const PvgisHorizon = orNull(
  Type.Object(
    {
      step_deg: Quantity('Degrees between two directions.', HORIZON_STEP_DEG),
      altitudes_deg: Type.Array(Quantity('Degrees over the horizon.', 12.413, 0, 90), {
        description:
          'Altitude of the highest obstacle in each direction, clockwise from true north; 90 behind the wall and beyond side walls. A balcony above is not in it: see `balcony_edge`.',
        examples: [[90, 90, 12.413, 12.402]],
      }),
      userhorizon: Text('The same every degree, as the parameter `userhorizon` of PVGIS takes it.', '90,90,12.4,12.3'),
    },
    { title: 'PvgisHorizon', description: 'The horizon all around, for programs that compute solar power.' },
  ),
  '`format=pvgis` was not asked for',
);

export const BuildingSky = Type.Object(
  {
    building_id: BuildingId,
    floor: FloorNumber,
    assumed: AssumedShape,
    face: FaceName,
    stand_in: StandIn,
    receptor: Whole('Number of the receptor on the face.', 1, 1, 8),
    receptors: ReceptorCount,
    lat: Latitude,
    lon: Longitude,
    height_m: Quantity('Height above the base of the building, metres.', 21.2, 0),
    wall_azimuth_deg: WallAzimuth,
    skyline: Type.Array(SkylinePart, {
      description:
        'All that stands against the sky in front of the wall, from left to right, every quarter of a degree.',
    }),
    balcony: orNull(BalconyShape, 'none was asked for: the wall is bare'),
    balcony_edge: orNull(
      Type.Array(Type.Tuple([Azimuth, Altitude], { description: 'Azimuth and altitude.', examples: [[91.5, 38.2]] }), {
        description:
          'Azimuth and altitude, from left to right, every quarter of a degree: from this altitude up the balcony hides the sky; 0 where a side wall hides all of it.',
        examples: [
          [
            [91.5, 38.2],
            [91.75, 38.4],
          ],
        ],
      }),
      'no balcony was asked for',
    ),
    horizon: PvgisHorizon,
    sun: Type.Array(SunPath, { minItems: 12, maxItems: 12, description: 'The paths of the sun, January to December.' }),
    vertical_sky_component_percent: Quantity(
      'Light that falls on the wall from the part of a CIE standard overcast sky that is seen, over what falls on open ' +
        'flat ground, percent: at most 39.6.',
      27.3,
      0,
      40,
    ),
    method: Method,
  },
  { title: 'BuildingSky', description: 'The sky as it is seen from one measuring point.' },
);
export type BuildingSky = Static<typeof BuildingSky>;

const face = {
  name: 'face',
  in: 'query',
  required: true,
  schema: FaceName,
  description: 'The face, or the nearest face within 67.5° (then `stand_in` is set).',
  example: '$face',
} as const satisfies Parameter;

const floor = { ...FLOOR_PARAMETER, in: 'query', required: false, default: 1 } as const satisfies Parameter;

const receptor = {
  name: 'receptor',
  in: 'query',
  required: false,
  schema: Type.Integer({ minimum: 1, maximum: 8 }),
  default: 1,
  description: 'Number of the measuring point on the face.',
  example: '1',
} as const satisfies Parameter;

const format = {
  name: 'format',
  in: 'query',
  required: false,
  schema: oneOf(['skyline', 'pvgis'], 'What is added.'),
  default: 'skyline',
  description: '`pvgis` adds `horizon`: the altitudes all around, also as the parameter `userhorizon` of PVGIS.',
  example: 'pvgis',
} as const satisfies Parameter;

export const sunlightBuildingSky = {
  id: 'sunlight-building-sky',
  path: '/api/v1/sunlight/building/{building_id}/sky',
  section: 'sunlight',
  summary: 'The sky as seen from one wall and floor, computed on demand',
  description:
    'For one measuring point: the skyline in front of its wall with the building of each part, the paths of the sun on the ' +
    "twelve days with clock times, and the share of an overcast sky's light that falls on the wall. A face, floor or " +
    'receptor that the building does not have answers 404. Provisional.',
  parameters: [buildingId, face, floor, receptor, format, ...ASSUMED_PARAMETERS, ...BALCONY_PARAMETERS],
  costUnits: 2,
  isComputed: true,
  answer: { form: 'envelope', data: BuildingSky },
} as const satisfies Operation;
