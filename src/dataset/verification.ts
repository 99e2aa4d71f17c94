import type { Manifest } from './manifest.ts';

/** What `verify` found. */
export interface Verification {
  manifest: Manifest;
  /** Files and bytes that were read. */
  files: number;
  bytes: number;
  /** Things inside the files that were decoded and compared, by name. */
  checked: Record<string, number>;
  /** A line for each thing that is not as the manifest says; none in a whole dataset. */
  differences: string[];
}

/** Differences inside one file that are told one by one; the rest is counted. */
const MOST_TOLD = 20;

/** Adds what was found inside a file. */
export function tell(found: Verification, file: string, differences: readonly string[]): void {
  const rest = differences.length - MOST_TOLD;
  for (const line of differences.slice(0, MOST_TOLD)) found.differences.push(`${file}: ${line}`);
  if (rest > 0) found.differences.push(`${file}: and ${rest} more`);
}
