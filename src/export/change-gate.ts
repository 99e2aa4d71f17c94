import { type ChangeCounter, MEASURES, type Measure } from './change-counts.ts';

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
