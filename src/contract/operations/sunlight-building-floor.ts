import type { Static, TSchema } from 'typebox';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { inQuery } from '../parameter.ts';
import { Flag, Latitude, Longitude, oneOf, orNull, Quantity, Text, Type, Whole } from '../schema.ts';
import {
  ASSUMED_PARAMETERS,
  AssumedShape,
  buildingId,
  DAY_MEMBERS,
  Day,
  EXPECTED_MEMBERS,
  ExpectedHours,
  FACE_MEMBERS,
  FaceName,
  FLOOR_PARAMETER,
  FloorHeight,
  FloorNumber,
  Hours,
  Method,
  Month,
  MonthSunlight,
  ReceptorCount,
  SOURCE_MEMBERS,
  StandIn,
  SUMMARY_MEMBERS,
  shadingMembers,
  Time,
  WallAzimuth,
  Windows,
} from '../sunlight-shapes.ts';

/** Most days in one call. */
const MOST_DATES = 12;

const LitShare = Type.Array(
  Type.Tuple([Time, Quantity('Share from then on.', 0.5, 0, 1)], {
    description: 'Time of day and share.',
    examples: [['08:19', 0.5]],
  }),
  {
    description:
      'Share of the receptors that are in the sun, as steps: from each time on the share holds until the next. Before the ' +
      'first step and after the last it is 0.',
    examples: [
      [
        ['08:19', 0.5],
        ['10:11', 0],
      ],
    ],
  },
);

/** Hours without any obstacle, not even the wall itself. */
const SunUp = Quantity(
  'What the sky alone gives: hours from sunrise to sunset over a flat horizon. `unshaded_hours` is the part of them in ' +
    'which the sun is before the wall.',
  9.7,
  0,
  24,
);

const BalconyHours = orNull(
  Quantity('Hours that the balcony takes beyond all other shade.', 0.7, 0, 24),
  'no balcony was asked for',
);

export const Interval = orNull(
  Type.Object(
    {
      p10_hours: Quantity('10th percentile, or the hours where they are less.', 2.1, 0, 24),
      p90_hours: Quantity('90th percentile, or the hours where they are more.', 2.9, 0, 24),
    },
    {
      title: 'Interval',
      description:
        'Where `direct_sun_hours` lie when heights and positions of all buildings are drawn from the errors that their map levels allow; ' +
        'the hours themselves lie within. It covers the error of the model, not trees nor what was built since.',
    },
  ),
  '`interval=true` was not asked for',
);

const ModelError = orNull(
  Type.Object(
    {
      position_sd_m: Quantity('Standard deviation of the position of this building along each axis, metres.', 1.75, 0),
      height_sd_m: Quantity('Standard deviation of its height, metres.', 0.66, 0),
      draws: Whole('Cities that were drawn.', 15, 1),
      source: Text('The source of the two errors.', 'Position: map level 2500; height: map level 2500. …'),
    },
    {
      title: 'ModelError',
      description:
        'The errors from which cities were drawn for the intervals: normal, those of this building; others have those of their own map ' +
        'level and height method. Buildings that touch share their position.',
    },
  ),
  '`interval=true` was not asked for',
);

/** The members of an answer about one day of a floor. */
const FLOOR_DAY_MEMBERS = {
  ...DAY_MEMBERS,
  balcony_hours: BalconyHours,
  sun_up_hours: SunUp,
  interval: Interval,
  lit_share: LitShare,
};

const FloorMonth = Type.Object(
  { month: Month, expected_hours: ExpectedHours, ...FLOOR_DAY_MEMBERS },
  {
    title: 'FloorMonth',
    description: 'Direct sun on the 15th of one month, and what the weather of a normal year leaves of it.',
  },
);

const FloorDay = Type.Object(
  { date: Day, ...FLOOR_DAY_MEMBERS },
  { title: 'FloorDay', description: 'Direct sun on one day.' },
);

/** The twelve months, or the days of `date`. */
export const monthsOrDays = <Month extends TSchema, Day extends TSchema>(month: Month, day: Day) => ({
  months: orNull(Type.Array(month, { description: 'January to December.' }), '`date` was asked for'),
  days: orNull(
    Type.Array(day, { maxItems: MOST_DATES, description: 'The days of `date`, in the order in which it names them.' }),
    'no `date` was asked for',
  ),
});

/** The months or days of a floor or of a measuring point, and the day when there is only one. */
const monthsAndDays = <Month extends TSchema, Day extends TSchema>(month: Month, day: Day) => ({
  ...monthsOrDays(month, day),
  day: orNull(day, '`date` does not name a single day', 'The only day of `date`.'),
});

const FaceShadeSource = Type.Object(
  {
    ...SOURCE_MEMBERS,
    is_own: Flag('Whether it is this building: another wing, a courtyard.', false),
    shaded_hours: Quantity(
      'Hours of that day in which it stands highest in front of the sun, mean over the receptors.',
      1.52,
      0,
      24,
    ),
    shaded_windows: Type.Array(
      Type.Array(Time, { minItems: 2, maxItems: 2, description: 'Start and end.', examples: [['15:45', '16:28']] }),
      { description: 'The intervals in which more than half of the receptors are in its shade, to the minute.' },
    ),
    shade_share: Type.Array(
      Type.Tuple([Time, Quantity('Share from then on.', 1, 0, 1)], {
        description: 'Time of day and share.',
        examples: [['15:45', 1]],
      }),
      {
        description: 'Share of the receptors that are in its shade, as steps like `lit_share`.',
        examples: [
          [
            ['15:45', 1],
            ['16:28', 0],
          ],
        ],
      },
    ),
  },
  { title: 'FaceShadeSource', description: 'A building that stands between this face and the sun on one day.' },
);

const FaceShade = Type.Object(
  {
    date: Day,
    shaded_hours: Quantity(
      '`unshaded_hours` less `direct_sun_hours`: the sun is before the wall, but hidden.',
      2.4,
      0,
      24,
    ),
    sources: Type.Array(FaceShadeSource, {
      maxItems: 10,
      description: 'The ten buildings that hide it longest, the worst first.',
    }),
    other_hours: Quantity('The same of all others.', 0, 0, 24),
  },
  { title: 'FaceShade', description: 'Who takes the sun from a face on one day, and when.' },
);

const Receptor = Type.Object(
  {
    receptor: Whole('Its number on this face, from 1.', 1, 1, 8),
    lat: Latitude,
    lon: Longitude,
    wall_azimuth_deg: WallAzimuth,
    ...monthsAndDays(
      MonthSunlight,
      Type.Object({ date: Day, ...DAY_MEMBERS }, { title: 'ReceptorDay', description: 'Its sun on one day.' }),
    ),
  },
  { title: 'Receptor', description: 'One measuring point, 5 cm in front of the wall.' },
);

const FloorFace = Type.Object(
  {
    ...FACE_MEMBERS,
    receptors: ReceptorCount,
    ...monthsAndDays(FloorMonth, FloorDay),
    ...EXPECTED_MEMBERS,
    shade: orNull(
      Type.Array(FaceShade, {
        maxItems: MOST_DATES,
        description: 'Who takes the sun on the 15th of `month`, or on each day of `date`.',
      }),
      'neither `month` nor `date` was asked for',
    ),
    receptor_details: orNull(
      Type.Array(Receptor, { description: 'The measuring points one by one, to choose the spot of a window.' }),
      '`receptors=true` was not asked for',
    ),
  },
  { title: 'FloorFace', description: 'One face of the building at this floor.' },
);

const source = (example: string) => Text('Where the rule stands.', example);
const isNot = (example: string) =>
  Text('What the assessment is not, and what was taken where the rule leaves a choice.', example);

const WinterSolstice = Type.Object(
  {
    date: Day,
    true_solar_from: Text('Start in true solar time.', '08:00'),
    true_solar_to: Text('End in true solar time.', '16:00'),
    from: Time,
    to: Time,
    faces: Type.Array(
      Type.Object(
        { face: FaceName, direct_sun_hours: Hours, sunlit_windows: Windows },
        { title: 'WinterSolsticeFace', description: 'The sun of one face between `from` and `to`.' },
      ),
      { description: 'The faces of the answer.' },
    ),
    source: source('建築基準法 第56条の2 (hours of the shadow rules)'),
    is_not: isNot('Not a check of the shadow rules.'),
  },
  {
    title: 'WinterSolstice',
    description: 'Direct sun at the winter solstice in the hours that Japanese shadow rules count.',
  },
);

const ExposureDay = (description: string, example: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: [example] });

const SunlightExposure = Type.Object(
  {
    from: ExposureDay('The first of the days that the standard allows.', '2026-02-01'),
    to: ExposureDay('The last of them.', '2026-03-21'),
    minimum_altitude_deg: Quantity('Below this altitude the sun does not count.', 0),
    faces: Type.Array(
      Type.Object(
        {
          face: FaceName,
          date: ExposureDay(
            'The day with most sun: of every fifth from `from` on and `to`, the last of those that tie; of all 49 days where the ' +
              'best of the eleven is less than half an hour below the next level.',
            '2026-02-16',
          ),
          direct_sun_hours: Hours,
          level: oneOf(
            ['none', 'minimum', 'medium', 'high'],
            'The level that these hours reach: `minimum` 1.5 h, `medium` 3 h, `high` 4 h.',
            { examples: ['medium'] },
          ),
        },
        { title: 'SunlightExposureFace', description: 'The level of one face.' },
      ),
      { description: 'The faces of the answer.' },
    ),
    source: source('EN 17037:2018+A1:2021, exposure to sunlight'),
    is_not: isNot('Not a proof under EN 17037.'),
  },
  { title: 'SunlightExposure', description: 'Exposure to sunlight by the levels of EN 17037.' },
);

/** Largest depth of slabs and side walls, metres. */
const DEEPEST_M = 5;
const Depth = (description: string) => Quantity(description, 1.8, 0, DEEPEST_M);

export const BalconyShape = Type.Object(
  {
    overhang_m: Depth('How far the slab above stands out from the wall, metres.'),
    overhang_height_m: Quantity('Its lower edge above the floor, metres.', 3),
    side_m: Depth('How far the side walls stand out, metres.'),
    side_distance_m: Quantity('From the middle of the window to each side wall, metres.', 3),
    setback_m: Depth('How far the window stands behind the wall, metres.'),
  },
  { title: 'Balcony', description: 'What is before each measuring point on its own wall.' },
);

export const BuildingFloor = Type.Object(
  {
    building_id: BuildingId,
    floor: FloorNumber,
    storeys: SUMMARY_MEMBERS.storeys,
    storeys_estimated: SUMMARY_MEMBERS.storeys_estimated,
    assumed: AssumedShape,
    height_m: FloorHeight,
    stand_in: StandIn,
    balcony: orNull(BalconyShape, 'none was asked for: the walls are bare'),
    model_error: ModelError,
    faces: Type.Array(FloorFace, { description: 'The faces that exist, clockwise from north, or the one asked for.' }),
    ...shadingMembers('this floor, all its faces together'),
    assessments: Type.Object(
      { winter_solstice: WinterSolstice, sunlight_exposure: SunlightExposure },
      {
        title: 'Assessments',
        description: 'The floor by rules of the trade, each with its source and what it is not.',
      },
    ),
    method: Method,
  },
  { title: 'BuildingFloor', description: 'Direct sun of one floor of a building.' },
);
export type BuildingFloor = Static<typeof BuildingFloor>;

const floorNumber = { ...FLOOR_PARAMETER, in: 'path', required: true } as const satisfies Parameter;

/** A slab below the height of the eye would hide the whole sky. */
const LOWEST_SLAB_M = 1.6;

/** The balcony above, side walls and a recess. */
export const BALCONY_PARAMETERS = [
  inQuery(
    'overhang',
    Type.Number({ minimum: 0, maximum: DEEPEST_M }),
    'Depth of the balcony above, metres; usually about 1.8 m in Japanese flats. Its width is unlimited.',
    '1.8',
  ),
  inQuery(
    'overhang_height',
    Type.Number({ minimum: LOWEST_SLAB_M, maximum: 20 }),
    'Height of its lower edge above the floor, metres. Default: a storey of the building.',
    '2.4',
  ),
  inQuery('side', Type.Number({ minimum: 0, maximum: DEEPEST_M }), 'Depth of walls at both sides, metres.', '1.8'),
  inQuery(
    'side_distance',
    Type.Number({ minimum: 0.3, maximum: 20 }),
    'From the middle of the window to each side wall, metres. Default: 3.',
    '3',
  ),
  inQuery(
    'setback',
    Type.Number({ minimum: 0, maximum: DEEPEST_M }),
    'How far the window is behind the wall, metres. It counts as a slab above and side walls of that depth.',
    '0.3',
  ),
] as const;

export const INTERVAL_PARAMETER = {
  name: 'interval',
  in: 'query',
  required: false,
  schema: Type.Boolean(),
  default: false,
  description: 'True: also return the interval of the hours within the error of the model.',
  example: 'true',
  moreUnits: 2,
} as const satisfies Parameter;

/** Days of the century whose sun is known, in place of the twelve. */
export const DATE_PARAMETER = {
  name: 'date',
  in: 'query',
  required: false,
  schema: Type.Array(Type.String({ format: 'date', pattern: '^20\\d{2}-\\d{2}-\\d{2}$' }), {
    minItems: 1,
    maxItems: MOST_DATES,
  }),
  rule: {
    name: 'years',
    says: `at most ${MOST_DATES} days from 2000-01-01 to 2099-12-31, with commas between them`,
    holds: (dates) => dates.split(',').every((date) => date.startsWith('20')),
  },
  description: 'These days instead of the twelve, for example the 15th and the solstices.',
  example: '2026-06-21,2026-12-15,2026-12-22',
} as const satisfies Parameter;

export const sunlightBuildingFloor = {
  id: 'sunlight-building-floor',
  path: '/api/v1/sunlight/building/{building_id}/floor/{floor}',
  section: 'sunlight',
  summary: 'Sunlight of any floor of a building, computed on demand',
  description:
    'For every face the hours, windows and share of receptors in the sun at any floor, for the twelve days of the ' +
    'reference year or for chosen days, what shades it and when, and a comparison with rules of the profession. First, middle ' +
    'and top floor equal those of the full answer. A floor above the top answers 404. Provisional.',
  parameters: [
    buildingId,
    floorNumber,
    inQuery('face', FaceName, 'Only this face, or the nearest face within 67.5° (then `stand_in` is set).', '$face'),
    ...ASSUMED_PARAMETERS,
    DATE_PARAMETER,
    inQuery(
      'month',
      Month,
      'The month for which `shade` says which buildings shade each face, and when. All months stay listed.',
      '12',
    ),
    ...BALCONY_PARAMETERS,
    {
      name: 'receptors',
      in: 'query',
      required: false,
      schema: Type.Boolean(),
      default: false,
      description: 'True: also return each measuring point with its place, wall, hours and windows.',
      example: 'true',
    },
    INTERVAL_PARAMETER,
  ],
  costUnits: 3,
  isComputed: true,
  answer: { form: 'envelope', data: BuildingFloor },
  tool: {
    name: 'building_sun',
    without: [
      'receptors',
      'interval',
      'storeys',
      'height_m',
      'overhang',
      'overhang_height',
      'side',
      'side_distance',
      'setback',
    ],
    leaveOut: [
      ...['wall_length_m', 'receptors', 'receptor_details', 'lit_share', 'shade_share', 'assessments'],
      ...['balcony', 'balcony_hours'],
    ],
  },
} as const satisfies Operation;
