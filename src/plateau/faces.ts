import { makeRoom, NumberListError, type NumberSink, parseNumbers } from './position-parser.ts';

/** The element of a building that a face belongs to. */
export const LAYER = {
  footprint: 0,
  roofEdge: 1,
  lod1: 2,
  solid2: 3,
  ground2: 4,
  roof2: 5,
  wall2: 6,
  ground3: 7,
  roof3: 8,
  wall3: 9,
} as const;
export type Layer = (typeof LAYER)[keyof typeof LAYER];

export interface Face {
  layer: Layer;
  /** 0 for the building itself, 1, 2, … for its parts. */
  part: number;
  /** `gml:id` of the polygon and of the aggregates around it. */
  ids: readonly string[];
  /**
   * Ranges of `Faces.coordinates`, outer ring first. A ring has three points or more; its first point is not repeated.
   */
  rings: [from: number, to: number][];
}

/** A reference to a face that another element of the building contains. */
interface Reference {
  layer: Layer;
  part: number;
  id: string;
}

/** The faces and references of one layer of one part. */
interface LayerContent {
  faces: Face[];
  references: Reference[];
}

/** Why a ring is reported. */
interface RingProblem {
  kind: 'open_ring' | 'bad_ring' | 'outside_japan' | 'impossible_z';
  detail: string;
}

/**
 * Bounds of inhabited Japan, in degrees. Its southernmost village, on Hateruma, lies at 24.05° N. Swapped latitude and
 * longitude fall outside. So do the tropics, where on some days the sun passes north of the zenith.
 */
const INHABITED_JAPAN = { south: 23.5, north: 46, west: 122, east: 154 };
/** Bounds of z, metres: below every mine and above every mast on a mountain. −9999 (unknown) falls outside. */
const LOWEST_Z = -1000;
const HIGHEST_Z = 10_000;
/** A ring with fewer points has no area. */
const LEAST_POINTS = 3;

/**
 * Collects the faces of one building. All rings share one array of coordinates: latitude, longitude, z. The array is
 * reused for the next building.
 */
export class Faces {
  coordinates: NumberSink = { values: new Float64Array(4096), length: 0 };
  list: Face[] = [];
  references: Reference[] = [];

  /** The face being read; between faces the last one. */
  #face: Face = { layer: LAYER.footprint, part: 0, ids: [], rings: [] };
  #ringFrom = 0;
  #ringProblem: string | null = null;
  #flat: NumberSink = { values: new Float64Array(256), length: 0 };

  /** Indexes by part and layer, and by `gml:id`. Made at the first look-up, when the building is complete. */
  #byLayer: Map<number, LayerContent> | null = null;
  #byId: Map<string, Face[]> | null = null;

  /** Removes everything, for the next building. */
  clear(): void {
    this.coordinates.length = 0;
    this.#byLayer = null;
    this.#byId = null;
    this.list = [];
    this.references = [];
  }

  /** The faces and references of one layer of a part, in published order; null when there are none. */
  layerContent(layer: Layer, part: number): LayerContent | null {
    if (this.#byLayer === null) {
      this.#byLayer = new Map();
      for (const face of this.list) contentAt(this.#byLayer, face).faces.push(face);
      for (const reference of this.references) contentAt(this.#byLayer, reference).references.push(reference);
    }
    return this.#byLayer.get(layerKey(layer, part)) ?? null;
  }

  /** The faces with this `gml:id`, or inside an element with it, in published order. */
  withId(id: string): Face[] | undefined {
    if (this.#byId === null) {
      this.#byId = new Map();
      for (const face of this.list) {
        for (const faceId of face.ids) {
          const faces = this.#byId.get(faceId);
          if (faces === undefined) this.#byId.set(faceId, [face]);
          else faces.push(face);
        }
      }
    }
    return this.#byId.get(id);
  }

  /** Begins a face; its rings follow. */
  beginFace(layer: Layer, part: number, ids: readonly string[]): void {
    this.#face = { layer, part, ids, rings: [] };
  }

  /** Ends a face. It is kept when at least one of its rings was. */
  endFace(): void {
    const face = this.#face;
    if (face.rings.length > 0) this.list.push(face);
  }

  /** True when the current face has a valid outer ring. Without one, its holes are not read. */
  get hasOuterRing(): boolean {
    return this.#face.rings.length > 0;
  }

  /** Begins a ring; its positions follow. */
  beginRing(): void {
    this.#ringFrom = this.coordinates.length;
    this.#ringProblem = null;
  }

  /**
   * Reads the positions in `bytes[start, end)`: those of a whole ring, or one point of it.
   * @param dimension how many numbers a position has: 2 or 3
   */
  positions(bytes: Buffer, start: number, end: number, dimension: number): void {
    try {
      if (dimension === 3) parseNumbers(bytes, start, end, this.coordinates);
      else this.#flatPositions(bytes, start, end);
    } catch (error) {
      if (!(error instanceof NumberListError)) throw error;
      this.#ringProblem = error.message;
    }
  }

  /** Reads positions without z. They get z = 0, which means unknown in LOD0. */
  #flatPositions(bytes: Buffer, start: number, end: number): void {
    const flat = this.#flat;
    flat.length = 0;
    parseNumbers(bytes, start, end, flat);
    if (flat.length % 2 === 1) this.#ringProblem = `${flat.length} numbers, which are no pairs`;
    const { coordinates } = this;
    makeRoom(coordinates, (flat.length >> 1) * 3);
    for (let i = 0; i + 1 < flat.length; i += 2) {
      coordinates.values[coordinates.length++] = flat.values[i];
      coordinates.values[coordinates.length++] = flat.values[i + 1];
      coordinates.values[coordinates.length++] = 0;
    }
  }

  /** Ends a ring. Returns its problem, or null. A ring with the problem `open_ring` is kept; other problems drop it. */
  endRing(): RingProblem | null {
    const { values } = this.coordinates;
    const from = this.#ringFrom;
    let to = this.coordinates.length;
    // At least two positions of three numbers, the last at the place of the first. Their heights may differ a little.
    const isClosed = to - from >= 6 && values[from] === values[to - 3] && values[from + 1] === values[to - 2];
    if (isClosed) to -= 3;
    const problem = this.#problem(from, to);
    if (problem !== null) {
      this.coordinates.length = from;
      return problem;
    }
    this.#face.rings.push([from, to]);
    return isClosed ? null : { kind: 'open_ring', detail: 'the last point of a ring is not its first' };
  }

  /** What is wrong with the ring of the coordinates [from, to); null when nothing is. */
  #problem(from: number, to: number): RingProblem | null {
    if (this.#ringProblem !== null) return { kind: 'bad_ring', detail: this.#ringProblem };
    if ((to - from) % 3 !== 0) {
      // As published: with the point that closes the ring.
      const published = this.coordinates.length - from;
      return { kind: 'bad_ring', detail: `${published} numbers, which are no triples` };
    }
    if (to - from < 3 * LEAST_POINTS) return { kind: 'bad_ring', detail: `a ring of ${(to - from) / 3} points` };
    const { values } = this.coordinates;
    for (let i = from; i < to; i += 3) {
      const lat = values[i];
      const lon = values[i + 1];
      const { south, north, west, east } = INHABITED_JAPAN;
      if (!(lat >= south && lat <= north && lon >= west && lon <= east)) {
        return { kind: 'outside_japan', detail: `a ring with a point at latitude ${lat}, longitude ${lon}` };
      }
      const z = values[i + 2];
      if (!(z >= LOWEST_Z && z <= HIGHEST_Z)) {
        return { kind: 'impossible_z', detail: `a ring with a point at a height of ${z} m` };
      }
    }
    return null;
  }
}

/** A number for each layer of each building part. */
const layerKey = (layer: Layer, part: number): number => part * LAYER_COUNT + layer;
const LAYER_COUNT = Object.keys(LAYER).length;

/** The content of the layer of a face or reference. It is added when it is not there yet. */
function contentAt(byLayer: Map<number, LayerContent>, { layer, part }: { layer: Layer; part: number }): LayerContent {
  const key = layerKey(layer, part);
  let content = byLayer.get(key);
  if (content === undefined) {
    content = { faces: [], references: [] };
    byLayer.set(key, content);
  }
  return content;
}
