import type { Findings, Place } from '../findings.ts';
import { serviceOf } from '../services.ts';
import { tidy } from '../text.ts';
import { additionsIn, type FilingMapping } from './list-mapping.ts';
import { type FieldForm, type FieldSource, type MappedRow, mappedRows, readField } from './mapped-table.ts';
import { FACILITY_ID } from './office-list.ts';

/** The additions that an office has filed for a service (介護給付費算定に係る体制等に関する届出). */
export interface Filing extends Place {
  facility_id: string;
  service_code: string;
  /** Names of additions of the fee table. */
  additions: readonly string[];
  /** Name of the treatment improvement rate, or `none`; null where the list does not say. */
  treatment: string | null;
}

/** What one list came to. Every row read is kept, or counted in the findings. */
export interface FilingTable {
  file: string;
  rowsRead: number;
  filings: Filing[];
}

/** Reads a list of filed additions. Rows without an office or a service are noted and left out. Throws `MappedTableError`. */
export function readFilings(bytes: Uint8Array, file: string, mapping: FilingMapping, findings: Findings): FilingTable {
  const { fields, additions } = mapping;
  const columns = [...Object.values(fields), ...additions];
  const required = [fields.facility_id, fields.service_code];
  const before = findings.count('filing_row');
  const filings: Filing[] = [];
  for (const row of mappedRows(bytes, file, { required, columns, fault: 'filing_row' }, findings)) {
    const filing = filingOf(row, mapping, findings);
    if (filing !== null) filings.push(filing);
  }
  return { file, rowsRead: filings.length + findings.count('filing_row') - before, filings };
}

function filingOf(row: MappedRow, { fields, additions }: FilingMapping, findings: Findings): Filing | null {
  const place = { file: row.file, line: row.line };
  const read = (form: FieldForm, source: FieldSource, name: string): string => {
    const published = row.cell(source);
    const typed = readField(form, source, published);
    if (typed === 'unreadable') findings.note('filing_value', place, `${name}: ${tidy(published)}`);
    return typeof typed === 'string' ? '' : String(typed.value);
  };
  const facilityId = read('text', fields.facility_id, 'facility_id').normalize('NFKC').toUpperCase();
  const serviceCode = read('text', fields.service_code, 'service_code');
  if (!FACILITY_ID.test(facilityId) || serviceOf(serviceCode) === undefined) {
    findings.note('filing_row', place, `office ${facilityId || 'none'}, service ${serviceCode || 'none'}`);
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

/** The filings by office and service: lists with a row for each addition are put together. */
export function joinFilings(tables: readonly FilingTable[]): Map<string, Filing> {
  const joined = new Map<string, Filing>();
  for (const filing of tables.flatMap(({ filings }) => filings)) {
    const key = filing.facility_id + filing.service_code;
    const before = joined.get(key);
    joined.set(
      key,
      before === undefined
        ? filing
        : {
            ...before,
            additions: [...new Set([...before.additions, ...filing.additions])],
            treatment: before.treatment ?? filing.treatment,
          },
    );
  }
  return joined;
}
