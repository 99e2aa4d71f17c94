import type { BuildOutcome } from '../pipeline/build.ts';
import { STAGES } from '../pipeline/progress.ts';
import type { SunlightReport } from '../pipeline/report.ts';
import { findingLines } from './finding-lines.ts';
import { kaigoLines } from './kaigo-report.ts';
import { bytesText, countText, durationText, table } from './output.ts';

/** What a build did, for people: counts, everything that was met with its reason, time by stage. */
export function reportLines({ report, squares, seconds }: BuildOutcome): string[] {
  const lines: string[] = [];
  if (report.sunlight) lines.push(...sunlightLines(report.sunlight), '');
  if (report.kaigo) lines.push(...kaigoLines(report.kaigo), '');
  if (squares && squares.resumed + squares.reused > 0) {
    const { computed, resumed, reused } = squares;
    lines.push(`Grid squares: ${computed} computed, ${resumed} done before, ${reused} taken over from the base`, '');
  }
  const stages = STAGES.filter((stage) => seconds[stage] !== undefined);
  lines.push(
    ...table([['Stage', 'Time'], ...stages.map((stage) => [stage, durationText(seconds[stage]! * 1000)])]),
    '',
  );
  return lines;
}

function sunlightLines({ files, buildings, grid_squares, towns, findings }: SunlightReport): string[] {
  const counts: [string, string][] = [
    ['Files read', `${countText(files.read)} (${bytesText(files.bytes)})`],
    ['Files left out', countText(files.left_out.length)],
    ['Buildings read', countText(buildings.read)],
    ['merged as duplicates', countText(buildings.merged)],
    ['left out', countText(buildings.left_out)],
    ['casting shadows', countText(buildings.shading)],
    ['served', countText(buildings.served)],
    ['Grid squares', countText(grid_squares)],
    ['Towns', towns ? countText(towns.towns) : 'none given'],
  ];
  const width = Math.max(...counts.map(([name]) => name.length));
  const lines = ['Sunlight', ...counts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)];
  for (const { problem } of files.left_out) lines.push(`  left out: ${problem}`);
  return [...lines, ...findingLines(findings)];
}
