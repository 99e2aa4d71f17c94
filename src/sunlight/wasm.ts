import { KERNEL_MODULE } from './kernel-module.ts';

/** The part of the global `WebAssembly` that is used here. TypeScript declares it only for browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { exports: KernelExports };
};

/** A constant or variable of the kernel: most are addresses in its memory (see `assembly/layout.ts`). */
type Address = { readonly value: number };

/** What `assembly/index.ts` exports. */
export interface KernelExports {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  BINS: Address;
  PLANE_BINS: Address;
  SLOPE: Address;
  SHOWN_EDGE: Address;
  SUN: Address;
  MINUTE: Address;
  ELAPSED: Address;
  LOWEST_SUN: Address;
  SUNRISE: Address;
  SUNSET: Address;
  RANK_MONTH: Address;
  Z: Address;
  FLOORS: Address;
  INSIDE: Address;
  RANGES: Address;
  UNSHADED: Address;
  LIT: Address;
  LIT_NUMBERS: Address;
  LIT_LENGTH: Address;
  BY_SURFACE: Address;
  SLOT_BUILDING: Address;
  SLOT_MINUTES: Address;
  USED_SLOTS: Address;
  BLOCKER_SLOTS: Address;
  EDGES: Address;
  QUANTILES: Address;
  POSITION_ERRORS: Address;
  HEIGHT_ERRORS: Address;
  PARTS: Address;
  MOST_PARTS: Address;
  PAGES: Address;
  MOST_PAGES: Address;
  UPPER: Address;
  ARENA: Address;
  drawnFirst: Address;
  drawnEnd: Address;
  startEyes(count: number, ownBuilding: number, turn: number, way: number): void;
  standStill(): void;
  moveBuildings(draw: number, viewX: number, viewY: number, shift: number, rise: number, ownRise: number): void;
  emptyLit(): void;
  emptyBlockers(): void;
  forgetSeen(): void;
  startSun(): void;
  layDay(rank: number, first: number, length: number): void;
  /** Returns the length of the list of blocking buildings. */
  seeColumn(x: number, y: number, normalX: number, normalY: number, ranges: number): number;
  seeSky(x: number, y: number, normalX: number, normalY: number): void;
}

/**
 * An instance of the kernel's module.
 * @param loadPage loads a page of a part of the view into the kernel's memory and returns its address
 * @throws Error when the processor has no 128-bit vectors (x86 before SSE 4.1), or the system grants no memory: an
 * instance may reserve gigabytes of addresses, which `ulimit -v` can forbid
 */
export function instantiateKernel(loadPage: (part: number, page: number) => number): KernelExports {
  const bytes = Uint8Array.from(atob(KERNEL_MODULE), (character) => character.charCodeAt(0));
  const abort = (): never => {
    throw new Error('The skyline kernel stopped.');
  };
  try {
    const module = new WebAssembly.Module(bytes);
    return new WebAssembly.Instance(module, { tree: { loadPage }, env: { abort } }).exports;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The skyline kernel cannot start: it needs WebAssembly with 128-bit vectors and addresses for its memory. (${reason})`,
    );
  }
}
