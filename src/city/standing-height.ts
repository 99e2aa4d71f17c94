import { LocalPlane } from '../geo/plane.ts';
import { PLACEHOLDER, PLACEHOLDER_STOREY_M } from '../sunlight/storeys.ts';
import type { SquareBuilding } from './square-file.ts';

/**
 * How the height of a measured building is chosen: the published solid, or the measured height. Measured heights are
 * those of the highest point; most solids end at the median of the roof (docs/method.md, "Heights").
 */
export const HEIGHT_RULES = ['solid', 'measured'] as const;
export type HeightRule = (typeof HEIGHT_RULES)[number];

/** A building of unknown height within this distance counts as near, in metres between representative points. */
export const NEAR_UNKNOWN_HEIGHT_M = 100;

/**
 * Counts the buildings of unknown height near a building, without the building itself.
 * @param points lat, lon, lat, lon … of the buildings of unknown height
 */
export function placeholdersNear(
  { lat, lon, heightMethod }: Pick<SquareBuilding, 'lat' | 'lon' | 'heightMethod'>,
  points: readonly number[],
): number {
  // The points include the building itself when its height is unknown.
  let count = heightMethod === PLACEHOLDER ? -1 : 0;
  const plane = new LocalPlane(lat, lon);
  for (let i = 0; i < points.length; i += 2) {
    if (Math.hypot(plane.x(points[i], points[i + 1]), plane.y(points[i])) <= NEAR_UNKNOWN_HEIGHT_M) count++;
  }
  return count;
}

/** The attributes that decide the height of a building. */
type Heights = Pick<
  SquareBuilding,
  'roof' | 'heightMethod' | 'heightSource' | 'measuredHeightM' | 'storeys' | 'baseM' | 'topM'
>;

/**
 * A building with its chosen height: by `rule` that of its solid, or the measured one if there is any. The height of a
 * placeholder follows from its published storeys, if there are any. Its published "measured" height is that of the
 * placeholder, so it is dropped. Roof surfaces of LOD2 stay as they are.
 */
export function withChosenHeight<Building extends Heights>(building: Building, rule: HeightRule): Building {
  const { roof, heightMethod, measuredHeightM, storeys, baseM } = building;
  if (heightMethod === PLACEHOLDER) {
    if (storeys === null || roof === 'surfaces') return { ...building, measuredHeightM: null };
    return {
      ...building,
      measuredHeightM: null,
      topM: baseM + storeys * PLACEHOLDER_STOREY_M,
      heightSource: 'storeys',
    };
  }
  if (rule === 'solid' || measuredHeightM === null || roof === 'surfaces') return building;
  return { ...building, topM: baseM + measuredHeightM, heightSource: 'measured_height' };
}

/** The height of a doubtful solid exceeds this many times the square root of its footprint. */
const SLENDER = 8;
/** From this height on a smaller ratio is doubtful, metres: inhabited towers have a larger footprint. */
const VERY_HIGH_M = 250;
/** The ratio that is doubtful from this height on. Tokyo Tower (333 m) has 4.8. */
const SLENDER_AND_VERY_HIGH = 4.5;

/** True when a solid is probably not the shape of the real building: a mast, a lattice, a chimney. */
export function isDoubtfulShape(heightM: number, footprintM2: number): boolean {
  const slenderness = heightM / Math.sqrt(footprintM2);
  return slenderness > SLENDER || (heightM >= VERY_HIGH_M && slenderness > SLENDER_AND_VERY_HIGH);
}
