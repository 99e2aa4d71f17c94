import { ROOMS, type Room } from '../contract/kaigo-cost.ts';
import type { FeeTable } from './fee-schema.ts';
import type { Findings } from './findings.ts';
import type { DetailField } from './lists/detail-fields.ts';
import type { Detail } from './lists/details.ts';
import { type PriceList, residenceOf } from './price-list.ts';
import { serviceOf } from './services.ts';
import { roomKinds } from './staffing.ts';

/** A fee that facilities publish themselves. */
export type PublishedFee = 'food' | 'room';

/** Why a published fee cannot be one. */
type FeeFault = 'below_standard' | 'income_limit' | 'former_standard' | 'above_bound' | 'below_bound';

/** What a facility asks for food, yen: by the day, or by the month whatever days it has. */
export interface FoodFee {
  yen: number;
  per: 'day' | 'month';
}

/** The days of a month that a monthly fee may be the sum of. */
const DAYS_OF_MONTHS = [30, 31];

/**
 * Why a published fee for food cannot be what a resident without reductions pays; null when it can. It is
 * compared with the standard cost of the list and with the limits of low-income stages: a limit of food is none at any
 * height, a limit of a room where it is below the share of the standard too. What was the standard before is no fee of the
 * home's own: it follows the standard, which has risen.
 */
export function foodFault(list: PriceList, { yen, per }: FoodFee): FeeFault | null {
  const { food } = list;
  const bounds = list.feeBounds.find((one) => one.of === 'food');
  if (food === null || bounds === undefined) return null;
  const days = per === 'day' ? 1 : 30;
  const isOne = (limits: ReadonlySet<number>) =>
    per === 'day' ? limits.has(yen) : DAYS_OF_MONTHS.some((month) => limits.has(yen / month));
  if (isOne(list.incomeLimits.food)) return 'income_limit';
  if (isOne(list.formerStandards.food)) return 'former_standard';
  if (yen * 100 < food.standard * days * bounds.least_percent) {
    return [...list.incomeLimits.room.values()].some(isOne) ? 'income_limit' : 'below_standard';
  }
  return yen * 100 > food.standard * days * bounds.most_percent ? 'above_bound' : null;
}

/** The same for the fee of a room of one kind; null too where the list has no standard fee for it. */
export function roomFeeFault(list: PriceList, serviceCode: string, room: Room, yen: number): FeeFault | null {
  const standard = standardOf(list, serviceCode, room);
  const bounds = list.feeBounds.find((one) => one.of === 'room');
  if (standard === undefined || bounds === undefined) return null;
  if (list.incomeLimits.room.get(room)?.has(yen)) return 'income_limit';
  const residenceClass = list.services.get(serviceCode)?.residence_class;
  if (list.formerStandards.room.get(`${residenceClass} ${room}`)?.has(yen)) return 'former_standard';
  if (yen * 100 < standard * bounds.least_percent) return 'below_standard';
  return yen * 100 > standard * bounds.most_percent ? 'above_bound' : null;
}

/**
 * The kind of room that a single published fee is for: of the kinds it can belong to, the one whose standard fee is
 * nearest. A fault where it can belong to none.
 * @param rooms that the facility has; null when not known: then every kind of the service
 */
export function roomOfFee(
  list: PriceList,
  serviceCode: string,
  rooms: readonly Room[] | null,
  yen: number,
): { room: Room } | { fault: FeeFault } {
  const kinds = ROOMS.filter(
    (room) => (rooms === null || hasRoom(rooms, room)) && standardOf(list, serviceCode, room) !== undefined,
  );
  const faults = kinds.map((room) => roomFeeFault(list, serviceCode, room, yen));
  // It is the standard of that kind, and not a fee of another.
  if (faults.includes('former_standard')) return { fault: 'former_standard' };
  const distance = (room: Room) => Math.abs((standardOf(list, serviceCode, room) ?? 0) - yen);
  const [nearest] = kinds.filter((_, i) => faults[i] === null).sort((a, b) => distance(a) - distance(b));
  if (nearest !== undefined) return { room: nearest };
  // The fault given is that of the kind of room whose standard fee is nearest.
  const [likeliest] = [...kinds].sort((a, b) => distance(a) - distance(b));
  const fault = likeliest === undefined ? undefined : faults[kinds.indexOf(likeliest)];
  return { fault: fault ?? 'below_standard' };
}

/** A shared room may or may not be charged for; who knows it is shared knows no more. */
export function hasRoom(rooms: readonly Room[], room: Room): boolean {
  return rooms.includes(room) || (room === 'shared_charged' && rooms.includes('shared'));
}

function standardOf(list: PriceList, serviceCode: string, room: Room): number | undefined {
  const fees = list.services.get(serviceCode);
  return fees === undefined ? undefined : residenceOf(list, fees, room)?.standard;
}

/** The fees of a facility that are believed. */
export interface DetailFees {
  food: FoodFee | null;
  /** Yen per day. */
  roomFees: Readonly<Partial<Record<Room, number>>>;
  /** Fees that were published but cannot be right. */
  replaced: readonly PublishedFee[];
  /** Yen per month. */
  rentPerMonth: number | null;
  managementPerMonth: number | null;
}

/** The fees where no details are known. */
export const NO_FEES: DetailFees = {
  food: null,
  roomFees: {},
  replaced: [],
  rentPerMonth: null,
  managementPerMonth: null,
};

/** Fees for food of which the mapping says what they are for; the first that is believed counts. */
const NAMED_FOOD: readonly ['food_yen_per_day' | 'food_yen_per_month', FoodFee['per']][] = [
  ['food_yen_per_month', 'month'],
  ['food_yen_per_day', 'day'],
];

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
    const kind = fault === 'former_standard' ? 'fee_former' : of === 'food' ? 'fee_food' : 'fee_room';
    findings.note(kind, detail, `${name}: ${detail[name]} (${fault})`);
    detail.as_published[name] = String(detail[name]);
    replaced.add(of);
  };
  for (const [name, of] of FEE_FIELDS) if (isUnreadFee(detail.as_published[name])) replaced.add(of);
  const food = foodOf(list, detail, refuse);
  const roomFees = roomFeesOf(list, detail, refuse);
  return {
    food,
    roomFees,
    replaced: [...replaced],
    rentPerMonth: detail.rent_yen_per_month,
    managementPerMonth: detail.management_yen_per_month,
  };
}

/** The fields of fees, and of what. */
const FEE_FIELDS: readonly [DetailField, PublishedFee][] = [
  ...NAMED_FOOD.map(([name]): [DetailField, PublishedFee] => [name, 'food']),
  ['room_yen_per_day', 'room'],
  ...NAMED_ROOMS.map(([name]): [DetailField, PublishedFee] => [name, 'room']),
];

/** What of the price lists a published fee is, so that it is no fee of the home's own. */
export interface FeeInLists {
  /** The income stages whose limit it is; empty: it is the standard fee. */
  stages: readonly string[];
  /** The last day of the list, YYYY-MM-DD; null while it is in force. */
  until: string | null;
}

/**
 * The limit of low incomes, or the standard of before, that a published fee equals; null where it is neither.
 * @param day the price list in force on it is looked at first, then those before it, YYYY-MM-DD
 */
export function feeInLists(
  table: FeeTable,
  day: string,
  serviceCode: string,
  field: string,
  text: string,
): FeeInLists | null {
  if (!/^\d{1,6}$/.test(text)) return null;
  const days = field === 'food_yen_per_month' ? DAYS_OF_MONTHS : [1];
  const isIt = (yen: number): boolean => days.some((one) => yen * one === Number(text));
  for (const { from, to, standard, limits } of figuresOf(table, serviceCode, field)) {
    if (from > day) continue;
    const until = to !== null && to < day ? to : null;
    const stages = Object.entries(limits ?? {}).flatMap(([stage, yen]) => (isIt(yen) ? [stage] : []));
    if (stages.length > 0) return { stages, until };
    if (until !== null && isIt(standard)) return { stages: [], until };
  }
  return null;
}

/** The figures of all lists for what a field is the fee of, the youngest first. */
function figuresOf(table: FeeTable, serviceCode: string, field: string) {
  const residenceClass = table.services.find((one) => one.service_codes.includes(serviceCode))?.residence_class;
  if (residenceClass === undefined) return [];
  const isShort = serviceOf(serviceCode)?.kind === 'short_stay';
  const room = NAMED_ROOMS.find(([name]) => name === field)?.[1];
  const figures = NAMED_FOOD.some(([name]) => name === field)
    ? table.food.map((one) => ({ ...one, limits: (isShort ? one.short_stay_limits : undefined) ?? one.limits }))
    : table.residence.filter((one) => one.class === residenceClass && (room === undefined || one.room === room));
  return figures.toSorted((a, b) => (a.from < b.from ? 1 : a.from > b.from ? -1 : 0));
}

/** Whether a text that could not be read says something of a fee: a dash and its like do not. */
function isUnreadFee(text: string | undefined): boolean {
  return text !== undefined && /[\p{L}\p{N}]/u.test(text);
}

type Refuse = (of: PublishedFee, name: DetailField, fault: FeeFault) => void;

/** The least and the most for food where the insurance has no standard fee and no limits: a home asks what it likes, yen a day. */
const HOME_FOOD: readonly [number, number] = [100, 10_000];

function homeFoodFault({ yen, per }: FoodFee): FeeFault | null {
  const [least, most] = HOME_FOOD;
  const perDay = per === 'day' ? yen : yen / 30;
  if (perDay < least) return 'below_bound';
  return perDay > most ? 'above_bound' : null;
}

/** The fee for food that is believed, by the month before by the day: a bill is that of a month. */
function foodOf(list: PriceList, detail: Detail, refuse: Refuse): FoodFee | null {
  const hasStandard = list.services.get(detail.service_code)?.residence_class !== undefined;
  const published = NAMED_FOOD.flatMap(([name, per]) => {
    const yen = detail[name];
    return yen === null ? [] : [{ name, fee: { yen, per } }];
  });
  let believed: FoodFee | null = null;
  for (const { name, fee } of published) {
    const fault = hasStandard ? foodFault(list, fee) : homeFoodFault(fee);
    if (fault === null) believed ??= fee;
    else refuse('food', name, fault);
  }
  return believed;
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
