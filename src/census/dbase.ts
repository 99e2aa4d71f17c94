import { TextDecoder } from 'node:util';
import { CensusFileError } from './shapefile.ts';

/** Bytes decoded at a time, so that the text of a large file is never in memory as a whole. */
const PIECE = 1 << 20;

/**
 * Chooses the decoder for Japanese bytes: UTF-8 when they are valid UTF-8, otherwise cp932 (WHATWG `shift_jis`, which
 * is Microsoft's table). cp932 text of more than a few characters is never valid UTF-8. So the bytes decide; many of
 * these files declare no encoding.
 * @throws CensusFileError when they are neither
 */
export function japaneseDecoder(bytes: Uint8Array, file: string): TextDecoder {
  for (const encoding of ['utf-8', 'shift_jis']) {
    try {
      const check = new TextDecoder(encoding, { fatal: true });
      for (let at = 0; at < bytes.length; at += PIECE) check.decode(bytes.subarray(at, at + PIECE), { stream: true });
      check.decode();
      return new TextDecoder(encoding, { fatal: true });
    } catch {
      // Try the next encoding.
    }
  }
  throw new CensusFileError(`${file}: its text is neither cp932 (Shift_JIS) nor UTF-8`);
}

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

/** Limit of the records of a table. Japan has 220,000 small areas. */
const MOST_RECORDS = 2_000_000;

/**
 * Reads every row as trimmed text, whatever the type of the field.
 * @param bytes the whole file
 * @param file its name, for messages
 * @param wanted the columns to read; by default all
 * @throws CensusFileError when the file is cut off, is not a dBASE table, has more than 2,000,000 records, or when its
 * text is neither cp932 nor UTF-8
 */
export function readDbase(bytes: Uint8Array, file: string, wanted?: readonly string[]): DbaseTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 33) throw new CensusFileError(`${file}: not a dBASE table (${bytes.byteLength} bytes)`);
  const count = view.getUint32(4, true);
  const headerBytes = view.getUint16(8, true);
  const rowBytes = view.getUint16(10, true);

  const fields: { name: string; start: number; end: number }[] = [];
  let start = 1;
  for (let at = 32; at + 32 <= headerBytes && at + 32 <= bytes.length && bytes[at] !== END_OF_FIELDS; at += 32) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 11)).split('\0')[0];
    const end = start + view.getUint8(at + 16);
    fields.push({ name, start, end });
    start = end;
  }
  if (fields.length === 0 || start > rowBytes) {
    throw new CensusFileError(`${file}: not a dBASE table (its fields do not fit its records of ${rowBytes} bytes)`);
  }
  if (count > MOST_RECORDS) {
    throw new CensusFileError(`${file}: ${count} records; at most ${MOST_RECORDS} are read, and all Japan has 220,000`);
  }
  const body = bytes.subarray(headerBytes, headerBytes + count * rowBytes);
  if (body.length < count * rowBytes) {
    const whole = Math.floor(body.length / rowBytes);
    throw new CensusFileError(`${file}: cut off after ${whole} of ${count} records. Fetch it again`);
  }

  const decoder = japaneseDecoder(body, file);
  const read = wanted === undefined ? fields : fields.filter(({ name }) => wanted.includes(name));
  const rows: DbaseTable['rows'] = [];
  for (let row = 0; row < count; row++) {
    const record = body.subarray(row * rowBytes, (row + 1) * rowBytes);
    if (record[0] === DELETED) {
      rows.push(null);
      continue;
    }
    const cells = read.map(({ name, start, end }) => [name, text(record.subarray(start, end), row + 1, name)]);
    rows.push(Object.fromEntries(cells));
  }
  return { columns: fields.map((field) => field.name), rows };

  function text(field: Uint8Array, row: number, column: string): string {
    try {
      return decoder.decode(field).replace(/\0/g, '').trim();
    } catch {
      throw new CensusFileError(
        `${file}: record ${row}, ${column}: not ${decoder.encoding} text (cut in a character?)`,
      );
    }
  }
}
