import { type CostFacts, type HomeTariff, homeTariffOf, placesOf } from './bill.ts';
import { type Resident, type Scenario, STANDARD_SCENARIO } from './case.ts';
import { FIGURE, FIGURES, writeFigures } from './estimate-figures.ts';
import { type Confidence, type Income, isLowIncome, type Room, type ServiceFees } from './fee-figures.ts';
import { leastConfidence, type PriceList } from './price-list.ts';
import { CARE_LEVELS, type NoEstimate, Tariffs } from './tariff.ts';

/** Where food, room and rent of a figure come from. */
type Basis =
  | 'published_fees'
  | 'published_and_standard_fees'
  | 'standard_fees'
  | 'insured_part_and_published_fees'
  | 'insured_part_only';

/** Yen. */
interface YenRange {
  /** Base units alone, in the cheapest room. */
  low: number;
  /** With what most facilities charge; of several usual rooms or tariffs the lower of the middle ones. */
  typical: number;
  /** With what many charge besides and the highest treatment rate, in the dearest room. */
  high: number;
}

/** The estimate as it stands in an answer; keys in the order of the documentation. */
export interface CostEstimate {
  monthly_yen: YenRange | null;
  /** What is left after the limits of the income stage and the monthly cap. */
  after_refund: YenRange | null;
  reductions: {
    food_limit: YenRange | null;
    residence_limit: YenRange | null;
    high_cost_refund: YenRange | null;
    cap_yen: number | null;
  } | null;
  by_care_level: ({ care_level: number } & YenRange)[] | null;
  /** Parts of the three bills: they add up, so one part may be higher in the cheapest. Null parts are not in the figure. */
  parts: {
    care: YenRange;
    additions: YenRange;
    food: YenRange | null;
    residence: YenRange | null;
    rent: YenRange | null;
    management_fees: YenRange | null;
  } | null;
  additions: { daily_units: number; monthly_units: number; confidence: Confidence } | null;
  scenario: {
    care_level: number;
    copayment_percent: number;
    income: Income;
    days: number;
    room?: Room;
    visits?: number;
    visit?: string;
  };
  basis: Basis | null;
  price_list: string;
  confidence: Confidence | null;
  excludes: string[];
  /** What is missing in the figure, in one line; null where nothing of the bill's size is. */
  note: string | null;
  reason: NoEstimate | null;
}

/**
 * What one resident pays for 30 days (or as the scenario says), over the rooms that the facility can have. Null with a
 * reason where the price list does not allow it.
 */
export function estimateCost(list: PriceList, facts: CostFacts, scenario: Scenario = STANDARD_SCENARIO): CostEstimate {
  return estimateIn(new Tariffs(list, scenario), scenario, facts);
}

/** The same for one of many: what homes have in common is worked out once. */
export function estimateIn(tariffs: Tariffs, resident: Resident, facts: CostFacts): CostEstimate {
  const home = homeTariffOf(tariffs, resident, facts);
  const row = new Int32Array(FIGURES);
  if (typeof home !== 'string') writeFigures(home, row);
  return estimateWith(tariffs, resident, facts, home, row);
}

/**
 * The estimate of a home with other figures in it: those that are 0 where nothing is let off have no member of their own.
 * @param home as `homeTariffOf` gives it
 */
export function estimateWith(
  { list, terms }: Tariffs,
  resident: Resident,
  facts: CostFacts,
  home: HomeTariff | NoEstimate,
  row: Int32Array,
): CostEstimate {
  const about = scenarioOf(list.services.get(facts.serviceCode), { ...terms, ...resident });
  if (typeof home === 'string') return withoutFigure(list, about, home);
  const excludes = excludesOf(home);
  return {
    monthly_yen: ranged(row, FIGURE.monthly),
    after_refund: ranged(row, FIGURE.after),
    reductions: {
      food_limit: unlessZero(row, FIGURE.foodLimit),
      residence_limit: unlessZero(row, FIGURE.residenceLimit),
      high_cost_refund: unlessZero(row, FIGURE.refund),
      cap_yen: home.cap === null ? null : (row[FIGURE.cap] ?? 0),
    },
    by_care_level: CARE_LEVELS.map((level) => ({ care_level: level, ...ranged(row, FIGURE.levels + 3 * (level - 1)) })),
    parts: partsOf(home, row),
    additions: additionsOf(home, row),
    scenario: about,
    basis: basisOf(home),
    price_list: list.date,
    confidence: confidenceOf(home),
    excludes,
    note: noteOf(excludes),
    reason: null,
  };
}

/** Whether a figure is the whole bill rather than the insured part of one with little else. */
export function isWhole(basis: Basis | null): boolean {
  return basis !== 'insured_part_only' && basis !== 'insured_part_and_published_fees';
}

/** The same before there is a figure: it hangs on the service and on what the home publishes. */
export function billIsWhole(home: HomeTariff): boolean {
  return home.tariff.fees.residence_class !== undefined || isWhole(basisWithoutRoom(home));
}

/** Whether a figure leaves out rent or some of what goes with it, so that it says nothing beside a whole bill. */
export function lacksRent({ basis, excludes }: CostEstimate): boolean {
  return basis === 'insured_part_and_published_fees' || excludes.includes('rent');
}

function ranged(row: Int32Array, from: number): YenRange {
  return { low: row[from] ?? 0, typical: row[from + 1] ?? 0, high: row[from + 2] ?? 0 };
}

function unlessZero(row: Int32Array, from: number): YenRange | null {
  return row[from] === 0 && row[from + 1] === 0 && row[from + 2] === 0 ? null : ranged(row, from);
}

function partsOf({ tariff: { fees }, facts }: HomeTariff, row: Int32Array): CostEstimate['parts'] {
  const residential = fees.residence_class !== undefined;
  const food = residential || (facts.food !== null && fees.excludes.includes('food'));
  return {
    care: ranged(row, FIGURE.care),
    additions: ranged(row, FIGURE.additions),
    food: food ? ranged(row, FIGURE.food) : null,
    residence: residential ? ranged(row, FIGURE.residence) : null,
    rent: facts.rentPerMonth === null ? null : ranged(row, FIGURE.rent),
    management_fees: facts.managementPerMonth === null ? null : ranged(row, FIGURE.management),
  };
}

function additionsOf(home: HomeTariff, row: Int32Array): CostEstimate['additions'] {
  const additions = placesOf(home).flatMap((place) => place.additions.typical);
  if (additions.length === 0) return null;
  return {
    daily_units: row[FIGURE.dailyUnits] ?? 0,
    monthly_units: row[FIGURE.monthlyUnits] ?? 0,
    confidence: leastConfidence(additions.map((one) => one.confidence)),
  };
}

/** The scenario as an answer about a service says it. */
export function scenarioOf(fees: ServiceFees | undefined, scenario: Scenario): CostEstimate['scenario'] {
  return {
    care_level: scenario.careLevel,
    copayment_percent: scenario.copaymentPercent,
    income: scenario.income,
    days: scenario.days,
    ...(scenario.room !== null && { room: scenario.room }),
    ...(fees?.reference && { visits: scenario.visits ?? fees.reference.visits, visit: fees.reference.visit }),
  };
}

function withoutFigure(list: PriceList, scenario: CostEstimate['scenario'], reason: NoEstimate): CostEstimate {
  return {
    monthly_yen: null,
    after_refund: null,
    reductions: null,
    by_care_level: null,
    parts: null,
    additions: null,
    scenario,
    basis: null,
    price_list: list.date,
    confidence: null,
    excludes: [],
    note: null,
    reason,
  };
}

/** What a figure leaves out: of what the tariff does not cover, all that the facility's own fees do not fill. */
function excludesOf({ tariff: { fees }, facts }: HomeTariff): string[] {
  const known: Record<string, unknown> = {
    food: fees.residence_class === undefined ? facts.food : null,
    rent: facts.rentPerMonth,
    management_fees: facts.managementPerMonth,
  };
  return fees.excludes.filter((name) => !(name in known) || known[name] === null);
}

function basisOf(home: HomeTariff): Basis {
  const { tariff, facts } = home;
  if (tariff.fees.residence_class === undefined) return basisWithoutRoom(home);
  const { food, roomFees } = facts;
  const published = placesOf(home).map(({ room }) => room !== null && roomFees[room] !== undefined);
  if (food !== null && published.every(Boolean)) return 'published_fees';
  return food === null && !published.some(Boolean) ? 'standard_fees' : 'published_and_standard_fees';
}

/** Where food and rent come from in a service without standard fees for them. */
function basisWithoutRoom({ tariff: { fees }, facts }: HomeTariff): Basis {
  if (!fees.excludes.includes('rent')) return 'insured_part_only';
  const { food, rentPerMonth, managementPerMonth } = facts;
  const known = [rentPerMonth, managementPerMonth, food].filter((one) => one !== null).length;
  if (known === 0) return 'insured_part_only';
  return known === 3 ? 'published_fees' : 'insured_part_and_published_fees';
}

function confidenceOf(home: HomeTariff): Confidence {
  const { tariff, resident, facts } = home;
  if (tariff.fees.user_pays_nothing) return 'confirmed';
  // A fee of the home's own does not rest on the table, unless a limit of it counts.
  const limited = isLowIncome(resident.income);
  return leastConfidence([
    tariff.confidence,
    facts.replaced.length > 0 ? 'unconfirmed' : undefined,
    ...placesOf(home).flatMap(({ variant, room, food, residence }) => [
      variant.confidence,
      variant.unconfirmed_levels === undefined ? undefined : ('unconfirmed' as const),
      food !== null && (facts.food === null || limited) ? food.confidence : undefined,
      residence !== null && (room === null || facts.roomFees[room] === undefined || limited)
        ? residence.confidence
        : undefined,
    ]),
  ]);
}

/** Words for what makes up most of a bill and may be missing in it. */
const MISSING: Record<string, string> = {
  rent: 'rent',
  management_fees: 'management fees',
  food: 'food',
  initial_payment: 'an initial payment',
  delegated_services: 'delegated services',
};

function noteOf(excludes: readonly string[]): string | null {
  const missing = Object.entries(MISSING).flatMap(([name, words]) => (excludes.includes(name) ? [words] : []));
  return missing.length === 0 ? null : `Not in the figure: ${missing.join(', ')}.`;
}
