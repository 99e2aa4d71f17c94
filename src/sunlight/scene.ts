import { type Plane, planeOf, toPlane } from '../geo/plane.ts';
import { zoneOf } from '../geo/zones.ts';
import { MOST_STEPS, type Repair, repairFootprint } from './repair.ts';
import { hiddenEdges, planeThrough, type RoofSurface } from './roof-plane.ts';

/**
 * Everything that can shade, as typed arrays in one plane. The oracle and the kernel read a city in this form. The
 * arrays never change.
 *
 * Plane coordinates are metres east (x) and north (y) of the grid of `zone`, minus the origin, so that they are small.
 * Grid north differs from true north by the convergence. Rings are open, without repeated points or edges of length
 * zero. Outer rings run counter-clockwise and holes clockwise, so the outside of the building is on the right of every
 * edge.
 */
export interface Scene {
  /** Number of the plane rectangular coordinate zone (1–19). */
  zone: number;
  /** Grid coordinates of the local origin: x_grid = originX + x. Metres. */
  originX: number;
  originY: number;

  /** By building: first prism; length buildings + 1. */
  buildingPrisms: Uint32Array;
  /** By building: lowest and highest z of its solid, metres. All its prisms share them. */
  base: Float64Array;
  top: Float64Array;

  /** By prism: first ring; length prisms + 1. The first ring of a prism is the outer one. */
  prismRings: Uint32Array;
  /** By ring: first vertex; length rings + 1. */
  ringVertices: Uint32Array;
  /** By ring: 1 when it runs against the published direction (its first point stays the published one). */
  ringReversed: Uint8Array;
  /** x, y of each vertex; length 2 × vertices. */
  xy: Float64Array;
  roofs: Roofs;
}

/**
 * The roof surfaces of the buildings that have any. These shade with their surfaces, all others with their prisms. A
 * surface is a plan polygon under a plane; below the plane it is solid without limit. Its rings run as those of prisms.
 */
interface Roofs {
  /** By building: first surface; length buildings + 1. */
  buildingSurfaces: Uint32Array;
  /** By surface: h, gx, gy of its plane z = h + gx · x + gy · y. */
  planes: Float64Array;
  /** By surface: first ring; length surfaces + 1. */
  surfaceRings: Uint32Array;
  /** By ring: first vertex; length rings + 1. */
  ringVertices: Uint32Array;
  /** By ring: which of its first 32 edges need not be drawn, one bit each (see `hiddenEdges`). */
  hiddenEdges: Uint32Array;
  /** x, y of each vertex. */
  xy: Float64Array;
}

/** Published roof surfaces: rings of [first, second, z, …] coordinates, open, the outer one first. */
type RoofSurfaces = readonly { rings: readonly ArrayLike<number>[] }[];

/** The scene with some buildings (by index) lowered to a height, prisms and roofs. */
export function loweredTo(scene: Scene, buildings: readonly number[], heightM: number): Scene {
  const { buildingSurfaces } = scene.roofs;
  const top = scene.top.slice();
  const planes = scene.roofs.planes.slice();
  for (const building of buildings) {
    top[building] = heightM;
    for (let surface = buildingSurfaces[building]; surface < buildingSurfaces[building + 1]; surface++) {
      // A level plane: its height, and no slope to east or north.
      planes.set([heightM, 0, 0], 3 * surface);
    }
  }
  return { ...scene, top, roofs: { ...scene.roofs, planes } };
}

/**
 * The prisms of a building, each as its rings `[x, y, …]`, the outer one first.
 * @param origin point of the grid from which the corners are measured; by default the origin of the scene
 */
export function prismsOf(
  scene: Scene,
  building: number,
  origin: Pick<SceneFrame, 'originX' | 'originY'> = scene,
): number[][][] {
  const { buildingPrisms, prismRings, ringVertices, xy } = scene;
  const [dx, dy] = [scene.originX - origin.originX, scene.originY - origin.originY];
  const prisms: number[][][] = [];
  for (let prism = buildingPrisms[building]; prism < buildingPrisms[building + 1]; prism++) {
    const rings: number[][] = [];
    for (let ring = prismRings[prism]; ring < prismRings[prism + 1]; ring++) {
      rings.push(cornersFrom(xy, ringVertices[ring], ringVertices[ring + 1], dx, dy));
    }
    prisms.push(rings);
  }
  return prisms;
}

/** The roof surfaces of a building, in the plane and with the origin of its scene; none when it shades as a prism. */
export function roofSurfacesOf({ roofs }: Scene, building: number): RoofSurface[] {
  const { buildingSurfaces, surfaceRings, ringVertices, planes, xy } = roofs;
  const surfaces: RoofSurface[] = [];
  for (let surface = buildingSurfaces[building]; surface < buildingSurfaces[building + 1]; surface++) {
    const rings: number[][] = [];
    for (let ring = surfaceRings[surface]; ring < surfaceRings[surface + 1]; ring++) {
      rings.push([...xy.subarray(2 * ringVertices[ring], 2 * ringVertices[ring + 1])]);
    }
    // A plane: the height at the origin, and its rise per metre to the east and to the north.
    const [h, gx, gy] = planes.subarray(3 * surface, 3 * surface + 3);
    surfaces.push({ rings, plane: [h, gx, gy] });
  }
  return surfaces;
}

/** The corners of a ring with the vertices [first, end), moved by (dx, dy). */
function cornersFrom(xy: Float64Array, first: number, end: number, dx: number, dy: number): number[] {
  const corners: number[] = [];
  for (let vertex = first; vertex < end; vertex++) corners.push(xy[2 * vertex] + dx, xy[2 * vertex + 1] + dy);
  return corners;
}

/** The plane and origin of a scene. */
export interface SceneFrame {
  /** Plane coordinate zone, 1–19. */
  zone: number;
  /** Grid coordinates of the local origin, metres. */
  originX: number;
  originY: number;
}

/**
 * The frame for a city around a point (degrees). Its origin is on a whole kilometre nearby.
 * @param zone by default the zone of the point
 */
export function frameAt(lat: number, lon: number, zone = zoneOf(lat, lon)): SceneFrame {
  const xy: [number, number] = [0, 0];
  toPlane(planeOf(zone), lat, lon, xy);
  return { zone, originX: Math.round(xy[0] / 1000) * 1000, originY: Math.round(xy[1] / 1000) * 1000 };
}

/** The result of adding a building: its index in the scene, or null when nothing of it is valid, and the repairs. */
interface Added {
  building: number | null;
  repairs: BuildingRepair[];
}

/** `no_height`: base or top is not a number, or the top is not above the base; the building was left out. */
type BuildingRepair = (Repair & { footprint: number }) | { kind: 'no_height' };

/** First size of a growing array. It is small, because many scenes have one building. */
const FIRST_SIZE = 32;

/** The types of the arrays of a scene. */
type Numbers = Float64Array | Uint32Array | Uint8Array;

/** A typed array that grows. */
class Growing<T extends Numbers> {
  length = 0;
  #array: T;
  readonly #make: new (
    length: number,
  ) => T;

  constructor(make: new (length: number) => T) {
    this.#make = make;
    this.#array = new make(FIRST_SIZE);
  }

  /** Appends a number. */
  push(value: number): void {
    this.#makeRoom(1);
    this.#array[this.length++] = value;
  }

  /** Appends numbers. */
  append(values: ArrayLike<number>): void {
    this.#makeRoom(values.length);
    this.#array.set(values, this.length);
    this.length += values.length;
  }

  /** Makes room for more numbers. */
  #makeRoom(more: number): void {
    if (this.length + more <= this.#array.length) return;
    const larger = new this.#make(Math.max(this.#array.length * 2, this.length + more));
    larger.set(this.#array);
    this.#array = larger;
  }

  /** A copy of exact length, with `last` at its end if given. */
  copy(last?: number): T {
    const length = this.length + (last === undefined ? 0 : 1);
    const exact = new this.#make(length);
    exact.set(this.#array.subarray(0, this.length));
    if (last !== undefined) exact[length - 1] = last;
    return exact;
  }
}

/** Collects buildings one by one into a `Scene`. */
export class SceneBuilder {
  readonly #frame: SceneFrame;
  readonly #plane: Plane;
  readonly #buildingPrisms = new Growing(Uint32Array);
  readonly #base = new Growing(Float64Array);
  readonly #top = new Growing(Float64Array);
  readonly #prismRings = new Growing(Uint32Array);
  readonly #ringVertices = new Growing(Uint32Array);
  readonly #ringReversed = new Growing(Uint8Array);
  readonly #xy = new Growing(Float64Array);
  readonly #buildingSurfaces = new Growing(Uint32Array);
  readonly #planes = new Growing(Float64Array);
  readonly #surfaceRings = new Growing(Uint32Array);
  readonly #roofVertices = new Growing(Uint32Array);
  readonly #hiddenEdges = new Growing(Uint32Array);
  readonly #roofXy = new Growing(Float64Array);

  /** @throws RangeError for a zone that does not exist */
  constructor(frame: SceneFrame) {
    this.#frame = frame;
    this.#plane = planeOf(frame.zone);
  }

  /**
   * Adds a building. Invalid geometry is repaired or left out, and reported in the result; it never throws.
   * @param footprints rings `[lat, lon, …]` in degrees, open, the outer one first, in published direction
   * @param roof rings `[lat, lon, z, …]` of its surfaces
   */
  add(
    footprints: readonly { rings: readonly ArrayLike<number>[] }[],
    baseM: number,
    topM: number,
    roof: RoofSurfaces = [],
  ): Added {
    const inPlane = footprints.map(({ rings }) => rings.map((ring) => this.#project(ring, 2)));
    const surfaces = roof.map(({ rings }) => ({ rings: rings.map((ring) => this.#project(ring, 3)) }));
    return this.addProjected(inPlane, baseM, topM, surfaces);
  }

  /** Adds a building, as `add` does, whose rings are `[x, y, …]` in the scene's own plane, metres. */
  addProjected(
    footprints: readonly (readonly number[][])[],
    baseM: number,
    topM: number,
    roof: RoofSurfaces = [],
  ): Added {
    if (!(topM > baseM && Number.isFinite(topM - baseM))) return { building: null, repairs: [{ kind: 'no_height' }] };
    const repairs: BuildingRepair[] = [];
    const firstPrism = this.#prismRings.length;
    // The footprints share one limit of steps: `repairFootprint` counts them down.
    const steps = { left: MOST_STEPS };
    const repaired = footprints.map((rings) => repairFootprint(rings, steps));
    for (const [footprint, { repairs: ofFootprint }] of repaired.entries()) {
      for (const repair of ofFootprint) repairs.push({ ...repair, footprint });
    }
    // Too complex, which the repairs tell (`repairFootprint`).
    if (steps.left < 0) return { building: null, repairs };
    for (const { prisms } of repaired) {
      for (const prism of prisms) {
        this.#prismRings.push(this.#ringVertices.length);
        for (const { xy, reversed } of prism) {
          this.#ringVertices.push(this.#xy.length / 2);
          this.#ringReversed.push(reversed ? 1 : 0);
          this.#xy.append(xy);
        }
      }
    }
    if (this.#prismRings.length === firstPrism) return { building: null, repairs };
    this.#buildingPrisms.push(firstPrism);
    this.#base.push(baseM);
    this.#top.push(topM);
    this.#addRoof(roof);
    return { building: this.#base.length - 1, repairs };
  }

  /** Adds the roof surfaces of the last building. A surface without area in plan is left out. */
  #addRoof(roof: RoofSurfaces): void {
    this.#buildingSurfaces.push(this.#surfaceRings.length);
    if (roof.length === 0) return;
    // The repair of all surfaces together may take this number of steps.
    const steps = { left: MOST_STEPS };
    const surfaces: RoofSurface[] = roof.flatMap(({ rings }) => {
      const plane = planeThrough(rings[0]);
      if (plane === null) return [];
      const { prisms } = repairFootprint(rings.map(withoutHeights), steps);
      return prisms.map((prism) => ({ rings: prism.map(({ xy }) => xy), plane }));
    });
    // A part of a roof would be wrong: the building shades with its prisms instead.
    if (steps.left < 0) return;
    const hidden = hiddenEdges(surfaces);
    for (const [surface, { rings, plane }] of surfaces.entries()) {
      this.#surfaceRings.push(this.#roofVertices.length);
      this.#planes.append(plane);
      for (const [ring, xy] of rings.entries()) {
        this.#roofVertices.push(this.#roofXy.length / 2);
        this.#hiddenEdges.push(hidden[surface][ring]);
        this.#roofXy.append(xy);
      }
    }
  }

  /**
   * Adds a building of another scene with the same frame, without change. Its prisms, rings and vertices are added to
   * the ends of their lists. A list such as `#prismRings` has the first ring of each prism.
   */
  addFromScene(from: Scene, building: number): void {
    this.#buildingPrisms.push(this.#prismRings.length);
    for (let prism = from.buildingPrisms[building]; prism < from.buildingPrisms[building + 1]; prism++) {
      this.#prismRings.push(this.#ringVertices.length);
      for (let ring = from.prismRings[prism]; ring < from.prismRings[prism + 1]; ring++) {
        this.#ringVertices.push(this.#xy.length / 2);
        this.#ringReversed.push(from.ringReversed[ring]);
        this.#xy.append(from.xy.subarray(2 * from.ringVertices[ring], 2 * from.ringVertices[ring + 1]));
      }
    }
    this.#base.push(from.base[building]);
    this.#top.push(from.top[building]);
    this.#buildingSurfaces.push(this.#surfaceRings.length);
    const { roofs } = from;
    for (let surface = roofs.buildingSurfaces[building]; surface < roofs.buildingSurfaces[building + 1]; surface++) {
      this.#surfaceRings.push(this.#roofVertices.length);
      this.#planes.append(roofs.planes.subarray(3 * surface, 3 * surface + 3));
      for (let ring = roofs.surfaceRings[surface]; ring < roofs.surfaceRings[surface + 1]; ring++) {
        this.#roofVertices.push(this.#roofXy.length / 2);
        this.#hiddenEdges.push(roofs.hiddenEdges[ring]);
        this.#roofXy.append(roofs.xy.subarray(2 * roofs.ringVertices[ring], 2 * roofs.ringVertices[ring + 1]));
      }
    }
  }

  /**
   * The scene of the buildings so far. Lists of starts, such as the first ring of each prism, also get the end of the
   * last range (the argument of `copy`).
   */
  finish(): Scene {
    return {
      ...this.#frame,
      buildingPrisms: this.#buildingPrisms.copy(this.#prismRings.length),
      base: this.#base.copy(),
      top: this.#top.copy(),
      prismRings: this.#prismRings.copy(this.#ringVertices.length),
      ringVertices: this.#ringVertices.copy(this.#xy.length / 2),
      ringReversed: this.#ringReversed.copy(),
      xy: this.#xy.copy(),
      roofs: {
        buildingSurfaces: this.#buildingSurfaces.copy(this.#surfaceRings.length),
        planes: this.#planes.copy(),
        surfaceRings: this.#surfaceRings.copy(this.#roofVertices.length),
        ringVertices: this.#roofVertices.copy(this.#roofXy.length / 2),
        hiddenEdges: this.#hiddenEdges.copy(),
        xy: this.#roofXy.copy(),
      },
    };
  }

  /**
   * Projects a ring of latitudes and longitudes into the scene's plane: x and y of each point, metres.
   * @param size numbers of a point; the third of three is a height and stays
   */
  #project(ring: ArrayLike<number>, size: 2 | 3): number[] {
    const xy: number[] = Array.from(ring);
    for (let i = 0; i < ring.length; i += size) {
      toPlane(this.#plane, ring[i], ring[i + 1], xy, i);
      xy[i] = xy[i] - this.#frame.originX;
      xy[i + 1] = xy[i + 1] - this.#frame.originY;
    }
    return xy;
  }
}

/** The x, y of a ring of x, y, z. */
function withoutHeights(ring: ArrayLike<number>): number[] {
  const xy: number[] = [];
  for (let i = 0; i < ring.length; i += 3) xy.push(ring[i], ring[i + 1]);
  return xy;
}
