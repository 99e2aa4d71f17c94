import { type LatLon, METRES_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import type { Findings } from './findings.ts';
import { type CleanRow, noteFault } from './lists/clean-row.ts';
import { geodesicMetres, isFar, middleOf, nearestFinder, type PositionFault } from './position.ts';

/** The towns of a census by position. */
export interface TownMap {
  /** True when there are towns of a municipality, 5 digits. */
  hasWard(wardCode: string): boolean;
  townAt(lat: number, lon: number): { wardCode: string; wardName: string } | null;
}

/**
 * Removes the positions of rows that cannot be right: far from the middle of their municipality, in another one by the
 * census, or among the offices of another one. Each is noted, and stays in `asPublished`.
 * @param towns null without a census
 */
export function doubtPositions(rows: readonly CleanRow[], towns: TownMap | null, findings: Findings): void {
  doubtFar(rows, findings);
  if (towns !== null) doubtByCensus(rows, towns, findings);
  doubtElsewhere(rows, findings);
}

/** Removes the position of a row, notes the fault and keeps the position as published. */
function dropPosition({ row, position }: LocatedRow, fault: PositionFault, findings: Findings): void {
  noteFault(fault, position, row, row.asPublished, findings);
  row.position = null;
  row.positionFault = fault;
}

/** A row with a position and a municipality. */
interface LocatedRow {
  row: CleanRow;
  position: LatLon;
}

/** The rows whose position can be compared with others. */
const locatedRows = (rows: readonly CleanRow[]): LocatedRow[] =>
  rows.flatMap((row) =>
    row.position === null || row.municipalityCode === null ? [] : [{ row, position: row.position }],
  );

/**
 * Removes positions that are too far from the middle of their municipality. If all are, as two offices far apart, the
 * middle is near none of them and does not tell which is wrong.
 */
function doubtFar(rows: readonly CleanRow[], findings: Findings): void {
  for (const members of Map.groupBy(locatedRows(rows), ({ row }) => row.municipalityCode).values()) {
    // An office counts once, however many services it has there.
    const spots = new Map(members.map((one) => [`${one.row.facilityId} ${one.position.lat},${one.position.lon}`, one]));
    const middle = middleOf([...spots.values()].map(({ position }) => position));
    if (middle === null) continue;
    const far = members.filter(({ position }) => isFar(position, middle));
    if (far.length < members.length) for (const office of far) dropPosition(office, 'far', findings);
  }
}

/** Removes positions that the census has in another municipality. */
function doubtByCensus(rows: readonly CleanRow[], towns: TownMap, findings: Findings): void {
  for (const row of rows) {
    const { municipalityCode, municipality, position } = row;
    if (municipalityCode === null || position === null) continue;
    if (!contradictsCensus(position, { municipalityCode, municipality }, towns)) continue;
    dropPosition({ row, position }, 'census', findings);
  }
}

type Town = NonNullable<ReturnType<TownMap['townAt']>>;

/** The municipality of an office by its list. */
interface ListedMunicipality {
  /** Six digits. */
  municipalityCode: string;
  municipality: string | null;
}

/** An office within this distance of its municipality may be in it: borders and positions are not exact. */
const BORDER_METRES = 500;
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
function contradictsCensus({ lat, lon }: LatLon, office: ListedMunicipality, towns: TownMap): boolean {
  if (towns.townAt(lat, lon) === null) return false;
  const digits = office.municipalityCode.slice(0, 5);
  const isKnown = towns.hasWard(digits);
  const agrees = isKnown
    ? (town: Town) => town.wardCode === digits || isOneCity(town.wardName, office.municipality ?? '')
    : (town: Town) => town.wardCode.slice(0, 2) === digits.slice(0, 2);
  const north = BORDER_METRES / METRES_PER_DEGREE;
  const east = north / Math.cos(lat * RADIANS);
  const around = AROUND.map(([y, x]) => towns.townAt(lat + y * north, lon + x * east));
  if (!isKnown && around.includes(null)) return false;
  return !around.some((town) => town !== null && agrees(town));
}

/** True when two names are wards of one designated city: their borders have changed since the census. */
function isOneCity(a: string, b: string): boolean {
  const [city] = /^.+?市(?=.+区$)/.exec(a) ?? [];
  return city !== undefined && b.startsWith(city);
}

/** True when the neighbours are all in one municipality (or prefecture) and the row is in another. */
function isAloneAmong(
  neighbours: readonly LocatedRow[],
  row: CleanRow,
  area: 'municipalityCode' | 'prefectureCode',
): boolean {
  const codes = new Set(neighbours.map((neighbour) => neighbour.row[area]));
  return codes.size === 1 && !codes.has(row[area]);
}

/** Number of offices around a position that are compared. */
const NEIGHBOURS = 6;
/** All of them must be within this distance. An office of the same municipality within it clears the position. */
const AMID_METRES = 5_000;
/**
 * The nearest office of the same municipality must be this many times as far away as the farthest neighbour. In the
 * lists of 2025, offices in a corner of their municipality reach 1.9; misplaced offices begin at 8.
 */
const TIMES_AS_FAR = 4;

/**
 * Removes positions that are surrounded by offices of one other municipality or prefecture, and far from all offices of
 * their own municipality. If the municipality has no other office, the offices of the prefecture count. Offices in one
 * building count once.
 */
function doubtElsewhere(rows: readonly CleanRow[], findings: Findings): void {
  const located = locatedRows(rows);
  const spots = [...new Map(located.map((one) => [`${one.position.lat},${one.position.lon}`, one])).values()];
  if (spots.length <= NEIGHBOURS) return;
  const byMunicipality = Map.groupBy(located, ({ row }) => row.municipalityCode);
  const byPrefecture = Map.groupBy(located, ({ row }) => row.prefectureCode);
  const nearestSpots = nearestFinder(spots.map(({ position }) => position));
  // An office in the same 2 km cell as another office of its municipality is not checked. This skips most searches.
  const cellOf = ({ row, position }: LocatedRow) =>
    `${row.municipalityCode} ${Math.floor(position.lat * 50)} ${Math.floor(position.lon * 50)}`;
  const cells = Map.groupBy(located, cellOf);
  const isMisplaced = (office: LocatedRow): boolean => {
    const { row, position } = office;
    const isOther = (other: LocatedRow) => other.row.facilityId !== row.facilityId;
    if (cells.get(cellOf(office))?.some(isOther)) return false;
    const metresTo = (other: LocatedRow) => geodesicMetres(other.position, position);
    // One more, because the own spot may be among them.
    const around = nearestSpots(position, NEIGHBOURS + 1).flatMap((i) => spots[i] ?? []);
    const neighbours = around.filter((one) => one.position.lat !== position.lat || one.position.lon !== position.lon);
    if (neighbours.length < NEIGHBOURS) return false;
    const isAmidAnother =
      isAloneAmong(neighbours, row, 'municipalityCode') || isAloneAmong(neighbours, row, 'prefectureCode');
    if (!isAmidAnother) return false;
    const farthest = Math.max(...neighbours.map(metresTo));
    if (farthest > AMID_METRES) return false;
    const ofMunicipality = (byMunicipality.get(row.municipalityCode) ?? []).filter(isOther);
    const ofArea =
      ofMunicipality.length > 0 ? ofMunicipality : (byPrefecture.get(row.prefectureCode) ?? []).filter(isOther);
    const nearest = Math.min(...ofArea.map(metresTo));
    return ofArea.length > 0 && nearest > Math.max(AMID_METRES, TIMES_AS_FAR * farthest);
  };
  for (const office of located.filter(isMisplaced)) dropPosition(office, 'elsewhere', findings);
}
