import type { IssueKind } from './building.ts';
import { Faces } from './faces.ts';

/** Values of a building as they stand in the file, still text. */
export interface PublishedValues {
  /** `uro:buildingID`, in order, without repetition. */
  ids: string[];
  /** `uro:branchID` and `uro:partID`: which body of the building it is, where it has several. */
  branchId: string | null;
  partId: string | null;
  /** `uro:city`: code of the municipality or ward. */
  city: string | null;
  /** The generic attribute 建物ID. */
  genericId: string | null;
  usage: string | null;
  height: { text: string; uom: string | null } | null;
  storeys: string | null;
  creationDate: string | null;
  surveyDates: string[];
}

export function noValues(): PublishedValues {
  return {
    ids: [],
    branchId: null,
    partId: null,
    city: null,
    genericId: null,
    usage: null,
    height: null,
    storeys: null,
    creationDate: null,
    surveyDates: [],
  };
}

/** A value read from text: null when the file says it is unknown; `bad` when it cannot be read. */
export type Read<T> = { value: T | null; bad: string | null };

const good = <T>(value: T | null): Read<T> => ({ value, bad: null });
const bad = <T>(detail: string): Read<T> => ({ value: null, bad: detail });

/** The form of `uro:buildingID` in PLATEAU's specification: municipality code, `bldg`, serial number. */
const BUILDING_ID = /^\d{5}-bldg-\d+$/;

/** A building ID that can be served. */
export const isBuildingId = (id: string): boolean => BUILDING_ID.test(id);

/** Metres in one unit, by the last part of a `uom` such as `m`, `#m`, `urn:ogc:def:uom:EPSG::9001`. */
const METRES: Record<string, number> = {
  m: 1,
  metre: 1,
  meter: 1,
  '9001': 1,
  cm: 0.01,
  mm: 0.001,
  km: 1000,
  ft: 0.3048,
};

/** No building is higher, metres, or has more storeys: what is published beyond cannot be meant. */
const HIGHEST_M = 10_000;
const MOST_STOREYS = 1000;

/** Height in metres; -9999 and 0 mean unknown (PLATEAU's convention). */
export function readHeight({ text, uom }: { text: string; uom: string | null }): Read<number> {
  const number = readNumber(text);
  if (number === null) return bad(`the height "${text}" is not a number`);
  if (number === -9999 || number === 0) return good<number>(null);
  const unit = uom === null ? 'm' : uom.slice(Math.max(uom.lastIndexOf(':'), uom.lastIndexOf('#')) + 1).toLowerCase();
  const metres = METRES[unit];
  if (metres === undefined) return bad(`the height is in "${uom}", which is no known unit of length`);
  return number > 0 && number * metres <= HIGHEST_M ? good(number * metres) : bad(`the height is ${text}`);
}

/** Storeys above ground; 9999, -9999 and 0 mean unknown. */
export function readStoreys(text: string): Read<number> {
  const number = readNumber(text);
  if (number === null || !Number.isInteger(number)) return bad(`the number of storeys "${text}" is not a whole number`);
  if (number === 9999 || number === -9999 || number === 0) return good<number>(null);
  return number > 0 && number <= MOST_STOREYS ? good(number) : bad(`the number of storeys is ${text}`);
}

/**
 * `YYYY-MM-DD` of an xs:date, xs:dateTime or xs:gYear (then the first of January). Years before 1900 and after 2999
 * stand for unknown (0001 and 9999 are published).
 */
export function readDate(text: string): Read<string> {
  const parts = /^(\d{4})(?:-(\d{2})-(\d{2})(?:T[\d:.]+)?)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(text);
  if (!parts) return bad(`the date "${text}" cannot be read`);
  const [, year, month = '01', day = '01'] = parts;
  if (Number(year) < 1900 || Number(year) > 2999) return good<string>(null);
  // Day 0 of the month after is the last day of the month.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const real = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days;
  return real ? good(`${year}-${month}-${day}`) : bad(`there is no date "${text}"`);
}

function readNumber(text: string): number | null {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}

/** What has been read of one building, before it is made into a `Building`. */
export interface BuildingDraft {
  gmlId: string | null;
  /** Offset of its start tag. */
  byte: number;
  /** Of the building itself, and of its parts together. */
  own: PublishedValues;
  parts: PublishedValues[];
  faces: Faces;
  /** Issues met while reading: they are reported when the ID is known. */
  issues: { kind: IssueKind; detail: string }[];
  /** What it has too much of, in words: then no more of its geometry is read, and it is left out. */
  excess: string | null;
  /** Levels of detail that the building has in the file, used or not. */
  lods: Set<0 | 1 | 2 | 3>;
  /** Do roof edges of LOD0 lie on the ground (uro 3.0 and later) or at the roof? */
  roofEdgesOnGround: boolean;
}

export function newDraft(): BuildingDraft {
  return {
    gmlId: null,
    byte: 0,
    own: noValues(),
    parts: [],
    faces: new Faces(),
    issues: [],
    excess: null,
    lods: new Set(),
    roofEdgesOnGround: false,
  };
}

/** Makes a draft ready for the next building. */
export function clearDraft(draft: BuildingDraft, gmlId: string | null, byte: number): void {
  draft.gmlId = gmlId;
  draft.byte = byte;
  draft.own = noValues();
  draft.parts = [];
  draft.faces.clear();
  draft.issues = [];
  draft.excess = null;
  draft.lods.clear();
}
