import { wholeTownCode } from '../census/town.ts';
import { BitWriter, riceContext } from './bit-stream.ts';
import { wardCodeOf, writeBuildingId } from './building-id.ts';
import { type Box, boxOf, cellsOf, encodeEntry } from './cell.ts';
import { writeLmdbFile } from './lmdb-file.ts';
import { decodeHead } from './record-codec.ts';
import { buildingKey, buildingValue, cellKey, TOWN_PAGE, townKey } from './store-keys.ts';
import { packSummary } from './summary-json.ts';
import { summaryAnswer, type TownNames } from './sunlight-answers.ts';

/** A building as it comes from the computation: its ID and `encodeRecord` of its record. */
export interface EncodedBuilding {
  buildingId: string;
  bytes: Uint8Array;
}

export interface SunlightStoreCounts {
  buildings: number;
  withoutTown: number;
  /** By ward code, in order of code: how many, and the box around their footprints. */
  wards: Map<string, { buildings: number; box: Box }>;
}

/** Its first five digits name a file. */
const BUILDING_ID = /^\d{5}-bldg-\d+$/;

/** Columns of the grid fit below this, so that row and column make one number. */
const COLUMNS = 2 ** 20;

/**
 * Writes the serving store of the sunlight half. Buildings come in ascending order of their IDs (as UTF-8
 * bytes), each once, and are not kept; the cells and the towns' lists gather in memory, about 0.3 kB per
 * building. Throws `RangeError` for other IDs, `KeyOrderError` for IDs out of order and `DamagedRecordError` for bytes that are no record.
 */
export async function writeSunlightStore(
  path: string,
  buildings: Iterable<EncodedBuilding>,
  townName: TownNames,
): Promise<SunlightStoreCounts> {
  const counts: SunlightStoreCounts = { buildings: 0, withoutTown: 0, wards: new Map() };
  await writeLmdbFile(path, entries(buildings, townName, counts));
  return counts;
}

function* entries(
  buildings: Iterable<EncodedBuilding>,
  townName: TownNames,
  counts: SunlightStoreCounts,
): Generator<readonly [Buffer, Uint8Array]> {
  const cells = new Map<number, GrowingBytes>();
  const towns = new Map<string, string[]>();
  for (const { buildingId, bytes } of buildings) {
    if (!BUILDING_ID.test(buildingId)) {
      throw new RangeError(`building ID ${JSON.stringify(buildingId)}: expected five digits, "-bldg-", digits`);
    }
    const head = decodeHead(buildingId, bytes);
    const summary = packSummary(summaryAnswer(head, townName));
    const box = boxOf(head);
    for (const [row, column] of cellsOf(box)) {
      const entry = encodeEntry(row, column, box, summary, head.footprints);
      getOrMake(cells, row * COLUMNS + column, () => new GrowingBytes()).append(entry);
    }
    if (head.townCode === null) counts.withoutTown++;
    else {
      getOrMake(towns, head.townCode, () => []).push(buildingId);
      const whole = wholeTownCode(head.townCode);
      if (whole !== null) getOrMake(towns, whole, () => []).push(buildingId);
    }
    counts.buildings++;
    const ward = getOrMake(counts.wards, wardCodeOf(buildingId), () => ({ buildings: 0, box }));
    ward.buildings++;
    ward.box = around(ward.box, box);
    yield [buildingKey(buildingId), buildingValue(summary, bytes)];
  }
  for (const cell of [...cells.keys()].sort((a, b) => a - b)) {
    const row = Math.floor(cell / COLUMNS);
    yield [cellKey(row, cell - row * COLUMNS), cells.get(cell)!.bytes()];
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

class GrowingBytes {
  #bytes = new Uint8Array(512);
  #length = 0;

  append(more: Uint8Array): void {
    if (this.#length + more.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more.length));
      larger.set(this.bytes());
      this.#bytes = larger;
    }
    this.#bytes.set(more, this.#length);
    this.#length += more.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
