import { gridSquareBounds, gridSquareCentre, gridSquareNeighbours, gridSquareOf } from '../geo/grid-square.ts';
import { zoneOf } from '../geo/zones.ts';
import { gatherScene, type SquareScene, squareFrame, squarePlane } from './scene-store.ts';
import { ShadingSquares, type Viewpoint } from './shading-squares.ts';
import { decodeSquare } from './square-file.ts';
import { parseSquareIndex, SQUARES_INDEX, squareFileName } from './square-index.ts';

/** Scenes held at a time; one of a dense city takes some tens of megabytes. */
const HELD = 4;

/** Reads a file of a city by its name from the city's folder, and knows that it is as it was written. */
export type ReadCityFile = (name: string) => Promise<Uint8Array>;

/** The scenes of a finished dataset, made from its square files as they are asked for; the last few are held. */
export class DatasetScenes {
  readonly #read: ReadCityFile;
  readonly #squares: ShadingSquares;
  readonly #held = new Map<string, Promise<SquareScene>>();

  private constructor(read: ReadCityFile, squares: ShadingSquares) {
    this.#read = read;
    this.#squares = squares;
  }

  /** Throws what `read` throws when there is no index of squares. */
  static async open(read: ReadCityFile): Promise<DatasetScenes> {
    // Which squares are seen does not hang on the digests, which the index leaves out.
    const indexed = parseSquareIndex(await read(SQUARES_INDEX));
    const squares = indexed.map((square) => ({ ...square, ladder: { ...square.ladder, digests: [] } }));
    return new DatasetScenes(read, new ShadingSquares(squares));
  }

  /** The scene in which a square was computed. Throws `RangeError` for a square without served buildings. */
  ofSquare(code: string): Promise<SquareScene> {
    const own = this.#square(code);
    if (own === undefined || own.lowestBase === null)
      throw new RangeError(`no building is served in grid square ${code}`);
    return this.#hold(code, () => this.#gather(code, own.zone, { ...own, lowest: own.lowestBase! }));
  }

  /**
   * What can be seen from a free point (degrees, metres) in its grid square: held for all points there that are no
   * lower than the buildings around.
   */
  ofPoint(lat: number, lon: number, z: number): Promise<SquareScene> {
    const code = gridSquareOf(lat, lon);
    const bases = [code, ...gridSquareNeighbours(code)].map((near) => this.#square(near)?.lowestBase ?? z);
    const lowest = Math.min(z, ...bases);
    return this.#hold(`${code} from ${lowest}`, () => {
      const centre = gridSquareCentre(code);
      return this.#gather(code, zoneOf(centre.lat, centre.lon), { ...gridSquareBounds(code), lowest });
    });
  }

  #square(code: string) {
    return this.#squares.squares.find(({ square }) => square === code);
  }

  #hold(key: string, make: () => Promise<SquareScene>): Promise<SquareScene> {
    const held = this.#held.get(key) ?? make();
    this.#held.delete(key);
    this.#held.set(key, held);
    held.catch(() => this.#held.delete(key));
    if (this.#held.size > HELD) this.#held.delete(this.#held.keys().next().value!);
    return held;
  }

  async #gather(code: string, zone: number, view: Viewpoint): Promise<SquareScene> {
    const needs = this.#squares.seenFrom(view).map(({ need }) => need);
    const planes = [];
    for (const { square } of needs) {
      const name = squareFileName(square);
      planes.push(squarePlane(square, decodeSquare(await this.#read(name), name).square, zone));
    }
    return gatherScene(squareFrame(code, zone), needs, planes);
  }
}
