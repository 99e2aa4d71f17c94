import { checkInJapan, PublishedFileError } from '../census/published-file.ts';
import { type Landmark, layerOf } from './landmark.ts';

type Position = readonly number[];

/** For each type of geometry: the shape of the landmark, and how many lists are around a position. */
const SHAPES: Readonly<Record<string, { shape: Landmark['shape']; depth: number }>> = {
  Point: { shape: 'point', depth: 0 },
  MultiPoint: { shape: 'point', depth: 1 },
  LineString: { shape: 'line', depth: 1 },
  MultiLineString: { shape: 'line', depth: 2 },
  Polygon: { shape: 'area', depth: 2 },
  MultiPolygon: { shape: 'area', depth: 3 },
};

/** What was read of a file, and the number of records that are not landmarks. */
export interface FileLandmarks {
  landmarks: Landmark[];
  passedOver: number;
}

/**
 * The landmarks of a GeoJSON file of 国土数値情報.
 * @throws PublishedFileError when it is not GeoJSON, or when a landmark has no coordinates or is outside Japan
 */
export function readGeoJson(text: string, file: string): FileLandmarks {
  let collection: { features?: unknown };
  try {
    collection = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new PublishedFileError(`${file}: is not JSON (${(error as Error).message})`);
  }
  if (collection === null || typeof collection !== 'object' || !Array.isArray(collection.features)) {
    throw new PublishedFileError(`${file}: is no GeoJSON; expected a FeatureCollection with features`);
  }
  const landmarks: Landmark[] = [];
  let passedOver = 0;
  for (const [i, feature] of (collection.features as GeoJsonFeature[]).entries()) {
    const properties: unknown = feature?.properties;
    const layer = isObject(properties) ? layerOf(properties) : null;
    const type = SHAPES[feature?.geometry?.type ?? ''];
    if (layer === null || type === undefined) {
      passedOver++;
      continue;
    }
    const where = `${file}: feature ${i + 1}`;
    for (const parts of partsOf(feature.geometry?.coordinates, type, where)) {
      checkInJapan(parts, where);
      landmarks.push({ ...layer, shape: type.shape, parts });
    }
  }
  return { landmarks, passedOver };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

interface GeoJsonFeature {
  properties?: unknown;
  geometry?: { type?: string; coordinates?: unknown } | null;
}

/**
 * The landmarks of a geometry, each as its parts. Each point and each area is a landmark; all lines together are one.
 * @param type the kind of landmark, and how many arrays are around each position (0 for a `Point`)
 * @throws PublishedFileError when there are no coordinates, or not in so many arrays
 */
function partsOf(
  coordinates: unknown,
  type: { shape: Landmark['shape']; depth: number },
  where: string,
): Float64Array[][] {
  const { shape, depth } = type;
  const listIn = (value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    throw new PublishedFileError(
      `${where}: has ${String(JSON.stringify(value)).slice(0, 40)} where a list of coordinates is expected`,
    );
  };
  const positionOf = (value: unknown): Position => [Number(listIn(value)[0]), Number(listIn(value)[1])];
  const flat = (positions: unknown): Float64Array => Float64Array.from(listIn(positions).flatMap(positionOf));
  // Point and MultiPoint; LineString; MultiLineString and Polygon; MultiPolygon.
  if (depth === 0) return [[flat([coordinates])]];
  if (shape === 'point') return listIn(coordinates).map((position) => [flat([position])]);
  if (depth === 1) return [[flat(coordinates)]];
  if (depth === 2) return [listIn(coordinates).map(flat)];
  return listIn(coordinates).map((rings) => listIn(rings).map(flat));
}
