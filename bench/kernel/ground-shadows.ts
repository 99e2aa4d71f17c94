import { gzipSync } from 'node:zlib';
import { GroundHeights } from '../../src/city/ground-heights.ts';
import { squareFrame } from '../../src/city/scene-store.ts';
import type { DatasetScenes } from '../../src/city/scenes-on-demand.ts';
import { terrainTree } from '../../src/city/terrain-file.ts';
import { groundAnswer } from '../../src/compute/on-demand/ground.ts';
import type { PointFinder } from '../../src/compute/on-demand/point.ts';
import { gridSquareCentre, gridSquareNeighbours, gridSquareOf } from '../../src/geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../../src/geo/plane.ts';
import { pointInPolygon } from '../../src/geo/polygon.ts';
import { tileAt, tileBox } from '../../src/geo/web-tile.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { dayPaths, sunAt } from '../../src/solar/day-path.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { computePoint } from '../../src/sunlight/point.ts';
import { SceneBuilder } from '../../src/sunlight/scene.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { viewOf } from '../../src/sunlight/view.ts';
import type { Facets } from '../../src/terrain/facets.ts';
import { nearFacets } from '../../src/terrain/near.ts';
import { asFile, HILLS, hills, OKAYAMA, surfacesOf } from '../../test/kernel/hills.ts';
import { edgeGrid, enclosingBuilding } from '../../test/oracle/edge-grid.ts';
import { castRay } from '../../test/oracle/ray.ts';
import { sharedData } from '../../test/support/shared-data.ts';
import { fillWith, fitted, houses } from './ground.ts';

/** Number of houses, and of places where the shade is compared. */
const [HOUSES, PLACES] = [300, 1500];
const ZOOM = 15;
/** Metres of a degree in Okayama. */
const [LAT_M, LON_M] = [110_940, 91_800];
/** The places are this far inside the tile, degrees. */
const EDGE_DEG = 0.0025;
/** The places are this much above the ground, metres. */
const EYE_M = 0.05;
const CELLS = { cells: 128, shadeCells: 32 } as const;
/** Months, and the minutes of their days. */
const MONTHS = [3, 6, 12];
const STEP_MINUTES = 30;
/** Distances from the edge of the shade within which a wrong place counts as near, metres. */
const NEAR_M = [2, 5, 10];

type Point = [lon: number, lat: number];
type Rings = Point[][];
const browser = (name: string): string => new URL(`../../src/site/map/browser/${name}.js`, import.meta.url).href;

/** Compares the shadows of the map on the hills of Okayama with rays on the same houses and triangles. */
export async function groundShadowsOnHills(): Promise<void> {
  const path = sharedData(OKAYAMA);
  if (path === null) return;
  const { Ground } = await import(browser('ground'));
  const { groundShadows } = await import(browser('shadows'));
  const elevation = hills(path);
  const town = houses(HILLS, elevation, HOUSES);
  const grounds = new Map(
    [HILLS, ...gridSquareNeighbours(HILLS)].map((square) => [
      square,
      asFile(nearFacets(square, fitted(square, elevation, town))),
    ]),
  );
  const { lat, lon } = gridSquareCentre(HILLS);
  const zone = zoneOf(lat, lon);
  const frame = squareFrame(HILLS, zone);
  const box = tileBox(tileAt(ZOOM, lat, lon));
  const start = process.cpuUsage();
  const answer = groundAnswer(...citySeen(grounds, zone), { ...box, ...CELLS });
  const { user, system } = process.cpuUsage(start);
  const bases = Object.fromEntries(town.map(({ baseM }, i) => [`house-${i}`, Math.round(baseM * 10)]));
  const text = JSON.stringify({ ...CELLS, ...answer, bases });
  console.log('\nShadows of the map on the hills of Okayama, against rays on the same houses and triangles');
  console.log(
    `  a tile: ${text.length} bytes (${gzipSync(text).length} packed), ${((user + system) / 1000).toFixed(0)} ms of processor time`,
  );
  globalThis.fetch = async () => new Response(text);
  const ground: ShownTiles = new Ground({ tiles: '', zoom: ZOOM }, () => {});
  const inner = { ...box, west: box.west + EDGE_DEG, east: box.east - EDGE_DEG };
  const view = { ...inner, south: box.south + EDGE_DEG, north: box.north - EDGE_DEG };
  ground.load(view);
  await new Promise((resolve) => setTimeout(resolve, 100));

  const all = new SceneBuilder(frame);
  fillWith(town)(all);
  for (const facets of grounds.values()) {
    for (const surfaces of surfacesOf(facets, zone, frame)) {
      all.addProjected([[surfaces[0]!.rings[0]!.filter((_, i) => i % 3 < 2)]], -100, 2000, surfaces);
    }
  }
  const grid = edgeGrid(all.finish());
  const heights = new Map([...grounds].map(([square, facets]) => [square, new GroundHeights(facets)]));
  const convergence = convergenceDeg(planeOf(zone), lat, lon);
  const casters = town.map(({ footprints, baseM, topM }, i) => ({
    id: `house-${i}`,
    heightM: topM - baseM,
    polygons: footprints.map(({ rings }) => rings.map(closedRing)),
  }));
  const places = Array.from({ length: PLACES }, (_, i): Point => {
    const [east, north] = [(i * 0.7548776662) % 1, (i * 0.5698402909) % 1];
    return [view.west + east * (view.east - view.west), view.south + north * (view.north - view.south)];
  });
  const paths = dayPaths(lat, lon);
  const hidden = { building: new Int32Array(1), slope: new Float64Array(1) };
  const rows: Record<string, string | number>[] = [];
  for (const month of MONTHS) {
    const path = paths[month - 1]!;
    const count = { places: 0, shaded: 0, byHouse: 0, equal: 0, near: NEAR_M.map(() => 0), level: 0 };
    for (let minute = 7 * 60; minute <= 17 * 60; minute += STEP_MINUTES) {
      const sun = sunAt(path, minute);
      if (sun.altitudeDeg <= 3) continue;
      const azimuth = ((sun.azimuthDeg - convergence) * Math.PI) / 180;
      const isShaded = ([placeLon, placeLat]: Point): 'house' | 'hill' | null => {
        const at: [number, number] = [0, 0];
        toPlane(planeOf(zone), placeLat, placeLon, at);
        const [x, y] = [at[0] - frame.originX, at[1] - frame.originY];
        const z = heights.get(gridSquareOf(placeLat, placeLon))!.at(placeLat, placeLon) + EYE_M;
        if (enclosingBuilding(grid, x, y, z) >= 0) return 'house';
        castRay(
          grid,
          x,
          y,
          Math.sin(azimuth),
          Math.cos(azimuth),
          [z],
          Math.tan((sun.altitudeDeg * Math.PI) / 180),
          hidden,
        );
        if (hidden.building[0]! < 0) return null;
        return hidden.building[0]! < town.length ? 'house' : 'hill';
      };
      const index = new RingIndex([
        ...(groundShadows(casters, sun, view, ground.shown) as Rings[]),
        ...ground.hillShadows(month, minute, view),
        ...casters.flatMap(({ polygons }) => polygons),
      ]);
      const level = new RingIndex([
        ...(groundShadows(casters, sun, view) as Rings[]),
        ...casters.flatMap(({ polygons }) => polygons),
      ]);
      for (const place of places) {
        const [right, found] = [isShaded(place), index.covers(place)];
        count.places++;
        if (right !== null) count.shaded++;
        if (right === 'house') count.byHouse++;
        if ((right !== null) === level.covers(place)) count.level++;
        if ((right !== null) === found) count.equal++;
        for (const [k, metres] of NEAR_M.entries()) {
          const isNear =
            (right !== null) === found || around(place, metres).some((other) => (isShaded(other) !== null) === found);
          if (isNear) count.near[k]!++;
        }
      }
    }
    const percent = (some: number): string => ((100 * some) / count.places).toFixed(2);
    rows.push({
      month,
      places: count.places,
      'shaded %': percent(count.shaded),
      'by houses %': percent(count.byHouse),
      'equal %': percent(count.equal),
      ...Object.fromEntries(NEAR_M.map((metres, k) => [`within ${metres} m %`, percent(count.near[k]!)])),
      'equal on level ground %': percent(count.level),
    });
  }
  console.table(rows);
}

/** The part of a browser's `Ground` that is compared. */
interface ShownTiles {
  load(view: object): void;
  shown: object;
  hillShadows(month: number, minute: number, view: object): Rings[];
}

/** A ring `[lat, lon, …]` as closed points. */
function closedRing(ring: readonly number[]): Point[] {
  const points = Array.from({ length: ring.length / 2 }, (_, i): Point => [ring[2 * i + 1]!, ring[2 * i]!]);
  return [...points, points[0]!];
}

/** Eight places around a place, at a distance. */
const around = ([lon, lat]: Point, metres: number): Point[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
    const turn = (i * Math.PI) / 4;
    return [lon + (metres * Math.cos(turn)) / LON_M, lat + (metres * Math.sin(turn)) / LAT_M];
  });

/** What the answer about the ground needs of a dataset, made of meshes. */
function citySeen(grounds: ReadonlyMap<string, Facets>, zone: number): [DatasetScenes, PointFinder] {
  const heights = new Map([...grounds].map(([square, facets]) => [square, new GroundHeights(facets)]));
  const groundAt = (lat: number, lon: number): number | null => {
    const height = heights.get(gridSquareOf(lat, lon))?.at(lat, lon) ?? Number.NaN;
    return Number.isNaN(height) ? null : height;
  };
  const parts = [...grounds].map(([square, facets]) => ({
    tree: terrainTree(facets, squareFrame(square, zone)),
    above: -Infinity,
  }));
  const { originX, originY } = squareFrame(HILLS, zone);
  const view = viewOf(originX, originY, parts);
  const { lat, lon } = gridSquareCentre(HILLS);
  const plane = planeOf(zone);
  const curves = sunCurves(dayPaths(lat, lon), convergenceDeg(plane, lat, lon));
  const engine = new Engine();
  const sunIn: PointFinder['sunIn'] = (_, placeLat, placeLon, z) => {
    const at: [number, number] = [0, 0];
    toPlane(plane, placeLat, placeLon, at);
    return computePoint(
      engine,
      view,
      curves,
      [at[0] - originX, at[1] - originY, z],
      convergenceDeg(plane, placeLat, placeLon),
    );
  };
  const scenes: Pick<DatasetScenes, 'groundAt' | 'hillsFrom'> = { groundAt, hillsFrom: () => ({ zone, view }) };
  return [scenes as DatasetScenes, { groundAt, sunIn } as Pick<PointFinder, 'groundAt' | 'sunIn'> as PointFinder];
}

/** Polygons by the cells of a grid that they meet. */
class RingIndex {
  readonly #cells = new Map<string, Rings[]>();

  constructor(polygons: readonly Rings[]) {
    for (const rings of polygons) {
      const [lons, lats] = [rings[0]!.map(([lon]) => lon), rings[0]!.map(([, lat]) => lat)];
      for (let i = cellOf(Math.min(...lons)); i <= cellOf(Math.max(...lons)); i++) {
        for (let j = cellOf(Math.min(...lats)); j <= cellOf(Math.max(...lats)); j++) {
          const key = `${i} ${j}`;
          const cell = this.#cells.get(key);
          if (cell === undefined) this.#cells.set(key, [rings]);
          else cell.push(rings);
        }
      }
    }
  }

  covers([lon, lat]: Point): boolean {
    const polygons = this.#cells.get(`${cellOf(lon)} ${cellOf(lat)}`) ?? [];
    return polygons.some((rings) =>
      pointInPolygon(
        lon,
        lat,
        rings.map((ring) => ring.slice(0, -1).flat()),
      ),
    );
  }
}

/** Cells of about 20 m. */
const cellOf = (degrees: number): number => Math.floor(degrees * 5000);
