import { TextDecoder } from 'node:util';
import { isInJapan } from '../geo/grid-square.ts';

/**
 * Polygons of an ESRI shapefile's main file (`.shp`). Format: ESRI Shapefile Technical Description, July 1998. Reads
 * the types in which small areas are published: Polygon (5) and its Z and M forms (15, 25), without the extra
 * ordinates.
 */

/** The input is not a valid file of its kind. The message names the file and the place in it. */
export class PublishedFileError extends Error {
  override name = 'PublishedFileError';
}

const FILE_CODE = 9994;
const HEADER_BYTES = 100;
const NULL_SHAPE = 0;
const POLYGON_TYPES: readonly number[] = [5, 15, 25];
/** Bytes of the type (4), the box (32) and the two counts (4 each) of a line or polygon; and of a point. */
const HEAD_BYTES = 44;
const POINT_BYTES = 16;

/**
 * The rings of one record, in the order of the file. Each is `[x, y, x, y, …]`, without the repeated last point. Empty
 * for a null shape.
 */
type ShapeRings = Float64Array[];

/** A record of a `.shp` file: where its content starts, and its length in bytes. */
export interface ShapeRecord {
  start: number;
  length: number;
  /** Names the record in a message. */
  where: () => string;
}

/**
 * The records of a `.shp` file, in order. Checks the header of the file at once.
 * @param file its name, for messages
 * @throws PublishedFileError when it is not a shapefile, or is cut off
 */
export function shapeRecords(view: DataView, file: string): Iterable<ShapeRecord> {
  if (view.byteLength < HEADER_BYTES || view.getInt32(0, false) !== FILE_CODE) {
    throw new PublishedFileError(`${file}: not a shapefile (it does not begin with file code ${FILE_CODE})`);
  }
  // The length of the file, in words of 16 bits.
  const end = view.getInt32(24, false) * 2;
  if (end > view.byteLength) {
    throw new PublishedFileError(
      `${file}: cut off after ${view.byteLength} bytes; its header says ${end}. Fetch it again`,
    );
  }
  return recordsUpTo(view, end, file);
}

/**
 * The records from the header to `end`, which is the length that the header says.
 * @throws PublishedFileError for a record that does not fit the file
 */
function* recordsUpTo(view: DataView, end: number, file: string): Generator<ShapeRecord> {
  let number = 1;
  for (let at = HEADER_BYTES; at < end; number++) {
    // Constants, because the message may be made later.
    const [begin, record] = [at, number];
    const where = () => `${file}: record ${record} at byte ${begin}`;
    // A record begins with its number and its length in words of 16 bits.
    const start = begin + 8;
    const length = start + 4 <= end ? view.getInt32(begin + 4, false) * 2 : 0;
    if (length < 4 || start + length > end) throw new PublishedFileError(`${where()} does not fit the file`);
    yield { start, length, where };
    at = start + length;
  }
}

/**
 * Reads every record of a `.shp` file, in order.
 * @param bytes the whole file
 * @param file its name, for messages
 * @throws PublishedFileError when it is not a shapefile, is cut off, or contains other shapes than polygons
 */
export function readShapes(bytes: Uint8Array, file: string): ShapeRings[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records = shapeRecords(view, file);
  // The header has the type of all shapes at byte 32.
  const type = view.getInt32(32, true);
  if (!POLYGON_TYPES.includes(type)) {
    throw new PublishedFileError(`${file}: holds shapes of type ${type}; small areas are polygons (type 5)`);
  }
  return Array.from(records, (record) => readPolygon(view, record));
}

/** Reads the rings of a polygon record. */
function readPolygon(view: DataView, record: ShapeRecord): ShapeRings {
  const type = view.getInt32(record.start, true);
  if (type === NULL_SHAPE) return [];
  if (!POLYGON_TYPES.includes(type))
    throw new PublishedFileError(`${record.where()}: shape type ${type} is not a polygon`);
  return partsOf(view, record, 4).map((ring, i) => {
    if (!ring.every(Number.isFinite))
      throw new PublishedFileError(`${record.where()}: part ${i + 1} has a number that is not finite`);
    // The last point repeats the first and is dropped.
    return ring.subarray(0, -2);
  });
}

/**
 * The parts of a record of lines or polygons: `[x, y, x, y, …]` of each. The head of the record has its type, its box and
 * the numbers of parts and points. Then come the index of the first point of each part (4 bytes), and the points.
 * @param least points of a part
 * @throws PublishedFileError when the numbers do not fit the length of the record
 */
export function partsOf(view: DataView, { start, length, where }: ShapeRecord, least: number): Float64Array[] {
  const hasHead = length >= HEAD_BYTES;
  const parts = hasHead ? view.getInt32(start + 36, true) : -1;
  const points = hasHead ? view.getInt32(start + 40, true) : -1;
  const firstIndex = start + HEAD_BYTES;
  const firstPoint = firstIndex + 4 * parts;
  if (parts < 0 || points < 0 || HEAD_BYTES + 4 * parts + POINT_BYTES * points > length) {
    throw new PublishedFileError(`${where()}: its ${parts} parts and ${points} points do not fit its ${length} bytes`);
  }
  return Array.from({ length: parts }, (_, part) => {
    const from = view.getInt32(firstIndex + 4 * part, true);
    const to = part + 1 < parts ? view.getInt32(firstIndex + 4 * (part + 1), true) : points;
    if (from < 0 || to > points || to - from < least) {
      throw new PublishedFileError(`${where()}: part ${part + 1} runs from point ${from} to ${to} of ${points}`);
    }
    const positions = new Float64Array(2 * (to - from));
    for (let i = 0; i < positions.length; i++)
      positions[i] = view.getFloat64(firstPoint + POINT_BYTES * from + 8 * i, true);
    return positions;
  });
}

/**
 * Datums whose degrees can be used as JGD2011. JGD2000 and WGS 84 differ from it by less than the accuracy of the
 * borders. The old Tokyo datum differs by more than 400 m.
 */
const SAME_DEGREES = /JGD[_ ]?2011|JGD[_ ]?2000|Japanese[_ ]Geodetic[_ ]Datum[_ ]20(11|00)|WGS[_ ]?(19)?84/i;

/**
 * Checks the coordinate system of a shapefile by the text of its `.prj` (well-known text).
 * @throws PublishedFileError when it is not in degrees of JGD2011 or an equal datum
 */
export function checkProjection(prj: string, file: string): void {
  const wkt = prj.trim();
  if (wkt === '')
    throw new PublishedFileError(`${file}: is empty; get it again, or leave it out for degrees of JGD2011`);
  const name = /^[A-Z]+\s*\[\s*"([^"]*)"/i.exec(wkt)?.[1] ?? wkt.slice(0, 40);
  if (/^PROJ(CS|CRS)\b/i.test(wkt)) {
    throw new PublishedFileError(
      `${file}: plane coordinates (${name}). Fetch the small areas in degrees of the world geodetic system (JGD2011)`,
    );
  }
  const datum = /DATUM\s*\[\s*"([^"]*)"/i.exec(wkt)?.[1] ?? '';
  if (!/^GEOG(CS|CRS)\b/i.test(wkt) || !SAME_DEGREES.test(`${name} ${datum}`)) {
    throw new PublishedFileError(
      `${file}: coordinate system ${name || '(unnamed)'} with datum ${datum || '(none)'}; expected degrees of JGD2011`,
    );
  }
}

/**
 * Checks that coordinates are longitude and latitude in Japan, degrees. A `.prj` may be wrong or missing.
 * @param parts `[x, y, …]` of each
 * @param where file and record, for the message
 * @throws PublishedFileError with the first point that is not in Japan
 */
export function checkInJapan(parts: readonly Float64Array[], where: string): void {
  for (const part of parts) {
    for (let i = 0; i + 1 < part.length; i += 2) {
      const [lon, lat] = [part[i], part[i + 1]];
      if (isInJapan(lat, lon)) continue;
      throw new PublishedFileError(
        `${where}: point ${lon}, ${lat} is not longitude and latitude of a place in Japan; expected degrees of JGD2011`,
      );
    }
  }
}

/** Bytes decoded at a time, so that the text of a large file is never in memory as a whole. */
const PIECE = 1024 * 1024;

/**
 * Chooses the decoder for Japanese bytes: UTF-8 when they are valid UTF-8, otherwise cp932 (WHATWG `shift_jis`, which
 * is Microsoft's table). cp932 text of more than a few characters is never valid UTF-8. So the bytes decide; many of
 * these files declare no encoding.
 * @throws PublishedFileError when they are neither
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
  throw new PublishedFileError(`${file}: its text is neither cp932 (Shift_JIS) nor UTF-8: convert it to one of them`);
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

/**
 * Reads every row as trimmed text, whatever the type of the field.
 * @param bytes the whole file
 * @param file its name, for messages
 * @param wanted the columns to read; by default all
 * @throws PublishedFileError when the file is cut off, is not a dBASE table, has more than 2,000,000 records, or when its
 * text is neither cp932 nor UTF-8
 */
export function readDbase(bytes: Uint8Array, file: string, wanted?: readonly string[]): DbaseTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 33) throw new PublishedFileError(`${file}: not a dBASE table (${bytes.byteLength} bytes)`);
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
