import { ERROR_CLASSES, MOST_QUANTILE, type Moves, QUANTILES } from './moves.ts';
import { MONTHS } from './result.ts';
import { layCurves, type SunCurves } from './sun-curves.ts';
import { NODE_BYTES, NODES_OF_PAGE, type TreeSource } from './tree.ts';
import type { View } from './view.ts';
import { instantiateKernel, type KernelExports } from './wasm.ts';

/** Limit of the eyes of a column. */
const MAX_EYES = 3;

const WASM_PAGE_BYTES = 65536;
/** Bytes of a part in the kernel's table of parts. */
const PART_BYTES = 32;
/** The part of the upper tree, which leads to the trees of the squares. */
const UPPER_TREE = 0;
/** Default memory for pages of trees, bytes. */
const SCENE_MEMORY = 64 * 1024 * 1024;

/** The arrays in the kernel's memory that JavaScript reads or writes (see `assembly/layout.ts`). */
interface Arrays {
  /** Of each bin of each eye: the slope of the skyline, and the edge that it shows; negative for none. */
  slope: Float32Array;
  wall: Int32Array;
  z: Float64Array;
  floors: Int32Array;
  inside: Int32Array;
  ranges: Float64Array;
  unshaded: Float64Array;
  litLength: Int32Array;
  lit: Uint16Array;
  slotBuilding: Int32Array;
  slotMinutes: Float64Array;
  usedSlots: Int32Array;
  /** Per edge: node, corner, building, part. */
  edges: Int32Array;
  pages: Uint32Array;
  positionErrors: Float64Array;
  heightErrors: Float64Array;
}

/**
 * The skyline kernel of a thread: a WebAssembly instance, its pages of trees, and the current view. Made once for each
 * thread; it serves any number of views in turn. `!`: `look` and `shine` are called before a column is drawn.
 */
export class Engine {
  readonly #wasm: KernelExports;
  readonly #sceneMemory: number;
  readonly #numbersOfList: number;
  /** The list of blocking buildings is read when it is longer than this. */
  readonly #mostBlockers: number;
  /** Start of the pages of trees, bytes. */
  readonly #arenaStart: number;
  /** The address of each page of each tree; 0 for a page that is not in memory. */
  readonly #pageAddresses = new Map<TreeSource, Uint32Array>();
  #arrays: Arrays;
  #arenaEnd: number;
  #view: View | null = null;
  /** For each part of the view, the upper tree first: its first position in the table of pages. */
  #firstPage: number[] = [];
  #curves: SunCurves | null = null;
  /** Length of the list of blocking buildings. */
  #usedSlotCount = 0;

  /** @param sceneMemory limit of the pages in memory, bytes; one column may exceed it while it is drawn */
  constructor(sceneMemory = SCENE_MEMORY) {
    this.#sceneMemory = sceneMemory;
    this.#wasm = instantiateKernel((part, page) => this.#loadPage(part, page));
    this.#numbersOfList = this.#wasm.LIT_NUMBERS.value;
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

  /** Number of bins of all planes, and the interval of those that mattered in the last column: [first, end). */
  get bins(): number {
    return this.#wasm.BINS.value;
  }
  get first(): number {
    return this.#wasm.drawnFirst.value;
  }
  get end(): number {
    return this.#wasm.drawnEnd.value;
  }

  /**
   * Selects a view.
   * @throws RangeError when it has too many parts
   */
  look(view: View): void {
    if (this.#view === view) return;
    const { MOST_PARTS, MOST_PAGES } = this.#wasm;
    this.#view = null;
    // In the kernel's table the pages of the upper tree come first, then those of each part.
    this.#firstPage = [0];
    let pages = Math.ceil(view.upperNodes.length / (NODES_OF_PAGE * NODE_BYTES));
    for (const { tree } of view.parts) {
      this.#firstPage.push(pages);
      pages += tree.pageStart.length - 1;
    }
    if (view.parts.length >= MOST_PARTS.value || pages > MOST_PAGES.value) {
      throw new RangeError(`a view of ${view.parts.length} trees and ${pages} pages is too large for the kernel`);
    }
    this.#view = view;
    new Uint8Array(this.#wasm.memory.buffer, this.#wasm.UPPER.value).set(view.upperNodes);
    this.#writePartTable(view);
    this.#writePageTable(view);
    // The nodes seen by the last column belong to another view.
    this.#wasm.forgetSeen();
  }

  /**
   * The columns that follow are computed with these curves of the sun.
   * @throws RangeError for curves over image planes with another number of bins than the kernel's
   */
  useCurves(curves: SunCurves): void {
    if (this.#curves === curves) return;
    const planeBins = this.#wasm.PLANE_BINS.value;
    if (curves.planeBins !== planeBins) throw new RangeError(`curves over ${curves.planeBins} bins`);
    layCurves(this.#wasm, curves);
    this.#curves = curves;
  }

  /**
   * Sets the eyes before a building of the view, and clears the blocking buildings.
   * @param heights of the eyes, metres, the lowest first
   * @param floors number of floors that each eye represents
   * @param ownBuilding the building whose wall is behind the eyes; −1: none
   * @param turn how far the scene's grid north is turned clockwise from that of the curves, radians
   * @param way −1: the scene is turned by another half circle, so that its north is drawn
   * @param moves null: all buildings are where they were published
   */
  startEyes(
    heights: readonly number[],
    floors: readonly number[],
    ownBuilding: number,
    turn: number,
    { way = 1, moves = null }: { way?: 1 | -1; moves?: Moves | null } = {},
  ): void {
    this.#move(moves);
    // Number by number: `set` accepts many kinds of lists and is slower.
    for (let eye = 0; eye < heights.length; eye++) {
      this.#arrays.z[eye] = heights[eye];
      this.#arrays.floors[eye] = floors[eye];
    }
    this.#wasm.startEyes(heights.length, ownBuilding, turn, way);
    this.#emptyBlockers();
    this.emptyLit();
  }

  /** Moves the buildings by one draw of the model's random errors; null: back to where they were published. */
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
    // The kernel widens the boxes of its trees by the most that a draw can give.
    const mostShift = MOST_QUANTILE * Math.max(...error.positionsM);
    const mostRise = MOST_QUANTILE * Math.max(...error.heightsM);
    this.#wasm.moveBuildings(draw, originX, originY, mostShift, mostRise, ownRiseM);
  }

  /** Clears the lit intervals and the minutes without obstacles, before the next face. */
  emptyLit(): void {
    this.#wasm.emptyLit();
  }

  /**
   * Computes when the sun reaches each eye of a column, and which buildings block it. `withLit` and `takeBlocked` read
   * the results. The column stands at (x, y) of the view's plane, in front of a wall with this outward normal.
   * @param ranges the directions to draw, as `[from, to, from, to, …]`: positions among the bins (see
   * `image-planes.ts`), in the order in which the sun passes them
   */
  seeColumn(x: number, y: number, normalX: number, normalY: number, ranges: readonly number[]): void {
    this.#makeRoom();
    for (let i = 0; i < ranges.length; i++) this.#arrays.ranges[i] = ranges[i];
    this.#usedSlotCount = this.#wasm.seeColumn(x, y, normalX, normalY, ranges.length / 2);
  }

  /** Draws everything that the eyes of a column see over the horizon, also where no sun passes. */
  seeSky(x: number, y: number, normalX: number, normalY: number): void {
    this.#makeRoom();
    this.#wasm.seeSky(x, y, normalX, normalY);
  }

  /**
   * Lends the lit intervals of an eye in a month (0–11) that were collected since `emptyLit`, minutes. They are at the
   * positions `[from, to)` of the list as start, end, start, end, …, in ascending order of the starts and of the ends.
   * @param use must not keep the list: the next column overwrites it
   */
  withLit<T>(eye: number, month: number, use: (intervals: Uint16Array, from: number, to: number) => T): T {
    const { lit, litLength } = this.#arrays;
    const list = eye * MONTHS + month;
    const from = list * this.#numbersOfList;
    return use(lit, from, from + litLength[list]);
  }

  /** A copy of these intervals of the only eye: [start, end, start, end, …], whole minutes. */
  litOfOnlyEye(month: number): number[] {
    return this.withLit(0, month, (intervals, from, to) => [...intervals.subarray(from, to)]);
  }

  /**
   * The minutes of the sun in front of the wall, whether shaded or not, by month: the mean of the columns of receptors
   * that were drawn since `emptyLit`.
   * @param columns the number of these columns
   */
  unshaded(columns = 1): number[] {
    const minutes: number[] = new Array(MONTHS);
    for (let month = 0; month < MONTHS; month++) minutes[month] = this.#arrays.unshaded[month] / columns;
    return minutes;
  }

  /**
   * Calls `add` with every building of the view that has blocked the sun since the last call, the minutes, and whether
   * it did so with roof surfaces. Clears the list. The ground has the numbers after those of all buildings, one for
   * each sector of the sky, from `terrainOf` on.
   */
  takeBlocked(add: (building: number, minutes: number, bySurface: boolean) => void): void {
    const { slotBuilding, slotMinutes, usedSlots } = this.#arrays;
    const surfaceFlag = this.#wasm.BY_SURFACE.value;
    for (let i = 0; i < this.#usedSlotCount; i++) {
      const slot = usedSlots[i];
      // A slot holds the number plus one: 0 marks a free slot.
      const number = slotBuilding[slot] - 1;
      add(number & ~surfaceFlag, slotMinutes[slot], (number & surfaceFlag) !== 0);
    }
    this.#emptyBlockers();
  }

  /** Empties the list of blocking buildings. */
  #emptyBlockers(): void {
    this.#wasm.emptyBlockers();
    this.#usedSlotCount = 0;
  }

  /** True when the list of blocking buildings must be read before the next column. */
  get blockersFull(): boolean {
    return this.#usedSlotCount > this.#mostBlockers;
  }

  /** The skyline of an eye in the last column: for each bin its slope, and the edge of a wall; negative for none. */
  seen(eye: number): { slope: Float32Array; wall: Int32Array } {
    const [start, end] = [eye * this.bins, (eye + 1) * this.bins];
    return { slope: this.#arrays.slope.subarray(start, end), wall: this.#arrays.wall.subarray(start, end) };
  }

  /**
   * The building of the view to which the edge of a wall belongs. The ground counts as one building, with the number
   * `terrainOf(view)`.
   */
  buildingOfWall(edge: number): number {
    // Four numbers for each edge: node, corner, building, part.
    return this.#arrays.edges[4 * edge + 2];
  }

  /** The building that contained an eye in the last column; −1 for none. */
  inside(eye: number): number {
    const building = this.#arrays.inside[eye];
    return building < 0 ? building : building & ~this.#wasm.BY_SURFACE.value;
  }

  /**
   * Loads a page into memory and returns its address.
   * @param part counted from 1; 0 is the upper tree, which is always in memory
   */
  #loadPage(part: number, page: number): number {
    const { tree } = this.#view!.parts[part - 1];
    const bytes = tree.pageStart[page + 1] - tree.pageStart[page];
    const address = this.#arenaEnd;
    // Pages begin at multiples of 8 bytes.
    const end = Math.ceil((address + bytes) / 8) * 8;
    this.#grow(end);
    tree.readPage(page, new Uint8Array(this.#wasm.memory.buffer, address, bytes));
    this.#arenaEnd = end;
    // For the next view that has this tree, and for the kernel, which looks it up in `pages`.
    this.#pagesOf(tree)[page] = address;
    this.#arrays.pages[this.#firstPage[part] + page] = address;
    return address;
  }

  /** The addresses of a tree's pages in the kernel's memory; 0 for a page that is not there. */
  #pagesOf(tree: TreeSource): Uint32Array {
    const addresses = this.#pageAddresses.get(tree) ?? new Uint32Array(tree.pageStart.length - 1);
    this.#pageAddresses.set(tree, addresses);
    return addresses;
  }

  /** Drops all pages of trees when they exceed the limit. Pages that are still needed are read again. */
  #makeRoom(): void {
    if (this.#arenaEnd - this.#arenaStart <= this.#sceneMemory) return;
    this.#arenaEnd = this.#arenaStart;
    this.#pageAddresses.clear();
    // The table then has no address of a page, and the kernel keeps no address of a node.
    this.#writePageTable(this.#view!);
    this.#wasm.forgetSeen();
  }

  /** Writes the table of the view's parts. */
  #writePartTable(view: View): void {
    const { PARTS, memory } = this.#wasm;
    const parts = new DataView(memory.buffer, PARTS.value, PART_BYTES * (view.parts.length + 1));
    // As `assembly/tree.ts` reads a part: its origin, the height above which its solids are drawn, its first page, the
    // number of its first building.
    const write = (part: number, x: number, y: number, above: number, firstBuilding: number): void => {
      const start = PART_BYTES * part;
      parts.setFloat64(start, x, true);
      parts.setFloat64(start + 8, y, true);
      parts.setFloat64(start + 16, above, true);
      parts.setUint32(start + 24, this.#firstPage[part] ?? 0, true);
      parts.setUint32(start + 28, firstBuilding, true);
    };
    write(UPPER_TREE, 0, 0, -Infinity, 0);
    for (const [i, { tree, above }] of view.parts.entries())
      write(i + 1, tree.originX - view.originX, tree.originY - view.originY, above, view.firstBuilding[i]);
  }

  /** Writes the table of the view's pages: the address of each, or 0 for a page that is not in memory. */
  #writePageTable(view: View): void {
    const { pages } = this.#arrays;
    // The tree above the parts is always in memory, page after page. In a view without parts it has one page.
    const upperPageCount = this.#firstPage[1] ?? 1;
    for (let page = 0; page < upperPageCount; page++) {
      pages[page] = this.#wasm.UPPER.value + page * NODES_OF_PAGE * NODE_BYTES;
    }
    for (const [i, { tree }] of view.parts.entries()) {
      // In #firstPage the tree above the parts comes first.
      const firstPage = this.#firstPage[i + 1];
      const pageCount = tree.pageStart.length - 1;
      const addresses = this.#pageAddresses.get(tree);
      if (addresses) pages.set(addresses, firstPage);
      else pages.fill(0, firstPage, firstPage + pageCount);
    }
  }

  /** Grows the memory to at least this many bytes. */
  #grow(end: number): void {
    const missing = end - this.bytes;
    if (missing <= 0) return;
    // It grows by a sixteenth more than needed, so that it grows seldom.
    this.#wasm.memory.grow(Math.ceil((missing + end / 16) / WASM_PAGE_BYTES));
    // Arrays over a memory end when it grows.
    this.#arrays = this.#mapArrays();
  }

  /** The arrays over the kernel's memory. They are made again when the memory has grown. */
  #mapArrays(): Arrays {
    const wasm = this.#wasm;
    const { buffer } = wasm.memory;
    const cells = MAX_EYES * wasm.BINS.value;
    const slots = wasm.BLOCKER_SLOTS.value;
    return {
      slope: new Float32Array(buffer, wasm.SLOPE.value, cells),
      wall: new Int32Array(buffer, wasm.SHOWN_EDGE.value, cells),
      z: new Float64Array(buffer, wasm.Z.value, MAX_EYES),
      floors: new Int32Array(buffer, wasm.FLOORS.value, MAX_EYES),
      inside: new Int32Array(buffer, wasm.INSIDE.value, MAX_EYES),
      ranges: new Float64Array(buffer, wasm.RANGES.value, 4),
      unshaded: new Float64Array(buffer, wasm.UNSHADED.value, MONTHS),
      litLength: new Int32Array(buffer, wasm.LIT_LENGTH.value, MAX_EYES * MONTHS),
      lit: new Uint16Array(buffer, wasm.LIT.value, MAX_EYES * MONTHS * wasm.LIT_NUMBERS.value),
      slotBuilding: new Int32Array(buffer, wasm.SLOT_BUILDING.value, slots),
      slotMinutes: new Float64Array(buffer, wasm.SLOT_MINUTES.value, slots),
      usedSlots: new Int32Array(buffer, wasm.USED_SLOTS.value, slots),
      // The edges end where the parts begin; a number has four bytes.
      edges: new Int32Array(buffer, wasm.EDGES.value, (wasm.PARTS.value - wasm.EDGES.value) / 4),
      pages: new Uint32Array(buffer, wasm.PAGES.value, wasm.MOST_PAGES.value),
      positionErrors: new Float64Array(buffer, wasm.POSITION_ERRORS.value, ERROR_CLASSES),
      heightErrors: new Float64Array(buffer, wasm.HEIGHT_ERRORS.value, ERROR_CLASSES),
    };
  }
}
