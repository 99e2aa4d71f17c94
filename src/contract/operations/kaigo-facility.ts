import type { Static } from 'typebox';
import { FacilityId, MunicipalityCode, PrefectureCode, ServiceCode } from '../identifiers.ts';
import { CASE_PARAMETERS, CostEstimate, RARE_CASES, RARE_REDUCTIONS, Yen } from '../kaigo-cost.ts';
import {
  Address,
  Capacity,
  CORPORATION_MEMBERS,
  ComparedWith,
  FacilityName,
  OPEN_DAYS,
  Opened,
  positionNull,
  Rooms,
  Staff,
  Staffing,
  Users,
} from '../kaigo-facility.ts';
import { Quality } from '../kaigo-quality.ts';
import type { Operation } from '../operation.ts';
import { inPath } from '../parameter.ts';
import { count, Day, Flag, Latitude, Longitude, openEnum, orNull, Quantity, Text, Type, Whole } from '../schema.ts';

const FacilityCorporation = Type.Object(
  {
    ...CORPORATION_MEMBERS,
    name_variants: Type.Array(Text('Spelling.', '社会福祉法人 陽だまり会'), {
      description: 'Other spellings of its name in the data, the most common first.',
    }),
  },
  { title: 'FacilityCorporation', description: 'Who runs the facility, with every spelling of the name.' },
);

const Phone = orNull(Text('Telephone.', '03-1234-5678'), 'not published or not readable');
const Fax = orNull(Text('Fax.', '03-1234-5679'), 'not published or not readable');
const Url = orNull(Text('Web address.', 'https://hidamari.example/'), 'not published or not readable');

const RegisterEntry = Type.Object(
  {
    kind: openEnum(
      ['serviced_housing', 'paid_home', 'paid_home_with_care'],
      'What the home is by the register: serviced housing (サービス付き高齢者向け住宅), a fee-based home (有料老人ホーム) or one with care (介護付).',
    ),
    number: orNull(Text('Number in the register.', '13ヒ001'), 'it has none'),
    file: Text('File of the register.', 'register.csv'),
    matched_by: orNull(
      openEnum(
        ['number', 'name_and_address', 'name_and_phone'],
        'How the office was found in the register, the surest first.',
      ),
      'no office list has the home: it comes from the register alone',
    ),
  },
  { title: 'RegisterEntry', description: 'Where rent and fees of a register come from.' },
);

/** Members of a service that few publish. Agents get them only where they are known. */
export const SELDOM_PUBLISHED = {
  open_days: orNull(
    Type.Array(openEnum(OPEN_DAYS, 'A kind of day.'), {
      description: 'Days on which the service is open.',
    }),
    'not published',
  ),
  open_days_note: orNull(Text('What is said of the days of opening.', '年末年始を除く'), 'nothing is'),
  shared_care: orNull(
    Flag('Whether people with disabilities use it together with the elderly.', true),
    'not published',
  ),
  care_designation: orNull(Text('Standard of its designation for care, as published.', '通常の指定'), 'not published'),
  disability_designation: orNull(
    Text('Standard of its designation for disability, as published.', '共生型'),
    'not published',
  ),
  vacancies: orNull(count('Free places.', 2), 'not known'),
  vacancies_on: orNull(Day('Day on which the free places were counted.'), 'not known'),
  waiting_on: orNull(Day('Day on which the waiting list was counted.'), 'not known'),
  care_levels: orNull(
    Type.Array(orNull(count('Residents.', 12), 'not known'), {
      minItems: 5,
      maxItems: 5,
      description: 'Residents of care levels 1 to 5.',
    }),
    'not known',
  ),
  minimum_care_level: orNull(Whole('Least care level that is taken in.', 3, 1, 5), 'not known'),
  medical_acceptance: orNull(
    Type.Array(Text('Kind of care, as published.', '経管栄養'), { description: 'Medical care that is accepted.' }),
    'not known',
  ),
  staff_joined: Staff('Staff who came in the last year.', 6),
  staff_left: Staff('Staff who left in the last year.', 4),
  experienced_percent: orNull(
    Quantity('Staff with ten years of experience or more, per cent.', 42.5, 0, 100),
    'not known',
  ),
  inspected_on: orNull(Day('Day of the last inspection.'), 'not known'),
  deposit_yen: orNull(Yen('Deposit or initial payment', 300000), 'not known'),
  ministry_url: orNull(
    Text(
      "Page of the office in the ministry's system; its addresses are not stable.",
      'https://www.kaigokensaku.mhlw.go.jp/',
    ),
    'not known',
  ),
  third_party_evaluation: orNull(Flag('Whether a third party (第三者評価) has evaluated it.', true), 'not known'),
  evaluated_on: orNull(Day('Day of the last evaluation by a third party.'), 'not known'),
  filed_additions: orNull(
    Type.Array(Text('Name of an addition.', '夜勤職員配置加算(Ⅲ)ロ'), {
      description: 'Additions that it has filed (体制等に関する届出), as far as the fee table has them.',
    }),
    'no list of filings has it',
  ),
  register: orNull(RegisterEntry, 'no register has it'),
};

const FacilityService = Type.Object(
  {
    service_code: ServiceCode,
    service_name: Text('Official name of the service.', '介護老人福祉施設'),
    name: { ...FacilityName, description: 'Name of the office as this service gives it.' },
    address: Address,
    lat: orNull(Latitude, positionNull),
    lon: orNull(Longitude, positionNull),
    phone: Phone,
    fax: Fax,
    url: Url,
    capacity: Capacity,
    users: Users,
    occupancy: orNull(Quantity('Users for each place.', 0.967, 0), 'users or capacity are not known'),
    waiting: orNull(count('People on the waiting list.', 134), 'not known'),
    opened_on: Opened,
    ...SELDOM_PUBLISHED,
    rooms: orNull(Rooms, 'nothing is known of them'),
    staffing: orNull(Staffing, 'nothing is known of it'),
    quality: orNull(Quality, 'none of the figures is known'),
    cost_estimate: CostEstimate,
    as_published: Type.Record(Type.String(), {
      description:
        'Values of this service as published where they mean something else: not believed (position, capacity, fees, staff), not ' +
        'readable (phone, url, corporate_number), or differing from the facility (name, address, municipality_code).',
      examples: [{}],
    }),
    compared_with: ComparedWith,
  },
  {
    title: 'FacilityService',
    description:
      'One service of a facility, with its own name, address, position, telephone, fax and web address; where it publishes none, those of the facility.',
  },
);

export type FacilityService = Static<typeof FacilityService>;

const Hazards = Type.Object(
  {
    flood: orNull(
      Type.Object(
        {
          rank: Whole('Depth: 0 outside every zone; 1 to 6 below 0.5, 3, 5, 10, 20 metres, and deeper.', 2, 0, 6),
          from_m: orNull(Quantity('Least depth, metres.', 0.5, 0), 'outside'),
          to_m: orNull(Quantity('Greatest depth, metres.', 3, 0), 'outside, or no end is stated'),
          river: orNull(Text('River.', '荒川'), 'outside, or not stated'),
          scenario: orNull(
            openEnum(
              ['largest', 'planned'],
              '`largest`: the largest flood that is reckoned with (想定最大規模); `planned`: that of the river plan (計画規模).',
            ),
            'outside',
          ),
        },
        { title: 'FloodZone', description: 'Flood zone (洪水浸水想定区域) at the position.' },
      ),
      'no layer covers the place',
    ),
    landslide: orNull(
      Type.Array(
        Type.Object(
          {
            zone: openEnum(['warning', 'special'], '`warning`: 土砂災害警戒区域; `special`: 土砂災害特別警戒区域.'),
            phenomenon: openEnum(['steep_slope', 'debris_flow', 'landslide'], 'What may happen.'),
            designated: Flag('False: planned, not yet designated.', true),
          },
          { title: 'LandslideZone', description: 'A landslide zone at the position.' },
        ),
        { description: 'Landslide zones at the position; empty outside them.' },
      ),
      'no layer covers the place',
    ),
  },
  { title: 'Hazards', description: 'Flood and landslide zones at the position (国土数値情報 A31, A33).' },
);

export const Facility = Type.Object(
  {
    facility_id: FacilityId,
    name: FacilityName,
    name_kana: orNull(Text('Reading, katakana.', 'トクベツヨウゴロウジンホームヒダマリノオカ'), 'not published'),
    address: Address,
    prefecture_code: PrefectureCode,
    prefecture: Text('Name of the prefecture.', '東京都'),
    municipality_code: orNull(MunicipalityCode, 'it cannot be determined'),
    municipality: orNull(Text('Name of the municipality.', '$municipality_name'), 'it cannot be determined'),
    lat: orNull(Latitude, positionNull),
    lon: orNull(Longitude, positionNull),
    location: openEnum(
      ['published', 'suspect', 'unknown'],
      '`suspect`: the published position cannot be right (abroad, more than 60 km from the middle of the municipality, or amid the offices of another municipality or prefecture); `unknown`: there is none.',
    ),
    hazards: orNull(Hazards, 'the dataset has no layers of hazards, or the position is not known'),
    source: openEnum(
      ['ministry', 'register'],
      "`register`: the ministry's lists do not have the home, a register does; its ID is made from that (prefecture, R, seven digits).",
    ),
    phone: Phone,
    fax: Fax,
    url: Url,
    corporation: FacilityCorporation,
    services: Type.Array(FacilityService, { description: 'In order of code.' }),
  },
  { title: 'Facility', description: 'One facility with all its services.' },
);
export type Facility = Static<typeof Facility>;

const facilityId = inPath('facility_id', FacilityId, 'Office number (事業所番号).', '$facility_id');

export const kaigoFacility = {
  id: 'kaigo-facility',
  path: '/api/v1/kaigo/facility/{facility_id}',
  section: 'kaigo',
  summary: 'Everything about one care facility',
  description:
    'Name, address, position, the corporation that runs it and its number of offices, and for each service ' +
    'capacity, users, rooms, staff, year of opening and an estimate of what a resident pays. Null means unknown.',
  parameters: [facilityId, ...CASE_PARAMETERS],
  costUnits: 1,
  answer: { form: 'envelope', data: Facility },
  tool: {
    name: 'care_facility',
    without: [...RARE_CASES],
    leaveOut: [
      ...RARE_CASES,
      ...RARE_REDUCTIONS,
      ...['prefecture_code', 'municipality_code', 'name_kana', 'compared_with', 'fax', 'name_variants', 'as_published'],
      ...['ministry_url', 'shared_care', 'care_designation', 'disability_designation', 'quality'],
    ],
  },
} as const satisfies Operation;
