import { DIRECTIONS } from '../geo/compass.ts';
import { RADIANS } from '../geo/degree.ts';
import { type Plane, toDegrees } from '../geo/plane.ts';
import { type DayPath, sunAt, timeOfDay, timeOfDayWithSeconds, trueSolarTime } from '../solar/day-path.ts';
import { computeReceptors, type Kernel } from './compute.ts';
import { axisOfBin, azimuthOfBin } from './image-planes.ts';
import { makeReceptors, placeReceptors, type Receptors, wallAzimuthDeg } from './receptors.ts';
import { FLOOR_CLASSES, floorsOf, MONTHS } from './result.ts';
import { heightOver } from './roof-plane.ts';
import { roofSurfacesOf, type Scene } from './scene.ts';
import type { SunCurves } from './sun-curves.ts';
import { terrainOf } from './view.ts';

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
 * for every receptor its position, skyline and sunlit windows. The numbers are those of the kernel. Azimuths are
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
    roof_surfaces: roofRingsOf(scene, plane, building),
    sun: { lat: paths[0].lat, lon: paths[0].lon, days: paths.map(dayOf) },
    receptors: Array.from({ length: receptors.count }, (_, i) => explainColumn(request, receptors, i)).flat(),
  };
}

/**
 * The prisms of a building: rings `[[lat, lon], …]` after repair, in published direction and from the published first
 * point, the outer one first.
 */
function footprintsOf(scene: Scene, plane: Plane, building: number): { rings: number[][][] }[] {
  const footprints: { rings: number[][][] }[] = [];
  for (let prism = scene.buildingPrisms[building]; prism < scene.buildingPrisms[building + 1]; prism++) {
    const rings: number[][][] = [];
    for (let ring = scene.prismRings[prism]; ring < scene.prismRings[prism + 1]; ring++) {
      const [start, end] = [scene.ringVertices[ring], scene.ringVertices[ring + 1]];
      const points: number[][] = [];
      for (let v = start; v < end; v++) points.push(degreesOf(scene, plane, scene.xy[2 * v], scene.xy[2 * v + 1]));
      rings.push(scene.ringReversed[ring] === 1 ? [points[0], ...points.slice(1).reverse()] : points);
    }
    footprints.push({ rings });
  }
  return footprints;
}

/** The roof surfaces with which the building shades, rings `[[lat, lon, z], …]`; empty when it shades as a prism. */
function roofRingsOf(scene: Scene, plane: Plane, building: number): { rings: number[][][] }[] {
  return roofSurfacesOf(scene, building).map((surface) => ({
    rings: surface.rings.map((xy) => {
      const points: number[][] = [];
      for (let i = 0; i < xy.length; i += 2) {
        const height = heightOver(surface.plane, xy[i], xy[i + 1]);
        points.push([...degreesOf(scene, plane, xy[i], xy[i + 1]), rounded(height, 4)]);
      }
      return points;
    }),
  }));
}

/** Latitude and longitude of a point of the scene, to 9 decimals (0.1 mm). */
function degreesOf({ originX, originY }: Scene, plane: Plane, x: number, y: number): [lat: number, lon: number] {
  const latLon: [number, number] = [0, 0];
  toDegrees(plane, originX + x, originY + y, latLon);
  return [rounded(latLon[0], 9), rounded(latLon[1], 9)];
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

/** The receptors of a column, one for each floor. Computes the column, then reads from the engine what its eyes saw. */
function explainColumn(request: ExplainRequest, receptors: Receptors, column: number): Record<string, unknown>[] {
  const { kernel, curves, building, storeys } = request;
  const { scene, plane } = kernel;
  const columnKernel = { ...kernel, receptors: onlyColumn(receptors, column) };
  const { faces, floors } = computeReceptors(columnKernel, curves, building, storeys);
  // One column has one face.
  const { windows } = faces[0];
  const heights = [...new Set(floors.map(({ heightM }) => heightM))];
  const [lat, lon] = degreesOf(scene, plane, receptors.x[column], receptors.y[column]);
  // The engine looks once from each different height, its eye; floors at the same height share it.
  const eyes = floors.map(({ heightM }) => heights.indexOf(heightM));
  return floors.map(({ floor, heightM }, index) => {
    const z = scene.base[building] + heightM;
    return {
      face: DIRECTIONS[receptors.face[column]],
      wall_azimuth_deg: rounded(wallAzimuthDeg(receptors, column), 4),
      floor_class: FLOOR_CLASSES[index],
      floor,
      lat,
      lon,
      z_m: rounded(z, 4),
      windows: windows.slice(index * MONTHS, (index + 1) * MONTHS).map(clockWindows),
      ...skylineOfLastColumn(request, eyes[index]),
    };
  });
}

/** The same receptors with one of their columns only. */
function onlyColumn(receptors: Receptors, column: number): Receptors {
  const face = receptors.face[column];
  const onlyItem = <T extends Float64Array | Uint32Array | Uint8Array>(array: T): T =>
    array.subarray(column, column + 1) as T;
  return {
    ...receptors,
    count: 1,
    x: onlyItem(receptors.x),
    y: onlyItem(receptors.y),
    normalX: onlyItem(receptors.normalX),
    normalY: onlyItem(receptors.normalY),
    edge: onlyItem(receptors.edge),
    face: onlyItem(receptors.face),
    // The first column of each face: 0 up to the face of the column, 1 for the faces after it.
    faceStart: receptors.faceStart.map((_, index) => (index > face ? 1 : 0)),
  };
}

/** Windows as pairs of times `HH:MM`. */
function clockWindows(minutes: readonly number[]): [string, string][] {
  const windows: [string, string][] = [];
  for (let i = 0; i < minutes.length; i += 2) windows.push([timeOfDay(minutes[i]), timeOfDay(minutes[i + 1])]);
  return windows;
}

/**
 * The skyline of an eye (a height of receptors) of the column that the engine drew last: ranges of azimuth with the
 * altitudes at which their edge begins and ends, and its building. It has only edges that can hide the sun on one of
 * the twelve computed days. `inside` names the taller building that contains the receptor, if any.
 */
function skylineOfLastColumn({ kernel, curves, idOf }: ExplainRequest, eye: number): Record<string, unknown> {
  const { engine, view } = kernel;
  const { slope, wall: walls } = engine.seen(eye);
  // Numbers of the ground follow those of buildings.
  const firstTerrain = terrainOf(view);
  const ranges: Record<string, unknown>[] = [];
  // Neighbouring bins (steps of azimuth) that see the same wall make one range. Below 0: no wall.
  for (let bin = engine.first; bin < engine.end; ) {
    const wall = walls[bin];
    const start = bin;
    while (bin < engine.end && walls[bin] === wall) bin++;
    if (wall < 0) continue;
    const building = engine.buildingOfWall(wall);
    ranges.push({
      from_deg: azimuthOf(start, curves),
      to_deg: azimuthOf(bin - 1, curves),
      from_altitude_deg: altitudeOf(slope[start], start, curves.planeBins),
      to_altitude_deg: altitudeOf(slope[bin - 1], bin - 1, curves.planeBins),
      building_id: idOf(building),
      terrain: building >= firstTerrain,
    });
  }
  const inside = engine.inside(eye);
  return {
    inside: inside < 0 ? null : { building_id: idOf(inside), terrain: inside >= firstTerrain },
    skyline: ranges,
  };
}

/** Azimuth from true north of a bin's centre. */
const azimuthOf = (bin: number, curves: SunCurves): number =>
  rounded((azimuthOfBin(bin, curves.planeBins) + curves.convergenceDeg + 360) % 360, 3);

/**
 * The altitude of an edge, degrees, by its slope: height over depth along the axis of its plane. The distance to the
 * edge is greater than this depth.
 */
function altitudeOf(slope: number, bin: number, planeBins: number): number {
  const fromAxis = azimuthOfBin(bin, planeBins) - axisOfBin(bin, planeBins);
  return rounded(Math.atan(slope * Math.cos(fromAxis * RADIANS)) / RADIANS, 3);
}

/** A number rounded to some decimals. */
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
