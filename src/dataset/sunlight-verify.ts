import { join } from 'node:path';
import { wardCodeOf } from './building-id.ts';
import type { BuildingHead } from './building-record.ts';
import { boxOf, cellsOf, readCell } from './cell.ts';
import { decodeBody, decodeHead } from './record-codec.ts';
import { SUNLIGHT_STORE, sunlightBulkName } from './sunlight.ts';
import { SunlightStore } from './sunlight-store.ts';
import { TOWNS_FILE, TownDirectory } from './towns.ts';
import { tell, type Verification } from './verification.ts';

/**
 * Decodes every record of the sunlight store and looks each building up again where `near` and the town lists look;
 * compares the counts of the wards with those of the bulk files. Adds what it finds to `found`.
 */
export async function verifySunlight(folder: string, found: Verification): Promise<void> {
  const towns = await TownDirectory.read(join(folder, TOWNS_FILE));
  const store = new SunlightStore(join(folder, SUNLIGHT_STORE));
  const differences: string[] = [];
  const byWard = new Map<string, number>();
  const byTown = new Map<string, string[]>();
  const inCells = new Map<string, string[]>();
  let buildings = 0;
  try {
    for (const { buildingId, bytes } of store.records('')) {
      buildings++;
      try {
        const head = decodeHead(buildingId, bytes);
        decodeBody(bytes);
        for (const cell of cellsOf(boxOf(head))) listed(inCells, cell.join()).push(buildingId);
        if (head.townCode !== null) {
          listed(byTown, head.townCode).push(buildingId);
          if (towns.get(head.townCode) === null) {
            differences.push(`${buildingId}: stands in town ${head.townCode}, which ${TOWNS_FILE} does not list`);
          }
        }
      } catch (error) {
        differences.push(`${buildingId}: its record cannot be decoded: ${(error as Error).message}`);
      }
      byWard.set(wardCodeOf(buildingId), (byWard.get(wardCodeOf(buildingId)) ?? 0) + 1);
    }
    for (const [cell, ids] of inCells) {
      const [row, column] = cell.split(',').map(Number) as [number, number];
      const there = cellBuildings(store, row, column).map(({ buildingId }) => buildingId);
      if (!same(there, ids))
        differences.push(`cell ${cell}: lists ${there.length} buildings, ${ids.length} stand there`);
    }
    for (const [town, ids] of byTown) {
      const { ids: there } = store.townBuildings(town, 0, Number.MAX_SAFE_INTEGER);
      if (!same(there, ids))
        differences.push(`town ${town}: lists ${there.length} buildings, ${ids.length} stand there`);
    }
  } finally {
    await store.close();
  }
  for (const [ward, count] of byWard) {
    const rows = found.manifest.files[sunlightBulkName(ward)]?.rows;
    if (rows !== count)
      differences.push(`${sunlightBulkName(ward)}: has ${rows ?? 'no'} rows, the store ${count} records`);
  }
  Object.assign(found.checked, { buildings, cells: inCells.size, towns: towns.list.length });
  tell(found, SUNLIGHT_STORE, differences);
}

function cellBuildings(store: SunlightStore, row: number, column: number): BuildingHead[] {
  const bytes = store.cell(row, column);
  return bytes ? [...readCell(row, column, bytes)].map((entry) => entry.building()) : [];
}

function listed(map: Map<string, string[]>, key: string): string[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
