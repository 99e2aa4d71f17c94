import type { Method } from '../contract/sunlight-shapes.ts';
import { FACES, type FaceSunlight, FLOOR_CLASSES } from '../sunlight/result.ts';
import { multiPolygonOf } from './geojson.ts';
import { type JsonWriter, Phrases } from './json-writer.ts';
import type { BuildingBody, BuildingHead, ShadingSource } from './record/building-record.ts';
import { writeSummary } from './summary-json.ts';
import { timeOfDay } from './sunlight-answers.ts';
import { centimetres, hundredthHours, hundredths, tenthDegrees } from './units.ts';

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
