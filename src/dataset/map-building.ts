import type { FaceHours } from '../map/hours-text.ts';
import type { MapBuilding } from '../map/tile-buildings.ts';
import type { FaceSunlight } from '../sunlight/result.ts';
import { roundedHours } from '../sunlight/summary.ts';
import type { BuildingRecord } from './record/building-record.ts';
import { degrees7 } from './units.ts';

/** A building as the map draws it, with the place and height that every answer gives. */
export const mapBuilding = (record: BuildingRecord): MapBuilding => ({
  buildingId: record.buildingId,
  lat: degrees7(record.lat),
  lon: degrees7(record.lon),
  heightM: Math.round((record.topM - record.baseM) * 100) / 100,
  footprints: record.footprints,
});

/** The hours of its faces as every answer gives them. */
export const mapFaces = (faces: readonly FaceSunlight[]): FaceHours[] =>
  faces.map(({ face, sunMinutes }) => ({ face, hours: sunMinutes.map(roundedHours) }));
