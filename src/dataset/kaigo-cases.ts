import type { JsonWriter } from '../formats/json-bytes.ts';
import { type CostFacts, HomePlaces, type HomeTariff, homeTariffOf } from '../kaigo/bill.ts';
import { type Case, type CaseFault, caseFault, type Resident, roomFault, STANDARD_SCENARIO } from '../kaigo/case.ts';
import { costPlace, NO_COST_PLACE } from '../kaigo/comparison.ts';
import { billIsWhole, type CostEstimate, estimateIn, scenarioOf } from '../kaigo/estimate.ts';
import { FIGURES, leastAfter, writeFigures } from '../kaigo/estimate-figures.ts';
import type { FeeTable } from '../kaigo/fee-figures.ts';
import { type PriceList, priceListOn } from '../kaigo/price-list.ts';
import { type NoEstimate, Tariffs } from '../kaigo/tariff.ts';
import { type EstimateText, estimateText, optionalsOf, textsOf } from './kaigo-estimate-text.ts';

/** What orders of tables and texts of estimates may take together, bytes. */
const BUDGET = 4 << 20;

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

/** A case in a word. */
export function caseName({ careLevel, copaymentPercent, income, room }: Case): string {
  return `${careLevel} ${copaymentPercent} ${income} ${room}`;
}

/**
 * Makes estimates for cases other than the dataset's own, from the prices and facts that it was built with. What cases have
 * in common is made once: the care of all bills by copayment, the texts of estimates by what they say. The orders of
 * tables are kept within a budget, those that were asked for last the longest.
 */
export class KaigoCases {
  readonly #prices: PriceList;
  readonly #facts: readonly CostFacts[];
  readonly #kinds: Uint32Array;
  readonly #budget: number;
  /** By copayment. */
  readonly #tariffs = new Map<number, Tariffs>();
  /** Rows by what they cost, by case and table; in order of use. */
  readonly #orders = new Map<string, Uint32Array>();
  /** What the JSON of estimates has in common, by the texts of the case, the kind of facts and the figures that they have. */
  readonly #texts = new Map<string, Map<number, EstimateText>>();
  /** The home that is being looked at. */
  readonly #places = new HomePlaces();
  #textBytes = 0;
  #bytes = 0;

  constructor(fees: FeeTable, asOf: string, facts: readonly CostFacts[], budget = BUDGET) {
    this.#prices = priceListOn(fees, asOf);
    this.#facts = facts;
    this.#kinds = kindsOf(facts);
    this.#budget = budget;
  }

  /** What orders and texts take that are kept, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why a case cannot be, alone or for a service; null where it can. */
  fault(wanted: Case, serviceCode: string | null): CaseFault | null {
    const fault = caseFault(wanted);
    if (fault !== null || wanted.room === null || serviceCode === null) return fault;
    return roomFault(this.#prices, serviceCode, wanted.room);
  }

  /**
   * What services cost after limits and refunds, by the number of what bears on it: null where there is no figure.
   * @returns yen
   */
  costs(wanted: Case): (facts: number) => number | null {
    const tariffs = this.#tariffsOf(wanted);
    return (facts) => {
      const home = homeTariffOf(tariffs, wanted, this.#factsOf(facts), this.#places);
      return typeof home === 'string' ? null : leastAfter(home);
    };
  }

  /** The estimate of what bears on the cost, by its number. */
  estimate(wanted: Case, facts: number): CostEstimate {
    return estimateIn(this.#tariffsOf(wanted), wanted, this.#factsOf(facts));
  }

  /** A writer of the JSON of such estimates. */
  estimateWriter(wanted: Case, json: JsonWriter): (facts: number) => void {
    const tariffs = this.#tariffsOf(wanted);
    const texts = textsOf(tariffs, wanted);
    const scenarios = new Map<string, Buffer>();
    const row = new Int32Array(FIGURES);
    return (facts) => {
      const known = this.#factsOf(facts);
      const home = homeTariffOf(tariffs, wanted, known, this.#places);
      if (typeof home !== 'string') writeFigures(home, row);
      let scenario = scenarios.get(known.serviceCode);
      if (scenario === undefined) {
        scenario = this.#scenarioOf(tariffs, wanted, known.serviceCode);
        scenarios.set(known.serviceCode, scenario);
      }
      const optionals = typeof home === 'string' ? 0 : optionalsOf(row);
      const text =
        this.#texts.get(texts)?.get(this.#textNumber(facts, optionals)) ??
        this.#keepText(tariffs, wanted, facts, home, optionals);
      json.filled(text.before, row);
      json.bytes(scenario);
      json.filled(text.behind, row);
    };
  }

  #textNumber(facts: number, optionals: number): number {
    return 8 * (this.#kinds[facts] ?? 0) + optionals;
  }

  /** Makes the text of an estimate. @param optionals figures that it has, as `optionalsOf` gives them */
  #keepText(
    tariffs: Tariffs,
    resident: Resident,
    facts: number,
    home: HomeTariff | NoEstimate,
    optionals: number,
  ): EstimateText {
    const text = estimateText(tariffs, resident, this.#factsOf(facts), home, optionals);
    const bytes = text.before.bytes + text.behind.bytes;
    this.#makeRoom(bytes);
    this.#textBytes += bytes;
    this.#bytes += bytes;
    const name = textsOf(tariffs, resident);
    const texts = this.#texts.get(name) ?? new Map<number, EstimateText>();
    this.#texts.set(name, texts.set(this.#textNumber(facts, optionals), text));
    return text;
  }

  /** What estimates of a service say of the scenario, as JSON. */
  #scenarioOf({ list, terms }: Tariffs, resident: Resident, serviceCode: string): Buffer {
    return Buffer.from(JSON.stringify(scenarioOf(list.services.get(serviceCode), { ...terms, ...resident })));
  }

  /** Rows of a table by what they cost in a case, the cheapest first; ties stay in the order of `rows`. */
  order(wanted: Case, table: string, rows: Uint32Array, factsOf: (row: number) => number): Uint32Array {
    const asked = `${caseName(wanted)} ${table}`;
    const known = this.#orders.get(asked);
    if (known !== undefined) {
      this.#orders.delete(asked);
      this.#orders.set(asked, known);
      return known;
    }
    const tariffs = this.#tariffsOf(wanted);
    // Its place by cost and its place in `rows` in one number, for which sorting is quickest.
    const places = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const home = homeTariffOf(tariffs, wanted, this.#factsOf(factsOf(rows[i] ?? 0)), this.#places);
      const place = typeof home === 'string' ? NO_COST_PLACE : costPlace(leastAfter(home), billIsWhole(home));
      places[i] = place * rows.length + i;
    }
    places.sort();
    const order = new Uint32Array(rows.length);
    for (let i = 0; i < order.length; i++) order[i] = rows[(places[i] ?? 0) % rows.length] ?? 0;
    this.#makeRoom(order.byteLength);
    this.#bytes += order.byteLength;
    this.#orders.set(asked, order);
    return order;
  }

  #factsOf(facts: number): CostFacts {
    const one = this.#facts[facts];
    if (one === undefined) throw new Error(`the care index holds no cost facts ${facts}`);
    return one;
  }

  #tariffsOf({ copaymentPercent }: Case): Tariffs {
    let tariffs = this.#tariffs.get(copaymentPercent);
    if (tariffs === undefined) {
      tariffs = new Tariffs(this.#prices, { ...STANDARD_SCENARIO, copaymentPercent });
      this.#tariffs.set(copaymentPercent, tariffs);
    }
    return tariffs;
  }

  /** Drops the orders that were asked for the longest time ago, and where that is not enough the texts. */
  #makeRoom(more: number): void {
    for (const [asked, order] of this.#orders) {
      if (this.#bytes + more <= this.#budget) return;
      this.#orders.delete(asked);
      this.#bytes -= order.byteLength;
    }
    if (this.#bytes + more <= this.#budget) return;
    this.#texts.clear();
    this.#bytes -= this.#textBytes;
    this.#textBytes = 0;
  }
}
