import { idOfBuilding, isTerrain, type SquareScene } from '../../city/scene-store.ts';
import { type BuildingSky, HORIZON_STEP_DEG, PVGIS_STEP_DEG } from '../../contract/operations/sunlight-building-sky.ts';
import { DIRECTIONS, type Direction, turnBetween } from '../../geo/compass.ts';
import { DEGREES } from '../../geo/degree.ts';
import { azimuthDeg } from '../../geo/plane.ts';
import { oneDecimal, roundedAzimuth, twoDecimals } from '../../geo/rounding.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { type DayPath, sunAt, sunTable, timeOfDay } from '../../solar/day-path.ts';
import { balconySlope } from '../../sunlight/balcony.ts';
import { placeReceptors } from '../../sunlight/receptors.ts';
import {
  altitudesAround,
  angleOfDirection,
  HORIZON_STEPS,
  type Horizon,
  horizonOf,
  verticalSkyComponent,
} from '../../sunlight/sky-view.ts';
import {
  assumedMember,
  balconyMember,
  heightMember,
  type RequestedBalcony,
  type RequestedBuilding,
  requestedBalconyOf,
  requestedFloorOf,
  standInMember,
} from './requested.ts';
import { positionOf, type ReadyBuilding } from './squares.ts';

/** The requested viewpoint. */
export interface SkyRequest extends RequestedBuilding {
  face: Direction;
  /** The requested face, if `face` may replace it. */
  askedFace?: Direction | undefined;
  receptor: number;
  /** What is before the windows; absent: nothing. */
  balcony?: RequestedBalcony | undefined;
  /** Whether to return the horizon all around, too. */
  horizon?: boolean | undefined;
}

/** Number of directions of the horizon all around. */
const STEPS_AROUND = Math.round(360 / HORIZON_STEP_DEG);
/** Minutes between two positions of the sun. */
const SUN_STEP_MINUTES = 15;

/** The answer about the sky from a receptor that a building has. */
export function skyAnswer(
  building: ReadyBuilding,
  head: BuildingHead,
  request: SkyRequest,
  method: BuildingSky['method'],
): BuildingSky {
  const { square, squareScene, kernel, index } = building;
  const { scene, receptors } = kernel;
  placeReceptors(scene, index, receptors, kernel.plane);
  const face = DIRECTIONS.indexOf(request.face);
  // The receptors of a face are consecutive columns; the request counts them from 1.
  const first = receptors.faceStart[face];
  const column = first + request.receptor - 1;
  const requestedFloor = requestedFloorOf(building, head, request);
  const [x, y] = [receptors.x[column], receptors.y[column]];
  // Half the sky, in front of the wall. The member `horizon` goes all around.
  const skyline = horizonOf(kernel, index, column, requestedFloor.heightM, requestedFloor.moves);
  const normal = azimuthDeg(receptors.normalX[column], receptors.normalY[column]);
  const wall = (normal + receptors.convergenceDeg + 360) % 360;
  const balcony = requestedBalconyOf(request.balcony, requestedFloor);
  // The balcony hides all above this slope. Without a balcony, nothing is hidden above.
  const balconySlopeAt = (fromNormal: number): number =>
    balcony === null ? Infinity : balconySlope(balcony.balcony, balcony.eyeHeightM, fromNormal);
  const balconySlopes = Array.from({ length: HORIZON_STEPS }, (_, direction) =>
    balconySlopeAt(angleOfDirection(direction)),
  );
  return {
    building_id: head.buildingId,
    floor: request.floor,
    assumed: assumedMember(request),
    face: DIRECTIONS[face],
    stand_in: standInMember(request.askedFace, request.face, receptors.azimuthDeg[face]),
    receptor: request.receptor,
    receptors: receptors.faceStart[face + 1] - first,
    ...positionOf(kernel, x, y),
    height_m: heightMember(requestedFloor),
    wall_azimuth_deg: roundedAzimuth(wall),
    skyline: skylineParts(skyline, wall, squareScene),
    balcony: balcony && balconyMember(balcony.balcony),
    balcony_edge: balcony && balconySlopes.map((slope, direction) => pointAt(direction, Math.max(0, slope), wall)),
    horizon: request.horizon
      ? horizonMember(
          altitudesAround(STEPS_AROUND, kernel, index, column, requestedFloor.heightM, requestedFloor.moves),
          wall,
          balconySlopeAt,
        )
      : null,
    sun: sunTable(square).map(sunWay),
    vertical_sky_component_percent: oneDecimal(verticalSkyComponent(skyline, balconySlopes)),
    method,
  };
}

/**
 * The horizon all around, in small steps, and in the coarser steps of `userhorizon`, a parameter of PVGIS. A horizon
 * says up to which altitude a direction is hidden. So side walls of a balcony are part of it. Its slab is not, because
 * it hides the sky above an altitude.
 * @param bare the altitudes of the horizon without the balcony, clockwise from north, degrees
 * @param balconySlopeAt the tangent of the altitude from which the balcony hides a direction (`balconySlope`);
 * `fromNormal` is the angle of the direction from the wall's normal, radians
 */
function horizonMember(
  bare: Float64Array,
  wallDeg: number,
  balconySlopeAt: (fromNormal: number) => number,
): BuildingSky['horizon'] {
  const altitudes = Array.from(bare, (altitude, i) => {
    const fromNormalDeg = turnBetween(wallDeg, HORIZON_STEP_DEG * i);
    // Behind the wall the horizon is at 90° already. A side wall hides all altitudes (slope −∞ and up), so it is at 90°.
    const isBehindSideWall = altitude < 90 && balconySlopeAt(fromNormalDeg / DEGREES) === -Infinity;
    return isBehindSideWall ? 90 : altitude;
  });
  const every = Math.round(PVGIS_STEP_DEG / HORIZON_STEP_DEG);
  return {
    step_deg: HORIZON_STEP_DEG,
    altitudes_deg: altitudes.map((altitude) => Math.round(altitude * 1000) / 1000),
    userhorizon: altitudes
      .filter((_, i) => i % every === 0)
      .map(oneDecimal)
      .join(','),
  };
}

/** The skyline as pieces, each of one building, of the terrain, or of neither where nothing rises over the horizon. */
function skylineParts(skyline: Horizon, wallDeg: number, squareScene: SquareScene): BuildingSky['skyline'] {
  const parts: BuildingSky['skyline'] = [];
  let lastBuilding: number | null = null;
  for (let direction = 0; direction < HORIZON_STEPS; direction++) {
    // Below 0: nothing rises over the horizon there.
    const building = skyline.building[direction];
    if (building !== lastBuilding) {
      const id = building < 0 ? null : idOfBuilding(squareScene, building);
      parts.push({ building_id: id, terrain: isTerrain(squareScene, building), points: [] });
    }
    lastBuilding = building;
    parts.at(-1)?.points.push(pointAt(direction, skyline.slope[direction], wallDeg));
  }
  return parts;
}

/** Azimuth and altitude of a direction before a wall, degrees. */
function pointAt(direction: number, slope: number, wallDeg: number): [azimuth: number, altitude: number] {
  const azimuth = (wallDeg + angleOfDirection(direction) * DEGREES + 360) % 360;
  return [twoDecimals(azimuth), twoDecimals(Math.atan(slope) * DEGREES)];
}

/** The way of the sun on the day of a month (0–11): its positions while it is up. */
function sunWay(path: DayPath, month: number): BuildingSky['sun'][number] {
  const positions: BuildingSky['sun'][number]['positions'] = [];
  const firstMinute = Math.ceil(path.sunrise / SUN_STEP_MINUTES) * SUN_STEP_MINUTES;
  for (let minute = firstMinute; minute < path.sunset; minute += SUN_STEP_MINUTES) {
    const { azimuthDeg: azimuth, altitudeDeg } = sunAt(path, minute);
    positions.push([timeOfDay(minute), twoDecimals(azimuth), twoDecimals(altitudeDeg)]);
  }
  return { month: month + 1, sunrise: timeOfDay(path.sunrise), sunset: timeOfDay(path.sunset), positions };
}
