import { japaneseDecoder, PublishedFileError } from './published-file.ts';

/**
 * The attribute table of a shapefile (`.dbf`, dBASE III). Source of the layout: dBASE III Plus table file
 * header: 32 bytes of header (record count at 4, header and record length at 8 and 10), 32 bytes per field
 * until 0x0D, then records of fixed width that begin with a deletion mark.
 */
interface DbaseTable {
  /** All columns of the file, including those that are not read. */
  columns: string[];
  /** One row for each record of the file, in order: row i belongs to shape i. Null for a deleted record. */
  rows: (Record<string, string> | null)[];
}

const DELETED = 0x2a;
const END_OF_FIELDS = 0x0d;
/** Bytes of the header of a table, and of the description of each field after it. */
const DBASE_BLOCK = 32;

/** A field: its name, and its bytes in a record from `start` up to, but without, `end`. */
interface DbaseField {
  name: string;
  start: number;
  end: number;
}

/** The fields that a table describes, in order. The first field of a record follows its deletion mark of one byte. */
function dbaseFields(bytes: Uint8Array, headerBytes: number): DbaseField[] {
  const fields: DbaseField[] = [];
  const lastBlock = Math.min(headerBytes, bytes.length) - DBASE_BLOCK;
  let start = 1;
  for (let at = DBASE_BLOCK; at <= lastBlock && bytes[at] !== END_OF_FIELDS; at += DBASE_BLOCK) {
    // A description begins with the name, padded with zeros. Byte 16 is the length of the field.
    const name = String.fromCharCode(...bytes.subarray(at, at + 11)).split('\0')[0];
    const end = start + bytes[at + 16];
    fields.push({ name, start, end });
    start = end;
  }
  return fields;
}

/** Limit of the records of a table. Japan has 220,000 small areas. */
const MOST_RECORDS = 2_000_000;

/** A header without fields: 32 bytes and the byte that ends it. */
const LEAST_BYTES = 33;

/**
 * Reads every row as trimmed text, whatever the type of the field. A deleted row is null, so that the others keep the
 * numbers of their shapes.
 * @param bytes the whole file
 * @param file its name, for messages
 * @param wanted the columns to read; by default all
 * @throws PublishedFileError when the file is cut off, is not a dBASE table, has more than 2,000,000 records, or when its
 * text is neither cp932 nor UTF-8
 */
export function readDbase(bytes: Uint8Array, file: string, wanted?: readonly string[]): DbaseTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < LEAST_BYTES)
    throw new PublishedFileError(`${file}: not a dBASE table (${bytes.byteLength} bytes)`);
  const count = view.getUint32(4, true);
  const headerBytes = view.getUint16(8, true);
  const rowBytes = view.getUint16(10, true);

  const fields = dbaseFields(bytes, headerBytes);
  if (fields.length === 0 || fields[fields.length - 1].end > rowBytes) {
    throw new PublishedFileError(`${file}: not a dBASE table (its fields do not fit its records of ${rowBytes} bytes)`);
  }
  if (count > MOST_RECORDS) {
    throw new PublishedFileError(
      `${file}: ${count} records; at most ${MOST_RECORDS} are read, and all Japan has 220,000`,
    );
  }
  const body = bytes.subarray(headerBytes, headerBytes + count * rowBytes);
  if (body.length < count * rowBytes) {
    const complete = Math.floor(body.length / rowBytes);
    throw new PublishedFileError(`${file}: cut off after ${complete} of ${count} records. Fetch it again`);
  }

  const decoder = japaneseDecoder(body, file);
  const wantedFields = wanted === undefined ? fields : fields.filter(({ name }) => wanted.includes(name));
  const rows: DbaseTable['rows'] = [];
  for (let row = 0; row < count; row++) {
    const record = body.subarray(row * rowBytes, (row + 1) * rowBytes);
    if (record[0] === DELETED) {
      rows.push(null);
      continue;
    }
    const cells = wantedFields.map(({ name, start, end }) => [name, text(record.subarray(start, end), row + 1, name)]);
    rows.push(Object.fromEntries(cells));
  }
  return { columns: fields.map((field) => field.name), rows };

  /** The text of a field of the record with this number. */
  function text(field: Uint8Array, row: number, column: string): string {
    try {
      return decoder.decode(field).replace(/\0/g, '').trim();
    } catch {
      throw new PublishedFileError(
        `${file}: record ${row}, ${column}: not ${decoder.encoding} text (cut in a character?)`,
      );
    }
  }
}
