import type { LatLon } from '../geo/degree.ts';
import { rounded } from './comparison.ts';
import type { Detail } from './lists/details.ts';
import { geodesicMetres } from './position.ts';

/** The staffing of a service; null members are unknown. */
export interface Staffing {
  staffTotal: number | null;
  careStaff: number | null;
  nurses: number | null;
  /** Lower is better staffed; to 0.01. */
  usersPerCareStaff: number | null;
  basis: 'fte' | 'head_count';
  /** The kind of the number of users in the ratio; null without a ratio. */
  usersFrom: 'users' | 'capacity' | 'estimated_capacity' | null;
  /** Other offices that publish the same staff: the ratio is that of all of them. Null when the staff is its own. */
  sharedWith: readonly string[] | null;
}

/** The number of users, and its kind. */
interface Users {
  users: number;
  from: NonNullable<Staffing['usersFrom']>;
}

/** The number of users of a service; if unknown, of its places. Null when both are unknown. */
function usersOf(detail: Detail, capacity: number | null): Users | null {
  if (detail.users !== null) return { users: detail.users, from: 'users' };
  if (capacity !== null) return { users: capacity, from: 'capacity' };
  const estimated = detail.capacity_estimated === 'yes' ? detail.capacity : null;
  return estimated === null ? null : { users: estimated, from: 'estimated_capacity' };
}

/** Users for each of the care staff, lower is better; null members when unknown. */
function ratioOf(users: Users | null, careStaff: number | null): Pick<Staffing, 'usersPerCareStaff' | 'usersFrom'> {
  if (users === null || users.users === 0 || !careStaff) return { usersPerCareStaff: null, usersFrom: null };
  return { usersPerCareStaff: rounded(users.users / careStaff, 2), usersFrom: users.from };
}

/** A service with its details, for the number of its users. */
interface DetailedService {
  detail: Detail;
  /** As published; null when unknown. */
  capacity: number | null;
}

/** A service that may share its staff. */
export interface StaffedService extends DetailedService {
  facilityId: string;
  serviceCode: string;
  /** The number of its corporation, else the name; empty: both are unknown. */
  corporation: string;
  position: LatLon | null;
}

/**
 * The staffing of a service. If the number of users is unknown, the places are used and `usersFrom` says so. Null when
 * nothing is known of the staff.
 * @param sharers the other offices that publish the same staff: the ratio uses all their users
 */
export function staffingOf(
  { detail, capacity }: { detail: Detail | null; capacity: number | null },
  sharers: readonly StaffedService[],
): Staffing | null {
  if (detail === null) return null;
  const { staff_total: staffTotal, care_staff: careStaff, nurses } = detail;
  if (staffTotal === null && careStaff === null && nurses === null) return null;
  return {
    staffTotal,
    careStaff,
    nurses,
    ...ratioOf(usersTogether([{ detail, capacity }, ...sharers]), careStaff),
    basis: basisOf(detail),
    sharedWith: careStaff === null || sharers.length === 0 ? null : sharers.map(({ facilityId }) => facilityId),
  };
}

const basisOf = (detail: Detail): Staffing['basis'] => detail.staff_basis ?? 'head_count';

/** Offices within this distance are on one site. */
const SITE_METRES = 300;
/** The kinds of numbers of users, the most certain first. Several offices together have the least certain kind. */
const SUREST_FIRST = ['users', 'capacity', 'estimated_capacity'] as const;

/**
 * The other offices of the corporation on the same site that publish the same staff, such as the other half of a home,
 * in order of ID. Services with a staff of their own are not in the map.
 */
export function staffSharers(services: readonly StaffedService[]): Map<StaffedService, StaffedService[]> {
  const staffed = services.filter(
    ({ corporation, detail }) => corporation !== '' && detail.care_staff && detail.staff_total,
  );
  const groups = Map.groupBy(staffed, ({ corporation, serviceCode, detail }) => {
    const { staff_total, care_staff, nurses } = detail;
    return [corporation, serviceCode, staff_total, care_staff, nurses, basisOf(detail)].join(' ');
  });
  const sharers = new Map<StaffedService, StaffedService[]>();
  for (const group of groups.values()) {
    for (const service of group) {
      const others = group.filter((other) => other !== service && areOnOneSite(other, service));
      others.sort((a, b) => (a.facilityId < b.facilityId ? -1 : 1));
      if (others.length > 0) sharers.set(service, others);
    }
  }
  return sharers;
}

/** Whether two services are near enough to share staff. */
function areOnOneSite(a: StaffedService, b: StaffedService): boolean {
  return a.position !== null && b.position !== null && geodesicMetres(a.position, b.position) <= SITE_METRES;
}

/** The users of several services (at least one); null when those of one are unknown. */
export function usersTogether(services: readonly DetailedService[]): Users | null {
  const counts = services.flatMap(({ detail, capacity }) => usersOf(detail, capacity) ?? []);
  if (counts.length < services.length) return null;
  const leastSure = Math.max(...counts.map(({ from }) => SUREST_FIRST.indexOf(from)));
  return {
    users: counts.reduce((sum, { users }) => sum + users, 0),
    from: SUREST_FIRST[leastSure] ?? 'estimated_capacity',
  };
}

/**
 * The users for each member of the care staff of a service, counted as it counts its staff: by heads or in full-time
 * equivalents. The other figure is null. So are both when the users are only an estimated capacity: such a ratio is not
 * compared with others.
 */
export function comparedRatios(
  staffing: Staffing | null,
): Record<'users_per_care_staff' | 'users_per_care_staff_fte', number | null> {
  const isCompared = staffing !== null && staffing.usersFrom !== 'estimated_capacity';
  const ratio = isCompared ? staffing.usersPerCareStaff : null;
  return {
    users_per_care_staff: staffing?.basis === 'head_count' ? ratio : null,
    users_per_care_staff_fte: staffing?.basis === 'fte' ? ratio : null,
  };
}

/** Users for each place, to 0.001; null when either is unknown. */
export function occupancyOf(users: number | null, capacity: number | null): number | null {
  return users === null || capacity === null ? null : rounded(users / capacity, 3);
}
