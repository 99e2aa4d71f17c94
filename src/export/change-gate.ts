import type { BuildingContents, FacilityContents } from '../dataset/contents.ts';
import type { ChangeCounts, ChangeSummary } from '../snapshot/change-note.ts';
import type { Change, Pair } from './changes.ts';

/** The counts that a limit can be set for. */
const MEASURES = ['added', 'removed', 'changed', 'changed_hours', 'changed_costs', 'became_unknown'] as const;
type Measure = (typeof MEASURES)[number];

const nothing = (): ChangeCounts => ({
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
  readonly #buildings = new Groups();
  readonly #facilities = new Groups();

  readonly #except: ReadonlySet<string>;

  /**
   * @param except wards and services in which changes are expected. The summary counts them; `judged` leaves them out.
   */
  constructor(except: ReadonlySet<string> = new Set()) {
    this.#except = except;
  }

  building({ old, new: now, changes }: Pair<BuildingContents>): void {
    // The municipality whose code begins the ID. In some designated cities this is the city.
    const wards = (one: BuildingContents | null): string[] => (one === null ? [] : [one.id.slice(0, 5)]);
    this.#buildings.count(wards(old), wards(now), changes, () => true, this.#except);
  }

  facility({ old, new: now, changes }: Pair<FacilityContents>): void {
    const before = old?.answer().services.map(({ service_code }) => service_code) ?? [];
    const isSame = old !== null && now !== null && changes.length === 0;
    const after = isSame ? before : (now?.answer().services.map(({ service_code }) => service_code) ?? []);
    // A change of one service does not count for the other services.
    const concerns = ({ member }: Change, service: string): boolean =>
      !member?.startsWith('services.') || member.startsWith(`services.${service}.`);
    this.#facilities.count(before, after, changes, concerns, this.#except);
  }

  get summary(): ChangeSummary {
    return {
      buildings: { ...this.#buildings.all, by_ward: this.#buildings.sorted() },
      facilities: { ...this.#facilities.all, by_service: this.#facilities.sorted() },
    };
  }

  /** The counts that the limits apply to, each with the name of its group. */
  *judged(): Generator<[group: string, counts: ChangeCounts]> {
    yield ['all buildings', this.#buildings.judged];
    yield ['all facilities', this.#facilities.judged];
    for (const [ward, counts] of Object.entries(this.#buildings.sorted()))
      if (!this.#except.has(ward)) yield [`ward ${ward}`, counts];
    for (const [service, counts] of Object.entries(this.#facilities.sorted()))
      if (!this.#except.has(service)) yield [`service ${service}`, counts];
  }
}

/** Counts things that belong to one or more groups. */
class Groups {
  readonly all = nothing();
  /** The counts without things whose groups are all excepted. */
  readonly judged = nothing();
  readonly #byGroup = new Map<string, ChangeCounts>();

  count(
    before: readonly string[],
    after: readonly string[],
    changes: readonly Change[],
    concerns: (change: Change, group: string) => boolean,
    except: ReadonlySet<string>,
  ): void {
    const groups = new Set([...before, ...after]);
    const measures = new Set(changes.flatMap(measuresOf));
    const wholes = [...groups].every((group) => except.has(group)) ? [this.all] : [this.all, this.judged];
    for (const counts of wholes) add(counts, before.length > 0, after.length > 0, measures);
    for (const group of groups) {
      const own = new Set(changes.filter((change) => concerns(change, group)).flatMap(measuresOf));
      add(this.#of(group), before.includes(group), after.includes(group), own);
    }
  }

  #of(group: string): ChangeCounts {
    const counts = this.#byGroup.get(group) ?? nothing();
    this.#byGroup.set(group, counts);
    return counts;
  }

  sorted(): Record<string, ChangeCounts> {
    return Object.fromEntries([...this.#byGroup].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function add(counts: ChangeCounts, wasThere: boolean, isThere: boolean, measures: ReadonlySet<Measure>): void {
  if (wasThere) counts.old++;
  if (isThere) counts.new++;
  if (!wasThere) counts.added++;
  else if (!isThere) counts.removed++;
  else for (const measure of measures) counts[measure]++;
}

/** The measures that count a change of a value. */
function measuresOf({ kind, member, old, new: now }: Change): Measure[] {
  if (member === null) return [];
  const measures: Measure[] = ['changed'];
  if (kind === 'building' && member.endsWith('.direct_sun_hours')) measures.push('changed_hours');
  if (kind === 'facility' && member.includes('cost_estimate')) measures.push('changed_costs');
  if (old !== null && now === null && !SERVICE.test(member)) measures.push('became_unknown');
  return measures;
}

/** The member of a service that was added or removed as a whole. */
const SERVICE = /^services\.\d{3}$/;

/** The largest change that is accepted before a dataset is published. */
export interface Limit {
  measure: Measure;
  most: number;
  /** True: `most` is in per cent of the old dataset's number. False: it is a number of things. */
  isPercent: boolean;
}

/** A limit that is exceeded, and the group in which it is. */
export interface Excess {
  group: string;
  measure: Measure;
  count: number;
  /** The number of things that the group has in the old dataset. */
  of: number;
  /** The limit as it was given: `1%`, `200`. */
  limit: string;
}

/**
 * A percentage applies from this number of things on, or when all things of a group changed. In small groups every
 * share is large.
 */
const FEWEST = 10;

/**
 * Reads limits as users write them: `removed=1%,changed_hours=5%,added=2000`.
 * @throws Error that says what is expected
 */
export function parseLimits(text: string): Limit[] {
  return text.split(',').map((part) => {
    const [, name = '', number = '', percent] = /^\s*([a-z_]+)\s*=\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(part) ?? [];
    const measure = MEASURES.find((one) => one === name);
    if (measure === undefined)
      throw new Error(`"${part.trim()}": expected NAME=NUMBER or NAME=PERCENT%; names are ${MEASURES.join(', ')}`);
    return { measure, most: Number(number), isPercent: percent === '%' };
  });
}

const limitText = ({ most, isPercent }: Limit): string => `${most}${isPercent ? '%' : ''}`;

/**
 * The limits that the counts exceed. A group that the old dataset does not have exceeds none, so a first build and new
 * wards pass.
 */
export function exceeded(counter: ChangeCounter, limits: readonly Limit[]): Excess[] {
  const found: Excess[] = [];
  for (const [group, counts] of counter.judged()) {
    if (counts.old === 0) continue;
    for (const limit of limits) {
      const count = counts[limit.measure];
      const isOver = limit.isPercent
        ? (100 * count) / counts.old > limit.most && (count >= FEWEST || count >= counts.old)
        : count > limit.most;
      if (isOver) found.push({ group, measure: limit.measure, count, of: counts.old, limit: limitText(limit) });
    }
  }
  return found;
}

/** An exceeded limit as one line of text. */
export function excessText({ group, measure, count, of, limit }: Excess): string {
  const percent = ((100 * count) / of).toFixed(1);
  return `${group}: ${measure} ${count.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} (${percent} %), the limit is ${limit}`;
}
