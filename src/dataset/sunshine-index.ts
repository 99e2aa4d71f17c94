import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { MONTHS } from '../sunlight/result.ts';
import type { SunshineNormal } from '../weather/sunshine.ts';

/**
 * Normals of sunshine in a sorted file. The key of each third-order grid square has its twelve monthly hours as JSON.
 * The key `shares` has the shares by month and clock hour, if they were given. Datasets built without normals do not
 * have this file.
 */
export const SUNSHINE_INDEX = 'sunshine.index';

const SHARES = 'shares';

/** Normals of grid squares. */
export interface SquareNormals {
  squares: ReadonlyMap<string, readonly number[]>;
  shares: SunshineNormal['shares'];
}

/**
 * Writes the index of sunshine: the hours of each grid square, in order of code, and, if known, the shares of days with
 * sunshine by month and hour, which are those of all squares.
 */
export async function writeSunshine(path: string, { squares, shares }: SquareNormals): Promise<void> {
  const entries: [string, unknown][] = [...squares].sort(([a], [b]) => (a < b ? -1 : 1));
  if (shares !== null) entries.push([SHARES, shares]);
  await writeSortedFile(
    path,
    entries.map(([key, value]) => [Buffer.from(key), Buffer.from(JSON.stringify(value))]),
  );
}

/** Finds the normal of a grid square. */
export class SunshineIndex {
  readonly #file: SortedFile;
  readonly #shares: SunshineNormal['shares'];

  private constructor(file: SortedFile) {
    this.#file = file;
    this.#shares = this.#value(SHARES) as SunshineNormal['shares'];
  }

  /** Opens the index. Null for a dataset without sunshine normals. */
  static open(files: Pick<DatasetFiles, 'manifest' | 'open'>): SunshineIndex | null {
    if (!(SUNSHINE_INDEX in files.manifest.files)) return null;
    return new SunshineIndex(new SortedFile(files.open(SUNSHINE_INDEX)));
  }

  /** The normal of a third-order grid square; null when it is not known. */
  of(square: string): SunshineNormal | null {
    const hours = this.#value(square) as number[] | null;
    return hours && { hours, shares: this.#shares };
  }

  /** All grid squares with a normal. */
  *all(): Generator<[square: string, hours: readonly number[]]> {
    // The codes of squares are digits, so they lie between '0' and the key `shares`.
    for (const [key, value] of this.#file.range(Buffer.from('0'), Buffer.from(SHARES))) {
      yield [key.toString(), JSON.parse(value.toString()) as number[]];
    }
  }

  #value(key: string): unknown {
    const value = this.#file.get(Buffer.from(key));
    return value === undefined ? null : JSON.parse(value.toString());
  }
}

/** Checks all normals of the index, and compares their number with the manifest. Adds differences to `verification`. */
export function verifySunshine(files: DatasetFiles, verification: Verification): void {
  const differences: string[] = [];
  let squares = 0;
  for (const [square, hours] of SunshineIndex.open(files)?.all() ?? []) {
    squares++;
    if (!/^\d{8}$/.test(square) || hours.length !== MONTHS || hours.some((value) => !(value >= 0)))
      differences.push(`${square}: ${JSON.stringify(hours)} are not the hours of twelve months`);
  }
  // Only a dataset with a sunlight half has normals.
  const expected = files.manifest.halves.sunlight?.counts.sunshine_squares;
  if (expected !== squares) differences.push(`has ${squares} grid squares, the manifest says ${expected}`);
  verification.checked.sunshine_squares = squares;
  addDifferences(verification, SUNSHINE_INDEX, differences);
}
