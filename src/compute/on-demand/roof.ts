import type { BuildingRoof } from '../../contract/operations/sunlight-building-roof.ts';
import { convergenceDeg } from '../../geo/plane.ts';
import { oneDecimal, roundedAzimuth } from '../../geo/rounding.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { computePoint, type PointSunlight } from '../../sunlight/point.ts';
import { MONTHS } from '../../sunlight/result.ts';
import { type RoofPart, roofParts } from '../../sunlight/roof.ts';
import { hoursOfMinutes } from '../../sunlight/summary.ts';
import type { ReadyBuilding, SquareSuns } from './squares.ts';
import type { SquareSunshine } from './sunshine.ts';

/** Limit of the listed parts of a roof: the largest ones. */
const MOST_PARTS = 100;

/** The answer about the sun on a building's roof. */
export function roofAnswer(
  { square, squareScene, kernel, index, lat, lon }: ReadyBuilding,
  suns: SquareSuns,
  sunshine: SquareSunshine,
  head: BuildingHead,
  method: BuildingRoof['method'],
): BuildingRoof {
  const { curves } = suns.over(square, squareScene.zone);
  const convergence = convergenceDeg(kernel.plane, lat, lon);
  const parts = roofParts(kernel.scene, index, kernel.plane).map((part) => ({ part, sun: sunOn(part) }));
  const { buildingSurfaces } = kernel.scene.roofs;
  // The list has the first surface of each building.
  const hasSurfaces = buildingSurfaces[index] < buildingSurfaces[index + 1];
  return {
    building_id: head.buildingId,
    roof: hasSurfaces ? 'surfaces' : 'flat',
    ...partAnswer(
      parts.reduce((sum, { part }) => sum + part.areaM2, 0),
      parts.flatMap(({ sun }) => sun),
    ),
    // The sums above are of all parts; only the largest are listed.
    planes: hasSurfaces
      ? parts.slice(0, MOST_PARTS).map(({ part, sun }) => ({
          tilt_deg: oneDecimal(part.tiltDeg),
          azimuth_deg: part.azimuthDeg === null ? null : roundedAzimuth(part.azimuthDeg),
          ...partAnswer(part.areaM2, sun),
        }))
      : null,
    method,
  };

  /** The sun at each point of a part. */
  function sunOn({ points }: RoofPart): PointSunlight[] {
    const sun: PointSunlight[] = [];
    for (let i = 0; i < points.length; i += 3) {
      const point = [points[i], points[i + 1], points[i + 2]] as const;
      sun.push(computePoint(kernel.engine, kernel.view, curves, point, convergence));
    }
    return sun;
  }

  /** The means over the points of a part, or of the whole roof. */
  function partAnswer(areaM2: number, sun: readonly PointSunlight[]): RoofSun {
    const mean = (month: number): number =>
      sun.reduce((sum, { sunMinutes }) => sum + sunMinutes[month], 0) / sun.length;
    const lit = Array.from({ length: MONTHS }, (_, month) => sun.flatMap(({ windows }) => windows[month]));
    // `year` has the expected hours of the whole year, and whether they follow shares by hour.
    const { monthHours, ...year } = sunshine.answer(square, lit, sun.length);
    return {
      area_m2: oneDecimal(areaM2),
      points: sun.length,
      months: Array.from({ length: MONTHS }, (_, month) => ({
        month: month + 1,
        direct_sun_hours: hoursOfMinutes(mean(month)),
        expected_hours: monthHours(month),
      })),
      ...year,
    };
  }
}

/** The members of an answer about a roof or a part of one. */
type RoofSun = Pick<BuildingRoof, 'area_m2' | 'points' | 'months' | 'expected_year_hours' | 'expected_by_hour'>;
