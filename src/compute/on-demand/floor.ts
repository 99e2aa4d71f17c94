import { type ShadingSource, SourceBuildings, selfShadedShare, shadingSources } from '../../city/shading-sources.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { DIRECTIONS, type Direction } from '../../geo/compass.ts';
import { roundedAzimuth, twoDecimals } from '../../geo/rounding.ts';
import { timeWindows } from '../../record/answers.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { fromShareUnits, shareUnits } from '../../record/units.ts';
import type { DayPath } from '../../solar/day-path.ts';
import { dayOf, REFERENCE_DAYS } from '../../solar/solar-day.ts';
import { balconyClip, behindBalcony } from '../../sunlight/balcony.ts';
import type { Kernel } from '../../sunlight/compute.ts';
import { computeFloor, type FloorSunlight, type ReceptorSunlight } from '../../sunlight/floor.ts';
import { DRAWS, type FaceInterval, floorIntervals } from '../../sunlight/interval.ts';
import { errorSourceText, MODEL_ERROR } from '../../sunlight/model-error.ts';
import { fieldsOfMove } from '../../sunlight/moves.ts';
import { MONTHS, ShadingTally } from '../../sunlight/result.ts';
import { headlineFaces, hoursOfMinutes } from '../../sunlight/summary.ts';
import { meanMinutes, sunlitWindows } from '../../sunlight/windows.ts';
import {
  assessmentsOf,
  dateText,
  faceMinutes,
  faceWindows,
  litOfEach,
  monthMembers,
  shareSteps,
} from './assessments.ts';
import {
  assumedMember,
  balconyMember,
  type FloorWithHeight,
  heightMember,
  type RequestedBalcony,
  type RequestedBuilding,
  requestedBalconyOf,
  requestedFloorOf,
  standInMember,
} from './requested.ts';
import { positionOf, type ReadyBuilding, type SquareSuns } from './squares.ts';
import type { SquareSunshine } from './sunshine.ts';

/** The requested floor, and the requested parts of the answer. */
export interface FloorRequest extends RequestedBuilding {
  /** Absent: every face. */
  face?: Direction | undefined;
  /** The requested face, if `face` may replace it. */
  askedFace?: Direction | undefined;
  /** `YYYY-MM-DD`, at most twelve; absent: the 15th of each month. */
  dates?: readonly string[] | undefined;
  /** The month (1–12) for which the shading buildings are computed. With dates they are computed for each date. */
  month?: number | undefined;
  /** Objects in front of the windows; absent: none. */
  balcony?: RequestedBalcony | undefined;
  /** True to return each measuring point. */
  receptors?: boolean | undefined;
  /** True to return the interval of the hours within the error of the model. */
  interval?: boolean | undefined;
}

type Face = FloorSunlight['faces'][number];
type FaceAnswer = BuildingFloor['faces'][number];

/**
 * The answer about a floor that a building has. With a balcony, the sun of the faces, its intervals and the assessments
 * are those behind it; each face also has its hours without it (`bareFace`). What shades the floor is told without it.
 * Headline faces have enough wall to count for the building.
 */
export function floorAnswer(
  building: ReadyBuilding,
  suns: SquareSuns,
  sunshine: SquareSunshine,
  head: BuildingHead,
  request: FloorRequest,
  method: BuildingFloor['method'],
): BuildingFloor {
  const { square, squareScene, kernel, index } = building;
  const requestedFloor = requestedFloorOf(building, head, request);
  const balcony = requestedBalconyOf(request.balcony, requestedFloor);
  const withBalcony = (floor: FloorSunlight, days: readonly DayPath[]): FloorSunlight =>
    balcony === null ? floor : behindBalcony(floor, days, balcony.balcony, balcony.eyeHeightM);
  const { curves, paths } = suns.over(square, squareScene.zone, request.dates?.map(dayOf));
  const shadeDays = shadeDaysOf(request);
  // Without the balcony, which is no shading source.
  const bareSunlight = computeFloor(kernel, curves, index, requestedFloor.heightM, {
    shadeDays: shadeDays.map(({ curve }) => curve),
    moves: requestedFloor.moves,
  });
  const receptorDays = MONTHS * bareSunlight.faces.reduce((sum, face) => sum + face.receptors.length, 0);
  const indexInView = kernel.firstBuilding + index;
  const sources = new SourceBuildings(squareScene);
  const shadeOf = faceShade(sources, indexInView, shadeDays, curves.convergenceDeg);
  const floorSunlight = withBalcony(bareSunlight, paths);
  const areHeadlines = headlineFaces(bareSunlight.faces.map(({ wallLengthM }) => wallLengthM));
  const isAsked = ({ face }: Face): boolean => request.face === undefined || DIRECTIONS[face] === request.face;
  const askedFaces = floorSunlight.faces
    .map((face, i) => ({ face, bareFace: balcony && bareSunlight.faces[i], isHeadline: areHeadlines[i] }))
    .filter(({ face }) => isAsked(face));
  const assessments = assessmentsOf(building, suns, requestedFloor, withBalcony, isAsked);
  const clip = balcony === null ? undefined : balconyClip(paths, balcony.balcony, balcony.eyeHeightM);
  const intervals = request.interval
    ? floorIntervals(kernel, curves, index, requestedFloor, MODEL_ERROR, floorSunlight, clip)
    : null;
  return {
    building_id: head.buildingId,
    floor: request.floor,
    storeys: requestedFloor.storeys,
    storeys_estimated: requestedFloor.storeysEstimated,
    assumed: assumedMember(request),
    height_m: heightMember(requestedFloor),
    stand_in: standInMember(request.askedFace, request.face, askedFaces[0]?.face.azimuthDeg),
    balcony: balcony && balconyMember(balcony.balcony),
    model_error: intervals && modelErrorMember(requestedFloor),
    faces: askedFaces.map(({ face, bareFace, isHeadline }) => ({
      ...withExpected(
        faceAnswer(face, bareFace, isHeadline, kernel, paths, intervals?.get(face.face) ?? null, request),
        face,
        sunshine,
        square,
      ),
      shade: shadeDays.length === 0 ? null : shadeOf(face.receptors),
    })),
    shading_sources: shadingSources(sources, indexInView, bareSunlight, receptorDays).map(sourceAnswer),
    self_shaded_share: roundedShare(selfShadedShare(bareSunlight)),
    assessments,
    method,
  };
}

/** A shading source, with the hours that it takes from the floor. */
const sourceAnswer = (source: ShadingSource): BuildingFloor['shading_sources'][number] => ({
  ...sourceMembers(source),
  blocked_hours: twoDecimals(source.blockedHours),
  share: roundedShare(source.share),
});

/** A share with the precision of stored shares. */
const roundedShare = (share: number): number => fromShareUnits(shareUnits(share));

/**
 * How far the model of the building may be wrong: standard deviations by what is published of its position and height.
 */
function modelErrorMember({ move }: FloorWithHeight): BuildingFloor['model_error'] {
  // A move is a packed number: the cluster with which the building moves, and the classes of its errors.
  const { positionClass, heightClass } = fieldsOfMove(move);
  const { positionsM, heightsM } = MODEL_ERROR;
  return {
    position_sd_m: positionsM[positionClass],
    height_sd_m: heightsM[heightClass],
    draws: DRAWS,
    source: errorSourceText(positionClass, heightClass),
  };
}

/** The days for which the shading buildings are computed: all requested dates, or the 15th of the requested month. */
function shadeDaysOf({ dates, month }: FloorRequest): ShadeDay[] {
  // The curves of the sun are those of the dates, or without dates those of the months.
  if (dates !== undefined) return dates.map((date, curve) => ({ curve, date }));
  if (month === undefined) return [];
  return [{ curve: month - 1, date: dateText(REFERENCE_DAYS[month - 1]) }];
}

/**
 * The answer about a face, without its expected hours and its shade.
 * @param bareFace the face without its balcony; null when none was requested
 * @param isHeadline true when the figures of the whole building use this face
 */
function faceAnswer(
  { face, azimuthDeg, wallLengthM, receptors }: Face,
  bareFace: Face | null,
  isHeadline: boolean,
  kernel: Kernel,
  paths: readonly DayPath[],
  intervals: FaceInterval | null,
  { dates, receptors: withReceptors = false }: FloorRequest,
) {
  // Of a month (0–11), or of a requested date by its index.
  const membersOf = (day: number) => ({
    ...monthMembers(day, faceMinutes(receptors, day), faceWindows(receptors, day)),
    balcony_hours:
      bareFace && hoursOfMinutes(faceMinutes(bareFace.receptors, day).sun - faceMinutes(receptors, day).sun),
    sun_up_hours: hoursOfMinutes(Math.round(paths[day].sunset) - Math.round(paths[day].sunrise)),
    interval: intervals && intervalMember(intervals[day]),
    lit_share: shareSteps(litOfEach(receptors, day)),
  });
  return {
    face: DIRECTIONS[face],
    azimuth_deg: roundedAzimuth(azimuthDeg),
    wall_length_m: twoDecimals(wallLengthM),
    headline: isHeadline,
    receptors: receptors.length,
    ...daysAnswer(dates, membersOf),
    receptor_details: withReceptors ? receptors.map((_, i) => receptorAnswer(receptors, i, kernel, dates)) : null,
  };
}

/** The interval of the hours of a day, as answers state it. */
export const intervalMember = ([low, high]: FaceInterval[number]): NonNullable<
  NonNullable<FaceAnswer['months']>[number]['interval']
> => ({
  p10_hours: hoursOfMinutes(low),
  p90_hours: hoursOfMinutes(high),
});

/** Adds the expected hours of a normal year to the months of a face. */
function withExpected(
  answer: ReturnType<typeof faceAnswer>,
  { receptors }: Face,
  sunshine: SquareSunshine,
  square: string,
): Omit<FaceAnswer, 'shade'> {
  const { months } = answer;
  if (months === null) return { ...answer, months, expected_year_hours: null, expected_by_hour: null };
  const lit = months.map((_, month) => litOfEach(receptors, month).flat());
  const { monthHours, ...ofYear } = sunshine.answer(square, lit, receptors.length);
  return { ...answer, months: months.map((month, i) => ({ ...month, expected_hours: monthHours(i) })), ...ofYear };
}

/** The answer about one receptor of a face. */
function receptorAnswer(
  receptors: Face['receptors'],
  i: number,
  kernel: Kernel,
  dates: FloorRequest['dates'],
): NonNullable<FaceAnswer['receptor_details']>[number] {
  const itself = receptors.slice(i, i + 1);
  const { x, y, azimuthDeg } = receptors[i];
  return {
    receptor: i + 1,
    ...positionOf(kernel, x, y),
    wall_azimuth_deg: roundedAzimuth(azimuthDeg),
    ...daysAnswer(dates, (day) => monthMembers(day, faceMinutes(itself, day), faceWindows(itself, day))),
  };
}

/**
 * The twelve months, or the requested days; a single day also by itself.
 * @param membersOf gives the members of a month (0 to 11), or of a requested date by its index
 */
function daysAnswer<M extends { month: number }>(
  dates: FloorRequest['dates'],
  membersOf: (index: number) => M,
): { months: M[] | null; days: DayOf<M>[] | null; day: DayOf<M> | null } {
  if (dates === undefined) {
    return { months: Array.from({ length: MONTHS }, (_, month) => membersOf(month)), days: null, day: null };
  }
  const days = dates.map((date, i) => {
    const { month: _, ...members } = membersOf(i);
    return { date, ...members };
  });
  return { months: null, days, day: days.length === 1 ? days[0] : null };
}

type DayOf<M> = { date: string } & Omit<M, 'month'>;

/** A day by its date, and the index (0–11) of its curve among those of the sun. */
interface ShadeDay {
  curve: number;
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
const faceShade =
  (sources: SourceBuildings, own: number, days: readonly ShadeDay[], convergenceDeg: number) =>
  (receptors: readonly ReceptorSunlight[]): Shade[] =>
    days.map(({ date }, i) => ({ date, ...shadeOfDay(sources, own, intervalsBySource(receptors, i), convergenceDeg) }));

/**
 * The intervals of every receptor for each source that shades a face, by its number: a building's is that in the view;
 * the sectors of the ground have the numbers after those of all buildings.
 */
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

/**
 * Joins the sectors of the ground to one source, beside those of buildings.
 * @param bySource by number of what shades: the intervals in which it shades each receptor, `[start, end, …]`
 */
function withOneGround(sources: SourceBuildings, bySource: ReadonlyMap<number, number[][]>): Map<number, number[][]> {
  const byBuilding = new Map<number, number[][]>();
  for (const [source, ofReceptors] of bySource) {
    // Numbers from `terrain` on are sectors of the ground.
    const building = Math.min(source, sources.terrain);
    const earlier = byBuilding.get(building);
    const merged = earlier?.map((intervals, i) => mergedIntervals(intervals, ofReceptors[i]));
    byBuilding.set(building, merged ?? ofReceptors);
  }
  return byBuilding;
}

/** The intervals of two lists in order of time; those that touch or overlap become one. */
function mergedIntervals(a: readonly number[], b: readonly number[]): number[] {
  // `sunlitWindows` finds where at least half of the receptors have an interval: of one receptor, where any interval
  // is.
  const receptors = 1;
  return sunlitWindows([...a, ...b], receptors);
}

/**
 * The buildings that shade a face on one day, those that take most sun first. The whole ground counts as one of them.
 * @param own number of the face's building in the view
 * @param bySource by number of the shading source: for each receptor of the face, the intervals in which it shades
 */
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
  const terrain = groundShade(sources, own, bySource, convergenceDeg);
  // The minutes are already the mean of the receptors on one day.
  const receptorDays = 1;
  const described = shadingSources(sources, own, { sources: listed, blockedMinutes: minutes, terrain }, receptorDays);
  return {
    shaded_hours: hoursOfMinutes(minutes),
    // In the order of `listed`.
    sources: described.map((source, i) => ({
      ...sourceMembers(source),
      is_own: listed[i].building === own,
      shaded_hours: hoursOfMinutes(listed[i].blockedMinutes),
      shaded_windows: timeWindows(windowsOfMostReceptors(listed[i].intervals)),
      shade_share: shareSteps(listed[i].intervals),
    })),
    other_hours: hoursOfMinutes(
      buildings.slice(MOST_SOURCES).reduce((sum, { blockedMinutes }) => sum + blockedMinutes, 0),
    ),
  };
}

/**
 * How long the ground shades a face, and in which mean direction; null when it does not.
 * @param bySource by number of the shading source: for each receptor of the face, the intervals in which it shades
 */
function groundShade(
  sources: SourceBuildings,
  own: number,
  bySource: ReadonlyMap<number, number[][]>,
  convergenceDeg: number,
): ReturnType<ShadingTally['result']>['terrain'] {
  const tally = new ShadingTally(own, sources.terrain, convergenceDeg);
  const bySurface = false;
  for (const [source, intervals] of bySource) {
    const isGround = source >= sources.terrain;
    if (isGround) tally.add(source, meanMinutes(intervals.flat(), intervals.length), bySurface);
  }
  return tally.result().terrain;
}

/**
 * The windows in which a building shades more than half of the receptors: so it does it alone, and the wall is not lit.
 * @param intervals for each receptor
 */
function windowsOfMostReceptors(intervals: readonly (readonly number[])[]): number[] {
  const most = Math.floor(intervals.length / 2) + 1;
  return sunlitWindows(intervals.flat(), 2 * most);
}

/** A shading source: its kind, place and height. */
const sourceMembers = ({ kind, buildingId, distanceM, azimuthDeg, heightM }: ShadingSource) => ({
  kind,
  building_id: buildingId,
  distance_m: distanceM && twoDecimals(distanceM),
  azimuth_deg: roundedAzimuth(azimuthDeg),
  height_m: heightM && twoDecimals(heightM),
});
