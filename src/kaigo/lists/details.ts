import { BUILT_IN_MAPPINGS } from '../facts/built-in.ts';
import type { AsPublished, Findings, Place } from '../findings.ts';
import { serviceOf } from '../services.ts';
import { plain, tidy, withoutControls } from '../text.ts';
import { day, type Typed } from '../values.ts';
import { csvRecords, fitsHeader } from './csv.ts';
import { decodeTable, notedSeparator } from './decode.ts';
import { DETAIL_FIELDS, type DetailField, type DetailValue, wordsOf } from './detail-fields.ts';
import type { DetailMapping } from './detail-mapping.ts';
import { type ColumnPlaces, columnOf, columnPlaces, readField } from './mapped-table.ts';
import { FACILITY_ID } from './office-list.ts';

/** The details of one service of one facility, by field of the mapping; null when unknown. */
export type Detail = Place & { facility_id: string; service_code: string } & {
  [F in Exclude<DetailField, 'facility_id' | 'service_code'>]: DetailValue<F> | null;
} & {
  /** Rejected values, by field. */
  as_published: AsPublished;
};

/** The result of reading one table. Every row is kept, or counted in the findings. */
export interface DetailTable {
  file: string;
  rowsRead: number;
  details: Detail[];
}

/** A detail table with unknown columns. */
export class DetailTableError extends Error {
  override name = 'DetailTableError';
}

/**
 * Reads a detail table with the given mapping, or else with the built-in one that fits its header. Rows and values
 * that cannot be read are noted with file and line. Throws `DetailTableError` when no mapping fits.
 */
export function readDetails(
  bytes: Uint8Array,
  file: string,
  mapping: DetailMapping | null,
  findings: Findings,
): DetailTable {
  const text = decodeTable(bytes, file, findings);
  const records = csvRecords(text, notedSeparator(text, file, findings));
  const header: string[] = records.next().value?.values ?? [];
  if (header.length === 0)
    throw new DetailTableError(`${file}: is empty: expected a line with the names of its columns`);
  const at = columnPlaces(header);
  const used = mappingFor(at, mapping === null ? BUILT_IN_MAPPINGS : [mapping]);
  if (used === undefined) {
    throw new DetailTableError(
      `${file}: no mapping fits its columns (${withoutControls(header.slice(0, 8).map(tidy).join(', '))}…): ` +
        `put one beside it as ${file.replace(/\.[^./\\]*$/, '')}.mapping.json (docs/details-mapping.md)`,
    );
  }
  for (const [name, source] of Object.entries(used.fields)) {
    const column = columnOf(source, at);
    if (source.value === undefined && column === undefined) {
      findings.note('detail_column', { file, line: 1 }, `${name} (${[source.column].flat().join(', ')})`);
    }
    for (const [i, cell] of header.entries()) {
      if (column !== undefined && i !== column && plain(cell) === plain(header[column])) {
        findings.note('column_extra', { file, line: 1 }, `${tidy(cell)}, column ${i + 1} as column ${column + 1}`);
      }
    }
  }
  const read = rowReader(used, at, findings);
  const table: DetailTable = { file, rowsRead: 0, details: [] };
  for (const { line, values, strayQuotes } of records) {
    const place = { file, line };
    if (strayQuotes) findings.note('row_stray_quotes', place);
    if (values?.length === 0) {
      findings.note('row_blank', place);
      continue;
    }
    table.rowsRead++;
    if (values === null) findings.note('detail_row', place, 'broken quoting');
    else if (!fitsHeader(values, header.length)) {
      findings.note('detail_row', place, `${values.length} values where the header has ${header.length}`);
    } else {
      const detail = read(values.map(withoutControls), place);
      if (detail !== null) table.details.push(detail);
    }
  }
  return table;
}

/** Makes the reader of a row. It returns null, and notes a finding, for a row without an office or a service. */
function rowReader(mapping: DetailMapping, at: ColumnPlaces, findings: Findings) {
  return (values: readonly string[], place: Place): Detail | null => {
    const asPublished: AsPublished = {};
    const field = (name: DetailField): string | number | null => {
      const source = mapping.fields[name];
      if (source === undefined) return null;
      const published = values[columnOf(source, at) ?? -1] ?? '';
      const typed = readField(DETAIL_FIELDS[name], source, published, wordsOf(name));
      if (typed === 'unreadable') {
        findings.note('detail_value', place, `${name}: ${published}`);
        asPublished[name] = published;
        return null;
      }
      if (name === 'opened_on') noteDay(typed, published, place, findings);
      return typed === 'blank' ? null : typed.value;
    };
    const facilityId = String(field('facility_id') ?? '').toUpperCase();
    const serviceCode = String(field('service_code') ?? '');
    if (!FACILITY_ID.test(facilityId) || serviceOf(serviceCode) === undefined) {
      findings.note('detail_row', place, `office ${facilityId || 'none'}, service ${serviceCode || 'none'}`);
      return null;
    }
    const names = Object.keys(DETAIL_FIELDS) as DetailField[];
    // `readField` returns each field in its own form.
    const read = Object.fromEntries(names.map((name) => [name, field(name)])) as unknown as Detail;
    return { ...read, ...place, facility_id: facilityId, service_code: serviceCode, as_published: asPublished };
  };
}

function noteDay(typed: Typed<unknown>, published: string, place: Place, findings: Findings): void {
  const again = day(published);
  if (typed === 'blank' && published.trim() !== '') findings.note('detail_date_unknown', place, published);
  else if (typeof again === 'object' && again.value.assumedEra) findings.note('detail_date_era', place, published);
}

/**
 * The mapping that fits a table's header best: it finds the columns of office and service, and the most of the others.
 * Undefined when none fits.
 */
function mappingFor(at: ColumnPlaces, mappings: readonly DetailMapping[]): DetailMapping | undefined {
  const found = ({ fields }: DetailMapping) =>
    Object.values(fields).filter((source) => columnOf(source, at) !== undefined).length;
  return mappings
    .filter(({ fields }) =>
      [fields.facility_id, fields.service_code].every(
        (source) => source?.value !== undefined || columnOf(source, at) !== undefined,
      ),
    )
    .sort((a, b) => found(b) - found(a))[0];
}
