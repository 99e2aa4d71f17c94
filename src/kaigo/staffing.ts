import type { Room } from '../contract/kaigo-cost.ts';
import { rounded } from './comparison.ts';
import type { Detail } from './lists/details.ts';

/** How well a service is staffed; null members are not known. */
interface Staffing {
  staffTotal: number | null;
  careStaff: number | null;
  nurses: number | null;
  /** Lower is better staffed; to 0.01. */
  usersPerCareStaff: number | null;
  basis: 'fte' | 'head_count';
  /** What stands for the users in the ratio; null without a ratio. */
  usersFrom: 'users' | 'capacity' | 'estimated_capacity' | null;
}

/**
 * The staffing of a service. Where the number of users is not known, its places stand for them, and that is said.
 * Null when nothing is known of the staff.
 * @param capacity as published; null when it is not known
 */
export function staffingOf(detail: Detail | null, capacity: number | null): Staffing | null {
  if (detail === null) return null;
  const { staff_total: staffTotal, care_staff: careStaff, nurses } = detail;
  if (staffTotal === null && careStaff === null && nurses === null) return null;
  const estimated = detail.capacity_estimated === 'yes' ? detail.capacity : null;
  const users = detail.users ?? capacity ?? estimated;
  const from = detail.users !== null ? 'users' : capacity !== null ? 'capacity' : 'estimated_capacity';
  const known = users !== null && users > 0 && careStaff !== null && careStaff > 0;
  return {
    staffTotal,
    careStaff,
    nurses,
    usersPerCareStaff: known ? rounded(users / careStaff, 2) : null,
    basis: detail.staff_basis ?? 'head_count',
    usersFrom: known ? from : null,
  };
}

/** Users for each place, to 0.001; null when either is not known. */
export function occupancyOf(users: number | null, capacity: number | null): number | null {
  return users === null || capacity === null ? null : rounded(users / capacity, 3);
}

/**
 * The kinds of room that a service can have by its details, for the estimate; null when they do not say. A home of
 * units that has shared rooms too is partly conventional: everything is possible.
 */
export function roomKinds(detail: Detail | null): readonly Room[] | null {
  if (detail === null) return null;
  const { room_kind, rooms_private, rooms_shared } = detail;
  if (room_kind === 'unit') {
    if (rooms_shared) return null;
    return rooms_private ? ['unit'] : ['unit', 'unit_shared'];
  }
  if (room_kind !== 'conventional') return null;
  if (rooms_private && !rooms_shared) return ['private'];
  if (rooms_shared && !rooms_private) return ['shared'];
  return ['private', 'shared'];
}
