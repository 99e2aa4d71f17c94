import type { CarePrices } from './care-prices.ts';

/** What a home asks for food, yen. */
export interface FoodFee {
  yen: number;
  per: 'day' | 'month';
}

interface CareFees {
  food: FoodFee | null;
  /** Yen per day by kind of room. */
  roomFees: Record<string, number>;
  /** What is asked for a kind of room, believed or not for want of support. */
  claims: string[];
  /** Lines of the report with their field. */
  lines: string[];
}

/** Percent of the standard fee between which a published one is believed. */
const BOUNDS = { food: [80, 200], room: [60, 300] } as const;
const ROOMS = ['unit', 'unit_shared', 'private', 'shared', 'shared_charged'];

/** The fees that are believed, and lines for those that are not. */
export function careFees(
  prices: CarePrices,
  code: string,
  kinds: string[] | null,
  get: (field: string) => number | null,
  isSupported: (claim: string) => boolean,
): CareFees {
  const service = prices.service(code);
  const lines: string[] = [];
  const outside = (yen: number, standard: number, [least, most]: readonly [number, number]) =>
    100 * yen < least * standard || 100 * yen > most * standard;
  let food: FoodFee | null = null;
  for (const [per, days] of [
    ['month', [30, 31]],
    ['day', [1]],
  ] as const) {
    const yen = get(`food_yen_per_${per}`);
    if (yen === null) continue;
    const length = days[0];
    const isFoodLimit = [...prices.limits('food')].some((limit) => days.some((one) => one * limit === yen));
    const wasStandard =
      service?.residence_class !== undefined && days.some((one) => prices.wasStandard(service, 'food', yen / one));
    const isFalse =
      service?.residence_class === undefined
        ? yen < 100 * length || yen > 10_000 * length
        : isFoodLimit || outside(yen, prices.food.standard * length, BOUNDS.food);
    if (isFalse) lines.push(`fee_food food_yen_per_${per}`);
    else if (wasStandard) lines.push(`fee_former food_yen_per_${per}`);
    else food ??= { yen, per };
  }
  const roomFees: Record<string, number> = {};
  if (service?.residence_class === undefined) return { food, roomFees, claims: [], lines };
  const standard = (room: string) => prices.room(service, room)?.standard ?? NaN;
  const isLimit = (room: string, yen: number) => !Number.isNaN(standard(room)) && prices.limits(room, service).has(yen);
  const isFee = (room: string, yen: number) =>
    Number.isNaN(standard(room)) || !(isLimit(room, yen) || outside(yen, standard(room), BOUNDS.room));
  const asked: { field: string; room: string; yen: number }[] = [];
  const nearestOf = (field: string, kinds: string[] | null) => {
    const single = get(field);
    if (single === null) return;
    const having = ROOMS.filter(
      (room) =>
        !Number.isNaN(standard(room)) &&
        (kinds === null || kinds.includes(room) || (room === 'shared_charged' && kinds.includes('shared'))),
    );
    const wasStandard = having.some((room) => prices.wasStandard(service, room, single) && !isLimit(room, single));
    const nearest = Math.min(...having.map((room) => Math.abs(standard(room) - single)));
    const [room] = having.filter((one) => Math.abs(standard(one) - single) === nearest);
    if (room !== undefined && nearest === 0) asked.push({ field, room, yen: single });
    else if (wasStandard) lines.push(`fee_former ${field}`);
    else if (room === undefined || having.some((one) => isLimit(one, single)) || !isFee(room, single))
      lines.push(`fee_room ${field}`);
    else asked.push({ field, room, yen: single });
  };
  nearestOf('room_yen_per_day', kinds);
  for (const room of ['unit', 'private']) {
    const yen = get(`${room}_room_yen_per_day`);
    if (yen === null) continue;
    const field = `${room}_room_yen_per_day`;
    if (!isLimit(room, yen) && prices.wasStandard(service, room, yen) && !Number.isNaN(standard(room)))
      lines.push(`fee_former ${field}`);
    else if (isFee(room, yen)) asked.push({ field, room, yen });
    else lines.push(`fee_room ${field}`);
  }
  nearestOf('shared_room_yen_per_day', ['shared']);
  // A fee below the standard needs another that says the same.
  const claim = ({ room, yen }: { room: string; yen: number }) => `${room} ${yen}`;
  for (const one of asked) {
    const isTwice = asked.filter((other) => claim(other) === claim(one)).length > 1;
    if (one.yen < standard(one.room) && !isTwice && !isSupported(claim(one)))
      lines.push(`fee_unsupported ${one.field}`);
    else roomFees[one.room] = one.yen;
  }
  return { food, roomFees, claims: asked.map(claim), lines };
}
