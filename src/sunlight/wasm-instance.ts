/** The part of the global `WebAssembly` that is used here; TypeScript knows it only for browsers. */
declare const WebAssembly: {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { exports: Record<string, (...numbers: number[]) => number> };
};

const PAGE_BYTES = 65536;

/** The functions of a module and the memory on which they work. */
export interface WasmInstance {
  memory: ArrayBuffer;
  functions: Record<string, (...numbers: number[]) => number>;
}

/**
 * An instance of a module that imports `env.memory`, with so many bytes of memory at least. Null where the
 * engine does not take the module (vectors on an x86 without SSE 4.1), or where the system grants no memory for it: an
 * instance may reserve gigabytes of addresses, which `ulimit -v` can forbid.
 */
export function instantiate(bytes: Uint8Array<ArrayBuffer>, memoryBytes: number): WasmInstance | null {
  if (!WebAssembly.validate(bytes)) return null;
  const pages = Math.ceil(memoryBytes / PAGE_BYTES);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    return { memory: memory.buffer, functions: exports };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
