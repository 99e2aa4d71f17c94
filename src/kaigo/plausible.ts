import facts from './facts/plausible.json' with { type: 'json' };
import type { FindingKind, Findings } from './findings.ts';
import { DETAIL_FIELDS, DETAIL_NAMES, type Detail, type DetailField } from './lists/details.ts';
import { SERVICES, serviceOf } from './services.ts';

/** The plausible range of a number. */
interface Range {
  fields: DetailField[];
  /** Absent when it applies to every service. */
  services?: string[];
  least: number;
  most: number;
}

// The file of facts gives the reason of each range and ratio. A later range narrows an earlier one.
const { ratios: RATIOS } = facts;
const RANGES = facts.ranges as Range[];

/** The ranges of a service by field. */
function rangesOf(serviceCode: string): Map<DetailField, Range> {
  const ranges = RANGES.filter(({ services }) => services === undefined || services.includes(serviceCode));
  return new Map(ranges.flatMap((range) => range.fields.map((field): [DetailField, Range] => [field, range])));
}

const RANGES_BY_SERVICE = new Map(SERVICES.map(({ service_code: code }) => [code, rangesOf(code)]));

/** The largest plausible number of a field of a service. */
export function mostOf(serviceCode: string, field: DetailField): number {
  return RANGES_BY_SERVICE.get(serviceCode)?.get(field)?.most ?? Infinity;
}

/** The largest plausible number of places of a service. */
export const mostPlaces = (serviceCode: string): number => mostOf(serviceCode, 'capacity');

type DayField = { [F in DetailField]: (typeof DETAIL_FIELDS)[F] extends 'day' ? F : never }[DetailField];

/** The fields with a day, which is in the past. */
const DAYS = DETAIL_NAMES.filter((name): name is DayField => DETAIL_FIELDS[name] === 'day');

/**
 * A detail without impossible or contradictory values. These become null, are kept in `as_published` and noted. Staff that
 * does not fit the users stays: see `dropImpossibleStaff`.
 * @param capacity of the office list; null when it has none
 * @param builtOn day of the build, YYYY-MM-DD; later days are rejected
 */
export function plausibleDetail(detail: Detail, capacity: number | null, builtOn: string, findings: Findings): Detail {
  const result: Detail = { ...detail, as_published: { ...detail.as_published } };
  const drop = dropFrom(result, findings);
  for (const [name, { least, most }] of RANGES_BY_SERVICE.get(detail.service_code) ?? []) {
    const value = result[name];
    if (typeof value === 'number' && (value < least || value > most)) drop(name, `not ${least} to ${most}`);
  }
  for (const name of DAYS) {
    const day = result[name];
    if (day !== null && day > builtOn) drop(name, `built on ${builtOn}`, 'detail_date_to_come');
  }
  const careAndNurses = (result.care_staff ?? 0) + (result.nurses ?? 0);
  if (result.staff_total !== null && result.staff_total < careAndNurses)
    drop('staff_total', `care staff and nurses are ${careAndNurses}`);
  if (result.qualified_staff !== null && result.care_staff !== null && result.qualified_staff > result.care_staff) {
    drop('qualified_staff', `${result.care_staff} care staff`);
  }
  dropImpossibleCounts(result, capacity, drop);
  dropImpossibleBeds(result, capacity, drop, findings);
  return result;
}

/** Sets an impossible field to null and notes why. */
type Drop = (name: DetailField, why: string, kind?: FindingKind) => void;

/** Makes the function that sets fields of a detail to null. It keeps and notes what was published. */
function dropFrom(detail: Detail, findings: Findings): Drop {
  return (name, why, kind = 'detail_implausible') => {
    findings.note(kind, detail, `${name}: ${detail[name]} (${why})`);
    detail.as_published[name] = String(detail[name]);
    Object.assign(detail, { [name]: null });
  };
}

const CARE_LEVELS = ['care_level_1', 'care_level_2', 'care_level_3', 'care_level_4', 'care_level_5'] as const;

/** True for services in which people live. */
const isHome = (serviceCode: string): boolean =>
  ['institution', 'residence'].includes(serviceOf(serviceCode)?.kind ?? '');

/** The number of places for plausibility checks. An estimated capacity is not used: it was made from the rooms. */
function knownPlaces({ capacity: detailCapacity, capacity_estimated }: Detail, capacity: number | null): number | null {
  return capacity ?? (capacity_estimated === 'yes' ? null : detailCapacity);
}

/** Removes numbers of users, vacancies, beds, residents and leavers that are too large. */
function dropImpossibleCounts(detail: Detail, capacity: number | null, drop: Drop): void {
  const places = knownPlaces(detail, capacity);
  const { users, vacancies, rooms_shared, rooms_shared_beds, staff_left, staff_total } = detail;
  if (places !== null) {
    const mostUsers = RATIOS.users_per_place.most * places;
    if (isHome(detail.service_code) && users !== null && users > mostUsers) drop('users', `${places} places`);
    if (vacancies !== null && vacancies > places) drop('vacancies', `${places} places`);
  }
  if (rooms_shared !== null && rooms_shared_beds !== null && rooms_shared_beds < rooms_shared) {
    drop('rooms_shared_beds', `in ${rooms_shared} rooms`);
  }
  if (staff_left !== null && staff_total !== null && staff_left > RATIOS.leavers_per_staff.most * staff_total) {
    drop('staff_left', `${staff_total} staff`);
  }
  const residents = CARE_LEVELS.reduce((sum, name) => sum + (detail[name] ?? 0), 0);
  if (detail.users === null || residents <= RATIOS.residents_per_user.most * detail.users) return;
  for (const name of CARE_LEVELS)
    if (detail[name] !== null) drop(name, `${residents} residents, ${detail.users} users`);
}

const ROOM_FIELDS = ['rooms_private', 'rooms_shared', 'rooms_shared_beds'] as const;

/**
 * A home can have more beds than places: a short stay in the same building shares them. This is counted. If there are
 * too many, the numbers belong to several homes and are removed. The kind of room stays.
 */
function dropImpossibleBeds(detail: Detail, capacity: number | null, drop: Drop, findings: Findings): void {
  const places = knownPlaces(detail, capacity);
  if (places === null || !isHome(detail.service_code)) return;
  // A room has at least one bed.
  const beds = (detail.rooms_private ?? 0) + (detail.rooms_shared_beds ?? detail.rooms_shared ?? 0);
  if (beds <= places) return;
  const counts = `${beds} beds, ${places} places`;
  if (beds <= RATIOS.beds_per_place.most * places) findings.note('detail_beds_shared', detail, counts);
  else for (const name of ROOM_FIELDS) if (detail[name] !== null) drop(name, counts);
}

/**
 * Removes one of two numbers if the care staff does not fit the users or places: the capacity when it is an estimate
 * that stands for both, otherwise the care staff.
 * @param users users, or places where they are unknown, of all offices that share the staff; null when neither is known
 */
export function dropImpossibleStaff(
  { detail, capacity }: { detail: Detail; capacity: number | null },
  users: number | null,
  findings: Findings,
): void {
  const { least, most } = isHome(detail.service_code)
    ? RATIOS.users_per_care_staff
    : RATIOS.users_per_care_staff_elsewhere;
  const staff = detail.care_staff;
  // A home that has just opened has staff before users.
  if (!users || !staff) return;
  const ratio = users / staff;
  if (ratio >= least && ratio <= most) return;
  // If neither users nor capacity are published, `users` contains the capacity of the detail. It is an estimate, less
  // certain than the staff.
  const isEstimated = detail.users === null && capacity === null;
  const drop = dropFrom(detail, findings);
  drop(isEstimated ? 'capacity' : 'care_staff', `${staff} care staff for ${users} users or places`);
}
