import { buildingOf, type SquareScene } from '../city/scene-store.ts';
import type { SquareBuilding } from '../city/square-file.ts';
import type { BuildingRecord, ShadingSource } from '../dataset/record/building-record.ts';
import { polygonDistance } from '../geo/distance.ts';
import { azimuthDeg, convergenceDeg, type Plane, toPlane } from '../geo/plane.ts';
import { storeysOf } from '../sunlight/floors.ts';
import { type BuildingSunlight, FLOOR_CLASSES } from '../sunlight/result.ts';
import type { Scene } from '../sunlight/scene.ts';

/** Days in a result: one for each month. */
const DAYS = 12;

/**
 * What the dataset keeps of a building: its published values and what the sun does to it. `index` is its place in
 * the square's scene, `plane` the scene's projection. The building has an ID.
 */
export function buildingRecord(
  building: SquareBuilding & { buildingId: string },
  sunlight: BuildingSunlight,
  index: number,
  from: SquareScene,
  plane: Plane,
): BuildingRecord {
  const { storeys, estimated } = storeysOf(building.storeys, building.topM - building.baseM);
  const { blockedMinutes, selfBlockedMinutes } = sunlight;
  const columns = sunlight.faces.reduce((sum, face) => sum + face.receptors, 0);
  const receptorDays = columns * FLOOR_CLASSES.length * DAYS;
  const own = ringsOf(from.scene, index, from.scene);
  const shadingSources = sunlight.sources.map((source): ShadingSource => {
    const other = buildingOf(from, source.building);
    return {
      buildingId: other.id,
      distanceM: distance(own, ringsOf(other.scene, other.index, from.scene)),
      azimuthDeg: trueAzimuth(plane, building, other),
      heightM: other.scene.top[other.index]! - other.scene.base[other.index]!,
      blockedHours: source.blockedMinutes / 60 / receptorDays,
      share: source.blockedMinutes / blockedMinutes,
    };
  });
  return {
    buildingId: building.buildingId,
    townCode: building.townCode,
    lat: building.lat,
    lon: building.lon,
    usageCode: building.usageCode,
    measuredHeightM: building.measuredHeightM,
    baseM: building.baseM,
    topM: building.topM,
    storeys,
    storeysEstimated: estimated,
    lod: building.lod,
    heightSource: building.heightSource,
    baseSource: building.baseSource,
    footprints: building.footprints,
    floors: sunlight.floors,
    faces: sunlight.faces,
    shadingSources,
    selfShadedShare: blockedMinutes > 0 ? selfBlockedMinutes / blockedMinutes : 0,
  };
}

/** The prisms of a building, each as its rings, counted from the origin of another scene. */
function ringsOf(scene: Scene, building: number, origin: Scene): Float64Array[][] {
  const { buildingPrisms, prismRings, ringVertices, xy } = scene;
  const [dx, dy] = [scene.originX - origin.originX, scene.originY - origin.originY];
  const prisms: Float64Array[][] = [];
  for (let prism = buildingPrisms[building]!; prism < buildingPrisms[building + 1]!; prism++) {
    const rings: Float64Array[] = [];
    for (let ring = prismRings[prism]!; ring < prismRings[prism + 1]!; ring++) {
      const corners = xy.subarray(2 * ringVertices[ring]!, 2 * ringVertices[ring + 1]!);
      rings.push(corners.map((value, i) => value + (i % 2 === 0 ? dx : dy)));
    }
    prisms.push(rings);
  }
  return prisms;
}

/** Between two buildings, metres. */
function distance(a: readonly Float64Array[][], b: readonly Float64Array[][]): number {
  let least = Infinity;
  for (const p of a) for (const q of b) least = Math.min(least, polygonDistance(p, q));
  return least;
}

interface Place {
  lat: number;
  lon: number;
}

/** Direction from one place to another, clockwise from true north, degrees in [0, 360). */
function trueAzimuth(plane: Plane, from: Place, to: Place): number {
  const at = [0, 0, 0, 0] as [number, number, number, number];
  toPlane(plane, from.lat, from.lon, at, 0);
  toPlane(plane, to.lat, to.lon, at, 2);
  const azimuth = azimuthDeg(at[2] - at[0], at[3] - at[1]) + convergenceDeg(plane, from.lat, from.lon);
  return (azimuth + 360) % 360;
}
