import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildingKeys } from '../city/building-keys.ts';
import { buildingAt, decodeSquare, encodeSquare, SquareBuilder, type SquareBuildings } from '../city/square-file.ts';
import {
  type Column,
  encodeColumns,
  readColumnFile,
  type TextColumn,
  textAt,
  textColumn,
} from '../formats/column-file.ts';
import { writeWhole } from '../formats/files.ts';
import { LastUsed } from '../formats/last-used.ts';
import type { Building } from '../plateau/building.ts';
import { idNamesCity } from '../record/building-record.ts';
import type { Candidate, PortionKeys } from './duplicates.ts';
import type { FindingsByReason } from './report.ts';

/**
 * The content of one input on disk: for each grid square with its buildings a portion (a square file with the position
 * of each building in the input), and a list of the portions, which is written last. An input with a list has been read
 * completely.
 */
export interface PortionList {
  /** The name of the input in reports. It does not depend on its folder. */
  label: string;
  sha256: string;
  bytes: number;
  /** Number of buildings in the portions, and of buildings left out. */
  buildings: number;
  leftOut: number;
  /** The newest date of the buildings: YYYYMMDD; 0 without dates. */
  newest: number;
  squares: { square: string; buildings: number }[];
  findings: FindingsByReason;
}

/** A portion that was read from disk. */
export interface Portion {
  square: SquareBuildings;
  label: string;
  gmlIds: TextColumn;
  /** `Building.body`; empty without one. */
  bodies: TextColumn;
  /** The offset of each building in the input. */
  byteOffsets: Float64Array;
}

/** The kind of the list among column files. */
const LIST_KIND = 'input';

/** The file of the list, and of a portion, in the folder of an input. */
export const listPath = (folder: string): string => join(folder, 'list');
export const portionPath = (folder: string, square: string): string => join(folder, square);

/** Collects the buildings of one input by square. */
export class PortionBuilder {
  readonly #squares = new Map<string, SquareContent>();
  readonly #keys = new BuildingKeys();

  /** Adds a building to the portion of a square. `lat`, `lon`: its representative point. */
  add(square: string, building: Building, lat: number, lon: number): void {
    let content = this.#squares.get(square);
    if (!content) {
      content = { builder: new SquareBuilder(), gmlIds: [], bodies: [], byteOffsets: [], ids: [], solids: [] };
      this.#squares.set(square, content);
    }
    // The published municipality is kept only for IDs that name a designated city but not its ward. Other IDs have the
    // code of their municipality.
    const cityCode = idNamesCity(building.buildingId ?? '') ? building.cityCode : null;
    content.builder.add({ ...building, cityCode, lat, lon, townCode: null });
    content.gmlIds.push(building.gmlId);
    content.bodies.push(building.body ?? null);
    content.byteOffsets.push(building.source.byte);
    content.ids.push(this.#keys.ofId(building.buildingId));
    content.solids.push(this.#keys.ofSolid(building.footprints, building.baseM, building.topM));
  }

  /** Writes the portions, then the list, into an existing folder. */
  async write(folder: string, about: Omit<PortionList, 'squares' | 'buildings' | 'newest'>): Promise<PortionList> {
    const keyColumns: Record<string, Column> = {};
    const list: PortionList = { ...about, buildings: 0, newest: 0, squares: [] };
    for (const [square, content] of [...this.#squares].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const columns = content.builder.finish();
      const gmlIds = textColumn(content.gmlIds);
      const bodies = textColumn(content.bodies);
      const bytes = encodeSquare(
        columns,
        { label: about.label },
        {
          'gml.offsets': gmlIds.offsets,
          'gml.bytes': gmlIds.bytes,
          'body.offsets': bodies.offsets,
          'body.bytes': bodies.bytes,
          byte: Float64Array.from(content.byteOffsets),
        },
      );
      await writeWhole(portionPath(folder, square), bytes);
      keyColumns[`${square}.ids`] = BigUint64Array.from(content.ids);
      keyColumns[`${square}.solids`] = BigUint64Array.from(content.solids);
      list.squares.push({ square, buildings: columns.count });
      list.buildings += columns.count;
      list.newest = columns.createdOn.reduce((newest, date) => Math.max(newest, date), list.newest);
    }
    await writeWhole(listPath(folder), encodeColumns(LIST_KIND, { meta: list, columns: keyColumns }));
    return list;
  }
}

/** The buildings of one square, and their keys. */
interface SquareContent {
  builder: SquareBuilder;
  gmlIds: (string | null)[];
  bodies: (string | null)[];
  /** Where each building begins in its file, for messages. */
  byteOffsets: number[];
  ids: bigint[];
  solids: bigint[];
}

/** The list of a read input, with the keys of its buildings (of their IDs and of their solids) by square. */
export async function readPortionList(folder: string): Promise<{ list: PortionList; keys: PortionKeys[] }> {
  const { meta, columns } = await readColumnFile<PortionList>(LIST_KIND, listPath(folder));
  const keys = meta.squares.map(({ square }) => ({
    ids: columns[`${square}.ids`] as BigUint64Array,
    solids: columns[`${square}.solids`] as BigUint64Array,
  }));
  return { list: meta, keys };
}

/**
 * Parses a portion.
 * @param name of the file, for messages
 * @throws ColumnFileError when it is damaged
 */
export function decodePortion(bytes: Uint8Array, name: string): Portion {
  const { square, meta, more } = decodeSquare<{ label: string }>(bytes, name);
  const gmlIds = { offsets: more['gml.offsets'] as Uint32Array, bytes: more['gml.bytes'] as Uint8Array };
  const bodies = { offsets: more['body.offsets'] as Uint32Array, bytes: more['body.bytes'] as Uint8Array };
  return { square, label: meta.label, gmlIds, bodies, byteOffsets: more.byte as Float64Array };
}

/** Number of portions in memory, because some are needed several times. */
const HELD_PORTIONS = 16;

/** A function that gives the portion at a path, and keeps the last used portions. It rejects with `ColumnFileError`. */
export function heldPortions(): (path: string) => Promise<Portion> {
  const held = new LastUsed<string, Promise<Portion>>(HELD_PORTIONS);
  return (path) => held.get(path, async () => decodePortion(await readFile(path), path));
}

/** A building of a portion, for comparison. */
export function candidateAt(portion: Portion, row: number): Candidate {
  return { ...buildingAt(portion.square, row), body: textAt(portion.bodies, row), source: sourceAt(portion, row) };
}

/** Where a building is published, for messages: its ID or `gml:id`, the file and the byte. */
export function sourceAt(portion: Portion, row: number): string {
  const name = textAt(portion.square.ids, row) ?? textAt(portion.gmlIds, row) ?? 'a building';
  return `${name} (${portion.label}, byte ${portion.byteOffsets[row]})`;
}
