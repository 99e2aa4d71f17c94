import type { Findings, Place } from '../findings.ts';
import { SERVICES, serviceOf } from '../services.ts';
import { tidy } from '../text.ts';
import { additionsIn, type FilingMapping, type TableCredit } from './list-mapping.ts';
import { type FieldForm, type FieldSource, hasColumns, type MappedRow, mappedRows, readField } from './mapped-table.ts';
import { officeNumberIn } from './office-list.ts';

/** The additions that an office has filed for a service (介護給付費算定に係る体制等に関する届出). */
export interface Filing extends Place {
  facility_id: string;
  service_code: string;
  /** Names of additions of the fee table. */
  additions: readonly string[];
  /** Name of the treatment improvement rate, or `none`; null when the list does not say. */
  treatment: string | null;
}

/** The result of reading one list. Every row is kept, or counted in the findings. */
export interface FilingTable {
  file: string;
  /** Null when its mapping has no credit. */
  credit: TableCredit | null;
  rowsRead: number;
  filings: Filing[];
}

/** Words for yes and no in lists of filed additions. The form of the filing has 1 for no and 2 for yes. */
const YES = ['あり', '有', '有り', '○', '〇', '◯', '●', '届出あり', '2あり', '2:あり', '2.あり'];
const NO = ['なし', '無', '無し', '×', '-', '届出なし', '1なし', '1:なし', '1.なし'];

/**
 * The mapping of a list that has a column for each addition, named as in the notice (夜勤職員配置加算(Ⅰ)イ), or for each family of additions
 * (看護体制加算: Ⅰロ・Ⅱロ). Services have their official or short names, or the codes of bills (51).
 */
export function builtInFilings(
  additions: readonly { id: string; label: string }[],
  rates: readonly string[],
): FilingMapping {
  const labels = new Map(additions.map(({ id, label }) => [label, id]));
  const words = (yes: string) =>
    Object.fromEntries([...YES.map((one) => [one, yes]), ...NO.map((one) => [one, 'none'])]);
  return {
    schema: 'hidamari-filings/1',
    about: 'a column for each addition',
    isBuiltIn: true,
    fields: {
      facility_id: { column: ['事業所番号', '介護保険事業所番号', '介護保険事業者番号'] },
      service_code: {
        column: ['サービス種類', 'サービスの種類', 'サービス種別', 'サービス名', 'サービス'],
        values: Object.fromEntries(
          SERVICES.flatMap(({ service_code: code, name, short_name: short }) => [
            [name, code],
            [code, code],
            ...(short === null ? [] : [[short, code]]),
            // The other codes of bills stand for several services.
            ...(code.endsWith('0') ? [[code.slice(0, 2), code]] : []),
          ]),
        ),
      },
      // あり says no rate.
      treatment: {
        column: ['介護職員等処遇改善加算', '処遇改善加算'],
        values: Object.fromEntries([...rates.flatMap(rateLabels), ...NO.map((one) => [one, 'none'])]),
      },
    },
    additions: [...[...labels].map(([column, id]) => ({ column, values: words(id) })), ...familyColumns(labels)],
  };
}

/** A level in the name of an addition: (Ⅰ), (Ⅰ)イ. */
const LEVEL = /\([ⅠⅡⅢⅣ]\)[イロハ]?$/;

/** A column for each family of additions, whose cells name one level or two: Ⅰロ, 加算Ⅰロ, Ⅰロ・Ⅱロ. */
function familyColumns(labels: ReadonlyMap<string, string>): FieldSource[] {
  const leveled = [...labels].filter(([label]) => LEVEL.test(label));
  const families = Map.groupBy(leveled, ([label]) => label.replace(LEVEL, ''));
  const styles = [(level: string) => level, (level: string) => level.replace(/[()]/g, '')].flatMap((style) => [
    style,
    (level: string) => `加算${style(level)}`,
  ]);
  return [...families].map(([column, members]) => {
    const levels = members.map(([label, id]) => ({ level: label.slice(column.length), id }));
    const cells = styles.flatMap((style) =>
      levels.flatMap(({ level, id }, i): [cell: string, ids: string][] => [
        [style(level), id],
        ...levels
          .slice(i + 1)
          .flatMap((other): [string, string][] =>
            ['・', '、', ','].map((between) => [style(level) + between + style(other.level), `${id} ${other.id}`]),
          ),
      ]),
    );
    return { column, values: Object.fromEntries([...cells, ...NO.map((one) => [one, 'none'])]) };
  });
}

/** Whether a list has the columns of a mapping: those of office and service, and that of an addition. */
export const fitsFilings = (bytes: Uint8Array, file: string, { fields, additions }: FilingMapping): boolean =>
  hasColumns(bytes, file, [fields.facility_id, fields.service_code], additions);

/** How lists write a treatment rate: I-ro is Ⅰロ or 加算(Ⅰ)ロ. */
function rateLabels(rate: string): [label: string, rate: string][] {
  const [level = '', kind] = rate.split('-');
  const end = kind === 'i' ? 'イ' : kind === 'ro' ? 'ロ' : '';
  return ['', '加算'].flatMap((before) => [
    [`${before}${level}${end}`, rate],
    [`${before}(${level})${end}`, rate],
  ]);
}

/** Reads a list of filed additions. Rows without an office or a service are noted and left out. Throws `MappedTableError`. */
export function readFilings(bytes: Uint8Array, file: string, mapping: FilingMapping, findings: Findings): FilingTable {
  const { fields, additions, isBuiltIn, credit = null } = mapping;
  const columns = isBuiltIn ? [] : [...Object.values(fields), ...additions];
  const required = [fields.facility_id, fields.service_code];
  const before = findings.count('filing_row');
  const filings: Filing[] = [];
  for (const row of mappedRows(bytes, file, { required, columns, fault: 'filing_row' }, findings)) {
    const filing = filingOf(row, mapping, findings);
    if (filing !== null) filings.push(filing);
  }
  return { file, credit, rowsRead: filings.length + findings.count('filing_row') - before, filings };
}

function filingOf(row: MappedRow, { fields, additions }: FilingMapping, findings: Findings): Filing | null {
  const place = { file: row.file, line: row.line };
  const read = (form: FieldForm, source: FieldSource, name: string): string => {
    const published = row.cell(source);
    const typed = readField(form, source, published);
    if (typed === 'unreadable') findings.note('filing_value', place, `${name}: ${tidy(published)}`);
    return typeof typed === 'string' ? '' : String(typed.value);
  };
  const typedId = read('text', fields.facility_id, 'facility_id');
  const facilityId = officeNumberIn(typedId);
  const serviceCode = read('text', fields.service_code, 'service_code');
  if (facilityId === null || serviceOf(serviceCode) === undefined) {
    findings.note('filing_row', place, `office ${typedId || 'none'}, service ${serviceCode || 'none'}`);
    return null;
  }
  const filed = additions.flatMap((source) =>
    additionsIn(read('text', source, [source.column ?? ''].flat().join(', '))),
  );
  const treatment = fields.treatment === undefined ? '' : read('text', fields.treatment, 'treatment');
  return {
    ...place,
    facility_id: facilityId,
    service_code: serviceCode,
    additions: [...new Set(filed)],
    treatment: treatment === '' ? null : treatment,
  };
}

/** The filings by office and service. Rows of one office and service are put together: a list may have a row for each addition. */
export function joinFilings(tables: readonly FilingTable[], findings: Findings): Map<string, Filing> {
  const joined = new Map<string, Filing>();
  for (const filing of tables.flatMap(({ filings }) => filings)) {
    const key = filing.facility_id + filing.service_code;
    const before = joined.get(key);
    if (before === undefined) {
      joined.set(key, filing);
      continue;
    }
    findings.note('filing_joined', filing, `${filing.facility_id}, service ${filing.service_code}`);
    joined.set(key, {
      ...before,
      additions: [...new Set([...before.additions, ...filing.additions])],
      treatment: before.treatment ?? filing.treatment,
    });
  }
  return joined;
}
