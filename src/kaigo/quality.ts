import { QUALITY_NAMES, type Quality, type QualityFigure, type QualityName } from '../contract/kaigo-quality.ts';
import { LEAST_VALUES, type PlaceValues, rounded } from './comparison.ts';
import type { FacilityService } from './facility.ts';

/** A value of each figure; null when unknown. */
type QualityValues = Record<QualityName, number | null>;

const share = (part: number | null, whole: number | null, times: number, decimals: number): number | null =>
  part === null || !whole ? null : rounded((times * part) / whole, decimals);

/** The figures of a service, from its details. */
export function qualityValues({ detail, staffing, capacity }: FacilityService): QualityValues {
  const isEstimate = staffing?.usersFrom === 'estimated_capacity';
  const ratio = isEstimate ? null : (staffing?.usersPerCareStaff ?? null);
  return {
    users_per_care_staff: staffing?.basis === 'head_count' ? ratio : null,
    users_per_care_staff_fte: staffing?.basis === 'fte' ? ratio : null,
    nurses_at_night: detail?.nurses_at_night ?? null,
    turnover_percent: share(detail?.staff_left ?? null, detail?.staff_total ?? null, 100, 1),
    experience_years: detail?.experience_years ?? null,
    experienced_percent: detail?.experienced_percent ?? null,
    qualified_percent:
      detail?.qualified_percent ?? share(detail?.qualified_staff ?? null, detail?.care_staff ?? null, 100, 1),
    occupancy_percent: share(detail?.users ?? null, capacity, 100, 1),
    waiting_per_place: share(detail?.waiting ?? null, capacity, 1, 2),
  };
}

/**
 * The position of a service's values among those of all services; null when none of its values is known.
 * @param peers sorted
 */
export function qualityAmong(
  peers: PlaceValues<QualityName>,
  serviceCode: string,
  prefectureCode: string,
  values: QualityValues,
): Quality | null {
  if (QUALITY_NAMES.every((name) => values[name] === null)) return null;
  const figure = (name: QualityName): QualityFigure | null => {
    const value = values[name];
    if (value === null) return null;
    const among = (place: string) => standing(value, peers.of(place, name), peers.count(place));
    return { value, prefecture: among(serviceCode + prefectureCode), japan: among(serviceCode) };
  };
  return Object.fromEntries(QUALITY_NAMES.map((name) => [name, figure(name)])) as Quality;
}

/** The position of one of the sorted values among the others. */
function standing(value: number, sorted: readonly number[], of: number): QualityFigure['japan'] {
  const known = sorted.length;
  if (known < LEAST_VALUES) return { percentile: null, known, of };
  const below = countBelow(sorted, value);
  const equal = countBelow(sorted, value, { orEqual: true }) - below - 1;
  return { percentile: rounded((100 * (below + equal / 2)) / (known - 1), 1), known, of };
}

/** The number of sorted values below one; with `orEqual`, not above it. */
function countBelow(sorted: readonly number[], value: number, { orEqual = false } = {}): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle] ?? Infinity;
    if (one < value || (orEqual && one === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
