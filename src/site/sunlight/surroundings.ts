import type { SunlightAsk } from '../view.ts';

/** A building as it stands around another one. */
export interface Neighbour {
  id: string;
  heightM: number;
  /** Polygons, each its rings, the outer one first and open; metres east and north of the middle, in turn. */
  polygons: number[][][];
}

/** Metres of a degree of latitude. */
const DEGREE_M = 111_132;
const RADIUS_M = 220;
const MOST = 400;

/** The buildings around a place, the nearest first, on a plane whose origin it is. */
export function surroundings(ask: SunlightAsk, lat: number, lon: number): Neighbour[] {
  const sunlight = ask.sunlight;
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  const metres = (value: number): number => Math.round(value * 10) / 10;
  const { buildings } = sunlight.near(lat, lon, RADIUS_M, MOST).toJSON();
  return buildings.map(({ building_id: id, height_m: heightM }) => {
    const polygons = (sunlight.footprint(id)?.coordinates ?? []).map((rings) =>
      rings.map((ring) =>
        // GeoJSON closes its rings.
        ring.slice(0, -1).flatMap(([x, y]) => [metres((x - lon) * lonM), metres((y - lat) * DEGREE_M)]),
      ),
    );
    return { id, heightM, polygons };
  });
}
