import { BUILDING_ID, type PublishedRow } from '../building/attributes.ts';
import type { IssueKind } from './building.ts';
import { Faces } from './faces.ts';

/** A value of an attribute in the file. */
export interface PublishedText {
  row: PublishedRow;
  text: string;
  /** Its unit, if stated. */
  uom: string | null;
}

/** The published values of a building or of one of its parts, as text. */
export interface PublishedValues {
  /** Distinct values of `uro:buildingID`, in published order. */
  ids: string[];
  /** `uro:branchID` and `uro:partID`: they tell the bodies of one building apart. */
  branchId: string | null;
  partId: string | null;
  /** The generic attribute 建物ID. */
  genericId: string | null;
  /** Values of attributes, in published order. */
  texts: PublishedText[];
}

/** The values of a building or part before any is read. */
export const noValues = (): PublishedValues => ({
  ids: [],
  branchId: null,
  partId: null,
  genericId: null,
  texts: [],
});

/** True for a building ID that can be served. */
export const isBuildingId = (id: string): boolean => BUILDING_ID.test(id);

/** The content of one building element, before it becomes a `Building`. */
export interface BuildingDraft {
  gmlId: string | null;
  /** Offset of its start tag. */
  byte: number;
  /** Values of the building itself; `parts` has those of each part. */
  own: PublishedValues;
  parts: PublishedValues[];
  faces: Faces;
  /** Issues found so far. They are reported at the end tag, when the ID is known. */
  issues: { kind: IssueKind; detail: string }[];
  /** The first limit that the building exceeds, in words, or null. Such a building is read no further and left out. */
  excess: string | null;
  /** Levels of detail that the file has for the building, used or not. */
  lods: Set<0 | 1 | 2 | 3>;
  /** True when roof edges of LOD0 lie on the ground (uro 3.0 and later), false when at the roof. */
  roofEdgesOnGround: boolean;
}

/** The draft of a reader before its first building. */
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

/** Resets a draft for the next building. `roofEdgesOnGround` stays: it follows from the namespaces of the file. */
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
