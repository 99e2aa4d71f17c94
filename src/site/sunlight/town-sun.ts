import type { SunSort } from '../../contract/operations/sunlight-towns.ts';
import type { SunlightAnswers, TownSun } from '../../dataset/sunlight.ts';

/** The mean hours of the buildings of a town, or of several towns. */
export type MeanSun = Pick<TownSun, 'buildings' | SunSort>;

/** Several towns together: means weighted by their buildings. Null without towns: each has a computed building. */
function together(towns: readonly TownSun[]): MeanSun | null {
  if (towns.length === 0) return null;
  if (towns.length === 1) return towns[0];
  const buildings = towns.reduce((sum, town) => sum + town.buildings, 0);
  const weighted = (mean: SunSort): number =>
    towns.reduce((sum, town) => sum + town[mean] * town.buildings, 0) / buildings;
  return {
    buildings,
    december_top_hours: weighted('december_top_hours'),
    december_first_hours: weighted('december_first_hours'),
    annual_hours: weighted('annual_hours'),
  };
}

/** The mean hours of a town, of a whole town with chome, or of a ward: the beginning of its towns' codes. */
export const meanSun = (sunlight: SunlightAnswers, code: string): MeanSun | null =>
  together(sunlight.townSun().filter(({ town_code }) => town_code.startsWith(code)));
