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

/** A building with the shape in which it shades. */
export interface StandingNeighbour extends Neighbour {
  /** Its base above that of the chosen building, metres; 0 where the ground is not known: then all stand on one level. */
  baseM: number;
  /** Its published roof surfaces, each its rings: metres east, north and above its base, in turn. None: it is a prism. */
  roof: number[][][];
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

/** A point of a large building may lie so far behind its nearest wall, metres. */
const BEHIND_M = 300;

/**
 * The buildings around a place with their roofs, as `surroundings` gives them.
 * @param own ID of the building whose base counts as level 0
 */
export function standingSurroundings(
  sunlight: SunlightAnswers,
  { lat, lon, own }: { lat: number; lon: number; own: string },
  { radiusM, most }: { radiusM: number; most: number },
): StandingNeighbour[] {
  const shapes = sunlight.shapesAround(lat, lon, radiusM + BEHIND_M);
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  const level = shapes.get(own)?.baseM ?? 0;
  // Neighbouring surfaces meet to the centimetre.
  const metres = (value: number): number => Math.round(value * 100) / 100;
  return surroundings(sunlight, lat, lon, { radiusM, most }).map((one) => {
    const { baseM = level, roof: surfaces = [] } = shapes.get(one.id) ?? {};
    const roof = surfaces.map((rings) =>
      rings.map((ring) => {
        const points: number[] = [];
        for (let i = 0; i < ring.length; i += 3)
          points.push(
            metres((ring[i + 1] - lon) * lonM),
            metres((ring[i] - lat) * DEGREE_M),
            metres(ring[i + 2] - baseM),
          );
        return points;
      }),
    );
    return { ...one, baseM: metres(baseM - level), roof };
  });
}
