import { rmSync } from 'node:fs';
import { wholeTownCode } from '../census/town.ts';
import { writeSortedFile } from '../formats/sorted-file.ts';
import { Spill } from '../formats/spill.ts';
import { type Box, boxOf, cellsOf, encodeEntry } from './cell.ts';
import { BitWriter, riceContext } from './record/bit-stream.ts';
import { wardCodeOf, writeBuildingId } from './record/building-id.ts';
import { decodeHead } from './record/codec.ts';
import { buildingKey, buildingValue, cellKey, TOWN_PAGE, townKey } from './store-keys.ts';
import { packSummary } from './summary-json.ts';
import { summaryAnswer, type TownNames } from './sunlight-answers.ts';
import type { TownSunSums } from './town-sun.ts';

/** A building as it comes from the computation: its ID and `encodeRecord` of its record. */
export interface EncodedBuilding {
  buildingId: string;
  bytes: Uint8Array;
}

/** Hears of a ward when its last building has come, with the box around their footprints. */
export type WardListener = (wardCode: string, box: Box) => void;

/** Its first five digits name a file. */
const BUILDING_ID = /^\d{5}-bldg-\d+$/;

/** Columns of the grid fit below this, so that row and column make one number. */
const COLUMNS = 2 ** 20;

/**
 * Writes the serving store of the sunlight half. Buildings come in ascending order of their IDs (as UTF-8
 * bytes), each once, and are not kept; the towns' lists gather in memory, some 50 bytes per building, the cells in a
 * file beside the store, which is removed, unless an error ends it all: where the disk is full that is the proof, and it
 * goes with the folder. Throws `RangeError` for other IDs, `KeyOrderError` for IDs out of order,
 * `DamagedRecordError` for bytes that are no record, and the system's error when the disk is full.
 */
export async function writeSunlightStore(
  path: string,
  buildings: Iterable<EncodedBuilding>,
  townName: TownNames,
  wardDone: WardListener = () => {},
  townSun: TownSunSums | null = null,
): Promise<void> {
  const spilled = `${path}-cells`;
  const cells = new Spill(spilled);
  try {
    await writeSortedFile(path, entries(buildings, townName, wardDone, townSun, cells));
  } finally {
    cells.close();
  }
  rmSync(spilled);
}

function* entries(
  buildings: Iterable<EncodedBuilding>,
  townName: TownNames,
  wardDone: WardListener,
  townSun: TownSunSums | null,
  cells: Spill,
): Generator<readonly [Buffer, Uint8Array]> {
  const towns = new Map<string, string[]>();
  let ward = { code: '', box: { south: 0, west: 0, north: 0, east: 0 } };
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
    if (head.townCode !== null) {
      getOrMake(towns, head.townCode, () => []).push(buildingId);
      const whole = wholeTownCode(head.townCode);
      if (whole !== null) getOrMake(towns, whole, () => []).push(buildingId);
    }
    const code = wardCodeOf(buildingId);
    if (ward.code !== code && ward.code !== '') wardDone(ward.code, ward.box);
    ward = { code, box: ward.code === code ? around(ward.box, box) : box };
    yield [buildingKey(buildingId), buildingValue(summary, bytes)];
  }
  if (ward.code !== '') wardDone(ward.code, ward.box);
  for (const [cell, bytes] of cells.groups()) {
    const row = Math.floor(cell / COLUMNS);
    yield [cellKey(row, cell - row * COLUMNS), bytes];
  }
  for (const town of [...towns.keys()].sort()) {
    const ids = towns.get(town)!;
    for (let page = 0; page * TOWN_PAGE < ids.length; page++) {
      yield [townKey(town, page), encodeTownPage(ids, page)];
    }
  }
}

const around = (a: Box, b: Box): Box => ({
  south: Math.min(a.south, b.south),
  west: Math.min(a.west, b.west),
  north: Math.max(a.north, b.north),
  east: Math.max(a.east, b.east),
});

/** A page of a town's list: how many the whole list holds, then its IDs. */
function encodeTownPage(ids: readonly string[], page: number): Uint8Array {
  const out = new BitWriter();
  out.rice(ids.length, riceContext(8));
  for (const id of ids.slice(page * TOWN_PAGE, (page + 1) * TOWN_PAGE)) writeBuildingId(out, id);
  return out.finish();
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
