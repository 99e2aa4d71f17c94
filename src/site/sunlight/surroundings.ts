import type { SunlightAnswers } from '../../dataset/sunlight.ts';

/** A building as it stands around a place. */
export interface Neighbour {
  id: string;
  heightM: number;
  /** Of the best wall of the top floor on 15 December; null: it has no walls. */
  hours: number | null;
  /** Polygons, each its rings, the outer one first and open; metres east and north of the place, in turn. */
  polygons: number[][][];
}

/** Metres of a degree of latitude. */
const DEGREE_M = 111_132;

/** The buildings around a place, the nearest first, on a plane whose origin it is. */
export function surroundings(
  sunlight: SunlightAnswers,
  lat: number,
  lon: number,
  { radiusM, most }: { radiusM: number; most: number },
): Neighbour[] {
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  const metres = (value: number): number => Math.round(value * 10) / 10;
  const { buildings } = sunlight.near(lat, lon, radiusM, most).toJSON();
  return buildings.map(({ building_id: id, height_m: heightM, december_top_best: best }) => {
    const polygons = (sunlight.footprint(id)?.coordinates ?? []).map((rings) =>
      rings.map((ring) =>
        // GeoJSON closes its rings.
        ring.slice(0, -1).flatMap(([x, y]) => [metres((x - lon) * lonM), metres((y - lat) * DEGREE_M)]),
      ),
    );
    return { id, heightM, hours: best?.direct_sun_hours ?? null, polygons };
  });
}

/** A ring `[x, y, …]` of metres from a place as `[lat, lon, …]`, degrees to a centimetre. */
export function toDegrees(ring: readonly number[], lat: number, lon: number): number[] {
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  return ring.map((_, i) => {
    const degrees = i % 2 === 0 ? lat + ring[i + 1] / DEGREE_M : lon + ring[i - 1] / lonM;
    return Math.round(degrees * 1e7) / 1e7;
  });
}
