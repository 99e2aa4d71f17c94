import type { BuildingContents, FacilityContents } from '../dataset/contents.ts';
import type { ChangeCounts, ChangeSummary } from '../snapshot/change-note.ts';
import type { Change, Pair } from './changes.ts';

/** The counts of changes for which a limit can be set. */
const MEASURES = ['added', 'removed', 'changed', 'changed_hours', 'changed_costs', 'became_unknown'] as const;
type Measure = (typeof MEASURES)[number];

const zeroCounts = (): ChangeCounts => ({
  old: 0,
  new: 0,
  added: 0,
  removed: 0,
  changed: 0,
  changed_hours: 0,
  changed_costs: 0,
  became_unknown: 0,
});

/** Counts the changes between two datasets. */
export class ChangeCounter {
  readonly #buildings: Groups;
  readonly #facilities: Groups;

  /**
   * @param except wards and services in which changes are expected. `summary` contains them, `judged` leaves them out
   */
  constructor(except: ReadonlySet<string> = new Set()) {
    this.#buildings = new Groups(except);
    this.#facilities = new Groups(except);
  }

  /** Counts a building in its ward. */
  building({ old, new: now, changes }: Pair<BuildingContents>): void {
    // The code at the beginning of the ID. In some designated cities it is that of the city, not of the ward.
    const wards = (one: BuildingContents | null): string[] => (one === null ? [] : [one.id.slice(0, 5)]);
    const concernsWard = () => true;
    this.#buildings.count(wards(old), wards(now), changes, concernsWard);
  }

  /** Counts a facility in each of its services. */
  facility({ old, new: now, changes }: Pair<FacilityContents>): void {
    const codesOf = (one: FacilityContents | null): string[] =>
      one?.answer().services.map(({ service_code }) => service_code) ?? [];
    const before = codesOf(old);
    // Most facilities have not changed. Their answer is parsed once.
    const isSame = old !== null && now !== null && changes.length === 0;
    const after = isSame ? before : codesOf(now);
    // A change of one service does not count for the other services.
    const concerns = ({ member }: Change, service: string): boolean =>
      !member?.startsWith('services.') || member.startsWith(`services.${service}.`);
    this.#facilities.count(before, after, changes, concerns);
  }

  get summary(): ChangeSummary {
    return {
      buildings: { ...this.#buildings.all, by_ward: this.#buildings.sorted() },
      facilities: { ...this.#facilities.all, by_service: this.#facilities.sorted() },
    };
  }

  /** The counts to which the limits apply, each with the name of its group. */
  *judged(): Generator<[group: string, counts: ChangeCounts]> {
    yield ['all buildings', this.#buildings.judged];
    yield ['all facilities', this.#facilities.judged];
    for (const [ward, counts] of this.#buildings.judgedGroups()) yield [`ward ${ward}`, counts];
    for (const [service, counts] of this.#facilities.judgedGroups()) yield [`service ${service}`, counts];
  }
}

/** Counts of buildings or of facilities, in total and by their groups: the ward of a building, the services of a facility. */
class Groups {
  readonly all = zeroCounts();
  /** The counts to which limits apply: those of the things that have a group outside `except`. */
  readonly judged = zeroCounts();
  readonly #byGroup = new Map<string, ChangeCounts>();
  readonly #except: ReadonlySet<string>;

  constructor(except: ReadonlySet<string>) {
    this.#except = except;
  }

  /**
   * Counts a thing: a building with its ward, or a facility with its services.
   * @param before its groups in the old dataset; empty: the dataset does not have it
   * @param after its groups in the new dataset, likewise
   * @param concerns true when a change of the thing counts as a change in a group
   */
  count(
    before: readonly string[],
    after: readonly string[],
    changes: readonly Change[],
    concerns: (change: Change, group: string) => boolean,
  ): void {
    const groups = new Set([...before, ...after]);
    const presence = { old: before.length > 0, new: after.length > 0 };
    const measures = new Set(changes.flatMap(measuresOf));
    add(this.all, presence, measures);
    if ([...groups].some((group) => !this.#except.has(group))) add(this.judged, presence, measures);
    for (const group of groups) {
      const ofGroup = new Set(changes.filter((change) => concerns(change, group)).flatMap(measuresOf));
      add(this.#countsOf(group), { old: before.includes(group), new: after.includes(group) }, ofGroup);
    }
  }

  #countsOf(group: string): ChangeCounts {
    const counts = this.#byGroup.get(group) ?? zeroCounts();
    this.#byGroup.set(group, counts);
    return counts;
  }

  /** The counts by group, in order of the group's code. */
  sorted(): Record<string, ChangeCounts> {
    return Object.fromEntries([...this.#byGroup].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The counts of the groups outside `except`. */
  judgedGroups(): [group: string, counts: ChangeCounts][] {
    return Object.entries(this.sorted()).filter(([group]) => !this.#except.has(group));
  }
}

/**
 * Adds one thing to the counts.
 * @param presence whether the thing is in the old and in the new dataset
 * @param measures the measures that count its changed values
 */
function add(counts: ChangeCounts, presence: { old: boolean; new: boolean }, measures: ReadonlySet<Measure>): void {
  if (presence.old) counts.old++;
  if (presence.new) counts.new++;
  if (!presence.old) counts.added++;
  else if (!presence.new) counts.removed++;
  else for (const measure of measures) counts[measure]++;
}

/** The measures to which a changed value belongs. None for a thing that was added or removed as a whole: `add` counts it. */
function measuresOf({ kind, member, old, new: now }: Change): Measure[] {
  if (member === null) return [];
  const measures: Measure[] = ['changed'];
  if (kind === 'building' && member.endsWith('.direct_sun_hours')) measures.push('changed_hours');
  if (kind === 'facility' && member.includes('cost_estimate')) measures.push('changed_costs');
  // A service that is no longer offered is not an unknown value.
  if (old !== null && now === null && !SERVICE.test(member)) measures.push('became_unknown');
  return measures;
}

/** The member of a service that was added or removed as a whole. */
const SERVICE = /^services\.\d{3}$/;

/** The largest change that is accepted before a dataset is published. */
export interface Limit {
  measure: Measure;
  most: number;
  /** True: `most` is a percentage of the things in the old dataset. False: it is a number of things. */
  isPercent: boolean;
}

/** A limit that a group exceeds. */
export interface Excess {
  group: string;
  measure: Measure;
  count: number;
  /** The number of things that the group has in the old dataset. */
  of: number;
  /** The limit as the user wrote it: `1%`, `200`. */
  limit: string;
}

/**
 * Fewer changes than this do not exceed a percentage, unless every thing of a group has changed. In a small group each
 * change is a large share.
 */
const FEWEST_FOR_PERCENT = 10;

/**
 * The limits of a text such as `removed=1%,changed_hours=5%,added=2000`.
 * @throws {Error} When the text has another form. The message says what is expected.
 */
export function parseLimits(text: string): Limit[] {
  return text.split(',').map((entry) => {
    const [, name = '', number = '', percent] = /^\s*([a-z_]+)\s*=\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(entry) ?? [];
    const measure = MEASURES.find((one) => one === name);
    if (measure === undefined)
      throw new Error(`"${entry.trim()}": expected NAME=NUMBER or NAME=PERCENT%; names are ${MEASURES.join(', ')}`);
    return { measure, most: Number(number), isPercent: percent === '%' };
  });
}

const limitText = ({ most, isPercent }: Limit): string => `${most}${isPercent ? '%' : ''}`;

/**
 * The limits that the counts exceed. A group that the old dataset does not have exceeds none, so a first build and new
 * wards pass.
 */
export function exceeded(counter: ChangeCounter, limits: readonly Limit[]): Excess[] {
  const excesses: Excess[] = [];
  for (const [group, counts] of counter.judged()) {
    if (counts.old === 0) continue;
    for (const limit of limits) {
      const count = counts[limit.measure];
      // Or the whole group has changed.
      const areEnough = count >= FEWEST_FOR_PERCENT || count >= counts.old;
      const isOver = limit.isPercent ? areEnough && (100 * count) / counts.old > limit.most : count > limit.most;
      if (isOver) excesses.push({ group, measure: limit.measure, count, of: counts.old, limit: limitText(limit) });
    }
  }
  return excesses;
}

/** An exceeded limit as one line of text. */
export function excessText({ group, measure, count, of, limit }: Excess): string {
  const percent = ((100 * count) / of).toFixed(1);
  return `${group}: ${measure} ${count.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} (${percent} %), the limit is ${limit}`;
}
