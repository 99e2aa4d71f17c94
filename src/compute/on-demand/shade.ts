import { type ShadingSource, type SourceBuildings, shadingSources } from '../../city/shading-sources.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { timeWindows } from '../../record/answers.ts';
import { centimetres, fromCentimetres, fromTenthDegrees, tenthDegrees } from '../../record/units.ts';
import type { ReceptorSunlight } from '../../sunlight/floor.ts';
import { ShadingTally } from '../../sunlight/result.ts';
import { roundedHours } from '../../sunlight/summary.ts';
import { meanMinutes, sunlitWindows } from '../../sunlight/windows.ts';
import { shareSteps } from './assessments.ts';

/** A day (0–11) of the curves, and its date. */
export interface ShadeDay {
  day: number;
  date: string;
}

type Shade = NonNullable<BuildingFloor['faces'][number]['shade']>[number];

/** Limit of the listed buildings that shade a face on one day. */
const MOST_SOURCES = 10;

/**
 * Returns a function that computes which buildings shade a face on some days, and when.
 * @param own number of the building of the face
 * @param convergenceDeg direction of grid north of the skylines, clockwise from true north
 */
export const faceShade =
  (sources: SourceBuildings, own: number, days: readonly ShadeDay[], convergenceDeg: number) =>
  (receptors: readonly ReceptorSunlight[]): Shade[] =>
    days.map(({ date }, i) => ({ date, ...shadeOfDay(sources, own, intervalsBySource(receptors, i), convergenceDeg) }));

/** The intervals of every receptor for each building that shades a face; those of the ground by sector. */
function intervalsBySource(receptors: readonly ReceptorSunlight[], day: number): Map<number, number[][]> {
  const bySource = new Map<number, number[][]>();
  for (const [i, { shade }] of receptors.entries()) {
    for (const [source, intervals] of shade[day]) {
      const ofReceptors = bySource.get(source) ?? receptors.map(() => []);
      ofReceptors[i] = [...intervals];
      bySource.set(source, ofReceptors);
    }
  }
  return bySource;
}

/** Joins the sectors of the ground to one source, beside those of buildings. */
function withOneGround(sources: SourceBuildings, bySource: ReadonlyMap<number, number[][]>): Map<number, number[][]> {
  const byBuilding = new Map<number, number[][]>();
  for (const [source, ofReceptors] of bySource) {
    const building = Math.min(source, sources.terrain);
    const joined = byBuilding.get(building);
    // A receptor sees one sector at a time, so the intervals do not overlap.
    const inOrder = (a: readonly number[], b: readonly number[]): number[] => sunlitWindows([...a, ...b], 1);
    byBuilding.set(building, joined ? joined.map((intervals, i) => inOrder(intervals, ofReceptors[i])) : ofReceptors);
  }
  return byBuilding;
}

/** The buildings that shade a face on one day, those that take most sun first. */
function shadeOfDay(
  sources: SourceBuildings,
  own: number,
  bySource: ReadonlyMap<number, number[][]>,
  convergenceDeg: number,
): Omit<Shade, 'date'> {
  const buildings = [...withOneGround(sources, bySource)]
    .map(([building, intervals]) => ({
      building,
      intervals,
      blockedMinutes: meanMinutes(intervals.flat(), intervals.length),
    }))
    .sort((a, b) => b.blockedMinutes - a.blockedMinutes || a.building - b.building);
  const minutes = buildings.reduce((sum, { blockedMinutes }) => sum + blockedMinutes, 0);
  const listed = buildings.slice(0, MOST_SOURCES);
  const tally = new ShadingTally(own, sources.terrain, convergenceDeg);
  for (const [source, intervals] of bySource) tally.add(source, meanMinutes(intervals.flat(), intervals.length), false);
  const { terrain } = tally.result();
  const described = shadingSources(sources, own, { sources: listed, blockedMinutes: minutes, terrain }, 1);
  return {
    shaded_hours: roundedHours(minutes),
    sources: described.map((source, i) => ({
      ...sourceMembers(source),
      is_own: listed[i].building === own,
      shaded_hours: roundedHours(listed[i].blockedMinutes),
      shaded_windows: timeWindows(sunlitWindows(listed[i].intervals.flat(), listed[i].intervals.length)),
      shade_share: shareSteps(listed[i].intervals),
    })),
    other_hours: roundedHours(
      buildings.slice(MOST_SOURCES).reduce((sum, { blockedMinutes }) => sum + blockedMinutes, 0),
    ),
  };
}

/** A shading source: its kind, place and height. */
export const sourceMembers = ({ kind, buildingId, distanceM, azimuthDeg, heightM }: ShadingSource) => ({
  kind,
  building_id: buildingId,
  distance_m: distanceM && fromCentimetres(centimetres(distanceM)),
  azimuth_deg: fromTenthDegrees(tenthDegrees(azimuthDeg)),
  height_m: heightM && fromCentimetres(centimetres(heightM)),
});
