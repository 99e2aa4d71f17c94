import type { Resident } from './case.ts';
import type { Room } from './fee-figures.ts';
import type { Grade } from './municipalities.ts';
import { type FoodFee, hasRoom, type PublishedFee } from './published-fees.ts';
import {
  BILL_KINDS,
  type BillKind,
  limitOf,
  type NoEstimate,
  type PlaceCare,
  refundOf,
  type Tariff,
  type TariffPlace,
  type Tariffs,
} from './tariff.ts';

const TYPICAL = BILL_KINDS.indexOf('typical');

/** What is known of one service of one facility that bears on its cost. */
export interface CostFacts {
  serviceCode: string;
  /** Of the municipality; null when that is not known. */
  grade: Grade | null;
  /** The kinds of room there; null when not known: then the estimate spans all of them. */
  rooms: readonly Room[] | null;
  /** Published by the facility and believed; null when not. */
  food: FoodFee | null;
  /** The same for each kind of room, yen per day. */
  roomFees: Readonly<Partial<Record<Room, number>>>;
  /** Fees that were published but cannot be right: the standard ones stand for them. */
  replaced: readonly PublishedFee[];
  /** Yen per month, where the home asks them besides the insured care. */
  rentPerMonth: number | null;
  managementPerMonth: number | null;
}

/** What a household is let off or gets back, yen; 0 where nothing. */
interface Reductions {
  /** Food and room above the limits of the income stage (負担限度額), which suppose that the savings test is passed. */
  food: number;
  residence: number;
  /** The share of insured care above the monthly cap (高額介護サービス費), paid back later. */
  refund: number;
  /** The monthly cap; null where the price list knows none. */
  cap: number | null;
}

/** One way in which the bill can come out: a tariff, a room, additions, a treatment rate. */
export interface Bill extends PlaceCare {
  place: TariffPlace;
  /** The fee for food that counts; null where food is not in the figure. */
  food: FoodFee | null;
  /** What that comes to, yen. */
  foodYen: number;
  /** Yen per day; 0 where not in the figure. */
  roomPerDay: number;
  /** Yen of the days or of the month. */
  residenceYen: number;
  rentYen: number;
  managementYen: number;
  total: number;
  reductions: Reductions;
  /** What is left after the reductions, yen. */
  after: number;
}

/**
 * The places of a tariff that one home has, in columns by their order in it, yen: filled with one home after another, since
 * a table asks for hundreds.
 */
export class HomePlaces {
  count = 0;
  /** Number of the place among those of the tariff. */
  readonly place: number[] = [];
  /** What food comes to, and the room a day; 0 where not in the figure. */
  readonly food: number[] = [];
  readonly roomPerDay: number[] = [];
  /** What the bill has besides care. */
  readonly beside: number[] = [];
  /** What the limits of the income stage (負担限度額) take off food and room. */
  readonly foodOff: number[] = [];
  readonly roomOff: number[] = [];
  /** Places of which a typical bill is one, by their order here: the usual ones, or all where none is. */
  readonly typical: number[] = [];
  /** Bills that are compared, for `chosenPlace` alone. */
  readonly amounts: number[] = [];

  add(place: number, food: number, roomPerDay: number, beside: number, foodOff: number, roomOff: number): void {
    const nth = this.count++;
    this.place[nth] = place;
    this.food[nth] = food;
    this.roomPerDay[nth] = roomPerDay;
    this.beside[nth] = beside;
    this.foodOff[nth] = foodOff;
    this.roomOff[nth] = roomOff;
  }
}

/** The tariff of a service as one home charges it to one resident. */
export interface HomeTariff {
  tariff: Tariff;
  resident: Resident;
  /** The monthly cap on the share of insured care; null where the price list knows none. */
  cap: number | null;
  facts: CostFacts;
  /** At least one. */
  places: HomePlaces;
}

/**
 * The tariff as a home charges it, or why there is none.
 * @param places where its places are written
 */
export function homeTariffOf(
  tariffs: Tariffs,
  resident: Resident,
  facts: CostFacts,
  places = new HomePlaces(),
): HomeTariff | NoEstimate {
  const tariff = tariffs.of(facts.serviceCode, facts.grade);
  if (typeof tariff === 'string') return tariff;
  const { room: wanted } = resident;
  const { rooms } = facts;
  const depends = tariff.fees.residence_class !== undefined;
  if (depends && wanted !== null && rooms !== null && !hasRoom(rooms, wanted)) return 'room_not_offered';
  const home = { tariff, resident, cap: tariffs.capOf(resident.income), facts, places };
  places.count = 0;
  for (const place of tariff.places) {
    if (place.room !== null && rooms !== null && !hasRoom(rooms, place.room)) continue;
    if (place.room !== null && wanted !== null && !hasRoom([wanted], place.room)) continue;
    const fault = addPlace(home, place);
    if (fault !== null) return fault;
  }
  if (places.count === 0) return 'no_units_for_room';
  noteTypical(tariff, places);
  return home;
}

/** Writes down which places a typical bill is one of. */
function noteTypical(tariff: Tariff, places: HomePlaces): void {
  const { typical, place, count } = places;
  typical.length = 0;
  for (let nth = 0; nth < count; nth++) if (tariff.places[place[nth] ?? -1]?.isUsual) typical.push(nth);
  if (typical.length === 0) for (let nth = 0; nth < count; nth++) typical.push(nth);
}

/** Writes a place of the tariff as the home charges it; what is missing where it cannot. */
function addPlace({ tariff, resident, facts, places }: HomeTariff, place: TariffPlace): NoEstimate | null {
  const { days } = tariff.terms;
  const others = (facts.rentPerMonth ?? 0) + (facts.managementPerMonth ?? 0);
  const food = foodOf(tariff, place, facts);
  const foodYen = foodYenOf(food, days);
  if (place.room === null) {
    places.add(place.nth, foodYen, 0, foodYen + others, 0, 0);
    return null;
  }
  const roomPerDay = facts.roomFees[place.room] ?? place.residence?.standard;
  if (food === null || roomPerDay === undefined) return 'no_standard_fee';
  // Without a fee no limit is known, and a household with the standard income has none.
  const foodLimit = limitOf(place.food, resident.income);
  const roomLimit = limitOf(place.residence, resident.income);
  if (foodLimit === undefined || roomLimit === undefined) return 'no_income_limit';
  const foodOff = foodLimit === null ? 0 : Math.max(0, foodYen - foodLimit * days);
  const roomOff = roomLimit === null ? 0 : Math.max(0, roomPerDay - roomLimit) * days;
  places.add(place.nth, foodYen, roomPerDay, foodYen + roomPerDay * days + others, foodOff, roomOff);
  return null;
}

/** The fee for food that counts in a place; null where food is not in the figure or no fee is known. */
function foodOf({ fees }: Tariff, { room, food }: TariffPlace, facts: CostFacts): FoodFee | null {
  if (room === null) return fees.excludes.includes('food') ? facts.food : null;
  return facts.food ?? (food && { yen: food.standard, per: 'day' });
}

/** What food costs in a number of days; a fee by the month is that of the month, as rent is. */
function foodYenOf(food: FoodFee | null, days: number): number {
  if (food === null) return 0;
  return food.per === 'day' ? food.yen * days : food.yen;
}

/** The places of a tariff that a home has. */
export function placesOf({ tariff, places }: HomeTariff): TariffPlace[] {
  return Array.from({ length: places.count }, (_, nth) => placeAt(tariff, places, nth));
}

function placeAt(tariff: Tariff, places: HomePlaces, nth: number): TariffPlace {
  const place = tariff.places[places.place[nth] ?? -1];
  if (place === undefined) throw new Error(`service ${tariff.serviceCode}: a home without its place ${nth}`);
  return place;
}

/** What a bill is chosen by: what is to be paid, or what is left of it after the reductions. */
type BillAmount = 'total' | 'after';

/**
 * Which of a home's places stands for low, typical or high: where the bill is the cheapest, the lower middle of the usual ones or
 * the dearest by an amount. @param kind its place among the kinds of bills
 */
export function chosenPlace(home: HomeTariff, kind: number, careLevel: number, by: BillAmount): number {
  const { count, amounts, typical } = home.places;
  if (count === 1) return 0;
  const isTypical = kind === TYPICAL;
  const compared = isTypical ? typical.length : count;
  for (let i = 0; i < compared; i++) {
    const nth = isTypical ? (typical[i] ?? 0) : i;
    amounts[i] = by === 'total' ? totalIn(home, nth, kind, careLevel) : afterIn(home, nth, kind, careLevel);
  }
  const last = compared - 1;
  const chosen = nthByAmount(amounts, compared, isTypical ? last >> 1 : kind === 0 ? 0 : last);
  return isTypical ? (typical[chosen] ?? 0) : chosen;
}

/** What is to be paid in a home's place, yen. */
export function totalIn({ tariff, places }: HomeTariff, nth: number, kind: number, careLevel: number): number {
  return (tariff.pays[tariff.at(places.place[nth] ?? 0, kind, careLevel)] ?? 0) + (places.beside[nth] ?? 0);
}

/** What is paid back of it, yen. */
export function refundIn({ tariff, cap, places }: HomeTariff, nth: number, kind: number, careLevel: number): number {
  return refundOf(tariff.share[tariff.at(places.place[nth] ?? 0, kind, careLevel)] ?? 0, cap);
}

/** What is left of it after the reductions, yen. */
export function afterIn(home: HomeTariff, nth: number, kind: number, careLevel: number): number {
  const { foodOff, roomOff } = home.places;
  const off = (foodOff[nth] ?? 0) + (roomOff[nth] ?? 0) + refundIn(home, nth, kind, careLevel);
  return totalIn(home, nth, kind, careLevel) - off;
}

/** Where the amount stands that would be at a place if they were in order; equals stay in theirs. There are few. */
function nthByAmount(amounts: readonly number[], count: number, wanted: number): number {
  for (let i = 0; i < count; i++) {
    const amount = amounts[i] ?? 0;
    let before = 0;
    for (let j = 0; j < count; j++) {
      const other = amounts[j] ?? 0;
      if (other < amount || (other === amount && j < i)) before++;
    }
    if (before === wanted) return i;
  }
  throw new Error(`no amount stands at place ${wanted} of ${count}`);
}

/** The bill that stands for low, typical or high. */
export function chosenBill(home: HomeTariff, kind: BillKind): Bill {
  const { tariff, resident, facts, places } = home;
  const { careLevel } = resident;
  const kindNth = BILL_KINDS.indexOf(kind);
  const nth = chosenPlace(home, kindNth, careLevel, 'total');
  const place = placeAt(tariff, places, nth);
  const roomPerDay = places.roomPerDay[nth] ?? 0;
  return {
    ...tariff.care(place, kind, careLevel),
    place,
    food: foodOf(tariff, place, facts),
    foodYen: places.food[nth] ?? 0,
    roomPerDay,
    residenceYen: roomPerDay * tariff.terms.days,
    rentYen: facts.rentPerMonth ?? 0,
    managementYen: facts.managementPerMonth ?? 0,
    total: totalIn(home, nth, kindNth, careLevel),
    reductions: {
      food: places.foodOff[nth] ?? 0,
      residence: places.roomOff[nth] ?? 0,
      refund: refundIn(home, nth, kindNth, careLevel),
      cap: home.cap,
    },
    after: afterIn(home, nth, kindNth, careLevel),
  };
}
