import { type ChangeCounter, MEASURES, type Measure } from './change-counts.ts';

/** How much may change before a dataset is held back. */
export interface Limit {
  measure: Measure;
  most: number;
  /** In per cent of what the old dataset has; else in things. */
  isPercent: boolean;
}

/** A limit that is exceeded, and where. */
export interface Excess {
  group: string;
  measure: Measure;
  count: number;
  /** How many the old dataset has of the group. */
  of: number;
  /** As it was given: `1%`, `200`. */
  limit: string;
}

/** Fewer things than these exceed no percentage, unless they are all there are: of small groups every share is large. */
const FEWEST = 10;

/**
 * Limits as they are written: `removed=1%,changed_hours=5%,added=2000`.
 * @throws Error that says what would be right
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

/** The limits that the counts exceed. A group that the old dataset lacks exceeds none: a first build and new wards pass. */
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

/** One line for people. */
export function excessText({ group, measure, count, of, limit }: Excess): string {
  const percent = ((100 * count) / of).toFixed(1);
  return `${group}: ${measure} ${count.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} (${percent} %), the limit is ${limit}`;
}
