import type { Demand } from '../../compute/on-demand/on-demand.ts';
import type { SHADOW_PARAMETERS } from '../../contract/operations/sunlight-shadow.ts';
import { MOST_PLANNED } from '../../contract/operations/sunlight-what-if.ts';
import {
  type Absent,
  absent,
  type Compute,
  compute,
  isRefused,
  type Refused,
  refused,
} from '../../contract/outcome.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { ringsOf } from '../../geo/ring-text.ts';

/**
 * The planned buildings of a request. Each list has one value for all rings or one for each ring; otherwise the request
 * is refused.
 * @param ring the rings as text
 * @param heights heights above the base, metres
 * @param bases heights of the bases above sea level, metres; empty: the ground below each ring
 */
export function plannedOf(
  ring: string,
  heights: readonly number[],
  bases: readonly number[],
): Extract<Demand, { kind: 'shadow' }>['planned'] | Refused {
  // The parameter takes only texts that are rings.
  const rings = ringsOf(ring, MOST_PLANNED) ?? [];
  for (const [name, list] of [
    ['height_m', heights],
    ['base_m', bases],
  ] as const) {
    if (list.length > 1 && list.length !== rings.length)
      return refused(
        'invalid-parameter',
        `${name} has ${list.length} values, ring has ${rings.length}: give one for all, or one for each ring.`,
      );
  }
  return rings.map((one, i) => ({
    ring: one,
    heightM: heights[i] ?? heights[0],
    baseM: bases[i] ?? bases[0] ?? null,
  }));
}

/** Largest distance between a planned building and the requested building, or the data, metres. */
const MOST_AWAY_M = 3000;

/** The refusal of planned buildings that are too far from the requested building; null when all are near enough. */
export function tooFarFrom(
  sunlight: SunlightAnswers,
  buildingId: string,
  planned: readonly { ring: readonly number[] }[],
): Refused | null {
  const [lat, lon] = placeOfBuilding(sunlight, buildingId);
  const far = planned.findIndex(({ ring }) => !isWithin(ring, lat, lon, MOST_AWAY_M));
  if (far < 0) return null;
  return refused(
    'invalid-parameter',
    `Ring ${far + 1} is more than ${MOST_AWAY_M} m from ${buildingId}: it must be nearer.`,
  );
}

/** Largest distance of a site's corners from the first building that casts the shadow, metres. */
const MOST_SITE_M = 500;

/** True when the dataset has a building near a ring `[lat, lon, …]`: the ground below the ring is taken from it. */
const isNearData = (sunlight: SunlightAnswers, [lat, lon]: readonly number[]): boolean =>
  sunlight.near(lat, lon, MOST_AWAY_M, 1).toJSON().buildings.length > 0;

/** The position of a building that the dataset has. */
function placeOfBuilding(sunlight: SunlightAnswers, buildingId: string): [lat: number, lon: number] {
  const { lat = 0, lon = 0 } = sunlight.summary(buildingId)?.toJSON() ?? {};
  return [lat, lon];
}

/** True when all corners of a ring `[lat, lon, …]` are within a distance of a place, metres. */
function isWithin(ring: readonly number[], lat: number, lon: number, metres: number): boolean {
  const plane = new LocalPlane(lat, lon);
  return ring.every((_, i) => i % 2 === 1 || Math.hypot(plane.x(ring[i], ring[i + 1]), plane.y(ring[i])) <= metres);
}

/**
 * The computation (`Demand`) of a shadow study, for the API and for drawings; refused or absent when the parameters do
 * not fit.
 */
export function shadowOutcome(
  values: ValuesOf<typeof SHADOW_PARAMETERS>,
  sunlight: SunlightAnswers,
): Compute<Extract<Demand, { kind: 'shadow' }>> | Refused | Absent {
  const { building_id, ring, height_m = [], base_m = [], site, plane_m, hours } = values;
  const { date, neighbours, replaces = [], step_m } = values;
  if ((building_id === undefined) === (ring === undefined))
    return refused('invalid-parameter', 'Give either building_id or ring: the building that casts the shadow.');
  const missing = [building_id, ...replaces].find((id) => id !== undefined && sunlight.summary(id) === null);
  if (missing !== undefined) return absent(`There is no building ${missing} in this dataset.`);
  if (ring === undefined && (height_m.length > 1 || base_m.length > 0))
    return refused('invalid-parameter', 'With building_id there is one height_m at most, and no base_m.');
  if (ring !== undefined && height_m.length === 0)
    return refused('invalid-parameter', 'height_m is missing: the heights of the buildings of ring, metres.');
  const planned = ring === undefined ? [] : plannedOf(ring, height_m, base_m);
  if (isRefused(planned)) return planned;
  const away = planned.findIndex(({ ring: one }) => !isNearData(sunlight, one));
  if (away >= 0)
    return refused(
      'invalid-parameter',
      `Ring ${away + 1} is outside the data: there is no building of this dataset within ${MOST_AWAY_M} m.`,
    );
  // The parameter takes only a text that is a ring.
  const boundary = site === undefined ? null : (ringsOf(site, 1)?.[0] ?? null);
  // The first corner of the first ring, which alternates latitudes and longitudes.
  const [lat, lon] = planned[0]?.ring ?? placeOfBuilding(sunlight, String(building_id));
  if (boundary !== null && !isWithin(boundary, lat, lon, MOST_SITE_M))
    return refused('invalid-parameter', `site must be within ${MOST_SITE_M} m of the building that casts the shadow.`);
  return compute({
    kind: 'shadow',
    buildingId: building_id ?? null,
    planned,
    site: boundary,
    heightM: ring === undefined ? (height_m[0] ?? null) : null,
    planeM: Number(plane_m),
    hours: hours && [...new Set(hours)],
    date,
    neighbours,
    stepM: step_m,
    replaces: [...new Set(replaces)],
  });
}
