import type { Static } from 'typebox';
import { FacilityId, SERVICE_CODES } from './identifiers.ts';
import { CostEstimate } from './kaigo-cost.ts';
import { Quality } from './kaigo-quality.ts';
import { count, Latitude, Longitude, oneOf, openEnum, orNull, Quantity, Text, Type } from './schema.ts';

/** Kinds of days in the published lists. */
export const OPEN_DAYS = ['weekday', 'saturday', 'sunday', 'holiday'] as const;

/** A service code as a parameter. */
export const ServiceParameter = oneOf(SERVICE_CODES, 'One of the services.');

export const Rooms = Type.Object(
  {
    private: orNull(count('Private rooms.', 60), 'not known'),
    shared: orNull(count('Shared rooms.', 0), 'not known'),
    shared_beds: orNull(count('Beds in shared rooms.', 0), 'not known'),
    kind: orNull(
      openEnum(
        ['unit', 'conventional'],
        '`unit`: small groups with a living room of their own (ユニット型), beside which shared rooms may be of the old kind; `conventional`: 従来型.',
      ),
      'not known',
    ),
    kind_from: orNull(
      openEnum(['details', 'name'], 'What says the kind: the details, or where they do not, the name of the home.'),
      'the kind is not known',
    ),
  },
  {
    title: 'Rooms',
    description:
      'The rooms of one service, as published; rooms of a short stay in the same house may be counted with them.',
  },
);
export type Rooms = Static<typeof Rooms>;

export const Staff = (description: string, example: number) =>
  orNull(Type.Number({ minimum: 0, description, examples: [example] }), 'not known');

export const Staffing = Type.Object(
  {
    staff_total: Staff('All staff.', 64),
    care_staff: Staff('Care staff.', 35),
    nurses: Staff('Nurses.', 7),
    users_per_care_staff: Staff('Users for each of the care staff: lower is better staffed.', 1.71),
    basis: openEnum(
      ['head_count', 'fte'],
      'How staff were counted: heads or full-time equivalents. Compare only like with like.',
    ),
    users_from: orNull(
      openEnum(['users', 'capacity', 'estimated_capacity'], 'What stands for the users in the ratio.'),
      'there is no ratio',
    ),
    shared_with: orNull(
      Type.Array(FacilityId, {
        description:
          'Offices of the same corporation on the same site that publish the same head counts: the staff is that of all of them, and so is the ratio.',
      }),
      'the staff is its own',
    ),
  },
  { title: 'Staffing', description: 'The staff of one service.' },
);

/** Members that every reference to a corporation has. */
export const CORPORATION_MEMBERS = {
  corporate_number: orNull(
    Type.String({
      pattern: '^\\d{13}$',
      description: '法人番号, its check digit verified.',
      examples: ['4999990000005'],
    }),
    'not published, or its check digit is wrong',
  ),
  probable_number: orNull(
    Type.Object(
      {
        number: Type.String({ pattern: '^\\d{13}$', description: '法人番号.', examples: ['4999990000005'] }),
        basis: openEnum(['name'], 'On what it rests.'),
      },
      {
        description:
          'The number of the one corporation of this name, where the office gives none; it counts in no total.',
      },
    ),
    'the number is known, or the name stands for none or several',
  ),
  name: orNull(Text('Name, in the most common spelling.', '社会福祉法人陽だまり会'), 'not published'),
  offices_total: orNull(
    count('Offices of the corporation in the whole data; one with several services counts once.', 12),
    'the number is not known',
  ),
  offices_in_prefecture: orNull(count('Of these in the prefecture of this facility.', 9), 'the number is not known'),
};

export const Corporation = Type.Object(CORPORATION_MEMBERS, {
  title: 'Corporation',
  description: 'Who runs the facility.',
});
export type Corporation = Static<typeof Corporation>;

export const FacilityName = Text('Name.', '特別養護老人ホーム陽だまりの丘');
export const Address = orNull(
  Text('Address, beginning with the prefecture.', '東京都千代田区一番町1-1'),
  'not published',
);
export const positionNull = 'not known or not believed';
export const Opened = orNull(
  Type.String({ format: 'date', description: 'Day of opening.', examples: ['2013-06-01'] }),
  'not known',
);
export const Capacity = orNull(count('Places.', 60), 'not published; 0 in the source means the same');
export const Users = orNull(Quantity('Users.', 58, 0), 'not known');

const Quartiles = Type.Object(
  {
    count: count('Values that are known.', 120),
    lower_quartile: Quantity('A quarter of them are below.', 97000),
    median: Quantity('Half of them are below.', 105000),
    upper_quartile: Quantity('Three quarters of them are below.', 131000),
  },
  { title: 'Quartiles', description: 'Where the values of a service lie.' },
);
export type Quartiles = Static<typeof Quartiles>;

/** The quartiles of a value in the prefecture and in Japan. */
const quartilesOf = (description: string) =>
  Type.Object(
    {
      prefecture: orNull(Quartiles, 'fewer than five values are known', 'In the prefecture.'),
      japan: orNull(Quartiles, 'fewer than five values are known', 'In the whole data.'),
    },
    { description },
  );

export const ComparedWith = Type.Object(
  {
    cost: orNull(
      quartilesOf('Of `monthly_yen.typical`; where rent is asked, of the bills that have it and all else alone.'),
      'the answer is for a case of its own: the figures are of the standard scenario',
    ),
    users_per_care_staff: quartilesOf(
      'Of `users_per_care_staff` where staff are counted by heads (`head_count`); ratios from an estimated capacity are left out.',
    ),
    users_per_care_staff_fte: quartilesOf('The same where staff are counted in full-time equivalents (`fte`).'),
    occupancy: quartilesOf('Of `occupancy`.'),
  },
  { title: 'ComparedWith', description: 'The same service elsewhere, medians and quartiles.' },
);
export type ComparedWith = Static<typeof ComparedWith>;

/** The members of a comparison row, in the order of the answer. */
export const ROW_MEMBERS = {
  facility_id: FacilityId,
  name: FacilityName,
  address: Address,
  lat: orNull(Latitude, positionNull),
  lon: orNull(Longitude, positionNull),
  capacity: Capacity,
  users: Users,
  opened_on: Opened,
  rooms: orNull(Rooms, 'nothing is known of them'),
  staffing: orNull(Staffing, 'nothing is known of it'),
  quality: orNull(Quality, 'none of the figures is known'),
  cost_estimate: CostEstimate,
  corporation: Corporation,
};

/** Members that agents do not get in lists of facilities. With them, a few facilities would fill the answer. */
export const NOT_FOR_AGENTS: readonly string[] = [
  ...['prefecture_code', 'municipality_code', 'name_kana', 'location', 'excludes', 'by_care_level', 'as_published'],
  ...[
    'service_codes',
    'compared_with',
    'around',
    'page_size',
    'parts',
    'reductions',
    'additions',
    'scenario',
    'price_list',
  ],
  ...['quality', 'corporation', 'shared_beds', 'staff_total', 'care_staff', 'nurses', 'users_from'],
];
