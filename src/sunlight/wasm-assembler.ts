/**
 * A small assembler: the text of WebAssembly functions in, a module out. It knows the instructions that the kernel
 * uses, in the words of the WebAssembly specification (core 2.0, chapter 5.4), in the order in which they are stored:
 *
 *     local.get $a  i32.const 4  i32.add  v128.load offset=64  ;; a comment
 *
 * Locals are called by name; `block` and `loop` may bear a label, to which `br` and `br_if` go.
 */
export interface WasmFunction {
  /** By type: `i32 first last, f32 step`. */
  params: string;
  locals: string;
  result: ValueType;
  body: string;
}

type ValueType = keyof typeof VALUE_TYPES;

const VALUE_TYPES = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
const EMPTY_TYPE = 0x40;

/** Opcodes by what follows them. Those over 0xff are of vectors: the prefix 0xfd, and the rest. */
const OPCODES = {
  none: {
    else: 0x05,
    end: 0x0b,
    return: 0x0f,
    select: 0x1b,
    'i32.eq': 0x46,
    'i32.lt_s': 0x48,
    'i32.gt_s': 0x4a,
    'i32.le_s': 0x4c,
    'f32.lt': 0x5d,
    'f32.gt': 0x5e,
    'f32.ge': 0x60,
    'i32.ctz': 0x68,
    'i32.add': 0x6a,
    'i32.sub': 0x6b,
    'i32.mul': 0x6c,
    'i32.and': 0x71,
    'i32.or': 0x72,
    'i32.xor': 0x73,
    'i32.shl': 0x74,
    'i32.shr_s': 0x75,
    'f32.add': 0x92,
    'f32.mul': 0x94,
    'f32.min': 0x96,
    'f32.convert_i32_s': 0xb2,
    'i32x4.splat': 0xfd11,
    'f32x4.splat': 0xfd13,
    'i32x4.eq': 0xfd37,
    'i32x4.ne': 0xfd38,
    'i32x4.le_s': 0xfd3d,
    'i32x4.ge_s': 0xfd3f,
    'f32x4.eq': 0xfd41,
    'f32x4.lt': 0xfd43,
    'f32x4.gt': 0xfd44,
    'f32x4.le': 0xfd45,
    'f32x4.ge': 0xfd46,
    'v128.and': 0xfd4e,
    'v128.or': 0xfd50,
    'v128.bitselect': 0xfd52,
    'v128.any_true': 0xfd53,
    'i32x4.bitmask': 0xfda4,
    'i32x4.add': 0xfdae,
    'f32x4.add': 0xfde4,
    'f32x4.mul': 0xfde6,
    'f32x4.pmin': 0xfdea,
    'f32x4.convert_i32x4_s': 0xfdfa,
  },
  opens: { block: 0x02, loop: 0x03, if: 0x04 },
  label: { br: 0x0c, br_if: 0x0d },
  local: { 'local.get': 0x20, 'local.set': 0x21, 'local.tee': 0x22 },
  memory: {
    'i32.load': 0x28,
    'f32.load': 0x2a,
    'i32.load8_u': 0x2d,
    'f32.store': 0x38,
    'i32.store8': 0x3a,
    'v128.load': 0xfd00,
    'v128.store': 0xfd0b,
  },
  i32: { 'i32.const': 0x41 },
  f32: { 'f32.const': 0x43 },
  i32x4: { 'v128.const': 0xfd0c },
  lane: { 'f32x4.extract_lane': 0xfd1f },
} as const;

type Immediate = keyof typeof OPCODES;

const INSTRUCTIONS = new Map<string, { opcode: number; immediate: Immediate }>(
  Object.entries(OPCODES).flatMap(([immediate, opcodes]) =>
    Object.entries(opcodes).map(([word, opcode]) => [word, { opcode, immediate: immediate as Immediate }]),
  ),
);

/**
 * The bytes of a module that imports the memory `env.memory` and exports the functions by their names. Throws `Error`
 * for a word that it does not know.
 */
export function assemble(functions: Record<string, WasmFunction>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(functions);
  const codes = Object.values(functions);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // "\0asm", version 1
    ...section(1, codes.map(typeBytes)),
    ...section(2, [[...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]]),
    ...section(
      3,
      codes.map((_, type) => unsigned(type)),
    ),
    ...section(
      7,
      names.map((name, i) => [...text(name), 0x00, ...unsigned(i)]),
    ),
    ...section(10, codes.map(functionBytes)),
  ]);
}

const section = (id: number, items: readonly (readonly number[])[]): number[] => {
  const bytes = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(bytes.length), ...bytes];
};

interface Local {
  name: string;
  type: ValueType;
}

/** Reads `i32 first last, f32 step`. */
const declared = (list: string): Local[] =>
  list.split(',').flatMap((group) => {
    const [type, ...names] = group.trim().split(/\s+/);
    return names.map((name) => ({ name, type: type as ValueType }));
  });

function typeBytes({ params, result }: WasmFunction): number[] {
  const types = declared(params).map(({ type }) => VALUE_TYPES[type]);
  return [0x60, ...unsigned(types.length), ...types, 1, VALUE_TYPES[result]];
}

function functionBytes({ params, locals, body }: WasmFunction): number[] {
  const own = declared(locals);
  const names = [...declared(params), ...own].map(({ name }) => name);
  const types = own.flatMap(({ type }) => [1, VALUE_TYPES[type]]);
  const code = [...unsigned(own.length), ...types, ...codeBytes(body, names), OPCODES.none.end];
  return [...unsigned(code.length), ...code];
}

function codeBytes(body: string, locals: readonly string[]): number[] {
  const words = body.replace(/;;.*$/gm, '').split(/\s+/).filter(Boolean).values();
  const code: number[] = [];
  /** Labels of the blocks around, innermost last. */
  const labels: string[] = [];
  let word = words.next().value;
  const take = (): string => {
    const taken = word ?? '';
    word = words.next().value;
    return taken;
  };
  const named = (list: readonly string[]): number => {
    const name = take();
    const at = list.lastIndexOf(name.slice(1));
    if (!name.startsWith('$') || at < 0) throw new Error(`WebAssembly: nothing here is called "${name}".`);
    return at;
  };
  const immediates: Record<Immediate, () => number[]> = {
    none: () => [],
    opens: () => {
      labels.push(word?.startsWith('$') ? take().slice(1) : '');
      return [EMPTY_TYPE];
    },
    label: () => unsigned(labels.length - 1 - named(labels)),
    local: () => unsigned(named(locals)),
    // The hint about alignment says: any.
    memory: () => [0, ...unsigned(word?.startsWith('offset=') ? Number(take().slice('offset='.length)) : 0)],
    i32: () => signed(Number(take())),
    f32: () => bytesOf(new Float32Array([Number(take())])),
    i32x4: () => bytesOf(new Int32Array([take(), take(), take(), take()].map(Number))),
    lane: () => [Number(take())],
  };
  while (word !== undefined) {
    const name = take();
    const instruction = INSTRUCTIONS.get(name);
    if (!instruction) throw new Error(`WebAssembly: no instruction "${name}".`);
    const { opcode, immediate } = instruction;
    if (opcode === OPCODES.none.end) labels.pop();
    code.push(...(opcode > 0xff ? [0xfd, ...unsigned(opcode & 0xff)] : [opcode]), ...immediates[immediate]());
  }
  return code;
}

/** ASCII with its length. */
const text = (value: string): number[] => [...unsigned(value.length), ...Array.from(value, (c) => c.charCodeAt(0))];

/** LEB128 of an integer that is not negative; … */
const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];

/** … of any of 32 bits. */
const signed = (value: number): number[] =>
  value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];

/** As they lie in memory; WebAssembly and all processors that Node runs on put the low byte first. */
const bytesOf = (numbers: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>): number[] => [
  ...new Uint8Array(numbers.buffer),
];
