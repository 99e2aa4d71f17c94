import { SourceBuildings, selfShadedShare, shadingSources } from '../../city/shading-sources.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import { DIRECTIONS } from '../../geo/compass.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import {
  centimetres,
  fromCentimetres,
  fromShareUnits,
  fromTenthDegrees,
  shareUnits,
  tenthDegrees,
} from '../../record/units.ts';
import { type SolarDay, solarDay } from '../../solar/solar-day.ts';
import type { Kernel } from '../../sunlight/compute.ts';
import { computeFloor, type FloorSunlight } from '../../sunlight/floor.ts';
import { floorHeight, MONTHS } from '../../sunlight/result.ts';
import { headlineFaces } from '../../sunlight/summary.ts';
import { assessmentsOf, dayMembers, faceMinutes, faceWindows, monthMembers, shareSteps } from './assessments.ts';
import { placeOf, type ReadyBuilding, type SquareSuns } from './squares.ts';

/** Which floor is asked for, and how much of it. */
export interface FloorRequest {
  buildingId: string;
  floor: number;
  /** Null: every face. */
  face: string | null;
  /** `YYYY-MM-DD`; null: the twelve days. */
  date: string | null;
  receptors: boolean;
}

type Face = FloorSunlight['faces'][number];
type FaceAnswer = BuildingFloor['faces'][number];

/** The answer about one floor of a building, which has it. */
export function floorAnswer(
  building: ReadyBuilding,
  suns: SquareSuns,
  head: BuildingHead,
  request: FloorRequest,
  method: BuildingFloor['method'],
): BuildingFloor {
  const { square, seen, kernel, index } = building;
  const heightM = floorHeight(request.floor, head.storeys, kernel.scene.top[index] - kernel.scene.base[index]);
  const days = request.date === null ? undefined : [dayOf(request.date)];
  const { curves } = suns.over(square, seen.zone, days);
  const sunlight = computeFloor(kernel, curves, index, heightM);
  const receptors = sunlight.faces.reduce((sum, face) => sum + face.receptors.length, 0);
  const own = kernel.firstBuilding + index;
  const isHeadline = headlineFaces(sunlight.faces.map(({ wallLengthM }) => wallLengthM));
  const isAsked = ({ face }: Face): boolean => request.face === null || DIRECTIONS[face] === request.face;
  return {
    building_id: head.buildingId,
    floor: request.floor,
    storeys: head.storeys,
    storeys_estimated: head.storeysEstimated,
    height_m: fromCentimetres(centimetres(heightM)),
    faces: sunlight.faces
      .map((face, i) => ({ face, headline: isHeadline[i] }))
      .filter(({ face }) => isAsked(face))
      .map(({ face, headline }) => faceAnswer(face, headline, kernel, request)),
    shading_sources: shadingSources(new SourceBuildings(seen), own, sunlight, receptors * MONTHS).map((source) => ({
      building_id: source.buildingId,
      distance_m: fromCentimetres(centimetres(source.distanceM)),
      azimuth_deg: fromTenthDegrees(tenthDegrees(source.azimuthDeg)),
      height_m: fromCentimetres(centimetres(source.heightM)),
      blocked_hours: Math.round(source.blockedHours * 100) / 100,
      share: fromShareUnits(shareUnits(source.share)),
    })),
    self_shaded_share: fromShareUnits(shareUnits(selfShadedShare(sunlight))),
    assessments: assessmentsOf(building, suns, heightM, isAsked),
    method,
  };
}

function dayOf(date: string): SolarDay {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return solarDay(year, month, day);
}

function faceAnswer(
  { face, azimuthDeg, wallLengthM, receptors }: Face,
  headline: boolean,
  kernel: Kernel,
  asked: FloorRequest,
): FaceAnswer {
  const minutes = (day: number) => faceMinutes(receptors, day);
  const months = Array.from({ length: MONTHS }, (_, day) => ({
    ...monthMembers(day, minutes(day), faceWindows(receptors, day)),
    lit_share: shareSteps(receptors, day),
  }));
  const { date } = asked;
  return {
    face: DIRECTIONS[face],
    azimuth_deg: fromTenthDegrees(tenthDegrees(azimuthDeg)),
    wall_length_m: fromCentimetres(centimetres(wallLengthM)),
    headline,
    receptors: receptors.length,
    months: date === null ? months : null,
    day:
      date === null
        ? null
        : { date, ...dayMembers(minutes(0), faceWindows(receptors, 0)), lit_share: shareSteps(receptors, 0) },
    receptor_details: asked.receptors ? receptors.map((_, i) => receptorAnswer(receptors, i, kernel, date)) : null,
  };
}

function receptorAnswer(
  receptors: Face['receptors'],
  i: number,
  kernel: Kernel,
  date: string | null,
): NonNullable<FaceAnswer['receptor_details']>[number] {
  const one = receptors.slice(i, i + 1);
  const { x, y, azimuthDeg } = receptors[i];
  const months = Array.from({ length: MONTHS }, (_, day) =>
    monthMembers(day, faceMinutes(one, day), faceWindows(one, day)),
  );
  return {
    receptor: i + 1,
    ...placeOf(kernel, x, y),
    wall_azimuth_deg: fromTenthDegrees(tenthDegrees(azimuthDeg)),
    months: date === null ? months : null,
    day: date === null ? null : { date, ...dayMembers(faceMinutes(one, 0), faceWindows(one, 0)) },
  };
}
