/** @import { Bounds, GroundTile, Ring, ShownGround } from './types.js' */

import { latAt, lonAt, worldX, worldY } from './tiles.js';

const MOST_TILES = 64;
/** A tile that could not be loaded is not asked for again before this time, milliseconds. */
const ASK_AGAIN_MS = 10_000;
/** Tiles are loaded this far around a view, about 200 m: shadows from there reach into it. */
const AROUND_DEG = 0.002;
/** Limit of spare minutes: more of them would not move the edge of a shade. */
const MOST_MINUTES = 60;

/** The tiles of the ground: heights, bases of buildings and the shade of hills. */
export class Ground {
  #tiles;
  #zoom;
  #whenLoaded;
  /** By column and row; null while it loads, and when it cannot be loaded. @type {Map<string, GroundTile | null>} */
  #known = new Map();

  /**
   * @param {{ tiles: string, zoom: number }} settings
   * @param {() => void} whenLoaded called when a further tile is there, or is to be asked for again
   */
  constructor({ tiles, zoom }, whenLoaded) {
    this.#tiles = tiles;
    this.#zoom = zoom;
    this.#whenLoaded = whenLoaded;
  }

  /**
   * Loads the tiles of a view that are not there yet.
   * @param {Bounds} view
   */
  load(view) {
    for (const [x, y] of this.#tilesIn(view)) if (!this.#known.has(`${x}/${y}`)) void this.#fetch(x, y);
  }

  /**
   * The tiles of a view and a little around it: shadows come from there.
   * @param {Bounds} view
   */
  #tilesIn({ west, south, east, north }) {
    const [left, top] = this.#placeOf(west - AROUND_DEG, north + AROUND_DEG).map(Math.floor);
    const [right, bottom] = this.#placeOf(east + AROUND_DEG, south - AROUND_DEG).map(Math.floor);
    /** @type {[x: number, y: number][]} */
    const found = [];
    for (let y = top ?? 0; y <= (bottom ?? -1); y++) {
      for (let x = left ?? 0; x <= (right ?? -1); x++) found.push([x, y]);
    }
    return found;
  }

  /**
   * Loads a tile. When this fails, it waits before the tile may be requested again.
   * @param {number} x
   * @param {number} y
   */
  async #fetch(x, y) {
    const key = `${x}/${y}`;
    this.#known.set(key, null);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_TILES && oldest !== undefined) this.#known.delete(oldest);
    const answer = await fetch(this.#tiles.replace('{x}', String(x)).replace('{y}', String(y))).catch(() => null);
    if (answer?.ok === true) this.#known.set(key, withHeights(await answer.json()));
    else {
      await new Promise((wake) => setTimeout(wake, ASK_AGAIN_MS));
      this.#known.delete(key);
    }
    this.#whenLoaded();
  }

  /** The ground as far as it is loaded. @returns {ShownGround} */
  get shown() {
    return {
      heightAt: (lon, lat) => this.#heightAt(lon, lat),
      baseOf: (id) => {
        for (const tile of this.#known.values()) {
          const base = tile?.bases[id];
          if (base !== undefined) return base / 10;
        }
        return null;
      },
    };
  }

  /**
   * The place of a position among the tiles: column and row, with fractions.
   * @param {number} lon
   * @param {number} lat
   * @returns {[x: number, y: number]}
   */
  #placeOf(lon, lat) {
    const side = 2 ** this.#zoom;
    return [worldX(lon) * side, worldY(lat) * side];
  }

  /**
   * The height of the ground, metres, interpolated between the corners of a cell; NaN where it is not known.
   * @param {number} lon
   * @param {number} lat
   */
  #heightAt(lon, lat) {
    const [x, y] = this.#placeOf(lon, lat);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const tile = this.#known.get(`${column}/${row}`);
    if (tile == null) return Number.NaN;
    const { cells, heights } = tile;
    // The position in the tile, counted in cells from its north-west corner.
    const [right, down] = [(x - column) * cells, (y - row) * cells];
    const [cellColumn, cellRow] = [Math.floor(right), Math.floor(down)];
    const [shareRight, shareDown] = [right - cellColumn, down - cellRow];
    const northWest = cellRow * (cells + 1) + cellColumn;
    const southWest = northWest + cells + 1;
    /** @type {(corner: number) => number} */
    const height = (corner) => heights[corner] ?? Number.NaN;
    const north = height(northWest) + shareRight * (height(northWest + 1) - height(northWest));
    const south = height(southWest) + shareRight * (height(southWest + 1) - height(southWest));
    // Heights are in tenths of a metre.
    return (north + shareDown * (south - north)) / 10;
  }

  /**
   * The areas that hills shade at a minute of a month's day, in the tiles of a view.
   * @param {number} month 1–12
   * @param {number} minute
   * @param {Bounds} view
   * @returns {Ring[][]}
   */
  hillShadows(month, minute, view) {
    /** @type {Ring[][]} */
    const found = [];
    for (const [x, y] of this.#tilesIn(view)) {
      const tile = this.#known.get(`${x}/${y}`);
      if (tile == null) continue;
      const side = tile.shadeCells + 1;
      const spare = (tile.sunny[month - 1] ?? []).map((sunny) => spareMinutes(sunny, minute));
      /** @type {(i: number) => Corner} */
      const corner = (i) => [
        ...this.#degreesOf(x + (i % side) / (side - 1), y + Math.floor(i / side) / (side - 1)),
        spare[i] ?? 0,
      ];
      for (let row = 0; row + 1 < side; row++) found.push(...shadedInRow(row * side, side, corner));
    }
    return found;
  }

  /**
   * The position of a place among the tiles.
   * @param {number} x column, with a fraction
   * @param {number} y row, with a fraction
   * @returns {[lon: number, lat: number]}
   */
  #degreesOf(x, y) {
    const side = 2 ** this.#zoom;
    return [lonAt(x / side), latAt(y / side)];
  }
}

/**
 * A tile with its heights themselves in place of their differences.
 * @param {GroundTile} tile
 * @returns {GroundTile}
 */
function withHeights(tile) {
  let last = 0;
  const heights = tile.heights.map((rise) => {
    if (rise !== null) last += rise;
    return rise === null ? null : last;
  });
  return { ...tile, heights };
}

/** @typedef {[lon: number, lat: number, spareMinutes: number]} Corner */

/**
 * Spare minutes: how far a minute is from the nearest end of the sunny time it is in; negative in the shade.
 * @param {readonly number[]} sunny minutes at which the sun appears and disappears, in turn
 * @param {number} minute
 */
function spareMinutes(sunny, minute) {
  let spare = -MOST_MINUTES;
  for (let i = 0; i < sunny.length; i += 2) {
    spare = Math.max(spare, Math.min(minute - (sunny[i] ?? 0), (sunny[i + 1] ?? 0) - minute));
  }
  return Math.min(MOST_MINUTES, spare);
}

/**
 * The shaded parts of a row of cells. Cells whose four corners are shaded are one ring when they are side by side. A cell
 * at the edge of a shade is split into two triangles; the line where spare minutes are 0 cuts each.
 * @param {number} first number of the row's north-west corner
 * @param {number} side number of corners in a row
 * @param {(i: number) => Corner} corner a corner by its number
 * @returns {Ring[][]}
 */
function shadedInRow(first, side, corner) {
  /** @type {Ring[][]} */
  const found = [];
  /** @type {Corner[] | null} */
  let run = null;
  for (let i = first; i + 1 < first + side; i++) {
    const [nw, ne, sw, se] = [corner(i), corner(i + 1), corner(i + side), corner(i + side + 1)];
    const shaded = [nw, ne, sw, se].filter(([, , spare]) => spare < 0).length;
    if (shaded === 4) {
      run = [run?.[0] ?? nw, ne, se, run?.[3] ?? sw];
      continue;
    }
    if (run !== null) found.push([ringOf(run)]);
    run = null;
    if (shaded > 0)
      for (const half of [
        [nw, ne, sw],
        [ne, se, sw],
      ])
        found.push(...cut(half));
  }
  if (run !== null) found.push([ringOf(run)]);
  return found;
}

/**
 * The part of a triangle where spare minutes are negative.
 * @param {readonly Corner[]} triangle
 * @returns {Ring[][]}
 */
function cut(triangle) {
  /** @type {Corner[]} */
  const shaded = [];
  for (const [i, a] of triangle.entries()) {
    const b = triangle[(i + 1) % 3] ?? a;
    const isShaded = a[2] < 0;
    if (isShaded) shaded.push(a);
    if (isShaded === b[2] < 0) continue;
    // The edge from `a` to `b` crosses the line where spare minutes are 0.
    const share = a[2] / (a[2] - b[2]);
    shaded.push([a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), 0]);
  }
  return shaded.length < 3 ? [] : [[ringOf(shaded)]];
}

/**
 * The closed ring through some corners.
 * @param {readonly Corner[]} corners
 * @returns {Ring}
 */
const ringOf = (corners) => [...corners, ...corners.slice(0, 1)].map(([lon, lat]) => [lon, lat]);
