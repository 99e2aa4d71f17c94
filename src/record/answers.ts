import {
  ANSWERED,
  type AnsweredAttributes,
  type AnswerGroup,
  type AnswerMembers,
  type AttributeValue,
} from '../building/attributes.ts';
import { isDoubtfulShape } from '../city/standing-height.ts';
import type { MultiPolygon } from '../contract/geojson.ts';
import type { BuildingSummary, FaceHours, Method, MonthSunlight } from '../contract/sunlight-shapes.ts';
import { DIRECTIONS } from '../geo/compass.ts';
import { LocalPlane } from '../geo/plane.ts';
import { isCounterClockwise, polygonArea } from '../geo/polygon.ts';
import { sevenDecimals, twoDecimals } from '../geo/rounding.ts';
import type { Footprint } from '../plateau/building.ts';
import { PLACEHOLDER, STOREYS_RULES, storeysClass } from '../sunlight/storeys.ts';
import { hoursOfMinutes, type FaceHours as SummaryFace } from '../sunlight/summary.ts';
import type { BuildingHead } from './building-record.ts';

/** Names of towns by code. */
export type TownNames = (townCode: string) => string | null;

/** The summary of a building, as every list shows it. */
export function summaryAnswer(head: BuildingHead, townName: TownNames): BuildingSummary {
  return {
    building_id: head.buildingId,
    ward_code: head.wardCode,
    town_code: head.townCode,
    town_name: head.townCode === null ? null : townName(head.townCode),
    lat: sevenDecimals(head.lat),
    lon: sevenDecimals(head.lon),
    ...attributeAnswers('building', head),
    december_top_best: head.summary && faceHours(head.summary.decemberTopBest),
    december_first_south: head.summary && faceHours(head.summary.decemberFirstSouth),
    annual_mean_hours: head.summary?.annualMeanHours ?? null,
    quality: attributeAnswers('quality', head),
  };
}

/** The attributes of a building in one group of an answer. */
export function attributeAnswers<Group extends AnswerGroup>(group: Group, head: BuildingHead): AnswerMembers<Group> {
  const members: Record<string, AttributeValue> = {};
  const heightM = twoDecimals(head.topM - head.baseM);
  const values: AnsweredAttributes = {
    ...head,
    heightM,
    doubtfulShape: isDoubtfulShape(heightM, footprintArea(head)),
    ...storeysQuality(head, heightM),
  };
  for (const { row, names } of ROWS_OF[group]) {
    const value = values[row.key];
    // A code also has a member with its name.
    if (names !== null) members[names.member] = names.byCode.get(value) ?? null;
    members[row.answer.name] = value;
  }
  return members as AnswerMembers<Group>;
}

/** Area of all footprints, square metres. */
function footprintArea({ lat, lon, footprints }: BuildingHead): number {
  const plane = new LocalPlane(lat, lon);
  return footprints.reduce((sum, { rings }) => sum + polygonArea(rings.map((ring) => plane.ring(ring))), 0);
}

/**
 * The class by which storeys were estimated, and the bias and spread of the estimate. Bias and spread are null where the
 * height is not known; all are null where storeys are published.
 */
function storeysQuality({ storeysEstimated, usageCode, heightMethod }: BuildingHead, heightM: number) {
  if (!storeysEstimated) return { storeysClass: null, storeysBias: null, storeysSpread: null };
  const className = storeysClass(heightM, usageCode);
  if (heightMethod === PLACEHOLDER) return { storeysClass: className, storeysBias: null, storeysSpread: null };
  const { bias, spread } = STOREYS_RULES[className];
  return { storeysClass: className, storeysBias: bias, storeysSpread: spread };
}

/** The attributes of a group, each with the member for the name of its code and the names by code; null without names. */
const rowsOf = (group: AnswerGroup) =>
  ANSWERED.filter(({ answer }) => answer.group === group).map((row) => {
    if (row.kind !== 'code' || row.named === undefined) return { row, names: null };
    const byCode = new Map<AttributeValue, string>(row.named.values.map(({ code, name }) => [code, name]));
    return { row, names: { member: row.named.name, byCode } };
  });
const ROWS_OF = { building: rowsOf('building'), quality: rowsOf('quality') };

/**
 * Footprints as GeoJSON (RFC 7946): longitude first, rings closed, outer ones counter-clockwise and holes clockwise
 * (3.1.6).
 */
export function multiPolygonOf(footprints: readonly Footprint[]): MultiPolygon {
  const coordinates = footprints.map(({ rings }) =>
    rings.map((ring, index) => {
      const points = Array.from({ length: ring.length / 2 }, (_, i): [lon: number, lat: number] => [
        sevenDecimals(ring[2 * i + 1]),
        sevenDecimals(ring[2 * i]),
      ]);
      points.push([...points[0]]);
      const isOuter = index === 0;
      // As seen on the map, although the ring has the latitude first.
      return isCounterClockwise(ring) === isOuter ? points : points.toReversed();
    }),
  );
  return { type: 'MultiPolygon', coordinates };
}

/**
 * One month of sun at a wall or a point, in hours and times of day.
 * @param month 1–12
 * @param windows start and end of each window in minutes after midnight, alternating
 */
export function monthAnswer(
  month: number,
  sunMinutes: number,
  unshadedMinutes: number,
  windows: ArrayLike<number>,
): MonthSunlight {
  return {
    month,
    direct_sun_hours: hoursOfMinutes(sunMinutes),
    unshaded_hours: hoursOfMinutes(unshadedMinutes),
    sunlit_windows: timeWindows(windows),
  };
}

/** Windows as times of day. Their starts and ends alternate, in minutes after midnight. */
export function timeWindows(windows: ArrayLike<number>): [string, string][] {
  const times: [string, string][] = [];
  for (let i = 0; i < windows.length; i += 2) times.push([timeOfDay(windows[i]), timeOfDay(windows[i + 1])]);
  return times;
}

/** `HH:MM` of whole minutes after midnight. */
export function timeOfDay(minutes: number): string {
  const hour = Math.floor(minutes / 60);
  const minute = minutes % 60;
  return `${hour < 10 ? '0' : ''}${hour}:${minute < 10 ? '0' : ''}${minute}`;
}

const faceHours = ({ face, azimuthDeg, directSunHours }: SummaryFace): FaceHours => ({
  face: DIRECTIONS[face],
  azimuth_deg: azimuthDeg,
  direct_sun_hours: directSunHours,
});

/** How the numbers of a dataset were computed. */
export const methodOf = ({ reference_year }: { reference_year: number }): Method => ({
  reference_year,
  day_of_month: 15,
  time_zone: 'Asia/Tokyo',
});
