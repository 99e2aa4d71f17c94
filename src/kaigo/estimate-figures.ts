import { chosenPlace, type HomeTariff } from './bill.ts';
import { BILL_KINDS } from './tariff.ts';

/** The care levels that a tariff distinguishes. */
export const CARE_LEVELS = [1, 2, 3, 4, 5] as const;

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
  const { tariff, facts } = home;
  const { careLevel, days } = tariff.scenario;
  row[FIGURE.cap] = tariff.cap ?? 0;
  for (let k = 0; k < BILL_KINDS.length; k++) {
    const kind = BILL_KINDS[k] ?? 'low';
    for (const level of CARE_LEVELS) {
      const place = chosenPlace(home, kind, level, 'total');
      row[FIGURE.levels + 3 * (level - 1) + k] = tariff.care(place.place, kind, level).care.residentPays + place.beside;
    }
    const gross = chosenPlace(home, kind, careLevel, 'total');
    const { care, additionsYen, additions } = tariff.care(gross.place, kind, careLevel);
    row[FIGURE.monthly + k] = care.residentPays + gross.beside;
    row[FIGURE.care + k] = care.residentPays;
    row[FIGURE.additions + k] = additionsYen;
    row[FIGURE.food + k] = gross.foodYen;
    row[FIGURE.residence + k] = gross.roomPerDay * days;
    row[FIGURE.rent + k] = facts.rentPerMonth ?? 0;
    row[FIGURE.management + k] = facts.managementPerMonth ?? 0;
    if (kind === 'typical') {
      row[FIGURE.dailyUnits] = additions.daily;
      row[FIGURE.monthlyUnits] = additions.monthly;
    }
    const net = chosenPlace(home, kind, careLevel, 'after');
    const left = tariff.care(net.place, kind, careLevel);
    row[FIGURE.after + k] = left.care.residentPays + net.beside - net.foodOff - net.roomOff - left.refund;
    row[FIGURE.foodLimit + k] = net.foodOff;
    row[FIGURE.residenceLimit + k] = net.roomOff;
    row[FIGURE.refund + k] = left.refund;
  }
}

/** What is left to pay at least after the reductions, yen. */
export function leastAfter(home: HomeTariff): number {
  const { careLevel } = home.tariff.scenario;
  const place = chosenPlace(home, 'low', careLevel, 'after');
  const { care, refund } = home.tariff.care(place.place, 'low', careLevel);
  return care.residentPays + place.beside - place.foodOff - place.roomOff - refund;
}
