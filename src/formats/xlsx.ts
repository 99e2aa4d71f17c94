/** Reads the sheets of a workbook (XLSX, ECMA-376) as rows of text. */

/** Reads the text of a part of a workbook by its name; null for a part that does not exist. */
type ReadPart = (name: string) => string | null;

/** A sheet of a workbook. The n-th of `rows` is row n of the sheet. */
export interface Sheet {
  name: string;
  rows: string[][];
}

/**
 * The sheets of a workbook, in order. Missing cells are empty. Numbers are as stored, days are YYYY-MM-DD, line breaks
 * in a cell become blanks. A cell that is merged over several rows has its value in each of them.
 * @param sheet the name of the only sheet to read; null for all
 * @throws Error when the workbook cannot be read, or has no such sheet or none
 */
export function xlsxSheets(read: ReadPart, sheet: string | null): Sheet[] {
  const part = (name: string): string | null => {
    const xml = read(name);
    return xml === null ? null : plainXml(xml);
  };
  const workbook = part('xl/workbook.xml');
  if (workbook === null) throw new Error('has no workbook in it');
  const sheets = elementsIn(workbook, 'sheet');
  const selected = sheet === null ? sheets : sheets.filter(({ name }) => name === sheet).slice(0, 1);
  if (selected.length === 0) {
    throw new Error(`has no sheet ${sheet ?? ''}; it has ${sheets.map(({ name }) => name).join(', ') || 'none'}`);
  }
  const relations = elementsIn(part('xl/_rels/workbook.xml.rels') ?? '', 'Relationship');
  const shared: SharedParts = {
    texts: sharedTexts(part('xl/sharedStrings.xml') ?? ''),
    dayStyles: dayStylesOf(part('xl/styles.xml') ?? ''),
    isFrom1904: /<workbookPr\b[^>]*date1904="(1|true)"/.test(workbook),
  };
  return selected.map(({ name = '', ...attributes }) => {
    // The prefix of the relation is free: r:id, rel:id.
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
    const target = relations.find(({ Id }) => Id === id)?.Target;
    const xml = target === undefined ? null : part(partName(target));
    if (xml === null) throw new Error(`lacks the content of its sheet ${name}`);
    return { name, rows: withMergedCells(rowsOf(xml, shared), xml) };
  });
}

/** The name of a part from the target of a relation: absolute, or relative to the workbook. */
const partName = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`);

/** The attributes of each element with a name. */
const elementsIn = (xml: string, name: string): Record<string, string>[] =>
  [...xml.matchAll(new RegExp(`<${name}\\s([^>]*)>`, 'g'))].map(([, attributes = '']) => attributesOf(attributes));

/** XML in one form: without prefixes of element names (`<x:row>`) and comments, texts in CDATA as entities. */
const plainXml = (xml: string): string =>
  xml
    .replace(/<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string = '') =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    )
    .replace(/<(\/?)\w+:(?=\w)/g, '<$1');

/** Repeats the value of a cell that is merged over several rows, in its first column. */
function withMergedCells(rows: string[][], xml: string): string[][] {
  for (const [, from = '', to = ''] of xml.matchAll(/<mergeCell\s[^>]*ref=["']([A-Z]+\d+):([A-Z]+\d+)["']/g)) {
    const [first, last] = [from, to].map((cell) => Number(cell.replace(/\D/g, '')) - 1);
    const column = columnOf(from);
    const value = rows[first]?.[column] ?? '';
    if (value === '') continue;
    for (const row of rows.slice(first + 1, last + 1)) {
      while (row.length <= column) row.push('');
      row[column] ||= value;
    }
  }
  return rows;
}

/** What cells refer to: shared texts, styles of days, and the first day of the calendar. */
interface SharedParts {
  texts: readonly string[];
  /** Styles that show a number as a day. */
  dayStyles: ReadonlySet<number>;
  isFrom1904: boolean;
}

/** Rows and columns that a sheet can have. */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;

/** The rows of a sheet. A row whose number is not in the file is empty. */
function rowsOf(xml: string, shared: SharedParts): string[][] {
  const rows: string[][] = [];
  for (const [, attributes = '', content = ''] of xml.matchAll(/<row\b([^>]*?)(?:\/>|>([\s\S]*?)<\/row>)/g)) {
    const number = Number(attributesOf(attributes).r ?? rows.length + 1);
    if (!(number > rows.length && number <= MOST_ROWS)) throw new Error(`has a row ${number} after row ${rows.length}`);
    while (rows.length < number - 1) rows.push([]);
    rows.push(cellsOf(content, shared));
  }
  return rows;
}

/** The cells of a row, by their columns. */
function cellsOf(content: string, shared: SharedParts): string[] {
  const cells: string[] = [];
  for (const [, attributes = '', inner = ''] of content.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
    const cell = attributesOf(attributes);
    const column = cell.r === undefined ? cells.length : columnOf(cell.r);
    if (column >= MOST_COLUMNS) throw new Error(`has a cell ${cell.r}`);
    while (cells.length < column) cells.push('');
    cells[column] = cellText(cell, inner, shared).replace(/\s+/g, ' ');
  }
  return cells;
}

/**
 * The text of a cell by its type: a shared text (`s`), an error (`e`), which is no value, a day with its time (`d`), a
 * Boolean (`b`) or a number.
 */
function cellText({ t: type, s: style }: Record<string, string>, inner: string, shared: SharedParts): string {
  if (type === 'inlineStr') return joinedRuns(inner);
  const value = textValue(/<v\b[^>]*>([\s\S]*?)<\/v>/.exec(inner)?.[1] ?? '');
  if (type === 's') return shared.texts[Number(value)] ?? '';
  if (type === 'e') return '';
  if (type === 'd') return value.slice(0, 'YYYY-MM-DD'.length);
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const isNumber = type === undefined || type === 'n';
  if (isNumber && value !== '' && shared.dayStyles.has(Number(style ?? 0)))
    return dayOf(Number(value), shared.isFrom1904);
  // A workbook may keep 12,000 as 12000.000000000002.
  return isNumber && value !== '' ? String(Number(Number(value).toPrecision(15))) : value;
}

/** Days between the calendars that begin in 1900 and in 1904. */
const DAYS_TO_1904 = 1462;

/**
 * The day of a serial number; a number that is no day stays. Excel's number 60 is the 29th of February 1900, a day that
 * never was: it gives the 28th.
 */
function dayOf(serial: number, isFrom1904: boolean): string {
  const days = Math.floor(serial) + (isFrom1904 ? DAYS_TO_1904 : 0);
  // From 60 on Excel counts one day too many, so day 0 is a day earlier.
  const dayOfZero = days < 60 ? 31 : 30;
  const date = new Date(Date.UTC(1899, 11, dayOfZero) + days * 86_400_000);
  return Number.isNaN(date.getTime()) ? String(serial) : date.toISOString().slice(0, 10);
}

/** The texts that cells share; readings of Japanese texts (`rPh`) are left out. */
const sharedTexts = (xml: string): string[] =>
  [...xml.matchAll(/<si\b[^>]*?(?:\/>|>([\s\S]*?)<\/si>)/g)].map(([, inner = '']) => joinedRuns(inner));

/** The text of a shared or inline text: its runs together, without readings. */
const joinedRuns = (inner: string): string =>
  [...inner.replace(/<rPh\b[\s\S]*?<\/rPh>/g, '').matchAll(/<t\b[^>]*?(?:\/>|>([\s\S]*?)<\/t>)/g)]
    .map(([, text = '']) => textValue(text))
    .join('');

/** The text of an element: `_x000D_` stands for a character that XML cannot hold (ST_Xstring of ECMA-376). */
const textValue = (xml: string): string =>
  unescaped(xml).replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Built-in number formats of days, those of East Asia among them. */
const isDayFormat = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** The numbers of the styles of cells that show a number as a day. */
function dayStylesOf(xml: string): Set<number> {
  const customFormats = new Set<number>();
  for (const [, attributes = ''] of xml.matchAll(/<numFmt\s([^>]*)>/g)) {
    const { numFmtId, formatCode = '' } = attributesOf(attributes);
    // Without texts, conditions and the exponent of a number (0.00E+00).
    const code = formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\.|E[+-]/g, '');
    // y: year; d: day; e and g: year and name of a Japanese era.
    if (/[yYdDeEg]/.test(code) && !/General/i.test(code)) customFormats.add(Number(numFmtId));
  }
  const formats = /<cellXfs\b[^>]*>([\s\S]*?)<\/cellXfs>/.exec(xml)?.[1] ?? '';
  const styles = [...formats.matchAll(/<xf\s([^>]*?)\/?>/g)].map(([, attributes = '']) => attributesOf(attributes));
  const isDay = (format: number): boolean => isDayFormat(format) || customFormats.has(format);
  return new Set(styles.flatMap(({ numFmtId }, i) => (isDay(Number(numFmtId)) ? [i] : [])));
}

/** The number of a column from 0 by the name of a cell: B7 is in column 1. */
function columnOf(cell: string): number {
  const letters = /^[A-Z]{1,3}/.exec(cell)?.[0] ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The attributes in the text of a tag. */
const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w:]+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', value, other = '']) => [
      name,
      unescaped(value ?? other),
    ]),
  );

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text of XML with its entities replaced. */
const unescaped = (text: string): string =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (all, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? all;
    const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/**
 * Rows of a workbook as a CSV table with a byte order mark, so that the readers of CSV read workbooks too. Cells have no
 * line breaks. A row without cells becomes an empty line, which those readers count as blank.
 */
export function csvOf(rows: readonly (readonly string[])[]): Uint8Array {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const cell = (text = ''): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((row) =>
    row.length === 0 ? '' : Array.from({ length: width }, (_, i) => cell(row[i])).join(','),
  );
  return new TextEncoder().encode(`\ufeff${lines.join('\r\n')}\r\n`);
}
