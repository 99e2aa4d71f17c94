/**
 * Makes the zips of `samples/real/` from the published files; the same bytes every time.
 *
 *   node scripts/make-sample.ts CITYGML_FOLDER DATA_FOLDER
 *
 * CITYGML_FOLDER holds one CityGML file per grid square (`<square>_bldg_6697_op.gml`); DATA_FOLDER holds `census/`
 * and `kaigo/` as described in `samples/real/CREDITS.md`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Box, trimShapefile } from '../samples/real/trim-shapefile.ts';
import { writeZip, type ZipMember } from '../test/support/write-zip.ts';

/** Marunouchi, Nihonbashi, Ōtemachi, Kanda and Akihabara, about 1 km by 1 km each; whole, they would take most of half a minute to build. */
const SQUARES = ['53394611', '53394612', '53394621', '53394622', '53394631', '53394632'];
/** What the sample covers, degrees: three squares, and the western halves of the three beside them. */
const AREA: Box = [139.7625, 35.675, 139.78125, 35.7];
/** A building, and the longitude of its first corner. */
const BUILDING = /<core:cityObjectMember>(?:(?!<\/core:).)*?<gml:posList>\S+ (\S+) .*?<\/core:cityObjectMember>\n?/gs;
const WARDS_OF_SQUARES = ['13101', '13102', '13105', '13106'];
/** Municipality code with check digit, or office list row, of one of the 23 wards. */
const OF_THE_23_WARDS = /^131[012]\d{2}/;

const [cityGml, data] = process.argv.slice(2);
if (cityGml === undefined || data === undefined) {
  process.stderr.write('usage: node scripts/make-sample.ts CITYGML_FOLDER DATA_FOLDER\n');
  process.exitCode = 2;
} else {
  zip('plateau.zip', cityModel(cityGml));
  zip('census.zip', towns(join(data, 'census')));
  zip('postal.zip', readings(join(data, 'census/13TOKYO.CSV')));
  const lists = readdirSync(join(data, 'kaigo/offices')).map((name) => join(data, 'kaigo/offices', name));
  const derived = join(data, 'kaigo/offices-derived/jigyosho_510.csv');
  const offices = [...lists, derived].sort().flatMap(officeList);
  zip('offices.zip', offices);
  zip('details.zip', details(join(data, 'kaigo/tokuyo_detail_tokyo_saitama.csv'), derived));
}

function zip(name: string, members: ZipMember[]): void {
  writeZip(join(import.meta.dirname, '../samples/real', name), members);
  process.stdout.write(`${name}: ${members.map((member) => String(member.name)).join(', ')}\n`);
}

function cityModel(folder: string): ZipMember[] {
  return SQUARES.map((square) => {
    const name = `udx/bldg/${square}_bldg_6697_op.gml`;
    return { name, data: readFileSync(join(folder, name), 'utf8').replace(BUILDING, keptIfInArea) };
  });
}

/** The text of a building as published where its first corner lies west of the area's eastern edge; else nothing. */
function keptIfInArea(building: string, lon: string): string {
  return Number(lon) < AREA[2] ? building : '';
}

function towns(folder: string): ZipMember[] {
  return WARDS_OF_SQUARES.flatMap((ward) => {
    const read = (extension: string) => readFileSync(join(folder, `r2ka${ward}.${extension}`));
    const trimmed = trimShapefile({ shp: read('shp'), dbf: read('dbf') }, AREA);
    return Object.entries({ ...trimmed, prj: read('prj') }).map(([extension, bytes]) => ({
      name: `r2ka${ward}.${extension}`,
      data: bytes,
    }));
  });
}

/** The rows of the squares' wards; cut at line ends, which no byte of a cp932 letter can be. */
function readings(path: string): ZipMember[] {
  const rows = readFileSync(path, 'latin1').split(/(?<=\n)/);
  const kept = rows.filter((row) => WARDS_OF_SQUARES.includes(row.slice(0, 5)));
  return [{ name: basename(path), data: Buffer.from(kept.join(''), 'latin1') }];
}

/** The header and the rows of the 23 wards; none where a list has no such row. */
function officeList(path: string): ZipMember[] {
  const [head, ...rows] = records(path);
  const kept = rows.filter((row) => OF_THE_23_WARDS.test(row));
  return kept.length === 0 ? [] : [{ name: basename(path), data: head + kept.join('') }];
}

/** The rows of the details that belong to a kept row of the derived office list. */
function details(path: string, derived: string): ZipMember[] {
  const offices = new Set(
    records(derived)
      .filter((row) => OF_THE_23_WARDS.test(row))
      .map((row) => row.split(',')[1]),
  );
  const [head, ...rows] = records(path);
  return [{ name: 'details.csv', data: head + rows.filter((row) => offices.has(row.split(',')[0])).join('') }];
}

/** The records of a CSV file with their line ends; a line break inside quotes belongs to its record. */
function records(path: string): string[] {
  return readFileSync(path, 'utf8').match(/(?:"[^"]*"|[^"\n])*\n/g) ?? [];
}
