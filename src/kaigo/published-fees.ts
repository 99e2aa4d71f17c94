import { ROOMS, type Room } from '../contract/kaigo-cost.ts';
import type { FeeTable } from './fee-table.ts';
import type { FindingKind, Findings } from './findings.ts';
import type { Detail, DetailField } from './lists/details.ts';
import { type PriceList, residenceOf, roomKey } from './price-list.ts';
import { serviceOf } from './services.ts';
import { DAYS_OF_MONTH } from './values.ts';

/** A fee that facilities publish themselves. */
export type FeeKind = 'food' | 'room';

/** Why a published fee is not believed. */
type FeeFault =
  | 'no_standard'
  | 'below_standard'
  | 'income_limit'
  | 'former_standard'
  | 'above_bound'
  | 'below_bound'
  | 'unsupported';

/** A facility's fee for food, yen: by the day, or by the month of any length. */
export interface FoodFee {
  yen: number;
  per: 'day' | 'month';
}

/** Lengths of a month from which a home may compute a monthly fee. Bounds take DAYS_OF_MONTH: they need not be exact. */
const MONTH_LENGTHS = [30, 31];

/**
 * Why a published fee for food cannot be the fee of a resident without reductions. Null: it can be. The checks, in
 * order: a limit of an income stage; a former standard fee, which has risen since; below the bound; above the bound.
 */
export function foodFault(list: PriceList, { yen, per }: FoodFee): FeeFault | null {
  const { food } = list;
  const bounds = list.feeBounds.find((one) => one.of === 'food');
  if (food === null || bounds === undefined) return null;
  const days = per === 'day' ? 1 : DAYS_OF_MONTH;
  // Amounts are compared exactly, so months of each length are tried.
  const isIn = (amounts: ReadonlySet<number>) =>
    per === 'day' ? amounts.has(yen) : MONTH_LENGTHS.some((length) => amounts.has(yen / length));
  if (isIn(list.incomeLimits.food)) return 'income_limit';
  if (isIn(list.formerStandards.food)) return 'former_standard';
  if (yen * 100 < food.standard * days * bounds.least_percent) {
    // Some publish the limit of a room as the fee for food.
    return [...list.incomeLimits.room.values()].some(isIn) ? 'income_limit' : 'below_standard';
  }
  return yen * 100 > food.standard * days * bounds.most_percent ? 'above_bound' : null;
}

/**
 * Why a published fee of a room of one kind cannot be right, by the rules of `foodFault`. Null when it can be right, or
 * when the list has no standard fee for such a room.
 */
export function roomFeeFault(list: PriceList, serviceCode: string, room: Room, yen: number): FeeFault | null {
  const standard = standardFee(list, serviceCode, room);
  const bounds = list.feeBounds.find((one) => one.of === 'room');
  if (standard === undefined || bounds === undefined) return null;
  const kind = roomKey({ class: list.services.get(serviceCode)?.residence_class, room });
  if (list.incomeLimits.room.get(kind)?.has(yen)) return 'income_limit';
  if (list.formerStandards.room.get(kind)?.has(yen)) return 'former_standard';
  if (yen * 100 < standard * bounds.least_percent) return 'below_standard';
  return yen * 100 > standard * bounds.most_percent ? 'above_bound' : null;
}

/**
 * The kind of room of a fee that is published without it, by the first of these rules that fits:
 * 1. no kind of room has a standard fee: refused;
 * 2. it equals a current standard fee: that kind;
 * 3. it equals a former standard fee, or a limit for low incomes, of any kind: refused, because it may be that amount;
 * 4. it cannot be right for the kind with the nearest standard fee: refused, because any other kind would be a guess;
 * 5. the kind with the nearest standard fee.
 * @param rooms that the facility has; null: unknown, so every kind of the service is possible
 */
export function roomOfFee(
  list: PriceList,
  serviceCode: string,
  rooms: readonly Room[] | null,
  yen: number,
): { room: Room } | { fault: FeeFault } {
  const kinds = ROOMS.filter(
    (room) => (rooms === null || hasRoom(rooms, room)) && standardFee(list, serviceCode, room) !== undefined,
  );
  const distance = (room: Room) => Math.abs((standardFee(list, serviceCode, room) ?? 0) - yen);
  const [nearest] = [...kinds].sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined) return { fault: 'no_standard' };
  if (distance(nearest) === 0) return { room: nearest };
  const faults = kinds.map((room) => roomFeeFault(list, serviceCode, room, yen));
  if (faults.includes('former_standard')) return { fault: 'former_standard' };
  if (faults.includes('income_limit')) return { fault: 'income_limit' };
  const fault = faults[kinds.indexOf(nearest)] ?? null;
  return fault === null ? { room: nearest } : { fault };
}

/** `shared` includes `shared_charged`: details do not say whether the home charges for its shared rooms. */
export function hasRoom(rooms: readonly Room[], room: Room): boolean {
  return rooms.includes(room) || (room === 'shared_charged' && rooms.includes('shared'));
}

/** The standard fee of a kind of room, yen per day; undefined when the service does not have such a room. */
function standardFee(list: PriceList, serviceCode: string, room: Room): number | undefined {
  const fees = list.services.get(serviceCode);
  if (fees === undefined) return undefined;
  // Only services whose tariff has units for charged shared rooms may charge for them. A service without units for
  // another kind of room may have such rooms nevertheless: the units may be unknown.
  if (room === 'shared_charged' && !fees.variants.some(({ rooms }) => rooms?.includes(room))) return undefined;
  return residenceOf(list, fees, room)?.standard;
}

/** The fees that a facility publishes, as far as they are believed. */
export interface PublishedFees {
  food: FoodFee | null;
  /** For each kind of room, yen per day. */
  roomFees: Readonly<Partial<Record<Room, number>>>;
  /** Fees that cannot be right. The standard fees replace them. */
  replaced: readonly FeeKind[];
  /** Yen per month, if the home charges it in addition to the insured care. */
  rentPerMonth: number | null;
  managementPerMonth: number | null;
  /** True when it publishes that it takes no deposit or initial payment. */
  hasNoDeposit: boolean;
}

/** The fees of a facility that publishes none. */
export const NO_FEES: PublishedFees = {
  food: null,
  roomFees: {},
  replaced: [],
  rentPerMonth: null,
  managementPerMonth: null,
  hasNoDeposit: false,
};

/** The fields of fees for food; the first believed one is used. */
const FOOD_FIELDS: readonly ['food_yen_per_day' | 'food_yen_per_month', FoodFee['per']][] = [
  ['food_yen_per_month', 'month'],
  ['food_yen_per_day', 'day'],
];

/** The fields of fees for a known kind of room. */
const ROOM_FIELDS: readonly [DetailField, Room][] = [
  ['unit_room_yen_per_day', 'unit'],
  ['private_room_yen_per_day', 'private'],
  ['shared_room_yen_per_day', 'shared'],
];

/** A published fee for a kind of room, by corporation. */
interface RoomFeeMention {
  corporation: string;
  serviceCode: string;
  room: Room;
  yen: number;
}

/**
 * The published fees for rooms of all homes. A fee below the standard of its kind may be a limit of low incomes or a
 * slip. It is believed when another home of the corporation publishes the same for the same kind.
 */
export class RoomFeeMentions {
  readonly #homes = new Map<string, Set<string>>();

  /**
   * Adds the fees of a home.
   * @param rooms the kinds that it has
   */
  add(list: PriceList, detail: Detail, rooms: readonly Room[] | null, corporation: string): void {
    for (const { room, yen } of publishedRoomFees(list, detail, rooms)) {
      const key = feeKey({ corporation, serviceCode: detail.service_code, room, yen });
      this.#homes.set(key, (this.#homes.get(key) ?? new Set()).add(detail.facility_id));
    }
  }

  /** True when several homes of the corporation publish the fee. */
  hasSeveralHomes(mention: RoomFeeMention): boolean {
    return mention.corporation !== '' && (this.#homes.get(feeKey(mention))?.size ?? 0) > 1;
  }
}

/** The key of a fee: homes of a corporation that publish the same fee for the same kind of room have the same. */
const feeKey = ({ corporation, serviceCode, room, yen }: RoomFeeMention): string =>
  `${corporation} ${serviceCode} ${room} ${yen}`;

/** The home of the fees: its kinds of room, and its corporation. */
interface FeeContext {
  rooms: readonly Room[] | null;
  /** Its number or name; empty when both are unknown. */
  corporation: string;
  mentions: RoomFeeMentions;
}

/**
 * The published fees of a home that can be right. The others are noted with their place and kept in the detail's
 * `as_published`.
 */
export function feesOf(list: PriceList, detail: Detail, context: FeeContext, findings: Findings): PublishedFees {
  const replaced = new Set<FeeKind>();
  const refuse = (fee: FeeKind, name: DetailField, fault: FeeFault) => {
    const kind = KIND_OF_FAULT[fault] ?? (fee === 'food' ? 'fee_food' : 'fee_room');
    findings.note(kind, detail, `${name}: ${detail[name]} (${fault})`);
    detail.as_published[name] = String(detail[name]);
    replaced.add(fee);
  };
  // The standard fee also replaces a fee whose text could not be read.
  for (const [name, fee] of FEE_FIELDS) if (isUnreadFee(detail.as_published[name])) replaced.add(fee);
  const food = foodOf(list, detail, refuse);
  const roomFees = roomFeesOf(list, detail, context, refuse);
  return {
    food,
    roomFees,
    replaced: [...replaced],
    rentPerMonth: detail.rent_yen_per_month,
    managementPerMonth: detail.management_yen_per_month,
    hasNoDeposit: detail.deposit_yen === 0,
  };
}

/** Faults that are counted separately. */
const KIND_OF_FAULT: Partial<Record<FeeFault, FindingKind>> = {
  former_standard: 'fee_former',
  unsupported: 'fee_unsupported',
};

/** The fields of fees, and what each fee is for. */
const FEE_FIELDS: readonly (readonly [DetailField, FeeKind])[] = [
  ...FOOD_FIELDS.map(([name]) => [name, 'food'] as const),
  ['room_yen_per_day', 'room'],
  ...ROOM_FIELDS.map(([name]) => [name, 'room'] as const),
];

/** The amount of a price list that a published fee equals. Such a fee may not be the home's own. */
export interface FeeInLists {
  /** The income stages whose limit it is; empty: it is the standard fee. */
  stages: readonly string[];
  /** The last day of the list, YYYY-MM-DD; null while it is in force. */
  until: string | null;
}

/**
 * The limit of low incomes, or the former standard, that a published fee equals; null when it is neither. The standard fee
 * in force is no finding: many homes charge it.
 * @param day YYYY-MM-DD; the price list in force on it is compared first, then earlier ones
 * @param text the published fee
 */
export function feeInLists(
  table: FeeTable,
  day: string,
  serviceCode: string,
  field: string,
  text: string,
): FeeInLists | null {
  if (!/^\d{1,6}$/.test(text)) return null;
  // The lists have amounts per day. A fee for a month is compared with those of 30 and 31 days.
  const lengths = field === 'food_yen_per_month' ? MONTH_LENGTHS : [1];
  const isPublished = (yenPerDay: number): boolean => lengths.some((days) => yenPerDay * days === Number(text));
  for (const { from, to, standard, limits } of listedFees(table, serviceCode, field)) {
    if (from > day) continue;
    const isFormer = to !== null && to < day;
    const until = isFormer ? to : null;
    const stages = Object.entries(limits ?? {}).flatMap(([stage, yen]) => (isPublished(yen) ? [stage] : []));
    if (stages.length > 0) return { stages, until };
    if (isFormer && isPublished(standard)) return { stages: [], until };
  }
  return null;
}

/**
 * The standard fees and limits of all price lists for what a field of the details states: for food, for a kind of room,
 * or, where the field names no kind, for all kinds. Food of short stays has other limits. The latest list is first.
 * Empty for services without standard fees (those without a residence class).
 */
function listedFees(table: FeeTable, serviceCode: string, field: string) {
  const residenceClass = table.services.find((one) => one.service_codes.includes(serviceCode))?.residence_class;
  if (residenceClass === undefined) return [];
  const isShort = serviceOf(serviceCode)?.kind === 'short_stay';
  const room = ROOM_FIELDS.find(([name]) => name === field)?.[1];
  const figures = FOOD_FIELDS.some(([name]) => name === field)
    ? table.food.map((one) => ({ ...one, limits: (isShort ? one.short_stay_limits : undefined) ?? one.limits }))
    : table.residence.filter((one) => one.class === residenceClass && (room === undefined || one.room === room));
  return figures.toSorted((a, b) => {
    if (a.from === b.from) return 0;
    return a.from < b.from ? 1 : -1;
  });
}

/** True when an unreadable text contains a fee. A dash and similar signs do not. */
function isUnreadFee(text: string | undefined): boolean {
  return text !== undefined && /[\p{L}\p{N}]/u.test(text);
}

type Refuse = (of: FeeKind, name: DetailField, fault: FeeFault) => void;

/** Smallest and largest fee for food where the insurance has no standard fee, yen a day. */
export const FOOD_WITHOUT_STANDARD: readonly [number, number] = [100, 10_000];

/** Why a fee for food cannot be right where the insurance has no standard fee, as in homes of service 920; null: it can be. */
function foodFaultWithoutStandard({ yen, per }: FoodFee): FeeFault | null {
  const [least, most] = FOOD_WITHOUT_STANDARD;
  const perDay = per === 'day' ? yen : yen / DAYS_OF_MONTH;
  if (perDay < least) return 'below_bound';
  return perDay > most ? 'above_bound' : null;
}

/** The believed fee for food. A monthly fee has priority, because a bill is monthly. */
function foodOf(list: PriceList, detail: Detail, refuse: Refuse): FoodFee | null {
  // Only services with a residence class have standard fees, also for food.
  const hasStandard = list.services.get(detail.service_code)?.residence_class !== undefined;
  const fees = FOOD_FIELDS.flatMap(([name, per]) => {
    const yen = detail[name];
    return yen === null ? [] : [{ name, fee: { yen, per } }];
  });
  let foodFee: FoodFee | null = null;
  for (const { name, fee } of fees) {
    const fault = hasStandard ? foodFault(list, fee) : foodFaultWithoutStandard(fee);
    // Every fee with a fault is noted, also after the one that is used.
    if (fault === null) foodFee ??= fee;
    else refuse('food', name, fault);
  }
  return foodFee;
}

/** A published fee for a room with its kind of room, or why it is not believed. */
type RoomFee = { name: DetailField; yen: number } & ({ room: Room } | { fault: FeeFault });

/** The fees for rooms of a detail, or the reason for each that is not believed. */
function readRoomFees(list: PriceList, detail: Detail, rooms: readonly Room[] | null): RoomFee[] {
  const { service_code: serviceCode, room_yen_per_day: unnamedFee } = detail;
  if (list.services.get(serviceCode)?.residence_class === undefined) return [];
  const namedFees = ROOM_FIELDS.flatMap(([name, room]): RoomFee[] => {
    const yen = detail[name];
    if (typeof yen !== 'number') return [];
    // The amount of the fee tells which kind of shared room it is for (`shared` or `shared_charged`).
    if (room === 'shared') return [{ name, yen, ...roomOfFee(list, serviceCode, [room], yen) }];
    const fault = roomFeeFault(list, serviceCode, room, yen);
    return [{ name, yen, ...(fault === null ? { room } : { fault }) }];
  });
  if (unnamedFee === null) return namedFees;
  return [
    { name: 'room_yen_per_day', yen: unnamedFee, ...roomOfFee(list, serviceCode, rooms, unnamedFee) },
    ...namedFees,
  ];
}

/** True when a home's monthly sum is its daily fee times the days of a month. */
const isOfMonth = (yenPerDay: number, yenPerMonth: number | null): boolean =>
  MONTH_LENGTHS.some((days) => yenPerDay * days === yenPerMonth);

/** The fees for rooms of a detail that pass the checks of a single fee. */
const publishedRoomFees = (list: PriceList, detail: Detail, rooms: readonly Room[] | null) =>
  readRoomFees(list, detail, rooms).flatMap((fee) => ('room' in fee ? [fee] : []));

/**
 * The believed fees for rooms. One below the standard fee needs a second source: another field of the home, its fee for a
 * month, or another home of the corporation.
 */
function roomFeesOf(
  list: PriceList,
  detail: Detail,
  { rooms, corporation, mentions }: FeeContext,
  refuse: Refuse,
): Partial<Record<Room, number>> {
  const { service_code: serviceCode } = detail;
  const feeByRoom: Partial<Record<Room, number>> = {};
  const roomFees = readRoomFees(list, detail, rooms);
  for (const fee of roomFees) {
    if ('fault' in fee) {
      refuse('room', fee.name, fee.fault);
      continue;
    }
    const { name, room, yen } = fee;
    const isInOtherField = roomFees.some(
      (other) => other !== fee && 'room' in other && other.room === room && other.yen === yen,
    );
    // Where there is no standard fee, none is below it.
    const leastWithoutSupport = standardFee(list, serviceCode, room) ?? 0;
    const isSupported =
      yen >= leastWithoutSupport ||
      isInOtherField ||
      isOfMonth(yen, detail.room_yen_per_month) ||
      mentions.hasSeveralHomes({ corporation, serviceCode, room, yen });
    if (isSupported) feeByRoom[room] = yen;
    else refuse('room', name, 'unsupported');
  }
  return feeByRoom;
}
