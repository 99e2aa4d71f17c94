import { type Confidence, isLowIncome, type Room } from './fee-figures.ts';
import type { Grade } from './municipalities.ts';
import { leastConfidence } from './price-list.ts';
import { hasRoom, type PublishedFee } from './published-fees.ts';
import type { BillKind, NoEstimate, PlaceCare, Tariff, TariffPlace, Tariffs } from './tariff.ts';

/** What is known of one service of one facility that bears on its cost. */
export interface CostFacts {
  serviceCode: string;
  /** Of the municipality; null when that is not known. */
  grade: Grade | null;
  /** The kinds of room there; null when not known: then the estimate spans all of them. */
  rooms: readonly Room[] | null;
  /** Published by the facility and believed, yen per day; null when not. */
  foodPerDay: number | null;
  /** The same for each kind of room. */
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
export interface Bill extends PlaceCare, HomePlace {
  /** Yen of the days or of the month. */
  foodYen: number;
  residenceYen: number;
  rentYen: number;
  managementYen: number;
  total: number;
  reductions: Reductions;
  /** What is left after the reductions, yen. */
  after: number;
}

/** A place of a tariff in one home. */
interface HomePlace {
  place: TariffPlace;
  /** Yen per day; 0 where not in the figure. */
  foodPerDay: number;
  roomPerDay: number;
  /** What the bill has besides care, yen, and what the limits of the income stage (負担限度額) take off food and room. */
  beside: number;
  foodOff: number;
  roomOff: number;
}

/** The tariff of a service as one home charges it. */
export interface HomeTariff {
  tariff: Tariff;
  facts: CostFacts;
  /** At least one. */
  places: readonly HomePlace[];
  confidence: Confidence;
  /** Of the typical additions; null where there are none. */
  additionsConfidence: Confidence | null;
}

/** The tariff as a home charges it, or why there is none. */
export function homeTariffOf(tariffs: Tariffs, facts: CostFacts): HomeTariff | NoEstimate {
  const tariff = tariffs.of(facts.serviceCode, facts.grade);
  if (typeof tariff === 'string') return tariff;
  const { room: wanted } = tariff.scenario;
  const { rooms } = facts;
  const depends = tariff.fees.residence_class !== undefined;
  if (depends && wanted !== null && rooms !== null && !hasRoom(rooms, wanted)) return 'room_not_offered';
  const places: HomePlace[] = [];
  for (const place of tariff.places) {
    if (place.room !== null && rooms !== null && !hasRoom(rooms, place.room)) continue;
    const home = homePlaceOf(tariff, place, facts);
    if (typeof home === 'string') return home;
    places.push(home);
  }
  if (places.length === 0) return 'no_units_for_room';
  const additions = places.flatMap(({ place }) => place.additions);
  return {
    tariff,
    facts,
    places,
    confidence: confidenceOf(tariff, places, facts),
    additionsConfidence: additions.length === 0 ? null : leastConfidence(additions.map((one) => one.confidence)),
  };
}

function homePlaceOf(tariff: Tariff, place: TariffPlace, facts: CostFacts): HomePlace | NoEstimate {
  const { days } = tariff.scenario;
  const others = (facts.rentPerMonth ?? 0) + (facts.managementPerMonth ?? 0);
  if (place.room === null) {
    const foodPerDay = tariff.fees.excludes.includes('food') ? (facts.foodPerDay ?? 0) : 0;
    return { place, foodPerDay, roomPerDay: 0, beside: foodPerDay * days + others, foodOff: 0, roomOff: 0 };
  }
  const { food, residence } = place;
  const foodPerDay = facts.foodPerDay ?? food?.standard;
  const roomPerDay = facts.roomFees[place.room] ?? residence?.standard;
  if (foodPerDay === undefined || roomPerDay === undefined) return 'no_standard_fee';
  // Without a fee no limit is known, and a household with the standard income has none.
  const none = isLowIncome(tariff.scenario.income) ? undefined : null;
  const [foodLimit, roomLimit] = [food, residence].map((fee) => (fee === null ? none : fee.limit));
  if (foodLimit === undefined || roomLimit === undefined) return 'no_income_limit';
  const above = (perDay: number, limit: number | null) => (limit === null ? 0 : Math.max(0, perDay - limit) * days);
  return {
    place,
    foodPerDay,
    roomPerDay,
    beside: (foodPerDay + roomPerDay) * days + others,
    foodOff: above(foodPerDay, foodLimit),
    roomOff: above(roomPerDay, roomLimit),
  };
}

/** What a bill is chosen by: what is to be paid, or what is left of it after the reductions. */
type BillAmount = 'total' | 'after';

/** The three bills of an estimate. */
export type Bills = Record<BillKind, Bill>;

/** The bills that stand for low, typical and high: the cheapest, the lower middle and the dearest by an amount. */
export function chosenBills(home: HomeTariff, careLevel: number, amount: BillAmount): Bills {
  const at = (kind: BillKind, nth: (count: number) => number): Bill => {
    const amounts = amountsOf(home, kind, careLevel, amount);
    const order = [...amounts.keys()].sort((a, b) => (amounts[a] ?? 0) - (amounts[b] ?? 0));
    const place = home.places[order[nth(order.length)] ?? -1];
    if (place === undefined) throw new Error(`service ${home.tariff.serviceCode}: a tariff without a bill`);
    return billOf(home, place, kind, careLevel);
  };
  return { low: at('low', CHEAPEST), typical: at('typical', MIDDLE), high: at('high', DEAREST) };
}

/** The amounts of those bills. */
export function chosenAmounts(home: HomeTariff, careLevel: number, amount: BillAmount): Record<BillKind, number> {
  const at = (kind: BillKind, nth: (count: number) => number): number => {
    const amounts = amountsOf(home, kind, careLevel, amount).sort((a, b) => a - b);
    return amounts[nth(amounts.length)] ?? 0;
  };
  return { low: leastAmount(home, careLevel, amount), typical: at('typical', MIDDLE), high: at('high', DEAREST) };
}

/** The amount of the cheapest of them. */
export function leastAmount(home: HomeTariff, careLevel: number, amount: BillAmount): number {
  return Math.min(...amountsOf(home, 'low', careLevel, amount));
}

/** Places among bills in order. */
const CHEAPEST = () => 0;
const MIDDLE = (count: number) => (count - 1) >> 1;
const DEAREST = (count: number) => count - 1;

/** What the bills of one kind come to, one for each place. */
function amountsOf({ tariff, places }: HomeTariff, kind: BillKind, careLevel: number, amount: BillAmount): number[] {
  return places.map(({ place, beside, foodOff, roomOff }) => {
    const { care, refund } = tariff.care(place, kind, careLevel);
    const total = care.residentPays + beside;
    return amount === 'total' ? total : total - foodOff - roomOff - refund;
  });
}

function billOf({ tariff, facts }: HomeTariff, home: HomePlace, kind: BillKind, careLevel: number): Bill {
  const care = tariff.care(home.place, kind, careLevel);
  const { days } = tariff.scenario;
  const reductions = { food: home.foodOff, residence: home.roomOff, refund: care.refund, cap: tariff.cap };
  const total = care.care.residentPays + home.beside;
  return {
    ...care,
    ...home,
    foodYen: home.foodPerDay * days,
    residenceYen: home.roomPerDay * days,
    rentYen: facts.rentPerMonth ?? 0,
    managementYen: facts.managementPerMonth ?? 0,
    total,
    reductions,
    after: total - reductions.food - reductions.residence - reductions.refund,
  };
}

function confidenceOf(tariff: Tariff, places: readonly HomePlace[], facts: CostFacts): Confidence {
  if (tariff.fees.user_pays_nothing) return 'confirmed';
  return leastConfidence([
    tariff.confidence,
    facts.replaced.length > 0 ? 'unconfirmed' : undefined,
    ...places.flatMap(({ place: { variant, room, food, residence } }) => [
      variant.confidence,
      variant.unconfirmed_levels === undefined ? undefined : ('unconfirmed' as const),
      food !== null && (facts.foodPerDay === null || food.limit !== null) ? food.confidence : undefined,
      residence !== null && (room === null || facts.roomFees[room] === undefined || residence.limit !== null)
        ? residence.confidence
        : undefined,
    ]),
  ]);
}
