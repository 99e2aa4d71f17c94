import type { BuildOutcome } from '../pipeline/build.ts';
import type { KaigoReport } from '../pipeline/kaigo-report.ts';
import type { LandmarkReport } from '../pipeline/landmarks.ts';
import type { NormalsReport } from '../pipeline/normals.ts';
import { STAGES } from '../pipeline/progress.ts';
import { MAX_EXAMPLES, type SunlightReport } from '../pipeline/report.ts';
import { FAR_FROM_BASE_M, type TerrainReport } from '../pipeline/terrain.ts';
import { bytesText, countText, durationText, table } from './output.ts';

/** The report of a build for people: counts, findings with their reasons, time by stage. */
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
    ...table([['Stage', 'Time'], ...stages.map((stage) => [stage, durationText((seconds[stage] ?? 0) * 1000)])]),
    '',
  );
  return lines;
}

/** The report of the sunlight half for people. */
function sunlightLines({
  files,
  buildings,
  grid_squares,
  towns,
  addresses,
  normals,
  landmarks,
  terrain,
  findings,
}: SunlightReport): string[] {
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
    ['Blocks of addresses', addresses ? countText(addresses.blocks) : 'none given'],
    ['Normals of sunshine', normals ? normalsText(normals) : 'none given'],
    ['Landmarks of the map', landmarks ? landmarksText(landmarks) : 'none given'],
    ['Terrain', terrain ? terrainText(terrain) : 'none given'],
  ];
  const lines = ['Sunlight', ...alignedCounts(counts)];
  if (addresses) {
    const { rows, elsewhere, abolished, without_name, without_digits, without_position, duplicates } = addresses;
    lines.push(
      `  of ${countText(rows)} rows: ${countText(elsewhere)} outside what is served, ${countText(abolished)} abolished, ` +
        `${countText(without_name)} without a name, ${countText(without_digits)} with a number not of digits, ` +
        `${countText(without_position)} without a position, ${countText(duplicates)} twice`,
      ...addresses.files_left_out.map(
        (name) => `  left out: ${name}: another file of the same area was read in its place`,
      ),
    );
  }
  if (terrain) lines.push(...basesLines(terrain.bases), ...unknownLines(terrain.unknown));
  for (const { problem } of [...files.left_out, ...(terrain?.left_out ?? [])]) lines.push(`  left out: ${problem}`);
  return [...lines, ...findingLines(findings)];
}

/** The counts of landmarks in one line. */
function landmarksText({
  roads,
  rails,
  stations,
  water,
  parks,
  elsewhere,
  passed_over,
  same_data,
}: LandmarkReport): string {
  const twice = same_data.length > 0 ? `, ${same_data.length} files have the same data` : '';
  return `${stations} stations, ${rails} railways, ${water} of water, ${parks} parks, ${roads} roads; ${elsewhere} lie elsewhere, ${passed_over} records are none of these${twice}`;
}

/** The counts of elevation files and cells in one line. */
function terrainText({ files, cells, spacing, left_out, receptors_under_ground }: TerrainReport): string {
  const kinds = [
    [files.plateau, 'of PLATEAU'],
    [files.tiles, 'tiles'],
    [files.xml, 'XML'],
    [files.geotiff, 'GeoTIFF'],
  ] as const;
  const filesRead = kinds.flatMap(([count, name]) => (count > 0 ? `${countText(count)} ${name}` : [])).join(', ');
  const finest = spacing.finest.toFixed(1);
  const coarsest = spacing.coarsest.toFixed(1);
  const steps = finest === coarsest ? finest : `${finest} to ${coarsest}`;
  const dropped = cells.implausible > 0 ? `, ${countText(cells.implausible)} with an implausible height` : '';
  const leftOut = left_out.length > 0 ? `; ${countText(left_out.length)} files left out` : '';
  return `${filesRead}; a height every ${steps} m; ${countText(cells.known)} cells, ${countText(cells.unknown)} unknown${dropped}${leftOut}; ${countText(receptors_under_ground)} receptors under the ground`;
}

/** The counts as lines, with their names padded to the same width. */
function alignedCounts(counts: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...counts.map(([name]) => name.length));
  return counts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}

/** From this share of buildings that do not fit the ground on, the report names a likely cause. */
const UNFIT_SHARE = 0.1;

/** A line about the buildings whose base is far above or below the ground, if there are any. */
function basesLines({ compared, ground_above, ground_below }: TerrainReport['bases']): string[] {
  const unfit = ground_above + ground_below;
  if (unfit === 0) return [];
  const cause =
    unfit > UNFIT_SHARE * compared
      ? ': the elevation may be of another place or vertical datum than the buildings, and then their sun is wrong'
      : '';
  return [
    `  of ${countText(compared)} buildings the ground is over ${FAR_FROM_BASE_M} m above the base of ` +
      `${countText(ground_above)}, over ${FAR_FROM_BASE_M} m below that of ${countText(ground_below)}${cause}`,
  ];
}

/** A line about places without elevation, if there are any. */
function unknownLines({ buildings, grid_squares_beyond_3_km }: TerrainReport['unknown']): string[] {
  if (buildings + grid_squares_beyond_3_km === 0) return [];
  return [
    `  the elevation is not known at ${countText(buildings)} buildings, and nowhere beyond 3 km of ` +
      `${countText(grid_squares_beyond_3_km)} grid squares: the terrain there shades nothing`,
  ];
}

/** The counts of normals of sunshine in one line. */
function normalsText(report: NormalsReport): string {
  const { squares, squares_without, mesh_squares, mesh_unknown, places, stations_unknown, by_hour } = report;
  const mesh = `${countText(mesh_squares)} mesh squares read, ${countText(mesh_unknown)} unknown`;
  const placed = `${countText(places)} places, ${countText(stations_unknown)} stations without a normal`;
  return `${countText(squares)} grid squares, ${countText(squares_without)} without (${mesh}; ${placed}; ${by_hour ? 'by hour' : 'not by hour'})`;
}

/** The report of the care half for people. */
function kaigoLines(report: KaigoReport): string[] {
  const { office_lists, detail_tables, rows, details, facilities, positions, estimates, findings } = report;
  // On what the figures of the estimates rest.
  const { grounds } = report;
  const { estimated = 0, ...notEstimated } = estimates;
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${countText(count)} ${name}`)
      .join(', ') || '0';
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
    ['without a figure', listed(notEstimated)],
    ['typical figures with', listed(grounds.typical)],
    ['in an assumed area', countText(grounds.area_assumed)],
    ['with other kinds of room', countText(grounds.with_other_rooms)],
    ['Tables', countText(grounds.tables)],
    ['in which costs differ', countText(grounds.tables_comparable)],
    ['food of the cheapest', listed(grounds.first_by_food)],
    ['room of the cheapest', listed(grounds.first_by_room)],
    ['Published room fees used', countText(grounds.room_fees)],
    ['in no figure', countText(grounds.room_fees_in_no_figure)],
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
  counts.push(...optionalCounts(report));
  return [
    'Care facilities',
    ...alignedCounts(counts),
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

/** Counts of registers, filings and hazard layers, of those that the build has. */
function optionalCounts({ registers, filings, hazards }: KaigoReport): [string, string][] {
  const counts: [string, string][] = [];
  if (registers.read > 0) {
    const { number, name_and_address, name_and_phone } = registers.matched;
    counts.push(
      ['Homes of registers', countText(registers.read)],
      ['joined by number', countText(number)],
      ['by name and address', countText(name_and_address)],
      ['by name and phone', countText(name_and_phone)],
      ['in a register only', countText(registers.added)],
      ['duplicates', countText(registers.duplicates)],
      ['fit several offices', countText(registers.ambiguous)],
      ['left out', countText(registers.left_out)],
    );
  }
  if (filings.read > 0) {
    counts.push(
      ['Rows of filed additions', countText(filings.read)],
      ['services that use them', countText(filings.services)],
      ['rows joined into one', countText(filings.joined)],
      ['of no listed office', countText(filings.unknown)],
      ['left out', countText(filings.left_out)],
    );
  }
  if (hazards !== null) {
    counts.push(
      [
        'Hazard layers',
        `${countText(hazards.files.length)}, ${countText(hazards.same_data.length)} with the same data`,
      ],
      ['flood zones', countText(hazards.flood_zones)],
      ['landslide zones', countText(hazards.landslide_zones)],
      ['other records', countText(hazards.passed_over)],
      ['offices in a flood zone', `${countText(hazards.in_flood_zone)} of ${countText(hazards.flood_covered)} covered`],
      [
        'in a landslide zone',
        `${countText(hazards.in_landslide_zone)} of ${countText(hazards.landslide_covered)} covered`,
      ],
      ['without a position', countText(hazards.without_position)],
    );
  }
  return counts;
}

/** Limit of the printed examples of each finding. */
const SHOWN = 3;

/** The findings of a build for people: count, meaning, and first examples. */
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
