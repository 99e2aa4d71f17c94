import { MAX_EXAMPLES } from '../pipeline/findings.ts';
import { countText } from './output.ts';

/** Examples shown of each finding. */
const SHOWN = 3;

/** What a build met on its way, for people: how often, what it means, the first places. */
export function findingLines(
  findings: Record<string, { count: number; meaning: string; examples: string[] }>,
): string[] {
  const lines: string[] = [];
  for (const [reason, { count, meaning, examples }] of Object.entries(findings)) {
    lines.push(`  ${countText(count)} ${reason}: ${meaning}`);
    for (const example of examples.slice(0, SHOWN)) lines.push(`      ${example}`);
    const more = count - Math.min(SHOWN, examples.length);
    if (more > 0) lines.push(`      … and ${countText(more)} more`);
  }
  if (lines.length > 0) lines.push(`  up to ${MAX_EXAMPLES} examples of each: manifest.json, under report`);
  return lines;
}
