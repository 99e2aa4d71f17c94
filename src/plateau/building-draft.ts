import type { PublishedRow } from '../building/attributes.ts';
import type { IssueKind } from './building.ts';
import { Faces } from './faces.ts';

/** A value of an attribute as it stands in the file. */
export interface PublishedText {
  row: PublishedRow;
  text: string;
  /** Its unit, where one is stated. */
  uom: string | null;
}

/** What a building or a part of one states, still text. */
export interface PublishedValues {
  /** `uro:buildingID`, in order, without repetition. */
  ids: string[];
  /** `uro:branchID` and `uro:partID`: which body of the building it is, where it has several. */
  branchId: string | null;
  partId: string | null;
  /** The generic attribute 建物ID. */
  genericId: string | null;
  /** Of the attributes, in order. */
  texts: PublishedText[];
}

export const noValues = (): PublishedValues => ({
  ids: [],
  branchId: null,
  partId: null,
  genericId: null,
  texts: [],
});

/** The form of `uro:buildingID` in PLATEAU's specification: municipality code, `bldg`, serial number. */
const BUILDING_ID = /^\d{5}-bldg-\d+$/;

/** A building ID that can be served. */
export const isBuildingId = (id: string): boolean => BUILDING_ID.test(id);

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
