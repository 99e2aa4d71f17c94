import { decodeSquare, roofSurfacesAt, type SquareBuildings } from '../city/square-file.ts';
import { squareFileName } from '../city/square-summary.ts';
import { decodeTerrain } from '../city/terrain-file.ts';
import { nearTerrainName } from '../city/terrain-squares.ts';
import { textAt } from '../formats/column-file.ts';
import { LastUsed } from '../formats/last-used.ts';
import { type Box, gridSquaresAround } from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { type Facets, latitudeOf, longitudeOf } from '../terrain/facets.ts';

/** The position and roof of a building. */
export interface StandingShape {
  /** Height of its base above the datum of the city model, metres. */
  baseM: number;
  /** Its published roof surfaces, as rings of latitude, longitude, height; empty when it shades as a prism. */
  roof: readonly (readonly ArrayLike<number>[])[];
}

/** The ground as triangles. */
export interface GroundShape {
  /** Latitude, longitude and height of each point, alternating. */
  points: number[];
  /** Three numbers of points each, counter-clockwise. */
  triangles: number[];
}

/** Most square files, and most terrain files, in memory: about a megabyte each. */
const MOST_SQUARES = 8;

/** The shading shapes of buildings, from the files of grid squares. */
export class CityShapes {
  readonly #files: DatasetFiles;
  readonly #squares = new LastUsed<string, SquareBuildings>(MOST_SQUARES);
  readonly #terrain = new LastUsed<string, Facets>(MOST_SQUARES);

  constructor(files: DatasetFiles) {
    this.#files = files;
  }

  /**
   * The triangles of the ground that meet a square around a point; null without elevation.
   * @throws DamagedFileError
   */
  groundAround(lat: number, lon: number, reachM: number): GroundShape | null {
    const plane = new LocalPlane(lat, lon);
    const metresOfLon = plane.x(lat, lon + 1);
    const [dLat, dLon] = [reachM / plane.perLat, reachM / metresOfLon];
    const box = { west: lon - dLon, south: lat - dLat, east: lon + dLon, north: lat + dLat };
    const ground: GroundShape = { points: [], triangles: [] };
    for (const code of gridSquaresAround({ lat, lon, km: reachM / 1000 })) {
      const name = nearTerrainName(code);
      if (!(name in this.#files.manifest.files)) continue;
      const facets = this.#terrain.get(code, () => decodeTerrain(this.#files.readNow(name), name, { isChecked: true }));
      addGround(ground, facets, box);
    }
    return ground.triangles.length === 0 ? null : ground;
  }

  /**
   * The shapes of the buildings whose point is within a radius of a point, by ID.
   * @throws DamagedFileError
   */
  around(lat: number, lon: number, radiusM: number): Map<string, StandingShape> {
    const plane = new LocalPlane(lat, lon);
    const shapes = new Map<string, StandingShape>();
    for (const code of gridSquaresAround({ lat, lon, km: radiusM / 1000 })) {
      const name = squareFileName(code);
      if (!(name in this.#files.manifest.files)) continue;
      const square = this.#squares.get(
        code,
        () => decodeSquare(this.#files.readNow(name), name, { isChecked: true }).square,
      );
      for (let row = 0; row < square.count; row++) {
        const id = textAt(square.ids, row);
        const [y, x] = [plane.y(square.lat[row]), plane.x(square.lat[row], square.lon[row])];
        if (id === null || Math.hypot(x, y) > radiusM) continue;
        shapes.set(id, { baseM: square.base[row], roof: roofSurfacesAt(square, row).map(({ rings }) => rings) });
      }
    }
    return shapes;
  }
}

/** Adds the triangles of the ground whose bounding boxes meet a box. Triangles share their points. */
function addGround({ points, triangles }: GroundShape, facets: Facets, box: Box): void {
  const { x, y, z, lowM, stepM } = facets;
  const pointNumbers = new Map<number, number>();
  for (let corner = 0; corner < x.length; corner += 3) {
    const lats = [0, 1, 2].map((i) => latitudeOf(facets, y[corner + i]));
    const lons = [0, 1, 2].map((i) => longitudeOf(facets, x[corner + i]));
    const isNear =
      Math.max(...lats) >= box.south &&
      Math.min(...lats) <= box.north &&
      Math.max(...lons) >= box.west &&
      Math.min(...lons) <= box.east;
    if (!isNear) continue;
    for (let i = 0; i < 3; i++) {
      // x and y have 16 bits each.
      const pointKey = y[corner + i] * 2 ** 16 + x[corner + i];
      let number = pointNumbers.get(pointKey);
      if (number === undefined) {
        number = points.length / 3;
        pointNumbers.set(pointKey, number);
        points.push(lats[i], lons[i], lowM + stepM * z[corner + i]);
      }
      triangles.push(number);
    }
  }
}
