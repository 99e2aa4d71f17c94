import { basename } from 'node:path';
import { REACH_M } from '../city/shading-squares.ts';
import { type Box, boxOfSquare, distanceBound, gridSquareBounds } from '../geo/grid-square.ts';

/** How far a building may reach beyond the square or file that contains its point. Metres. */
const OVERHANG_M = 2000;

/** A code of a grid square of first order (about 80 km, 4 digits), second (10 km, 6) or third (1 km, 8). */
const CODE = /^\d{4}([0-7]{2}(\d{2})?)?$/;
/** The grid square at the beginning of a city model's name. */
const CODE_IN_NAME = /^(\d{8}|\d{6}|\d{4})(?=_)/;

/**
 * The part of the country that a build computes and serves: grid squares of any order. Surroundings within 20 km are
 * read and shade; builds of other parts compute them.
 */
export class Part {
  readonly codes: readonly string[];
  readonly #bounds: readonly Box[];

  /** @throws RangeError for a code that is not a grid square */
  constructor(codes: readonly string[]) {
    const wrongCode = codes.find((code) => !CODE.test(code));
    if (wrongCode !== undefined || codes.length === 0) {
      throw new RangeError(
        `"${wrongCode ?? ''}" is not a grid square: expected 4, 6 or 8 digits, the fifth and sixth 0 to 7`,
      );
    }
    this.codes = [...new Set(codes)].sort();
    this.#bounds = this.codes.map(boxOfSquare);
  }

  /** True for a third-order square of this part. */
  owns(square: string): boolean {
    return this.codes.some((code) => square.startsWith(code));
  }

  /** True when buildings of a third-order square can shade this part. */
  isInReach(square: string): boolean {
    return this.#isNear(gridSquareBounds(square));
  }

  /** True when a city model may have buildings that can shade this part, or when its name has no grid square. */
  mayNeed(label: string): boolean {
    const code = CODE_IN_NAME.exec(basename(label))?.[0];
    // Digits in a name need not be a grid square.
    return code === undefined || !CODE.test(code) || this.#isNear(boxOfSquare(code));
  }

  /** True when buildings in a box may shade this part. */
  #isNear(bounds: Box): boolean {
    return this.#bounds.some((box) => distanceBound(box, bounds) <= REACH_M + OVERHANG_M);
  }
}
