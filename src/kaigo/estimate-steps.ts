import type { CostEstimate, Income } from '../contract/kaigo-cost.ts';
import { type Bill, billsOf, type CostFacts, chosenBills, type HomeTariff, homeTariffOf } from './bill.ts';
import type { CareCost } from './care-cost.ts';
import type { Scenario } from './case.ts';
import { estimate } from './estimate.ts';
import type { FeeTable } from './fee-table.ts';
import type { PriceList } from './price-list.ts';
import { type BillKind, eachKind, type Tariff, Tariffs } from './tariff.ts';

/** One line of the arithmetic. */
interface Step {
  /**
   * `I` and `III` of the official form (see `careCost`), `cost`, `insurable`, `insurer`, `care`, `food`, `residence`, `rent`,
   * `total` and the reductions.
   */
  name: string;
  /** The formula with its numbers. */
  formula: string;
  value: number;
  unit: 'units' | 'yen';
}

/** One possible bill, step by step. */
export interface SteppedBill {
  variant: string;
  label: string;
  room: string | null;
  treatment: string | null;
  /** The included typical additions; empty when the scenario states additions or has none. */
  additions: { label: string; units: number; per: string; source: string; confidence: string }[];
  source: string;
  confidence: string;
  steps: Step[];
}

/** An estimate with all its steps, for the cheapest, the typical and the dearest bill. */
export interface SteppedEstimate {
  estimate: CostEstimate;
  /** Null when there is no figure. */
  low: SteppedBill | null;
  typical: SteppedBill | null;
  high: SteppedBill | null;
  remarks: string[];
}

/** Makes an estimate with its steps, so that anyone can check the arithmetic by hand. */
export function estimateInSteps(
  table: FeeTable,
  facts: CostFacts,
  scenario: Scenario,
  list: PriceList,
): SteppedEstimate {
  const tariffs = new Tariffs(list, scenario);
  const costs = estimate(facts, scenario, tariffs);
  const home = homeTariffOf(facts, scenario, tariffs);
  if (typeof home === 'string') return { estimate: costs, low: null, typical: null, high: null, remarks: [] };
  // As in `estimate`: the bills of `monthly_yen`.
  const bills = chosenBills(billsOf(home, scenario.careLevel), 'total');
  return {
    estimate: costs,
    ...eachKind((kind) => steppedBill(home, bills[kind], kind, table)),
    remarks: remarksOn(home, bills.high, list),
  };
}

/** One bill of a home with its steps. */
function steppedBill({ tariff, cap }: HomeTariff, bill: Bill, kind: BillKind, table: FeeTable): SteppedBill {
  const { units, treatment } = bill.care;
  const { variant, room } = bill.home.offer;
  const title = (source: string) => table.sources[source]?.title ?? source;
  // Units that the user states contain the additions. Without any units there are no additions either.
  const isStated = tariff.terms.dailyUnits !== null || tariff.terms.monthlyUnits !== null;
  const additions = isStated || units.daily + units.monthly === 0 ? [] : bill.home.offer.additions[kind];
  return {
    variant: variant.id,
    label: variant.label,
    room,
    treatment: treatment?.name ?? null,
    additions: additions.map(({ label, units, per, source, confidence }) => ({
      label,
      units,
      per,
      source: title(source),
      confidence,
    })),
    source: title(variant.source),
    confidence: variant.confidence,
    steps: [...careSteps(bill, tariff), ...otherSteps(bill, tariff, kind), ...reductionSteps(bill, cap?.yen ?? null)],
  };
}

/**
 * The steps from the units of care to the amount that the resident pays for it, with their formulas. I and III are the
 * names of the official form (`careCost`): the units, and those of the treatment improvement.
 */
function careSteps({ care: { cost, units, treatment } }: Bill, tariff: Tariff): Step[] {
  const { fees, times, unitPrice, terms, copaymentPercent } = tariff;
  const permille = treatment?.permille ?? 0;
  const price = (unitPrice / 100).toFixed(2);
  const percent = fees.user_pays_nothing ? 0 : copaymentPercent;
  const isPerMonth = fees.per === 'month';
  // Where the base units are for a month, additions per day are counted for each of its days.
  const monthly = units.monthly + (isPerMonth ? units.daily * terms.days : 0);
  const daily = isPerMonth ? 0 : units.daily;
  const insurer =
    terms.rounding === 'official'
      ? `floor(${cost.insurable} × ${100 - percent} / 100)`
      : `${cost.insurable} − floor(${cost.insurable} × ${percent} / 100)`;
  const insurableStep: Step = {
    name: 'insurable',
    formula: `cost of the ${insuredUnitsInWords(cost.base)}, with their treatment improvement`,
    value: cost.insurable,
    unit: 'yen',
  };
  return [
    { name: 'I', formula: `(${cost.base.units} + ${daily}) × ${times} + ${monthly}`, value: cost.units, unit: 'units' },
    { name: 'III', formula: `round(${cost.units} × ${permille} / 1000)`, value: cost.treatmentUnits, unit: 'units' },
    {
      name: 'cost',
      formula: `floor((${cost.units} + ${cost.treatmentUnits}) × ${price})`,
      value: cost.cost,
      unit: 'yen',
    },
    ...(cost.insurable < cost.cost ? [insurableStep] : []),
    { name: 'insurer', formula: insurer, value: cost.insurerPays, unit: 'yen' },
    { name: 'care', formula: `${cost.cost} − ${cost.insurerPays}`, value: cost.residentPays, unit: 'yen' },
  ];
}

/** The insured units of a month when more were used, in words. */
const insuredUnitsInWords = ({ limit, unlimited }: CareCost['base']): string =>
  `${limit} units within the monthly limit${unlimited === 0 ? '' : ` and ${unlimited} that do not count against it`}`;

/** Food, room, rent and management, and the sum; empty when the figure is care only. */
function otherSteps(bill: Bill, { terms }: Tariff, kind: BillKind): Step[] {
  const { offer, food, roomPerDay, residenceYen } = bill.home;
  const [foodYen, rentYen, managementYen] = [
    bill.home.foodYen[kind],
    bill.home.rentYen[kind],
    bill.home.managementYen[kind],
  ];
  const steps: Step[] = [];
  const step = (name: string, formula: string, value: number) => steps.push({ name, formula, value, unit: 'yen' });
  if (food !== null) step('food', food.per === 'day' ? `${food.yen} × ${terms.days}` : 'a month', foodYen);
  if (offer.room !== null) step('residence', `${roomPerDay} × ${terms.days}`, residenceYen);
  if (rentYen > 0) step('rent', 'a month', rentYen);
  if (managementYen > 0) step('management fees', 'a month', managementYen);
  if (steps.length > 0) {
    step('total', [bill.care.cost.residentPays, ...steps.map(({ value }) => value)].join(' + '), bill.total);
  }
  return steps;
}

/** The reductions, and what is left to pay; empty without reductions. */
function reductionSteps(
  { home: { foodReduction, residenceReduction }, total, relief, assistance, share, refund, after }: Bill,
  cap: number | null,
): Step[] {
  const steps: Step[] = [];
  const reduce = (name: string, formula: string, value: number) => {
    if (value > 0) steps.push({ name, formula, value: -value, unit: 'yen' });
  };
  reduce('food limit', 'food above the limit of the income stage', foodReduction);
  reduce('residence limit', 'room above the limit of the income stage', residenceReduction);
  reduce('welfare relief', 'part of share, food and room, each rounded down', relief);
  reduce('care assistance', 'the share of insured care, in homes the food too', assistance);
  reduce('high-cost refund', `${share} of insured care above the cap of ${cap}`, refund);
  if (steps.length > 0) {
    const formula = `${total} ${steps.map(({ value }) => `− ${-value}`).join(' ')}`;
    steps.push({ name: 'after refund', formula, value: after, unit: 'yen' });
  }
  return steps;
}

/** True when the monthly cap is that of the person. The others are those of the household. */
const isOwnCap = (income: Income): boolean => income === '1' || income === '2';

/** Remarks about limits, refunds and public assistance that a bill needs. */
function remarksOn({ household: { income }, cap }: HomeTariff, bill: Bill, list: PriceList): string[] {
  const remarks: string[] = [];
  const { insurable, cost: wholeCost } = bill.care.cost;
  if (insurable < wholeCost) {
    remarks.push('More units than the monthly limit of home services covers: the rest is paid in full.');
  }
  if (bill.home.foodReduction > 0 || bill.home.residenceReduction > 0) {
    remarks.push('The limits on food and room are granted on application and suppose that the savings test is passed.');
  }
  if (bill.refund > 0) {
    const stage = list.highCostCaps?.yen.find(({ incomes }) => incomes.includes(income))?.household ?? income;
    const [who, shares] = isOwnCap(income)
      ? ['Who lives in a household that is', 'their own share']
      : ['A household that is', 'the shares of all its members'];
    remarks.push(
      `${who} ${stage} gets back what ${shares} of insured care comes to above ${cap?.yen} yen a month ` +
        '(高額介護サービス費), on application; the full amount is paid first.',
    );
  }
  // Stage 1 includes people on public assistance.
  if (income === '1') {
    remarks.push('Those on public assistance have what is left of the insured share paid by it (介護扶助).');
  }
  return remarks;
}
