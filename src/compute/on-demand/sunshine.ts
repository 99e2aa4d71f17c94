import type { SunshineIndex } from '../../dataset/sunshine-index.ts';
import { LastUsed } from '../../formats/last-used.ts';
import { sunTable } from '../../solar/day-path.ts';
import { roundedHours } from '../../sunlight/summary.ts';
import { expectedSunshine, type SunshineChances, sunshineChances } from '../../weather/sunshine.ts';

/** Number of grid squares whose chances stay in memory: 3 kB each. */
const HELD_SQUARES = 128;

interface ExpectedAnswer {
  /** Of a month, 0–11. */
  monthHours(month: number): number | null;
  expected_year_hours: number | null;
}

/** The sunshine of a normal year over grid squares. */
export class SquareSunshine {
  readonly #index: SunshineIndex | null;
  readonly #held = new LastUsed<string, SunshineChances[] | null>(HELD_SQUARES);

  /** @param index null: there are no normals. */
  constructor(index: SunshineIndex | null) {
    this.#index = index;
  }

  /**
   * The expected hours of a normal year; null where no normal is known.
   * @param lit the intervals of possible sun of all receptors together, by month
   */
  answer(square: string, lit: readonly ArrayLike<number>[], receptors: number): ExpectedAnswer {
    const months = this.#over(square);
    if (months === null) return { monthHours: () => null, expected_year_hours: null };
    const { hours, year } = expectedSunshine(lit, receptors, months);
    return { monthHours: (month) => roundedHours(hours[month] * 60), expected_year_hours: Math.round(year) };
  }

  /** The twelve months over a third-order grid square, January first; null where no normal is known. */
  #over(square: string): SunshineChances[] | null {
    return this.#held.get(square, () => {
      const normal = this.#index?.of(square) ?? null;
      return normal && sunshineChances(sunTable(square), normal);
    });
  }
}
