import type { ModelAttributes } from '../building/attributes.ts';
import { findBottoms, flatRings } from './bottoms.ts';
import { Extent } from './bounds.ts';
import type { Footprint } from './building.ts';
import type { BuildingDraft } from './building-draft.ts';
import { type Face, LAYER, type Layer } from './faces.ts';

/** The prisms of a building: footprints that rise from base to top. */
interface Shape {
  lod: 0 | 1 | 2;
  footprints: Footprint[];
  baseM: number;
  topM: number;
  heightSource: ModelAttributes['heightSource'];
  baseSource: 'solid' | 'lod0' | 'assumed_zero';
}

/** Why a building has no shape. */
interface NoShape {
  kind: 'too_large' | 'no_geometry' | 'no_height' | 'flat_solid';
  detail: string;
}

/** The measured heights, metres: of the building, then of each of its parts. */
type MeasuredHeights = readonly (number | null)[];

/** A solid lower than this, in metres, has no usable height. */
const FLAT_M = 0.01;

/**
 * Chooses the geometry of a building: its own LOD1; else the solids of its parts; else its own LOD2 (a prism from the
 * ground to the highest roof point); else LOD0 raised by the measured height. Refuses sizes that no building has
 * (bounds.ts).
 */
export function shapeOf(draft: BuildingDraft, measured: MeasuredHeights): Shape | NoShape {
  if (draft.excess !== null) return { kind: 'too_large', detail: draft.excess };
  const shape = chosenShape(draft, measured);
  // `add` names the limit that footprints exceed; null when they exceed none.
  const excess = 'footprints' in shape ? new Extent().add(shape.footprints) : null;
  return excess === null ? shape : { kind: 'too_large', detail: excess };
}

/** The first usable shape of LOD1, the parts' solids, LOD2 and LOD0, in this order. Its size is not checked. */
function chosenShape(draft: BuildingDraft, measured: MeasuredHeights): Shape | NoShape {
  // Part 0 is the building itself.
  const solid = lod1Of(draft, 0) ?? solidOfParts(draft, measured) ?? lod2Of(draft, 0);
  return solid === null ? lod0Of(draft, measured) : prismsOf(solid, measured[0]);
}

/** The solid of a building or part, before it is checked for a height. */
interface Solid {
  lod: 1 | 2;
  /** The rings of each prism. */
  footprints: number[][][];
  /** True when no face lies above one of the footprints: that footprint may itself be a roof. */
  isOpenAbove: boolean;
  baseM: number;
  topM: number;
  /** What the top follows from. */
  heightSource: 'solid' | 'measured_height';
}

/** The prisms of a solid. A solid without height takes the measured height. */
function prismsOf(solid: Solid, measuredHeightM: number | null): Shape | NoShape {
  const { lod, baseM, topM, heightSource } = solid;
  const footprints = solid.footprints.map(footprint);
  if (topM - baseM >= FLAT_M) return { lod, footprints, baseM, topM, heightSource, baseSource: 'solid' };
  if (measuredHeightM === null) {
    return { kind: 'flat_solid', detail: `the LOD${lod} solid lies at ${baseM} m throughout` };
  }
  const raisedTo = baseM + measuredHeightM;
  return { lod, footprints, baseM, topM: raisedTo, heightSource: 'measured_height', baseSource: 'solid' };
}

/** The LOD1 solid of a building or part; null when it has none. */
function lod1Of(draft: BuildingDraft, part: number): Solid | null {
  return solidFrom(draft, 1, layerOf(draft, LAYER.lod1, part));
}

/**
 * The LOD2 of a building or part as a solid; null when it has no level face. Ground surfaces, where published, give the
 * footprints and the base, the lowest ground. Roof surfaces give the top, the highest roof, so antennas or walls above
 * it do not count. What neither gives follows from all faces together.
 */
function lod2Of(draft: BuildingDraft, part: number): Solid | null {
  const ground = layerOf(draft, LAYER.ground2, part);
  const roof = layerOf(draft, LAYER.roof2, part);
  const solidFaces = layerOf(draft, LAYER.solid2, part);
  const faces = solidFaces.length > 0 ? solidFaces : [...ground, ...roof, ...layerOf(draft, LAYER.wall2, part)];
  const solid = solidFrom(draft, 2, faces, ground.length > 0 ? ground : faces);
  if (solid === null) return null;
  if (ground.length > 0) [solid.baseM] = zRange(draft, ground);
  if (roof.length > 0) [, solid.topM] = zRange(draft, roof);
  // Without ground surfaces, the bottoms are the lowest level faces. One without a face above it is a piece of roof:
  // then the LOD0 outline is a better footprint.
  if (ground.length === 0 && solid.isOpenAbove) {
    const outline = outlineOf(draft, part).faces;
    if (outline.length > 0) solid.footprints = outline.map((face) => flatRings(draft.faces, face));
  }
  return solid;
}

/**
 * The solids of all building parts (`bldg:BuildingPart`), merged into one; null when no part has a solid. It is LOD2 as
 * soon as one of them is. Parts that have only LOD0 are prisms beside them.
 */
function solidOfParts(draft: BuildingDraft, measured: MeasuredHeights): Solid | null {
  let merged: Solid | null = null;
  const partsWithoutSolid: number[] = [];
  // Part 0 is the building itself.
  for (let part = 1; part <= draft.parts.length; part++) {
    const solid = lod1Of(draft, part) ?? lod2Of(draft, part);
    if (solid === null) partsWithoutSolid.push(part);
    else if (merged === null) merged = solid;
    else {
      if (solid.lod === 2) merged.lod = 2;
      merged.footprints.push(...solid.footprints);
      merged.baseM = Math.min(merged.baseM, solid.baseM);
      merged.topM = Math.max(merged.topM, solid.topM);
    }
  }
  if (merged !== null) for (const part of partsWithoutSolid) addOutline(draft, merged, part, measured[part]);
  return merged;
}

/**
 * Adds a part that has only LOD0 to the solid of the other parts, and an issue. The solid rises to the top of the part
 * if its measured height says so.
 */
function addOutline(draft: BuildingDraft, solid: Solid, part: number, heightM: number | null): void {
  const { faces } = outlineOf(draft, part);
  if (faces.length === 0) return;
  solid.footprints.push(...faces.map((face) => flatRings(draft.faces, face)));
  if (heightM !== null && solid.baseM + heightM > solid.topM) {
    solid.topM = solid.baseM + heightM;
    solid.heightSource = 'measured_height';
  }
  const height = heightM === null ? 'no measured height' : `a measured height of ${heightM.toFixed(2)} m`;
  draft.issues.push({
    kind: 'lod0_part',
    detail: `part ${part} of ${draft.parts.length} has only LOD0, and ${height}`,
  });
}

/**
 * A solid made of its faces. Null without faces. Null, with an issue, when no face is a bottom. Prisms that end at
 * different heights are an issue, too. The solid is open above when a bottom has no roof face above it.
 * @param candidates the faces that can be bottoms; by default all
 */
function solidFrom(draft: BuildingDraft, lod: 1 | 2, faces: Face[], candidates = faces): Solid | null {
  if (faces.length === 0) return null;
  const bottoms = findBottoms(draft.faces, candidates);
  if (bottoms.length === 0) {
    draft.issues.push({ kind: 'no_bottom', detail: `no level face among the ${faces.length} of LOD${lod}` });
    return null;
  }
  const [baseM, topM] = zRange(draft, faces);
  // A LOD1 with a podium has roofs of two heights above one bottom. Roofs of LOD2 are not level.
  const topsOf = ({ roofM, lowestRoofM }: (typeof bottoms)[number]): (number | null)[] =>
    lod === 1 && roofM !== lowestRoofM ? [lowestRoofM, roofM] : [roofM];
  noteTops(draft, bottoms.flatMap(topsOf));
  const isOpenAbove = bottoms.some(({ roofM }) => roofM === null);
  return { lod, footprints: bottoms.map(({ rings }) => rings), isOpenAbove, baseM, topM, heightSource: 'solid' };
}

/** The number of tops that an issue names. */
const SOME_TOPS = 5;

/** Adds an issue when prisms end at different heights; null is an unknown one. */
function noteTops(draft: BuildingDraft, published: readonly (number | null)[]): void {
  const tops = published.filter((top) => top !== null);
  if (tops.length > 1 && Math.max(...tops) - Math.min(...tops) > FLAT_M) {
    const list = tops.slice(0, SOME_TOPS).map((top) => top.toFixed(2));
    if (tops.length > SOME_TOPS) list.push('…');
    draft.issues.push({ kind: 'tops_differ', detail: `prisms end at ${list.join(', ')} m` });
  }
}

/**
 * The faces of a layer, including those referenced by `xlink:href`. Adds an issue for each reference without a target.
 * @param part number of the building part; 0 is the building itself
 */
export function layerOf(draft: BuildingDraft, layer: Layer, part: number, issues = draft.issues): Face[] {
  const content = draft.faces.layerContent(layer, part);
  if (content === null) return [];
  if (content.references.length === 0) return content.faces;
  // A set keeps each face once, in the published order.
  const faces = new Set(content.faces);
  // Many references to one large surface would take long.
  const addedIds = new Set<string>();
  for (const { id } of content.references) {
    const targets = draft.faces.withId(id);
    if (targets === undefined) issues.push({ kind: 'unresolved_reference', detail: `no surface #${id}` });
    else if (!addedIds.has(id)) for (const face of targets) faces.add(face);
    addedIds.add(id);
  }
  return [...faces];
}

/** The outline of LOD0: the footprint, or else the edge of the roof. */
function outlineOf(draft: BuildingDraft, part: number): { faces: Face[]; atRoof: boolean } {
  const footprints = layerOf(draft, LAYER.footprint, part);
  if (footprints.length > 0) return { faces: footprints, atRoof: false };
  return { faces: layerOf(draft, LAYER.roofEdge, part), atRoof: true };
}

/**
 * The LOD0 of a building and its parts, raised by the measured height. Edges of roofs are used only when no part has a
 * footprint. The base is the lowest z of what is used. Edges of roofs may be published at the height of the roof,
 * though (before uro 3.0); then the base is their lowest z less the measured height.
 */
function lod0Of(draft: BuildingDraft, measured: MeasuredHeights): Shape | NoShape {
  const [measuredHeightM] = measured;
  const parts = Array.from({ length: draft.parts.length + 1 }, (_, part) => part);
  const outlines = parts.map((part) => ({ part, ...outlineOf(draft, part) })).filter(({ faces }) => faces.length > 0);
  const hasFootprints = outlines.some(({ atRoof }) => !atRoof);
  const usedOutlines = outlines.filter(({ atRoof }) => (hasFootprints ? !atRoof : atRoof));
  const faces = usedOutlines.flatMap((outline) => outline.faces);
  if (faces.length === 0) {
    const lods = [...draft.lods].sort().map((lod) => `LOD${lod}`);
    return {
      kind: 'no_geometry',
      detail: lods.length > 0 ? `only ${lods.join(', ')}, of no use` : 'no geometry at all',
    };
  }
  if (measuredHeightM === null) return { kind: 'no_height', detail: 'only LOD0, and no measured height' };
  const [z] = zRange(draft, faces);
  // In newer files LOD0 lies at 0 everywhere, whatever the height of the ground: then 0 is assumed for the base.
  const liesAtZero = z === 0;
  const isOnGround = liesAtZero || hasFootprints || draft.roofEdgesOnGround;
  const baseM = isOnGround ? z : z - measuredHeightM;
  const heights = usedOutlines.map(({ part }) => measured[part]);
  noteTops(
    draft,
    heights.map((heightM) => (heightM === null ? null : baseM + heightM)),
  );
  return {
    lod: 0,
    footprints: faces.map((face) => footprint(flatRings(draft.faces, face))),
    baseM,
    topM: baseM + measuredHeightM,
    heightSource: 'measured_height',
    baseSource: liesAtZero ? 'assumed_zero' : 'lod0',
  };
}

const footprint = (rings: number[][]): Footprint => ({ rings: rings.map((ring) => new Float64Array(ring)) });

/** Lowest and highest z of faces. */
function zRange(draft: BuildingDraft, faces: Face[]): [low: number, high: number] {
  const { values } = draft.faces.coordinates;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { rings } of faces) {
    for (const [from, to] of rings) {
      // A point has three values: latitude, longitude, height.
      for (let i = from + 2; i < to; i += 3) {
        const z = values[i];
        if (z < low) low = z;
        if (z > high) high = z;
      }
    }
  }
  return [low, high];
}
