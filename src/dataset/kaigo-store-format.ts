import type { ROW_FIELDS } from '../contract/operations/kaigo-municipality.ts';
import { type Column, ColumnFileError } from '../formats/column-file.ts';
import type { CostFacts } from '../kaigo/bill.ts';
import type { ComparedPlaces, ComparisonSort } from '../kaigo/comparison.ts';
import type { FeeTable } from '../kaigo/fee-schema.ts';
import { SERVICES } from '../kaigo/services.ts';

/**
 * The serving store of the care half: two files.
 *
 * `kaigo.records` holds JSON texts end to end, each followed by a comma: first the rows of the comparison tables, by
 * municipality, service and office number (those of no municipality are in no table), then the facilities in order of ID. A page of a table takes a few reads of the file
 * and no parsing.
 *
 * `kaigo.index` is a column file with the offsets, the orders and the values for filters:
 *
 * | column | one for each | holds |
 * |---|---|---|
 * | `row_at` | row, and one more | offset in the records |
 * | `table_first`, and one more | table | first number in the orders |
 * | `order_id`, `order_cost`, `order_staff`, `order_opened` | number in the order | row |
 * | `row_service` | row | number of its service in `SERVICES` |
 * | `row_facts` | row | its number in the `facts` of the head |
 * | `row_cost`, `row_cost_group` | row | numbers of its cost in the standard case and of the costs it can be compared with; 0: no figure |
 * | `row_cost_at`, `row_cost_end` | row | where its estimate lies in its JSON |
 * | `row_capacity`, `row_days`, `row_has` | row | capacity (0: not known), days of opening and known fields as bits |
 * | `row_quality` | row | number of its figures of quality from 1; 0: none is known |
 * | `quality` | figure of each of these | its value; NaN: not known |
 * | `service_first`, and one more; `service_row` | facility; service | the rows of its services |
 * | `facility_id` | facility | its ten characters |
 * | `facility_at` | facility, and one more | offset in the records |
 * | `facility_prefecture` | facility | code of its prefecture |
 * | `point_lat`, `point_lon` | place of a facility | degrees; services that lie elsewhere have a place of their own |
 * | `point_facility` | the same | its facility |
 * | `point_services` | the same | bit i: the i-th service lies there |
 * | `point_is_main` | the same | 1: what the facility mainly is lies there |
 * | `point_tree` | | the Flatbush of the points |
 */
export const KAIGO_RECORDS = 'kaigo.records';
export const KAIGO_INDEX = 'kaigo.index';
export const KAIGO_INDEX_KIND = 'kaigo-index';

const COLUMNS = {
  row_at: Float64Array,
  table_first: Uint32Array,
  order_id: Uint32Array,
  order_cost: Uint32Array,
  order_staff: Uint32Array,
  order_opened: Uint32Array,
  row_service: Uint8Array,
  row_facts: Uint32Array,
  row_cost: Uint32Array,
  row_cost_group: Uint32Array,
  row_cost_at: Uint32Array,
  row_cost_end: Uint32Array,
  row_capacity: Uint32Array,
  row_days: Uint8Array,
  row_has: Uint32Array,
  row_quality: Uint32Array,
  quality: Float64Array,
  service_first: Uint32Array,
  service_row: Uint32Array,
  facility_id: Uint8Array,
  facility_at: Float64Array,
  facility_prefecture: Uint8Array,
  point_lat: Float64Array,
  point_lon: Float64Array,
  point_facility: Uint32Array,
  point_services: Float64Array,
  point_is_main: Uint8Array,
  point_tree: Uint8Array,
} as const;

/** The columns of the index. */
export type KaigoColumns = { [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]> };

/** The columns of an index that was read. @throws ColumnFileError when one is missing or of another type */
export function kaigoColumns(columns: Readonly<Record<string, Column>>): KaigoColumns {
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (!(columns[name] instanceof type)) throw new ColumnFileError(`${KAIGO_INDEX}: lacks the column ${name}`);
  }
  return columns as KaigoColumns;
}

export const ORDER_COLUMNS = {
  id: 'order_id',
  cost: 'order_cost',
  staff: 'order_staff',
  opened: 'order_opened',
} as const satisfies Record<ComparisonSort, keyof KaigoColumns>;

/** Metres of a degree of latitude, at least; a degree of longitude at the equator has more. */
export const LATITUDE_METRES = 110_500;

/** Number of a service in the table of services. */
export const serviceNumber = (code: string): number => SERVICES.findIndex(({ service_code }) => service_code === code);

/** The bit of a service in `point_services`, as a number: 35 bits are too many for the operators of bits. */
export const serviceBit = (code: string): number => 2 ** serviceNumber(code);

/** Characters of a facility ID. */
export const ID_BYTES = 10;

/** A municipality of the data, or a designated city with all its wards. */
export interface MunicipalityMeta {
  municipality_code: string;
  name: string;
  prefecture_code: string;
  prefecture: string;
  /** Distinct facilities. */
  facilities: number;
  services: { service_code: string; facilities: number }[];
  /** The municipalities around, nearest first: number in the list, metres between their middles. */
  around: [number, number][];
  /** Number of its first table; the others follow in the order of `services`. */
  first_table: number;
}

export interface KaigoIndexMeta {
  municipalities: MunicipalityMeta[];
  /** The prices and the cost inputs of all services: estimates for other cases are made from them. */
  fees: FeeTable;
  as_of: string;
  facts: CostFacts[];
  /** The quartiles of bills, staffing and occupancy in the standard case. */
  compared: ComparedPlaces;
}

/** A field that the filter `has` can require: bit i of `row_has`, in the order of the contract. */
export type RowField = (typeof ROW_FIELDS)[number];
