import { sameSolid } from '../city/building-keys.ts';
import { byCodeUnits } from '../formats/files.ts';
import { pointInPolygon, representativePoint } from '../geo/polygon.ts';
import { Extent } from '../plateau/bounds.ts';
import { type Findings, note } from './report.ts';

/** The keys of the buildings of a part, by row. A part has the buildings of one input in one square. */
export interface PartKeys {
  ids: BigUint64Array;
  solids: BigUint64Array;
}

/** The facts about a possible duplicate that decide. */
export interface Candidate {
  buildingId: string | null;
  /** The body of its building; null when the file does not say. */
  body: string | null;
  footprints: { rings: Float64Array[] }[];
  baseM: number;
  topM: number;
  lod: 0 | 1 | 2;
  createdOn: string | null;
  measuredHeightM: number | null;
  /** Its ID, file and byte, for messages. */
  source: string;
}

/** The position of a building: the number of a part, and a row in it. */
interface PartRow {
  part: number;
  row: number;
}

/** The result of the search for duplicates. */
interface Duplicates {
  /** By part, the rows that are dropped. */
  dropped: Map<number, Set<number>>;
  /** Bodies of one building: the row that represents all of them, and the other rows, which are dropped. */
  joined: { main: PartRow; others: PartRow[] }[];
}

/**
 * The rank of LOD0, LOD1 and LOD2; a lower rank is preferred. LOD1 is what this program needs; LOD2 needs a conversion;
 * LOD0 has the least.
 */
const LOD_RANK = [2, 0, 1] as const;

/**
 * Finds buildings that occur more than once: with the same ID, or with the same solid. Returns the rows to drop in each
 * part, and counts them. Preference: with an ID before without; newer before older; LOD1 before LOD2 before LOD0; with
 * a measured height before without; then the order of IDs and of parts, which are in order of the inputs' names.
 *
 * Buildings with the same ID and different bodies are not duplicates but one building. They are joined.
 *
 * @param load loads a candidate; called only for those that share a key
 */
export async function findDuplicates(
  parts: readonly PartKeys[],
  load: (part: number, row: number) => Promise<Candidate>,
  findings: Findings,
): Promise<Duplicates> {
  const dropped = new Map<number, Set<number>>();
  const joined: Duplicates['joined'] = [];
  const drop = ({ part, row }: PartRow): void => {
    const rows = dropped.get(part) ?? new Set();
    dropped.set(part, rows.add(row));
  };
  const kinds = [
    { reason: 'duplicate_id', keys: 'ids', isSame: sameBody },
    { reason: 'duplicate_solid', keys: 'solids', isSame: sameSolid },
  ] as const;
  for (const { reason, keys, isSame } of kinds) {
    for (const members of sharedKeys(parts.map((part) => part[keys]))) {
      const positions = members.filter(({ part, row }) => !dropped.get(part)?.has(row));
      const candidates = await Promise.all(
        positions.map(async (position) => ({ ...(await load(position.part, position.row)), ...position })),
      );
      const keepers = withoutDuplicates(candidates.sort(byPreference), isSame, (duplicate, keeper) => {
        drop(duplicate);
        note(findings, reason, `${duplicate.source}; kept: ${keeper.source}`);
      });
      if (reason === 'duplicate_id') joined.push(...joinBodies(keepers, drop, findings));
    }
  }
  return { dropped, joined };
}

/**
 * Limit of the comparisons of a building with others of the same key. Real buildings share a key with fewer than a
 * dozen; a file with more was made to waste time, and all its buildings are kept.
 */
const MOST_COMPARED = 1000;

/**
 * The candidates of one key that are not the same as a preferred one.
 * @param candidates in order of preference
 * @param onDuplicate called with each other candidate, and with the one that is kept instead of it
 */
function withoutDuplicates<C extends Candidate>(
  candidates: readonly C[],
  isSame: (a: Candidate, b: Candidate) => boolean,
  onDuplicate: (duplicate: C, keeper: C) => void,
): C[] {
  const keepers: C[] = [];
  for (const candidate of candidates) {
    const keeper = keepers.slice(0, MOST_COMPARED).find((other) => isSame(other, candidate));
    if (keeper === undefined) keepers.push(candidate);
    else onDuplicate(candidate, keeper);
  }
  return keepers;
}

/**
 * True for the same ID, unless they are two bodies of one building. A building without a body is the same as a body
 * that it overlaps.
 */
function sameBody(a: Candidate, b: Candidate): boolean {
  if (a.buildingId !== b.buildingId) return false;
  return a.body === b.body || ((a.body === null || b.body === null) && (standsOn(a, b) || standsOn(b, a)));
}

/** True when the representative point of the first lies inside the other. A building without footprints lies in all. */
function standsOn({ footprints }: Candidate, other: Candidate): boolean {
  if (footprints.length === 0) return true;
  const [x, y] = representativePoint(footprints.map(({ rings }) => rings));
  return other.footprints.some(({ rings }) => pointInPolygon(x, y, rings));
}

/**
 * Joins the bodies that have the same building ID to the first of them. A body that makes the joined building larger
 * than one building can be is left out.
 * @param bodies in order of preference
 * @param drop called for every body but the first
 */
function joinBodies(
  bodies: readonly (Candidate & PartRow)[],
  drop: (position: PartRow) => void,
  findings: Findings,
): Duplicates['joined'] {
  const byId = Map.groupBy(bodies, ({ buildingId }) => buildingId);
  const joined: Duplicates['joined'] = [];
  for (const [main, ...others] of byId.values()) {
    if (main === undefined || others.length === 0) continue;
    const extent = new Extent();
    extent.add(main.footprints);
    const joinedBodies: PartRow[] = [];
    for (const other of others) {
      drop(other);
      const excess = extent.add(other.footprints);
      if (excess === null) {
        note(findings, 'joined_body', `${other.source}; one building with ${main.source}`);
        joinedBodies.push(partRowOf(other));
      } else note(findings, 'left_out_far_body', `${other.source}; with ${main.source} ${excess}`);
    }
    joined.push({ main: partRowOf(main), others: joinedBodies });
  }
  return joined;
}

/** The position alone, so that the rest of a candidate can be freed. */
const partRowOf = ({ part, row }: PartRow): PartRow => ({ part, row });

/**
 * For every key that occurs more than once, the positions of the buildings that have it. Keys are in order of their
 * first position. The key 0 is that of a building without one. The keys are sorted first, because a map of the keys of
 * all buildings would take more memory.
 */
function sharedKeys(parts: readonly BigUint64Array[]): Iterable<PartRow[]> {
  const all = new BigUint64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  all.sort();
  const groups = new Map<bigint, PartRow[]>();
  const repeated = new Set<bigint>();
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1] && all[i] !== 0n) repeated.add(all[i]);
  if (repeated.size === 0) return [];
  for (const [part, keys] of parts.entries()) {
    for (let row = 0; row < keys.length; row++) {
      if (!repeated.has(keys[row])) continue;
      const group = groups.get(keys[row]);
      if (group) group.push({ part, row });
      else groups.set(keys[row], [{ part, row }]);
    }
  }
  return groups.values();
}

/** Sorts the candidate to keep before the others, by the order of `findDuplicates`. */
function byPreference(a: Candidate & PartRow, b: Candidate & PartRow): number {
  return (
    Number(a.buildingId === null) - Number(b.buildingId === null) ||
    byCodeUnits(b.createdOn ?? '', a.createdOn ?? '') ||
    LOD_RANK[a.lod] - LOD_RANK[b.lod] ||
    Number(a.measuredHeightM === null) - Number(b.measuredHeightM === null) ||
    byCodeUnits(a.buildingId ?? '', b.buildingId ?? '') ||
    a.part - b.part ||
    a.row - b.row
  );
}
