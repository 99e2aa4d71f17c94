import { countText } from './output.ts';

/** Examples shown of each finding; the manifest holds up to twenty. */
const SHOWN = 2;

/** What a build met on its way, for people: how often, what it means, the first places. */
export function findingLines(
  findings: Record<string, { count: number; meaning: string; examples: string[] }>,
): string[] {
  const lines: string[] = [];
  for (const [reason, { count, meaning, examples }] of Object.entries(findings)) {
    lines.push(`  ${countText(count)} ${reason}: ${meaning}`);
    for (const example of examples.slice(0, SHOWN)) lines.push(`      ${example}`);
    if (count > SHOWN) lines.push(`      … and ${countText(count - SHOWN)} more`);
  }
  return lines;
}
