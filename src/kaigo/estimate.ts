import {
  type Case,
  type CostEstimate,
  isLowIncome,
  type Level,
  leftToPay,
  mayUseRoom,
} from '../contract/kaigo-cost.ts';
import {
  type Bill,
  billsOf,
  type CostFacts,
  chosenBills,
  type HomeTariff,
  homeTariffOf,
  otherRoomsOf,
  refundTogether,
} from './bill.ts';
import { careLevelOf, supportLevelOf, type Terms } from './case.ts';
import type { ServiceFees } from './fee-table.ts';
import { combinedCapsOf, leastConfidence } from './price-list.ts';
import type { FeeKind } from './published-fees.ts';
import { type BillKind, CARE_LEVELS, eachKind, type NoEstimate, type Tariffs } from './tariff.ts';

type YenRange = NonNullable<CostEstimate['monthly_yen']>;
type Basis = NonNullable<CostEstimate['basis']>;

/** What a table is sorted and filtered by: the members of an estimate that tell what is left to pay. */
export type BriefEstimate = Pick<CostEstimate, 'after_refund' | 'couple' | 'basis'>;

/**
 * The members of an estimate by which a table is sorted. A table computes them for all its rows, and whole estimates only for
 * the rows of one page.
 */
export function briefEstimate(facts: CostFacts, household: Case, tariffs: Tariffs): BriefEstimate {
  const home = homeTariffOf(facts, household, tariffs);
  if (typeof home === 'string') return { after_refund: null, basis: null };
  const net = chosenBills(billsOf(home, household.careLevel), 'after');
  return {
    after_refund: yenOf(net, ({ after }) => after),
    ...withCouple(home, tariffs),
    basis: basisOf(home),
  };
}

/** A limit on what is left to pay in a month, yen, and the figure that is compared with it. */
export interface CostLimit {
  maxYen: number;
  figure: 'low' | 'typical';
}

/**
 * The facts of a home with a kind of room within the limit as its main one: its own main kind, else the cheapest of the
 * others. Null when no kind is within the limit.
 */
export function withRoomWithin(
  limit: CostLimit,
  facts: CostFacts,
  household: Case,
  tariffs: Tariffs,
): CostFacts | null {
  const home = homeTariffOf(facts, household, tariffs);
  // A text says why there is no estimate.
  if (typeof home === 'string') return null;
  const others = household.room === null && facts.mainRoom !== null ? otherRoomsOf(home) : [];
  const withCost = (option: CostFacts) => {
    const room = household.room ?? option.mainRoom;
    const yen = leftToPay(briefEstimate(option, household, tariffs))?.[limit.figure] ?? Infinity;
    return { facts: option, isWithin: mayUseRoom(household, room) && yen <= limit.maxYen, yen };
  };
  const cheapestFirst = others.map((mainRoom) => withCost({ ...facts, mainRoom })).sort((a, b) => a.yen - b.yen);
  return [withCost(facts), ...cheapestFirst].find(({ isWithin }) => isWithin)?.facts ?? null;
}

/**
 * The costs of one resident for 30 days (or as the terms say): in the requested kind of room, otherwise in that of most
 * residents, otherwise over all possible kinds. Its figures are null, with a reason, when the price list does not allow them.
 */
export function estimate(facts: CostFacts, household: Case, tariffs: Tariffs): CostEstimate {
  const { list, terms } = tariffs;
  const isSupport = supportLevelOf(household.careLevel) !== null;
  const fees = list.services.get(facts.serviceCode);
  const supportFees = typeof fees?.support === 'object' ? fees.support : undefined;
  const scenario = scenarioOf(isSupport ? supportFees : fees, household, terms);
  const home = homeTariffOf(facts, household, tariffs);
  const grade = facts.grade ?? 'other';
  const area = {
    area_grade: grade,
    area_grade_from: facts.grade === null ? ('assumed' as const) : ('notice' as const),
  };
  // A text says why there is no estimate.
  if (typeof home === 'string') return { ...withoutFigure(list.date, scenario, home), ...area };
  const bills = billsOf(home, household.careLevel);
  // The low, typical and high bill, chosen twice: by what is charged, and by what is left after the reductions.
  const [gross, net] = [chosenBills(bills, 'total'), chosenBills(bills, 'after')];
  const excludes = excludesOf(home);
  return {
    monthly_yen: yenOf(gross, ({ total }) => total),
    after_refund: yenOf(net, ({ after }) => after),
    reductions: {
      food_limit: yenUnlessZero(net, ({ home: { foodReduction } }) => foodReduction),
      residence_limit: yenUnlessZero(net, ({ home: { residenceReduction } }) => residenceReduction),
      welfare_relief: yenUnlessZero(net, ({ relief }) => relief),
      public_assistance: yenUnlessZero(net, ({ assistance }) => assistance),
      high_cost_refund: yenUnlessZero(net, ({ refund }) => refund),
      cap_yen: home.cap?.yen ?? null,
      combined_cap_yen: combinedCapsOf(list, household)[0]?.yen ?? null,
    },
    ...withCouple(home, tariffs),
    by_care_level: isSupport
      ? null
      : CARE_LEVELS.map((level) => ({
          care_level: level,
          ...yenOf(
            level === household.careLevel ? gross : chosenBills(billsOf(home, level), 'total'),
            ({ total }) => total,
          ),
        })),
    parts: partsOf(home, gross),
    room: home.room,
    other_rooms: household.room === null ? otherRooms(home, tariffs) : [],
    additions: additionsOf(home, gross.typical),
    treatment_permille: gross.typical.care.treatment?.permille ?? null,
    scenario,
    ...area,
    basis: basisOf(home),
    price_list: list.date,
    confidence: confidenceOf(home),
    excludes,
    note: noteOf(excludes),
    reason: null,
  };
}

/** The member `couple` of an answer, the costs of the resident and the partner; no member without a partner. */
function withCouple(home: HomeTariff, tariffs: Tariffs): Pick<CostEstimate, 'couple'> {
  const { partnerLevel } = home.household;
  return partnerLevel === null ? {} : { couple: coupleOf(home, partnerLevel, tariffs) };
}

/**
 * The costs of two people who each have a place in the home; null when there is no figure for the partner.
 */
function coupleOf(home: HomeTariff, partnerLevel: Level, tariffs: Tariffs): CostEstimate['couple'] {
  const { facts, household, cap } = home;
  const partnersHome = homeTariffOf(facts, { ...household, careLevel: partnerLevel }, tariffs);
  if (typeof partnersHome === 'string') return null;
  const bills = billsOf(home, household.careLevel);
  const partnersBills = billsOf(partnersHome, partnerLevel);
  // As in `estimate`: the lowest bill by what is charged need not be the lowest by what is left after the reductions.
  const [gross, partnersGross] = [chosenBills(bills, 'total'), chosenBills(partnersBills, 'total')];
  const [net, partnersNet] = [chosenBills(bills, 'after'), chosenBills(partnersBills, 'after')];
  // Each bill has the refund of one person. The refund of both people replaces it.
  const refund = eachKind((kind) => refundTogether(cap, [net[kind].share, partnersNet[kind].share]));
  const beforeRefund = (bill: Bill): number => bill.after + bill.refund;
  return {
    monthly_yen: eachKind((kind) => gross[kind].total + partnersGross[kind].total),
    after_refund: eachKind((kind) => beforeRefund(net[kind]) + beforeRefund(partnersNet[kind]) - refund[kind]),
    high_cost_refund: refund,
  };
}

/** The costs in the other kinds of room of the home. Kinds without an estimate are left out. */
function otherRooms(home: HomeTariff, tariffs: Tariffs): CostEstimate['other_rooms'] {
  return otherRoomsOf(home).flatMap((room) => {
    const other = homeTariffOf(home.facts, { ...home.household, room }, tariffs);
    const hasNoEstimate = typeof other === 'string';
    if (hasNoEstimate) return [];
    const bills = billsOf(other, home.household.careLevel);
    return [
      {
        room,
        monthly_yen: yenOf(chosenBills(bills, 'total'), ({ total }) => total),
        after_refund: yenOf(chosenBills(bills, 'after'), ({ after }) => after),
        ...withCouple(other, tariffs),
      },
    ];
  });
}

/** An amount of each of the three bills. */
function yenOf(bills: Record<BillKind, Bill>, amount: (bill: Bill) => number): YenRange {
  return eachKind((kind) => amount(bills[kind]));
}

/** An amount of each of the three bills; null when all are 0. */
function yenUnlessZero(bills: Record<BillKind, Bill>, amount: (bill: Bill) => number): YenRange | null {
  const yen = yenOf(bills, amount);
  return yen.low === 0 && yen.typical === 0 && yen.high === 0 ? null : yen;
}

/** The parts of each bill; null for a part that it does not include, such as a rent that the home does not publish. */
function partsOf({ tariff: { fees }, facts }: HomeTariff, bills: Record<BillKind, Bill>): CostEstimate['parts'] {
  const dependsOnRoom = fees.residence_class !== undefined;
  const hasFood = bills.low.home.food !== null;
  // Fees of the home may be ranges: the low bill has the lowest sum, the high one the highest.
  const homeFee = (fee: 'foodYen' | 'rentYen' | 'managementYen'): YenRange =>
    eachKind((kind) => bills[kind].home[fee][kind]);
  return {
    care: yenOf(bills, ({ care }) => care.cost.residentPays),
    additions: yenOf(bills, ({ care }) => care.additionsYen),
    food: hasFood ? homeFee('foodYen') : null,
    residence: dependsOnRoom ? yenOf(bills, ({ home: { residenceYen } }) => residenceYen) : null,
    rent: facts.rentPerMonth === null ? null : homeFee('rentYen'),
    management_fees: facts.managementPerMonth === null ? null : homeFee('managementYen'),
  };
}

/**
 * The units of the additions of the typical bill; null when none are known: none are typical, and no list has those of
 * the home.
 */
function additionsOf({ tariff, offers }: HomeTariff, { care: { units } }: Bill): CostEstimate['additions'] {
  const additions = offers.flatMap(({ offer }) => offer.additions.typical);
  if (additions.length === 0 && tariff.filed === null) return null;
  return {
    daily_units: units.daily,
    monthly_units: units.monthly,
    confidence: leastConfidence(additions.map((one) => one.confidence)),
  };
}

/** The scenario, for an answer about a service. */
function scenarioOf(
  fees: Pick<ServiceFees, 'reference'> | undefined,
  household: Case,
  terms: Terms,
): CostEstimate['scenario'] {
  const { careLevel, aid, partnerLevel } = household;
  const support = supportLevelOf(careLevel);
  return {
    care_level: careLevelOf(careLevel),
    ...(support !== null && { support_level: support }),
    copayment_percent: household.copaymentPercent,
    income: household.income,
    ...(aid !== null && { aid }),
    ...(partnerLevel !== null && {
      partner_care_level: careLevelOf(partnerLevel),
      partner_support_level: supportLevelOf(partnerLevel),
    }),
    days: terms.days,
    ...(household.room !== null && { room: household.room }),
    ...(fees?.reference && { visits: terms.visits ?? fees.reference.visits, visit: fees.reference.visit }),
  };
}

/** The answer for a service without a figure. */
function withoutFigure(
  priceList: string,
  scenario: CostEstimate['scenario'],
  reason: NoEstimate,
): Omit<CostEstimate, 'area_grade' | 'area_grade_from'> {
  return {
    monthly_yen: null,
    after_refund: null,
    reductions: null,
    by_care_level: null,
    parts: null,
    room: null,
    other_rooms: [],
    additions: null,
    treatment_permille: null,
    scenario,
    basis: null,
    price_list: priceList,
    confidence: null,
    excludes: [],
    note: null,
    reason,
  };
}

/** The costs that a figure leaves out: those that neither the tariff nor the facility's own fees include. */
function excludesOf({ tariff: { fees }, facts }: HomeTariff): CostEstimate['excludes'] {
  return fees.excludes.filter((name) => {
    if (name === 'food') return facts.food === null;
    if (name === 'rent') return facts.rentPerMonth === null;
    // A home may take a deposit unless it publishes that it takes none.
    if (name === 'initial_payment') return !facts.hasNoDeposit;
    if (name === 'management_fees') return facts.managementPerMonth === null;
    return true;
  });
}

/** The origin of a fee for which the insurance has a standard fee. */
function originBesideStandard(facts: CostFacts, of: FeeKind, isPublished: boolean): Basis['food'] {
  if (isPublished) return 'published';
  return facts.replaced.includes(of) ? 'standard_refused' : 'standard';
}

/** The origin of each part of a figure. */
function basisOf(home: HomeTariff): Basis {
  const { tariff, facts, offers } = home;
  const { food, roomFees, managementPerMonth } = facts;
  /** The origin of a fee without a standard fee. */
  const ownOrigin = (fee: unknown, most: number | null): 'published' | 'register' | null => {
    if (fee === null) return null;
    // Only a register gives a highest sum too.
    return most === null ? 'published' : 'register';
  };
  // Services with a residence class have standard fees for food and room.
  const hasStandard = tariff.fees.residence_class !== undefined;
  const isRoomPublished = offers.every(({ offer: { room } }) => room !== null && roomFees[room] !== undefined);
  const typicalAdditions = offers.some(({ offer }) => offer.additions.typical.length > 0) ? 'typical' : null;
  return {
    bill: billBasisOf(home),
    additions: tariff.filed === null ? typicalAdditions : 'filed',
    food: hasStandard ? originBesideStandard(facts, 'food', food !== null) : ownOrigin(food, facts.mostFoodPerMonth),
    room: hasStandard ? originBesideStandard(facts, 'room', isRoomPublished) : null,
    rent: facts.rentFrom,
    management_fees: ownOrigin(managementPerMonth, facts.mostManagementPerMonth),
  };
}

/** Which fees a bill rests on: those of the home, those of the price list, or both. */
function billBasisOf({ tariff: { fees }, facts, offers }: HomeTariff): Basis['bill'] {
  const { food, roomFees, rentPerMonth, managementPerMonth } = facts;
  if (fees.residence_class === undefined) {
    // The price list says of homes with rent that it excludes the rent. Day care, visits and the like have none.
    const isHomeWithRent = fees.excludes.includes('rent');
    if (!isHomeWithRent) return 'insured_part_only';
    const knownFees = [rentPerMonth, managementPerMonth, food].filter((fee) => fee !== null).length;
    if (knownFees === 0) return 'insured_part_only';
    return knownFees === 3 ? 'published_fees' : 'insured_part_and_published_fees';
  }
  const isPublished = offers.map(({ offer: { room } }) => room !== null && roomFees[room] !== undefined);
  if (food !== null && isPublished.every(Boolean)) return 'published_fees';
  return food === null && !isPublished.some(Boolean) ? 'standard_fees' : 'published_and_standard_fees';
}

/**
 * `unconfirmed` when the area grade was assumed, a standard fee replaced a published one, or a figure of the price list that
 * the bill uses is `unconfirmed`.
 */
function confidenceOf(home: HomeTariff): NonNullable<CostEstimate['confidence']> {
  const { tariff, household, facts, offers } = home;
  if (tariff.fees.user_pays_nothing) return 'confirmed';
  // A fee of the home does not depend on the fee table, unless a limit applies.
  const hasLimits = isLowIncome(household.income);
  return leastConfidence([
    tariff.confidence,
    facts.grade === null ? 'unconfirmed' : undefined,
    facts.replaced.length > 0 ? 'unconfirmed' : undefined,
    home.reliefPermille > 0 ? tariff.list.welfareRelief?.confidence : undefined,
    home.assistance === null ? undefined : tariff.list.careAssistance?.confidence,
    ...offers.flatMap(({ offer: { variant, room, food, residence } }) => [
      variant.confidence,
      variant.unconfirmed_levels === undefined ? undefined : ('unconfirmed' as const),
      facts.food === null || hasLimits ? food?.confidence : undefined,
      room === null || facts.roomFees[room] === undefined || hasLimits ? residence?.confidence : undefined,
    ]),
  ]);
}

/** Words for costs that are large in a bill and may be missing in it. */
const MISSING = [
  ['rent', 'rent'],
  ['management_fees', 'management fees'],
  ['food', 'food'],
  ['initial_payment', 'an initial payment'],
  ['delegated_services', 'delegated services'],
] as const;

/** The sentence about large costs that a figure leaves out; null when it has them all. */
function noteOf(excludes: readonly string[]): string | null {
  const missing = MISSING.flatMap(([name, words]) => (excludes.includes(name) ? [words] : []));
  return missing.length === 0 ? null : `Not in the figure: ${missing.join(', ')}.`;
}
