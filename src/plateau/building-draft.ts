import { Faces } from './faces.ts';
import type { IssueKind } from './issue.ts';
import { noValues, type PublishedValues } from './published-values.ts';

/** What has been read of one building, before it is made into a `Building`. */
export interface BuildingDraft {
  gmlId: string | null;
  /** Offset of its start tag. */
  byte: number;
  /** Of the building itself, and of its parts together. */
  own: PublishedValues;
  parts: PublishedValues[];
  faces: Faces;
  /** Issues met while reading: they are given out when the ID is known. */
  issues: { kind: IssueKind; detail: string }[];
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
  draft.lods.clear();
}
