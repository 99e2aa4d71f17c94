import { isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import type { LatLon } from '../../geo/degree.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { sevenDecimals, twoDecimals } from '../../geo/rounding.ts';
import { outlineMark } from '../charts/plans.ts';
import type { Fragment } from '../markup.ts';
import type { PageAsk } from '../view.ts';

/** A building near a place. */
export interface Neighbour {
  id: string;
  heightM: number;
  /** False: the city model has no height of it, and `heightM` is that of a box in its place. */
  isHeightKnown: boolean;
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

/**
 * The buildings around a place, the nearest first, in a plane with the place as origin.
 * @param also IDs of buildings that follow, however far they are
 */
export function surroundings(
  sunlight: SunlightAnswers,
  lat: number,
  lon: number,
  { radiusM, most }: { radiusM: number; most: number },
  also: Iterable<string> = [],
): Neighbour[] {
  const plane = new LocalPlane(lat, lon);
  const { buildings: near } = sunlight.near(lat, lon, radiusM, most).toJSON();
  const found = new Set(near.map(({ building_id }) => building_id));
  const others = [...also].flatMap((id) => (found.has(id) ? [] : (sunlight.summary(id)?.toJSON() ?? [])));
  return [...near, ...others].map(({ building_id: id, height_m: heightM, quality, december_top_best: best }) => {
    const polygons = polygonsOf(sunlight, id, plane);
    return {
      id,
      heightM,
      isHeightKnown: !isHeightUnknown({ quality }),
      hours: best?.direct_sun_hours ?? null,
      polygons,
    };
  });
}

/** The polygons of a building in a plane: each as its rings, open, the outer one first; metres east and north. */
export const polygonsOf = (sunlight: SunlightAnswers, id: string, plane: LocalPlane): number[][][] =>
  (sunlight.footprint(id)?.coordinates ?? []).map((rings) =>
    rings.map((ring) =>
      // GeoJSON repeats the first point of a ring.
      ring.slice(0, -1).flatMap(([lon, lat]) => [twoDecimals(plane.x(lat, lon)), twoDecimals(plane.y(lat))]),
    ),
  );

/**
 * The outline of a building as a small mark, in the colour of its hours; null when the dataset has no outline of it.
 */
export function markOf(sunlight: SunlightAnswers, id: string, hours: number | null | undefined): Fragment {
  const firstCorner = sunlight.footprint(id)?.coordinates.at(0)?.at(0)?.at(0) ?? [];
  // Any corner can be the origin of the plane, because the mark is drawn around its own middle.
  const [lon, lat] = firstCorner;
  if (lon === undefined || lat === undefined) return null;
  return outlineMark(polygonsOf(sunlight, id, new LocalPlane(lat, lon)), hours);
}

/** A ring of metres east and north of a place, alternating, as latitudes and longitudes, alternating. */
export function toDegrees(ring: readonly number[], lat: number, lon: number): number[] {
  const plane = new LocalPlane(lat, lon);
  const corners = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]);
  return corners.flatMap(([east, north]) => {
    const cornerLat = lat + north / plane.perLat;
    const metresPerLon = plane.x(cornerLat, lon + 1);
    return [cornerLat, lon + east / metresPerLon].map(sevenDecimals);
  });
}

/**
 * A building's position may be this much farther from a place than its nearest wall, metres: shapes are searched by
 * position.
 */
const BEHIND_M = 300;

/** The ground as triangles, in metres from the place and above the base of the chosen building. */
interface GroundSurface {
  points: number[];
  /** Three indexes of points each. */
  triangles: number[];
}

/** Half the side of the drawn square of ground, metres. */
const GROUND_M = 260;

/** The surroundings of a place and the ground. Unknown ground is null: then all buildings stand on one level. */
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
  { lat, lon, own }: LatLon & { own: string },
  { radiusM, most }: { radiusM: number; most: number },
): StandingScene {
  const shapes = sunlight.shapesAround(lat, lon, radiusM + BEHIND_M);
  const surface = sunlight.groundAround(lat, lon, GROUND_M);
  const plane = new LocalPlane(lat, lon);
  const level = shapes.get(own)?.baseM ?? 0;
  /** Points as metres east, north and above `zeroM`, three numbers each; before: latitude, longitude and height. */
  const placed = (points: ArrayLike<number>, zeroM: number): number[] => {
    const out: number[] = [];
    for (let i = 0; i < points.length; i += 3) {
      const [east, north] = [plane.x(points[i], points[i + 1]), plane.y(points[i])];
      out.push(...[east, north, points[i + 2] - zeroM].map(twoDecimals));
    }
    return out;
  };
  const buildings = surroundings(sunlight, lat, lon, { radiusM, most }).map((one) => {
    const { baseM = level, roof: surfaces = [] } = shapes.get(one.id) ?? {};
    const roof = surfaces.map((rings) => rings.map((ring) => placed(ring, baseM)));
    // Without ground all buildings stand on one level.
    return { ...one, baseM: surface === null ? 0 : twoDecimals(baseM - level), roof };
  });
  const ground = surface && { points: placed(surface.points, level), triangles: surface.triangles };
  return { buildings, ground };
}

/** A block of a town (街区) and its position, degrees. */
interface TownBlock {
  number: string;
  lat: number;
  lon: number;
}

/** A building farther than this from the points of all blocks is assigned to none, metres. */
const MOST_M = 100;

/** The blocks of a town; none when the town has no name or the dataset no address registry. */
export const blocksOf = (
  { dataset }: PageAsk,
  { name, ward_code }: { name: string | null; ward_code: string },
): readonly TownBlock[] => (name === null ? [] : (dataset.search?.blocks(name, ward_code) ?? []));

/**
 * The number of the block whose point is nearest to a place; null when no point is within `MOST_M`. The registry has
 * points of blocks, not their edges.
 */
export const blockNear = (blocks: readonly TownBlock[], { lat, lon }: LatLon): string | null =>
  new LocalPlane(lat, lon).nearest(blocks, MOST_M)?.place.number ?? null;
