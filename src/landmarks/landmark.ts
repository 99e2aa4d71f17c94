import { LONGITUDE_SCALE } from '../geo/degree.ts';

/** The kinds of landmarks. Each is a layer of the map. */
export const LANDMARK_LAYERS = ['roads', 'rails', 'stations', 'water', 'parks'] as const;
type LandmarkLayer = (typeof LANDMARK_LAYERS)[number];

/** A thing on a map, besides buildings, by which people find their way. */
export interface Landmark {
  layer: LandmarkLayer;
  /** As published; null: it has none. */
  name: string | null;
  /** Hiragana of a station, when it could be found in the names of towns. */
  reading?: string | null;
  shape: 'point' | 'line' | 'area';
  /** A point, lines, or the rings of one area with the outer one first and closed: `[lon, lat, …]` in degrees. */
  parts: Float64Array[];
}

/** What stands for the name of a river or lake without one. */
const NO_NAME = /^(名称不明|不明|)$/;

/**
 * The layer and name of a record of 国土数値情報, by its attributes: stations and railways (N02), rivers (W05), lakes (W09),
 * parks (P13). Null for any other record.
 */
export function layerOf(attributes: Readonly<Record<string, unknown>>): Pick<Landmark, 'layer' | 'name'> | null {
  const text = (key: string): string | null => {
    const value = attributes[key];
    const trimmed = typeof value === 'string' ? value.trim() : '';
    return NO_NAME.test(trimmed) ? null : trimmed;
  };
  // Stations before railways: they have N02_003 too.
  if ('N02_005' in attributes) return { layer: 'stations', name: text('N02_005') };
  if ('N02_003' in attributes) return { layer: 'rails', name: text('N02_003') };
  // Some rivers have no attribute of a name.
  if ('W05_004' in attributes || 'W05_002' in attributes) return { layer: 'water', name: text('W05_004') };
  if ('W09_001' in attributes) return { layer: 'water', name: text('W09_001') };
  if ('P13_003' in attributes) return { layer: 'parks', name: text('P13_003') };
  return null;
}

/** Platforms of the same name within this distance are one station, degrees of latitude: 300 m. */
const SAME_STATION = 0.0027;

/**
 * The same landmarks, with each station once, as a point in the middle of its first platform. It is published as a line
 * for each railway. A station without a name or a line is left out.
 */
export function stationsOnce(landmarks: readonly Landmark[]): Landmark[] {
  const platforms = new Map<string, Float64Array[]>();
  return landmarks.flatMap((landmark): Landmark[] => {
    const { layer, name, parts } = landmark;
    if (layer !== 'stations') return [landmark];
    const [line] = parts;
    if (line === undefined || name === null) return [];
    // A line is `[lon, lat, …]`, so its middle point begins at an even index.
    const middle = 2 * Math.floor(line.length / 4);
    const point = line.slice(middle, middle + 2);
    const isNear = ([lon, lat]: Float64Array): boolean =>
      Math.hypot((lon - point[0]) * LONGITUDE_SCALE, lat - point[1]) < SAME_STATION;
    const others = platforms.get(name) ?? [];
    if (others.some(isNear)) return [];
    platforms.set(name, [...others, point]);
    return [{ ...landmark, shape: 'point', parts: [point] }];
  });
}
