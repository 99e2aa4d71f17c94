import { readDbase } from '../census/dbase.ts';
import { checkInJapan, PublishedFileError } from '../census/published-file.ts';
import { partsOf, type ShapeRecord, shapeRecords } from '../census/shapefile.ts';
import { nestedPolygons } from '../geo/polygon.ts';
import type { FileLandmarks } from './geojson.ts';
import { type Landmark, layerOf } from './landmark.ts';

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
  let passedOver = 0;
  let number = 0;
  for (const record of shapeRecords(view, file)) {
    const { start, where } = record;
    const row = rows[number++];
    if (row === undefined) throw new PublishedFileError(`${where()}: the .dbf has only ${rows.length} records`);
    // A row that was deleted in the table is null.
    const layer = row === null ? null : layerOf(row);
    const shape = SHAPES[view.getInt32(start, true)];
    if (layer === null || shape === undefined) {
      passedOver++;
      continue;
    }
    const parts = partsOfShape(view, record, shape);
    checkInJapan(parts, where());
    // A record may have several areas: each of them is a landmark.
    const shapes = shape === 'area' ? nestedPolygons(parts) : [parts];
    landmarks.push(...shapes.map((ofShape) => ({ ...layer, shape, parts: ofShape })));
  }
  return { landmarks, passedOver };
}

/** Bytes of the record of a point: its type (4 bytes), x and y. */
const POINT_BYTES = 20;

/** The parts of a record, `[x, y, …]` of each. */
function partsOfShape(view: DataView, record: ShapeRecord, shape: Landmark['shape']): Float64Array[] {
  const leastPoints = 1;
  if (shape !== 'point') return partsOf(view, record, leastPoints);
  const { start, length, where } = record;
  if (length < POINT_BYTES) throw new PublishedFileError(`${where()}: a point of ${length} bytes`);
  return [Float64Array.of(view.getFloat64(start + 4, true), view.getFloat64(start + 12, true))];
}
