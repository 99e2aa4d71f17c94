import type { Static } from 'typebox';
import { ringsExpected, ringsFault, ringsOf } from '../../geo/ring-text.ts';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { inQuery } from '../parameter.ts';
import { orNull, Quantity, Type } from '../schema.ts';
import {
  ASSUMED_PARAMETERS,
  Azimuth,
  Day,
  FACE_MEMBERS,
  FaceName,
  FLOOR_PARAMETER,
  FloorHeight,
  FloorNumber,
  Hours,
  Method,
  Month,
  ReceptorCount,
  Windows,
} from '../sunlight-shapes.ts';
import { DATE_PARAMETER, INTERVAL_PARAMETER, Interval, monthsOrDays } from './sunlight-building-floor.ts';

/** Limits of one request: planned buildings, and buildings that they replace. */
export const MOST_PLANNED = 3;
const MOST_REPLACED = 10;

const Change = (description: string) => Quantity(description, -1.6, -24, 24);

const Sun = (title: string, description: string) =>
  Type.Object({ direct_sun_hours: Hours, interval: Interval, sunlit_windows: Windows }, { title, description });

/** Members of an answer about one day before and after. */
const CHANGE_MEMBERS = {
  before: Sun('SunBefore', 'The sun of today.'),
  after: Sun('SunAfter', 'The sun with the planned buildings.'),
  change_hours: Change('Hours a day after, less those before.'),
  taken_windows: Windows,
  gained_windows: Windows,
};
const CHANGE = '`taken_windows` are sunlit before and not after; `gained_windows` after and not before.';

const WhatIfMonth = Type.Object(
  { month: Month, ...CHANGE_MEMBERS },
  { title: 'WhatIfMonth', description: `The 15th of one month before and after. ${CHANGE}` },
);

const WhatIfDay = Type.Object(
  { date: Day, ...CHANGE_MEMBERS },
  { title: 'WhatIfDay', description: `One day before and after. ${CHANGE}` },
);

const WhatIfFace = Type.Object(
  {
    ...FACE_MEMBERS,
    receptors: ReceptorCount,
    ...monthsOrDays(WhatIfMonth, WhatIfDay),
    annual_mean_hours: orNull(
      Type.Object(
        { before: Hours, after: Hours, change: Change('After less before.') },
        { title: 'AnnualChange', description: 'Mean of the twelve days, hours a day.' },
      ),
      '`date` was asked for',
    ),
  },
  { title: 'WhatIfFace', description: 'One face of the building at this floor, before and after.' },
);

const PlannedBuilding = Type.Object(
  {
    height_m: Quantity('Height above its base, metres.', 31),
    base_m: Quantity('Height of its base above the datum of the city model, metres.', 3.2),
    area_m2: Quantity('Area of its ring, square metres.', 412.5, 0),
    distance_m: Quantity('Distance between its ring and the footprint of the building, metres.', 12.4),
    azimuth_deg: Azimuth,
  },
  { title: 'PlannedBuilding', description: 'A planned building as it was computed.' },
);

export const WhatIf = Type.Object(
  {
    building_id: BuildingId,
    floor: FloorNumber,
    height_m: FloorHeight,
    planned: Type.Array(PlannedBuilding, { maxItems: MOST_PLANNED, description: 'In the order of `ring`.' }),
    replaced: Type.Array(BuildingId, { maxItems: MOST_REPLACED, description: 'Buildings that are taken away.' }),
    faces: Type.Array(WhatIfFace, { description: 'The faces that exist, clockwise from north, or the one asked for.' }),
    method: Method,
  },
  { title: 'WhatIf', description: 'The sun of a floor before and after planned buildings.' },
);
export type WhatIf = Static<typeof WhatIf>;

/** Planned buildings: outlines, heights and bases, and the buildings that they replace. */
export const PLANNED_PARAMETERS = [
  {
    name: 'ring',
    in: 'query',
    required: true,
    schema: Type.String({ maxLength: 6000 }),
    rule: {
      name: 'rings',
      says: ringsExpected(MOST_PLANNED),
      holds: (text: string) => ringsOf(text, MOST_PLANNED) !== null,
      found: (text: string) => ringsFault(text, MOST_PLANNED),
    },
    description: 'Outlines of the planned buildings.',
    example: '$ring',
    isLogged: false,
  },
  {
    name: 'height_m',
    in: 'query',
    required: true,
    schema: Type.Array(Type.Number({ minimum: 1, maximum: 400 }), { maxItems: MOST_PLANNED }),
    description: 'Their heights above their bases, metres: one for all, or one for each ring.',
    example: '30',
  },
  inQuery(
    'base_m',
    Type.Array(Type.Number({ minimum: -100, maximum: 4000 }), { maxItems: MOST_PLANNED }),
    'Their bases above the datum of the city model, metres: one for all, or one for each ring. Default: the base of the nearest building.',
    '0',
  ),
  inQuery('replaces', Type.Array(BuildingId, { maxItems: MOST_REPLACED }), 'Buildings to remove.', '$building_id'),
] as const satisfies Parameter[];

export const sunlightWhatIf = {
  id: 'sunlight-what-if',
  path: '/api/v1/sunlight/what-if',
  section: 'sunlight',
  summary: 'The sun of a floor with a planned building next door, computed on demand',
  description:
    'For every face of a floor: the hours and windows today, those with up to three planned buildings, and the difference. The result equals that of a dataset with these buildings. Provisional.',
  parameters: [
    {
      name: 'building_id',
      in: 'query',
      required: true,
      schema: BuildingId,
      description: 'The building with the floor.',
      example: '$building_id',
    },
    { ...FLOOR_PARAMETER, in: 'query', required: true },
    ASSUMED_PARAMETERS[0],
    ...PLANNED_PARAMETERS,
    inQuery('face', FaceName, 'Only this face.', '$face'),
    DATE_PARAMETER,
    INTERVAL_PARAMETER,
  ],
  costUnits: 6,
  isComputed: true,
  answer: { form: 'envelope', data: WhatIf },
} as const satisfies Operation;
