import type { ModelAttributes } from '../building/attributes.ts';
import { type Bottom, findBottoms, flatRings } from './bottoms.ts';
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

/** A solid lower than this, in metres, has no usable height. */
const FLAT = 0.01;

/**
 * Chooses the geometry of a building: its own LOD1; else the solids of its parts; else its own LOD2 (a prism from the
 * ground to the highest roof point); else LOD0 raised by the measured height. Refuses sizes that no building has
 * (bounds.ts).
 */
export function shapeOf(draft: BuildingDraft, measuredHeightM: number | null): Shape | NoShape {
  if (draft.excess !== null) return { kind: 'too_large', detail: draft.excess };
  const shape = chosenShape(draft, measuredHeightM);
  const excess = 'footprints' in shape ? new Extent().add(shape.footprints) : null;
  return excess === null ? shape : { kind: 'too_large', detail: excess };
}

function chosenShape(draft: BuildingDraft, measuredHeightM: number | null): Shape | NoShape {
  const solid = lod1Of(draft, 0) ?? partsOf(draft) ?? lod2Of(draft, 0);
  return solid === null ? lod0Of(draft, measuredHeightM) : raised(solid, measuredHeightM);
}

interface Solid {
  lod: 1 | 2;
  /** The rings of each prism. */
  footprints: number[][][];
  /** True when no face lies above one of the footprints: that footprint may itself be a roof. */
  open: boolean;
  baseM: number;
  topM: number;
}

/** The prisms of a solid. A solid without height takes the measured height. */
function raised(solid: Solid, measuredHeightM: number | null): Shape | NoShape {
  const { lod, baseM, topM } = solid;
  const footprints = solid.footprints.map(footprint);
  if (topM - baseM >= FLAT) return { lod, footprints, baseM, topM, heightSource: 'solid', baseSource: 'solid' };
  if (measuredHeightM === null) {
    return { kind: 'flat_solid', detail: `the LOD${lod} solid lies at ${baseM} m throughout` };
  }
  const raisedTo = baseM + measuredHeightM;
  return { lod, footprints, baseM, topM: raisedTo, heightSource: 'measured_height', baseSource: 'solid' };
}

function lod1Of(draft: BuildingDraft, unit: number): Solid | null {
  return solidFrom(draft, 1, layerOf(draft, LAYER.lod1, unit));
}

function lod2Of(draft: BuildingDraft, unit: number): Solid | null {
  const ground = layerOf(draft, LAYER.ground2, unit);
  const roof = layerOf(draft, LAYER.roof2, unit);
  const inSolid = layerOf(draft, LAYER.solid2, unit);
  const all = inSolid.length > 0 ? inSolid : [...ground, ...roof, ...layerOf(draft, LAYER.wall2, unit)];
  const solid = solidFrom(draft, 2, all, ground.length > 0 ? ground : all);
  if (solid === null) return null;
  if (ground.length > 0) solid.baseM = extent(draft, ground)[0];
  if (roof.length > 0) solid.topM = extent(draft, roof)[1];
  // Without ground surfaces the lowest faces are pieces of roof; the LOD0 outline is a better footprint.
  if (ground.length === 0 && solid.open) {
    const outline = outlineOf(draft, unit).faces;
    if (outline.length > 0) solid.footprints = outline.map((face) => flatRings(draft.faces, face));
  }
  return solid;
}

/** The solids of all parts, merged into one; null when no part has one. */
function partsOf(draft: BuildingDraft): Solid | null {
  let whole: Solid | null = null;
  for (let unit = 1; unit <= draft.parts.length; unit++) {
    const part = lod1Of(draft, unit) ?? lod2Of(draft, unit);
    if (part === null) continue;
    if (whole === null) whole = part;
    else {
      if (part.lod === 2) whole.lod = 2;
      whole.footprints.push(...part.footprints);
      whole.baseM = Math.min(whole.baseM, part.baseM);
      whole.topM = Math.max(whole.topM, part.topM);
    }
  }
  return whole;
}

/** Makes a solid from its faces. Its level bottoms are searched among `candidates`. Null when there is no bottom. */
function solidFrom(draft: BuildingDraft, lod: 1 | 2, faces: Face[], candidates = faces): Solid | null {
  if (faces.length === 0) return null;
  const bottoms = findBottoms(draft.faces, candidates);
  if (bottoms.length === 0) {
    draft.issues.push({ kind: 'no_bottom', detail: `no level face among the ${faces.length} of LOD${lod}` });
    return null;
  }
  const [baseM, topM] = extent(draft, faces);
  noteTops(draft, bottoms);
  const open = bottoms.some(({ roofM }) => roofM === null);
  return { lod, footprints: bottoms.map(({ rings }) => rings), open, baseM, topM };
}

/** The number of tops that an issue names. */
const SOME_TOPS = 5;

function noteTops(draft: BuildingDraft, bottoms: Bottom[]): void {
  const tops = bottoms.map(({ roofM }) => roofM).filter((roofM) => roofM !== null);
  if (tops.length > 1 && Math.max(...tops) - Math.min(...tops) > FLAT) {
    const list = tops.slice(0, SOME_TOPS).map((top) => top.toFixed(2));
    if (tops.length > SOME_TOPS) list.push('…');
    draft.issues.push({ kind: 'tops_differ', detail: `prisms end at ${list.join(', ')} m` });
  }
}

/** The faces of a layer, including those referenced by `xlink:href`. Adds an issue for each reference without a target. */
export function layerOf(draft: BuildingDraft, layer: Layer, unit: number, issues = draft.issues): Face[] {
  const there = draft.faces.ofLayer(layer, unit);
  if (there === null) return [];
  if (there.references.length === 0) return there.faces;
  const found = new Set(there.faces);
  const taken = new Set<string>();
  for (const { id } of there.references) {
    const meant = draft.faces.withId(id);
    if (meant === undefined) issues.push({ kind: 'unresolved_reference', detail: `no surface #${id}` });
    else if (!taken.has(id)) for (const face of meant) found.add(face);
    taken.add(id);
  }
  return [...found];
}

/** The outline of LOD0: the footprint, or else the edge of the roof. */
function outlineOf(draft: BuildingDraft, unit: number): { faces: Face[]; atRoof: boolean } {
  const footprints = layerOf(draft, LAYER.footprint, unit);
  if (footprints.length > 0) return { faces: footprints, atRoof: false };
  return { faces: layerOf(draft, LAYER.roofEdge, unit), atRoof: true };
}

function lod0Of(draft: BuildingDraft, measuredHeightM: number | null): Shape | NoShape {
  const units = Array.from({ length: draft.parts.length + 1 }, (_, unit) => unit);
  const outlines = units.map((unit) => outlineOf(draft, unit));
  const ofGround = outlines.some(({ atRoof, faces }) => !atRoof && faces.length > 0);
  const faces = outlines.filter(({ atRoof }) => atRoof !== ofGround).flatMap((outline) => outline.faces);
  if (faces.length === 0) {
    const lods = [...draft.lods].sort().map((lod) => `LOD${lod}`);
    return {
      kind: 'no_geometry',
      detail: lods.length > 0 ? `only ${lods.join(', ')}, of no use` : 'no geometry at all',
    };
  }
  if (measuredHeightM === null) return { kind: 'no_height', detail: 'only LOD0, and no measured height' };
  const z = extent(draft, faces)[0];
  const baseM = z === 0 ? 0 : ofGround || draft.roofEdgesOnGround ? z : z - measuredHeightM;
  return {
    lod: 0,
    footprints: faces.map((face) => footprint(flatRings(draft.faces, face))),
    baseM,
    topM: baseM + measuredHeightM,
    heightSource: 'measured_height',
    // In newer files LOD0 lies at 0 everywhere, whatever the height of the ground.
    baseSource: z === 0 ? 'assumed_zero' : 'lod0',
  };
}

const footprint = (rings: number[][]): Footprint => ({ rings: rings.map((ring) => new Float64Array(ring)) });

/** Lowest and highest z of faces. */
function extent(draft: BuildingDraft, faces: Face[]): [low: number, high: number] {
  const { values } = draft.faces.coordinates;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { rings } of faces) {
    for (const [from, to] of rings) {
      for (let i = from + 2; i < to; i += 3) {
        const z = values[i];
        if (z < low) low = z;
        if (z > high) high = z;
      }
    }
  }
  return [low, high];
}
