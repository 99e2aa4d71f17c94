import type { Static, TSchema, TUnsafe } from 'typebox';
import { ANSWERED, type AnswerGroup, type AnswerMembers, type AttributeKind } from '../building/attributes.ts';
import { DIRECTIONS } from '../geo/compass.ts';
import { BuildingId, TownCode, WardCode } from './identifiers.ts';
import { inPath, inQuery, type Parameter, position } from './parameter.ts';
import { TOKYO } from './place.ts';
import { count, Flag, Latitude, Longitude, oneOf, openEnum, orNull, Quantity, Text, Type, Whole } from './schema.ts';

/** The path parameter with a building ID. */
export const buildingId = inPath('building_id', BuildingId, 'Building ID of the 3D city model.', '$building_id');

/** Parameters of a position. The bounds are those of the 23 wards and their surroundings. */
export const POSITION = position(TOKYO.bounds.south, TOKYO.bounds.north, TOKYO.bounds.west, TOKYO.bounds.east);

export const FaceName = oneOf([...DIRECTIONS], 'The compass direction that the wall looks to.', {
  examples: ['S'],
});
export const Azimuth = Quantity('Degrees clockwise from true north.', 181.4, 0, 360);
/** Members of every face of a building. */
export const FACE_MEMBERS = {
  face: FaceName,
  azimuth_deg: Azimuth,
  wall_length_m: Quantity('Length of the walls of this face, metres.', 14.2, 0),
  headline: Flag(
    'Whether the face counts for `december_top_best`, `december_first_south`, `annual_mean_hours` and the map: its walls ' +
      'are at least 10 m long, or at least 2 m and 5 % of all walls. Where no face is so long, all count.',
    true,
  ),
};
export const Hours = Quantity('Hours a day.', 3.25, 0, 24);

export const FaceHours = Type.Object(
  { face: FaceName, azimuth_deg: Azimuth, direct_sun_hours: Hours },
  { title: 'FaceHours', description: 'The direct sun of one face.' },
);
export type FaceHours = Static<typeof FaceHours>;

const Quality = Type.Object(attributeMembers('quality'), {
  title: 'Quality',
  description: 'What the shape of the building rests on.',
});

/** Members of a building in every list, in the order of the answer. */
export const SUMMARY_MEMBERS = {
  building_id: BuildingId,
  ward_code: Type.String({
    pattern: '^\\d{5}$',
    description:
      'The first five digits of the building ID; if these are the code of a designated city, the ward that the city ' +
      'model states (`uro:city`), if it does. It can differ from the ward the building stands in.',
    examples: ['$ward_code'],
  }),
  town_code: orNull(TownCode, 'the building stands in no known town'),
  town_name: orNull(Text('Name of the town.', '$town_name'), 'the building stands in no known town'),
  lat: Latitude,
  lon: Longitude,
  ...attributeMembers('building'),
  december_top_best: orNull(
    FaceHours,
    'the building has no walls',
    'The face with most sun at the top floor on 15 December, of those that are a headline face.',
    { face: 'E', azimuth_deg: 105.3, direct_sun_hours: 0.98 },
  ),
  december_first_south: orNull(
    FaceHours,
    'the building has no walls',
    'The face nearest to due south at the first floor on 15 December, of those that are a headline face.',
    { face: 'S', azimuth_deg: 198, direct_sun_hours: 0.54 },
  ),
  annual_mean_hours: orNull(
    Quantity(
      'Mean of the twelve days of the year, hours a day, of the best headline face of the top floor.',
      3.19,
      0,
      24,
    ),
    'the building has no walls',
  ),
  quality: Quality,
};

export const BuildingSummary = Type.Object(SUMMARY_MEMBERS, {
  title: 'BuildingSummary',
  description: 'One building in short.',
});
export type BuildingSummary = Static<typeof BuildingSummary>;

/** True when the height of a building is unknown: the city model has a box of 3 m in its place. */
export const isHeightUnknown = ({ quality }: { quality: Partial<BuildingSummary['quality']> }): boolean =>
  quality.height_method === 'placeholder' && quality.height_source === 'solid';

export const Time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'Time of day, JST.',
  examples: ['09:12'],
});

export const Windows = Type.Array(
  Type.Array(Time, { minItems: 2, maxItems: 2, description: 'Start and end.', examples: [['09:12', '12:27']] }),
  { description: 'The intervals in which at least half of the receptors are lit, to the minute.' },
);

/** A day as a parameter. */
export const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'The day, JST.',
  examples: ['2026-12-22'],
});

/** The sun of one day. */
export const DAY_MEMBERS = {
  direct_sun_hours: Quantity('Mean over the receptors, hours.', 3.25, 0, 24),
  unshaded_hours: Quantity('The same with no obstacle but the wall itself, hours.', 7.9, 0, 24),
  sunlit_windows: Windows,
};

/** The expected hours of sun in the weather of a normal year. */
export const ExpectedHours = orNull(
  Quantity(
    'Hours of sunshine a day that the weather of a normal year leaves of `direct_sun_hours`: a mean of the days of the month.',
    1.9,
    0,
    24,
  ),
  'the dataset has no normals for the place, or one day was asked for',
);

/** The expected hours of the year, and how they were found. */
export const EXPECTED_MEMBERS = {
  expected_year_hours: orNull(
    count('Hours of sunshine in a normal year.', 812),
    'the dataset has no normals for the place, or one day was asked for',
  ),
  expected_by_hour: orNull(
    Flag(
      'True: the chance of sunshine follows the hour of the day. False: it is the same all day, because the dataset has no shares by hour.',
      false,
    ),
    'there are no expected hours',
  ),
};

/** A month, represented by one day. */
export const Month = Whole('The month; its 15th day is computed.', 12, 1, 12);

/** The sun of one month, in the answers of `full` and `point`. */
export const MonthSunlight = Type.Object(
  { month: Month, ...DAY_MEMBERS },
  { title: 'MonthSunlight', description: 'Direct sun on the 15th of one month.' },
);
export type MonthSunlight = Static<typeof MonthSunlight>;

export const Months = Type.Array(MonthSunlight, { minItems: 12, maxItems: 12, description: 'January to December.' });

export const Method = Type.Object(
  {
    reference_year: Type.Integer({ description: 'Year of the twelve days.', examples: [2026] }),
    day_of_month: Type.Integer({ description: 'The day of each month that is computed.', examples: [15] }),
    time_zone: Text('Of every time of day.', 'Asia/Tokyo'),
  },
  { title: 'Method', description: 'How the numbers were computed.' },
);
export type Method = Static<typeof Method>;

export const TOWN_MEMBERS = {
  town_code: TownCode,
  name: orNull(Text('Name of the town.', '$town_name'), 'the census gives none'),
  reading: orNull(Text('Reading in hiragana.', '$town_reading'), 'not known'),
  ward_code: WardCode,
};

/** Members of a building or of the terrain that shades. */
export const SOURCE_MEMBERS = {
  kind: Type.Union([Type.Literal('building'), Type.Literal('terrain')], {
    description: '`terrain`: the ground all around, as one source.',
    examples: ['building'],
  }),
  building_id: orNull(BuildingId, 'the building has no published ID, or the source is the terrain'),
  distance_m: orNull(Quantity('Between the two footprints, metres.', 18.3, 0), 'the source is the terrain'),
  azimuth_deg: Quantity(
    'Direction from the representative point of this building (its `lat` and `lon`) to that of the source, degrees ' +
      'clockwise from true north; of the terrain the mean direction in which it hides the sun.',
    181.4,
    0,
    360,
  ),
  height_m: orNull(Quantity('Height of the source, metres.', 41.2, 0), 'the source is the terrain'),
};

const ShadingSource = Type.Object(
  {
    ...SOURCE_MEMBERS,
    blocked_hours: Quantity('Hours a day that one receptor loses to it, mean of the twelve days.', 0.84, 0, 24),
    share: Quantity('Share of all blocked time.', 0.31, 0, 1),
  },
  { title: 'ShadingSource', description: 'A building, or the terrain, that casts its shadow on this one.' },
);

/**
 * Members about what shades a building or a floor.
 * @param shaded what is shaded, for the descriptions
 */
export const shadingMembers = (shaded: string) => ({
  shading_sources: Type.Array(ShadingSource, {
    maxItems: 5,
    description: `The five buildings that take most sun from ${shaded}, the worst first; the terrain counts as one.`,
  }),
  self_shaded_share: Quantity(
    "Share of all blocked time that the building's own walls account for; 0 when nothing is blocked.",
    0.12,
    0,
    1,
  ),
});

/** Number of a storey, from 1. */
export const FloorNumber = Whole('Number of the storey.', 3, 1);

/** Most storeys of a building in a dataset. */
export const MOST_STOREYS = 1000;

/** The floor parameter. */
export const FLOOR_PARAMETER = {
  name: 'floor',
  schema: Type.Integer({ minimum: 1 }),
  description: 'Number of the storey, 1 to the storeys of the building.',
  example: '1',
} as const;

/** Parameters for what a user knows about a building better than the model does. */
export const ASSUMED_PARAMETERS = [
  inQuery(
    'storeys',
    Type.Integer({ minimum: 1, maximum: 200 }),
    'Storeys of the building, if you know them better than the model. They determine the floors.',
    '12',
  ),
  inQuery(
    'height_m',
    Type.Number({ minimum: 2, maximum: 1000 }),
    'Height of the building, metres, if you know it better than the model. It determines its walls and floors, and its ' +
      'storeys when the model only estimates them. Its shadow on other buildings stays as published.',
    '38.5',
  ),
] as const satisfies Parameter[];

/** The assumptions about a building, from the request. */
export const AssumedShape = orNull(
  Type.Object(
    {
      storeys: orNull(FloorNumber, 'not given', 'As `storeys` gave it.'),
      height_m: orNull(Quantity('As `height_m` gave it, metres.', 38.5, 0), 'not given'),
    },
    { title: 'AssumedShape', description: 'Storeys and height that the request gave in place of the model.' },
  ),
  'the request gave neither',
);

/** The face that replaces the requested one. */
export const StandIn = orNull(
  Type.Object(
    {
      asked_face: FaceName,
      face: FaceName,
      azimuth_deg: Azimuth,
      off_deg: Quantity('How far it looks away from the direction that was asked for, degrees.', 20, 0, 67.5),
    },
    {
      title: 'StandIn',
      description: 'The building has no face in the direction that was asked for: this one looks nearest to it.',
    },
  ),
  'the face is the one that was asked for, or none was',
);

/** Height of the receptors of a floor. */
export const FloorHeight = Quantity('Height of the receptors above the base of the building, metres.', 21.2, 0);

/** Number of receptors of a face on one floor. */
export const ReceptorCount = Whole('Measuring points of the face on one floor.', 3, 1, 8);

/** Direction of the wall of a receptor. */
export const WallAzimuth = Quantity(
  'Direction of the wall in front of which it is, degrees clockwise from true north.',
  181.4,
  0,
  360,
);

/** Lower limits of the classes of the colour scale, hours of direct sun a day. */
export const HOURS_CLASSES = [0, 1, 2, 3, 4, 5, 6, 8] as const;

/** The class of hours a day, from 0. */
export const hoursClass = (hours: number): number => HOURS_CLASSES.findLastIndex((lowest) => hours >= lowest);

type Members<Group extends AnswerGroup> = {
  [Name in keyof AnswerMembers<Group>]: TUnsafe<AnswerMembers<Group>[Name]>;
};

/** The members of an answer that are attributes of a building, in the order of the attribute table. */
function attributeMembers<Group extends AnswerGroup>(group: Group): Members<Group> {
  const members: Record<string, TSchema> = {};
  for (const row of ANSWERED) {
    const { name, description, unknown, example } = row.answer;
    if (row.answer.group !== group) continue;
    // A code may have a second member with its name.
    if (row.kind === 'code' && row.named !== undefined) {
      const { values, ...nameMember } = row.named;
      const exampleName = values.find(({ code }) => code === example)?.name ?? null;
      const valueNames = values.map((value) => value.name);
      const schema = openEnum<string>(valueNames, nameMember.description, { examples: [exampleName] });
      members[nameMember.name] = orNull(schema, nameMember.unknown);
    }
    const value = valueSchema(row, description, example);
    members[name] = unknown === undefined ? value : orNull(value, unknown);
  }
  return members as Members<Group>;
}

/** The schema of the value of an attribute. */
function valueSchema(row: AttributeKind, description: string, example: unknown): TSchema {
  const examples = example !== undefined && { examples: [example] };
  const options = { description, ...examples };
  switch (row.kind) {
    case 'code':
      return Type.String(options);
    case 'number':
      return Type.Number({ minimum: row.least, ...options });
    case 'count':
      return Type.Integer({ minimum: row.least, ...options });
    case 'choice': {
      const values = row.choices.map(({ value }) => value);
      const numbers = values.filter((value) => typeof value === 'number');
      if (numbers.length > 0) {
        return Type.Integer({ minimum: Math.min(...numbers), maximum: Math.max(...numbers), ...options });
      }
      return values.includes(true)
        ? Type.Boolean(options)
        : openEnum<string>(values.map(String), description, { ...examples });
    }
    case 'date':
      return Type.String({ pattern: '^\\d{4}(-\\d{2}-\\d{2})?$', ...options });
  }
}
