import type { BuildingFull } from '../../contract/operations/sunlight-building-full.ts';
import type { MonthSunlight } from '../../contract/sunlight-shapes.ts';

/** One wall direction of one floor. */
export interface FaceSight {
  face: string;
  azimuth_deg: number;
  wall_length_m: number;
  receptors: number;
  months: readonly (MonthSunlight & { lit_share?: readonly (readonly [string, number])[] })[];
}

/** One floor of a building, as the pages show it. */
export interface FloorSight {
  floor: number;
  faces: readonly FaceSight[];
}

const CLASSES = ['first', 'middle', 'top'] as const;

/** The floors that the full answer holds, from below, each once: a building of two storeys has two. */
export function storedFloors({ faces }: BuildingFull): FloorSight[] {
  const floors = new Map<number, FaceSight[]>();
  for (const { face, azimuth_deg, wall_length_m, receptors, floors: byClass } of faces) {
    for (const { floor, months } of new Set(CLASSES.map((name) => byClass[name]))) {
      const sights = floors.get(floor) ?? [];
      if (!sights.some((sight) => sight.face === face))
        sights.push({ face, azimuth_deg, wall_length_m, receptors, months });
      floors.set(floor, sights);
    }
  }
  return [...floors].sort(([a], [b]) => a - b).map(([floor, sights]) => ({ floor, faces: sights }));
}

/** The hours of a month (1–12) of a wall. */
export const hoursIn = (sight: FaceSight, month: number): number => sight.months[month - 1]!.direct_sun_hours;

/** The wall with most sun in a month; the first of equals. */
export const bestFace = ({ faces }: FloorSight, month: number): FaceSight | undefined =>
  faces.reduce<FaceSight | undefined>(
    (best, one) => (best !== undefined && hoursIn(best, month) >= hoursIn(one, month) ? best : one),
    undefined,
  );
