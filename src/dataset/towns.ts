import { writeFile } from 'node:fs/promises';
import { type Town as CensusTown, wholeTownCode } from '../census/town.ts';
import type { Town, TownList } from '../contract/operations/sunlight-towns.ts';
import { degrees7 } from './units.ts';

/** The census areas of a dataset: `towns.json`, in order of code. */
export const TOWNS_FILE = 'towns.json';

/** What the dataset keeps of a town: all but its area. */
export type NamedTown = Omit<CensusTown, 'rings'>;

/** Writes the list of towns, a line each, in order of code. */
export async function writeTowns(path: string, towns: Iterable<NamedTown>): Promise<TownDirectory> {
  const list = [...towns].sort((a, b) => (a.townCode < b.townCode ? -1 : 1)).map(kept);
  await writeFile(path, `[\n${list.map((town) => JSON.stringify(town)).join(',\n')}\n]\n`);
  return new TownDirectory(list);
}

/** A line of the file. */
type KeptTown = Town & { ward_reading: string | null };

const kept = (town: NamedTown): KeptTown => ({
  town_code: town.townCode,
  name: town.name,
  reading: town.reading,
  ward_code: town.wardCode,
  ward_name: town.wardName,
  ward_reading: town.wardReading,
  lat: degrees7(town.lat),
  lon: degrees7(town.lon),
});

export class TownDirectory {
  readonly list: TownList;
  /** Readings of the wards that have one, by code: hiragana. */
  readonly wardReadings: ReadonlyMap<string, string>;
  #byCode = new Map<string, Town>();

  constructor(lines: readonly KeptTown[]) {
    const towns = lines.map(({ ward_reading: _, ...town }): Town => town);
    this.wardReadings = new Map(
      lines.flatMap((line) => (line.ward_reading ? [[line.ward_code, line.ward_reading]] : [])),
    );
    this.list = towns.map(({ ward_name: _, ...entry }) => entry);
    for (const [code, chome] of groups(towns)) this.#byCode.set(code, wholeTown(code, chome));
    for (const town of towns) this.#byCode.set(town.town_code, town);
  }

  /** From the bytes of the file. */
  static parse(bytes: Uint8Array): TownDirectory {
    return new TownDirectory(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()));
  }

  /** A town by its code; nine digits also name a town that the census lists by its chome only. */
  get(townCode: string): Town | null {
    return this.#byCode.get(townCode) ?? null;
  }

  name(townCode: string): string | null {
    return this.#byCode.get(townCode)?.name ?? null;
  }
}

/** The chome of each town, by the code of the whole. */
function groups(towns: readonly Town[]): Map<string, Town[]> {
  const found = new Map<string, Town[]>();
  for (const town of towns) {
    const code = wholeTownCode(town.town_code);
    if (code !== null) found.set(code, [...(found.get(code) ?? []), town]);
  }
  return found;
}

/** A town made of its chome: what their names and readings have in common, and the middle of their points. */
function wholeTown(code: string, chome: readonly Town[]): Town {
  const mean = (of: (town: Town) => number): number =>
    degrees7(chome.reduce((sum, town) => sum + of(town), 0) / chome.length);
  return {
    town_code: code,
    name: agreed(chome.map(({ name }) => name?.replace(/[〇一二三四五六七八九十百０-９0-9]+丁目$/, '') ?? null)),
    reading: agreed(chome.map(({ reading }) => reading?.replace(/[0-9]+ちょうめ$/, '') ?? null)),
    ward_code: chome[0].ward_code,
    ward_name: chome[0].ward_name,
    lat: mean(({ lat }) => lat),
    lon: mean(({ lon }) => lon),
  };
}

/** The one value of a list, or null where its values differ. */
const agreed = <T>(values: readonly (T | null)[]): T | null =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null;
