import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { type JsonWriter, Phrases } from './json-writer.ts';

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
