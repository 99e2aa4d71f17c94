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

/** What decides how high a building stands. */
type Heights = Pick<SquareBuilding, 'heightMethod' | 'heightSource' | 'measuredHeightM' | 'storeys' | 'baseM' | 'topM'>;

/**
 * A building with the height at which it stands. The height of a placeholder follows from its storeys where they are published;
 * its "measured" height is that of the box, and no measurement.
 */
export function standing<Building extends Heights>(building: Building, rule: HeightRule): Building {
  const { heightMethod, measuredHeightM, storeys, baseM } = building;
  if (heightMethod === PLACEHOLDER) {
    if (storeys === null) return { ...building, measuredHeightM: null };
    return {
      ...building,
      measuredHeightM: null,
      topM: baseM + storeys * PLACEHOLDER_STOREY_M,
      heightSource: 'storeys',
    };
  }
  if (rule === 'solid' || measuredHeightM === null) return building;
  return { ...building, topM: baseM + measuredHeightM, heightSource: 'measured_height' };
}
