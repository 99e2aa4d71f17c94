import type { JsonWriter } from '../formats/json-bytes.ts';
import { type CostFacts, type HomeTariff, homeTariffOf } from '../kaigo/bill.ts';
import { type Case, type CaseFault, caseFault, roomFault, STANDARD_SCENARIO } from '../kaigo/case.ts';
import { costPlace } from '../kaigo/comparison.ts';
import { type CostEstimate, costOf, estimateIn, scenarioOf } from '../kaigo/estimate.ts';
import { FIGURES, writeFigures } from '../kaigo/estimate-figures.ts';
import type { FeeTable } from '../kaigo/fee-figures.ts';
import { type PriceList, priceListOn } from '../kaigo/price-list.ts';
import { type NoEstimate, Tariffs } from '../kaigo/tariff.ts';
import { type EstimateText, estimateText, optionalsOf, textsOf } from './kaigo-estimate-text.ts';

/** What the figures of all cases may take together, bytes: a family looks at several tables, and others ask the same. */
const BUDGET = 16 << 20;

/** What a row costs in a case. */
interface CaseCost {
  /** Yen, after limits and refunds. */
  low: number;
  whole: boolean;
}

/** In place of yen: not made yet, and no figure. */
const [NOT_MADE, NO_FIGURE] = [-2, -1];

/** A page of a table as it is answered, and how many pages the table has. */
interface KeptPage {
  json: Buffer;
  pages: number;
}

/** The figures of one case by the number of what bears on the cost: many services of a place cost the same. */
class CaseFigures {
  readonly tariffs: Tariffs;
  readonly low: Int32Array;
  readonly whole: Uint8Array;
  /** Rows of a table by what they cost, by table. */
  readonly orders = new Map<string, Uint32Array>();
  /** JSON of what estimates say of the scenario, by service. */
  readonly scenarios = new Map<string, string>();
  /** Answers about pages of tables, as JSON, by what was asked. */
  readonly pages = new Map<string, KeptPage>();
  bytes: number;

  constructor(tariffs: Tariffs, facts: number) {
    this.tariffs = tariffs;
    this.low = new Int32Array(facts).fill(NOT_MADE);
    this.whole = new Uint8Array(facts);
    this.bytes = this.low.byteLength + this.whole.byteLength;
  }

  /** Drops what grows with what is asked. */
  forget(): void {
    this.pages.clear();
    this.orders.clear();
    this.bytes = this.low.byteLength + this.whole.byteLength;
  }
}

/** Numbers for what an estimate says besides its figures: facts with the same number have the same text. */
function kindsOf(all: readonly CostFacts[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(all, ({ serviceCode, grade, rooms, roomFees, replaced, ...fees }) => {
    const known = [fees.food, fees.rentPerMonth, fees.managementPerMonth].map((yen) => yen !== null);
    const kind = JSON.stringify([serviceCode, grade, rooms, Object.keys(roomFees), replaced.length > 0, known]);
    const number = numbers.get(kind) ?? numbers.size;
    numbers.set(kind, number);
    return number;
  });
}

/**
 * Makes estimates for cases other than the dataset's own, from the prices and facts that it was built with. What was made is
 * kept within a budget, the figures of the case that was asked for last the longest.
 */
export class KaigoCases {
  readonly #prices: PriceList;
  readonly #facts: readonly CostFacts[];
  readonly #kinds: Uint32Array;
  readonly #budget: number;
  /** In order of use. */
  readonly #cases = new Map<string, CaseFigures>();
  /** What the JSON of estimates has in common, by the texts of the case, the kind of facts and the figures that they have. */
  readonly #texts = new Map<string, Map<number, EstimateText>>();
  #textBytes = 0;
  #bytes = 0;

  constructor(fees: FeeTable, asOf: string, facts: readonly CostFacts[], budget = BUDGET) {
    this.#prices = priceListOn(fees, asOf);
    this.#facts = facts;
    this.#kinds = kindsOf(facts);
    this.#budget = budget;
  }

  /** What the figures take that are kept, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why a case cannot be, alone or for a service; null where it can. */
  fault(wanted: Case, serviceCode: string | null): CaseFault | null {
    const fault = caseFault(wanted);
    if (fault !== null || wanted.room === null || serviceCode === null) return fault;
    return roomFault(this.#prices, serviceCode, wanted.room);
  }

  /** What services cost by the number of what bears on it; null where there is no figure. */
  costs(wanted: Case): (facts: number) => CaseCost | null {
    const { tariffs, low, whole } = this.#figures(wanted);
    return (facts) => {
      if (low[facts] === NOT_MADE) {
        const cost = costOf(tariffs, this.#factsOf(facts));
        low[facts] = cost?.low ?? NO_FIGURE;
        whole[facts] = cost === null || cost.whole ? 1 : 0;
      }
      const yen = low[facts] ?? NO_FIGURE;
      return yen === NO_FIGURE ? null : { low: yen, whole: whole[facts] === 1 };
    };
  }

  /** The estimate of what bears on the cost, by its number. */
  estimate(wanted: Case, facts: number): CostEstimate {
    return estimateIn(this.#figures(wanted).tariffs, this.#factsOf(facts));
  }

  /** A writer of the JSON of such estimates. */
  estimateWriter(wanted: Case, json: JsonWriter): (facts: number) => void {
    const figures = this.#figures(wanted);
    const row = new Int32Array(FIGURES);
    return (facts) => {
      const known = this.#factsOf(facts);
      const home = homeTariffOf(figures.tariffs, known);
      if (typeof home !== 'string') writeFigures(home, row);
      const { before, behind } = this.#textOf(figures, facts, home, row);
      json.filled(before, row);
      json.text(this.#scenarioOf(figures, known.serviceCode));
      json.filled(behind, row);
    };
  }

  /** The answer about a page that was kept, or undefined. @param asked all but the case */
  keptPage(wanted: Case, asked: string): KeptPage | undefined {
    return this.#figures(wanted).pages.get(asked);
  }

  /** Keeps an answer for those who ask the same: what a table costs in a case, not who asked. */
  keepPage(wanted: Case, asked: string, page: KeptPage): void {
    const figures = this.#figures(wanted);
    if (page.json.length > this.#budget / 4) return;
    this.#keep(figures, page.json.length);
    figures.pages.set(asked, page);
  }

  /** The text of an estimate; the row holds its figures. */
  #textOf(figures: CaseFigures, facts: number, home: HomeTariff | NoEstimate, row: Int32Array): EstimateText {
    const name = textsOf(figures.tariffs);
    const optionals = typeof home === 'string' ? 0 : optionalsOf(row);
    const kind = 8 * (this.#kinds[facts] ?? 0) + optionals;
    const known = this.#texts.get(name)?.get(kind);
    if (known !== undefined) return known;
    const text = estimateText(figures.tariffs, this.#factsOf(facts), home, optionals);
    const bytes = text.before.bytes + text.behind.bytes;
    this.#makeRoom(bytes, figures);
    this.#textBytes += bytes;
    this.#bytes += bytes;
    const texts = this.#texts.get(name) ?? new Map<number, EstimateText>();
    this.#texts.set(name, texts.set(kind, text));
    return text;
  }

  /** What estimates of a service say of the scenario, as JSON. */
  #scenarioOf({ tariffs, scenarios }: CaseFigures, serviceCode: string): string {
    const known = scenarios.get(serviceCode);
    if (known !== undefined) return known;
    const { list, scenario } = tariffs;
    const json = JSON.stringify(scenarioOf(list.services.get(serviceCode), scenario));
    scenarios.set(serviceCode, json);
    return json;
  }

  /** Rows of a table by what they cost in a case, the cheapest first; ties stay in the order of `rows`. */
  order(wanted: Case, table: string, rows: Uint32Array, factsOf: (row: number) => number): Uint32Array {
    const figures = this.#figures(wanted);
    const known = figures.orders.get(table);
    if (known !== undefined) return known;
    const costOf = this.costs(wanted);
    // Its place by cost and its place in `rows` in one number, for which sorting is quickest.
    const places = Float64Array.from(rows, (row, i) => costPlace(costOf(factsOf(row))) * rows.length + i);
    const order = Uint32Array.from(places.sort(), (place) => rows[place % rows.length] ?? 0);
    this.#keep(figures, order.byteLength);
    figures.orders.set(table, order);
    return order;
  }

  #factsOf(facts: number): CostFacts {
    const one = this.#facts[facts];
    if (one === undefined) throw new Error(`the care index holds no cost facts ${facts}`);
    return one;
  }

  #figures(wanted: Case): CaseFigures {
    const key = `${wanted.careLevel} ${wanted.copaymentPercent} ${wanted.income} ${wanted.room}`;
    let figures = this.#cases.get(key);
    if (figures === undefined) {
      const tariffs = new Tariffs(this.#prices, { ...STANDARD_SCENARIO, ...wanted });
      figures = new CaseFigures(tariffs, this.#facts.length);
      this.#makeRoom(figures.bytes, null);
      this.#bytes += figures.bytes;
    } else this.#cases.delete(key);
    this.#cases.set(key, figures);
    return figures;
  }

  /** Counts what is kept of a case. */
  #keep(figures: CaseFigures, bytes: number): void {
    this.#makeRoom(bytes, figures);
    figures.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Drops the cases that were asked for the longest time ago; where that is not enough of the texts, and of what `used` can do without. */
  #makeRoom(more: number, used: CaseFigures | null): void {
    for (const [key, figures] of this.#cases) {
      if (this.#bytes + more <= this.#budget) return;
      if (figures === used) continue;
      this.#cases.delete(key);
      this.#bytes -= figures.bytes;
    }
    if (this.#bytes + more <= this.#budget) return;
    this.#texts.clear();
    this.#bytes -= this.#textBytes;
    this.#textBytes = 0;
    if (used === null || this.#bytes + more <= this.#budget) return;
    this.#bytes -= used.bytes;
    used.forget();
    this.#bytes += used.bytes;
  }
}
