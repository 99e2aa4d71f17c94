import Type, { type Static } from 'typebox';
import { count, Latitude, Longitude, oneOf, openEnum, orNull } from './fields.ts';
import { BuildingId, TownCode, WardCode } from './identifiers.ts';

const USAGES = [
  'house',
  'apartment',
  'house_with_shop',
  'apartment_with_shop',
  'house_with_workshop',
  'office',
  'commercial',
  'hotel',
  'commercial_complex',
  'government',
  'education_welfare',
  'transport_warehouse',
  'factory',
  'agriculture',
  'utility',
  'defence',
  'other',
  'unknown',
] as const;

const FaceName = oneOf(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'], 'The compass direction that the wall looks to.', {
  examples: ['S'],
});
const Azimuth = Type.Number({
  minimum: 0,
  maximum: 360,
  description: 'Degrees clockwise from true north.',
  examples: [181.4],
});
const Hours = Type.Number({ minimum: 0, maximum: 24, description: 'Hours a day.', examples: [3.25] });

const FaceHours = Type.Object(
  { face: FaceName, azimuth_deg: Azimuth, direct_sun_hours: Hours },
  { title: 'FaceHours', description: 'The direct sun of one face.' },
);

const Quality = Type.Object(
  {
    lod: Type.Integer({
      minimum: 0,
      maximum: 2,
      description: 'Level of detail of the model that the shape comes from.',
      examples: [1],
    }),
    height_source: openEnum(['solid', 'measured_height'], 'Where the height comes from.'),
    base_source: openEnum(['solid', 'lod0', 'assumed_zero'], 'Where the height of the ground comes from.'),
  },
  { title: 'Quality', description: 'What the shape of the building rests on.' },
);

/** The members that every listing of buildings shares, in the order of the answer. */
const SUMMARY_MEMBERS = {
  building_id: BuildingId,
  ward_code: Type.String({
    pattern: '^\\d{5}$',
    description: 'The first five digits of the building ID. It can differ from the ward the building stands in.',
    examples: ['13101'],
  }),
  town_code: orNull(TownCode, 'the building stands in no known town'),
  town_name: orNull(
    Type.String({ description: 'Name of the town.', examples: ['丸の内一丁目'] }),
    'the building stands in no known town',
  ),
  lat: Latitude,
  lon: Longitude,
  usage: orNull(
    openEnum(USAGES, 'What the building is used for. `unknown` is a published value too.', { examples: ['office'] }),
    'not published, or a code that is not in the list',
  ),
  usage_code: orNull(
    Type.String({ description: 'Code of the usage as published.', examples: ['401'] }),
    'not published',
  ),
  measured_height_m: orNull(
    Type.Number({ minimum: 0, description: 'Height in metres as measured.', examples: [23.4] }),
    'not known',
  ),
  storeys: Type.Integer({ minimum: 1, description: 'Storeys above ground.', examples: [7] }),
  storeys_estimated: Type.Boolean({
    description: 'True when the storeys are not published but estimated at 3 m each.',
    examples: [false],
  }),
  december_top_best: orNull(
    FaceHours,
    'the building has no walls',
    'The face with most sun at the top floor on 15 December.',
  ),
  december_first_south: orNull(
    FaceHours,
    'the building has no walls',
    'The face nearest to due south at the first floor on 15 December.',
  ),
  annual_mean_hours: orNull(
    Type.Number({
      minimum: 0,
      maximum: 24,
      description: 'Mean of the twelve days of the year, hours a day, of the best face of the top floor.',
      examples: [4.87],
    }),
    'the building has no walls',
  ),
  quality: Quality,
};

export const BuildingSummary = Type.Object(SUMMARY_MEMBERS, {
  title: 'BuildingSummary',
  description: 'One building in short.',
});
export type BuildingSummary = Static<typeof BuildingSummary>;

const Time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'Time of day, JST.',
  examples: ['09:12'],
});

/** The sun of one month, as it stands in the answer of `full` and of `point`. */
const MonthSunlight = Type.Object(
  {
    month: Type.Integer({
      minimum: 1,
      maximum: 12,
      description: 'The month; its 15th day is computed.',
      examples: [12],
    }),
    direct_sun_hours: Type.Number({
      minimum: 0,
      maximum: 24,
      description: 'Mean over the receptors, hours.',
      examples: [3.25],
    }),
    unshaded_hours: Type.Number({
      minimum: 0,
      maximum: 24,
      description: 'The same with no obstacle but the wall itself, hours.',
      examples: [7.9],
    }),
    sunlit_windows: Type.Array(
      Type.Array(Time, { minItems: 2, maxItems: 2, description: 'Start and end.', examples: [['09:12', '12:27']] }),
      { description: 'The intervals in which at least half of the receptors are lit, to the minute.' },
    ),
  },
  { title: 'MonthSunlight', description: 'Direct sun on the 15th of one month.' },
);
const Months = Type.Array(MonthSunlight, { minItems: 12, maxItems: 12, description: 'January to December.' });

const FloorSunlight = Type.Object(
  {
    floor: Type.Integer({ minimum: 1, description: 'Number of the storey.', examples: [4] }),
    height_m: Type.Number({
      minimum: 0,
      description: 'Height of the receptors above the base of the building, metres.',
      examples: [11.5],
    }),
    months: Months,
  },
  { title: 'FloorSunlight', description: 'One floor of one face.' },
);

const FaceSunlight = Type.Object(
  {
    face: FaceName,
    azimuth_deg: Azimuth,
    wall_length_m: Type.Number({
      minimum: 0,
      description: 'Length of the walls of this face, metres.',
      examples: [14.2],
    }),
    receptors: Type.Integer({ minimum: 1, maximum: 8, description: 'Measuring points on each floor.', examples: [3] }),
    floors: Type.Object(
      { first: FloorSunlight, middle: FloorSunlight, top: FloorSunlight },
      { description: 'The first, the middle and the top floor.' },
    ),
  },
  { title: 'FaceSunlight', description: 'One face of the building. A face without walls is absent.' },
);

const ShadingSource = Type.Object(
  {
    building_id: orNull(BuildingId, 'the building has no published ID'),
    distance_m: Type.Number({ minimum: 0, description: 'Between the two footprints, metres.', examples: [18.3] }),
    azimuth_deg: Azimuth,
    height_m: Type.Number({ minimum: 0, description: 'Height of the source, metres.', examples: [41.2] }),
    blocked_hours: Type.Number({
      minimum: 0,
      maximum: 24,
      description: 'Hours a day that one receptor loses to it, mean of the twelve days.',
      examples: [0.84],
    }),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'Share of all blocked time.', examples: [0.31] }),
  },
  { title: 'ShadingSource', description: 'A building that casts its shadow on this one.' },
);

const Method = Type.Object(
  {
    reference_year: Type.Integer({ description: 'Year of the twelve days.', examples: [2026] }),
    day_of_month: Type.Integer({ description: 'The day of each month that is computed.', examples: [15] }),
    time_zone: Type.String({ description: 'Of every time of day.', examples: ['Asia/Tokyo'] }),
  },
  { title: 'Method', description: 'How the numbers were computed.' },
);

export const BuildingFull = Type.Object(
  {
    ...SUMMARY_MEMBERS,
    faces: Type.Array(FaceSunlight, { description: 'The faces that exist, clockwise from north.' }),
    shading_sources: Type.Array(ShadingSource, {
      maxItems: 5,
      description: 'The five buildings that take most sun from this one, the worst first.',
    }),
    self_shaded_share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of all blocked time that the building's own walls account for; 0 when nothing is blocked.",
      examples: [0.12],
    }),
    method: Method,
  },
  { title: 'BuildingFull', description: 'Everything about one building.' },
);
export type BuildingFull = Static<typeof BuildingFull>;

const NearbyBuilding = Type.Object(
  {
    distance_m: Type.Number({
      minimum: 0,
      description: 'From the point to the footprint, metres; 0 inside it.',
      examples: [12.6],
    }),
    ...SUMMARY_MEMBERS,
  },
  { title: 'NearbyBuilding', description: 'A building in short, and how far it is.' },
);

export const BuildingsNear = Type.Object(
  {
    lat: Latitude,
    lon: Longitude,
    radius_m: Type.Number({ description: 'The radius that was searched, metres.', examples: [100] }),
    count: count('Buildings listed.'),
    truncated: Type.Boolean({ description: 'True when there are more within the radius.', examples: [false] }),
    buildings: Type.Array(NearbyBuilding, { maxItems: 50, description: 'Nearest first, ties by ID.' }),
  },
  { title: 'BuildingsNear', description: 'The buildings around a point.' },
);
export type BuildingsNear = Static<typeof BuildingsNear>;

const TOWN_MEMBERS = {
  town_code: TownCode,
  name: orNull(Type.String({ description: 'Name of the town.', examples: ['丸の内一丁目'] }), 'the census gives none'),
  reading: orNull(Type.String({ description: 'Reading in hiragana.', examples: ['まるのうち1ちょうめ'] }), 'not known'),
  ward_code: WardCode,
};

const Town = Type.Object(
  {
    ...TOWN_MEMBERS,
    ward_name: Type.String({ description: 'Name of the ward.', examples: ['千代田区'] }),
    lat: Latitude,
    lon: Longitude,
  },
  { title: 'Town', description: 'A town area of the census.' },
);

export const TownBuildings = Type.Object(
  {
    town: Town,
    total: count('Buildings of the town.'),
    page: Type.Integer({ minimum: 1, description: 'This page.', examples: [1] }),
    page_size: Type.Integer({ minimum: 1, description: 'Buildings on a full page.', examples: [100] }),
    page_count: Type.Integer({
      minimum: 1,
      description: 'Number of pages; 1 for a town without buildings.',
      examples: [1],
    }),
    buildings: Type.Array(BuildingSummary, { maxItems: 100, description: 'In order of ID.' }),
  },
  { title: 'TownBuildings', description: 'One page of the buildings of a town.' },
);
export type TownBuildings = Static<typeof TownBuildings>;

export const PointSunlight = Type.Object(
  {
    lat: Latitude,
    lon: Longitude,
    height_m: Type.Number({ description: 'Metres above ground.', examples: [10] }),
    months: Months,
    method: Method,
  },
  { title: 'PointSunlight', description: 'Direct sun at one free point.' },
);
export type PointSunlight = Static<typeof PointSunlight>;

export const TownList = Type.Array(
  Type.Object({ ...TOWN_MEMBERS, lat: Latitude, lon: Longitude }, { title: 'TownEntry', description: 'A town area.' }),
  { title: 'TownList', description: 'Every town area, in order of code.' },
);
export type TownList = Static<typeof TownList>;
