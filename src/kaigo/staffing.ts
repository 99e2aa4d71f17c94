import { rounded } from './comparison.ts';
import type { Findings } from './findings.ts';
import type { Detail } from './lists/details.ts';
import { geodesicMetres, type LatLon } from './position.ts';
import { plain } from './text.ts';

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

/**
 * The staffing of a service. If the number of users is unknown, the places are used and `usersFrom` says so. Null when
 * nothing is known of the staff.
 * @param capacity as published; null when unknown
 */
export function staffingOf(detail: Detail | null, capacity: number | null): Staffing | null {
  if (detail === null) return null;
  const { staff_total: staffTotal, care_staff: careStaff, nurses } = detail;
  if (staffTotal === null && careStaff === null && nurses === null) return null;
  return {
    staffTotal,
    careStaff,
    nurses,
    ...ratioOf(usersOf(detail, capacity), careStaff),
    basis: detail.staff_basis ?? 'head_count',
    sharedWith: null,
  };
}

/** The facts of a service about its staff. */
interface StaffedService {
  serviceCode: string;
  detail: Detail | null;
  capacity: number | null;
  position: LatLon | null;
  staffing: Staffing | null;
}

/** An office with its services. */
interface StaffedOffice {
  facilityId: string;
  corporateNumber: string | null;
  corporation: string | null;
  services: readonly StaffedService[];
}

/** Offices within this distance are on one site. */
const SITE_METRES = 300;
/** The kinds of numbers of users, the most certain first. Several offices together have the least certain kind. */
const SUREST_FIRST = ['users', 'capacity', 'estimated_capacity'] as const;

/**
 * Finds offices of one corporation on one site that publish the same staff, such as the two halves of a home. Their
 * ratio uses all their users; it is null when those of one office are unknown.
 */
export function shareStaff(facilities: readonly StaffedOffice[], findings: Findings): void {
  const staffed = facilities.flatMap((facility) =>
    facility.services.flatMap((service) => {
      const { staffing } = service;
      return staffing?.careStaff && staffing.staffTotal ? [{ facility, service, staffing }] : [];
    }),
  );
  const groups = Map.groupBy(staffed, ({ facility, service, staffing }) => {
    const corporation = facility.corporateNumber ?? plain(facility.corporation ?? '');
    const { staffTotal, careStaff, nurses, basis } = staffing;
    return [corporation, service.serviceCode, staffTotal, careStaff, nurses, basis].join(' ');
  });
  for (const group of groups.values()) {
    for (const { facility, service, staffing } of group) {
      if (facility.corporation === null && facility.corporateNumber === null) continue;
      const onSite = group.filter((other) => areOnOneSite(other.service, service));
      const others = onSite.filter((other) => other.facility !== facility).map((other) => other.facility.facilityId);
      if (others.length === 0) continue;
      const ratio = ratioOf(usersTogether(onSite.map((other) => other.service)), staffing.careStaff);
      service.staffing = { ...staffing, ...ratio, sharedWith: others };
      findings.noteOf(
        'detail_staff_shared',
        facility.facilityId,
        `${staffing.careStaff} care staff as ${others.join(', ')}`,
      );
    }
  }
}

/** Whether two services are near enough to share staff. */
function areOnOneSite(a: StaffedService, b: StaffedService): boolean {
  return (
    a === b || (a.position !== null && b.position !== null && geodesicMetres(a.position, b.position) <= SITE_METRES)
  );
}

/** The users of several services; null when those of one are unknown. */
function usersTogether(services: readonly StaffedService[]): Users | null {
  const counts = services.flatMap(({ detail, capacity }) => (detail && usersOf(detail, capacity)) ?? []);
  if (counts.length < services.length) return null;
  const leastSure = Math.max(...counts.map(({ from }) => SUREST_FIRST.indexOf(from)));
  return {
    users: counts.reduce((sum, { users }) => sum + users, 0),
    from: SUREST_FIRST[leastSure] ?? 'estimated_capacity',
  };
}

/**
 * The ratio of a service in the column of its basis; null in the other. A ratio from an estimated capacity is not
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
