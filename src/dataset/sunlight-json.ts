import type { BuildingSummary, Method } from '../contract/sunlight-shapes.ts';
import { FACES, type FaceSunlight, FLOOR_CLASSES } from '../sunlight/result.ts';
import { multiPolygonOf } from './geojson.ts';
import { type JsonWriter, Phrases } from './json-bytes.ts';
import type { BuildingBody, BuildingHead, ShadingSource } from './record/building-record.ts';

import { timeOfDay } from './sunlight-answers.ts';
import { centimetres, hundredthHours, hundredths, tenthDegrees } from './units.ts';

/*
 * Summaries are kept as the JSON in which they are answered, so that a list of buildings is put together from bytes and
 * nothing is parsed or written anew. What the JSON of all buildings has in common is kept as one byte: a control
 * character, of which JSON text holds none (RFC 8259, 7). The rest stands as it is.
 */

/** By control character. Their number, order and text are part of the layout of a dataset. At most 32. */
const STRETCHES = [
  '{"building_id":"',
  '","ward_code":"',
  '","town_code":"',
  '","town_name":"',
  '","lat":',
  '","town_code":null,"town_name":null,"lat":',
  ',"lon":',
  ',"usage":"',
  ',"usage":"office","usage_code":"401","height_m":',
  ',"usage":"commercial","usage_code":"402","height_m":',
  ',"usage":"house","usage_code":"411","height_m":',
  ',"usage":"apartment","usage_code":"412","height_m":',
  ',"usage":"house_with_shop","usage_code":"413","height_m":',
  ',"usage":"apartment_with_shop","usage_code":"414","height_m":',
  ',"usage":null,"usage_code":null,"height_m":',
  '","height_m":',
  ',"measured_height_m":',
  ',"storeys":',
  ',"storeys_estimated":false,"december_top_best":{"face":"',
  ',"storeys_estimated":true,"december_top_best":{"face":"',
  '","azimuth_deg":',
  ',"direct_sun_hours":',
  '},"december_first_south":{"face":"',
  '},"annual_mean_hours":',
  ',"quality":{"lod":0,"height_source":"measured_height","base_source":"',
  ',"quality":{"lod":1,"height_source":"solid","base_source":"solid","surroundings":"',
  ',"quality":{"lod":2,"height_source":"solid","base_source":"solid","surroundings":"',
  '","surroundings":"',
  'complete","surveyed_on":null}}',
  'open","surveyed_on":null}}',
  'complete","surveyed_on":"',
  'open","surveyed_on":"',
] as const;

const CODES = new Map(STRETCHES.map((stretch, code) => [stretch as string, String.fromCharCode(code)]));
/** The longest that fits is taken. */
const ANY_STRETCH = new RegExp(
  STRETCHES.toSorted((a, b) => b.length - a.length)
    .map((stretch) => stretch.replace(/[{}]/g, '\\$&'))
    .join('|'),
  'g',
);
const FIRST_PLAIN = 0x20;
const SUMMARY = new Phrases(STRETCHES);

/** A summary as it is kept. The ID comes first, so that the bytes of two buildings are ordered as their IDs. */
export function packSummary(summary: BuildingSummary): Uint8Array {
  const text = JSON.stringify(summary).replace(ANY_STRETCH, (stretch) => CODES.get(stretch) ?? stretch);
  return Buffer.from(text);
}

/** The ID of the building whose summary is kept as this. */
export function keptBuildingId(kept: Uint8Array): string {
  const end = kept.findIndex((byte, i) => i > 0 && byte < FIRST_PLAIN);
  return Buffer.from(kept.subarray(1, end)).toString();
}

/** Writes the JSON of a kept summary, which lies from `from` to `to`. */
export function writeSummary(out: JsonWriter, kept: Uint8Array, from = 0, to = kept.length): void {
  out.packed(SUMMARY, kept, from, to);
}

/** Writes the members of a kept summary after others: with a comma in place of the opening brace. */
export function writeSummaryMembers(out: JsonWriter, kept: Uint8Array, from = 0, to = kept.length): void {
  const before = out.length;
  writeSummary(out, kept, from, to);
  out.replace(out.length - before, ',');
}

/*
 * The full answer about a building (`contract/operations/sunlight-building.ts`), written from its record: twelve
 * months for each of three floors of up to eight faces. Objects and `JSON.stringify` take three times as long.
 */

const MONTHS = 12;
const LAST_MINUTE = 24 * 60;
const MOST_HUNDREDTHS = 24 * 100;

const minutesOfDay = Array.from({ length: LAST_MINUTE + 1 }, (_, minute) => timeOfDay(minute));
const WINDOW_START = new Phrases(minutesOfDay.map((time) => `"${time}",`));
const WINDOW_END = new Phrases(minutesOfDay.map((time) => `"${time}"]`));
const HOURS = new Phrases(Array.from({ length: MOST_HUNDREDTHS + 1 }, (_, units) => String(units / 100)));
const FACE = new Phrases(FACES.map((face) => `{"face":"${face}","azimuth_deg":`));
const MONTH = new Phrases(
  Array.from({ length: MONTHS }, (_, i) => `${i === 0 ? '' : ']},'}{"month":${i + 1},"direct_sun_hours":`),
);
const [UNSHADED, WINDOWS, FIRST_WINDOW, NEXT_WINDOW] = [0, 1, 2, 3];
const PARTS = new Phrases([',"unshaded_hours":', ',"sunlit_windows":[', '[', ',[']);

/** Writes the whole answer. `kept` is the summary as it is kept. */
export function writeFull(
  out: JsonWriter,
  kept: Uint8Array,
  { footprints, ...body }: BuildingBody & Pick<BuildingHead, 'footprints'>,
  method: Method,
): void {
  writeSummary(out, kept);
  out.replace(1, ','); // the closing brace: more members follow
  out.text('"faces":[');
  const floors = body.floors.map(
    ({ floor, heightM }, i) => `"${FLOOR_CLASSES[i]}":{"floor":${floor},"height_m":${heightM},"months":[`,
  );
  for (const [i, face] of body.faces.entries()) {
    if (i > 0) out.text(',');
    writeFace(out, face, floors);
  }
  out.text('],"shading_sources":[');
  for (const [i, source] of body.shadingSources.entries()) writeSource(out, source, i === 0 ? '' : ',');
  out.text(`],"self_shaded_share":${body.selfShadedShare},"footprint":${JSON.stringify(multiPolygonOf(footprints))}`);
  out.text(`,"method":${JSON.stringify(method)}}`);
}

/** @param floors how the answer of each floor begins. */
function writeFace(out: JsonWriter, face: FaceSunlight, floors: readonly string[]): void {
  out.phrase(FACE, face.face);
  out.hundredths(10 * tenthDegrees(face.azimuthDeg));
  out.text(',"wall_length_m":');
  out.hundredths(centimetres(face.wallLengthM));
  out.text(`,"receptors":${face.receptors},"floors":{`);
  const unshaded = Array.from(face.unshadedMinutes, hundredthHours);
  for (const [floor, opening] of floors.entries()) {
    if (floor > 0) out.text(',');
    out.text(opening);
    for (let month = 0; month < MONTHS; month++) {
      const at = floor * MONTHS + month;
      out.phrase(MONTH, month);
      writeHours(out, hundredthHours(face.sunMinutes[at] ?? 0));
      out.phrase(PARTS, UNSHADED);
      writeHours(out, unshaded[month] ?? 0);
      out.phrase(PARTS, WINDOWS);
      writeWindows(out, face.windows[at] ?? []);
    }
    out.text(']}]}');
  }
  out.text('}}');
}

function writeHours(out: JsonWriter, units: number): void {
  if (units >= 0 && units <= MOST_HUNDREDTHS) out.phrase(HOURS, units);
  else out.hundredths(units);
}

function writeWindows(out: JsonWriter, windows: readonly number[]): void {
  for (let i = 0; i < windows.length; i += 2) {
    out.phrase(PARTS, i === 0 ? FIRST_WINDOW : NEXT_WINDOW);
    out.phrase(WINDOW_START, windows[i] ?? 0);
    out.phrase(WINDOW_END, windows[i + 1] ?? 0);
  }
}

function writeSource(out: JsonWriter, source: ShadingSource, before: string): void {
  const id = source.buildingId === null ? 'null' : JSON.stringify(source.buildingId);
  out.text(`${before}{"building_id":${id},"distance_m":`);
  out.hundredths(centimetres(source.distanceM));
  out.text(',"azimuth_deg":');
  out.hundredths(10 * tenthDegrees(source.azimuthDeg));
  out.text(',"height_m":');
  out.hundredths(centimetres(source.heightM));
  out.text(',"blocked_hours":');
  out.hundredths(hundredths(source.blockedHours));
  out.text(`,"share":${source.share}}`);
}
