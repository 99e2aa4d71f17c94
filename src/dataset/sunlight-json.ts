import type { TSchema } from 'typebox';
import { ANSWERED } from '../building/attributes.ts';
import type { ShadingSource } from '../city/shading-sources.ts';
import { isNullable, valueKeywords } from '../contract/schema.ts';
import { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { FIRST_PLAIN, type FormMember, JsonForm, type JsonWriter, Phrases } from '../formats/json-bytes.ts';
import { DIRECTIONS } from '../geo/compass.ts';
import { isCounterClockwise } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';
import { timeOfDay } from '../record/answers.ts';
import type { BuildingBody, BuildingHead } from '../record/building-record.ts';
import { centimetres, hundredthHours, hundredths, shareUnits, tenthDegrees } from '../record/units.ts';
import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { headlineFaces } from '../sunlight/summary.ts';

/**
 * Summaries are stored as packed JSON values. So a list of buildings is assembled from bytes, without parsing or
 * formatting. The member names, and the values that take one byte, follow from the schema of the answer.
 */

/** How a member of a summary is packed: a value, or an object of values. */
function memberForm([name, schema]: [string, TSchema]): FormMember {
  const { properties } = valueKeywords(schema);
  if (properties === undefined) return valueForm([name, schema]);
  return { name, members: Object.entries(properties).map(valueForm), isNullable: isNullable(schema) };
}

/** The codes of code lists also take one byte. Other codes are stored as text. */
const CODES = new Map(
  ANSWERED.map((row) => [row.answer.name, row.kind === 'code' ? row.named?.values.map(({ code }) => code) : undefined]),
);

/** How the values of a member are packed. Those that its schema lists (`known`) take one byte each. */
function valueForm([name, schema]: [string, TSchema]) {
  const nulls = isNullable(schema) ? [null] : [];
  const known = [...nulls, ...listedValues(name, schema).slice(0, MOST_KNOWN)];
  return { name, isText: valueKeywords(schema).type === 'string', known };
}

/** All values that a member can have by its schema, or its most usual ones; empty when the schema lists none. */
function listedValues(name: string, schema: TSchema): readonly unknown[] {
  const { type, enum: closedList, 'x-extensible-enum': openList, minimum, maximum } = valueKeywords(schema);
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return Array.from({ length: maximum - minimum + 1 }, (_, i) => minimum + i);
  }
  if (type === 'boolean') return [false, true];
  return closedList ?? openList ?? CODES.get(name) ?? [];
}

/** Limit of the known values of a member: 0, null and a null object need control characters of their own. */
const MOST_KNOWN = FIRST_PLAIN - 3;

const SUMMARY = new JsonForm(Object.entries(BuildingSummary.properties).map(memberForm));

/** Packs a summary. The ID comes first, so that the bytes of two buildings have the order of their IDs. */
export const packSummary = (summary: BuildingSummary): Uint8Array => SUMMARY.pack({ ...summary });

/** The building ID of a packed summary. */
export function summaryBuildingId(packed: Uint8Array): string {
  const end = packed.findIndex((byte) => byte < FIRST_PLAIN);
  return Buffer.from(packed.subarray(0, end)).toString();
}

/** Writes the JSON of a packed summary, which lies from `from` to `to`. */
export function writeSummary(out: JsonWriter, packed: Uint8Array, from = 0, to = packed.length): void {
  out.formed(SUMMARY.phrases, packed, from, to);
}

/**
 * Writes the members of a packed summary after other members: a comma replaces the opening brace, and the closing brace
 * ends the object of the caller.
 */
export function writeSummaryMembers(out: JsonWriter, packed: Uint8Array, from: number, to: number): void {
  const before = out.length;
  writeSummary(out, packed, from, to);
  out.replaceFromEnd(out.length - before, ',');
}

/**
 * The full answer about a building (`contract/operations/sunlight-building.ts`), written from its record: twelve
 * months, three floor classes and up to eight faces. Objects and `JSON.stringify` take three times as long.
 */

const LAST_MINUTE = 24 * 60;
const MOST_HUNDREDTHS = 24 * 100;

const minutesOfDay = Array.from({ length: LAST_MINUTE + 1 }, (_, minute) => timeOfDay(minute));
/** The beginning of a window by its minute: first all without a comma, for the first window of a month; then all with one. */
const WINDOW_START = new Phrases([
  ...minutesOfDay.map((time) => `["${time}",`),
  ...minutesOfDay.map((time) => `,["${time}",`),
]);
/** Index of the first phrase with a comma. */
const FIRST_WITH_COMMA = minutesOfDay.length;
const WINDOW_END = new Phrases(minutesOfDay.map((time) => `"${time}"]`));
/** Every number of hours of a day in hundredths, each followed by a text. */
const hoursBefore = (text: string) =>
  new Phrases(Array.from({ length: MOST_HUNDREDTHS + 1 }, (_, units) => `${units / 100}${text}`));
const BEFORE_UNSHADED = ',"unshaded_hours":';
const BEFORE_WINDOWS = ',"sunlit_windows":[';
const SUN_HOURS = hoursBefore(BEFORE_UNSHADED);
const UNSHADED_HOURS = hoursBefore(BEFORE_WINDOWS);
const FACE = new Phrases(DIRECTIONS.map((face) => `{"face":"${face}","azimuth_deg":`));
const MONTH = new Phrases(
  Array.from({ length: MONTHS }, (_, i) => `${i === 0 ? '' : ']},'}{"month":${i + 1},"direct_sun_hours":`),
);

const phraseOf = (text: string): Phrases => new Phrases([text]);
const FACES_BEGIN = phraseOf('"faces":[');
const WALL_LENGTH = phraseOf(',"wall_length_m":');
const RECEPTORS = phraseOf(',"receptors":');
const FLOORS_BEGIN = phraseOf(',"floors":{');
const MONTHS_END = phraseOf(']}]}');
const SOURCES_BEGIN = phraseOf('],"shading_sources":[');
const DISTANCE = phraseOf(',"distance_m":');
const AZIMUTH = phraseOf(',"azimuth_deg":');
const HEIGHT = phraseOf(',"height_m":');
const BLOCKED_HOURS = phraseOf(',"blocked_hours":');
const SHARE = phraseOf(',"share":');
const SELF_SHADED = phraseOf('],"self_shaded_share":');
const FOOTPRINT = phraseOf(',"footprint":{"type":"MultiPolygon","coordinates":[');
const METHOD = phraseOf(']},"method":');

/** Degrees have 7 decimals (`sevenDecimals`), shares 4. */
const [DEGREE_PLACES, SHARE_PLACES] = [7, 4];

/**
 * Writes the whole answer about a building.
 * @param packed the packed summary
 * @param method the JSON of the method
 */
export function writeFull(
  out: JsonWriter,
  packed: Uint8Array,
  body: BuildingBody & Pick<BuildingHead, 'footprints'>,
  method: Uint8Array,
): void {
  writeSummary(out, packed);
  // Replaces the closing brace, because more members follow.
  out.replaceFromEnd(1, ',');
  out.phrase(FACES_BEGIN);
  const floors = body.floors.map(
    ({ floor, heightM }, i) => `"${FLOOR_CLASSES[i]}":{"floor":${floor},"height_m":${heightM},"months":[`,
  );
  // By face: true when the figures of the summary use it.
  const isHeadline = headlineFaces(body.faces.map(({ wallLengthM }) => wallLengthM));
  for (const [i, face] of body.faces.entries()) {
    if (i > 0) out.text(',');
    writeFace(out, face, isHeadline[i], floors);
  }
  out.phrase(SOURCES_BEGIN);
  for (const [i, source] of body.shadingSources.entries()) writeSource(out, source, i === 0 ? '' : ',');
  out.phrase(SELF_SHADED);
  out.decimal(shareUnits(body.selfShadedShare), SHARE_PLACES);
  out.phrase(FOOTPRINT);
  for (const [i, { rings }] of body.footprints.entries()) writePolygon(out, rings, i === 0 ? '[' : ',[');
  out.phrase(METHOD);
  out.bytes(method);
  out.text('}');
}

/**
 * Writes a face with the months of each floor.
 * @param headline true for a face that counts for the building (`headlineFaces`)
 * @param floors the beginning of the JSON of each floor
 */
function writeFace(out: JsonWriter, face: FaceSunlight, headline: boolean, floors: readonly string[]): void {
  out.phrase(FACE, face.face);
  out.decimal(tenthDegrees(face.azimuthDeg), 1);
  out.phrase(WALL_LENGTH);
  out.hundredths(centimetres(face.wallLengthM));
  out.text(headline ? ',"headline":true' : ',"headline":false');
  out.phrase(RECEPTORS);
  out.decimal(face.receptors, 0);
  out.phrase(FLOORS_BEGIN);
  const unshaded = face.unshadedMinutes.map(hundredthHours);
  // The range of the previous floor's months in the output.
  let [from, to] = [0, 0];
  for (const [floor, opening] of floors.entries()) {
    if (floor > 0) out.text(',');
    out.text(opening);
    const begin = out.length;
    if (floor > 0 && isAsBelow(face, floor)) out.repeat(from, to);
    else writeMonths(out, face, floor, unshaded);
    [from, to] = [begin, out.length];
  }
  out.text('}}');
}

/**
 * True when a floor class (1 or 2) has the same hours and windows as the one below. In a low house one floor stands for two floor
 * classes.
 */
function isAsBelow({ sunMinutes, windows }: FaceSunlight, floor: number): boolean {
  for (let at = floor * MONTHS; at < (floor + 1) * MONTHS; at++) {
    // Equal floors share their windows (`decodeBody`).
    if (windows[at] !== windows[at - MONTHS] || sunMinutes[at] !== sunMinutes[at - MONTHS]) return false;
  }
  return true;
}

/**
 * Writes the twelve months of a floor, up to the end of their list. Each `phrase` writes a member name or a value from a
 * list of prepared texts.
 * @param floor index of the floor class
 * @param unshaded hours without obstacles by month, hundredths
 */
function writeMonths(out: JsonWriter, face: FaceSunlight, floor: number, unshaded: readonly number[]): void {
  for (let month = 0; month < MONTHS; month++) {
    const at = floor * MONTHS + month;
    out.phrase(MONTH, month);
    const sunHours = hundredthHours(face.sunMinutes[at] ?? 0);
    writeHours(out, sunHours, SUN_HOURS, BEFORE_UNSHADED);
    writeHours(out, unshaded[month] ?? 0, UNSHADED_HOURS, BEFORE_WINDOWS);
    const windows = face.windows[at] ?? [];
    for (let i = 0; i < windows.length; i += 2) {
      // A window is a minute of the day, and so is the number of its phrase.
      const firstPhrase = i === 0 ? 0 : FIRST_WITH_COMMA;
      out.phrase(WINDOW_START, firstPhrase + (windows[i] ?? 0));
      out.phrase(WINDOW_END, windows[i + 1] ?? 0);
    }
  }
  out.phrase(MONTHS_END);
}

/**
 * Writes hours and the text after them.
 * @param units hundredths of an hour
 * @param phrases hours and text together, for every number of hours of a day
 * @param text what follows hours that no phrase has: more than a day, in damaged data
 */
function writeHours(out: JsonWriter, units: number, phrases: Phrases, text: string): void {
  if (units >= 0 && units <= MOST_HUNDREDTHS) out.phrase(phrases, units);
  else {
    out.hundredths(units);
    out.text(text);
  }
}

/**
 * Writes a shading source.
 * @param before the text before it: a comma after another source
 */
function writeSource(out: JsonWriter, source: ShadingSource, before: string): void {
  const id = source.buildingId === null ? 'null' : JSON.stringify(source.buildingId);
  out.text(`${before}{"kind":"${source.kind}","building_id":${id}`);
  out.phrase(DISTANCE);
  writeMetres(out, source.distanceM);
  out.phrase(AZIMUTH);
  out.decimal(tenthDegrees(source.azimuthDeg), 1);
  out.phrase(HEIGHT);
  writeMetres(out, source.heightM);
  out.phrase(BLOCKED_HOURS);
  out.hundredths(hundredths(source.blockedHours));
  out.phrase(SHARE);
  out.decimal(shareUnits(source.share), SHARE_PLACES);
  out.text('}');
}

function writeMetres(out: JsonWriter, metres: number | null): void {
  if (metres === null) out.text('null');
  else out.hundredths(centimetres(metres));
}

/**
 * Writes the rings of a polygon as `multiPolygonOf` orders them: the outer ring counter-clockwise, holes clockwise.
 * @param before the text before it, with its opening bracket
 */
function writePolygon(out: JsonWriter, rings: Footprint['rings'], before: string): void {
  out.text(before);
  for (const [index, ring] of rings.entries()) {
    out.text(index === 0 ? '[[' : ',[[');
    const points = ring.length / 2;
    const forwards = isCounterClockwise(ring) === (index === 0);
    // The first point is written again as the last: rings are closed in GeoJSON.
    for (let i = 0; i <= points; i++) {
      const at = 2 * (forwards ? i % points : (points - i) % points);
      if (i > 0) out.text('],[');
      out.decimal(Math.round((ring[at + 1] ?? 0) * 10 ** DEGREE_PLACES), DEGREE_PLACES);
      out.text(',');
      out.decimal(Math.round((ring[at] ?? 0) * 10 ** DEGREE_PLACES), DEGREE_PLACES);
    }
    out.text(']]');
  }
  out.text(']');
}
