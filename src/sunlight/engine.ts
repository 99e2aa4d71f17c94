import { ERROR_CLASSES, MOST_QUANTILE, type Moves, QUANTILES } from './moves.ts';
import { MONTHS } from './result.ts';
import { layCurves, type SunCurves } from './sun-curves.ts';
import { NODE_BYTES, NODES_OF_PAGE, type TreeSource } from './tree.ts';
import type { View } from './view.ts';
import { instantiateKernel, type KernelExports } from './wasm.ts';

/** The most eyes above one another. */
const MAX_EYES = 3;

const WASM_PAGE_BYTES = 65536;
const PART_BYTES = 32;
/** Pages of trees that are kept by default, bytes. */
const SCENE_MEMORY = 64 * 1024 * 1024;

/** The arrays of the kernel's memory that are written and read from outside. A bin is numbered over all eyes. */
interface Arrays {
  slope: Float32Array;
  /** The edge that a bin shows; negative where there is none. */
  wall: Int32Array;
  z: Float64Array;
  floors: Int32Array;
  inside: Int32Array;
  ranges: Float64Array;
  unshaded: Float64Array;
  litLength: Int32Array;
  lit: Uint16Array;
  blocker: Int32Array;
  blocked: Float64Array;
  blockers: Int32Array;
  /** Per edge: node, corner, building, part. */
  edges: Int32Array;
  pages: Uint32Array;
  positionErrors: Float64Array;
  heightErrors: Float64Array;
}

/**
 * The skyline kernel of a thread: a WebAssembly instance, the pages of trees that it holds, and what it looks at.
 * Made once per thread; it serves any number of views in turn. `!`: `look` and `shine` come before a column is drawn.
 */
export class Engine {
  readonly #wasm: KernelExports;
  readonly #sceneMemory: number;
  readonly #litNumbers: number;
  /** The list of blocking buildings is read when it is longer. */
  readonly #mostBlockers: number;
  /** Where pages of trees begin, bytes. */
  readonly #arenaStart: number;
  /** Where the pages of each tree lie in memory; 0 where they do not. */
  readonly #held = new Map<TreeSource, Uint32Array>();
  #arrays: Arrays;
  #arenaEnd: number;
  #view: View | null = null;
  /** Per part of the view, the upper tree first: its first place in the table of pages. */
  #firstPage: number[] = [];
  #curves: SunCurves | null = null;
  /** Length of the list of blocking buildings. */
  #blockers = 0;

  /** `sceneMemory` bounds the pages that are held, bytes; one column may go over it for as long as it lasts. */
  constructor(sceneMemory = SCENE_MEMORY) {
    this.#sceneMemory = sceneMemory;
    this.#wasm = instantiateKernel((part, page) => this.#loadPage(part, page));
    this.#litNumbers = this.#wasm.LIT_NUMBERS.value;
    this.#mostBlockers = this.#wasm.BLOCKER_SLOTS.value / 2;
    this.#arenaStart = this.#wasm.ARENA.value;
    this.#arenaEnd = this.#arenaStart;
    this.#grow(this.#arenaEnd);
    this.#arrays = this.#mapArrays();
    new Float64Array(this.#wasm.memory.buffer, this.#wasm.QUANTILES.value, QUANTILES.length).set(QUANTILES);
  }

  /** Bytes of its memory. */
  get bytes(): number {
    return this.#wasm.memory.buffer.byteLength;
  }

  /** Bins of all planes together, and those of the last column that were of interest: [first, end). */
  get bins(): number {
    return this.#wasm.BINS.value;
  }
  get first(): number {
    return this.#wasm.first.value;
  }
  get end(): number {
    return this.#wasm.end.value;
  }

  /** Looks at a view from now on. Throws `RangeError` when it has too many parts. */
  look(view: View): void {
    if (this.#view === view) return;
    const { MOST_PARTS, MOST_PAGES } = this.#wasm;
    this.#view = null;
    this.#firstPage = [0];
    let pages = Math.ceil(view.upper.length / (NODES_OF_PAGE * NODE_BYTES));
    for (const { tree } of view.parts) {
      this.#firstPage.push(pages);
      pages += tree.pageStart.length - 1;
    }
    if (view.parts.length >= MOST_PARTS.value || pages > MOST_PAGES.value) {
      throw new RangeError(`a view of ${view.parts.length} trees and ${pages} pages is too large for the kernel`);
    }
    this.#view = view;
    new Uint8Array(this.#wasm.memory.buffer, this.#wasm.UPPER.value).set(view.upper);
    this.#writeParts(view);
    this.#writePages(view);
    this.#wasm.forgetSeen();
  }

  /** Takes the sun of these curves from now on. Throws `RangeError` for curves over other planes than the kernel's. */
  shine(curves: SunCurves): void {
    if (this.#curves === curves) return;
    const planeBins = this.#wasm.PLANE_BINS.value;
    if (curves.planeBins !== planeBins) throw new RangeError(`curves over ${curves.planeBins} bins`);
    layCurves(this.#wasm, curves);
    this.#curves = curves;
  }

  /**
   * Sets the eyes before a building of the view (−1: none) at different heights, lowest first, each standing for
   * a number of floors; the scene is `turn` radians clockwise of the planes, and half a circle more where `way` is −1; its buildings
   * stand as they were published, or moved. Forgets who blocked the sun.
   */
  startEyes(
    heights: readonly number[],
    floors: readonly number[],
    own: number,
    turn: number,
    { way = 1, moves = null }: { way?: 1 | -1; moves?: Moves | null } = {},
  ): void {
    this.#move(moves);
    // Number by number: `set` goes through what takes lists of all kinds.
    for (let eye = 0; eye < heights.length; eye++) {
      this.#arrays.z[eye] = heights[eye];
      this.#arrays.floors[eye] = floors[eye];
    }
    this.#wasm.startEyes(heights.length, own, turn, way);
    this.#emptyBlockers();
    this.emptyLit();
  }

  #move(moves: Moves | null): void {
    if (moves === null) {
      this.#wasm.standStill();
      return;
    }
    const { draw, error, ownRiseM } = moves;
    const { originX, originY } = this.#view!;
    const { positionErrors, heightErrors } = this.#arrays;
    for (let i = 0; i < ERROR_CLASSES; i++) {
      positionErrors[i] = error.positionsM[i] ?? 0;
      heightErrors[i] = error.heightsM[i] ?? 0;
    }
    const [shift, rise] = [error.positionsM, error.heightsM].map((metres) => MOST_QUANTILE * Math.max(...metres));
    this.#wasm.moveBuildings(draw, originX, originY, shift, rise, ownRiseM);
  }

  /** Forgets the lit intervals and the minutes without obstacles, before the next face. */
  emptyLit(): void {
    this.#wasm.emptyLit();
  }

  /**
   * Draws and reads what the eyes see from a place in the view's plane, before a wall with this outward normal, over
   * ranges [from, to, …] of places among the bins in the order of the sun.
   */
  seeColumn(x: number, y: number, normalX: number, normalY: number, ranges: readonly number[]): void {
    this.#makeRoom();
    for (let i = 0; i < ranges.length; i++) this.#arrays.ranges[i] = ranges[i];
    this.#blockers = this.#wasm.seeColumn(x, y, normalX, normalY, ranges.length / 2);
  }

  /** Draws all that the eyes see over the horizon, whether a sun passes there or not. */
  seeSky(x: number, y: number, normalX: number, normalY: number): void {
    this.#makeRoom();
    this.#wasm.seeSky(x, y, normalX, normalY);
  }

  /**
   * Shows the lit intervals [start, end, …] of an eye and a month (0–11) since they were emptied, minutes: numbers in the
   * places `[from, to)` of a list, the starts in rising order, and the ends.
   * @param use must not keep them: the next column writes over them.
   */
  withLit<T>(eye: number, month: number, use: (intervals: Uint16Array, from: number, to: number) => T): T {
    const { lit, litLength } = this.#arrays;
    const day = eye * MONTHS + month;
    const from = day * this.#litNumbers;
    return use(lit, from, from + litLength[day]);
  }

  /** Minutes with the sun before the wall since they were emptied, by month: the mean of the columns seen. */
  unshaded(columns = 1): number[] {
    const minutes: number[] = new Array(MONTHS);
    for (let month = 0; month < MONTHS; month++) minutes[month] = this.#arrays.unshaded[month] / columns;
    return minutes;
  }

  /**
   * Calls back with every building of the view that blocked since they were last taken, its minutes, and whether it did so with
   * roof surfaces; forgets them. The ground has its number (`terrainOf`) plus that of a sector.
   */
  takeBlocked(add: (building: number, minutes: number, bySurface: boolean) => void): void {
    const { blocker, blocked, blockers } = this.#arrays;
    const bySurface = this.#wasm.BY_SURFACE.value;
    for (let i = 0; i < this.#blockers; i++) {
      const number = blocker[blockers[i]] - 1;
      add(number & ~bySurface, blocked[blockers[i]], (number & bySurface) !== 0);
    }
    this.#emptyBlockers();
  }

  #emptyBlockers(): void {
    this.#wasm.emptyBlockers();
    this.#blockers = 0;
  }

  /** Whether the list of blocking buildings is so full that it must be read before the next column. */
  get blockersFull(): boolean {
    return this.#blockers > this.#mostBlockers;
  }

  /** What an eye saw in the last column: per bin the slope, and a number that names the wall there, negative for none. */
  seen(eye: number): { slope: Float32Array; wall: Int32Array } {
    const [start, end] = [eye * this.bins, (eye + 1) * this.bins];
    return { slope: this.#arrays.slope.subarray(start, end), wall: this.#arrays.wall.subarray(start, end) };
  }

  /** The building of the view to which such a wall belongs; the ground has its number (`terrainOf`). */
  buildingOfWall(wall: number): number {
    return this.#arrays.edges[4 * wall + 2];
  }

  /** The building inside which an eye stood in the last column; −1 for none. */
  inside(eye: number): number {
    const building = this.#arrays.inside[eye];
    return building < 0 ? building : building & ~this.#wasm.BY_SURFACE.value;
  }

  /** Brings a page of a part of the view (0: of its upper tree) into memory, and gives its address. */
  #loadPage(part: number, page: number): number {
    const { tree } = this.#view!.parts[part - 1];
    const bytes = tree.pageStart[page + 1] - tree.pageStart[page];
    const address = this.#arenaEnd;
    const end = (address + bytes + 7) & ~7;
    this.#grow(end);
    tree.readPage(page, new Uint8Array(this.#wasm.memory.buffer, address, bytes));
    this.#arenaEnd = end;
    this.#pagesOf(tree)[page] = address;
    this.#arrays.pages[this.#firstPage[part] + page] = address;
    return address;
  }

  #pagesOf(tree: TreeSource): Uint32Array {
    let pages = this.#held.get(tree);
    if (!pages) {
      pages = new Uint32Array(tree.pageStart.length - 1);
      this.#held.set(tree, pages);
    }
    return pages;
  }

  /** Drops all pages when they are more than is allowed; what is still needed is read again. */
  #makeRoom(): void {
    if (this.#arenaEnd - this.#arenaStart <= this.#sceneMemory) return;
    this.#arenaEnd = this.#arenaStart;
    this.#held.clear();
    this.#writePages(this.#view!);
    this.#wasm.forgetSeen();
  }

  #writeParts(view: View): void {
    const { PARTS, memory } = this.#wasm;
    const parts = new DataView(memory.buffer, PARTS.value, PART_BYTES * (view.parts.length + 1));
    parts.setFloat64(0, 0, true);
    parts.setFloat64(8, 0, true);
    parts.setFloat64(16, -Infinity, true);
    parts.setUint32(24, 0, true);
    for (const [i, { tree, above }] of view.parts.entries()) {
      const at = PART_BYTES * (i + 1);
      parts.setFloat64(at, tree.originX - view.originX, true);
      parts.setFloat64(at + 8, tree.originY - view.originY, true);
      parts.setFloat64(at + 16, above, true);
      parts.setUint32(at + 24, this.#firstPage[i + 1], true);
      parts.setUint32(at + 28, view.firstBuilding[i], true);
    }
  }

  #writePages(view: View): void {
    const { pages } = this.#arrays;
    for (let page = 0; page < (this.#firstPage[1] ?? 1); page++) {
      pages[page] = this.#wasm.UPPER.value + page * NODES_OF_PAGE * NODE_BYTES;
    }
    for (const [i, { tree }] of view.parts.entries()) {
      const first = this.#firstPage[i + 1];
      const held = this.#held.get(tree);
      if (held) pages.set(held, first);
      else pages.fill(0, first, first + tree.pageStart.length - 1);
    }
  }

  /** Grows the memory to at least this many bytes. */
  #grow(end: number): void {
    const missing = end - this.bytes;
    if (missing <= 0) return;
    // A sixteenth more than is missing, so that it grows seldom.
    this.#wasm.memory.grow(Math.ceil((missing + end / 16) / WASM_PAGE_BYTES));
    this.#arrays = this.#mapArrays();
  }

  #mapArrays(): Arrays {
    const wasm = this.#wasm;
    const { buffer } = wasm.memory;
    const cells = MAX_EYES * wasm.BINS.value;
    const slots = wasm.BLOCKER_SLOTS.value;
    return {
      slope: new Float32Array(buffer, wasm.SLOPE.value, cells),
      wall: new Int32Array(buffer, wasm.WALL.value, cells),
      z: new Float64Array(buffer, wasm.Z.value, MAX_EYES),
      floors: new Int32Array(buffer, wasm.FLOORS.value, MAX_EYES),
      inside: new Int32Array(buffer, wasm.INSIDE.value, MAX_EYES),
      ranges: new Float64Array(buffer, wasm.RANGES.value, 4),
      unshaded: new Float64Array(buffer, wasm.UNSHADED.value, MONTHS),
      litLength: new Int32Array(buffer, wasm.LIT_LENGTH.value, MAX_EYES * MONTHS),
      lit: new Uint16Array(buffer, wasm.LIT.value, MAX_EYES * MONTHS * wasm.LIT_NUMBERS.value),
      blocker: new Int32Array(buffer, wasm.BLOCKER.value, slots),
      blocked: new Float64Array(buffer, wasm.BLOCKED.value, slots),
      blockers: new Int32Array(buffer, wasm.BLOCKERS.value, slots),
      edges: new Int32Array(buffer, wasm.EDGES.value, (wasm.PARTS.value - wasm.EDGES.value) >> 2),
      pages: new Uint32Array(buffer, wasm.PAGES.value, wasm.MOST_PAGES.value),
      positionErrors: new Float64Array(buffer, wasm.POSITION_ERRORS.value, ERROR_CLASSES),
      heightErrors: new Float64Array(buffer, wasm.HEIGHT_ERRORS.value, ERROR_CLASSES),
    };
  }
}
