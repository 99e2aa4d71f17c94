import {
  ARRAY,
  BLOB,
  DOUBLE,
  DuckDBArrayValue,
  DuckDBBlobValue,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { QUALITY, QUALITY_NAMES, type QualityName } from '../contract/kaigo-quality.ts';
import type { ComparisonRow } from '../contract/operations/kaigo-municipality.ts';
import { type AnswerContext, rowAnswer, serviceAnswer, type UncomparedService } from '../dataset/kaigo-answer.ts';
import { type ParquetColumn, writeParquet } from '../formats/parquet.ts';
import type { Facility, FacilityService } from '../kaigo/facility.ts';
import { fileMetadata, pointMetadata, pointWkb } from './geoparquet.ts';

/** The metadata of the bulk file of a prefecture, under the key `hidamari`. */
interface KaigoBulkCredit {
  license: string;
  attribution: string;
  /** Day on which the fee table of the estimates came into force. */
  price_list: string;
}

/** A facility and one of its services: as stored (`stored`), in the answer about the facility, and in comparisons. */
interface Row {
  facility: Facility;
  stored: FacilityService;
  service: UncomparedService;
  row: ComparisonRow;
}

/**
 * Writes the GeoParquet file of one prefecture: one row for each facility and service, in the order of the facilities.
 * The geometry is the point; null when the position is not trusted.
 * @param context what the answers about costs and comparisons depend on
 * @returns the number of rows
 */
export function writeKaigoBulk(
  path: string,
  facilities: readonly Facility[],
  context: AnswerContext,
  credit: KaigoBulkCredit,
): Promise<number> {
  const positions = facilities.flatMap(({ services }) => services.flatMap(({ position }) => position ?? []));
  const metadata = { geo: pointMetadata(positions), ...fileMetadata(credit, KAIGO_COLUMNS) };
  return writeParquet(path, KAIGO_COLUMNS, rows(facilities, context), metadata);
}

/** A row for each service of each facility. */
function* rows(facilities: readonly Facility[], context: AnswerContext): Generator<Row> {
  for (const facility of facilities) {
    for (const stored of facility.services) {
      const service = serviceAnswer(facility, stored, context);
      yield { facility, stored, service, row: rowAnswer(facility, stored, context) };
    }
  }
}

// Functions that make a column of each type. The description says what null means.

const text = (name: string, description: string, value: (row: Row) => string | null): ParquetColumn<Row> => ({
  name,
  description,
  type: VARCHAR,
  value,
});
const integer = (name: string, description: string, value: (row: Row) => number | null): ParquetColumn<Row> => ({
  name,
  description,
  type: INTEGER,
  value,
});
const decimal = (name: string, description: string, value: (row: Row) => number | null): ParquetColumn<Row> => ({
  name,
  description,
  type: DOUBLE,
  value,
});
/** A column with a cost for each of the five care levels. */
const byCareLevel = (name: string, description: string, figure: 'low' | 'typical' | 'high'): ParquetColumn<Row> => ({
  name,
  description,
  type: ARRAY(INTEGER, 5),
  value: ({ service }): DuckDBValue => {
    const levels = service.cost_estimate.by_care_level;
    return levels === null ? null : new DuckDBArrayValue(levels.map((level) => level[figure]));
  },
});

/** The columns of a quality figure: its value, and its percentiles among the homes of the prefecture and of Japan. */
const qualityColumns = (name: QualityName): ParquetColumn<Row>[] => [
  // The ratio as the service publishes it has the column `users_per_care_staff`, so its quality figure has another name.
  decimal(
    name === 'users_per_care_staff' ? 'quality_users_per_care_staff' : name,
    `${QUALITY[name].description} Null: not known.`,
    ({ row }) => row.quality?.[name]?.value ?? null,
  ),
  ...(['prefecture', 'japan'] as const).flatMap((region) => [
    decimal(
      `${name}_percentile_${region}`,
      'Per cent of the other known values below it; null: fewer than five are known.',
      ({ row }) => row.quality?.[name]?.[region].percentile ?? null,
    ),
    integer(
      `${name}_known_${region}`,
      'Facilities of the service there whose value is known; null: not known here.',
      ({ row }) => row.quality?.[name]?.[region].known ?? null,
    ),
  ]),
];

/** The columns, in order. */
export const KAIGO_COLUMNS: readonly ParquetColumn<Row>[] = [
  text('facility_id', 'Office number, 10 characters.', ({ row }) => row.facility_id),
  text('service_code', 'Service number.', ({ service }) => service.service_code),
  text('service_name', 'Official name of the service.', ({ service }) => service.service_name),
  text('name', 'Name of the office as this service gives it.', ({ row }) => row.name),
  text('name_kana', 'Reading; null: not published.', ({ facility }) => facility.nameKana),
  text('address', 'Address; null: not published.', ({ row }) => row.address),
  text('prefecture_code', 'Prefecture of the facility.', ({ facility }) => facility.prefectureCode),
  text('prefecture', 'Its name.', ({ facility }) => facility.prefecture),
  text(
    'municipality_code',
    'Municipality of this service; null: it cannot be determined.',
    ({ stored }) => stored.municipalityCode,
  ),
  text('municipality', 'Its name; null: it cannot be determined.', ({ stored }) => stored.municipality),
  decimal('lat', 'Latitude of this service, degrees (JGD2011); null: not known or not believed.', ({ row }) => row.lat),
  decimal(
    'lon',
    'Longitude of this service, degrees (JGD2011); null: not known or not believed.',
    ({ row }) => row.lon,
  ),
  text('location', 'Quality of the position: published, suspect, unknown.', ({ facility }) => facility.location),
  text('phone', 'Telephone; null: not published or not readable.', ({ service }) => service.phone),
  text('fax', 'Fax; null: not published or not readable.', ({ service }) => service.fax),
  text('url', 'Web address; null: not published or not readable.', ({ service }) => service.url),
  text('corporate_number', '法人番号; null: not published or wrong.', ({ row }) => row.corporation.corporate_number),
  text('corporation', 'Name of the corporation; null: not published.', ({ row }) => row.corporation.name),
  integer('offices_total', 'Offices of the corporation; null: not known.', ({ row }) => row.corporation.offices_total),
  integer(
    'offices_in_prefecture',
    'Of these in the prefecture; null: not known.',
    ({ row }) => row.corporation.offices_in_prefecture,
  ),
  integer('capacity', 'Places; null: not known.', ({ row }) => row.capacity),
  decimal('users', 'Users; null: not known.', ({ row }) => row.users),
  decimal('occupancy', 'Users for each place; null: not known.', ({ service }) => service.occupancy),
  integer('waiting', 'People on the waiting list; null: not known.', ({ service }) => service.waiting),
  text('opened_on', 'Day of opening, YYYY-MM-DD; null: not known.', ({ row }) => row.opened_on),
  integer('rooms_private', 'Private rooms; null: not known.', ({ row }) => row.rooms?.private ?? null),
  integer('rooms_shared', 'Shared rooms; null: not known.', ({ row }) => row.rooms?.shared ?? null),
  integer('rooms_shared_beds', 'Beds in shared rooms; null: not known.', ({ row }) => row.rooms?.shared_beds ?? null),
  text('rooms_kind', 'unit, conventional; null: not known.', ({ row }) => row.rooms?.kind ?? null),
  decimal('staff_total', 'All staff; null: not known.', ({ row }) => row.staffing?.staff_total ?? null),
  decimal('care_staff', 'Care staff; null: not known.', ({ row }) => row.staffing?.care_staff ?? null),
  decimal('nurses', 'Nurses; null: not known.', ({ row }) => row.staffing?.nurses ?? null),
  decimal(
    'users_per_care_staff',
    'Users for each of the care staff; null: not known.',
    ({ row }) => row.staffing?.users_per_care_staff ?? null,
  ),
  text('staff_basis', 'head_count, fte; null: no staff known.', ({ row }) => row.staffing?.basis ?? null),
  text(
    'users_from',
    'What stands for the users in the ratio: users, capacity, estimated_capacity; null: no ratio.',
    ({ row }) => row.staffing?.users_from ?? null,
  ),
  text(
    'staff_shared_with',
    'Offices of the same site that publish the same staff, separated by spaces: the ratio is that of all; null: its own.',
    ({ row }) => row.staffing?.shared_with?.join(' ') ?? null,
  ),
  ...QUALITY_NAMES.flatMap(qualityColumns),
  integer(
    'cost_low_yen',
    'What a resident of care level 3 pays for 30 days at 10 % copayment, lowest; null: see cost_reason.',
    ({ row }) => row.cost_estimate.monthly_yen?.low ?? null,
  ),
  integer(
    'cost_typical_yen',
    'The same, with the additions that most facilities have.',
    ({ row }) => row.cost_estimate.monthly_yen?.typical ?? null,
  ),
  integer('cost_high_yen', 'The same, highest.', ({ row }) => row.cost_estimate.monthly_yen?.high ?? null),
  byCareLevel('cost_low_yen_by_care_level', 'Lowest, care levels 1 to 5; null: see cost_reason.', 'low'),
  byCareLevel('cost_typical_yen_by_care_level', 'Typical, care levels 1 to 5; null: see cost_reason.', 'typical'),
  byCareLevel('cost_high_yen_by_care_level', 'Highest, care levels 1 to 5; null: see cost_reason.', 'high'),
  text(
    'cost_room',
    'The kind of room of the figures, the one that most residents have; null: it makes no difference or is not known.',
    ({ row }) => row.cost_estimate.room,
  ),
  text(
    'cost_basis',
    'Where food and room come from; null: see cost_reason.',
    ({ row }) => row.cost_estimate.basis?.bill ?? null,
  ),
  text(
    'cost_basis_food',
    'published, standard, standard_refused; null: not in the figure.',
    ({ row }) => row.cost_estimate.basis?.food ?? null,
  ),
  text('cost_basis_room', 'The same of the room.', ({ row }) => row.cost_estimate.basis?.room ?? null),
  integer(
    'cost_treatment_permille',
    'Treatment improvement rate in cost_typical_yen, per thousand; null: none known.',
    ({ row }) => row.cost_estimate.treatment_permille,
  ),
  text('area_grade', 'Area grade, 1 to 7 and other.', ({ row }) => row.cost_estimate.area_grade),
  text(
    'area_grade_from',
    'notice; assumed: the notice does not name the municipality.',
    ({ row }) => row.cost_estimate.area_grade_from,
  ),
  text('cost_confidence', 'confirmed, unconfirmed; null: see cost_reason.', ({ row }) => row.cost_estimate.confidence),
  text('cost_excludes', 'What the figure leaves out, separated by spaces.', ({ row }) =>
    row.cost_estimate.excludes.join(' '),
  ),
  text('cost_reason', 'Why there is no figure; null: there is one.', ({ row }) => row.cost_estimate.reason),
  {
    name: 'geometry',
    description: 'WKB Point, longitude and latitude in degrees (JGD2011); null: not known or not believed.',
    type: BLOB,
    value: ({ row: { lat, lon } }) => (lat === null || lon === null ? null : new DuckDBBlobValue(pointWkb(lat, lon))),
  },
];
