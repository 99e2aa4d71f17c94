import type { LatLon } from './position.ts';

/** The towns of a census by position. */
export interface TownMap {
  /** True when there are towns of a municipality, 5 digits. */
  hasWard(wardCode: string): boolean;
  townAt(lat: number, lon: number): { wardCode: string; wardName: string } | null;
}

type Town = NonNullable<ReturnType<TownMap['townAt']>>;

/** The municipality of an office by its list. */
interface Stated {
  /** Six digits. */
  municipalityCode: string;
  municipality: string | null;
}

/** An office within this distance of its municipality may be in it: borders and positions are not exact. */
const BORDER_METRES = 500;
const METRES_PER_DEGREE = 111_000;
/** The position and points around it, as shares of the distance to the north and to the east. */
const AROUND: readonly (readonly [north: number, east: number])[] = [
  [0, 0],
  [1, 0],
  [0.7, 0.7],
  [0, 1],
  [-0.7, 0.7],
  [-1, 0],
  [-0.7, -0.7],
  [0, -1],
  [0.7, -0.7],
];

/**
 * True when the census contradicts the stated municipality: the position and all points around it are in towns of other
 * municipalities. If the census does not have the municipality, its prefecture is compared, and there must be a town at
 * each point.
 */
export function contradictsCensus({ lat, lon }: LatLon, stated: Stated, towns: TownMap): boolean {
  if (towns.townAt(lat, lon) === null) return false;
  const digits = stated.municipalityCode.slice(0, 5);
  const isKnown = towns.hasWard(digits);
  const isOwn = isKnown
    ? (town: Town) => town.wardCode === digits || isOneCity(town.wardName, stated.municipality ?? '')
    : (town: Town) => town.wardCode.slice(0, 2) === digits.slice(0, 2);
  const north = BORDER_METRES / METRES_PER_DEGREE;
  const east = north / Math.cos((lat * Math.PI) / 180);
  const around = AROUND.map(([y, x]) => towns.townAt(lat + y * north, lon + x * east));
  if (!isKnown && around.includes(null)) return false;
  return !around.some((town) => town !== null && isOwn(town));
}

/** True when two names are wards of one designated city: their borders have changed since the census. */
function isOneCity(a: string, b: string): boolean {
  const [city] = /^.+?市(?=.+区$)/.exec(a) ?? [];
  return city !== undefined && b.startsWith(city);
}
