import type { Building, IssueKind, ReadIssue } from './building.ts';
import type { BuildingDraft } from './building-draft.ts';
import { isBuildingId, type PublishedValues, type Read, readDate, readHeight, readStoreys } from './building-draft.ts';
import { shapeOf } from './shape.ts';

/** A finished draft: the building, or null when nothing can be made of it, and what there is to say about it. */
export function toBuilding(draft: BuildingDraft, file: string): { building: Building | null; issues: ReadIssue[] } {
  const { own, parts, issues: noted } = draft;
  const note = (kind: IssueKind, detail: string) => noted.push({ kind, detail });
  const buildingId = idOf(draft, note);
  let measuredHeightM = heightOf(own, note);
  let storeys = storeysOf(own, note);
  let usageCode = own.usage;
  for (const part of parts) {
    usageCode ??= part.usage;
    // Of several parts the tallest counts.
    if (own.height === null) measuredHeightM = larger(measuredHeightM, heightOf(part, note));
    if (own.storeys === null) storeys = larger(storeys, storeysOf(part, note));
  }

  const surveyedOn = surveyedOf(draft, note);
  const shape = shapeOf(draft, measuredHeightM);
  let building: Building | null = null;
  if ('footprints' in shape) {
    building = {
      buildingId,
      gmlId: draft.gmlId,
      source: { file, byte: draft.byte },
      lod: shape.lod,
      footprints: shape.footprints,
      baseM: shape.baseM,
      topM: shape.topM,
      measuredHeightM,
      storeys,
      usageCode,
      heightSource: shape.heightSource,
      baseSource: shape.baseSource,
      createdOn: createdOf(draft, note) ?? (surveyedOn && readDate(surveyedOn).value),
      surveyedOn,
    };
    const body = bodyOf(own);
    if (body !== null) building.body = body;
    if (own.city !== null && CITY_CODE.test(own.city)) building.cityCode = own.city;
  } else note(shape.kind, shape.detail);
  const issues = noted.map(({ kind, detail }) => ({
    kind,
    buildingId,
    gmlId: draft.gmlId,
    file,
    byte: draft.byte,
    detail,
  }));
  return { building, issues };
}

type Note = (kind: IssueKind, detail: string) => void;

/** The value, or null with a note when it could not be read. */
function known<T>({ value, bad }: Read<T>, note: Note): T | null {
  if (bad !== null) note('bad_value', bad);
  return value;
}

const heightOf = ({ height }: PublishedValues, note: Note) =>
  height === null ? null : known(readHeight(height), note);
const storeysOf = ({ storeys }: PublishedValues, note: Note) =>
  storeys === null ? null : known(readStoreys(storeys), note);

const larger = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

/** `uro:buildingID` before 建物ID, the building's before its parts'. */
function idOf({ own, parts }: BuildingDraft, note: Note): string | null {
  const ids = (values: PublishedValues) =>
    values.ids.length === 0 && values.genericId ? [values.genericId] : values.ids;
  const found = [own, ...parts].map(ids).find((list) => list.length > 0) ?? [];
  const id = found[0];
  if (id === undefined) return null;
  if (found.length > 1) note('several_ids', `${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}`);
  if (isBuildingId(id)) return id;
  note('bad_id', `the ID is "${id}"`);
  return null;
}

/** Which body of its building it is, where the file says so. */
const bodyOf = ({ branchId, partId }: PublishedValues): string | null =>
  branchId === null && partId === null ? null : `${branchId ?? ''}/${partId ?? ''}`;

/** A code of a municipality or ward. */
const CITY_CODE = /^\d{5}$/;

/** Date of creation. */
function createdOf({ own, parts }: BuildingDraft, note: Note): string | null {
  for (const { creationDate } of [own, ...parts]) {
    const created = creationDate === null ? null : known(readDate(creationDate), note);
    if (created !== null) return created;
  }
  return null;
}

/** The newest survey date, no more precise than published: most files give the year alone. */
function surveyedOf({ own, parts }: BuildingDraft, note: Note): string | null {
  let newest: string | null = null;
  for (const text of [own, ...parts].flatMap(({ surveyDates }) => surveyDates)) {
    const date = known(readDate(text), note);
    if (date === null) continue;
    const published = /^\d{4}-\d{2}/.test(text) ? date : date.slice(0, 4);
    if (newest === null || published > newest) newest = published;
  }
  return newest;
}
