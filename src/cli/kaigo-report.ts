import type { KaigoReport } from '../pipeline/kaigo-report.ts';
import { findingLines } from './finding-lines.ts';
import { countText, table } from './output.ts';

/** What the care half of a build did, for people. */
export function kaigoLines(report: KaigoReport): string[] {
  const { office_lists, detail_tables, rows, details, facilities, positions, estimates, findings } = report;
  const { estimated = 0, ...reasons } = estimates;
  const without = Object.entries(reasons).map(([reason, count]) => `${countText(count)} ${reason}`);
  const counts: [string, string][] = [
    ['Office lists', countText(office_lists.length)],
    ['Rows read', countText(rows.read)],
    ['served', countText(rows.served)],
    ['duplicates', countText(rows.duplicates)],
    ['left out', countText(rows.left_out)],
    ['Facilities', countText(facilities)],
    ['position believed', countText(positions.published)],
    ['suspect', countText(positions.suspect)],
    ['unknown', countText(positions.unknown)],
    ['Price list', report.price_list],
    ['services estimated', countText(estimated)],
    ['without a figure', without.join(', ') || '0'],
  ];
  if (detail_tables.length > 0) {
    counts.push(
      ['Details read', countText(details.read)],
      ['used', countText(details.used)],
      ['of no listed office', countText(details.unknown)],
      ['duplicates', countText(details.duplicates)],
      ['left out', countText(details.left_out)],
    );
  }
  const width = Math.max(...counts.map(([name]) => name.length));
  return [
    'Care facilities',
    ...counts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...table([
      ['  List', 'Service', 'Extract', 'Rows'],
      ...office_lists.map(({ file, service_code, extracted_on, rows }) => [
        `  ${file}`,
        service_code ?? '–',
        extracted_on ?? '–',
        countText(rows),
      ]),
    ]),
    ...findingLines(findings),
  ];
}
