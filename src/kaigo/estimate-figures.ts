import { afterIn, chosenPlace, type HomeTariff, refundIn, totalIn } from './bill.ts';
import { BILL_KINDS, CARE_LEVELS } from './tariff.ts';

const TYPICAL = BILL_KINDS.indexOf('typical');

/** Where the figures of an estimate stand in a row of numbers: three of each, low, typical and high, unless said otherwise. */
export const FIGURE = {
  monthly: 0,
  after: 3,
  foodLimit: 6,
  residenceLimit: 9,
  refund: 12,
  /** Three for each of the five care levels. */
  levels: 15,
  care: 30,
  additions: 33,
  food: 36,
  residence: 39,
  rent: 42,
  management: 45,
  /** One each: units of the typical bill. */
  dailyUnits: 48,
  monthlyUnits: 49,
  /** The monthly cap; 0 where the price list knows none. */
  cap: 50,
} as const;

/** Numbers in a row. */
export const FIGURES = 51;

/** Writes the figures of an estimate into a row of numbers: all that differs from home to home. */
export function writeFigures(home: HomeTariff, row: Int32Array): void {
  const { tariff, resident, facts, places } = home;
  const { careLevel } = resident;
  row[FIGURE.cap] = home.cap ?? 0;
  for (let kind = 0; kind < BILL_KINDS.length; kind++) {
    for (const level of CARE_LEVELS) {
      const nth = chosenPlace(home, kind, level, 'total');
      row[FIGURE.levels + 3 * (level - 1) + kind] = totalIn(home, nth, kind, level);
    }
    const gross = chosenPlace(home, kind, careLevel, 'total');
    const at = tariff.at(places.place[gross] ?? 0, kind, careLevel);
    row[FIGURE.monthly + kind] = totalIn(home, gross, kind, careLevel);
    row[FIGURE.care + kind] = tariff.pays[at] ?? 0;
    row[FIGURE.additions + kind] = tariff.additionsYen[at] ?? 0;
    row[FIGURE.food + kind] = places.food[gross] ?? 0;
    row[FIGURE.residence + kind] = (places.roomPerDay[gross] ?? 0) * tariff.terms.days;
    row[FIGURE.rent + kind] = facts.rentPerMonth ?? 0;
    row[FIGURE.management + kind] = facts.managementPerMonth ?? 0;
    const net = chosenPlace(home, kind, careLevel, 'after');
    row[FIGURE.after + kind] = afterIn(home, net, kind, careLevel);
    row[FIGURE.foodLimit + kind] = places.foodOff[net] ?? 0;
    row[FIGURE.residenceLimit + kind] = places.roomOff[net] ?? 0;
    row[FIGURE.refund + kind] = refundIn(home, net, kind, careLevel);
  }
  const typical = places.place[chosenPlace(home, TYPICAL, careLevel, 'total')] ?? 0;
  row[FIGURE.dailyUnits] = tariff.typicalUnits[typical]?.daily ?? 0;
  row[FIGURE.monthlyUnits] = tariff.typicalUnits[typical]?.monthly ?? 0;
}

/** What is left to pay at least after the reductions, yen. */
export function leastAfter(home: HomeTariff): number {
  const { careLevel } = home.resident;
  return afterIn(home, chosenPlace(home, 0, careLevel, 'after'), 0, careLevel);
}
