import { isLowIncome, type Room } from './fee-figures.ts';
import type { Grade } from './municipalities.ts';
import { type FoodFee, hasRoom, type PublishedFee } from './published-fees.ts';
import type { BillKind, NoEstimate, PlaceCare, Tariff, TariffPlace, Tariffs } from './tariff.ts';

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
export interface Bill extends PlaceCare, HomePlace {
  /** Yen of the days or of the month. */
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
  /** The fee for food that counts; null where food is not in the figure. */
  food: FoodFee | null;
  /** What that comes to, yen. */
  foodYen: number;
  /** Yen per day; 0 where not in the figure. */
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
  return { tariff, facts, places };
}

function homePlaceOf(tariff: Tariff, place: TariffPlace, facts: CostFacts): HomePlace | NoEstimate {
  const { days } = tariff.scenario;
  const others = (facts.rentPerMonth ?? 0) + (facts.managementPerMonth ?? 0);
  if (place.room === null) {
    const food = tariff.fees.excludes.includes('food') ? facts.food : null;
    const foodYen = foodYenOf(food, days);
    return { place, food, foodYen, roomPerDay: 0, beside: foodYen + others, foodOff: 0, roomOff: 0 };
  }
  const { residence } = place;
  const food: FoodFee | null = facts.food ?? (place.food && { yen: place.food.standard, per: 'day' });
  const roomPerDay = facts.roomFees[place.room] ?? residence?.standard;
  if (food === null || roomPerDay === undefined) return 'no_standard_fee';
  const foodYen = foodYenOf(food, days);
  // Without a fee no limit is known, and a household with the standard income has none.
  const none = isLowIncome(tariff.scenario.income) ? undefined : null;
  const foodLimit = place.food === null ? none : place.food.limit;
  const roomLimit = residence === null ? none : residence.limit;
  if (foodLimit === undefined || roomLimit === undefined) return 'no_income_limit';
  return {
    place,
    food,
    foodYen,
    roomPerDay,
    beside: foodYen + roomPerDay * days + others,
    foodOff: foodLimit === null ? 0 : Math.max(0, foodYen - foodLimit * days),
    roomOff: roomLimit === null ? 0 : Math.max(0, roomPerDay - roomLimit) * days,
  };
}

/** What food costs in a number of days; a fee by the month is that of the month, as rent is. */
function foodYenOf(food: FoodFee | null, days: number): number {
  if (food === null) return 0;
  return food.per === 'day' ? food.yen * days : food.yen;
}

/** What a bill is chosen by: what is to be paid, or what is left of it after the reductions. */
type BillAmount = 'total' | 'after';

/** The bills that stand for low, typical and high. */
type Bills = Record<BillKind, Bill>;

/**
 * The place whose bill stands for low, typical or high: where it is the cheapest, the lower middle or the dearest by an
 * amount.
 */
export function chosenPlace({ tariff, places }: HomeTariff, kind: BillKind, level: number, by: BillAmount): HomePlace {
  const [only] = places;
  if (only !== undefined && places.length === 1) return only;
  const amounts = places.map(({ place, beside, foodOff, roomOff }) => {
    const { care, refund } = tariff.care(place, kind, level);
    const total = care.residentPays + beside;
    return by === 'total' ? total : total - foodOff - roomOff - refund;
  });
  const last = places.length - 1;
  const chosen = places[nthByAmount(amounts, kind === 'low' ? 0 : kind === 'high' ? last : last >> 1)];
  if (chosen === undefined) throw new Error(`service ${tariff.serviceCode}: a tariff without a bill`);
  return chosen;
}

/** Where the amount stands that would be at a place if they were in order; equals stay in theirs. There are few. */
function nthByAmount(amounts: readonly number[], wanted: number): number {
  return amounts.findIndex((amount, i) => {
    let before = 0;
    for (let j = 0; j < amounts.length; j++) {
      const other = amounts[j] ?? 0;
      if (other < amount || (other === amount && j < i)) before++;
    }
    return before === wanted;
  });
}

/** The three bills of an estimate. */
export function chosenBills(home: HomeTariff): Bills {
  const { careLevel } = home.tariff.scenario;
  const at = (kind: BillKind) => billOf(home, chosenPlace(home, kind, careLevel, 'total'), kind, careLevel);
  return { low: at('low'), typical: at('typical'), high: at('high') };
}

function billOf({ tariff, facts }: HomeTariff, home: HomePlace, kind: BillKind, careLevel: number): Bill {
  const care = tariff.care(home.place, kind, careLevel);
  const { days } = tariff.scenario;
  const reductions = { food: home.foodOff, residence: home.roomOff, refund: care.refund, cap: tariff.cap };
  const total = care.care.residentPays + home.beside;
  return {
    ...care,
    ...home,
    residenceYen: home.roomPerDay * days,
    rentYen: facts.rentPerMonth ?? 0,
    managementYen: facts.managementPerMonth ?? 0,
    total,
    reductions,
    after: total - reductions.food - reductions.residence - reductions.refund,
  };
}
