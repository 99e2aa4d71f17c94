import { BLOB, DuckDBBlobValue, DuckDBListValue, type DuckDBType, type DuckDBValue, LIST } from '@duckdb/node-api';
import type { Static, TSchema } from 'typebox';
import { QUALITY_NAMES, type QualityName } from '../contract/kaigo-quality.ts';
import { Facility as FacilityAnswer } from '../contract/operations/kaigo-facility.ts';
import { describe, isNullable, Type, valueKeywords } from '../contract/schema.ts';
import { type AnswerContext, facilityAnswer, prefectureOfService } from '../dataset/kaigo-answer.ts';
import { type ParquetColumn, writeParquet } from '../formats/parquet.ts';
import type { Facility } from '../kaigo/facility.ts';
import { PREFECTURES } from '../kaigo/municipality-codes.ts';
import { fileMetadata, pointMetadata, pointWkb } from './geoparquet.ts';
import { columnType } from './schema-column.ts';

/** The metadata of the bulk file of a prefecture, under the key `hidamari`. */
interface KaigoBulkCredit {
  license: string;
  attribution: string;
  /** Day on which the fee table of the estimates came into force. */
  price_list: string;
}

const { services, municipality_code, municipality, ...ofFacility } = FacilityAnswer.properties;

/** A row: the answer about a facility with one of its services. */
const Row = Type.Object({
  ...ofFacility,
  municipality_code: {
    ...municipality_code,
    description: 'Municipality of this service. Null: it cannot be determined.',
  },
  municipality: { ...municipality, description: 'Its name. Null: it cannot be determined.' },
  service: services.items,
});
type Row = Static<typeof Row>;

/**
 * Writes the GeoParquet file of one prefecture: one row for each facility and service there, in the order of the
 * facilities. The geometry is the point; null when the position is not trusted.
 * @param facilities may have services in other prefectures, which are left out
 * @param context what the answers about costs and comparisons depend on
 * @returns the number of rows
 */
export function writeKaigoBulk(
  path: string,
  prefectureCode: string,
  facilities: readonly Facility[],
  context: AnswerContext,
  credit: KaigoBulkCredit,
): Promise<number> {
  const positions = facilities.flatMap((facility) =>
    facility.services.flatMap((service) =>
      prefectureOfService(facility, service) === prefectureCode ? (service.position ?? []) : [],
    ),
  );
  const metadata = { geo: pointMetadata(positions), ...fileMetadata(credit, KAIGO_COLUMNS) };
  return writeParquet(path, KAIGO_COLUMNS, rows(prefectureCode, facilities, context), metadata);
}

/** A row for each service of each facility in a prefecture. */
function* rows(prefectureCode: string, facilities: readonly Facility[], context: AnswerContext): Generator<Row> {
  // `!`: the code of a service counts only if it begins with that of a prefecture.
  const ofPrefecture = { prefecture_code: prefectureCode, prefecture: PREFECTURES.get(prefectureCode)! };
  for (const facility of facilities) {
    const { services, ...answer } = facilityAnswer(facility, context);
    for (const [i, service] of services.entries()) {
      const listed = facility.services[i];
      if (prefectureOfService(facility, listed) !== prefectureCode) continue;
      const { municipalityCode, municipality } = listed;
      yield { ...answer, ...ofPrefecture, municipality_code: municipalityCode, municipality, service };
    }
  }
}

/**
 * The column of a member of a row. Its type is that of the contract. So is its description. Where the member itself
 * cannot be null, the descriptions of the members around it come first, from the nearest that can: it says what null
 * means.
 * @param path the names of the members around it and its own
 */
function column(path: string, name = path.slice(path.lastIndexOf('.') + 1)): ParquetColumn<Row> {
  const names = path.split('.');
  const { type, schemas } = memberOf(Row, names);
  const nearestNullable = schemas.findIndex(isNullable);
  const descriptions = schemas
    .slice(0, Math.max(nearestNullable, 0) + 1)
    .reverse()
    .map(describe);
  if (valueKeywords(schemas[0]).type === 'array') descriptions.push('Several are separated by spaces.');
  return { name, description: descriptions.join(' '), type, value: (row) => valueIn(row, names) };
}

/**
 * The column type of the member at a path in a value. `schemas`: that of the member, those around it, and at last that
 * of the value.
 */
function memberOf(schema: TSchema, [name, ...rest]: readonly string[]): { type: DuckDBType; schemas: TSchema[] } {
  if (name === undefined) return { type: columnType(schema), schemas: [schema] };
  const { properties, items } = valueKeywords(schema);
  // In a list of objects the column has the member of each.
  const member =
    properties === undefined ? memberOf(items as TSchema, [name, ...rest]) : memberOf(properties[name], rest);
  return {
    type: properties === undefined ? LIST(member.type) : member.type,
    schemas: [...member.schemas, schema],
  };
}

/**
 * The member at a path in a value, as a column has it. A list on the way, of objects, becomes a list of their members;
 * a list at the end of the path becomes a text. Null on the way is null.
 * @param at index of the next name of the path
 */
function valueIn(value: unknown, path: readonly string[], at = 0): DuckDBValue {
  const isAtEnd = at === path.length;
  if (Array.isArray(value))
    return isAtEnd ? value.join(' ') : new DuckDBListValue(value.map((item) => valueIn(item, path, at)));
  if (value === null || isAtEnd) return value as DuckDBValue;
  return valueIn((value as Record<string, unknown>)[path[at]], path, at + 1);
}

/** The columns of a quality figure: its value, and its percentiles among the homes of the prefecture and of Japan. */
function qualityColumns(name: QualityName): ParquetColumn<Row>[] {
  const path = `service.quality.${name}`;
  return [
    // The ratio as the service publishes it has the column `users_per_care_staff`, so its quality figure has another name.
    column(`${path}.value`, name === 'users_per_care_staff' ? 'quality_users_per_care_staff' : name),
    ...['prefecture', 'japan'].flatMap((region) => [
      column(`${path}.${region}.percentile`, `${name}_percentile_${region}`),
      column(`${path}.${region}.known`, `${name}_known_${region}`),
    ]),
  ];
}

const COST = 'service.cost_estimate';

/** The columns, in order. */
export const KAIGO_COLUMNS: readonly ParquetColumn<Row>[] = [
  column('facility_id'),
  column('service.service_code'),
  column('service.service_name'),
  column('service.name'),
  column('name_kana'),
  column('service.address'),
  column('prefecture_code'),
  column('prefecture'),
  column('municipality_code'),
  column('municipality'),
  column('service.lat'),
  column('service.lon'),
  column('location'),
  column('service.phone'),
  column('service.fax'),
  column('service.url'),
  column('corporation.corporate_number'),
  column('corporation.name', 'corporation'),
  column('corporation.offices_total'),
  column('corporation.offices_in_prefecture'),
  column('service.capacity'),
  column('service.users'),
  column('service.occupancy'),
  column('service.waiting'),
  column('service.opened_on'),
  column('service.rooms.private', 'rooms_private'),
  column('service.rooms.shared', 'rooms_shared'),
  column('service.rooms.shared_beds', 'rooms_shared_beds'),
  column('service.rooms.kind', 'rooms_kind'),
  column('service.staffing.staff_total'),
  column('service.staffing.care_staff'),
  column('service.staffing.nurses'),
  column('service.staffing.users_per_care_staff'),
  column('service.staffing.basis', 'staff_basis'),
  column('service.staffing.users_from'),
  column('service.staffing.shared_with', 'staff_shared_with'),
  ...QUALITY_NAMES.flatMap(qualityColumns),
  column(`${COST}.monthly_yen.low`, 'cost_low_yen'),
  column(`${COST}.monthly_yen.typical`, 'cost_typical_yen'),
  column(`${COST}.monthly_yen.high`, 'cost_high_yen'),
  column(`${COST}.by_care_level.low`, 'cost_low_yen_by_care_level'),
  column(`${COST}.by_care_level.typical`, 'cost_typical_yen_by_care_level'),
  column(`${COST}.by_care_level.high`, 'cost_high_yen_by_care_level'),
  column(`${COST}.room`, 'cost_room'),
  column(`${COST}.basis.bill`, 'cost_basis'),
  column(`${COST}.basis.food`, 'cost_basis_food'),
  column(`${COST}.basis.room`, 'cost_basis_room'),
  column(`${COST}.treatment_permille`, 'cost_treatment_permille'),
  column(`${COST}.area_grade`),
  column(`${COST}.area_grade_from`),
  column(`${COST}.confidence`, 'cost_confidence'),
  column(`${COST}.excludes`, 'cost_excludes'),
  column(`${COST}.reason`, 'cost_reason'),
  {
    name: 'geometry',
    description: 'WKB Point, longitude and latitude in degrees (JGD2011); null: not known or not believed.',
    type: BLOB,
    value: ({ service: { lat, lon } }) =>
      lat === null || lon === null ? null : new DuckDBBlobValue(pointWkb(lat, lon)),
  },
];
