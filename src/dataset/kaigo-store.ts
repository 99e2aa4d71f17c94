import Flatbush from 'flatbush';
import type { CostEstimate } from '../contract/kaigo-cost.ts';
import { QUALITY_NAMES, type QualityName } from '../contract/kaigo-quality.ts';
import type { ROW_FIELDS } from '../contract/operations/kaigo-municipality.ts';
import type { CheckedFile } from '../formats/checked-file.ts';
import { type Column, ColumnFileError, decodeColumns } from '../formats/column-file.ts';
import type { JsonWriter } from '../formats/json-bytes.ts';
import type { CostFacts } from '../kaigo/bill.ts';
import type { ComparisonSort, QuartilesByGroup } from '../kaigo/comparison.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import { SERVICES } from '../kaigo/services.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';

/**
 * The serving store of the care half: two files.
 *
 * `kaigo.records` holds JSON texts end to end, each followed by a comma: first the rows of the comparison tables, by
 * municipality, service and office number (those of no municipality are in no table), then the facilities in order of
 * ID. A page of a table takes a few reads of the file and no parsing.
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
 * | `point_lat`, `point_lon` | position of a facility | degrees; services that lie elsewhere have a position of their own |
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
type KaigoColumns = { [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]> };

/**
 * Checks the columns of an index that was read, and returns them.
 * @throws ColumnFileError when one is missing or of another type
 */
function kaigoColumns(columns: Readonly<Record<string, Column>>): KaigoColumns {
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (!(columns[name] instanceof type)) throw new ColumnFileError(`${KAIGO_INDEX}: lacks the column ${name}`);
  }
  return columns as KaigoColumns;
}

/** The column of each stored order. */
export const orderColumn = <Order extends ComparisonSort>(order: Order) => `order_${order}` as const;

/** Number of a service in the table of services. */
export const serviceNumber = (code: string): number => SERVICES.findIndex(({ service_code }) => service_code === code);

/** The bit of a service in `point_services`, as a number: 35 bits are too many for the operators of bits. */
export const serviceBit = (code: string): number => 2 ** serviceNumber(code);

/** Characters of a facility ID. */
const ID_BYTES = 10;

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

/** The head of the index. */
export interface KaigoIndexMeta {
  municipalities: MunicipalityMeta[];
  /** The prices and the cost inputs of all services: estimates for other cases are made from them. */
  fees: FeeTable;
  as_of: string;
  facts: CostFacts[];
  /** The quartiles of bills, staffing and occupancy in the standard case. */
  compared: QuartilesByGroup;
}

/** A field that the filter `has` can require: bit i of `row_has`, in the order of the contract. */
export type RowField = (typeof ROW_FIELDS)[number];

/** A position of a facility. */
interface KaigoPoint {
  /** Number of the facility. */
  facility: number;
  lat: number;
  lon: number;
  /** Bit i: the i-th service is there. */
  services: number;
  /** True when the main service of the facility is there. */
  isMain: boolean;
}

/** The serving store of the care half, open for reading. Rows and facilities are read as the bytes of their JSON. */
export class KaigoStore {
  readonly municipalities: readonly MunicipalityMeta[];
  /** Prices and facts for cases other than the standard one. */
  readonly pricing: Pick<KaigoIndexMeta, 'fees' | 'as_of' | 'facts'>;
  /** The quartiles with which the values of a table are compared. */
  readonly compared: KaigoIndexMeta['compared'];
  readonly #byCode: Map<string, MunicipalityMeta>;
  readonly #columns: KaigoColumns;
  readonly #ids: Buffer;
  readonly #tree: Flatbush | null;
  readonly #records: CheckedFile;

  private constructor(records: CheckedFile, { meta, columns }: Awaited<ReturnType<typeof readIndex>>) {
    this.municipalities = meta.municipalities;
    this.pricing = { fees: meta.fees, as_of: meta.as_of, facts: meta.facts };
    this.compared = meta.compared;
    this.#byCode = new Map(meta.municipalities.map((one) => [one.municipality_code, one]));
    this.#columns = columns;
    const { facility_id: ids, point_tree: tree } = columns;
    this.#ids = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength);
    this.#tree = tree.length === 0 ? null : Flatbush.from(tree.buffer, tree.byteOffset);
    this.#records = records;
  }

  /**
   * Opens the store.
   * @throws DamagedFileError for a damaged index, and the system's error when a file cannot be opened
   */
  static async open(files: Pick<DatasetFiles, 'open' | 'read'>): Promise<KaigoStore> {
    return new KaigoStore(files.open(KAIGO_RECORDS), await readIndex(files));
  }

  /** A municipality or designated city of the data, or undefined. */
  municipality(code: string): MunicipalityMeta | undefined {
    return this.#byCode.get(code);
  }

  /** The numbers of the rows of a table, in an order. */
  rowNumbers(municipality: MunicipalityMeta, service: string, sort: ComparisonSort): Uint32Array {
    const nth = municipality.services.findIndex(({ service_code }) => service_code === service);
    if (nth < 0) return new Uint32Array(0);
    // A table ends where the next begins.
    const [first, end] = this.#columns.table_first.subarray(municipality.first_table + nth);
    return this.#columns[orderColumn(sort)].subarray(first, end);
  }

  /** Writes rows as JSON, with commas between them. Rows that lie side by side are read together. */
  writeRows(json: JsonWriter, rows: Uint32Array): void {
    let i = 0;
    while (i < rows.length) {
      if (i > 0) json.text(',');
      // The rows from `first` up to, but without, `end` lie side by side.
      const first = rows[i];
      let end = first;
      while (rows[i] === end) {
        i++;
        end++;
      }
      this.#records.use(this.#rowAt(first), this.#rowEnd(end - 1), (bytes) => json.bytes(bytes));
    }
  }

  /** Writes a row as JSON, with another estimate in it if one is given. */
  writeRow(json: JsonWriter, row: number, estimate?: CostEstimate): void {
    const { row_cost_at, row_cost_end } = this.#columns;
    this.#records.use(this.#rowAt(row), this.#rowEnd(row), (bytes) => {
      if (estimate === undefined) return json.bytes(bytes);
      json.bytes(bytes, 0, row_cost_at[row]);
      // As bytes: `json.text` is slow for a text as long as an estimate.
      json.bytes(Buffer.from(JSON.stringify(estimate)));
      json.bytes(bytes, row_cost_end[row]);
    });
  }

  /** The JSON of a row. */
  row(row: number): Buffer {
    return this.#records.read(this.#rowAt(row), this.#rowEnd(row));
  }

  /** The code of the service of a row. */
  rowService(row: number): string {
    return SERVICES[this.#columns.row_service[row] ?? -1]?.service_code ?? '';
  }

  /** The cost of a row in the standard case, by numbers; null when there is no figure. */
  rowCost(row: number): { group: number; cost: number } | null {
    const [group = 0, cost = 0] = [this.#columns.row_cost_group[row], this.#columns.row_cost[row]];
    return group === 0 ? null : { group, cost };
  }

  /** Number of the cost inputs of a row. */
  rowFacts(row: number): number {
    return this.#columns.row_facts[row] ?? 0;
  }

  /** The values of a row that filters read: capacity (0: not known), days of opening and known fields as bits. */
  rowTraits(row: number): { capacity: number; days: number; has: number } {
    const { row_capacity, row_days, row_has } = this.#columns;
    return { capacity: row_capacity[row] ?? 0, days: row_days[row] ?? 0, has: row_has[row] ?? 0 };
  }

  /** A quality figure of a row; null when unknown. */
  rowQuality(row: number, name: QualityName): number | null {
    // Counted from 1; 0: the row has no figures.
    const entry = this.#columns.row_quality[row] ?? 0;
    if (entry === 0) return null;
    const value = this.#columns.quality[(entry - 1) * QUALITY_NAMES.length + QUALITY_NAMES.indexOf(name)] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  }

  /** The rows of the services of a facility, in the order of its services. */
  facilityRows(facility: number): Uint32Array {
    const { service_first, service_row } = this.#columns;
    return service_row.subarray(service_first[facility], service_first[facility + 1]);
  }

  /** The code of the prefecture of a facility. */
  facilityPrefecture(facility: number): string {
    return String(this.#columns.facility_prefecture[facility]).padStart(2, '0');
  }

  get facilityCount(): number {
    return this.#ids.length / ID_BYTES;
  }

  /** Number of positions of facilities. */
  get pointCount(): number {
    return this.#columns.point_facility.length;
  }

  /** The number of a facility, which is its position in the order of IDs; −1 when there is none with this ID. */
  facilityNumber(id: string): number {
    if (id.length !== ID_BYTES) return -1;
    const idBytes = Buffer.from(id, 'latin1');
    let [low, high] = [0, this.facilityCount - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = this.#ids.compare(idBytes, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The ID of a facility. */
  facilityId(facility: number): string {
    return this.#ids.toString('latin1', facility * ID_BYTES, (facility + 1) * ID_BYTES);
  }

  /** The JSON of a facility. */
  facility(facility: number): Buffer {
    const { facility_at: at } = this.#columns;
    return this.#records.read(at[facility] ?? 0, (at[facility + 1] ?? 0) - 1);
  }

  /** The positions of facilities in a box, degrees, in no particular order. */
  pointsIn(west: number, south: number, east: number, north: number): KaigoPoint[] {
    const { point_facility, point_lat, point_lon, point_services, point_is_main } = this.#columns;
    const points = this.#tree?.search(west, south, east, north) ?? [];
    return points.map((i) => ({
      facility: point_facility[i] ?? 0,
      lat: point_lat[i] ?? 0,
      lon: point_lon[i] ?? 0,
      services: point_services[i] ?? 0,
      isMain: point_is_main[i] === 1,
    }));
  }

  #rowAt(row: number): number {
    return this.#columns.row_at[row] ?? 0;
  }

  /** Where the JSON of a row ends; a comma follows it in the file. */
  #rowEnd(row: number): number {
    return this.#rowAt(row + 1) - 1;
  }
}

/** Reads the index and checks its columns. */
async function readIndex(files: Pick<DatasetFiles, 'read'>) {
  const { meta, columns } = decodeColumns<KaigoIndexMeta>(KAIGO_INDEX_KIND, await files.read(KAIGO_INDEX), KAIGO_INDEX);
  return { meta, columns: kaigoColumns(columns) };
}
