import { decodeSquare, roofSurfacesAt, type SquareBuildings } from '../city/square-file.ts';
import { squareFileName } from '../city/square-summary.ts';
import { textAt } from '../formats/column-file.ts';
import { LastUsed } from '../formats/last-used.ts';
import { gridSquaresAround } from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';

/** The position and roof of a building. */
export interface StandingShape {
  /** Height of its base above the datum of the city model, metres. */
  baseM: number;
  /** Its published roof surfaces, as rings of latitude, longitude, height; empty when it shades as a prism. */
  roof: readonly (readonly ArrayLike<number>[])[];
}

/** Most square files in memory, about a megabyte each. */
const HELD_SQUARES = 8;

/** The shading shapes of buildings, from the files of grid squares. */
export class CityShapes {
  readonly #files: DatasetFiles;
  readonly #held = new LastUsed<string, SquareBuildings>(HELD_SQUARES);

  constructor(files: DatasetFiles) {
    this.#files = files;
  }

  /** The shapes of the buildings whose point is within a radius of a place, by ID. Throws `DamagedFileError`. */
  around(lat: number, lon: number, radiusM: number): Map<string, StandingShape> {
    const plane = new LocalPlane(lat, lon);
    const shapes = new Map<string, StandingShape>();
    for (const code of gridSquaresAround({ lat, lon, km: radiusM / 1000 })) {
      const name = squareFileName(code);
      if (!(name in this.#files.manifest.files)) continue;
      const square = this.#held.get(code, () => decodeSquare(this.#files.readNow(name), name, true).square);
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
