import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../contract/operations/sunlight-building-floor.ts';
import type { MonthSunlight } from '../../contract/sunlight-shapes.ts';

/** One wall direction of one floor. */
export interface FaceSight {
  face: BuildingFull['faces'][number]['face'];
  azimuth_deg: number;
  wall_length_m: number;
  receptors: number;
  months: readonly MonthSight[];
  /** The measuring points one by one, where the floor was computed. */
  spots?: readonly Spot[];
}

/** One month of a wall; the share of it that is lit is known where the floor was computed. */
export type MonthSight = MonthSunlight & { lit_share?: readonly (readonly [string, number])[] };

/** A measuring point before a wall. */
export interface Spot {
  receptor: number;
  lat: number;
  lon: number;
  months: readonly MonthSight[];
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

/** A floor as it was computed. */
export function computedFloor({ floor, faces }: BuildingFloor): FloorSight {
  const sights = faces.map(({ receptor_details, months, ...face }) => ({
    ...face,
    months: months ?? [],
    spots: (receptor_details ?? []).map(({ receptor, lat, lon, months: own }) => ({
      receptor,
      lat,
      lon,
      months: own ?? [],
    })),
  }));
  return { floor, faces: sights };
}

/** The floors with one more, or with one in place of what was there. */
export const withFloor = (floors: readonly FloorSight[], one: FloorSight): FloorSight[] =>
  [...floors.filter(({ floor }) => floor !== one.floor), one].sort((a, b) => a.floor - b.floor);

/** The hours of a month (1–12) of a wall, or of a measuring point before it. */
export const hoursIn = (sight: Pick<FaceSight, 'months'>, month: number): number =>
  sight.months[month - 1].direct_sun_hours;

/** The wall with most sun in a month; the first of equals. */
export const bestFace = ({ faces }: FloorSight, month: number): FaceSight | undefined =>
  faces.reduce<FaceSight | undefined>(
    (best, one) => (best !== undefined && hoursIn(best, month) >= hoursIn(one, month) ? best : one),
    undefined,
  );
