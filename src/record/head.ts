import { type AttributeKind, type AttributeValue, OF_RECORD, type RecordAttributes } from '../building/attributes.ts';
import type { Footprint } from '../plateau/building.ts';
import type { FaceHours, SunlightSummary } from '../sunlight/summary.ts';
import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';
import { type BuildingHead, idNamesCity, prefixOf } from './building-record.ts';
import {
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

/** Writes the head of a record, all but the ID. */
export function writeHead(out: BitWriter, head: Omit<BuildingHead, 'summary'>, summary: SunlightSummary | null): void {
  writeWard(out, head);
  writeTownCode(out, head.townCode);
  for (const { key, code } of ATTRIBUTE_CODES) code.write(out, head[key]);
  out.signed(centimetres(head.baseM), riceContext(10));
  out.signed(centimetres(head.topM) - centimetres(head.baseM), riceContext(10));
  writeSummary(out, summary);
  writePlace(out, head);
}

/**
 * Reads what `writeHead` wrote, all but the ID.
 * @throws DamagedRecordError
 */
export function readHead(from: BitReader, buildingId: string): BuildingHead {
  const wardCode = readWard(from, buildingId);
  const townCode = readTownCode(from);
  const attributes = readAttributes(from);
  const base = from.signed(riceContext(10));
  const top = base + from.signed(riceContext(10));
  const summary = readSummary(from);
  const place = readPlace(from);
  return {
    buildingId,
    wardCode,
    townCode,
    lat: place.lat,
    lon: place.lon,
    ...attributes,
    baseM: fromCentimetres(base),
    topM: fromCentimetres(top),
    footprints: place.footprints,
    summary,
  };
}

/** Writes the ward, unless it follows from the ID. */
function writeWard(out: BitWriter, { buildingId, wardCode }: Pick<BuildingHead, 'buildingId' | 'wardCode'>): void {
  if (idNamesCity(buildingId)) out.bits(Number(wardCode), 17);
}

/** Reads the ward, or takes it from the ID. */
const readWard = (from: BitReader, buildingId: string): string =>
  idNamesCity(buildingId) ? String(from.bits(17)).padStart(5, '0') : prefixOf(buildingId);

function writeTownCode(out: BitWriter, code: string | null): void {
  if (code !== null && !/^\d{9}(\d{2})?$/.test(code)) {
    throw new RangeError(`town code ${JSON.stringify(code)}: expected 9 or 11 digits`);
  }
  out.flag(code !== null);
  if (code === null) return;
  out.flag(code.length === 11);
  out.bits(Number(code.slice(0, 5)), 17);
  out.bits(Number(code.slice(5)), code.length === 11 ? 20 : 14);
}

function readTownCode(from: BitReader): string | null {
  if (!from.flag()) return null;
  const long = from.flag();
  const ward = String(from.bits(17)).padStart(5, '0');
  return ward + (long ? String(from.bits(20)).padStart(6, '0') : String(from.bits(14)).padStart(4, '0'));
}

function readAttributes(from: BitReader): RecordAttributes {
  const values: Record<string, AttributeValue> = {};
  for (const { key, code } of ATTRIBUTE_CODES) values[key] = code.read(from);
  return values as RecordAttributes;
}

function writeSummary(out: BitWriter, summary: SunlightSummary | null): void {
  out.flag(summary !== null);
  if (summary === null) return;
  for (const { face, azimuthDeg, directSunHours } of [summary.decemberTopBest, summary.decemberFirstSouth]) {
    out.bits(face, 3);
    out.bits(tenthDegrees(azimuthDeg), 12);
    out.bits(hundredths(directSunHours), 12);
  }
  out.bits(hundredths(summary.annualMeanHours), 12);
}

function readSummary(from: BitReader): SunlightSummary | null {
  if (!from.flag()) return null;
  const faceHours = (): FaceHours => ({
    face: from.bits(3),
    azimuthDeg: fromTenthDegrees(from.bits(12)),
    directSunHours: hoursOf(from.bits(12)),
  });
  return {
    decemberTopBest: faceHours(),
    decemberFirstSouth: faceHours(),
    annualMeanHours: hoursOf(from.bits(12)),
  };
}

/** Footprint and representative point: one absolute corner, then each point relative to the previous one. */
function writePlace(out: BitWriter, { footprints, lat, lon }: Pick<BuildingHead, 'footprints' | 'lat' | 'lon'>): void {
  const start = footprints[0]?.rings[0] ?? [lat, lon];
  let lastLat = degreeUnits(start[0]);
  let lastLon = degreeUnits(start[1]);
  for (const units of [lastLat, lastLon]) {
    const shifted = units + 360e8;
    out.bits(Math.floor(shifted / 2 ** 24), 13);
    out.bits(shifted % 2 ** 24, 24);
  }
  const steps = riceContext(12);
  const step = (lat: number, lon: number): void => {
    const latUnits = degreeUnits(lat);
    const lonUnits = degreeUnits(lon);
    out.signed(latUnits - lastLat, steps);
    out.signed(lonUnits - lastLon, steps);
    lastLat = latUnits;
    lastLon = lonUnits;
  };
  step(lat, lon);
  out.rice(footprints.length, riceContext(0));
  for (const { rings } of footprints) {
    out.rice(rings.length, riceContext(0));
    for (const ring of rings) {
      out.rice(ring.length / 2, riceContext(3));
      for (let i = 0; i < ring.length; i += 2) step(ring[i], ring[i + 1]);
    }
  }
}

/** Reads what `writePlace` wrote. */
function readPlace(from: BitReader): { lat: number; lon: number; footprints: Footprint[] } {
  const absolute = (): number => from.bits(13) * 2 ** 24 + from.bits(24) - 360e8;
  let lat = absolute();
  let lon = absolute();
  const steps = riceContext(12);
  lat += from.signed(steps);
  lon += from.signed(steps);
  const place = { lat: fromDegreeUnits(lat), lon: fromDegreeUnits(lon), footprints: [] as Footprint[] };
  const footprints = from.count(riceContext(0), 1);
  for (let f = 0; f < footprints; f++) {
    const rings: Float64Array[] = [];
    const count = from.count(riceContext(0), 1);
    for (let r = 0; r < count; r++) {
      const ring = new Float64Array(from.count(riceContext(3), 2) * 2);
      for (let i = 0; i < ring.length; i += 2) {
        lat += from.signed(steps);
        lon += from.signed(steps);
        ring[i] = fromDegreeUnits(lat);
        ring[i + 1] = fromDegreeUnits(lon);
      }
      rings.push(ring);
    }
    place.footprints.push({ rings });
  }
  return place;
}

/** Packs the values of an attribute. Reading returns the written value. */
interface ValueCode<Value extends AttributeValue = AttributeValue> {
  write(out: BitWriter, value: Value): void;
  read(from: BitReader): Value;
}

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

/** A leading flag tells whether there is a value. */
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
  const other = 10 ** digits;
  const width = 32 - Math.clz32(other);
  return {
    write(out, code) {
      const isUsual = usual.test(code);
      out.bits(isUsual ? Number(code) : other, width);
      if (!isUsual) out.text(code);
    },
    read(from) {
      const number = from.bits(width);
      return number === other ? from.text() : String(number).padStart(digits, '0');
    },
  };
}

/** A whole number in units of the last decimal. */
function numberCode(decimals: number, bits: number): ValueCode<number> {
  const units = 10 ** decimals;
  return {
    write: (out, value) => out.signed(Math.round(value * units), riceContext(bits)),
    read: (from) => from.signed(riceContext(bits)) / units,
  };
}

const countCode = (bits: number): ValueCode<number> => ({
  write: (out, value) => out.rice(value, riceContext(bits)),
  read: (from) => from.rice(riceContext(bits)),
});

function choiceCode(values: readonly AttributeValue[]): ValueCode {
  const width = 32 - Math.clz32(values.length - 1);
  return {
    write: (out, value) => out.bits(values.indexOf(value), width),
    read: (from) => values[from.bits(width)],
  };
}

/** The year, from 0001 on, and a flag for month and day, which may follow. */
const DATE: ValueCode<string> = {
  write(out, date) {
    const [year, month, day] = date.split('-').map(Number);
    out.bits(year, 12);
    out.flag(month !== undefined);
    if (month === undefined || day === undefined) return;
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
