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
import type { Candidate, PartKeys } from './duplicates.ts';
import type { Findings } from './report.ts';

/**
 * The content of one input on disk: for each grid square with its buildings a part (a square file with the position
 * of each building in the input), and a list of the parts, which is written last. An input with a list has been read
 * completely. Such a part of an input is not a `Part` of the country (part.ts).
 */
export interface PartList {
  /** The name of the input in reports. It does not depend on its folder. */
  label: string;
  sha256: string;
  bytes: number;
  /** Number of buildings in the parts, and of buildings left out. */
  buildings: number;
  leftOut: number;
  /** The newest date of the buildings: YYYYMMDD; 0 without dates. */
  newest: number;
  squares: { square: string; buildings: number }[];
  findings: Findings;
}

/** A part that was read from disk. */
export interface InputPart {
  square: SquareBuildings;
  label: string;
  gmlIds: TextColumn;
  /** `Building.body`; empty without one. */
  bodies: TextColumn;
  /** The offset of each building in the input. */
  bytes: Float64Array;
}

/** The kind of the list among column files. */
const LIST_KIND = 'input';

/** The file of the list, and of a part, in the folder of an input. */
export const listPath = (folder: string): string => join(folder, 'list');
export const partPath = (folder: string, square: string): string => join(folder, square);

/** Collects the buildings of one input by square. */
export class PartBuilder {
  readonly #squares = new Map<string, SquareContent>();
  readonly #keys = new BuildingKeys();

  /** Adds a building to the part of a square. `lat`, `lon`: its representative point. */
  add(square: string, building: Building, lat: number, lon: number): void {
    let content = this.#squares.get(square);
    if (!content) {
      content = { builder: new SquareBuilder(), gmlIds: [], bodies: [], bytes: [], ids: [], solids: [] };
      this.#squares.set(square, content);
    }
    // The published municipality is kept only for IDs that name a designated city but not its ward.
    const cityCode = idNamesCity(building.buildingId ?? '') ? building.cityCode : null;
    content.builder.add({ ...building, cityCode, lat, lon, townCode: null });
    content.gmlIds.push(building.gmlId);
    content.bodies.push(building.body ?? null);
    content.bytes.push(building.source.byte);
    content.ids.push(this.#keys.ofId(building.buildingId));
    content.solids.push(this.#keys.ofSolid(building.footprints, building.baseM, building.topM));
  }

  /** Writes the parts, then the list, into an existing folder. */
  async write(folder: string, about: Omit<PartList, 'squares' | 'buildings' | 'newest'>): Promise<PartList> {
    const keys: Record<string, Column> = {};
    const list: PartList = { ...about, buildings: 0, newest: 0, squares: [] };
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
          byte: Float64Array.from(content.bytes),
        },
      );
      await writeWhole(partPath(folder, square), bytes);
      keys[`${square}.ids`] = BigUint64Array.from(content.ids);
      keys[`${square}.solids`] = BigUint64Array.from(content.solids);
      list.squares.push({ square, buildings: columns.count });
      list.buildings += columns.count;
      list.newest = columns.createdOn.reduce((newest, date) => Math.max(newest, date), list.newest);
    }
    await writeWhole(listPath(folder), encodeColumns(LIST_KIND, { meta: list, columns: keys }));
    return list;
  }
}

/** The buildings of one square, and their keys. */
interface SquareContent {
  builder: SquareBuilder;
  gmlIds: (string | null)[];
  bodies: (string | null)[];
  bytes: number[];
  ids: bigint[];
  solids: bigint[];
}

/** The list of a read input, with the keys of its buildings by square. */
export async function readPartList(folder: string): Promise<{ list: PartList; keys: PartKeys[] }> {
  const { meta, columns } = await readColumnFile<PartList>(LIST_KIND, listPath(folder));
  const keys = meta.squares.map(({ square }) => ({
    ids: columns[`${square}.ids`] as BigUint64Array,
    solids: columns[`${square}.solids`] as BigUint64Array,
  }));
  return { list: meta, keys };
}

/**
 * Parses a part.
 * @param name of the file, for messages
 * @throws ColumnFileError when it is damaged
 */
export function decodePart(bytes: Uint8Array, name: string): InputPart {
  const { square, meta, more } = decodeSquare<{ label: string }>(bytes, name);
  const gmlIds = { offsets: more['gml.offsets'] as Uint32Array, bytes: more['gml.bytes'] as Uint8Array };
  const bodies = { offsets: more['body.offsets'] as Uint32Array, bytes: more['body.bytes'] as Uint8Array };
  return { square, label: meta.label, gmlIds, bodies, bytes: more.byte as Float64Array };
}

/** Number of parts in memory, because some are needed several times. */
const HELD_PARTS = 16;

/** A function that gives the part at a path, and keeps the last used parts. It rejects with `ColumnFileError`. */
export function heldParts(): (path: string) => Promise<InputPart> {
  const held = new LastUsed<string, Promise<InputPart>>(HELD_PARTS);
  return (path) => held.get(path, async () => decodePart(await readFile(path), path));
}

/** A building of a part, for comparison. */
export function candidateAt(part: InputPart, row: number): Candidate {
  return { ...buildingAt(part.square, row), body: textAt(part.bodies, row), source: sourceAt(part, row) };
}

/** Where a building is published, for messages: its ID or `gml:id`, the file and the byte. */
export function sourceAt(part: InputPart, row: number): string {
  const name = textAt(part.square.ids, row) ?? textAt(part.gmlIds, row) ?? 'a building';
  return `${name} (${part.label}, byte ${part.bytes[row]})`;
}
