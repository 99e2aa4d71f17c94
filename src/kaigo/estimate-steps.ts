import {
  type Combination,
  type CostEstimate,
  type CostFacts,
  estimateCost,
  extremes,
  type Scenario,
  type Workings,
  workingsOf,
} from './estimate.ts';
import type { FeeTable } from './fee-table.ts';
import type { PriceList } from './price-list.ts';

/** One line of the arithmetic. */
export interface Step {
  /** `I`, `III`, `cost`, `insurer`, `care`, `food`, `residence`, `total`. */
  name: string;
  /** With the numbers in it. */
  formula: string;
  value: number;
  unit: 'units' | 'yen';
}

/** One way in which the bill can come out, step by step. */
export interface SteppedBill {
  variant: string;
  label: string;
  room: string | null;
  treatment: string | null;
  source: string;
  confidence: string;
  steps: Step[];
}

/** An estimate with all its steps, for the cheapest and the dearest combination. */
export interface SteppedEstimate {
  estimate: CostEstimate;
  /** Null where there is no figure. */
  low: SteppedBill | null;
  high: SteppedBill | null;
  remarks: string[];
}

/** Makes an estimate and shows how it comes about, so that anyone can check the arithmetic by hand. */
export function estimateInSteps(
  table: FeeTable,
  list: PriceList,
  facts: CostFacts,
  scenario: Scenario,
): SteppedEstimate {
  const estimate = estimateCost(list, facts, scenario);
  const workings = workingsOf(list, facts, scenario);
  if (typeof workings === 'string') return { estimate, low: null, high: null, remarks: [] };
  const [low, high] = extremes(workings.combinations[scenario.careLevel - 1]!);
  const bill = (combination: Combination) => billOf(combination, workings, table, list, scenario);
  return { estimate, low: bill(low), high: bill(high), remarks: remarksOn(high, list) };
}

function billOf(
  combination: Combination,
  { fees, times, unitPrice }: Workings,
  table: FeeTable,
  list: PriceList,
  scenario: Scenario,
): SteppedBill {
  const { variant, room, treatment, care } = combination;
  const base = variant.units[scenario.careLevel - 1]!;
  const permille = treatment?.permille ?? 0;
  const price = (unitPrice / 100).toFixed(2);
  const percent = fees.user_pays_nothing ? 0 : scenario.copaymentPercent;
  const monthly = scenario.monthlyUnits + (fees.per === 'month' ? scenario.dailyUnits * scenario.days : 0);
  const daily = fees.per === 'month' ? 0 : scenario.dailyUnits;
  const steps: Step[] = [
    { name: 'I', formula: `(${base} + ${daily}) × ${times} + ${monthly}`, value: care.units, unit: 'units' },
    { name: 'III', formula: `round(${care.units} × ${permille} / 1000)`, value: care.treatmentUnits, unit: 'units' },
    {
      name: 'cost',
      formula: `floor((${care.units} + ${care.treatmentUnits}) × ${price})`,
      value: care.cost,
      unit: 'yen',
    },
  ];
  if (care.insurable < care.cost) {
    const limit = list.homeLimits!.units[scenario.careLevel - 1]!;
    const formula = `cost of the ${limit} units within the monthly limit, with their treatment improvement`;
    steps.push({ name: 'insurable', formula, value: care.insurable, unit: 'yen' });
  }
  const official = scenario.rounding === 'official';
  const insurer = official
    ? `floor(${care.insurable} × ${100 - percent} / 100)`
    : `${care.insurable} − floor(${care.insurable} × ${percent} / 100)`;
  steps.push({ name: 'insurer', formula: insurer, value: care.insurerPays, unit: 'yen' });
  steps.push({ name: 'care', formula: `${care.cost} − ${care.insurerPays}`, value: care.residentPays, unit: 'yen' });
  if (room !== null) {
    const { foodPerDay, foodYen, roomPerDay, residenceYen } = combination;
    steps.push({ name: 'food', formula: `${foodPerDay} × ${scenario.days}`, value: foodYen, unit: 'yen' });
    steps.push({ name: 'residence', formula: `${roomPerDay} × ${scenario.days}`, value: residenceYen, unit: 'yen' });
    const formula = `${care.residentPays} + ${foodYen} + ${residenceYen}`;
    steps.push({ name: 'total', formula, value: combination.total, unit: 'yen' });
  }
  return {
    variant: variant.id,
    label: variant.label,
    room,
    treatment: treatment?.name ?? null,
    source: table.sources[variant.source]?.title ?? variant.source,
    confidence: variant.confidence,
    steps,
  };
}

function remarksOn({ care }: Combination, list: PriceList): string[] {
  const remarks: string[] = [];
  if (care.insurable < care.cost) {
    remarks.push('More units than the monthly limit of home services covers: the rest is paid in full.');
  }
  const cap = list.highCostCaps?.yen.find(({ household }) => household === 'taxed');
  if (cap !== undefined && care.insurable - care.insurerPays > cap.yen) {
    remarks.push(
      `A household that pays residence tax gets back what insured care costs it above ${cap.yen} yen a month (${cap.label}); ` +
        'the estimate is before that.',
    );
  }
  return remarks;
}
