import type { Building, FileSummary, ReadIssue } from '../../src/plateau/building.ts';
import { BuildingReader } from '../../src/plateau/reader.ts';

interface ReadResult {
  buildings: Building[];
  issues: ReadIssue[];
  summary: FileSummary;
}

/** Reads a whole document, in chunks of the given size (by default in one). */
export function readAll(
  document: Uint8Array | string,
  file = 'test.gml',
  chunkBytes = Number.POSITIVE_INFINITY,
): ReadResult {
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  const buildings: Building[] = [];
  const issues: ReadIssue[] = [];
  const reader = new BuildingReader(file, {
    building: (building) => buildings.push(building),
    issue: (issue) => issues.push(issue),
  });
  for (let from = 0; from < bytes.length; from += chunkBytes) reader.feed(bytes.subarray(from, from + chunkBytes));
  return { buildings, issues, summary: reader.end() };
}
