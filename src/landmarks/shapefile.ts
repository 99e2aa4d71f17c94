import { PublishedFileError, readDbase, shapeRecords } from '../census/shapefile.ts';
import type { FileLandmarks } from './geojson.ts';
import { checkInJapan, type Landmark, layerOf } from './landmark.ts';

/**
 * The shapes of the types in the ESRI Shapefile Technical Description (July 1998). 10 more is the form with heights, 20
 * more the one with measures.
 */
const SHAPES: Readonly<Record<number, Landmark['shape']>> = {
  1: 'point',
  11: 'point',
  21: 'point',
  3: 'line',
  13: 'line',
  23: 'line',
  5: 'area',
  15: 'area',
  25: 'area',
};

/**
 * The landmarks of a shapefile of 国土数値情報, with their attributes.
 * @param shapes the `.shp`
 * @param table the `.dbf`
 * @throws PublishedFileError when a file is damaged, or the files do not belong together
 */
export function readShapefile(shapes: Uint8Array, table: Uint8Array, file: string): FileLandmarks {
  const { rows } = readDbase(table, file.replace(/\.shp$/i, '.dbf'));
  const view = new DataView(shapes.buffer, shapes.byteOffset, shapes.byteLength);
  const landmarks: Landmark[] = [];
  let record = 0;
  let passedOver = 0;
  for (const { start, length, where } of shapeRecords(view, file)) {
    const row = rows[record++];
    if (row === undefined) throw new PublishedFileError(`${where()}: the .dbf has only ${rows.length} records`);
    // A row that was deleted in the table is null.
    const layer = row === null ? null : layerOf(row);
    const shape = SHAPES[view.getInt32(start, true)];
    if (layer === null || shape === undefined) {
      passedOver++;
      continue;
    }
    const parts = partsOf(view, start, length, shape, where());
    checkInJapan(parts, where());
    landmarks.push({ ...layer, shape, parts });
  }
  return { landmarks, passedOver };
}

/** Bytes of a record before its points: of a point the type; of others type, box, and numbers of parts and points. */
const POINT_HEAD = 4;
const HEAD = 44;
/** Bytes of a point: two doubles. */
const POINT_BYTES = 16;

/**
 * The parts of a record. After its head it has the index of the first point of each part (4 bytes), then the points.
 * @throws PublishedFileError when its numbers do not fit its length
 */
function partsOf(
  view: DataView,
  start: number,
  length: number,
  shape: Landmark['shape'],
  where: string,
): Float64Array[] {
  const point = (at: number): [number, number] => [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
  if (shape === 'point') {
    if (length < POINT_HEAD + POINT_BYTES) throw new PublishedFileError(`${where}: a point of ${length} bytes`);
    return [Float64Array.from(point(start + POINT_HEAD))];
  }
  // The numbers of parts and of points are at bytes 36 and 40 of the head.
  const hasHead = length >= HEAD;
  const parts = hasHead ? view.getInt32(start + 36, true) : -1;
  const points = hasHead ? view.getInt32(start + 40, true) : -1;
  const firstIndex = start + HEAD;
  const firstPoint = firstIndex + 4 * parts;
  if (parts < 0 || points < 0 || HEAD + 4 * parts + POINT_BYTES * points > length) {
    throw new PublishedFileError(`${where}: its ${parts} parts and ${points} points do not fit its ${length} bytes`);
  }
  return Array.from({ length: parts }, (_, part) => {
    const from = view.getInt32(firstIndex + 4 * part, true);
    const to = part + 1 < parts ? view.getInt32(firstIndex + 4 * (part + 1), true) : points;
    if (from < 0 || to > points || to <= from) {
      throw new PublishedFileError(`${where}: part ${part + 1} runs from point ${from} to ${to} of ${points}`);
    }
    const positions = new Float64Array(2 * (to - from));
    for (let i = from; i < to; i++) positions.set(point(firstPoint + POINT_BYTES * i), 2 * (i - from));
    return positions;
  });
}
