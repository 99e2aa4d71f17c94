import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import { DEGREE_M } from '../../geo/degree.ts';

/** A building near a place. */
export interface Neighbour {
  id: string;
  heightM: number;
  /** Hours of the best wall of the top floor on 15 December; null: it has no walls. */
  hours: number | null;
  /** Polygons, each as its rings, open, the outer one first; metres east and north of the place, alternating. */
  polygons: number[][][];
}

/** A building with the shape by which it shades. */
interface StandingNeighbour extends Neighbour {
  /** Its base above that of the chosen building, metres; 0 when the ground is unknown, so that all are on one level. */
  baseM: number;
  /**
   * Its published roof surfaces, each as its rings: metres east, north and above its base, alternating. None: it is a
   * prism.
   */
  roof: number[][][];
}

/** The buildings around a place, the nearest first, in a plane with the place as origin. */
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
        // GeoJSON repeats the first point of a ring.
        ring.slice(0, -1).flatMap(([x, y]) => [metres((x - lon) * lonM), metres((y - lat) * DEGREE_M)]),
      ),
    );
    return { id, heightM, hours: best?.direct_sun_hours ?? null, polygons };
  });
}

/** Converts a ring `[x, y, …]` of metres from a place to `[lat, lon, …]`, degrees to a centimetre. */
export function toDegrees(ring: readonly number[], lat: number, lon: number): number[] {
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  return ring.map((_, i) => {
    const degrees = i % 2 === 0 ? lat + ring[i + 1] / DEGREE_M : lon + ring[i - 1] / lonM;
    return Math.round(degrees * 1e7) / 1e7;
  });
}

/** Largest distance of a building's point behind its nearest wall, metres. */
const BEHIND_M = 300;

/** The ground as triangles, in metres from the place and above the base of the chosen building. */
interface GroundSurface {
  points: number[];
  /** Three indexes of points each. */
  triangles: number[];
}

/** Half the side of the drawn square of ground, metres. */
const GROUND_M = 260;

/** The surroundings of a place and the ground; null: unknown, so all are on one level. */
export interface StandingScene {
  buildings: StandingNeighbour[];
  ground: GroundSurface | null;
}

/**
 * The buildings around a place with their roofs, as from `surroundings`, and the ground.
 * @param own ID of the building whose base has the height 0
 */
export function standingSurroundings(
  sunlight: SunlightAnswers,
  { lat, lon, own }: { lat: number; lon: number; own: string },
  { radiusM, most }: { radiusM: number; most: number },
): StandingScene {
  const shapes = sunlight.shapesAround(lat, lon, radiusM + BEHIND_M);
  const surface = sunlight.groundAround(lat, lon, GROUND_M);
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  const level = shapes.get(own)?.baseM ?? 0;
  // Rounded to the centimetre, so that neighbouring surfaces meet.
  const metres = (value: number): number => Math.round(value * 100) / 100;
  /** Latitude, longitude and height, alternating, as metres above a level. */
  const placed = (points: ArrayLike<number>, zeroM: number): number[] => {
    const out: number[] = [];
    for (let i = 0; i < points.length; i += 3) {
      const [east, north] = [(points[i + 1] - lon) * lonM, (points[i] - lat) * DEGREE_M];
      out.push(metres(east), metres(north), metres(points[i + 2] - zeroM));
    }
    return out;
  };
  const buildings = surroundings(sunlight, lat, lon, { radiusM, most }).map((one) => {
    const { baseM = level, roof: surfaces = [] } = shapes.get(one.id) ?? {};
    const roof = surfaces.map((rings) => rings.map((ring) => placed(ring, baseM)));
    return { ...one, baseM: surface === null ? 0 : metres(baseM - level), roof };
  });
  const ground = surface && { points: placed(surface.points, level), triangles: surface.triangles };
  return { buildings, ground };
}
