import Flatbush from 'flatbush';
import { LastUsed } from '../formats/last-used.ts';
import { RADIANS } from '../geo/degree.ts';
import type { Box } from '../geo/grid-square.ts';

/** Heights of the ground in equal cells. The box (degrees of JGD2011) is that of the edges of the cells. */
export interface ElevationGrid extends Box {
  columns: number;
  rows: number;
  /** Metres above the mean sea level of Tokyo Bay, row by row from the north-west corner; NaN: unknown. */
  heights: Float32Array;
  /** Distance between the centres of two cells, metres. */
  spacing: number;
  /** True when rows have equal heights in Web Mercator; otherwise in degrees. */
  mercator?: boolean;
}

/** A grid in a file, or in a block of one. It is read when it is needed. */
export interface ElevationFile extends Box {
  /** The file's name, for messages. */
  name: string;
  spacing: number;
  /** @throws {ElevationFileError} When the file cannot be read. */
  read(): ElevationGrid;
}

/** A file of elevation cannot be read. The message names the file, what was found, and what was expected. */
export class ElevationFileError extends Error {
  override name = 'ElevationFileError';
}

/** Limit of the heights in memory, bytes. */
const HELD_BYTES = 96 * 2 ** 20;
/** Side of the squares for which the files are looked up once, degrees. */
const BUCKET_DEG = 1 / 256;
const MOST_BUCKETS = 4096;

/** Heights of the ground from many grids. Where a finer grid does not know the height, the next coarser one is used. */
export class Elevation {
  /** In order of use: finer before coarser. */
  readonly files: readonly (ElevationGrid | ElevationFile)[];
  readonly #index: Flatbush | null;
  readonly #buckets = new LastUsed<number, readonly number[]>(MOST_BUCKETS);
  readonly #grids: LastUsed<number, ElevationGrid>;
  /** The bucket of the last place, and the numbers of the files that meet it. */
  #bucket = Number.NaN;
  #filesOfBucket: readonly number[] = [];
  /** The file that was read last, and its grid: usually it is the next one too. */
  #last: { file: number; grid: ElevationGrid } | null = null;

  /**
   * @param files grids, and files that are read when they are needed; in any order
   * @param heldBytes limit of the heights in memory, bytes
   */
  constructor(files: readonly (ElevationGrid | ElevationFile)[], heldBytes = HELD_BYTES) {
    // A stable sort: of equally fine files the first one has priority.
    this.files = [...files].sort((a, b) => a.spacing - b.spacing);
    this.#grids = new LastUsed(heldBytes, ({ heights }) => heights.byteLength);
    this.#index = this.files.length === 0 ? null : new Flatbush(this.files.length);
    for (const { west, south, east, north } of this.files) this.#index?.add(west, south, east, north);
    this.#index?.finish();
  }

  /**
   * The height of the ground at a place (degrees), metres; NaN where no file knows it. It is bilinear between the
   * centres of cells, also across files. A place is known when its cell is known.
   * @throws {ElevationFileError} When a file that is needed cannot be read.
   */
  heightAt(lat: number, lon: number): number {
    for (const file of this.#filesNear(lat, lon)) {
      if (!this.#isIn(file, lat, lon)) continue;
      const height = heightIn(this.#grid(file), lat, lon, (lat, lon) => this.#heightInOthers(file, lat, lon));
      if (!Number.isNaN(height)) return height;
    }
    return Number.NaN;
  }

  /** Indexes in `files` of those that meet the bucket (a small square) of a place, finer before coarser. */
  #filesNear(lat: number, lon: number): readonly number[] {
    const [row, column] = [Math.floor(lat / BUCKET_DEG), Math.floor(lon / BUCKET_DEG)];
    const bucket = row * 2 ** 20 + column;
    if (bucket !== this.#bucket) {
      this.#filesOfBucket = this.#buckets.get(bucket, () => {
        const [south, west] = [row * BUCKET_DEG, column * BUCKET_DEG];
        const numbers = this.#index?.search(west, south, west + BUCKET_DEG, south + BUCKET_DEG) ?? [];
        // `files` is in the order of fineness.
        return numbers.sort((a, b) => a - b);
      });
      this.#bucket = bucket;
    }
    return this.#filesOfBucket;
  }

  #isIn(file: number, lat: number, lon: number): boolean {
    const { west, south, east, north } = this.files[file];
    return lat >= south && lat <= north && lon >= west && lon <= east;
  }

  /** The grid of a file, read if it is not in memory. */
  #grid(file: number): ElevationGrid {
    const source = this.files[file];
    const isGrid = !('read' in source);
    if (isGrid) return source;
    // Places that follow each other mostly need the same grid, so the last one is kept outside the cache.
    if (this.#last?.file !== file) this.#last = { file, grid: this.#grids.get(file, () => source.read()) };
    return this.#last.grid;
  }

  /** The height at a place by the finest file that knows it, without one of the files. */
  #heightInOthers(exceptFile: number, lat: number, lon: number): number {
    // `#filesNear` keeps the files of the bucket, a small area, in which it was last asked. This place may be in the
    // next bucket, but the present one is needed again at once: so it is put back.
    const bucket = this.#bucket;
    const files = this.#filesOfBucket;
    let height = Number.NaN;
    for (const file of this.#filesNear(lat, lon)) {
      if (file === exceptFile || !this.#isIn(file, lat, lon)) continue;
      height = heightIn(this.#grid(file), lat, lon, null);
      if (!Number.isNaN(height)) break;
    }
    this.#bucket = bucket;
    this.#filesOfBucket = files;
    return height;
  }
}

/**
 * The height at a place in a grid, interpolated between the centres of the four cells around it; NaN when the cell of
 * the place is unknown.
 * @param heightInOthers gives the height of unknown or outside cells; null: they do not count
 */
function heightIn(
  grid: ElevationGrid,
  lat: number,
  lon: number,
  heightInOthers: ((lat: number, lon: number) => number) | null,
): number {
  const { columns, rows, heights } = grid;
  const [x, y] = [columnAt(grid, lon), rowAt(grid, lat)];
  if (Number.isNaN(heightOfCell(grid, x, y))) return Number.NaN;
  const [column, row] = [Math.floor(x), Math.floor(y)];
  let [sum, weights] = [0, 0];
  for (let corner = 0; corner < 4; corner++) {
    const [c, r] = [column + (corner & 1), row + (corner >> 1)];
    const weight = (1 - Math.abs(x - c)) * (1 - Math.abs(y - r));
    if (weight === 0) continue;
    let height = c >= 0 && r >= 0 && c < columns && r < rows ? heights[r * columns + c] : Number.NaN;
    if (Number.isNaN(height) && heightInOthers !== null)
      height = heightInOthers(latitudeOf(grid, r), longitudeOf(grid, c));
    if (Number.isNaN(height)) continue;
    sum += weight * height;
    weights += weight;
  }
  return sum / weights;
}

/** The height of the cell that contains a position of a grid. The centres of cells are at whole numbers. */
function heightOfCell({ columns, rows, heights }: ElevationGrid, x: number, y: number): number {
  const column = Math.min(columns - 1, Math.max(0, Math.round(x)));
  const row = Math.min(rows - 1, Math.max(0, Math.round(y)));
  return heights[row * columns + column];
}

/** Position of a longitude among the columns; the centre of the first is 0. */
const columnAt = ({ west, east, columns }: ElevationGrid, lon: number): number =>
  ((lon - west) / (east - west)) * columns - 0.5;

/** The longitude of the centre of a column. */
const longitudeOf = ({ west, east, columns }: ElevationGrid, column: number): number =>
  west + ((column + 0.5) / columns) * (east - west);

/** Position of a latitude among the rows; the centre of the first is 0. */
function rowAt({ south, north, rows, mercator = false }: ElevationGrid, lat: number): number {
  const share = mercator
    ? (mercatorY(north) - mercatorY(lat)) / (mercatorY(north) - mercatorY(south))
    : (north - lat) / (north - south);
  return share * rows - 0.5;
}

/** The latitude of the centre of a row. */
function latitudeOf({ south, north, rows, mercator = false }: ElevationGrid, row: number): number {
  const share = (row + 0.5) / rows;
  if (!mercator) return north - share * (north - south);
  return latitudeOfMercator(mercatorY(north) - share * (mercatorY(north) - mercatorY(south)));
}

/** Latitude (degrees) → Web Mercator on a sphere of radius 1. */
const mercatorY = (lat: number): number => Math.asinh(Math.tan(lat * RADIANS));

/** Web Mercator on a sphere of radius 1 → latitude, degrees. */
export const latitudeOfMercator = (y: number): number => Math.atan(Math.sinh(y)) / RADIANS;
