import { PublishedFileError } from './published-file.ts';

/**
 * Polygons of an ESRI shapefile's main file (`.shp`). Format: ESRI Shapefile Technical Description, July 1998. Reads
 * the types in which small areas are published: Polygon (5) and its Z and M forms (15, 25), without the extra
 * ordinates.
 */

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

/** A closed ring has at least a triangle's points and the first one again. */
const LEAST_RING_POINTS = 4;

/** Reads the rings of a polygon record. */
function readPolygon(view: DataView, record: ShapeRecord): ShapeRings {
  const type = view.getInt32(record.start, true);
  if (type === NULL_SHAPE) return [];
  if (!POLYGON_TYPES.includes(type))
    throw new PublishedFileError(`${record.where()}: shape type ${type} is not a polygon`);
  return partsOf(view, record, LEAST_RING_POINTS).map((ring, i) => {
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
