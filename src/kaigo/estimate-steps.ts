import { type Bill, type CostFacts, chosenBill, type HomeTariff, homeTariffOf } from './bill.ts';
import type { Scenario } from './case.ts';
import { type CostEstimate, estimateIn } from './estimate.ts';
import type { FeeTable, Income } from './fee-figures.ts';
import type { PriceList } from './price-list.ts';
import { type BillKind, type Tariff, Tariffs } from './tariff.ts';

/** One line of the arithmetic. */
interface Step {
  /** `I`, `III`, `cost`, `insurable`, `insurer`, `care`, `food`, `residence`, `rent`, `total` and the reductions. */
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
  /** The typical additions in it; none where the scenario states additions or has none. */
  additions: { label: string; units: number; per: string; source: string; confidence: string }[];
  source: string;
  confidence: string;
  steps: Step[];
}

/** An estimate with all its steps, for the cheapest, the typical and the dearest bill. */
export interface SteppedEstimate {
  estimate: CostEstimate;
  /** Null where there is no figure. */
  low: SteppedBill | null;
  typical: SteppedBill | null;
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
  const tariffs = new Tariffs(list, scenario);
  const estimate = estimateIn(tariffs, scenario, facts);
  const home = homeTariffOf(tariffs, scenario, facts);
  if (typeof home === 'string') return { estimate, low: null, typical: null, high: null, remarks: [] };
  const stepped = (kind: BillKind) => steppedBill(home, kind, table);
  return {
    estimate,
    low: stepped('low'),
    typical: stepped('typical'),
    high: stepped('high'),
    remarks: remarksOn(chosenBill(home, 'high'), scenario, list),
  };
}

function steppedBill(home: HomeTariff, kind: BillKind, table: FeeTable): SteppedBill {
  const { tariff } = home;
  const bill = chosenBill(home, kind);
  const { treatment } = bill;
  const { variant, room } = bill.place;
  const title = (source: string) => table.sources[source]?.title ?? source;
  const typical =
    tariff.terms.dailyUnits === null &&
    tariff.terms.monthlyUnits === null &&
    bill.additions.daily + bill.additions.monthly > 0
      ? bill.place.additions[kind]
      : [];
  return {
    variant: variant.id,
    label: variant.label,
    room,
    treatment: treatment?.name ?? null,
    additions: typical.map(({ label, units, per, source, confidence }) => ({
      label,
      units,
      per,
      source: title(source),
      confidence,
    })),
    source: title(variant.source),
    confidence: variant.confidence,
    steps: [...careSteps(bill, tariff), ...otherSteps(bill, tariff), ...reductionSteps(bill)],
  };
}

function careSteps({ care, additions, treatment }: Bill, { fees, times, unitPrice, terms }: Tariff): Step[] {
  const permille = treatment?.permille ?? 0;
  const price = (unitPrice / 100).toFixed(2);
  const percent = fees.user_pays_nothing ? 0 : terms.copaymentPercent;
  const perMonth = fees.per === 'month';
  const monthly = additions.monthly + (perMonth ? additions.daily * terms.days : 0);
  const daily = perMonth ? 0 : additions.daily;
  const official = terms.rounding === 'official';
  const insurer = official
    ? `floor(${care.insurable} × ${100 - percent} / 100)`
    : `${care.insurable} − floor(${care.insurable} × ${percent} / 100)`;
  const beyond: Step[] =
    care.insurable < care.cost
      ? [
          {
            name: 'insurable',
            formula: `cost of the ${insuredUnits(care.base)}, with their treatment improvement`,
            value: care.insurable,
            unit: 'yen',
          },
        ]
      : [];
  return [
    { name: 'I', formula: `(${care.base.units} + ${daily}) × ${times} + ${monthly}`, value: care.units, unit: 'units' },
    { name: 'III', formula: `round(${care.units} × ${permille} / 1000)`, value: care.treatmentUnits, unit: 'units' },
    {
      name: 'cost',
      formula: `floor((${care.units} + ${care.treatmentUnits}) × ${price})`,
      value: care.cost,
      unit: 'yen',
    },
    ...beyond,
    { name: 'insurer', formula: insurer, value: care.insurerPays, unit: 'yen' },
    { name: 'care', formula: `${care.cost} − ${care.insurerPays}`, value: care.residentPays, unit: 'yen' },
  ];
}

/** The units of a month that the insurance covers where more were used, in words. */
const insuredUnits = ({ limit, unlimited }: Bill['care']['base']): string =>
  `${limit} units within the monthly limit${unlimited === 0 ? '' : ` and ${unlimited} that do not count against it`}`;

/** Food, room, rent and management, and the sum; none where the figure is care alone. */
function otherSteps(bill: Bill, { terms }: Tariff): Step[] {
  const { care, place, food, foodYen, roomPerDay, residenceYen, rentYen, managementYen } = bill;
  const steps: Step[] = [];
  const step = (name: string, formula: string, value: number) => steps.push({ name, formula, value, unit: 'yen' });
  if (food !== null) step('food', food.per === 'day' ? `${food.yen} × ${terms.days}` : 'a month', foodYen);
  if (place.room !== null) step('residence', `${roomPerDay} × ${terms.days}`, residenceYen);
  if (rentYen > 0) step('rent', 'a month', rentYen);
  if (managementYen > 0) step('management fees', 'a month', managementYen);
  if (steps.length > 0) {
    step('total', [care.residentPays, ...steps.map(({ value }) => value)].join(' + '), bill.total);
  }
  return steps;
}

function reductionSteps({ care, total, reductions, after }: Bill): Step[] {
  const steps: Step[] = [];
  const less = (name: string, formula: string, value: number) => {
    if (value > 0) steps.push({ name, formula, value: -value, unit: 'yen' });
  };
  less('food limit', 'food above the limit of the income stage', reductions.food);
  less('residence limit', 'room above the limit of the income stage', reductions.residence);
  less(
    'high-cost refund',
    `${care.insurable - care.insurerPays} of insured care above the cap of ${reductions.cap}`,
    reductions.refund,
  );
  if (steps.length > 0) {
    const formula = `${total} ${steps.map(({ value }) => `− ${-value}`).join(' ')}`;
    steps.push({ name: 'after refund', formula, value: after, unit: 'yen' });
  }
  return steps;
}

/** Whether the monthly cap is that of the person: the others are those of the household together. */
const isOwnCap = (income: Income): boolean => income === '1' || income === '2';

function remarksOn({ care, reductions }: Bill, { income }: Scenario, list: PriceList): string[] {
  const remarks: string[] = [];
  if (care.insurable < care.cost) {
    remarks.push('More units than the monthly limit of home services covers: the rest is paid in full.');
  }
  if (reductions.food > 0 || reductions.residence > 0) {
    remarks.push('The limits on food and room are granted on application and suppose that the savings test is passed.');
  }
  if (reductions.refund > 0) {
    const household = list.highCostCaps?.yen.find(({ incomes }) => incomes.includes(income))?.household ?? income;
    const whose = isOwnCap(income) ? 'Who lives in a household that is' : 'A household that is';
    const together = isOwnCap(income) ? 'their own share' : 'the shares of all its members';
    remarks.push(
      `${whose} ${household} gets back what ${together} of insured care comes to above ${reductions.cap} yen a month ` +
        '(高額介護サービス費), on application; the full amount is paid first.',
    );
  }
  if (income === '1') {
    remarks.push('Those on public assistance have what is left of the insured share paid by it (介護扶助).');
  }
  return remarks;
}
