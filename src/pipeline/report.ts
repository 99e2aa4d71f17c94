import type { TownReport } from '../census/towns.ts';
import { ISSUE_KINDS } from '../plateau/building.ts';
import type { AddressReport } from './addresses.ts';
import type { LandmarkReport } from './landmarks.ts';
import type { NormalsReport } from './normals.ts';
import type { TerrainReport } from './terrain.ts';

/** The count of a finding, with the first examples. */
interface Finding {
  count: number;
  /** At most `MAX_EXAMPLES`. */
  examples: string[];
}

/** What a build found, by reason. */
export type FindingsByReason = Record<string, Finding>;

export const MAX_EXAMPLES = 20;
/** Examples are cut to this length, because a file may contain texts of any length. */
const LONGEST_EXAMPLE = 500;

/**
 * Adds a finding, or `count` of them.
 * @param example the text of an example; or a function that makes it, which is called only while examples are kept
 */
export function note(findings: FindingsByReason, reason: string, example: string | (() => string), count = 1): void {
  const finding = findingOf(findings, reason);
  finding.count += count;
  if (finding.examples.length < MAX_EXAMPLES) {
    const text = typeof example === 'string' ? example : example();
    finding.examples.push(text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE)}…` : text);
  }
}

/** The finding with a reason; a new one is empty. */
function findingOf(findings: FindingsByReason, reason: string): Finding {
  findings[reason] ??= { count: 0, examples: [] };
  return findings[reason];
}

/** Adds `more` to `findings`. Its examples come after those of `findings`. */
export function addFindings(findings: FindingsByReason, more: FindingsByReason): void {
  for (const [reason, { count, examples }] of Object.entries(more)) {
    const finding = findingOf(findings, reason);
    finding.count += count;
    finding.examples.push(...examples.slice(0, MAX_EXAMPLES - finding.examples.length));
  }
}

/**
 * What a build of the sunlight half read, served, merged, repaired and left out. The same input gives the same report.
 */
export interface SunlightReport {
  files: { read: number; bytes: number; left_out: { file: string; problem: string }[] };
  buildings: {
    /** Buildings in the files. Duplicates count each time. */
    read: number;
    /** Duplicates, by ID or solid, and further bodies of a building. */
    merged: number;
    /** Buildings without usable geometry or height. */
    left_out: number;
    /** Bodies in the dataset that shade. */
    shading: number;
    /** Those of them with an ID, and so with a result. */
    served: number;
  };
  grid_squares: number;
  towns: TownReport | null;
  /** Absent without the address registry. */
  addresses?: AddressReport;
  /** Absent without normals of sunshine. */
  normals?: NormalsReport;
  /** Absent without landmarks. */
  landmarks?: LandmarkReport;
  /** Absent without elevation. */
  terrain?: TerrainReport;
  /** By reason, in a fixed order; only what was found. */
  findings: Record<string, ReportedFinding>;
}

interface ReportedFinding extends Finding {
  /** What it means, and what was done. */
  meaning: string;
}

/** The findings of the pipeline, in the order of the report. The reader's issues follow. */
const MEANINGS: Record<string, string> = {
  duplicate_id: 'the same building ID stands elsewhere too: merged',
  duplicate_solid: 'the same solid stands elsewhere too, under another ID or none: merged',
  joined_body: 'same building ID, another branchID or partID: bodies of one building, which all stand',
  out_of_reach: 'cannot shade the part that was asked for: passed over',
  without_id: 'no building ID: shades others, is not served',
  without_height: 'no measured height published: its solid height is given instead',
  placeholder: 'its height could not be measured: stands as a box of 3 m, as published',
  placeholder_with_storeys: 'its height could not be measured: stands 3.6 m for each published storey',
  without_storeys: 'no number of storeys published: estimated from the height and the use',
  without_usage: 'no usage published: null',
  without_town: 'its point lies in no town: town_code is null',
  several_prisms: 'several prisms in one building: all of them count',
  inner_rings: 'inner rings: taken as courtyards',
  roof_surfaces: 'shades with the roof surfaces of its LOD2',
  above_own_roof:
    'a column of receptors whose top floor hangs above the roof of its own building (eaves, setbacks): kept',
  lod0: 'no LOD1 or LOD2: footprint from LOD0, raised by the measured height',
  lod2: 'no LOD1: a prism from ground and highest roof of LOD2',
  repaired_not_a_number: 'points that are no numbers were left out',
  repaired_repeated_point: 'points within a millimetre of the one before were left out',
  repaired_spike: 'points at which a ring turns back on itself were left out',
  repaired_self_crossing: 'a ring crosses itself: cut into simple rings',
  repaired_no_area: 'a ring without area was left out',
  repaired_hole_outside: 'a hole outside its footprint, or as large as it, was left out',
  repaired_hole_in_hole: 'a hole inside another hole, or equal to it, was left out',
  body_left_out:
    'a body without usable geometry, or with too many edges together with the others: left out of its building',
  left_out_no_height: 'the top is not above the base: left out',
  left_out_too_complex: 'too many edges of its rings cross or lie side by side to compare them all: left out',
  left_out_far_body: 'a further body with which its building has more points or metres than any building has: left out',
  left_out_on_one_spot: 'more than 100 buildings cover one place: the further ones are left out',
  left_out_no_area: 'the footprint has no area: left out',
};

/** Findings in the order of the report, with their meanings. Unknown kinds come last, by name. */
export function reportedFindings(findings: FindingsByReason): Record<string, ReportedFinding> {
  const meanings: Record<string, string> = { ...MEANINGS, ...ISSUE_KINDS };
  const order = Object.keys(meanings);
  const rank = (reason: string): number => (reason in meanings ? order.indexOf(reason) : order.length);
  const reasons = Object.keys(findings).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(
    reasons.map((reason) => [
      reason,
      { meaning: meanings[reason] ?? reason.replaceAll('_', ' '), ...findings[reason] },
    ]),
  );
}
