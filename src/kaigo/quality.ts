import { QUALITY_NAMES, type Quality, type QualityFigure, type QualityName } from '../contract/kaigo-quality.ts';
import { type GroupValues, LEAST_VALUES, rounded } from './comparison.ts';
import type { FacilityService } from './facility.ts';
import { comparedRatios } from './staffing.ts';

/** A value of each figure; null when unknown. */
type QualityValues = Record<QualityName, number | null>;

/** A part in per cent of the whole, to 0.1; null when either is unknown or the whole is 0. */
const percentOf = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : rounded((100 * part) / whole, 1);

/** The figures of a service, from its details. */
export function qualityValues({ detail, staffing, capacity }: FacilityService): QualityValues {
  return {
    ...comparedRatios(staffing),
    nurses_at_night: detail?.nurses_at_night ?? null,
    turnover_percent: percentOf(detail?.staff_left ?? null, detail?.staff_total ?? null),
    experience_years: detail?.experience_years ?? null,
    experienced_percent: detail?.experienced_percent ?? null,
    qualified_percent:
      detail?.qualified_percent ?? percentOf(detail?.qualified_staff ?? null, detail?.care_staff ?? null),
    occupancy_percent: percentOf(detail?.users ?? null, capacity),
    waiting_per_place: detail?.waiting == null || !capacity ? null : rounded(detail.waiting / capacity, 2),
  };
}

/**
 * The position of a service's values among those of the same service in its prefecture and in Japan; null when none of
 * its values is known.
 * @param peers sorted
 */
export function qualityAmong(
  peers: GroupValues<QualityName>,
  serviceCode: string,
  prefectureCode: string,
  values: QualityValues,
): Quality | null {
  if (QUALITY_NAMES.every((name) => values[name] === null)) return null;
  const figure = (name: QualityName): QualityFigure | null => {
    const value = values[name];
    if (value === null) return null;
    const among = (group: string) => standing(value, peers.of(group, name), peers.count(group));
    return { value, prefecture: among(serviceCode + prefectureCode), japan: among(serviceCode) };
  };
  return Object.fromEntries(QUALITY_NAMES.map((name) => [name, figure(name)])) as Quality;
}

/**
 * The position of one of the sorted values among the others: the share of those below it. Equal ones count half.
 * @param services their number, with those whose value is unknown
 */
function standing(value: number, sorted: readonly number[], services: number): QualityFigure['japan'] {
  const known = sorted.length;
  if (known < LEAST_VALUES) return { percentile: null, known, of: services };
  const below = countBelow(sorted, value);
  // `value` is one of the sorted values, and no other one.
  const equal = countBelow(sorted, value, { orEqual: true }) - below - 1;
  return { percentile: rounded((100 * (below + equal / 2)) / (known - 1), 1), known, of: services };
}

/** The number of sorted values below a value; with `orEqual`, those equal to it too. */
function countBelow(sorted: readonly number[], value: number, { orEqual = false } = {}): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const middleValue = sorted[middle] ?? Infinity;
    if (middleValue < value || (orEqual && middleValue === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
