import { FilledText } from '../formats/json-bytes.ts';
import type { CostFacts, HomeTariff } from '../kaigo/bill.ts';
import type { Resident } from '../kaigo/case.ts';
import { estimateWith } from '../kaigo/estimate.ts';
import { FIGURE, FIGURES } from '../kaigo/estimate-figures.ts';
import { isLowIncome } from '../kaigo/fee-figures.ts';
import type { NoEstimate, Tariffs } from '../kaigo/tariff.ts';

/** Stands for the n-th figure in the JSON that a text is made of; no figure is as large. */
const MARK = 2_000_000_000;

/** Figures that have no member where all three are 0. */
const OPTIONAL = [FIGURE.foodLimit, FIGURE.residenceLimit, FIGURE.refund];

/** Which of the optional figures a row has, as bits. */
export function optionalsOf(row: Int32Array): number {
  let bits = 0;
  for (let i = 0; i < OPTIONAL.length; i++) {
    const from = OPTIONAL[i] ?? 0;
    if (row[from] !== 0 || row[from + 1] !== 0 || row[from + 2] !== 0) bits |= 1 << i;
  }
  return bits;
}

/** What the JSON of many estimates has in common: all but the figures, before and behind what it says of the scenario. */
export interface EstimateText {
  before: FilledText;
  behind: FilledText;
}

/** Names the cases whose estimates have the same texts: they differ in figures and in what they say of the scenario. */
export function textsOf(tariffs: Tariffs, { room, income }: Resident): string {
  return `${room} ${isLowIncome(income)} ${tariffs.capOf(income) === null}`;
}

/**
 * The text of estimates.
 * @param facts of one of the homes that share it
 * @param home as `homeTariffOf` gives it
 * @param optionals figures that they have, as `optionalsOf` gives them
 */
export function estimateText(
  tariffs: Tariffs,
  resident: Resident,
  facts: CostFacts,
  home: HomeTariff | NoEstimate,
  optionals: number,
): EstimateText {
  const marks = Int32Array.from({ length: FIGURES }, (_, i) => MARK + i);
  OPTIONAL.forEach((from, i) => {
    if ((optionals & (1 << i)) === 0) marks.fill(0, from, from + 3);
  });
  const estimate = estimateWith(tariffs, resident, facts, home, marks);
  // The scenario is an object: in a text its name would stand behind an escaped quote.
  const [before = '', behind = ''] = JSON.stringify({ ...estimate, scenario: 0 }).split(/(?<="scenario":)0/);
  return { before: filledText(before), behind: filledText(behind) };
}

function filledText(json: string): FilledText {
  // Text, figure, text, … text.
  const pieces = json.split(/20000000(\d\d)/);
  return new FilledText(
    pieces.filter((_, i) => i % 2 === 0),
    pieces.filter((_, i) => i % 2 === 1).map(Number),
  );
}
