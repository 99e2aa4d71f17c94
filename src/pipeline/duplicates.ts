import { sameSolid } from '../city/building-keys.ts';
import { byCodeUnits } from '../formats/files.ts';
import { pointInPolygon, representativePoint } from '../geo/polygon.ts';
import { Extent } from '../plateau/bounds.ts';
import { type FindingsByReason, note } from './report.ts';

/** The keys of the buildings of a portion, by row. A portion has the buildings of one input in one square. */
export interface PortionKeys {
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

/** The position of a building: the number of a portion, and a row in it. */
interface PortionRow {
  portion: number;
  row: number;
}

/** The result of the search for duplicates. */
interface Duplicates {
  /** By portion, the rows that are dropped. */
  dropped: Map<number, Set<number>>;
  /** Bodies of one building: the row that represents all of them, and the other rows, which are dropped. */
  joined: { main: PortionRow; others: PortionRow[] }[];
}

/**
 * The rank of LOD0, LOD1 and LOD2; a lower rank is preferred. LOD1 is what this program needs; LOD2 needs a conversion;
 * LOD0 has the least.
 */
const LOD_RANK = [2, 0, 1] as const;

/**
 * Finds buildings that occur more than once: the same body with the same ID, or the same solid. Returns the rows to drop
 * in each portion, and counts them. `byPreference` says which one is kept.
 *
 * Different bodies with the same ID are no duplicates but one building: they are `joined`.
 *
 * @param load loads a candidate; called only for those that share a key
 */
export async function findDuplicates(
  portions: readonly PortionKeys[],
  load: (portion: number, row: number) => Promise<Candidate>,
  findings: FindingsByReason,
): Promise<Duplicates> {
  const dropped = new Map<number, Set<number>>();
  const joined: Duplicates['joined'] = [];
  const drop = ({ portion, row }: PortionRow): void => {
    const rows = dropped.get(portion) ?? new Set();
    dropped.set(portion, rows.add(row));
  };
  /**
   * The rows of joined buildings. A joined building has the bodies of all its rows, so a row is never dropped as a copy
   * of another building. The other building is dropped.
   */
  const joinedRows = new Set<string>();
  /** Of these, the copies of bodies of another joined building: what to note. */
  const copies = new Map<string, string>();
  const nameOf = ({ portion, row }: PortionRow): string => `${portion} ${row}`;
  const isJoined = (position: PortionRow): boolean => joinedRows.has(nameOf(position));
  const kinds = [
    { reason: 'duplicate_id', keys: 'ids', isSame: sameBody },
    { reason: 'duplicate_solid', keys: 'solids', isSame: sameSolid },
  ] as const;
  for (const { reason, keys, isSame } of kinds) {
    for (const members of sharedKeys(portions.map((portion) => portion[keys]))) {
      // Joining drops the rows of the other bodies, but the joined building still has these bodies. So they are compared.
      const positions = members.filter((one) => isJoined(one) || !dropped.get(one.portion)?.has(one.row));
      const candidates = await Promise.all(
        positions.map(async (position) => ({ ...(await load(position.portion, position.row)), ...position })),
      );
      // The first of equal candidates is kept.
      candidates.sort((a, b) => Number(isJoined(b)) - Number(isJoined(a)) || byPreference(a, b));
      const keepers = withoutDuplicates(candidates, isSame, (duplicate, keeper) => {
        const text = `${duplicate.source}; kept: ${keeper.source}`;
        if (isJoined(duplicate)) copies.set(nameOf(duplicate), text);
        else {
          drop(duplicate);
          note(findings, reason, text);
        }
      });
      if (reason === 'duplicate_id') joined.push(...joinBodies(keepers, drop, findings));
    }
    for (const { main, others } of joined) for (const one of [main, ...others]) joinedRows.add(nameOf(one));
  }
  // A joined building of which another one has each body.
  const isCopied = ({ main, others }: Duplicates['joined'][number]): boolean =>
    [main, ...others].every((body) => copies.has(nameOf(body)));
  for (const { main } of joined.filter(isCopied)) {
    drop(main);
    // `!`: `isCopied` has found it.
    note(findings, 'duplicate_solid', copies.get(nameOf(main))!);
  }
  return { dropped, joined: joined.filter((building) => !isCopied(building)) };
}

/**
 * Limit of the comparisons of a building with others of the same key. Real buildings share a key with fewer than a
 * dozen; a file with more was made to waste time, and all its buildings are kept.
 */
const MOST_COMPARED = 1000;

/**
 * Of the candidates of one key, the first of each group of equal ones. Compared are only the first MOST_COMPARED kept.
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
  return a.body === b.body || ((a.body === null || b.body === null) && (liesIn(a, b) || liesIn(b, a)));
}

/** True when the representative point of the first lies inside the other. A building without footprints lies in all. */
function liesIn({ footprints }: Candidate, other: Candidate): boolean {
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
  bodies: readonly (Candidate & PortionRow)[],
  drop: (position: PortionRow) => void,
  findings: FindingsByReason,
): Duplicates['joined'] {
  const byId = Map.groupBy(bodies, ({ buildingId }) => buildingId);
  const joined: Duplicates['joined'] = [];
  for (const [main, ...others] of byId.values()) {
    if (main === undefined || others.length === 0) continue;
    const extent = new Extent();
    extent.add(main.footprints);
    const joinedBodies: PortionRow[] = [];
    for (const other of others) {
      drop(other);
      // Null: it fits. Otherwise the text says by how much the building would be too large; then it stays out of the extent.
      const excess = extent.add(other.footprints);
      if (excess === null) {
        note(findings, 'joined_body', `${other.source}; one building with ${main.source}`);
        joinedBodies.push(portionRowOf(other));
      } else note(findings, 'left_out_far_body', `${other.source}; with ${main.source} ${excess}`);
    }
    joined.push({ main: portionRowOf(main), others: joinedBodies });
  }
  return joined;
}

/** The position alone, so that the rest of a candidate can be freed. */
const portionRowOf = ({ portion, row }: PortionRow): PortionRow => ({ portion, row });

/**
 * For every key that occurs more than once, the positions of the buildings that have it. Keys are in order of their
 * first position. The key 0 is that of a building without one. The keys are sorted first, because a map of the keys of
 * all buildings would take more memory.
 */
function sharedKeys(portions: readonly BigUint64Array[]): Iterable<PortionRow[]> {
  const all = new BigUint64Array(portions.reduce((sum, portion) => sum + portion.length, 0));
  let end = 0;
  for (const portion of portions) {
    all.set(portion, end);
    end += portion.length;
  }
  all.sort();
  const groups = new Map<bigint, PortionRow[]>();
  const repeated = new Set<bigint>();
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1] && all[i] !== 0n) repeated.add(all[i]);
  if (repeated.size === 0) return [];
  for (const [portion, keys] of portions.entries()) {
    for (let row = 0; row < keys.length; row++) {
      if (!repeated.has(keys[row])) continue;
      const group = groups.get(keys[row]);
      if (group) group.push({ portion, row });
      else groups.set(keys[row], [{ portion, row }]);
    }
  }
  return groups.values();
}

/**
 * Sorts the candidate to keep before the others: one with an ID before one without; newer before older; LOD1 before LOD2
 * before LOD0 ({@link LOD_RANK}); with a measured height before without; then the order of IDs and of portions, which are in order of the
 * inputs' names.
 */
function byPreference(a: Candidate & PortionRow, b: Candidate & PortionRow): number {
  return (
    Number(a.buildingId === null) - Number(b.buildingId === null) ||
    byCodeUnits(b.createdOn ?? '', a.createdOn ?? '') ||
    LOD_RANK[a.lod] - LOD_RANK[b.lod] ||
    Number(a.measuredHeightM === null) - Number(b.measuredHeightM === null) ||
    byCodeUnits(a.buildingId ?? '', b.buildingId ?? '') ||
    a.portion - b.portion ||
    a.row - b.row
  );
}
