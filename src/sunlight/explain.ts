import { DIRECTIONS } from '../geo/compass.ts';
import { azimuthDeg, type Plane, toDegrees } from '../geo/plane.ts';
import { type DayPath, sunAt, timeOfDay, timeOfDayWithSeconds, trueSolarTime } from '../solar/day-path.ts';
import { computeReceptors, type Kernel } from './compute.ts';
import { axisOfBin, azimuthOfBin } from './image-planes.ts';
import { makeReceptors, placeReceptors, type Receptors } from './receptors.ts';
import { FLOOR_CLASSES, floorsOf, MONTHS } from './result.ts';
import type { Scene } from './scene.ts';
import type { SunCurves } from './sun-curves.ts';
import { terrainOf } from './view.ts';

const RADIANS = Math.PI / 180;

/** The building to explain, and the input of the kernel. */
interface ExplainRequest {
  kernel: Kernel;
  curves: SunCurves;
  /** The day paths of the curves. */
  paths: readonly DayPath[];
  /** Index in the kernel's scene. */
  building: number;
  storeys: number;
  /** ID of a building of the kernel's view; null when it has none. */
  idOf(building: number): string | null;
}

/**
 * Everything that is needed to check one building, as a JSON value: its rings, base and top, the sun's day paths, and
 * for every receptor its place, its skyline and its sunlit windows. The numbers are those of the kernel. Azimuths are
 * clockwise from true north, times are JST.
 */
export function explainBuilding(request: ExplainRequest): Record<string, unknown> {
  const { kernel, building, storeys, paths, idOf } = request;
  const { scene, plane } = kernel;
  const base = scene.base[building];
  const floors = floorsOf(storeys, scene.top[building] - base);
  const receptors = makeReceptors();
  placeReceptors(scene, building, receptors, plane);
  return {
    building_id: idOf(kernel.firstBuilding + building),
    plane: { zone: scene.zone, convergence_deg: rounded(receptors.convergenceDeg, 6) },
    base_m: base,
    top_m: scene.top[building],
    storeys,
    floors: Object.fromEntries(
      floors.map(({ floor, heightM }, i) => [
        FLOOR_CLASSES[i],
        { floor, height_m: rounded(heightM, 4), z_m: rounded(base + heightM, 4) },
      ]),
    ),
    footprints: footprintsOf(scene, plane, building),
    roof_surfaces: roofSurfacesOf(scene, plane, building),
    sun: { lat: paths[0].lat, lon: paths[0].lon, days: paths.map(dayOf) },
    receptors: Array.from({ length: receptors.count }, (_, i) => explainColumn(request, receptors, i)).flat(),
  };
}

/**
 * Rings `[[lat, lon], …]` after repair, in published direction and from the published first point, the outer one first.
 */
function footprintsOf(scene: Scene, plane: Plane, building: number): { rings: number[][][] }[] {
  const footprints: { rings: number[][][] }[] = [];
  for (let prism = scene.buildingPrisms[building]; prism < scene.buildingPrisms[building + 1]; prism++) {
    const rings: number[][][] = [];
    for (let ring = scene.prismRings[prism]; ring < scene.prismRings[prism + 1]; ring++) {
      const [start, end] = [scene.ringVertices[ring], scene.ringVertices[ring + 1]];
      const points: number[][] = [];
      for (let v = start; v < end; v++) points.push(place(scene, plane, scene.xy[2 * v], scene.xy[2 * v + 1]));
      rings.push(scene.ringReversed[ring] === 1 ? [points[0], ...points.slice(1).reverse()] : points);
    }
    footprints.push({ rings });
  }
  return footprints;
}

/** The roof surfaces with which the building shades, rings `[[lat, lon, z], …]`; empty when it shades as a prism. */
function roofSurfacesOf({ roofs, ...scene }: Scene, plane: Plane, building: number): { rings: number[][][] }[] {
  const { buildingSurfaces, surfaceRings, ringVertices, planes, xy } = roofs;
  const surfaces: { rings: number[][][] }[] = [];
  for (let surface = buildingSurfaces[building]; surface < buildingSurfaces[building + 1]; surface++) {
    const [h, gx, gy] = [planes[3 * surface], planes[3 * surface + 1], planes[3 * surface + 2]];
    const rings: number[][][] = [];
    for (let ring = surfaceRings[surface]; ring < surfaceRings[surface + 1]; ring++) {
      const points: number[][] = [];
      for (let v = ringVertices[ring]; v < ringVertices[ring + 1]; v++) {
        const [x, y] = [xy[2 * v], xy[2 * v + 1]];
        points.push([...place(scene, plane, x, y), rounded(h + gx * x + gy * y, 4)]);
      }
      rings.push(points);
    }
    surfaces.push({ rings });
  }
  return surfaces;
}

/** Latitude and longitude of a point of the scene, to 9 decimals (0.1 mm). */
function place(
  scene: Pick<Scene, 'originX' | 'originY'>,
  plane: Plane,
  x: number,
  y: number,
): [lat: number, lon: number] {
  const at: [number, number] = [0, 0];
  toDegrees(plane, scene.originX + x, scene.originY + y, at);
  return [rounded(at[0], 9), rounded(at[1], 9)];
}

/**
 * The sun of a day: sunrise, noon and sunset, and for every whole minute in between JST, azimuth, altitude and true
 * solar time.
 */
function dayOf(path: DayPath): Record<string, unknown> {
  const { year, month, day } = path.solarDay;
  const positions: [time: string, azimuth: number, altitude: number, trueSolarTime: string][] = [];
  for (let minute = Math.ceil(path.sunrise); minute < path.sunset; minute++) {
    const sun = sunAt(path, minute);
    const solarTime = timeOfDayWithSeconds(trueSolarTime(path, minute));
    positions.push([timeOfDay(minute), rounded(sun.azimuthDeg, 4), rounded(sun.altitudeDeg, 4), solarTime]);
  }
  return {
    date: new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10),
    sunrise: timeOfDayWithSeconds(path.sunrise),
    true_solar_noon: timeOfDayWithSeconds(path.noon),
    sunset: timeOfDayWithSeconds(path.sunset),
    positions,
  };
}

/** The receptors of a column, one for each floor. */
function explainColumn(request: ExplainRequest, receptors: Receptors, column: number): Record<string, unknown>[] {
  const { kernel, curves, building, storeys } = request;
  const { scene, plane } = kernel;
  const alone = { ...kernel, receptors: onlyColumn(receptors, column) };
  const { faces, floors } = computeReceptors(alone, curves, building, storeys);
  const { windows } = faces[0];
  const heights = [...new Set(floors.map(({ heightM }) => heightM))];
  const [lat, lon] = place(scene, plane, receptors.x[column], receptors.y[column]);
  const normal = azimuthDeg(receptors.normalX[column], receptors.normalY[column]) + receptors.convergenceDeg;
  const eyes = floors.map(({ heightM }) => heights.indexOf(heightM));
  return floors.map(({ floor, heightM }, index) => {
    const z = scene.base[building] + heightM;
    return {
      face: DIRECTIONS[receptors.face[column]],
      wall_azimuth_deg: rounded((normal + 360) % 360, 4),
      floor_class: FLOOR_CLASSES[index],
      floor,
      lat,
      lon,
      z_m: rounded(z, 4),
      windows: windows.slice(index * MONTHS, (index + 1) * MONTHS).map(clockWindows),
      ...skylineOf(request, eyes[index]),
    };
  });
}

/** Receptors that consist of one column of the given ones. */
function onlyColumn(all: Receptors, column: number): Receptors {
  const face = all.face[column];
  const one = <T extends Float64Array | Uint32Array | Uint8Array>(array: T): T =>
    array.subarray(column, column + 1) as T;
  return {
    ...all,
    count: 1,
    x: one(all.x),
    y: one(all.y),
    normalX: one(all.normalX),
    normalY: one(all.normalY),
    edge: one(all.edge),
    face: one(all.face),
    faceStart: all.faceStart.map((_, index) => (index > face ? 1 : 0)),
  };
}

function clockWindows(minutes: readonly number[]): [string, string][] {
  const windows: [string, string][] = [];
  for (let i = 0; i < minutes.length; i += 2) windows.push([timeOfDay(minutes[i]), timeOfDay(minutes[i + 1])]);
  return windows;
}

/**
 * The picture of an eye after its column was computed: ranges of azimuth with the altitudes at which their edge begins
 * and ends, and its building. It has only edges that can hide the sun on one of the twelve days. `inside` names the
 * taller building that contains the receptor, if any.
 */
function skylineOf({ kernel, curves, idOf }: ExplainRequest, eye: number): Record<string, unknown> {
  const { engine, view } = kernel;
  const { slope, wall: walls } = engine.seen(eye);
  const ranges: Record<string, unknown>[] = [];
  for (let bin = engine.first; bin < engine.end; ) {
    const wall = walls[bin];
    const start = bin;
    while (bin < engine.end && walls[bin] === wall) bin++;
    if (wall < 0) continue;
    ranges.push({
      from_deg: azimuthOf(start, curves),
      to_deg: azimuthOf(bin - 1, curves),
      from_altitude_deg: altitudeOf(slope[start], start, curves.planeBins),
      to_altitude_deg: altitudeOf(slope[bin - 1], bin - 1, curves.planeBins),
      building_id: idOf(engine.buildingOfWall(wall)),
      terrain: engine.buildingOfWall(wall) >= terrainOf(view),
    });
  }
  const inside = engine.inside(eye);
  return {
    inside: inside < 0 ? null : { building_id: idOf(inside), terrain: inside >= terrainOf(view) },
    skyline: ranges,
  };
}

/** Azimuth from true north of a bin's centre. */
const azimuthOf = (bin: number, curves: SunCurves): number =>
  rounded((azimuthOfBin(bin, curves.planeBins) + curves.convergenceDeg + 360) % 360, 3);

/**
 * The altitude of a slope over a plane's depth. The distance to the edge exceeds its depth by the angle from the axis.
 */
function altitudeOf(slope: number, bin: number, planeBins: number): number {
  const fromAxis = azimuthOfBin(bin, planeBins) - axisOfBin(bin, planeBins);
  return rounded(Math.atan(slope * Math.cos(fromAxis * RADIANS)) / RADIANS, 3);
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
