import { LocalPlane } from '../geo/plane.ts';
import type { SquareBuilding } from './square-file.ts';

/**
 * How high buildings stand that the publisher measured: as the published solid does, or by the measured height. Measured
 * heights are those of the highest point, solids mostly end at the median of the roof (docs/method.md, "Heights").
 */
export const HEIGHT_RULES = ['solid', 'measured'] as const;
export type HeightRule = (typeof HEIGHT_RULES)[number];

/** The code of `uro:lod1HeightType` for a box of uniform height: the building could not be measured. */
export const PLACEHOLDER = '0';

/**
 * Height of a placeholder for each storey that is published, metres. Placeholders are small, and small buildings of one storey
 * that were measured stand 3.2 to 4.0 m high.
 */
const PLACEHOLDER_STOREY_M = 3.6;

/** Buildings of unknown height count as near to a building up to this distance between their representative points, metres. */
export const NEAR_PLACEHOLDER_M = 100;

/** How many of some buildings of unknown height (lat, lon, lat, lon …) stand near a building, itself left out. */
export function placeholdersNear(
  { lat, lon, heightMethod }: Pick<SquareBuilding, 'lat' | 'lon' | 'heightMethod'>,
  points: readonly number[],
): number {
  let near = heightMethod === PLACEHOLDER ? -1 : 0;
  const plane = new LocalPlane(lat, lon);
  for (let i = 0; i < points.length; i += 2) {
    if (Math.hypot(plane.x(points[i], points[i + 1]), plane.y(points[i])) <= NEAR_PLACEHOLDER_M) near++;
  }
  return near;
}

/** What decides how high a building stands. */
type Heights = Pick<
  SquareBuilding,
  'roof' | 'heightMethod' | 'heightSource' | 'measuredHeightM' | 'storeys' | 'baseM' | 'topM'
>;

/**
 * A building with the height at which it stands. The height of a placeholder follows from its storeys where they are published;
 * its "measured" height is that of the box, and no measurement. Roof surfaces of LOD2 stand as they are.
 */
export function standing<Building extends Heights>(building: Building, rule: HeightRule): Building {
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
