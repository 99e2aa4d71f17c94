import type { Room } from './fee-figures.ts';
import type { Findings } from './findings.ts';
import type { DetailField } from './lists/detail-mapping.ts';
import type { Detail } from './lists/details.ts';
import type { PriceList } from './price-list.ts';
import { type FeeFault, foodFault, type PublishedFee, roomFeeFault, roomOfFee } from './published-fees.ts';
import { roomKinds } from './staffing.ts';

/** The fees of a facility that are believed. */
export interface DetailFees {
  /** Yen per day. */
  foodPerDay: number | null;
  roomFees: Readonly<Partial<Record<Room, number>>>;
  /** Fees that were published but cannot be right. */
  replaced: readonly PublishedFee[];
  /** Yen per month. */
  rentPerMonth: number | null;
  managementPerMonth: number | null;
}

/** The fees where no details are known. */
export const NO_FEES: DetailFees = {
  foodPerDay: null,
  roomFees: {},
  replaced: [],
  rentPerMonth: null,
  managementPerMonth: null,
};

/** Fees of which the mapping says what room they are for. */
const NAMED_ROOMS: readonly [DetailField, Room][] = [
  ['unit_room_yen_per_day', 'unit'],
  ['private_room_yen_per_day', 'private'],
  ['shared_room_yen_per_day', 'shared'],
];

/**
 * The published fees that can be fees; the others are noted with their place and kept in the detail's `as_published`.
 */
export function feesOf(list: PriceList, detail: Detail, findings: Findings): DetailFees {
  const replaced = new Set<PublishedFee>();
  const refuse = (of: PublishedFee, name: DetailField, fault: FeeFault) => {
    findings.note(of === 'food' ? 'fee_food' : 'fee_room', detail, `${name}: ${detail[name]} (${fault})`);
    detail.as_published[name] = String(detail[name]);
    replaced.add(of);
  };
  const foodPerDay = foodOf(list, detail, refuse);
  const roomFees = roomFeesOf(list, detail, refuse);
  return {
    foodPerDay,
    roomFees,
    replaced: [...replaced],
    rentPerMonth: detail.rent_yen_per_month,
    managementPerMonth: detail.management_yen_per_month,
  };
}

type Refuse = (of: PublishedFee, name: DetailField, fault: FeeFault) => void;

/** Food, yen a day; a fee by the month is that of thirty days. */
function foodOf(list: PriceList, detail: Detail, refuse: Refuse): number | null {
  const { food_yen_per_day: daily, food_yen_per_month: monthly } = detail;
  const name = daily === null ? 'food_yen_per_month' : 'food_yen_per_day';
  const perDay = daily ?? (monthly === null ? null : Math.round(monthly / 30));
  if (perDay === null) return null;
  const fault = foodFault(list, perDay);
  if (fault === null) return perDay;
  refuse('food', name, fault);
  return null;
}

function roomFeesOf(list: PriceList, detail: Detail, refuse: Refuse): Partial<Record<Room, number>> {
  const fees: Partial<Record<Room, number>> = {};
  if (list.services.get(detail.service_code)?.residence_class === undefined) return fees;
  const { room_yen_per_day: single } = detail;
  if (single !== null) {
    const found = roomOfFee(list, detail.service_code, roomKinds(detail), single);
    if ('room' in found) fees[found.room] = single;
    else refuse('room', 'room_yen_per_day', found.fault);
  }
  for (const [name, room] of NAMED_ROOMS) {
    const yen = detail[name];
    if (typeof yen !== 'number') continue;
    const fault = roomFeeFault(list, detail.service_code, room, yen);
    if (fault === null) fees[room] = yen;
    else refuse('room', name, fault);
  }
  return fees;
}
