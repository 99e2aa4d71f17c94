import type { SunlightAnswers, TownSun } from '../../dataset/sunlight.ts';

export type Mean = 'december_top_hours' | 'december_first_hours' | 'annual_hours';
export const MEANS: readonly Mean[] = ['december_top_hours', 'december_first_hours', 'annual_hours'];

/** The mean hours of the buildings of a town, or of several towns. */
export type MeanSun = Pick<TownSun, 'buildings' | Mean>;

/** Several towns together: means weighted by their buildings. Null when no building was computed. */
function together(towns: readonly TownSun[]): MeanSun | null {
  if (towns.length === 1) return towns[0];
  const buildings = towns.reduce((sum, town) => sum + town.buildings, 0);
  if (buildings === 0) return null;
  const weighted = (mean: Mean): number =>
    towns.reduce((sum, town) => sum + town[mean] * town.buildings, 0) / buildings;
  return {
    buildings,
    december_top_hours: weighted(MEANS[0]),
    december_first_hours: weighted(MEANS[1]),
    annual_hours: weighted(MEANS[2]),
  };
}

/** The mean hours of a town, of a whole town with chome, or of a ward: the beginning of its towns' codes. */
export const meanSun = (sunlight: SunlightAnswers, code: string): MeanSun | null =>
  together(sunlight.townSun().filter(({ town_code }) => town_code.startsWith(code)));
