import type { Building } from './building.ts';
import type { BuildingDraft } from './building-draft.ts';
import type { IssueKind, ReadIssue } from './issue.ts';
import {
  isBuildingId,
  type PublishedValues,
  type Read,
  readDate,
  readHeight,
  readStoreys,
} from './published-values.ts';
import { shapeOf } from './shape.ts';

/** A finished draft: the building, or null when nothing can be made of it, and what there is to say about it. */
export function toBuilding(draft: BuildingDraft, file: string): { building: Building | null; issues: ReadIssue[] } {
  const noted = draft.issues;
  const note = (kind: IssueKind, detail: string) => noted.push({ kind, detail });
  const buildingId = idOf(draft, note);
  const values = <T>(read: (values: PublishedValues) => Read<T> | null) => published(draft, note, read);

  const heights = values(({ height }) => height && readHeight(height));
  const storeys = values(({ storeys }) => (storeys === null ? null : readStoreys(storeys)));
  const usages = [draft.own, ...draft.parts].map(({ usage }) => usage).filter((usage) => usage);
  // Of several parts the tallest counts.
  const measuredHeightM = heights.own ?? highest(heights.parts);

  const shape = shapeOf(draft, measuredHeightM);
  let building: Building | null = null;
  if ('footprints' in shape) {
    building = {
      buildingId,
      gmlId: draft.gmlId,
      source: { file, byte: draft.byte },
      ...shape,
      measuredHeightM,
      storeys: storeys.own ?? highest(storeys.parts),
      usageCode: usages[0] ?? null,
      createdOn: dateOf(draft, note),
    };
  } else note(shape.kind, shape.detail);
  const where = { buildingId, gmlId: draft.gmlId, file, byte: draft.byte };
  return { building, issues: noted.map(({ kind, detail }) => ({ kind, ...where, detail })) };
}

type Note = (kind: IssueKind, detail: string) => void;

/** A value of the building and of its parts, where known; what cannot be read is noted. */
function published<T>(draft: BuildingDraft, note: Note, read: (values: PublishedValues) => Read<T> | null) {
  const known = (values: PublishedValues): T | null => {
    const result = read(values);
    if (result?.bad) note('bad_value', result.bad);
    return result?.value ?? null;
  };
  return { own: known(draft.own), parts: draft.parts.map(known).filter((value) => value !== null) };
}

const highest = (values: number[]): number | null => (values.length === 0 ? null : Math.max(...values));

/** `uro:buildingID` before 建物ID, the building's before its parts'. */
function idOf(draft: BuildingDraft, note: Note): string | null {
  const all = [draft.own, ...draft.parts];
  const ids = [...new Set(all.flatMap(({ ids, genericId }) => (ids.length > 0 ? ids : (genericId ?? []))))];
  const id = ids[0];
  if (id === undefined) return null;
  if (ids.length > 1) note('several_ids', `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`);
  if (isBuildingId(id)) return id;
  note('bad_id', `the ID is "${id}"`);
  return null;
}

/** Date of creation; without one the newest survey date. */
function dateOf(draft: BuildingDraft, note: Note): string | null {
  const read = (text: string): string | null => {
    const { value, bad } = readDate(text);
    if (bad !== null) note('bad_value', bad);
    return value;
  };
  const all = [draft.own, ...draft.parts];
  for (const { creationDate } of all) {
    const created = creationDate === null ? null : read(creationDate);
    if (created !== null) return created;
  }
  const surveys = all.flatMap(({ surveyDates }) => surveyDates.map(read)).filter((date) => date !== null);
  return surveys.sort().at(-1) ?? null;
}
