import type { Surroundings } from '../city/gaps.ts';
import type { SquareScene } from '../city/scene-store.ts';
import type { SquareBuilding } from '../city/square-file.ts';
import { type BuildingRecord, wardCodeOf } from '../dataset/record/building-record.ts';

import { selfShadedShare, shadingSources } from '../dataset/shading-sources.ts';
import type { Plane } from '../geo/plane.ts';
import { storeysOf } from '../sunlight/floors.ts';
import { type BuildingSunlight, FLOOR_CLASSES } from '../sunlight/result.ts';

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
  surroundings: Surroundings,
): BuildingRecord {
  const { storeys, estimated } = storeysOf(building.storeys, building.topM - building.baseM);
  const columns = sunlight.faces.reduce((sum, face) => sum + face.receptors, 0);
  const receptorDays = columns * FLOOR_CLASSES.length * DAYS;
  return {
    buildingId: building.buildingId,
    wardCode: wardCodeOf(building.buildingId, building.cityCode),
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
    surroundings,
    surveyedOn: building.surveyedOn,
    footprints: building.footprints,
    floors: sunlight.floors,
    faces: sunlight.faces,
    shadingSources: shadingSources(from, plane, { ...building, index }, sunlight, receptorDays),
    selfShadedShare: selfShadedShare(sunlight),
  };
}
