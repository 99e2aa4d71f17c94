import { sameSolid } from '../city/building-keys.ts';
import { byCodeUnits } from '../formats/files.ts';
import { pointInPolygon, representativePoint } from '../geo/polygon.ts';
import { Extent } from '../plateau/bounds.ts';
import { type Findings, note } from './report.ts';

/** The keys of the buildings of one part (the buildings of one input that lie in one square), by row. */
export interface PartKeys {
  ids: BigUint64Array;
  solids: BigUint64Array;
}

/** A building that may be a duplicate, as much of it as decides. */
export interface Candidate {
  buildingId: string | null;
  /** Which body of its building it is; null where the file does not say. */
  body: string | null;
  footprints: { rings: Float64Array[] }[];
  baseM: number;
  topM: number;
  lod: 0 | 1 | 2;
  createdOn: string | null;
  measuredHeightM: number | null;
  /** For messages. */
  place: string;
}

/** Where a building stands: number of the part, row in it. */
interface At {
  part: number;
  row: number;
}

/** Which of the buildings that stand more than once are kept. */
interface Duplicates {
  /** By part: the rows that do not stand for themselves. */
  dropped: Map<number, Set<number>>;
  /** Bodies of one building: the row that stands for all of them, and the others, which are dropped. */
  joined: { main: At; others: At[] }[];
}

/** LOD1 says what this program needs, LOD2 gives a prism around it, LOD0 the least. */
const LOD_RANK = [2, 0, 1] as const;

/**
 * Finds the buildings that stand more than once: under the same ID, or as the same solid. Gives the rows to leave
 * out of each part, and counts them. The one kept has an ID before one that has none, the newer date before the
 * older, LOD1 before LOD2 before LOD0, a measured height before none, then the first in order of ID and of parts,
 * which come in order of the inputs' names.
 *
 * Buildings that share an ID and state different bodies are no duplicates but one building: they are joined.
 *
 * `load` gives a candidate in full; it is asked for those only that share a key.
 */
export async function findDuplicates(
  parts: readonly PartKeys[],
  load: (part: number, row: number) => Promise<Candidate>,
  findings: Findings,
): Promise<Duplicates> {
  const dropped = new Map<number, Set<number>>();
  const joined: Duplicates['joined'] = [];
  const drop = ({ part, row }: At): void => {
    if (!dropped.has(part)) dropped.set(part, new Set());
    dropped.get(part)?.add(row);
  };
  const kinds = [
    { reason: 'duplicate_id', keys: 'ids', same: sameBody },
    { reason: 'duplicate_solid', keys: 'solids', same: sameSolid },
  ] as const;
  for (const { reason, keys, same } of kinds) {
    for (const members of sharedKeys(parts.map((part) => part[keys]))) {
      const standing = members.filter(({ part, row }) => !dropped.get(part)?.has(row));
      const candidates = await Promise.all(standing.map(async (at) => ({ ...(await load(at.part, at.row)), ...at })));
      candidates.sort(preferred);
      const kept: typeof candidates = [];
      for (const candidate of candidates) {
        const winner = kept.slice(0, MOST_COMPARED).find((other) => same(other, candidate));
        if (winner === undefined) kept.push(candidate);
        else {
          drop(candidate);
          note(findings, reason, `${candidate.place}; kept: ${winner.place}`);
        }
      }
      if (reason === 'duplicate_id') joined.push(...joinBodies(kept, drop, findings));
    }
  }
  return { dropped, joined };
}

/**
 * With so many of those that share a key, and differ, a building is compared. No real one shares its key with a dozen; of more than these a
 * file was made to take time, and all stand.
 */
const MOST_COMPARED = 1000;

/** The same ID, and not two bodies of one building; what states no body is the same as a body that it stands on. */
function sameBody(a: Candidate, b: Candidate): boolean {
  if (a.buildingId !== b.buildingId) return false;
  return a.body === b.body || ((a.body === null || b.body === null) && (standsOn(a, b) || standsOn(b, a)));
}

/** Whether a point within the one lies within the other. */
function standsOn({ footprints }: Candidate, other: Candidate): boolean {
  if (footprints.length === 0) return true;
  const [x, y] = representativePoint(footprints.map(({ rings }) => rings));
  return other.footprints.some(({ rings }) => pointInPolygon(x, y, rings));
}

/**
 * Of those kept, in order of preference, the first of each ID stands for its further bodies. They are one building and may have no more
 * than one: what would make it larger is left out.
 */
function joinBodies(
  kept: readonly (Candidate & At)[],
  drop: (at: At) => void,
  findings: Findings,
): Duplicates['joined'] {
  const byId = Map.groupBy(kept, ({ buildingId }) => buildingId);
  const joined: Duplicates['joined'] = [];
  for (const [main, ...others] of byId.values()) {
    if (main === undefined || others.length === 0) continue;
    const extent = new Extent();
    extent.add(main.footprints);
    const bodies = others.filter((other) => {
      drop(other);
      const excess = extent.add(other.footprints);
      if (excess === null) note(findings, 'joined_body', `${other.place}; one building with ${main.place}`);
      else note(findings, 'left_out_far_body', `${other.place}; with ${main.place} ${excess}`);
      return excess === null;
    });
    joined.push({ main: at(main), others: bodies.map(at) });
  }
  return joined;
}

const at = ({ part, row }: At): At => ({ part, row });

/** The places of every key but 0 that stands more than once, in order of first place. */
function sharedKeys(parts: readonly BigUint64Array[]): Iterable<At[]> {
  const all = new BigUint64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  all.sort();
  const groups = new Map<bigint, At[]>();
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

function preferred(a: Candidate & At, b: Candidate & At): number {
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
