import { ROOMS, type Room } from './fee-figures.ts';
import { type PriceList, residenceOf } from './price-list.ts';

/** A fee that facilities publish themselves. */
export type PublishedFee = 'food' | 'room';

/** Why a published fee cannot be one. */
export type FeeFault = 'below_standard' | 'income_limit' | 'above_bound';

/**
 * Why a published fee for food, yen a day, cannot be what a resident without reductions pays; null when it can. It is
 * compared with the standard cost of the list and with the limits of low-income stages: a limit of food is none at any
 * height, a limit of a room where it is below the share of the standard too.
 */
export function foodFault(list: PriceList, yen: number): FeeFault | null {
  const { food } = list;
  const bounds = list.feeBounds.find((one) => one.of === 'food');
  if (food === null || bounds === undefined) return null;
  if (list.incomeLimits.food.has(yen)) return 'income_limit';
  if (yen * 100 < food.standard * bounds.least_percent) {
    return [...list.incomeLimits.room.values()].some((limits) => limits.has(yen)) ? 'income_limit' : 'below_standard';
  }
  return yen * 100 > food.standard * bounds.most_percent ? 'above_bound' : null;
}

/** The same for the fee of a room of one kind; null too where the list has no standard fee for it. */
export function roomFeeFault(list: PriceList, serviceCode: string, room: Room, yen: number): FeeFault | null {
  const standard = standardOf(list, serviceCode, room);
  const bounds = list.feeBounds.find((one) => one.of === 'room');
  if (standard === undefined || bounds === undefined) return null;
  if (list.incomeLimits.room.get(room)?.has(yen)) return 'income_limit';
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
  const distance = (room: Room) => Math.abs((standardOf(list, serviceCode, room) ?? 0) - yen);
  const [nearest] = kinds.filter((_, i) => faults[i] === null).sort((a, b) => distance(a) - distance(b));
  if (nearest !== undefined) return { room: nearest };
  // The fault is told of the kind that it comes nearest to.
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
