import { writeFile } from 'node:fs/promises';
import { type Town as CensusTown, wholeTownCode } from '../census/town.ts';
import type { Town, TownList } from '../contract/operations/sunlight-towns.ts';
import { HOURS_CLASSES, hoursClass } from '../contract/sunlight-shapes.ts';
import { splitTownName } from '../geo/chome.ts';
import { sevenDecimals, twoDecimals } from '../geo/rounding.ts';
import type { BuildingHead } from '../record/building-record.ts';
import { insertSorted } from './sorted-list.ts';

/** File of the census areas of a dataset, in order of code. */
export const TOWNS_FILE = 'towns.json';

/** A town without its area and households. */
export type NamedTown = Omit<CensusTown, 'rings' | 'households'>;

/** Writes the list of towns in order of code, one line each. */
export async function writeTowns(path: string, towns: Iterable<NamedTown>): Promise<TownDirectory> {
  const list = [...towns].sort((a, b) => (a.townCode < b.townCode ? -1 : 1)).map(storedTown);
  await writeFile(path, `[\n${list.map((town) => JSON.stringify(town)).join(',\n')}\n]\n`);
  return new TownDirectory(list);
}

/** A line of the file. The postal codes are absent when none is known. */
type StoredTown = Town & { ward_reading: string | null; postal_codes?: string[] };

const storedTown = (town: NamedTown): StoredTown => ({
  town_code: town.townCode,
  name: town.name,
  reading: town.reading,
  ward_code: town.wardCode,
  ward_name: town.wardName,
  ward_reading: town.wardReading,
  lat: sevenDecimals(town.lat),
  lon: sevenDecimals(town.lon),
  ...(town.postalCodes.length > 0 && { postal_codes: town.postalCodes }),
});

/** The towns of a dataset, by code. */
export class TownDirectory {
  readonly list: TownList;
  /** Hiragana of the wards, by code. Not every ward has a reading. */
  readonly wardReadings: ReadonlyMap<string, string>;
  #byCode = new Map<string, Town>();
  readonly #postalCodes: ReadonlyMap<string, readonly string[]>;

  constructor(lines: readonly StoredTown[]) {
    const towns = lines.map(({ ward_reading: _, postal_codes: _codes, ...town }): Town => town);
    this.#postalCodes = new Map(lines.map(({ town_code, postal_codes = [] }) => [town_code, postal_codes]));
    this.wardReadings = new Map(
      lines.flatMap((line) => (line.ward_reading ? [[line.ward_code, line.ward_reading]] : [])),
    );
    this.list = towns.map(({ ward_name: _, ...entry }) => entry);
    const byWholeTown = Map.groupBy(towns, ({ town_code }) => wholeTownCode(town_code));
    for (const [code, chome] of byWholeTown) if (code !== null) this.#byCode.set(code, wholeTown(code, chome));
    for (const town of towns) this.#byCode.set(town.town_code, town);
  }

  /** Parses the bytes of the file. */
  static parse(bytes: Uint8Array): TownDirectory {
    return new TownDirectory(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()));
  }

  /** A town by its code. Nine digits also find a town that the census lists only by its chome. */
  get(townCode: string): Town | null {
    return this.#byCode.get(townCode) ?? null;
  }

  /** The postal codes of a town by its code; of a whole town those of its chome. Empty when none is known. */
  postalCodes(townCode: string): readonly string[] {
    const own = this.#postalCodes.get(townCode);
    if (own !== undefined) return own;
    const chome = [...this.#postalCodes].filter(([code]) => code.startsWith(townCode));
    return [...new Set(chome.flatMap(([, codes]) => codes))];
  }

  name(townCode: string): string | null {
    return this.#byCode.get(townCode)?.name ?? null;
  }
}

/** A whole town: the common name and reading of its chome, and the mean of their points. */
function wholeTown(code: string, chome: readonly Town[]): Town {
  const mean = (axis: 'lat' | 'lon'): number =>
    sevenDecimals(chome.reduce((sum, town) => sum + town[axis], 0) / chome.length);
  return {
    town_code: code,
    name: commonValue(chome.map(({ name }) => (name === null ? null : splitTownName(name).base))),
    reading: commonValue(chome.map(({ reading }) => reading?.replace(/[0-9]+ちょうめ$/, '') ?? null)),
    ward_code: chome[0].ward_code,
    ward_name: chome[0].ward_name,
    lat: mean('lat'),
    lon: mean('lon'),
  };
}

/** The common value of a list; null when the values differ. */
const commonValue = <T>(values: readonly (T | null)[]): T | null =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null;

/** File with the sun of the towns, in order of code. Lists of towns show it without reading every building. */
export const TOWN_SUN_FILE = 'town-sun.json';

/** The sun of the buildings of a town, hours a day. */
export interface TownSun {
  town_code: string;
  /** Number of buildings with walls. */
  buildings: number;
  /** Means on 15 December: of the best face of the top floor, and of the face nearest to south of the first floor. */
  december_top_hours: number;
  december_first_hours: number;
  /** Mean of the twelve days, best face of the top floor. */
  annual_hours: number;
  /** Number of buildings in each class of the hours of the best face of the top floor on 15 December. */
  classes: number[];
  /** The buildings with most and with least of these hours, ties by ID. */
  brightest: BuildingHours[];
  darkest: BuildingHours[];
}

/** A building and the hours of the best face of its top floor on 15 December. */
export interface BuildingHours {
  building_id: string;
  hours: number;
}

/** Buildings in the lists `brightest` and `darkest`. */
const MOST_LISTED = 5;

/** Sums the sun of towns. Buildings come in order of ID. */
export class TownSunSums {
  readonly #towns = new Map<string, TownSun>();

  /** Adds a building to the sums of its town. One without a town or without walls does not count. */
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
    const building = { building_id: buildingId, hours };
    insertSorted(town.brightest, building, (a, b) => b.hours - a.hours, MOST_LISTED);
    insertSorted(town.darkest, building, (a, b) => a.hours - b.hours, MOST_LISTED);
  }

  /** Writes the means, one line for each town. */
  async write(path: string): Promise<void> {
    const towns = [...this.#towns.values()].sort((a, b) => (a.town_code < b.town_code ? -1 : 1)).map(townMeans);
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

/** A town with means in place of the sums. */
const townMeans = (town: TownSun): TownSun => ({
  ...town,
  december_top_hours: twoDecimals(town.december_top_hours / town.buildings),
  december_first_hours: twoDecimals(town.december_first_hours / town.buildings),
  annual_hours: twoDecimals(town.annual_hours / town.buildings),
});

/** Parses what {@link TownSunSums} wrote. */
export const parseTownSun = (text: Buffer): TownSun[] => JSON.parse(text.toString());
