import { squareKernel } from '../../city/scene-store.ts';
import type { DatasetScenes, PlannedBuilding } from '../../city/scenes-on-demand.ts';
import { SourceBuildings, whereFrom } from '../../city/shading-sources.ts';
import type { WhatIf } from '../../contract/operations/sunlight-what-if.ts';
import { DIRECTIONS } from '../../geo/compass.ts';
import { oneDecimal, roundedAzimuth, twoDecimals } from '../../geo/rounding.ts';
import { timeWindows } from '../../record/answers.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { dayOf } from '../../solar/solar-day.ts';
import type { Kernel } from '../../sunlight/compute.ts';
import { computeFloor, type FloorSunlight } from '../../sunlight/floor.ts';
import { type FaceInterval, floorIntervals } from '../../sunlight/interval.ts';
import { MODEL_ERROR } from '../../sunlight/model-error.ts';
import { MONTHS } from '../../sunlight/result.ts';
import { headlineFaces } from '../../sunlight/summary.ts';
import { windowsWithout } from '../../sunlight/windows.ts';
import { faceMinutes, faceWindows, monthMembers } from './assessments.ts';
import { intervalMember } from './floor.ts';
import { type PlannedVolume, type RequestedBuilding, requestedFloorOf } from './requested.ts';
import type { ReadyBuilding, SquareSuns } from './squares.ts';

/** The requested floor, and the planned change beside it. */
export interface WhatIfRequest extends RequestedBuilding {
  /** Absent: every face. */
  face?: string | undefined;
  planned: PlannedVolume[];
  /** IDs of buildings of the dataset. */
  replaces: readonly string[];
  /** `YYYY-MM-DD`, at most twelve; absent: the 15th of each month. */
  dates?: readonly string[] | undefined;
  /** True to return the interval of the hours within the error of the model. */
  interval?: boolean | undefined;
}

type Face = FloorSunlight['faces'][number];

/**
 * Computes the sun of one floor of a building twice: in the city as it is, and with the planned buildings in the place
 * of the replaced ones. A face is a headline face if it is long enough to count for the building (`headlineFaces`). On
 * request the hours get an interval for the errors of the city model. A height that the reader stated raises or lowers the
 * building by `moves`.
 */
export function computeWhatIf(
  building: ReadyBuilding,
  planned: readonly PlannedBuilding[],
  replaced: readonly ReadyBuilding[],
  scenes: DatasetScenes,
  suns: SquareSuns,
  head: BuildingHead,
  request: WhatIfRequest,
  method: WhatIf['method'],
): WhatIf {
  const { square, squareScene, kernel, index } = building;
  const requestedFloor = requestedFloorOf(building, head, request);
  const { heightM, moves } = requestedFloor;
  const { curves } = suns.over(square, squareScene.zone, request.dates?.map(dayOf));
  const before = computeFloor(kernel, curves, index, heightM, { moves });
  const intervalsOf = (ofKernel: Kernel, sunlight: FloorSunlight): ReturnType<typeof floorIntervals> | null =>
    request.interval ? floorIntervals(ofKernel, curves, index, requestedFloor, MODEL_ERROR, sunlight) : null;
  const intervalsBefore = intervalsOf(kernel, before);
  // Removed buildings are named by their square and their number in it.
  const removed = replaced.map((old) => ({ square: old.square, index: firstInSquare(old) + old.index }));
  const changed = scenes.ofSquareChanged(square, planned, removed);
  const kernelAfter = squareKernel(kernel.engine, changed, kernel.scene, firstInSquare(building));
  const after = computeFloor(kernelAfter, curves, index, heightM, { moves });
  const intervalsAfter = intervalsOf(kernelAfter, after);
  const sources = new SourceBuildings(changed);
  const numberInView = kernel.firstBuilding + index;
  const faces = before.faces.map((face, i) => [face, after.faces[i]] as const);
  const isHeadline = headlineFaces(faces.map(([{ wallLengthM }]) => wallLengthM));
  return {
    building_id: head.buildingId,
    floor: request.floor,
    height_m: twoDecimals(heightM),
    planned: planned.map(({ baseM, topM }, i) => {
      const { distanceM, azimuthDeg } = whereFrom(sources, numberInView, changed.firstPlanned + i);
      return {
        height_m: twoDecimals(topM - baseM),
        base_m: twoDecimals(baseM),
        area_m2: oneDecimal(sources.areaOf(changed.firstPlanned + i)),
        distance_m: twoDecimals(distanceM),
        azimuth_deg: roundedAzimuth(azimuthDeg),
      };
    }),
    replaced: [...request.replaces],
    faces: faces
      .map(([faceBefore, faceAfter], i) =>
        faceAnswer(
          faceBefore,
          faceAfter,
          isHeadline[i],
          [intervalsBefore, intervalsAfter].map((intervals) => intervals?.get(faceBefore.face) ?? null),
          request.dates,
        ),
      )
      .filter(({ face }) => request.face === undefined || face === request.face),
    method,
  };
}

/** The number in its grid square of the first building of a kernel's scene. */
const firstInSquare = ({ kernel, squareScene: { view, part } }: ReadyBuilding): number =>
  kernel.firstBuilding - view.firstBuilding[part];

/**
 * The hours of a face before and after the change.
 * @param isHeadline true when the figures of the whole building use this face
 * @param intervals two items, before and after: of each day the hours that are possible within the error of the model;
 * null when they are not requested
 */
function faceAnswer(
  before: Face,
  after: Face,
  isHeadline: boolean,
  intervals: readonly (FaceInterval | null)[],
  dates: WhatIfRequest['dates'],
): WhatIf['faces'][number] {
  const days = Array.from({ length: dates?.length ?? MONTHS }, (_, day) => dayChange(before, after, day, intervals));
  return {
    face: DIRECTIONS[before.face],
    azimuth_deg: roundedAzimuth(before.azimuthDeg),
    wall_length_m: twoDecimals(before.wallLengthM),
    headline: isHeadline,
    receptors: before.receptors.length,
    months: dates ? null : days.map((day, i) => ({ month: i + 1, ...day })),
    days: dates ? days.map((day, i) => ({ date: dates[i], ...day })) : null,
    annual_mean_hours: dates ? null : annualMean(days),
  };
}

type DayChange = ReturnType<typeof dayChange>;

/**
 * The means of the hours over the year, before and after the change.
 * @param days one for each month
 */
function annualMean(days: readonly DayChange[]): WhatIf['faces'][number]['annual_mean_hours'] {
  const mean = (hours: (day: DayChange) => number): number =>
    twoDecimals(days.reduce((sum, day) => sum + hours(day), 0) / MONTHS);
  const before = mean((day) => day.before.direct_sun_hours);
  const after = mean((day) => day.after.direct_sun_hours);
  return { before, after, change: twoDecimals(after - before) };
}

/**
 * The hours and windows of a face on one day, before and after the change.
 * @param day index of the day: a month (0–11), or one of the requested dates
 * @param intervals two items, before and after: of each day the hours that are possible within the error of the model;
 * null when they are not requested
 */
function dayChange(before: Face, after: Face, day: number, intervals: readonly (FaceInterval | null)[]) {
  const windows = [before, after].map(({ receptors }) => faceWindows(receptors, day));
  const [hoursBefore, hoursAfter] = [before, after].map(({ receptors }, i) => {
    const { direct_sun_hours, sunlit_windows } = monthMembers(day, faceMinutes(receptors, day), windows[i]);
    const interval = intervals[i];
    return { direct_sun_hours, interval: interval && intervalMember(interval[day]), sunlit_windows };
  });
  return {
    before: hoursBefore,
    after: hoursAfter,
    change_hours: twoDecimals(hoursAfter.direct_sun_hours - hoursBefore.direct_sun_hours),
    taken_windows: timeWindows(windowsWithout(windows[0], windows[1])),
    gained_windows: timeWindows(windowsWithout(windows[1], windows[0])),
  };
}
