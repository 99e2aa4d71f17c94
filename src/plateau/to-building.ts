import { dayOf, publishedAttributes } from './attribute-values.ts';
import type { Building, IssueKind, ReadIssue } from './building.ts';
import { type BuildingDraft, isBuildingId, type PublishedValues } from './building-draft.ts';
import { roofOf } from './roof.ts';
import { layerOf, shapeOf } from './shape.ts';

/** Makes a building from a complete draft, or null when it has no usable shape. Returns its issues too. */
export function toBuilding(draft: BuildingDraft, file: string): { building: Building | null; issues: ReadIssue[] } {
  const { own, issues: noted } = draft;
  const note = (kind: IssueKind, detail: string) => noted.push({ kind, detail });
  const buildingId = idOf(draft, note);
  const attributes = publishedAttributes(draft, (detail) => note('bad_value', detail));
  const shape = shapeOf(draft, attributes.measuredHeightM);
  let building: Building | null = null;
  if ('footprints' in shape) {
    // Issues of references are dropped here: the prism has reported them, and a roof without a surface is open.
    const roof = roofOf(draft, shape, (layer, unit) => layerOf(draft, layer, unit, []));
    if (roof.issue !== null) note(roof.issue.kind, roof.issue.detail);
    building = {
      buildingId,
      gmlId: draft.gmlId,
      source: { file, byte: draft.byte },
      ...shape,
      ...attributes,
      createdOn: dayOf(attributes.createdOn ?? attributes.surveyedOn),
      roof: roof.surfaces.length > 0 ? 'surfaces' : 'prism',
    };
    if (roof.surfaces.length > 0) building.roofSurfaces = roof.surfaces;
    const body = bodyOf(own);
    if (body !== null) building.body = body;
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

/** The number of IDs that an issue names. */
const SOME_IDS = 5;

type Note = (kind: IssueKind, detail: string) => void;

/**
 * The building ID: `uro:buildingID` before 建物ID, that of the building before those of its parts. Null without a valid
 * one.
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
