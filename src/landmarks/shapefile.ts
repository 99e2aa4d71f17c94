import { readDbase, shapeRecords } from '../census/shapefile.ts';
import type { LandmarksRead } from './geojson.ts';
import { checkPlaces, type Landmark, LandmarkFileError, layerOf } from './landmark.ts';

/** Shape types of the ESRI Shapefile Technical Description (July 1998), with their Z and M forms. */
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
 * @throws LandmarkFileError, CensusFileError when a file is damaged, or the files do not belong together
 */
export function readShapefile(shapes: Uint8Array, table: Uint8Array, file: string): LandmarksRead {
  const { rows } = readDbase(table, file.replace(/\.shp$/i, '.dbf'));
  const view = new DataView(shapes.buffer, shapes.byteOffset, shapes.byteLength);
  const landmarks: Landmark[] = [];
  let [record, passedOver] = [0, 0];
  for (const { start, length, where } of shapeRecords(view, file)) {
    const row = rows[record++];
    if (row === undefined) throw new LandmarkFileError(`${where()}: the .dbf has only ${rows.length} records`);
    const about = row === null ? null : layerOf(row);
    const shape = SHAPES[view.getInt32(start, true)];
    if (about === null || shape === undefined) {
      passedOver++;
      continue;
    }
    const parts = partsOf(view, start, length, shape, where());
    checkPlaces(parts, where());
    landmarks.push({ ...about, shape, parts });
  }
  return { landmarks, passedOver };
}

/**
 * The content of a record: type, then a point; or box, numbers of parts and points, first point of each part, points.
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
    if (length < 20) throw new LandmarkFileError(`${where}: a point of ${length} bytes`);
    return [Float64Array.from(point(start + 4))];
  }
  const [parts, points] = length >= 44 ? [view.getInt32(start + 36, true), view.getInt32(start + 40, true)] : [-1, -1];
  const first = start + 44 + 4 * parts;
  if (parts < 0 || points < 0 || 44 + 4 * parts + 16 * points > length) {
    throw new LandmarkFileError(`${where}: its ${parts} parts and ${points} points do not fit its ${length} bytes`);
  }
  return Array.from({ length: parts }, (_, part) => {
    const from = view.getInt32(start + 44 + 4 * part, true);
    const to = part + 1 < parts ? view.getInt32(start + 48 + 4 * part, true) : points;
    if (from < 0 || to > points || to <= from) {
      throw new LandmarkFileError(`${where}: part ${part + 1} runs from point ${from} to ${to} of ${points}`);
    }
    const out = new Float64Array(2 * (to - from));
    for (let i = from; i < to; i++) out.set(point(first + 16 * i), 2 * (i - from));
    return out;
  });
}
