import type { FindingKind, Findings } from './findings.ts';
import type { DetailField } from './lists/detail-mapping.ts';
import type { Detail } from './lists/details.ts';
import { serviceOf } from './services.ts';

/** Services that the law holds to 29 places. */
const SMALL_SERVICES: ReadonlySet<string> = new Set(['361', '362', '364', '540']);
const MOST_PLACES_SMALL = 29;
/** The largest homes have some hundreds of places; beyond it stand dates and other slips. */
const MOST_PLACES = 1000;

/** How many places a service can have. */
export function mostPlaces(serviceCode: string): number {
  return SMALL_SERVICES.has(serviceCode) ? MOST_PLACES_SMALL : MOST_PLACES;
}

/**
 * Between which a number of details is believed, whatever the mapping says: the least and the most. Fees for food and
 * room have bounds of their own in the fee table.
 */
const RANGES: Partial<Record<DetailField, readonly [number, number]>> = {
  capacity: [1, MOST_PLACES],
  users: [0, 2 * MOST_PLACES],
  waiting: [0, 10_000],
  vacancies: [0, MOST_PLACES],
  rooms_private: [0, MOST_PLACES],
  rooms_shared: [0, MOST_PLACES],
  rooms_shared_beds: [0, MOST_PLACES],
  staff_total: [0, MOST_PLACES],
  care_staff: [0, MOST_PLACES],
  nurses: [0, MOST_PLACES],
  staff_joined: [0, MOST_PLACES],
  staff_left: [0, MOST_PLACES],
  experienced_percent: [0, 100],
  food_yen_per_month: [3_000, 300_000],
  rent_yen_per_month: [0, 3_000_000],
  management_yen_per_month: [0, 1_000_000],
  deposit_yen: [0, 500_000_000],
  care_level_1: [0, MOST_PLACES],
  care_level_2: [0, MOST_PLACES],
  care_level_3: [0, MOST_PLACES],
  care_level_4: [0, MOST_PLACES],
  care_level_5: [0, MOST_PLACES],
  minimum_care_level: [1, 5],
};

/** Days of what has happened. */
const DAYS = ['opened_on', 'waiting_on', 'vacancies_on', 'inspected_on'] as const satisfies readonly DetailField[];

/** Users for each of the care staff: the law asks for one for three; outside these one of the two is wrong. */
const USERS_PER_CARE_STAFF: readonly [number, number] = [0.5, 10];

/**
 * A detail without the values that are not possible or contradict each other: they are null, kept in `as_published`
 * and noted.
 * @param capacity of the office list; null when it has none
 * @param builtOn day of the build, YYYY-MM-DD: what lies after it has not happened
 */
export function plausibleDetail(detail: Detail, capacity: number | null, builtOn: string, findings: Findings): Detail {
  const kept: Detail = { ...detail, as_published: { ...detail.as_published } };
  const drop = (name: DetailField, why: string, kind: FindingKind = 'detail_implausible') => {
    findings.note(kind, detail, `${name}: ${detail[name]} (${why})`);
    kept.as_published[name] = String(detail[name]);
    Object.assign(kept, { [name]: null });
  };
  const ranges = { ...RANGES, capacity: [1, mostPlaces(detail.service_code)] as const };
  for (const [name, [least, most]] of Object.entries(ranges) as [DetailField, readonly [number, number]][]) {
    const value = kept[name];
    if (typeof value === 'number' && (value < least || value > most)) drop(name, `not ${least} to ${most}`);
  }
  for (const name of DAYS) {
    const day = kept[name];
    if (day !== null && day > builtOn) drop(name, `built on ${builtOn}`, 'detail_date_to_come');
  }
  const parts = (kept.care_staff ?? 0) + (kept.nurses ?? 0);
  if (kept.staff_total !== null && kept.staff_total < parts) drop('staff_total', `care staff and nurses are ${parts}`);
  contradictPlaces(kept, capacity, drop);
  contradictRooms(kept, capacity, drop);
  contradictRatio(kept, capacity, drop);
  return kept;
}

/** The most users for each place of a home: others come and go within a month. */
const USERS_PER_PLACE = 1.5;
/** Residents by care level may be counted on another day than the users. */
const RESIDENTS_PER_USER = 1.5;
/** The most leavers of an office in a year, in its staff. */
const LEFT_PER_STAFF = 3;
const CARE_LEVELS = ['care_level_1', 'care_level_2', 'care_level_3', 'care_level_4', 'care_level_5'] as const;

/** Whether people live there. */
const isHome = (serviceCode: string): boolean =>
  ['institution', 'residence'].includes(serviceOf(serviceCode)?.kind ?? '');

/** Users, vacancies, beds, residents and leavers of which there cannot be as many. */
function contradictPlaces(kept: Detail, capacity: number | null, drop: (name: DetailField, why: string) => void): void {
  const places = capacity ?? kept.capacity;
  const { users, vacancies, rooms_shared, rooms_shared_beds, staff_left, staff_total } = kept;
  if (places !== null) {
    const most = USERS_PER_PLACE * places;
    if (isHome(kept.service_code) && users !== null && users > most) drop('users', `${places} places`);
    if (vacancies !== null && vacancies > places) drop('vacancies', `${places} places`);
  }
  if (rooms_shared !== null && rooms_shared_beds !== null && rooms_shared_beds < rooms_shared) {
    drop('rooms_shared_beds', `in ${rooms_shared} rooms`);
  }
  if (staff_left !== null && staff_total !== null && staff_left > LEFT_PER_STAFF * staff_total) {
    drop('staff_left', `${staff_total} staff`);
  }
  const residents = CARE_LEVELS.reduce((sum, name) => sum + (kept[name] ?? 0), 0);
  if (kept.users === null || residents <= RESIDENTS_PER_USER * kept.users) return;
  for (const name of CARE_LEVELS) if (kept[name] !== null) drop(name, `${residents} residents, ${kept.users} users`);
}

/** Beds of a home for each of its places: rooms of a short stay in the same house are often counted with them. */
const BEDS_PER_PLACE = 1.5;
const ROOM_FIELDS = ['rooms_private', 'rooms_shared', 'rooms_shared_beds', 'room_kind'] as const;

/** Rooms of which there are so many that they are those of a house with several homes: of which kind the own ones are is not known. */
function contradictRooms(kept: Detail, capacity: number | null, drop: (name: DetailField, why: string) => void): void {
  // An estimated capacity was made from the rooms.
  const places = capacity ?? (kept.capacity_estimated === 'yes' ? null : kept.capacity);
  if (places === null || !isHome(kept.service_code)) return;
  const beds = (kept.rooms_private ?? 0) + (kept.rooms_shared_beds ?? kept.rooms_shared ?? 0);
  if (beds <= BEDS_PER_PLACE * places) return;
  for (const name of ROOM_FIELDS) if (kept[name] !== null) drop(name, `${beds} beds, ${places} places`);
}

/** Care staff that cannot belong to the users or places; an estimated capacity gives way first. */
function contradictRatio(kept: Detail, capacity: number | null, drop: (name: DetailField, why: string) => void): void {
  const [least, most] = USERS_PER_CARE_STAFF;
  const users = () => kept.users ?? capacity ?? kept.capacity;
  const fault = (): string | null => {
    const [count, staff] = [users(), kept.care_staff];
    if (count === null || staff === null || staff === 0) return null;
    const ratio = count / staff;
    return ratio < least || ratio > most ? `${staff} care staff for ${count} users or places` : null;
  };
  const why = fault();
  if (why === null) return;
  const estimated = kept.users === null && capacity === null && kept.capacity_estimated === 'yes';
  drop(estimated ? 'capacity' : 'care_staff', why);
}
