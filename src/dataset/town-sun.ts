import { writeFile } from 'node:fs/promises';
import { HOURS_CLASSES, hoursClass } from '../contract/sunlight-shapes.ts';
import type { BuildingHead } from './record/building-record.ts';

/** The sun of the towns of a dataset, in order of code: what lists of towns show without reading every building. */
export const TOWN_SUN_FILE = 'town-sun.json';

/** How much sun the buildings of a town get, hours a day. */
export interface TownSun {
  town_code: string;
  /** Buildings with walls. */
  buildings: number;
  /** Means over them: the best face of the top floor and the face nearest to south of the first floor, 15 December. */
  december_top_hours: number;
  december_first_hours: number;
  /** Mean of the twelve days, best face of the top floor. */
  annual_hours: number;
  /** Buildings by class of the best face of the top floor on 15 December. */
  classes: number[];
  /** The buildings with most and with least of it, ties by ID. */
  brightest: BuildingHours[];
  darkest: BuildingHours[];
}

/** A building and its hours: best face of the top floor, 15 December. */
export interface BuildingHours {
  building_id: string;
  hours: number;
}

const LISTED = 5;

/** Adds up the sun of towns, building by building in order of ID. */
export class TownSunSums {
  readonly #towns = new Map<string, TownSun>();

  add({ buildingId, townCode, summary }: BuildingHead): void {
    if (townCode === null || summary === null) return;
    const town = this.#towns.get(townCode) ?? emptyTown(townCode);
    this.#towns.set(townCode, town);
    const hours = summary.decemberTopBest.directSunHours;
    town.buildings++;
    town.december_top_hours += hours;
    town.december_first_hours += summary.decemberFirstSouth.directSunHours;
    town.annual_hours += summary.annualMeanHours;
    town.classes[hoursClass(hours)]++;
    insert(town.brightest, { building_id: buildingId, hours }, (a, b) => a.hours > b.hours);
    insert(town.darkest, { building_id: buildingId, hours }, (a, b) => a.hours < b.hours);
  }

  /** Writes the means, a town a line. */
  async write(path: string): Promise<void> {
    const towns = [...this.#towns.values()].sort((a, b) => (a.town_code < b.town_code ? -1 : 1)).map(meansOf);
    await writeFile(path, `[\n${towns.map((town) => JSON.stringify(town)).join(',\n')}\n]\n`);
  }
}

const emptyTown = (town_code: string): TownSun => ({
  town_code,
  buildings: 0,
  december_top_hours: 0,
  december_first_hours: 0,
  annual_hours: 0,
  classes: HOURS_CLASSES.map(() => 0),
  brightest: [],
  darkest: [],
});

function insert(
  list: BuildingHours[],
  one: BuildingHours,
  isBefore: (a: BuildingHours, b: BuildingHours) => boolean,
): void {
  const place = list.findIndex((other) => isBefore(one, other));
  if (place < 0) list.push(one);
  else list.splice(place, 0, one);
  if (list.length > LISTED) list.pop();
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

const meansOf = (town: TownSun): TownSun => ({
  ...town,
  december_top_hours: hundredths(town.december_top_hours / town.buildings),
  december_first_hours: hundredths(town.december_first_hours / town.buildings),
  annual_hours: hundredths(town.annual_hours / town.buildings),
});

/** What {@link TownSunSums} wrote. */
export const parseTownSun = (text: Buffer): TownSun[] => JSON.parse(text.toString());
