import { rmSync } from 'node:fs';
import { writeSortedFile } from '../formats/sorted-file.ts';
import { Spill } from '../formats/spill.ts';
import { type Box, unitedBox } from '../geo/grid-square.ts';
import { summaryAnswer, type TownNames } from '../record/answers.ts';
import { boxOf, idNamesCity, prefixOf } from '../record/building-record.ts';
import { decodeHead, type EncodedBuilding } from '../record/codec.ts';
import { cellsOf, encodeEntry } from './cell.ts';
import { buildingKey, buildingValue, cellKey, curvesKey } from './store-keys.ts';
import { packSummary } from './sunlight-json.ts';
import type { TownSunSums } from './town-directory.ts';
import { TownLists } from './town-lists.ts';

/** The curves of the sun over a grid square, packed. */
export interface KeptSun {
  square: string;
  curves: Uint8Array;
}

/** The buildings of a ward: with which five digits their IDs begin, in order, and the box around their footprints. */
export interface WardBuildings {
  wardCode: string;
  prefixes: string[];
  box: Box;
}

/** Called with a ward when its last building has come. */
type WardListener = (ward: WardBuildings) => void;

/** Its first five digits name a file. */
const BUILDING_ID = /^\d{5}-bldg-\d+$/;

/** Columns of the grid fit below this, so that row and column make one number. */
const COLUMNS = 2 ** 20;

/**
 * Writes the serving store of the sunlight half. Buildings come in ascending order of their IDs (as UTF-8
 * bytes), each once, and suns in order of grid square; neither are kept; the cells and the towns' lists gather in
 * files beside the store, which are removed, unless an error ends it all: where the disk is full that is the proof, and it
 * goes with the folder. Throws `RangeError` for other IDs, `KeyOrderError` for IDs out of order,
 * `DamagedRecordError` for bytes that are no record, and the system's error when the disk is full.
 */
export async function writeSunlightStore(
  path: string,
  buildings: Iterable<EncodedBuilding>,
  townName: TownNames,
  wardDone: WardListener = () => {},
  townSun: TownSunSums | null = null,
  suns: Iterable<KeptSun> = [],
): Promise<void> {
  const spilled = `${path}-cells`;
  const cells = new Spill(spilled);
  const towns = new TownLists(`${path}-towns`);
  try {
    await writeSortedFile(path, entries(buildings, townName, wardDone, townSun, { cells, towns }, suns));
  } finally {
    cells.close();
    towns.close();
  }
  rmSync(spilled);
  towns.remove();
}

function* entries(
  buildings: Iterable<EncodedBuilding>,
  townName: TownNames,
  wardDone: WardListener,
  townSun: TownSunSums | null,
  { cells, towns }: { cells: Spill; towns: TownLists },
  suns: Iterable<KeptSun>,
): Generator<readonly [Buffer, Uint8Array]> {
  const wards = new WardGatherer(wardDone);
  for (const { buildingId, bytes } of buildings) {
    if (!BUILDING_ID.test(buildingId)) {
      throw new RangeError(`building ID ${JSON.stringify(buildingId)}: expected five digits, "-bldg-", digits`);
    }
    const head = decodeHead(buildingId, bytes);
    townSun?.add(head);
    const summary = packSummary(summaryAnswer(head, townName));
    const box = boxOf(head);
    for (const [row, column] of cellsOf(box)) {
      cells.add(row * COLUMNS + column, encodeEntry(row, column, box, summary, head.footprints));
    }
    if (head.townCode !== null) towns.add(head.townCode, buildingId);
    wards.add(buildingId, head.wardCode, box);
    yield [buildingKey(buildingId), buildingValue(summary, bytes)];
  }
  wards.finish();
  for (const [cell, bytes] of cells.groups()) {
    const row = Math.floor(cell / COLUMNS);
    yield [cellKey(row, cell - row * COLUMNS), bytes];
  }
  for (const { square, curves } of suns) yield [curvesKey(square), curves];
  yield* towns.pages();
}

/**
 * Gathers wards from buildings in order of ID. A ward that the IDs name is done with the last ID that begins with it; one
 * that stands under its city's code is kept to the end, for IDs that begin with the ward come after those of the city.
 */
class WardGatherer {
  readonly #done: WardListener;
  readonly #kept = new Map<string, WardBuildings>();
  #current: WardBuildings | null = null;

  constructor(done: WardListener) {
    this.#done = done;
  }

  add(buildingId: string, wardCode: string, box: Box): void {
    const prefix = prefixOf(buildingId);
    if (this.#current !== null && this.#current.wardCode !== prefix) this.#endCurrent();
    const kept = this.#kept.get(wardCode);
    if (kept) {
      kept.box = unitedBox(kept.box, box);
      if (kept.prefixes.at(-1) !== prefix) kept.prefixes.push(prefix);
    } else if (idNamesCity(buildingId)) this.#kept.set(wardCode, { wardCode, prefixes: [prefix], box });
    else if (this.#current) this.#current.box = unitedBox(this.#current.box, box);
    else this.#current = { wardCode, prefixes: [prefix], box };
  }

  finish(): void {
    this.#endCurrent();
    for (const ward of this.#kept.values()) this.#done(ward);
  }

  #endCurrent(): void {
    if (this.#current) this.#done(this.#current);
    this.#current = null;
  }
}
