import type { BuildingFull, FaceAnswer, FloorAnswer } from '../contract/operations/sunlight-building-full.ts';
import type { BuildingSummary, FaceHours, Method, MonthSunlight } from '../contract/sunlight-shapes.ts';
import { FACES, type FaceSunlight, FLOOR_CLASSES } from '../sunlight/result.ts';
import { roundedHours, type FaceHours as SummaryFace } from '../sunlight/summary.ts';
import { wardCodeOf } from './record/building-id.ts';
import type { BuildingBody, BuildingHead } from './record/building-record.ts';
import { degrees7 } from './units.ts';
import { usageName } from './usage.ts';

/** Names of towns by code. */
export type TownNames = (townCode: string) => string | null;

const MONTHS = 12;

/** The summary of a building, as every list shows it. */
export function summaryAnswer(head: BuildingHead, townName: TownNames): BuildingSummary {
  return {
    building_id: head.buildingId,
    ward_code: wardCodeOf(head.buildingId),
    town_code: head.townCode,
    town_name: head.townCode === null ? null : townName(head.townCode),
    lat: degrees7(head.lat),
    lon: degrees7(head.lon),
    usage: usageName(head.usageCode),
    usage_code: head.usageCode,
    measured_height_m: head.measuredHeightM ?? Math.round((head.topM - head.baseM) * 100) / 100,
    storeys: head.storeys,
    storeys_estimated: head.storeysEstimated,
    december_top_best: head.summary && faceHours(head.summary.decemberTopBest),
    december_first_south: head.summary && faceHours(head.summary.decemberFirstSouth),
    annual_mean_hours: head.summary?.annualMeanHours ?? null,
    quality: { lod: head.lod, height_source: head.heightSource, base_source: head.baseSource },
  };
}

/** Everything about a building. */
export function fullAnswer(head: BuildingHead, body: BuildingBody, townName: TownNames, method: Method): BuildingFull {
  return {
    ...summaryAnswer(head, townName),
    faces: body.faces.map((face) => faceAnswer(face, body.floors)),
    shading_sources: body.shadingSources.map((source) => ({
      building_id: source.buildingId,
      distance_m: source.distanceM,
      azimuth_deg: source.azimuthDeg,
      height_m: source.heightM,
      blocked_hours: source.blockedHours,
      share: source.share,
    })),
    self_shaded_share: body.selfShadedShare,
    method,
  };
}

/** One month of sun at a wall or a point: minutes in, hours and times of day out. `month` is 1–12. */
export function monthAnswer(
  month: number,
  sunMinutes: number,
  unshadedMinutes: number,
  windows: ArrayLike<number>,
): MonthSunlight {
  const sunlit: [string, string][] = [];
  for (let i = 0; i < windows.length; i += 2) sunlit.push([timeOfDay(windows[i]!), timeOfDay(windows[i + 1]!)]);
  return {
    month,
    direct_sun_hours: roundedHours(sunMinutes),
    unshaded_hours: roundedHours(unshadedMinutes),
    sunlit_windows: sunlit,
  };
}

/** `HH:MM` of whole minutes after midnight. */
function timeOfDay(minutes: number): string {
  const hour = Math.floor(minutes / 60);
  const minute = minutes % 60;
  return `${hour < 10 ? '0' : ''}${hour}:${minute < 10 ? '0' : ''}${minute}`;
}

const faceHours = ({ face, azimuthDeg, directSunHours }: SummaryFace): FaceHours => ({
  face: FACES[face]!,
  azimuth_deg: azimuthDeg,
  direct_sun_hours: directSunHours,
});

function faceAnswer(face: FaceSunlight, floors: BuildingBody['floors']): FaceAnswer {
  const floor = (index: number): FloorAnswer => {
    const months: MonthSunlight[] = [];
    for (let month = 0; month < MONTHS; month++) {
      const at = index * MONTHS + month;
      months.push(monthAnswer(month + 1, face.sunMinutes[at]!, face.unshadedMinutes[month]!, face.windows[at]!));
    }
    return { floor: floors[index]!.floor, height_m: floors[index]!.heightM, months };
  };
  return {
    face: FACES[face.face]!,
    azimuth_deg: face.azimuthDeg,
    wall_length_m: face.wallLengthM,
    receptors: face.receptors,
    floors: {
      first: floor(FLOOR_CLASSES.indexOf('first')),
      middle: floor(FLOOR_CLASSES.indexOf('middle')),
      top: floor(FLOOR_CLASSES.indexOf('top')),
    },
  };
}
