/** How often something was met, with the first places where it was. */
export interface Finding {
  count: number;
  /** At most `MAX_EXAMPLES`. */
  examples: string[];
}

/** What a build met on its way, by reason. */
export type Findings = Record<string, Finding>;

export const MAX_EXAMPLES = 20;

/** Counts one more (or `count` more) of a reason; the example is kept while there is room. */
export function note(findings: Findings, reason: string, example: string, count = 1): void {
  addFindings(findings, { [reason]: { count, examples: [example] } });
}

/** Adds findings to others; the examples of the first come first. */
export function addFindings(findings: Findings, more: Findings): void {
  for (const [reason, { count, examples }] of Object.entries(more)) {
    findings[reason] ??= { count: 0, examples: [] };
    findings[reason].count += count;
    findings[reason].examples.push(...examples.slice(0, MAX_EXAMPLES - findings[reason].examples.length));
  }
}
