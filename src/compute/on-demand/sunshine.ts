import type { SunshineIndex } from '../../dataset/sunshine-index.ts';
import { LastUsed } from '../../formats/last-used.ts';
import { sunTable } from '../../solar/day-path.ts';
import { hoursOfMinutes } from '../../sunlight/summary.ts';
import { expectedSunshine, type SunshineChances, sunshineChances } from '../../weather/sunshine.ts';

/** Number of grid squares whose chances stay in memory: 3 kB each. */
const MOST_SQUARES = 128;

/** The expected hours of a normal year. */
interface ExpectedAnswer {
  /** Of a month, 0–11. */
  monthHours(month: number): number | null;
  expected_year_hours: number | null;
  /** Whether the shares by hour are known; null: there are no expected hours. */
  expected_by_hour: boolean | null;
}

/** The normal year of a grid square. */
interface NormalYear {
  months: SunshineChances[];
  isByHour: boolean;
}

/** The sunshine of a normal year over grid squares. */
export class SquareSunshine {
  readonly #index: SunshineIndex | null;
  readonly #years = new LastUsed<string, NormalYear | null>(MOST_SQUARES);

  /** @param index null: there are no normals. */
  constructor(index: SunshineIndex | null) {
    this.#index = index;
  }

  /**
   * The expected hours of a normal year; null where no normal is known.
   * @param lit the intervals of possible sun of all receptors together, by month
   * @param receptors number of these receptors
   */
  answer(square: string, lit: readonly ArrayLike<number>[], receptors: number): ExpectedAnswer {
    const normal = this.#normalYearOf(square);
    if (normal === null) return { monthHours: () => null, expected_year_hours: null, expected_by_hour: null };
    const { hours, year } = expectedSunshine(lit, receptors, normal.months);
    return {
      monthHours: (month) => hoursOfMinutes(hours[month] * 60),
      expected_year_hours: Math.round(year),
      expected_by_hour: normal.isByHour,
    };
  }

  /** The normal year of a third-order grid square; null where no normal is known. */
  #normalYearOf(square: string): NormalYear | null {
    return this.#years.get(square, () => {
      const normal = this.#index?.of(square) ?? null;
      if (normal === null) return null;
      // The shares of sunshine by hour of the day; null where only hours of months are known.
      const isByHour = normal.shares !== null;
      return { months: sunshineChances(sunTable(square), normal), isByHour };
    });
  }
}
