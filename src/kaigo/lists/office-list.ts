import type { FileLine, Findings } from '../findings.ts';
import { isMunicipalityCode } from '../municipality-codes.ts';
import { SERVICES, type Service, serviceOf } from '../services.ts';
import { plain, tidy, withoutControls } from '../text.ts';
import { day } from '../values.ts';
import { csvRecords, fitsHeader, MOST_TITLE_LINES, probableColumns, type Separator } from './csv.ts';
import { decodeTable, notedSeparator, type TextPieces } from './decode.ts';

/** One row of an office list: an office and one service, as published except for the office number. */
export interface OfficeRow extends FileLine {
  serviceCode: string;
  /** Ten characters: digits, the third may be a letter. */
  facilityId: string;
  municipalityCode: string;
  prefecture: string;
  municipality: string;
  name: string;
  kana: string;
  address: string;
  building: string;
  lat: string;
  lon: string;
  phone: string;
  fax: string;
  corporateNumber: string;
  corporation: string;
  capacity: string;
  url: string;
  /** Days of opening in words, and a note on them. */
  days: string;
  daysNote: string;
  /**
   * Whether people with disabilities use the service together with the elderly, and by which standards it is
   * designated.
   */
  shared: string;
  careDesignation: string;
  disabilityDesignation: string;
}

/** The columns of the lists with their fields; null for columns that are not used. */
const COLUMNS: Record<string, keyof OfficeRow | 'no' | 'serviceText' | null> = {
  都道府県コード又は市町村コード: 'municipalityCode',
  No: 'no',
  都道府県名: 'prefecture',
  市区町村名: 'municipality',
  事業所名: 'name',
  事業所名カナ: 'kana',
  サービスの種類: 'serviceText',
  住所: 'address',
  '方書(ビル名等)': 'building',
  緯度: 'lat',
  経度: 'lon',
  電話番号: 'phone',
  FAX番号: 'fax',
  法人番号: 'corporateNumber',
  法人の名称: 'corporation',
  事業所番号: 'facilityId',
  利用可能曜日: 'days',
  利用可能曜日特記事項: 'daysNote',
  定員: 'capacity',
  URL: 'url',
  高齢者の方と障害者の方が同時一体的に利用できるサービス: 'shared',
  介護保険の通常の指定基準を満たしている: 'careDesignation',
  障害福祉の通常の指定基準を満たしている: 'disabilityDesignation',
  備考: null,
};

/** The names of the 24 columns, in the spelling of `plain`. */
export const OFFICE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** An office number: two digits of the prefecture, one of the kind (a letter for some), seven more. */
const FACILITY_ID = /^\d{2}[0-9A-Z]\d{7}$/;

/** An office number as people type it: full-width, with hyphens, or without its leading zero. Null for another text. */
export function officeNumberIn(text: string): string | null {
  const number = plain(text).toUpperCase().replace(/-/g, '');
  const padded = /^[1-9]\d{8}$/.test(number) ? `0${number}` : number;
  return FACILITY_ID.test(padded) ? padded : null;
}

/** The result of reading one list. Every row is passed on, or counted in the findings. */
export interface OfficeList {
  file: string;
  /** Null when the file was not read. */
  serviceCode: string | null;
  /** Day of the extract that the file name gives, YYYY-MM-DD. */
  extractedOn: string | null;
  rowsRead: number;
}

/** The facts in the name of a list. */
export interface OfficeListName {
  serviceCode: string;
  /** Day of the extract, YYYY-MM-DD. */
  extractedOn: string | null;
  /** The whole time of the extract, digits; empty when the name has none. */
  stamp: string;
}

/** The time of the extract at the end of a name, and its day. */
const STAMP = /_((20\d{6})\d*)\.csv$/i;

/**
 * The service and the day of a list by its file name, in the old form (`jigyosho_510.csv`) or the new one
 * (`jigyosho_510_all_20260709180754.csv`, with any text in the middle); null for another name.
 */
export function officeListName(file: string): OfficeListName | null {
  const base = file.replace(/^.*[\\/]/s, '');
  const serviceCode = /^jigyosho_(\d{3})(_.*)?\.csv$/i.exec(base)?.[1];
  if (serviceCode === undefined) return null;
  const [, stamp = '', dayDigits = ''] = STAMP.exec(base) ?? [];
  const date = day(dayDigits);
  // `day` gives the text `blank` or `unreadable` when the name has no day, or one that is not in the calendar.
  const isUnknown = typeof date === 'string';
  return isUnknown
    ? { serviceCode, extractedOn: null, stamp: '' }
    : { serviceCode, extractedOn: date.value.day, stamp };
}

/**
 * Reads one office list and passes its rows to `take` one by one, because a national list is large. An unreadable file
 * or row is noted in `findings` with file and line.
 * @param name of the file, which has the service code
 * @param label of the file in messages
 */
export function readOfficeList(
  bytes: Uint8Array,
  name: string,
  label: string,
  findings: Findings,
  take: (row: OfficeRow) => void,
): OfficeList {
  const fileItself = { file: label, line: 0 };
  const list: OfficeList = { file: label, serviceCode: null, extractedOn: null, rowsRead: 0 };
  const nameFacts = officeListName(name);
  if (nameFacts === null) {
    findings.note('file_name', fileItself);
    return list;
  }
  list.extractedOn = nameFacts.extractedOn;
  if (nameFacts.extractedOn === null && STAMP.test(name)) findings.note('file_date', fileItself, STAMP.exec(name)?.[2]);
  // The homes of some services are in registers, and have no office list.
  const serviceOfName = serviceOf(nameFacts.serviceCode);
  if (serviceOfName === undefined || serviceOfName.from_registers) {
    findings.note('file_service', fileItself, nameFacts.serviceCode);
    return list;
  }
  const text = decodeTable(bytes, label, findings);
  const separator = notedSeparator(text, label, findings);
  const header = findHeader(text, separator, label, findings);
  if (header === null) return list;
  const columnOf = columnNumbers(header, label, findings);
  // Reads the text a first time, because the rows may be of another service than the name of the file says.
  const service = serviceOfRows(rowsBelow(header, text, separator), columnOf, serviceOfName);
  if (service !== serviceOfName) {
    findings.note(
      'file_other_service',
      fileItself,
      `${serviceOfName.service_code}, the rows are ${service.service_code}`,
    );
  }
  list.serviceCode = service.service_code;
  for (const { line, values, strayQuotes } of rowsBelow(header, text, separator)) {
    const place = { file: label, line };
    if (strayQuotes) findings.note('row_stray_quotes', place);
    if (values?.length === 0) {
      findings.note('row_blank', place);
      continue;
    }
    list.rowsRead++;
    const row = readRow(values, header.names.length, columnOf, place, findings);
    if (row === null) continue;
    if (row.serviceText !== '' && tidy(row.serviceText) !== tidy(service.name)) {
      findings.note('service_text', place, row.serviceText);
    }
    if (service.ended_on !== undefined)
      findings.note('service_ended', place, `${service.name}, ended ${service.ended_on}`);
    const { no: _, serviceText: __, ...rest } = row;
    take({ ...place, serviceCode: service.service_code, ...rest });
  }
  if (list.rowsRead === 0) findings.note('file_empty', fileItself);
  return list;
}

/** The service that all rows name; that of the file's name when they name several, or none. */
function serviceOfRows(rows: ReturnType<typeof rowsBelow>, columnOf: ColumnNumbers, serviceOfName: Service): Service {
  const column = columnOf.get('serviceText');
  if (column === undefined) return serviceOfName;
  let commonName: string | null = null;
  for (const { values } of rows) {
    const cell = values?.[column];
    if (cell === undefined) continue;
    const name = plain(cell);
    if (name === '' || name === plain(serviceOfName.name) || (commonName !== null && name !== commonName))
      return serviceOfName;
    commonName = name;
  }
  return SERVICES.find((service) => plain(service.name) === commonName) ?? serviceOfName;
}

/** The line that names the columns. */
interface Header {
  line: number;
  names: readonly string[];
}

/**
 * The first line that names the columns without which rows cannot be identified. The title lines above it are noted.
 * When none of the first lines names them, the columns that the file has are noted, and the result is null.
 */
function findHeader(text: TextPieces, separator: Separator, file: string, findings: Findings): Header | null {
  for (const { line, values } of csvRecords(text, separator, MOST_TITLE_LINES)) {
    if (line > MOST_TITLE_LINES) break;
    const names = values ?? [];
    if (!identifiesRows(new Set(names.map(plain)))) continue;
    for (let title = 1; title < line; title++) findings.note('file_titles', { file, line: title });
    return { line, names };
  }
  const columns = probableColumns(text, separator);
  findings.note(
    'file_columns',
    { file, line: 0 },
    `${columns.length === 0 ? 'the file is empty' : `found ${columns.join(', ')}`}; expected in one of the first ` +
      `${MOST_TITLE_LINES} lines 事業所番号 (or No), 事業所名, and 都道府県コード又は市町村コード (or 都道府県名 and 市区町村名)`,
  );
  return null;
}

/** Whether columns have the number, the name and the municipality of an office. */
function identifiesRows(names: ReadonlySet<string>): boolean {
  const isNumbered = names.has('事業所番号') || names.has('No');
  const isPlaced = names.has('都道府県コード又は市町村コード') || (names.has('都道府県名') && names.has('市区町村名'));
  return isNumbered && isPlaced && names.has('事業所名');
}

/** The records below the header. Their `values` are empty for a blank line, and null if the quoting is broken. */
const rowsBelow = ({ line }: Header, text: TextPieces, separator: Separator) =>
  csvRecords(text, separator, line).filter((record) => record.line > line);

/** The number of each column that is used, by its field. */
type ColumnNumbers = Map<Exclude<(typeof COLUMNS)[string], null>, number>;

/** The number of each known column. Missing, unknown and repeated ones are noted. */
function columnNumbers({ line, names }: Header, file: string, findings: Findings): ColumnNumbers {
  const columnOf: ColumnNumbers = new Map();
  const columnNames = new Set<string>();
  names.forEach((cell, i) => {
    const name = plain(cell);
    const isKnown = Object.hasOwn(COLUMNS, name);
    if (!isKnown || columnNames.has(name))
      findings.note('column_extra', { file, line }, cell || `column ${i + 1} without a name`);
    // Null: the column is known, but not used.
    else if (COLUMNS[name] !== null) columnOf.set(COLUMNS[name], i);
    columnNames.add(name);
  });
  for (const name of OFFICE_COLUMNS) if (!columnNames.has(name)) findings.note('column_missing', { file, line }, name);
  return columnOf;
}

/** A row's values by name, or null when it is noted as unreadable. */
function readRow(
  values: string[] | null,
  columns: number,
  columnOf: ColumnNumbers,
  place: FileLine,
  findings: Findings,
) {
  if (values === null) {
    findings.note('row_quoting', place);
    return null;
  }
  if (!fitsHeader(values, columns)) {
    findings.note('row_columns', place, `${values.length} values where the header has ${columns}`);
    return null;
  }
  if (values.some((cell) => withoutControls(cell) !== cell)) findings.note('text_control', place);
  const value = (name: Parameters<ColumnNumbers['get']>[0]) => withoutControls(values[columnOf.get(name) ?? -1] ?? '');
  const municipalityCode = paddedMunicipality(tidy(value('municipalityCode')), place, findings);
  // Both columns, 事業所番号 and No, have the office number.
  const facilityId = officeNumber(value('facilityId') || value('no'), municipalityCode, place, findings);
  if (facilityId === null) return null;
  if (columnOf.has('no') && columnOf.has('facilityId') && value('no').trim() !== value('facilityId').trim()) {
    findings.note('facility_id_column', place, `${value('no')} and ${value('facilityId')}`);
  }
  return {
    facilityId,
    municipalityCode,
    prefecture: value('prefecture'),
    municipality: value('municipality'),
    name: value('name'),
    kana: value('kana'),
    address: value('address'),
    building: value('building'),
    lat: value('lat'),
    lon: value('lon'),
    phone: value('phone'),
    fax: value('fax'),
    corporateNumber: value('corporateNumber'),
    corporation: value('corporation'),
    capacity: value('capacity'),
    url: value('url'),
    days: value('days'),
    daysNote: value('daysNote'),
    shared: value('shared'),
    careDesignation: value('careDesignation'),
    disabilityDesignation: value('disabilityDesignation'),
    no: value('no'),
    serviceText: value('serviceText'),
  };
}

/**
 * The office number as ASCII, or null (noted). It begins with the code of the prefecture: a spreadsheet may have taken
 * the zero of the codes 01 to 09.
 */
function officeNumber(text: string, municipalityCode: string, place: FileLine, findings: Findings): string | null {
  const number = text.normalize('NFKC').trim().toUpperCase();
  const isShort = number.length === 9 && municipalityCode.startsWith(`0${number[0]}`);
  const padded = isShort ? `0${number}` : number;
  if (!FACILITY_ID.test(padded)) {
    findings.note('row_facility_id', place, number === '' ? 'empty' : number);
    return null;
  }
  if (isShort) findings.note('facility_id_padded', place, number);
  if (/[A-Z]/.test(padded)) findings.note('facility_id_letter', place, padded);
  return padded;
}

/** The code of a municipality, six digits; a leading zero that a spreadsheet removed is put back and noted. */
function paddedMunicipality(code: string, place: FileLine, findings: Findings): string {
  if (code.length !== 5 || !isMunicipalityCode(`0${code}`)) return code;
  findings.note('municipality_padded', place, code);
  return `0${code}`;
}
