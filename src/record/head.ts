import { type AttributeKind, type AttributeValue, OF_RECORD, type RecordAttributes } from '../building/attributes.ts';
import type { Footprint } from '../plateau/building.ts';
import type { FaceHours, SunlightSummary } from '../sunlight/summary.ts';
import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';
import { type BuildingHead, FACE_BITS, idNamesCity, MUNICIPALITY_BITS, prefixOf } from './building-record.ts';
import {
  AZIMUTH_BITS,
  centimetres,
  degreeUnits,
  fromCentimetres,
  fromDegreeUnits,
  fromTenthDegrees,
  hoursOf,
  hundredths,
  tenthDegrees,
} from './units.ts';

/** The head of a record: the content of a summary, and the footprint. */

/**
 * About how many bits these numbers have: where their Rice codes begin. Heights are centimetres, steps 10⁻⁸ degrees.
 */
const USUAL_BITS = { base: 10, height: 10, step: 12, footprints: 0, rings: 0, corners: 3 } as const;
/** Bits of hours of a day in hundredths. */
const HOURS_BITS = 12;

/** Writes the head of a record, all but the ID. A `riceContext` expects numbers of about so many bits. */
export function writeHead(out: BitWriter, head: Omit<BuildingHead, 'summary'>, summary: SunlightSummary | null): void {
  writeWard(out, head);
  writeTownCode(out, head.townCode);
  for (const { key, code } of ATTRIBUTE_CODES) code.write(out, head[key]);
  out.signed(centimetres(head.baseM), riceContext(USUAL_BITS.base));
  out.signed(centimetres(head.topM) - centimetres(head.baseM), riceContext(USUAL_BITS.height));
  writeSummary(out, summary);
  writeGeometry(out, head);
}

/**
 * Reads what `writeHead` wrote, and adds the ID.
 * @throws DamageError When the bytes cannot come from `writeHead`.
 */
export function readHead(from: BitReader, buildingId: string): BuildingHead {
  const wardCode = readWard(from, buildingId);
  const townCode = readTownCode(from);
  const attributes = readAttributes(from);
  const base = from.signed(riceContext(USUAL_BITS.base));
  const top = base + from.signed(riceContext(USUAL_BITS.height));
  const summary = readSummary(from);
  const { lat, lon, footprints } = readGeometry(from);
  return {
    buildingId,
    wardCode,
    townCode,
    lat,
    lon,
    ...attributes,
    baseM: fromCentimetres(base),
    topM: fromCentimetres(top),
    footprints,
    summary,
  };
}

/** Writes the ward, unless it follows from the ID. */
function writeWard(out: BitWriter, { buildingId, wardCode }: Pick<BuildingHead, 'buildingId' | 'wardCode'>): void {
  if (idNamesCity(buildingId)) out.bits(Number(wardCode), MUNICIPALITY_BITS);
}

/** Reads the ward, or takes it from the ID. */
const readWard = (from: BitReader, buildingId: string): string =>
  idNamesCity(buildingId) ? String(from.bits(MUNICIPALITY_BITS)).padStart(5, '0') : prefixOf(buildingId);

/** Bits of the digits of a town code after its municipality: four, or six with a chome. */
const TOWN_BITS = 14;
const CHOME_BITS = 20;

/**
 * Writes the code of a town, which may be null.
 * @throws RangeError for a code without 9 or 11 digits
 */
function writeTownCode(out: BitWriter, code: string | null): void {
  if (code !== null && !/^\d{9}(\d{2})?$/.test(code)) {
    throw new RangeError(`town code ${JSON.stringify(code)}: expected 9 or 11 digits`);
  }
  out.flag(code !== null);
  if (code === null) return;
  const hasChome = code.length === 11;
  out.flag(hasChome);
  out.bits(Number(code.slice(0, 5)), MUNICIPALITY_BITS);
  out.bits(Number(code.slice(5)), hasChome ? CHOME_BITS : TOWN_BITS);
}

/** Reads what `writeTownCode` wrote. */
function readTownCode(from: BitReader): string | null {
  if (!from.flag()) return null;
  const hasChome = from.flag();
  const ward = String(from.bits(MUNICIPALITY_BITS)).padStart(5, '0');
  const town = hasChome
    ? String(from.bits(CHOME_BITS)).padStart(6, '0')
    : String(from.bits(TOWN_BITS)).padStart(4, '0');
  return ward + town;
}

/** Reads the attributes in the order of {@link ATTRIBUTE_CODES}. */
function readAttributes(from: BitReader): RecordAttributes {
  const values: Record<string, AttributeValue> = {};
  for (const { key, code } of ATTRIBUTE_CODES) values[key] = code.read(from);
  return values as RecordAttributes;
}

/** Writes the hours of two faces and the mean of the year; null for a building without walls. */
function writeSummary(out: BitWriter, summary: SunlightSummary | null): void {
  out.flag(summary !== null);
  if (summary === null) return;
  for (const { face, azimuthDeg, directSunHours } of [summary.decemberTopBest, summary.decemberFirstSouth]) {
    out.bits(face, FACE_BITS);
    out.bits(tenthDegrees(azimuthDeg), AZIMUTH_BITS);
    out.bits(hundredths(directSunHours), HOURS_BITS);
  }
  out.bits(hundredths(summary.annualMeanHours), HOURS_BITS);
}

/** Reads what `writeSummary` wrote. */
function readSummary(from: BitReader): SunlightSummary | null {
  if (!from.flag()) return null;
  const faceHours = (): FaceHours => ({
    face: from.bits(FACE_BITS),
    azimuthDeg: fromTenthDegrees(from.bits(AZIMUTH_BITS)),
    directSunHours: hoursOf(from.bits(HOURS_BITS)),
  });
  return {
    decemberTopBest: faceHours(),
    decemberFirstSouth: faceHours(),
    annualMeanHours: hoursOf(from.bits(HOURS_BITS)),
  };
}

/**
 * Added to coordinates in units of degrees, so that they are positive: 360°. The sum has 37 bits, more than one number of
 * a stream can have, so it is written in two parts.
 */
const COORDINATE_SHIFT = 360e8;
const HIGH_BITS = 13;
const LOW_BITS = 24;

/**
 * Writes footprint and representative point: the first corner in full, then a chain of steps from it to the point and to
 * each corner of each ring.
 */
function writeGeometry(
  out: BitWriter,
  { footprints, lat, lon }: Pick<BuildingHead, 'footprints' | 'lat' | 'lon'>,
): void {
  const start = footprints[0]?.rings[0] ?? [lat, lon];
  let lastLat = degreeUnits(start[0]);
  let lastLon = degreeUnits(start[1]);
  for (const units of [lastLat, lastLon]) {
    const shifted = units + COORDINATE_SHIFT;
    out.bits(Math.floor(shifted / 2 ** LOW_BITS), HIGH_BITS);
    out.bits(shifted % 2 ** LOW_BITS, LOW_BITS);
  }
  const steps = riceContext(USUAL_BITS.step);
  const writeStep = (toLat: number, toLon: number): void => {
    const latUnits = degreeUnits(toLat);
    const lonUnits = degreeUnits(toLon);
    out.signed(latUnits - lastLat, steps);
    out.signed(lonUnits - lastLon, steps);
    lastLat = latUnits;
    lastLon = lonUnits;
  };
  writeStep(lat, lon);
  out.rice(footprints.length, riceContext(USUAL_BITS.footprints));
  for (const { rings } of footprints) {
    out.rice(rings.length, riceContext(USUAL_BITS.rings));
    for (const ring of rings) {
      out.rice(ring.length / 2, riceContext(USUAL_BITS.corners));
      for (let i = 0; i < ring.length; i += 2) writeStep(ring[i], ring[i + 1]);
    }
  }
}

/**
 * Reads what `writeGeometry` wrote: the first corner in full; from it a step to the representative point; then from point
 * to point the steps to all corners.
 */
function readGeometry(from: BitReader): { lat: number; lon: number; footprints: Footprint[] } {
  const absolute = (): number => from.bits(HIGH_BITS) * 2 ** LOW_BITS + from.bits(LOW_BITS) - COORDINATE_SHIFT;
  // The last point read, in units of degrees: at first the corner that stands in full.
  let lat = absolute();
  let lon = absolute();
  const steps = riceContext(USUAL_BITS.step);
  const stepOn = (): void => {
    lat += from.signed(steps);
    lon += from.signed(steps);
  };
  stepOn();
  const point = { lat: fromDegreeUnits(lat), lon: fromDegreeUnits(lon) };
  const footprints: Footprint[] = [];
  // `count` refuses more than the remaining bits can hold: a ring takes at least a bit, a corner two.
  const footprintCount = from.count(riceContext(USUAL_BITS.footprints), 1);
  for (let f = 0; f < footprintCount; f++) {
    const rings: Float64Array[] = [];
    const ringCount = from.count(riceContext(USUAL_BITS.rings), 1);
    for (let r = 0; r < ringCount; r++) {
      const ring = new Float64Array(from.count(riceContext(USUAL_BITS.corners), 2) * 2);
      for (let i = 0; i < ring.length; i += 2) {
        stepOn();
        ring[i] = fromDegreeUnits(lat);
        ring[i + 1] = fromDegreeUnits(lon);
      }
      rings.push(ring);
    }
    footprints.push({ rings });
  }
  return { ...point, footprints };
}

/** Writes the values of an attribute as bits. Reading returns the written value. */
interface ValueCode<Value extends AttributeValue = AttributeValue> {
  /** Writes a value as bits. */
  write(out: BitWriter, value: Value): void;
  /** Reads what `write` has written. */
  read(from: BitReader): Value;
}

/** How the values of an attribute are written as bits, by its kind. */
function codeOf(row: AttributeKind): ValueCode {
  switch (row.kind) {
    case 'code':
      return digitCode(row.digits);
    case 'number':
      return numberCode(row.decimals, row.bits);
    case 'count':
      return countCode(row.bits);
    case 'choice':
      return choiceCode(row.choices.map(({ value }) => value));
    case 'date':
      return DATE;
  }
}

/** The code of a value that may be null: a flag tells whether the value follows. */
const orNull = (code: ValueCode): ValueCode => ({
  write(out, value) {
    out.flag(value !== null);
    if (value !== null) code.write(out, value);
  },
  read: (from) => (from.flag() ? code.read(from) : null),
});

/**
 * Codes with a fixed number of digits, as numbers. The first number with more digits marks any other text, which then
 * follows.
 */
function digitCode(digits: number): ValueCode<string> {
  const usual = new RegExp(`^\\d{${digits}}$`);
  const unusual = 10 ** digits;
  const width = bitsOf(unusual);
  return {
    /** Writes a code of exactly `digits` digits as its number; any other text as the mark and the text. */
    write(out, code) {
      const isUsual = usual.test(code);
      out.bits(isUsual ? Number(code) : unusual, width);
      if (!isUsual) out.text(code);
    },
    read(from) {
      const number = from.bits(width);
      return number === unusual ? from.text() : String(number).padStart(digits, '0');
    },
  };
}

/**
 * Numbers with a fixed number of decimals.
 * @param bits of a usual number in units of the last decimal
 */
function numberCode(decimals: number, bits: number): ValueCode<number> {
  const units = 10 ** decimals;
  return {
    write: (out, value) => out.signed(Math.round(value * units), riceContext(bits)),
    read: (from) => from.signed(riceContext(bits)) / units,
  };
}

/**
 * Counts.
 * @param bits of a usual count
 */
const countCode = (bits: number): ValueCode<number> => ({
  write: (out, value) => out.rice(value, riceContext(bits)),
  read: (from) => from.rice(riceContext(bits)),
});

/** One of some values, by its index. */
function choiceCode(values: readonly AttributeValue[]): ValueCode {
  const width = bitsOf(values.length - 1);
  return {
    write: (out, value) => out.bits(values.indexOf(value), width),
    read: (from) => values[from.bits(width)],
  };
}

/** Bits of the largest number. */
const bitsOf = (largest: number): number => 32 - Math.clz32(largest);

/** A year, from 0001 on, or a whole date: the year, a flag that tells whether month and day follow, then these. */
const DATE: ValueCode<string> = {
  write(out, date) {
    const [year, month, day] = date.split('-').map(Number);
    out.bits(year, 12);
    const isWhole = month !== undefined && day !== undefined;
    out.flag(isWhole);
    if (!isWhole) return;
    out.bits(month, 4);
    out.bits(day, 5);
  },
  read(from) {
    const year = String(from.bits(12)).padStart(4, '0');
    if (!from.flag()) return year;
    const [month, day] = [from.bits(4), from.bits(5)];
    return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  },
};

/** The attributes of a record and their codes, in order. */
const ATTRIBUTE_CODES = OF_RECORD.map((row) => {
  const code = codeOf(row);
  return { key: row.key, code: row.answer.unknown === undefined ? code : orNull(code) };
});
