import {
  type ModelAttributes,
  PUBLISHED,
  type PublishedKey,
  type PublishedRow,
  valueThatCounts,
} from '../building/attributes.ts';
import type { Building, IssueKind, ReadIssue } from './building.ts';
import { type BuildingDraft, isBuildingId, type PublishedText, type PublishedValues } from './building-draft.ts';
import { roofOf } from './roof.ts';
import { layerOf, shapeOf } from './shape.ts';

/** Makes a building from a complete draft, or null when it has no usable shape. Returns its issues too. */
export function toBuilding(draft: BuildingDraft, file: string): { building: Building | null; issues: ReadIssue[] } {
  const note = (kind: IssueKind, detail: string) => draft.issues.push({ kind, detail });
  const buildingId = idOf(draft, note);
  const attributes = publishedAttributes(draft, (detail) => note('bad_value', detail));
  const shape = shapeOf(draft, [attributes.measuredHeightM, ...draft.parts.map(measuredHeightOf)]);
  let building: Building | null = null;
  if ('footprints' in shape) {
    // `layerOf` adds missing surfaces to a list. This list is not used: `shapeOf` has reported those of the shape, and
    // `roofOf` reports a roof with holes.
    const unusedIssues: typeof draft.issues = [];
    const roof = roofOf(draft, shape, (layer, part) => layerOf(draft, layer, part, unusedIssues));
    if (roof.issue !== null) note(roof.issue.kind, roof.issue.detail);
    building = {
      buildingId,
      gmlId: draft.gmlId,
      source: { file, byte: draft.byte },
      ...shape,
      ...attributes,
      // The newer of two copies of a building is kept. Without a day of creation, the survey tells which is newer.
      createdOn: dayOf(attributes.createdOn ?? attributes.surveyedOn),
      roof: roof.surfaces.length > 0 ? 'surfaces' : 'prism',
    };
    if (roof.surfaces.length > 0) building.roofSurfaces = roof.surfaces;
    const body = bodyOf(draft.own);
    if (body !== null) building.body = body;
  } else note(shape.kind, shape.detail);
  const issues = draft.issues.map(({ kind, detail }) => ({
    kind,
    buildingId,
    gmlId: draft.gmlId,
    file,
    byte: draft.byte,
    detail,
  }));
  return { building, issues };
}

/** The number of IDs that an issue names. */
const SOME_IDS = 5;

type Note = (kind: IssueKind, detail: string) => void;

/**
 * The building ID. Preferred are the building's own IDs to those of its parts, and `uro:buildingID` to 建物ID. Null
 * without a valid one.
 */
function idOf({ own, parts }: BuildingDraft, note: Note): string | null {
  const idsOf = (values: PublishedValues) =>
    values.ids.length === 0 && values.genericId ? [values.genericId] : values.ids;
  const ids = [own, ...parts].map(idsOf).find((list) => list.length > 0) ?? [];
  const [id] = ids;
  if (id === undefined) return null;
  if (ids.length > 1) {
    const more = ids.length > SOME_IDS ? ', …' : '';
    note('several_ids', `${ids.slice(0, SOME_IDS).join(', ')}${more}`);
  }
  if (isBuildingId(id)) return id;
  note('bad_id', `the ID is "${id}"`);
  return null;
}

/** The body of the building, if the file states one. */
const bodyOf = ({ branchId, partId }: PublishedValues): string | null =>
  branchId === null && partId === null ? null : `${branchId ?? ''}/${partId ?? ''}`;

type Value = string | number | null;
type NoteDetail = (detail: string) => void;

/** The attributes before any value is read. */
const UNKNOWN = Object.fromEntries(PUBLISHED.map(({ key }) => [key, null])) as Record<PublishedKey, null>;

/**
 * The published attributes of a building and its parts. The values of a part count only where the building itself has
 * none, or where the newest value counts. A value that cannot be read becomes null.
 * @param note called with a description of each value that cannot be read
 */
function publishedAttributes({ own, parts }: BuildingDraft, note: NoteDetail): Pick<ModelAttributes, PublishedKey> {
  const values: Record<PublishedKey, Value> = { ...UNKNOWN };
  const addValue = (published: PublishedText): void => {
    const { key, from } = published.row;
    // `ofSeveral`: which of several values is used, the first, the largest or the newest.
    values[key] = valueThatCounts(from.ofSeveral, values[key], readText(published, note));
  };
  own.texts.forEach(addValue);
  for (const published of parts.flatMap(({ texts }) => texts)) {
    const buildingHasIt = own.texts.some(({ row }) => row === published.row);
    if (!buildingHasIt || published.row.from.ofSeveral === 'newest') addValue(published);
  }
  return values as Pick<ModelAttributes, PublishedKey>;
}

/** The measured height of a part, metres. A value that cannot be read is unknown; `publishedAttributes` reports it. */
function measuredHeightOf({ texts }: PublishedValues): number | null {
  const published = texts.find(({ row }) => row.key === 'measuredHeightM');
  const value = published === undefined ? null : readText(published, () => {});
  return typeof value === 'number' ? value : null;
}

/**
 * The value of a published text. Lengths are converted to metres. Null for a code that means unknown, and for a value
 * that cannot be read or is outside the bounds of its row; the latter are reported.
 */
function readText({ row, text, uom }: PublishedText, note: NoteDetail): Value {
  if (row.kind === 'date') return readDate(row, text, note);
  if (row.kind !== 'number' && row.kind !== 'count') return text;
  const refuse = (detail: string): null => {
    note(`${elementOf(row)} ${detail}`);
    return null;
  };
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (row.kind === 'count' && !Number.isInteger(number)) return refuse(`"${text}" is not a whole number`);
  if (Number.isNaN(number)) return refuse(`"${text}" is not a number`);
  if (row.from.unknown?.includes(number)) return null;
  const factor = row.kind === 'number' && row.unit === 'm' ? metresIn(uom) : 1;
  if (factor === undefined) return refuse(`is in "${uom}", which is no known unit of length`);
  const value = number * factor;
  // A record stores whole numbers of the last decimal.
  const unitsInOne = row.kind === 'number' ? 10 ** row.decimals : 1;
  const most = Math.min(row.from.most ?? Infinity, LARGEST_STORED / unitsInOne);
  return value >= row.least && value <= most ? value : refuse(`is ${text}`);
}

/** The largest number that a record can hold, in units of its last decimal (record/head.ts). */
const LARGEST_STORED = 2 ** 31 - 1;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** The name of its element without the namespace, for messages. */
const elementOf = ({ from: { elements } }: PublishedRow): string => elements[0].slice(elements[0].indexOf(':') + 1);

/** Metres in one unit of length, by the last part of a `uom`: `m`, `#m`, `urn:ogc:def:uom:EPSG::9001`. */
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

/** The metres in one `uom`; 1 when none is stated, undefined for an unknown unit. */
const metresIn = (uom: string | null): number | undefined =>
  uom === null ? 1 : METRES[uom.slice(Math.max(uom.lastIndexOf(':'), uom.lastIndexOf('#')) + 1).toLowerCase()];

/** Years outside this range mean unknown: 0001 and 9999 are published. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2999;

/**
 * Reads an xs:date, xs:dateTime or xs:gYear as `YYYY-MM-DD` or `YYYY`. Null for an unknown date, and for one that
 * cannot be read, which is reported.
 */
function readDate(row: PublishedRow, text: string, note: NoteDetail): string | null {
  const parts = /^(\d{4})(?:-(\d{2})-(\d{2})(?:T[\d:.]+)?)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(text);
  if (!parts) {
    note(`${elementOf(row)} "${text}" cannot be read`);
    return null;
  }
  const [, year, month, day] = parts;
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  if (month === undefined) return year;
  // Day 0 of the month after is the last day of the month.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days)
    return `${year}-${month}-${day}`;
  note(`${elementOf(row)}: there is no date "${text}"`);
  return null;
}

/** Completes a year to its first of January. */
const dayOf = (date: string | null): string | null => (date?.length === 4 ? `${date}-01-01` : date);
