import type { ShadingSource } from '../city/shading-sources.ts';
import { DamageError } from '../formats/checked-file.ts';
import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';
import { type BuildingBody, FACE_BITS, readBuildingId, writeBuildingId } from './building-record.ts';
import {
  AZIMUTH_BITS,
  centimetres,
  fromCentimetres,
  fromShareUnits,
  fromTenthDegrees,
  hoursOf,
  hundredthHours,
  hundredths,
  minutesOf,
  SHARE_BITS,
  shareUnits,
  tenthDegrees,
} from './units.ts';

/**
 * The body of a record: the hours and windows of every face, floor class and month, and the shading sources. Each
 * number is written as its difference from a prediction: a window from the same window a month before, hours from the
 * length of their windows. A floor class that equals the previous one is one bit.
 */

const FLOORS = FLOOR_CLASSES.length;

/** Bits of the number of faces, 0 to 8, and of shading sources, 0 to 5. */
const FACE_COUNT_BITS = 4;
const SOURCE_COUNT_BITS = 3;
/** About how many bits these numbers have: where their Rice codes begin. Lengths are centimetres, hours hundredths. */
const USUAL_BITS = {
  floor: 1,
  floorHeight: 9,
  wallLength: 10,
  receptors: 1,
  sourceDistance: 11,
  sourceHeight: 11,
  blockedHours: 5,
} as const;

/** The contexts of the Rice codes at the start of a record. They adapt to its numbers. */
const contexts = () => ({
  unshaded: riceContext(7),
  count: riceContext(0),
  edge: riceContext(5),
  newEdge: riceContext(7),
  sunOfOne: riceContext(0),
  sunOfMany: riceContext(5),
});
type Contexts = ReturnType<typeof contexts>;

/** Writes the body of a record. */
export function writeBody(out: BitWriter, body: BuildingBody): void {
  for (const { floor, heightM } of body.floors) {
    out.rice(floor, riceContext(USUAL_BITS.floor));
    out.signed(centimetres(heightM), riceContext(USUAL_BITS.floorHeight));
  }
  out.bits(body.faces.length, FACE_COUNT_BITS);
  // These adapt from face to face. A number with a new context does not.
  const rice = contexts();
  const copies = floorCopies(body.faces);
  for (const isCopy of copies) out.flag(isCopy);
  for (const face of body.faces) {
    out.bits(face.face, FACE_BITS);
    out.bits(tenthDegrees(face.azimuthDeg), AZIMUTH_BITS);
    out.rice(centimetres(face.wallLengthM), riceContext(USUAL_BITS.wallLength));
    out.rice(face.receptors, riceContext(USUAL_BITS.receptors));
    // Each month as its difference from the month before.
    let monthBefore = 0;
    for (let month = 0; month < MONTHS; month++) {
      const unshaded = hundredthHours(face.unshadedMinutes[month]);
      out.signed(unshaded - monthBefore, rice.unshaded);
      monthBefore = unshaded;
    }
    // A copy has the same sun as the floor class below it.
    for (let floor = 0; floor < FLOORS; floor++) if (!copies[floor]) writeFloor(out, face, floor, rice);
  }
  out.bits(shareUnits(body.selfShadedShare), SHARE_BITS);
  out.bits(body.shadingSources.length, SOURCE_COUNT_BITS);
  for (const source of body.shadingSources) writeSource(out, source);
}

/**
 * Reads what `writeBody` wrote.
 * @throws DamageError When the bytes cannot come from `writeBody`.
 */
export function readBody(from: BitReader): BuildingBody {
  const floors = FLOOR_CLASSES.map(() => ({
    floor: from.rice(riceContext(USUAL_BITS.floor)),
    heightM: fromCentimetres(from.signed(riceContext(USUAL_BITS.floorHeight))),
  }));
  const faceCount = from.bits(FACE_COUNT_BITS);
  const rice = contexts();
  const copies = FLOOR_CLASSES.map(() => from.flag());
  const faces: FaceSunlight[] = [];
  for (let f = 0; f < faceCount; f++) {
    const face: FaceSunlight = {
      face: from.bits(FACE_BITS),
      azimuthDeg: fromTenthDegrees(from.bits(AZIMUTH_BITS)),
      wallLengthM: fromCentimetres(from.rice(riceContext(USUAL_BITS.wallLength))),
      receptors: from.rice(riceContext(USUAL_BITS.receptors)),
      sunMinutes: new Array(FLOORS * MONTHS),
      unshadedMinutes: new Array(MONTHS),
      windows: new Array(FLOORS * MONTHS),
    };
    // Each month is stored as its difference from the month before.
    let unshaded = 0;
    for (let month = 0; month < MONTHS; month++) {
      unshaded += from.signed(rice.unshaded);
      face.unshadedMinutes[month] = minutesOf(unshaded);
    }
    for (let floor = 0; floor < FLOORS; floor++) {
      // A copy has the same sun as the floor class below it.
      if (copies[floor]) copyFloor(face, floor);
      else readFloor(from, face, floor, rice);
    }
    faces.push(face);
  }
  const selfShadedShare = fromShareUnits(from.bits(SHARE_BITS));
  const shadingSources = Array.from({ length: from.bits(SOURCE_COUNT_BITS) }, () => readSource(from));
  return { floors, faces, shadingSources, selfShadedShare };
}

/**
 * Tells of each floor class whether it equals the class below on every face. In a low house one floor stands for two
 * classes.
 */
function floorCopies(faces: readonly FaceSunlight[]): boolean[] {
  return FLOOR_CLASSES.map((_, floor) => floor > 0 && faces.every((face) => equalsFloorBelow(face, floor)));
}

/**
 * Whether a face has the same hours and windows, as they are stored, on a floor class as on the class below.
 * @param floor 1 or more
 */
function equalsFloorBelow({ sunMinutes, windows }: FaceSunlight, floor: number): boolean {
  for (let at = floor * MONTHS; at < (floor + 1) * MONTHS; at++) {
    const below = at - MONTHS;
    // Floors at the same height have the same array: no need to compare its values.
    if (windows[at] === windows[below] && sunMinutes[at] === sunMinutes[below]) continue;
    if (hundredthHours(sunMinutes[at]) !== hundredthHours(sunMinutes[below])) return false;
    const [upper, lower] = [windows[at], windows[below]];
    if (upper.length !== lower.length || upper.some((edge, i) => edge !== lower[i])) return false;
  }
  return true;
}

/** Fills a floor with the values of the floor below it. */
function copyFloor(face: FaceSunlight, floor: number): void {
  if (floor === 0) throw new DamageError('the first floor cannot be a copy');
  for (let at = floor * MONTHS; at < (floor + 1) * MONTHS; at++) {
    face.sunMinutes[at] = face.sunMinutes[at - MONTHS];
    face.windows[at] = face.windows[at - MONTHS];
  }
}

/**
 * Writes the windows and hours of a floor: windows as differences from the windows that predict them (`nearestWindows`);
 * hours as the difference from the length of their windows. With one receptor that difference is nearly 0.
 */
function writeFloor(out: BitWriter, face: FaceSunlight, floor: number, rice: Contexts): void {
  const sun = face.receptors === 1 ? rice.sunOfOne : rice.sunOfMany;
  for (let month = 0; month < MONTHS; month++) {
    const windows = face.windows[floor * MONTHS + month];
    const before = nearestWindows(face.windows, floor, month);
    // A window has two numbers.
    out.signed((windows.length - before.length) >> 1, rice.count);
    for (let i = 0; i < windows.length; i++) {
      if (i < before.length) out.signed(windows[i] - before[i], rice.edge);
      else out.rice(windows[i] - (i > 0 ? windows[i - 1] : 0), rice.newEdge);
    }
    out.signed(hundredthHours(face.sunMinutes[floor * MONTHS + month]) - windowHundredths(windows), sun);
  }
}

/**
 * Reads what `writeFloor` wrote: differences from the windows that predict these, and from the length of the windows.
 */
function readFloor(from: BitReader, face: FaceSunlight, floor: number, rice: Contexts): void {
  const sun = face.receptors === 1 ? rice.sunOfOne : rice.sunOfMany;
  for (let month = 0; month < MONTHS; month++) {
    const before = nearestWindows(face.windows, floor, month);
    const edges = before.length + 2 * from.signed(rice.count);
    if (edges < 0 || edges > MOST_EDGES) throw new DamageError(`${edges} ends of windows in one day`);
    const windows: number[] = [];
    for (let i = 0; i < edges; i++) {
      if (i < before.length) windows.push(before[i] + from.signed(rice.edge));
      else windows.push((i > 0 ? windows[i - 1] : 0) + from.rice(rice.newEdge));
    }
    face.windows[floor * MONTHS + month] = windows;
    face.sunMinutes[floor * MONTHS + month] = minutesOf(windowHundredths(windows) + from.signed(sun));
  }
}

/** Most starts and ends of windows in a day: those of a window for each minute. */
const MOST_EDGES = 2 * 1440;

const NO_WINDOWS: readonly number[] = [];

/** The windows that predict others: those of the month before, or in January those of the floor below. */
function nearestWindows(windows: readonly number[][], floor: number, month: number): readonly number[] {
  if (month > 0) return windows[floor * MONTHS + month - 1];
  return floor > 0 ? windows[(floor - 1) * MONTHS] : NO_WINDOWS;
}

/** The length of the windows in hundredths of an hour. */
function windowHundredths(windows: readonly number[]): number {
  let minutes = 0;
  for (let i = 0; i < windows.length; i += 2) minutes += windows[i + 1] - windows[i];
  return hundredthHours(minutes);
}

/** Writes a shading source: a building, with or without ID, or the terrain, which alone has no distance and no height. */
function writeSource(out: BitWriter, source: ShadingSource): void {
  const { kind, buildingId, distanceM, azimuthDeg, heightM } = source;
  out.flag(buildingId !== null);
  if (buildingId !== null) writeBuildingId(out, buildingId);
  else out.flag(kind === 'terrain');
  if (distanceM !== null) out.rice(centimetres(distanceM), riceContext(USUAL_BITS.sourceDistance));
  out.bits(tenthDegrees(azimuthDeg), AZIMUTH_BITS);
  if (heightM !== null) out.signed(centimetres(heightM), riceContext(USUAL_BITS.sourceHeight));
  out.rice(hundredths(source.blockedHours), riceContext(USUAL_BITS.blockedHours));
  out.bits(shareUnits(source.share), SHARE_BITS);
}

/** Reads what `writeSource` wrote. */
function readSource(from: BitReader): ShadingSource {
  const buildingId = from.flag() ? readBuildingId(from) : null;
  // A source without ID is the terrain or a building that has no ID; a flag says which.
  const isTerrain = buildingId === null && from.flag();
  return {
    kind: isTerrain ? 'terrain' : 'building',
    buildingId,
    distanceM: isTerrain ? null : fromCentimetres(from.rice(riceContext(USUAL_BITS.sourceDistance))),
    azimuthDeg: fromTenthDegrees(from.bits(AZIMUTH_BITS)),
    heightM: isTerrain ? null : fromCentimetres(from.signed(riceContext(USUAL_BITS.sourceHeight))),
    blockedHours: hoursOf(from.rice(riceContext(USUAL_BITS.blockedHours))),
    share: fromShareUnits(from.bits(SHARE_BITS)),
  };
}
