import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILDING_ID } from '../building/attributes.ts';
import { wholeTownCode } from '../census/town.ts';
import { SUN_SORTS, type SunSort } from '../contract/operations/sunlight-towns.ts';
import { writeSortedFile } from '../formats/sorted-file.ts';
import { Spill } from '../formats/spill.ts';
import { type Box, unitedBox } from '../geo/grid-square.ts';
import { summaryAnswer, type TownNames } from '../record/answers.ts';
import { BitWriter, riceContext } from '../record/bit-stream.ts';
import { type BuildingHead, boxOf, idNamesCity, prefixOf, writeBuildingId } from '../record/building-record.ts';
import { decodeHead, type EncodedBuilding } from '../record/codec.ts';
import type { SunlightSummary } from '../sunlight/summary.ts';
import { cellsOf, encodeEntry } from './cell.ts';
import { sunlightBulkName } from './sunlight.ts';
import { packSummary } from './sunlight-json.ts';
import {
  buildingKey,
  buildingValue,
  cellKey,
  curvesKey,
  LENGTH_POWER,
  LIST_PAGE,
  SUNLIGHT_STORE,
  townKey,
  wardKey,
} from './sunlight-store.ts';
import { type NamedTown, TOWN_SUN_FILE, TOWNS_FILE, TownSunSums, writeTowns } from './town-directory.ts';

/**
 * Writes the sunlight half of a dataset below its draft folder: towns, serving store, and a Parquet file for each ward.
 * @param buildings in ascending order of ID (as UTF-8 bytes); they are not kept in memory
 * @param writeBulk writes the bulk file of a ward and returns its number of rows. It is called when the store has the
 * last building of the ward.
 * @param suns in order of grid square; they are not kept in memory
 * @param onStored called when the store is complete, while bulk files may still be written
 * @returns the rows of the bulk files by name, for `publishDataset`
 * @throws Error of the system or of `writeBulk`, after all started bulk files have ended
 */
export async function writeSunlight(
  draft: string,
  buildings: Iterable<EncodedBuilding>,
  towns: Iterable<NamedTown>,
  writeBulk: (ward: WardBuildings) => Promise<number>,
  suns: Iterable<SquareCurves> = [],
  onStored: () => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  const directory = await writeTowns(join(draft, TOWNS_FILE), towns);
  const bulks: Promise<[name: string, rows: number]>[] = [];
  const wardDone = (ward: WardBuildings): void => {
    const written = writeBulk(ward).then((rows): [string, number] => [sunlightBulkName(ward.wardCode), rows]);
    written.catch(() => {}); // Its failure is thrown below, after the store is complete.
    bulks.push(written);
  };
  const townSun = new TownSunSums();
  const townName = (code: string): string | null => directory.name(code);
  const content: StoreContent = { buildings, townName, wardDone, townSun, suns };
  const store = writeSunlightStore(join(draft, SUNLIGHT_STORE), content).then(onStored);
  // All bulk files are known when the store is complete or has failed.
  await Promise.allSettled([store]);
  await Promise.allSettled(bulks);
  await store;
  await townSun.write(join(draft, TOWN_SUN_FILE));
  return Object.fromEntries(await Promise.all(bulks));
}

/** The packed sun curves of a grid square. */
export interface SquareCurves {
  square: string;
  curves: Uint8Array;
}

/** The buildings of a ward: the first five digits of their IDs, in order, and the box of their footprints. */
export interface WardBuildings {
  wardCode: string;
  prefixes: string[];
  box: Box;
}

/** Called with each ward after its last building. */
type WardListener = (ward: WardBuildings) => void;

/** All column numbers of the grid are smaller. So row and column fit into one number. */
const COLUMNS = 2 ** 20;

/** What the serving store is made of. */
interface StoreContent {
  /** In ascending order of their IDs (as UTF-8 bytes), each once; they are not kept in memory. */
  buildings: Iterable<EncodedBuilding>;
  townName: TownNames;
  wardDone: WardListener;
  /** Gets the sun of each building. */
  townSun: TownSunSums;
  /** In order of grid square; they are not kept in memory. */
  suns: Iterable<SquareCurves>;
}

/**
 * Writes the serving store of the sunlight half. Cells and lists are collected in temporary files beside the
 * store. After an error these files stay until the draft folder is removed, so that a user can see what filled the
 * disk.
 * @throws RangeError for IDs of another form or out of order; `DamageError` for bytes that
 * are not a record; the system's error when the disk is full
 */
async function writeSunlightStore(path: string, content: StoreContent): Promise<void> {
  const spilled = `${path}-cells`;
  const cells = new Spill(spilled);
  const lists = new BuildingLists(`${path}-lists`);
  try {
    await writeSortedFile(path, storeEntries(content, cells, lists));
  } finally {
    cells.close();
    lists.close();
  }
  rmSync(spilled);
  lists.remove();
}

/**
 * The entries of the store in order of key: buildings; cells, which are small areas with their buildings, for searches
 * by position; sun curves; pages of towns and wards.
 * @param cells collects the entries of the cells by `row * COLUMNS + column`
 * @param lists collects the buildings of the towns and wards
 */
function* storeEntries(
  { buildings, townName, wardDone, townSun, suns }: StoreContent,
  cells: Spill,
  lists: BuildingLists,
): Generator<readonly [key: Buffer, value: Uint8Array]> {
  const wards = new WardGatherer(wardDone);
  for (const { buildingId, bytes } of buildings) {
    // Its first five digits become a file name.
    if (!BUILDING_ID.test(buildingId)) {
      throw new RangeError(`building ID ${JSON.stringify(buildingId)}: expected five digits, "-bldg-", digits`);
    }
    const head = decodeHead(buildingId, bytes);
    townSun.add(head);
    const summary = packSummary(summaryAnswer(head, townName));
    const box = boxOf(head);
    for (const [row, column] of cellsOf(box)) {
      cells.add(row * COLUMNS + column, encodeEntry(row, column, box, summary, head.footprints));
    }
    lists.add(head);
    wards.add(buildingId, head.wardCode, box);
    yield [buildingKey(buildingId), buildingValue(summary, bytes)];
  }
  wards.finish();
  for (const [cell, bytes] of cells.groups()) {
    const row = Math.floor(cell / COLUMNS);
    yield [cellKey(row, cell - row * COLUMNS), bytes];
  }
  for (const { square, curves } of suns) yield [curvesKey(square), curves];
  yield* lists.pages();
}

/**
 * Collects wards from buildings in order of ID. A ward that is named in IDs is complete after the last ID with its
 * code. A ward whose IDs have the code of its city stays open to the end, because IDs with the ward's own code come
 * later.
 */
class WardGatherer {
  readonly #done: WardListener;
  /** Wards of which an ID begins with the code of the city, by code. They stay open to the end. */
  readonly #wardsOfCityIds = new Map<string, WardBuildings>();
  /** The ward of the IDs that are read now. */
  #current: WardBuildings | null = null;

  constructor(done: WardListener) {
    this.#done = done;
  }

  /** Adds a building to its ward. Ends the current ward when its last ID was read. */
  add(buildingId: string, wardCode: string, box: Box): void {
    const prefix = prefixOf(buildingId);
    if (this.#current !== null && this.#current.wardCode !== prefix) this.#endCurrent();
    const open = this.#wardsOfCityIds.get(wardCode);
    if (open !== undefined) {
      open.box = unitedBox(open.box, box);
      if (open.prefixes.at(-1) !== prefix) open.prefixes.push(prefix);
    } else if (idNamesCity(buildingId)) {
      this.#wardsOfCityIds.set(wardCode, { wardCode, prefixes: [prefix], box });
    } else {
      // The ID begins with the code of its ward. Such IDs follow each other, so the ward is the current one.
      this.#current ??= { wardCode, prefixes: [prefix], box };
      this.#current.box = unitedBox(this.#current.box, box);
    }
  }

  /** Ends all wards. */
  finish(): void {
    this.#endCurrent();
    for (const ward of this.#wardsOfCityIds.values()) this.#done(ward);
  }

  #endCurrent(): void {
    if (this.#current) this.#done(this.#current);
    this.#current = null;
  }
}

/** Digits of the code of a chome; and of a town without chome, or of a whole town. */
const CODE_DIGITS = 11;
const WHOLE_DIGITS = 9;
/** Digits of the code of a ward. */
const WARD_DIGITS = 5;

/** A number for the code of a town. Numbers have the order of the codes as texts: a whole town before its chome. */
const townNumber = (code: string): number =>
  2 * Number(code.padEnd(CODE_DIGITS, '0')) + (code.length > WHOLE_DIGITS ? 1 : 0);

/** The code of a town's number. */
const townCodeOf = (number: number): string =>
  String(Math.floor(number / 2))
    .padStart(CODE_DIGITS, '0')
    .slice(0, number % 2 === 0 ? WHOLE_DIGITS : CODE_DIGITS);

/** The number of a ward's list is its code plus this, which is above the numbers of all towns. */
const FIRST_WARD = 10 ** CODE_DIGITS * 2;

/**
 * Collects the buildings of each town and ward in a file. In memory, those of a large city would take about 100 MB.
 * @throws the system's error when the disk is full
 */
class BuildingLists {
  readonly #path: string;
  readonly #spill: Spill;

  constructor(path: string) {
    this.#path = path;
    this.#spill = new Spill(path);
  }

  /**
   * Adds a building to the lists of its ward and of its town. For a chome, also to the list of the whole town.
   * Buildings come in order of ID. Lists of wards are ranked by sun, so their lines have the hours.
   * Lists of towns have IDs only.
   */
  add(head: BuildingHead): void {
    const { buildingId, townCode, wardCode } = head;
    this.#spill.add(FIRST_WARD + Number(wardCode), Buffer.from(`${JSON.stringify(sunRanked(head))}\n`));
    if (townCode === null) return;
    const line = Buffer.from(`${buildingId}\n`);
    this.#spill.add(townNumber(townCode), line);
    const whole = wholeTownCode(townCode);
    if (whole !== null) this.#spill.add(townNumber(whole), line);
  }

  /** The pages of all lists for the store, in order of key. Nothing may be added afterwards. */
  *pages(): Generator<[key: Buffer, page: Uint8Array]> {
    // Keys of the groups: the number of a town, or the sum of FIRST_WARD and the code of a ward.
    for (const [key, bytes] of this.#spill.groups()) {
      const lines = Buffer.from(bytes).toString().trimEnd().split('\n');
      const isTown = key < FIRST_WARD;
      if (isTown) {
        yield* listPages(lines, (page) => townKey(townCodeOf(key), page));
        continue;
      }
      const ward = String(key - FIRST_WARD).padStart(WARD_DIGITS, '0');
      const buildings = lines.map((line): SunRanked => JSON.parse(line));
      for (const sort of SUN_SORTS) yield* listPages(byMostSun(buildings, sort), (page) => wardKey(ward, sort, page));
    }
  }

  close(): void {
    this.#spill.close();
  }

  /** Removes the file. */
  remove(): void {
    rmSync(this.#path);
  }
}

/** A building of a ward and its hours in the order of `SUN_SORTS`; without walls all are negative. */
export interface SunRanked {
  buildingId: string;
  hours: number[];
}

/** The place of a building in the orders of its ward. */
export const sunRanked = ({ buildingId, summary }: BuildingHead): SunRanked => ({
  buildingId,
  hours: SUN_SORTS.map((sort) => (summary === null ? -1 : HOURS_OF[sort](summary))),
});

const HOURS_OF: Record<SunSort, (summary: SunlightSummary) => number> = {
  december_top_hours: ({ decemberTopBest }) => decemberTopBest.directSunHours,
  december_first_hours: ({ decemberFirstSouth }) => decemberFirstSouth.directSunHours,
  annual_hours: ({ annualMeanHours }) => annualMeanHours,
};

/** The IDs of a ward with most sun first. @param buildings in order of ID, which is kept at equal hours */
export function byMostSun(buildings: readonly SunRanked[], sort: SunSort): string[] {
  const at = SUN_SORTS.indexOf(sort);
  return buildings.toSorted((a, b) => b.hours[at] - a.hours[at]).map(({ buildingId }) => buildingId);
}

/** The stored pages of a list of building IDs, with their keys. A page has the length of the list, then its own IDs. */
function* listPages(ids: readonly string[], keyOf: (page: number) => Buffer): Generator<[Buffer, Uint8Array]> {
  for (let page = 0; page * LIST_PAGE < ids.length; page++) {
    const out = new BitWriter();
    out.rice(ids.length, riceContext(LENGTH_POWER));
    for (const id of ids.slice(page * LIST_PAGE, (page + 1) * LIST_PAGE)) writeBuildingId(out, id);
    yield [keyOf(page), out.finish()];
  }
}
