import type { Case, Level, Room } from '../contract/kaigo-cost.ts';
import { supportLevelOf } from './case.ts';
import type { Grade } from './municipalities.ts';
import type { HighCostCap } from './price-list.ts';
import { type FoodFee, hasRoom, NO_FEES, type PublishedFees } from './published-fees.ts';
import {
  type BillKind,
  type Care,
  eachKind,
  type FiledAdditions,
  limitOf,
  type NoEstimate,
  type Tariff,
  type TariffOffer,
  type Tariffs,
} from './tariff.ts';

/** The cost inputs of one service of one facility. */
export interface CostFacts extends PublishedFees {
  serviceCode: string;
  /**
   * Area grade of the municipality; null when the notice does not name it. It then counts as one of the other areas.
   */
  grade: Grade | null;
  /** The kinds of room there; null when unknown. Then the estimate covers all kinds. */
  rooms: readonly Room[] | null;
  /**
   * The kind of room of most residents. The estimate is for this kind unless another is requested. Null when unknown.
   */
  mainRoom: Room | null;
  /** The highest rent, management fee and monthly fee for food of a register; null: the fee is not from a register. */
  mostRentPerMonth: number | null;
  mostManagementPerMonth: number | null;
  mostFoodPerMonth: number | null;
  rentFrom: 'published' | 'register' | null;
  /** The additions and the treatment rate that the home has filed; null when no list has them. */
  filed: FiledAdditions | null;
  /** True when a social welfare corporation (社会福祉法人) runs it. Only these grant the relief. */
  isSocialWelfare: boolean;
}

/** The facts of a facility of which only the service is known. */
export const NOTHING_KNOWN: Omit<CostFacts, 'serviceCode'> = {
  grade: null,
  rooms: null,
  mainRoom: null,
  ...NO_FEES,
  mostRentPerMonth: null,
  mostManagementPerMonth: null,
  mostFoodPerMonth: null,
  rentFrom: null,
  filed: null,
  isSocialWelfare: false,
};

/** An offer of the tariff at the prices of one home for one household, without the care. Yen a month; 0 means no charge. */
interface HomeOffer {
  offer: TariffOffer;
  /** The fee for food that is used; null when the figure does not include food. */
  food: FoodFee | null;
  foodYen: Readonly<Record<BillKind, number>>;
  /** Yen per day; 0 when the figure does not include it. */
  roomPerDay: number;
  residenceYen: number;
  rentYen: Readonly<Record<BillKind, number>>;
  managementYen: Readonly<Record<BillKind, number>>;
  /**
   * Reductions of food and room by the limits of the income stage (負担限度額). They assume that the savings test is passed.
   */
  foodReduction: number;
  residenceReduction: number;
}

/** The tariff of a service as one home charges it to one household. */
export interface HomeTariff {
  tariff: Tariff;
  household: Case;
  facts: CostFacts;
  /** The kind of room of all its offers; null for several kinds, or none. */
  room: Room | null;
  /** The monthly cap on the share of insured care; null when the price list has none. */
  cap: HighCostCap | null;
  /** Reduction of share, food and room by the relief, per thousand; 0 without it. */
  reliefPermille: number;
  /** The part that care assistance pays; null when the household does not receive it. */
  assistance: { paysFood: boolean } | null;
  /** At least one. */
  offers: readonly HomeOffer[];
  /** The offers for a typical bill: the usual ones, or all offers if no offer is usual. */
  usual: readonly HomeOffer[];
}

/** One possible bill of a month, yen. */
export interface Bill {
  home: HomeOffer;
  care: Care;
  total: number;
  /** Reduction by the corporation (社会福祉法人等による利用者負担軽減). */
  relief: number;
  /** Part paid by care assistance (介護扶助). */
  assistance: number;
  /** The share of insured care that the person pays before the monthly cap. */
  share: number;
  /** The share above the monthly cap (高額介護サービス費), paid back later. */
  refund: number;
  /** The amount that is left to pay. */
  after: number;
}

/** For questions with the same answer for all kinds of bill, such as which levels have a price. */
const ANY_KIND: BillKind = 'low';

/** The tariff of a home for a household, with the offers of its rooms; or why there is no estimate. */
export function homeTariffOf(facts: CostFacts, household: Case, tariffs: Tariffs): HomeTariff | NoEstimate {
  const { serviceCode, grade, mainRoom } = facts;
  const { copaymentPercent, careLevel, room: requestedRoom, income } = household;
  const isSupport = supportLevelOf(careLevel) !== null;
  const tariff = tariffs.of({ serviceCode, grade, copaymentPercent, isSupport, filed: facts.filed });
  if (typeof tariff === 'string') return tariff;
  if (tariff.fees.own_fees_only && facts.rentPerMonth === null) return 'no_rent_known';
  // Every service has prices for all care levels; some have none for a support level.
  if (!tariff.offers.some((offer) => careAt(offer, ANY_KIND, careLevel) !== null)) return 'not_for_support_level';
  const dependsOnRoom = tariff.fees.residence_class !== undefined;
  if (dependsOnRoom && requestedRoom !== null && !mayHaveRoom(facts, requestedRoom)) return 'room_not_offered';
  const offers: HomeOffer[] = [];
  for (const offer of tariff.offers) {
    if (offer.room !== null && !isRoomOfEstimate(offer.room, facts, requestedRoom)) continue;
    const homeOffer = homeOfferOf(tariff, offer, facts, household);
    if (typeof homeOffer === 'string') return homeOffer;
    offers.push(homeOffer);
  }
  if (offers.length === 0) return 'no_units_for_room';
  const usual = offers.filter(({ offer }) => offer.isUsual);
  const room = dependsOnRoom ? (requestedRoom ?? mainRoom) : null;
  return {
    tariff,
    household,
    facts,
    room,
    cap: tariffs.capOf(income),
    ...helpOf(facts, household, tariffs),
    offers,
    usual: usual.length > 0 ? usual : offers,
  };
}

/**
 * True for a kind of room that an estimate is for: the requested kind, without a request the main kind of the home, and
 * all of its kinds when the main one is unknown.
 */
function isRoomOfEstimate(room: Room, facts: CostFacts, requestedRoom: Room | null): boolean {
  if (!mayHaveRoom(facts, room)) return false;
  if (requestedRoom !== null) return room === requestedRoom;
  // `hasRoom` and not `===`: main rooms that are `shared` may be `shared_charged` ones.
  return facts.mainRoom === null || hasRoom([facts.mainRoom], room);
}

/** The care of an offer at a level; null when the offer is not for this level. */
function careAt({ care }: TariffOffer, kind: BillKind, level: Level): Care | null {
  const levelNumber = typeof level === 'number' ? level : (supportLevelOf(level) ?? 0);
  return care[kind][levelNumber - 1] ?? null;
}

/** What a household gets in a home: the relief that its corporation grants, and care assistance (介護扶助). */
function helpOf(
  { serviceCode, isSocialWelfare }: CostFacts,
  { aid, income }: Case,
  { list: { welfareRelief, careAssistance } }: Tariffs,
): Pick<HomeTariff, 'reliefPermille' | 'assistance'> {
  const isGranted =
    aid === 'social_welfare' && isSocialWelfare && (welfareRelief?.service_codes.includes(serviceCode) ?? false);
  const permille: Readonly<Record<string, number>> = welfareRelief?.permille ?? {};
  return {
    reliefPermille: isGranted ? (permille[income] ?? 0) : 0,
    assistance:
      aid === 'public_assistance' && careAssistance !== null
        ? { paysFood: careAssistance.food_service_codes.includes(serviceCode) }
        : null,
  };
}

/**
 * The kinds of room that a home may have beside those of its bill (`offers`), in the order of the tariff, which prices all
 * kinds of the service.
 */
export function otherRoomsOf({ tariff, facts, offers }: HomeTariff): Room[] {
  const kinds = new Set(tariff.offers.flatMap(({ room }) => room ?? []));
  return [...kinds].filter(
    (kind) => facts.rooms !== null && mayHaveRoom(facts, kind) && !offers.some(({ offer }) => offer.room === kind),
  );
}

/**
 * True unless a home is known not to have a kind of room. A home that publishes a fee for `shared` rooms and none for
 * `shared_charged` ones has none of these.
 */
function mayHaveRoom({ rooms, roomFees }: CostFacts, room: Room): boolean {
  const isNotCharged = roomFees.shared !== undefined && roomFees.shared_charged === undefined;
  return (rooms === null || hasRoom(rooms, room)) && !(room === 'shared_charged' && isNotCharged);
}

/**
 * An offer of the tariff with the fees of the home. Rent and management are charged besides, where the home publishes
 * them. A fee with a lowest and a highest sum becomes a range (`spread`). Returns the reason if a fee or a limit is missing.
 */
function homeOfferOf(
  { fees, terms: { days } }: Tariff,
  offer: TariffOffer,
  facts: CostFacts,
  { income }: Case,
): HomeOffer | NoEstimate {
  const rentYen = spread(facts.rentPerMonth, facts.mostRentPerMonth);
  const managementYen = spread(facts.managementPerMonth, facts.mostManagementPerMonth);
  if (offer.room === null) {
    // The tariff does not depend on the room: rent is charged in place of a room fee, and food has no limit by income.
    // A fee for food is added only where the fee table says that the insured price leaves `food` out.
    const food = fees.excludes.includes('food') ? facts.food : null;
    return {
      offer,
      food,
      foodYen: spread(foodYenOf(food, days), food && facts.mostFoodPerMonth),
      roomPerDay: 0,
      residenceYen: 0,
      rentYen,
      managementYen,
      foodReduction: 0,
      residenceReduction: 0,
    };
  }
  const food: FoodFee | null = facts.food ?? (offer.food && { yen: offer.food.standard, per: 'day' });
  const roomPerDay = facts.roomFees[offer.room] ?? offer.residence?.standard;
  if (food === null || roomPerDay === undefined) return 'no_standard_fee';
  // `undefined`: the limit is not known. A household with standard income has no limit (`null`).
  const foodLimit = limitOf(offer.food, income);
  const roomLimit = limitOf(offer.residence, income);
  if (foodLimit === undefined || roomLimit === undefined) return 'no_income_limit';
  const foodYen = foodYenOf(food, days);
  return {
    offer,
    food,
    foodYen: spread(foodYen, null),
    roomPerDay,
    residenceYen: roomPerDay * days,
    rentYen,
    managementYen,
    foodReduction: foodLimit === null ? 0 : Math.max(0, foodYen - foodLimit * days),
    residenceReduction: roomLimit === null ? 0 : Math.max(0, roomPerDay - roomLimit) * days,
  };
}

/**
 * A fee for each kind of bill: the lowest, the middle and the highest sum. The middle is typical, because what the fee depends
 * on (the room, the meals) is not published.
 * @param lowest null: there is no such fee, so it counts 0
 * @param highest null: the lowest sum is the only one
 */
function spread(lowest: number | null, highest: number | null): Record<BillKind, number> {
  const low = lowest ?? 0;
  const high = Math.max(low, highest ?? low);
  return { low, typical: (low + high) >> 1, high };
}

/** The cost of food for a number of days. A monthly fee does not depend on the days. */
function foodYenOf(food: FoodFee | null, days: number): number {
  if (food === null) return 0;
  return food.per === 'day' ? food.yen * days : food.yen;
}

/**
 * Computes the low, typical or high bill of a month: first the total, then what limits, relief, assistance and refund
 * take off. Relief and care assistance exclude each other. Null when the offer has no price for the level.
 */
function billOf(tariff: HomeTariff, home: HomeOffer, kind: BillKind, level: Level): Bill | null {
  const care = careAt(home.offer, kind, level);
  if (care === null) return null;
  const { cap, reliefPermille, assistance: assisted } = tariff;
  const { residentPays, insuredShare } = care.cost;
  const total = residentPays + home.foodYen[kind] + home.residenceYen + home.rentYen[kind] + home.managementYen[kind];
  // Relief and assistance pay for food and room only where the insurance has standard fees for them, which the offers
  // of a kind of room have. What is left after the limits of the income stage:
  const hasStandardFees = home.offer.room !== null;
  const food = hasStandardFees ? home.foodYen[kind] - home.foodReduction : 0;
  const room = hasStandardFees ? home.residenceYen - home.residenceReduction : 0;
  const reliefOf = (yen: number): number => Math.floor((yen * reliefPermille) / 1000);
  const reliefOfShare = reliefOf(insuredShare);
  const relief = reliefOfShare + reliefOf(food) + reliefOf(room);
  // Assistance pays the whole share of insured care, and in some services the food. The resident pays the room.
  const assistance = assisted === null ? 0 : insuredShare + (assisted.paysFood ? food : 0);
  // What the person pays of the insured share. The monthly cap limits it.
  const share = assisted === null ? insuredShare - reliefOfShare : 0;
  const refund = cap === null ? 0 : Math.max(0, share - cap.yen);
  const after = total - home.foodReduction - home.residenceReduction - relief - assistance - refund;
  return { home, care, total, relief, assistance, share, refund, after };
}

/**
 * The refund of two people of a household, yen. An income stage with a cap of the person has also one of the household:
 * each gets back what is above the own cap, then both together what is above that of the household. All other stages
 * have only a cap of the household (`cap.yen`).
 */
export function refundTogether(cap: HighCostCap | null, shares: readonly [number, number]): number {
  if (cap === null) return 0;
  const [a, b] = shares;
  if (cap.householdYen === null) return Math.max(0, a + b - cap.yen);
  const afterOwnCaps = Math.min(a, cap.yen) + Math.min(b, cap.yen);
  return a + b - Math.min(afterOwnCaps, cap.householdYen);
}

/**
 * The possible bills of each kind at a level: typical ones of the usual offers only. Offers without a price for the level
 * have no bill.
 */
export function billsOf(tariff: HomeTariff, level: Level): Record<BillKind, Bill[]> {
  const { offers, usual } = tariff;
  return eachKind((kind) =>
    (kind === 'typical' ? usual : offers).flatMap((offer) => billOf(tariff, offer, kind, level) ?? []),
  );
}

/**
 * The three bills of an estimate: the cheapest, the lower median of the usual ones, and the dearest. They are ordered
 * by the amount before reductions (`total`) or after them (`after`). An estimate has both. Reductions can make the bills
 * of several rooms equal: these are ordered by `total`, so that both choices are of one room where they can be.
 */
export function chosenBills(bills: Record<BillKind, Bill[]>, by: 'total' | 'after'): Record<BillKind, Bill> {
  return eachKind((kind) => {
    const sorted = bills[kind].toSorted((a, b) => a[by] - b[by] || a.total - b.total);
    const last = sorted.length - 1;
    const index = { low: 0, typical: last >> 1, high: last }[kind];
    // `!`: a home has at least one offer that takes the level.
    return sorted[index]!;
  });
}
