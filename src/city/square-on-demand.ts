import { rowOf, textAt } from '../formats/column-file.ts';
import { SceneBuilder } from '../sunlight/scene.ts';
import { buildingOfPlane, type SquarePlane, type StandingBuilding, squareFrame, squarePlane } from './scene-store.ts';
import { footprintsAt, type SquareBuildings } from './square-file.ts';

/** The buildings of a grid square on the plane of a zone, of which a few are asked for: each is put there by itself. */
export class SquareOnDemand {
  readonly #code: string;
  readonly #square: SquareBuildings;
  readonly #zone: number;
  readonly #allStand: boolean;
  #plane: SquarePlane | null = null;

  /** @param standing how many of its buildings stand, where that is known: those that stand are numbered. */
  constructor(code: string, square: SquareBuildings, zone: number, standing: number | null) {
    this.#code = code;
    this.#square = square;
    this.#zone = zone;
    this.#allStand = standing === square.count;
  }

  /** All of them in one scene. */
  get plane(): SquarePlane {
    this.#plane ??= squarePlane(this.#code, this.#square, this.#zone);
    return this.#plane;
  }

  /** The index of a building that stands; undefined where none has this ID. */
  indexOf(buildingId: string): number | undefined {
    const row = rowOf(this.#square.ids, buildingId);
    const index = this.#allStand ? row : this.plane.rows.indexOf(row);
    return index < 0 ? undefined : index;
  }

  /** A building that stands, by its index. */
  building(index: number): StandingBuilding {
    if (!this.#allStand) return buildingOfPlane(this.plane, index);
    const { ids, lat, lon, base, top } = this.#square;
    const builder = new SceneBuilder(squareFrame(this.#code, this.#zone));
    builder.add(footprintsAt(this.#square, index), base[index], top[index]);
    return { id: textAt(ids, index), lat: lat[index], lon: lon[index], scene: builder.finish(), index: 0 };
  }
}
