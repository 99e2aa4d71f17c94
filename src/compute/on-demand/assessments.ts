import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { DIRECTIONS } from '../../geo/compass.ts';
import { twoDecimals } from '../../geo/rounding.ts';
import { monthAnswer } from '../../record/answers.ts';
import { type DayPath, timeOfDay } from '../../solar/day-path.ts';
import type { SolarDay } from '../../solar/solar-day.ts';
import {
  EXPOSURE_DAYS,
  exposureLevel,
  mayReachNextLevel,
  minuteOfSolarHour,
  OTHER_EXPOSURE_DAYS,
  RULE_DAYS,
  shadowHours,
} from '../../sunlight/assessments.ts';
import { computeFloor, type FloorSunlight, litShares, type ReceptorSunlight } from '../../sunlight/floor.ts';
import type { Moves } from '../../sunlight/moves.ts';
import { MONTHS } from '../../sunlight/result.ts';
import { hoursOfMinutes } from '../../sunlight/summary.ts';
import { commonWindows, meanMinutes, sunlitWindows } from '../../sunlight/windows.ts';
import type { ReadyBuilding, SquareSuns } from './squares.ts';

/** Mean minutes of direct sun, and of sun without obstacles, of some receptors on one day. */
interface Minutes {
  sun: number;
  unshaded: number;
}

/** The members of an answer about one day, without its date. */
type DayMembers = Omit<ReturnType<typeof monthAnswer>, 'month'>;

/**
 * The mean minutes of some receptors on one day.
 * @param day 0–11
 */
export function faceMinutes(receptors: readonly ReceptorSunlight[], day: number): Minutes {
  const unshaded = receptors.reduce((sum, { unshadedMinutes }) => sum + (unshadedMinutes[day] ?? 0), 0);
  return { sun: meanMinutes(litOfAll(receptors, day), receptors.length), unshaded: unshaded / receptors.length };
}

/** Windows [start, end, start, end …] in which at least half of the receptors are lit. */
export const faceWindows = (receptors: readonly ReceptorSunlight[], day: number): number[] =>
  sunlitWindows(litOfAll(receptors, day), receptors.length);

/**
 * The members of an answer about one day.
 * @param day index of the day (0–11). It gives the member `month`; answers about dates leave that out
 */
export const monthMembers = (day: number, { sun, unshaded }: Minutes, windows: readonly number[]) =>
  monthAnswer(day + 1, sun, unshaded, windows);

/** The members of an answer about one day. */
function dayMembers(minutes: Minutes, windows: readonly number[]): DayMembers {
  const { month: _, ...members } = monthMembers(0, minutes, windows);
  return members;
}

/**
 * The share of lit receptors as steps [time of day, share], from the intervals of each receptor. A share holds from its
 * time to that of the next step.
 */
export function shareSteps(ofReceptors: readonly (readonly number[])[]): [string, number][] {
  const minutesAndShares = litShares(ofReceptors);
  const timedSteps: [string, number][] = [];
  for (let i = 0; i < minutesAndShares.length; i += 2) {
    const [minute, share] = [minutesAndShares[i], minutesAndShares[i + 1]];
    timedSteps.push([timeOfDay(minute), twoDecimals(share)]);
  }
  return timedSteps;
}

/** The lit intervals of all receptors together. */
const litOfAll = (receptors: readonly ReceptorSunlight[], day: number): number[] => litOfEach(receptors, day).flat();

/** The lit intervals of each receptor. */
export const litOfEach = (receptors: readonly ReceptorSunlight[], day: number): number[][] =>
  receptors.map(({ lit }) => lit[day] ?? []);

type Assessments = BuildingFloor['assessments'];

/** Index of the solstice in `RULE_DAYS`; `EXPOSURE_DAYS` follow from the next index on. */
const SOLSTICE_DAY = 0;
const FIRST_EXPOSURE_DAY = 1;

const SHADOW_SOURCE =
  '建築基準法 (Building Standards Act) 第56条の2 and 別表第四: the hours that the shadow rules count';
const SHADOW_IS_NOT =
  'Not a check of the shadow rules, which bound the shadow that a building casts on its neighbours, at heights and in ' +
  'zones that they name. Here it is the sun that this floor gets in those hours. No legal proof.';
const EXPOSURE_SOURCE = 'EN 17037:2018+A1:2021 Daylight in buildings, exposure to sunlight: 1.5, 3 and 4 hours';
const EXPOSURE_IS_NOT =
  'Not a proof under EN 17037, which judges one point inside a window opening and leaves out the sun below an altitude ' +
  'that each country sets. Japan has set none: all sun over the horizon is counted, on the most favourable day ' +
  'that the standard allows, so that these levels are upper bounds.';

/**
 * The assessments of a floor: its sun in the hours of the shadow rules on the winter solstice, and on the best of the
 * days that EN 17037 allows.
 * @param heightM height of the floor's receptors above the base of the building
 * @param moves how the errors of the city model move its buildings; null: as published
 * @param behindBalconies takes away the sun that the floor's balconies hide; without balconies, it returns the floor as
 * it is
 * @param isAsked true for the faces that the request is about
 */
export function assessmentsOf(
  { square, squareScene, kernel, index, id }: ReadyBuilding,
  suns: SquareSuns,
  { heightM, moves }: { heightM: number; moves: Moves | null },
  behindBalconies: (floor: FloorSunlight, paths: readonly DayPath[]) => FloorSunlight,
  isAsked: (face: FloorSunlight['faces'][number]) => boolean,
): Assessments {
  const facesOn = (days: readonly SolarDay[]): FloorSunlight['faces'] => {
    const { paths, curves } = suns.over(square, squareScene.zone, days);
    return behindBalconies(computeFloor(kernel, curves, index, heightM, { moves }), paths).faces.filter(isAsked);
  };
  // RULE_DAYS: the solstice and the first days of the exposure, computed together. `exposureFaces` asks for other days
  // only when they may matter.
  const faces = facesOn(RULE_DAYS);
  const [solstice] = suns.over(square, squareScene.zone, RULE_DAYS).paths;
  return {
    winter_solstice: winterSolstice(faces, solstice, shadowHours(id)),
    sunlight_exposure: {
      // The latest day is the first of the list.
      from: dateText(EXPOSURE_DAYS[EXPOSURE_DAYS.length - 1]),
      to: dateText(EXPOSURE_DAYS[0]),
      minimum_altitude_deg: 0,
      faces: exposureFaces(faces, facesOn),
      source: EXPOSURE_SOURCE,
      is_not: EXPOSURE_IS_NOT,
    },
  };
}

/** Sun curves are those of twelve days. */
const DAYS_AT_ONCE = MONTHS;
type Faces = FloorSunlight['faces'];
type ExposureFace = Assessments['sunlight_exposure']['faces'][number];

/**
 * The sunniest of the 49 days that EN 17037 allows, for each face, with the level that it reaches. Eleven of the days
 * are computed already. The other days are computed, for all faces, only if a face may reach a higher level on one of
 * them.
 * @param faces their sun on `RULE_DAYS`: the solstice, then the eleven days
 * @param facesOn computes the same faces on at most twelve other days
 */
function exposureFaces(faces: Faces, facesOn: (days: readonly SolarDay[]) => Faces): ExposureFace[] {
  const best = faces.map(({ receptors }) => bestDay(receptors, EXPOSURE_DAYS, FIRST_EXPOSURE_DAY));
  if (best.some(({ hours }) => mayReachNextLevel(hours))) {
    for (let from = 0; from < OTHER_EXPOSURE_DAYS.length; from += DAYS_AT_ONCE) {
      const days = OTHER_EXPOSURE_DAYS.slice(from, from + DAYS_AT_ONCE);
      for (const [i, { receptors }] of facesOn(days).entries()) {
        const other = bestDay(receptors, days, 0);
        if (other.hours > best[i].hours) best[i] = other;
      }
    }
  }
  return faces.map(({ face }, i) => {
    const { day, hours } = best[i];
    return { face: DIRECTIONS[face], date: dateText(day), direct_sun_hours: hours, level: exposureLevel(hours) };
  });
}

/**
 * The day with the most sun, and its hours; the first of equal ones.
 * @param firstIndex index of the first of these days among those for which the receptors were computed
 */
function bestDay(
  receptors: readonly ReceptorSunlight[],
  days: readonly SolarDay[],
  firstIndex: number,
): { day: SolarDay; hours: number } {
  return days
    .map((day, i) => ({ day, hours: hoursOfMinutes(faceMinutes(receptors, firstIndex + i).sun) }))
    .reduce((best, other) => (other.hours > best.hours ? other : best));
}

/** The sun of the faces at the winter solstice, in the hours that the shadow rules count. */
function winterSolstice(
  faces: FloorSunlight['faces'],
  path: DayPath,
  solarHours: { readonly from: number; readonly to: number },
): Assessments['winter_solstice'] {
  const fromMinute = minuteOfSolarHour(path, solarHours.from);
  const toMinute = minuteOfSolarHour(path, solarHours.to);
  const inHours = (receptor: ReceptorSunlight): ReceptorSunlight => ({
    ...receptor,
    lit: receptor.lit.map((intervals) => commonWindows(intervals, [fromMinute, toMinute])),
  });
  return {
    date: dateOf(path),
    true_solar_from: timeOfDay(solarHours.from * 60),
    true_solar_to: timeOfDay(solarHours.to * 60),
    from: timeOfDay(Math.round(fromMinute)),
    to: timeOfDay(Math.round(toMinute)),
    faces: faces.map(({ face, receptors }) => {
      const inside = receptors.map(inHours);
      const { direct_sun_hours, sunlit_windows } = dayMembers(
        faceMinutes(inside, SOLSTICE_DAY),
        faceWindows(inside, SOLSTICE_DAY),
      );
      return { face: DIRECTIONS[face], direct_sun_hours, sunlit_windows };
    }),
    source: SHADOW_SOURCE,
    is_not: SHADOW_IS_NOT,
  };
}

/** The date of a day path. */
const dateOf = ({ solarDay }: DayPath): string => dateText(solarDay);

/** `YYYY-MM-DD`. */
export const dateText = ({ year, month, day }: SolarDay): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
