import { type ShadingSource, type SourceBuildings, shadingSources } from '../../city/shading-sources.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { timeWindows } from '../../record/answers.ts';
import { centimetres, fromCentimetres, fromTenthDegrees, tenthDegrees } from '../../record/units.ts';
import type { ReceptorSunlight } from '../../sunlight/floor.ts';
import { roundedHours } from '../../sunlight/summary.ts';
import { meanMinutes, sunlitWindows } from '../../sunlight/windows.ts';
import { shareSteps } from './assessments.ts';

/** A day (0–11) of the curves, and its date. */
export interface ShadeDay {
  day: number;
  date: string;
}

type Shade = NonNullable<BuildingFloor['faces'][number]['shade']>[number];

/** Buildings that are listed of those that shade a face on one day. */
const MOST_SOURCES = 10;

/** Tells of faces of a building who shades them on some days, and when. */
export const faceShade =
  (sources: SourceBuildings, own: number, days: readonly ShadeDay[]) =>
  (receptors: readonly ReceptorSunlight[]): Shade[] =>
    days.map(({ date }, i) => ({ date, ...shadeOfDay(sources, own, intervalsByBuilding(receptors, i)) }));

/** Of each building that shades a face the intervals of every receptor. */
function intervalsByBuilding(receptors: readonly ReceptorSunlight[], day: number): Map<number, number[][]> {
  const byBuilding = new Map<number, number[][]>();
  for (const [i, { shade }] of receptors.entries()) {
    for (const [building, intervals] of shade[day]) {
      const ofReceptors = byBuilding.get(building) ?? receptors.map(() => []);
      ofReceptors[i] = [...intervals];
      byBuilding.set(building, ofReceptors);
    }
  }
  return byBuilding;
}

function shadeOfDay(
  sources: SourceBuildings,
  own: number,
  byBuilding: ReadonlyMap<number, readonly number[][]>,
): Omit<Shade, 'date'> {
  const buildings = [...byBuilding]
    .map(([building, intervals]) => ({
      building,
      intervals,
      blockedMinutes: meanMinutes(intervals.flat(), intervals.length),
    }))
    .sort((a, b) => b.blockedMinutes - a.blockedMinutes || a.building - b.building);
  const minutes = buildings.reduce((sum, { blockedMinutes }) => sum + blockedMinutes, 0);
  const listed = buildings.slice(0, MOST_SOURCES);
  const described = shadingSources(sources, own, { sources: listed, blockedMinutes: minutes }, 1);
  return {
    shaded_hours: roundedHours(minutes),
    sources: described.map((source, i) => ({
      ...sourceMembers(source),
      is_own: listed[i].building === own,
      shaded_hours: roundedHours(listed[i].blockedMinutes),
      shaded_windows: timeWindows(sunlitWindows(listed[i].intervals.flat(), listed[i].intervals.length)),
      shade_share: shareSteps(listed[i].intervals),
    })),
    other_hours: roundedHours(buildings.slice(MOST_SOURCES).reduce((sum, one) => sum + one.blockedMinutes, 0)),
  };
}

/** Which building shades, where it stands and how high it is. */
export const sourceMembers = ({ buildingId, distanceM, azimuthDeg, heightM }: ShadingSource) => ({
  building_id: buildingId,
  distance_m: fromCentimetres(centimetres(distanceM)),
  azimuth_deg: fromTenthDegrees(tenthDegrees(azimuthDeg)),
  height_m: fromCentimetres(centimetres(heightM)),
});
