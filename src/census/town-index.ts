import Flatbush from 'flatbush';
import { pointInPolygon } from '../geo/polygon.ts';
import type { Town } from './town.ts';

/** Which town a point lies in. */
export class TownIndex {
  readonly towns: readonly Town[];
  readonly #boxes: Flatbush | null;

  constructor(towns: readonly Town[]) {
    this.towns = towns;
    this.#boxes = towns.length === 0 ? null : new Flatbush(towns.length);
    for (const { rings } of towns) {
      let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) {
          [south, north] = [Math.min(south, ring[i]!), Math.max(north, ring[i]!)];
          [west, east] = [Math.min(west, ring[i + 1]!), Math.max(east, ring[i + 1]!)];
        }
      }
      this.#boxes?.add(south, west, north, east);
    }
    this.#boxes?.finish();
  }

  /**
   * The town that contains a point (degrees), or null. Towns share borders without overlap; should a file hold
   * two that do overlap, the one that comes first in `towns` is taken.
   */
  townAt(lat: number, lon: number): Town | null {
    let found: number | null = null;
    for (const i of this.#boxes?.search(lat, lon, lat, lon) ?? []) {
      if ((found === null || i < found) && pointInPolygon(lat, lon, this.towns[i]!.rings)) found = i;
    }
    return found === null ? null : this.towns[found]!;
  }
}
