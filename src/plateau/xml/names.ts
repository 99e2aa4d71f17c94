/** What a reader knows a namespace URI as. */
export interface Namespace {
  /** The name of its elements' space; `other`: none of them has a code. */
  space: string;
  /** Version in the URI; null or absent: none. */
  version?: string | null;
}

/** A qualified name in the file, and its meaning under the current namespace bindings. */
export interface XmlName {
  /** The name, such as `bldg:Building`: as bytes, as 32-bit words, and as text. */
  bytes: Uint8Array;
  words: Int32Array;
  text: string;
  prefix: string;
  local: string;
  /** The version of the bindings for which `code` is valid. */
  epoch: number;
  code: number;
  /** The start tag that followed last time. It usually follows again, so it is compared first. */
  follower: XmlName | null;
}

const XML_URI = 'http://www.w3.org/XML/1998/namespace';

/** Limit of different element names in one document. PLATEAU's vocabulary has some hundreds. */
export const MOST_NAMES = 10_000;

/** A namespace declaration of an open element. */
interface Binding {
  /** Depth of the element. */
  depth: number;
  prefix: string;
  /** The namespace of the prefix outside the element; undefined when it is not bound there. */
  outer: Namespace | undefined;
}

/**
 * The element names of a document. Each is hashed from its bytes to one `XmlName`, so no string is made twice. Its
 * meaning follows from the current namespace bindings, not from its prefix.
 */
export class XmlNames {
  #names: XmlName[] = [];
  /** Open addressing: index into `#names` plus one, or 0. */
  #slots = new Int32Array(1024);
  /** Grows with every change of the bindings. */
  #epoch = 1;
  /** The current namespace of each prefix. */
  #bound = new Map<string, Namespace>();
  /** The declarations of the open elements, the innermost last. */
  #bindings: Binding[] = [];
  #namespaceOf: (uri: string) => Namespace;
  #handlerCode: (qualified: string) => number;

  /**
   * @param namespaceOf interprets a namespace URI
   * @param codeOf the code of `space:local`; 0 for a name that the grammar does not have
   */
  constructor(namespaceOf: (uri: string) => Namespace, codeOf: (qualified: string) => number) {
    this.#namespaceOf = namespaceOf;
    this.#handlerCode = codeOf;
    this.#bound.set('xml', namespaceOf(XML_URI));
    this.#bound.set('', { space: 'other' });
  }

  /** The name in `bytes[start, end)`, whose hash (`hashByte`) is `hash`. Null when the document has too many names. */
  find(bytes: Buffer, start: number, end: number, hash: number): XmlName | null {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot];
      // A free slot: the name is new.
      if (index === 0) return this.#names.length < MOST_NAMES ? this.#add(bytes, start, end, slot) : null;
      const name = this.#names[index - 1];
      if (sameBytes(name.bytes, bytes, start, end)) return name;
    }
  }

  /** Adds a name at a free slot. Its code (`epoch` 0) and the name that usually follows are not known yet. */
  #add(bytes: Buffer, start: number, end: number, slot: number): XmlName {
    const text = bytes.toString('utf8', start, end);
    const colon = text.indexOf(':');
    const copy = new Uint8Array(bytes.subarray(start, end));
    const view = new DataView(copy.buffer);
    const name: XmlName = {
      bytes: copy,
      // Whole words, for quick comparisons; the last bytes are compared one by one.
      words: Int32Array.from({ length: copy.length >> 2 }, (_, word) => view.getInt32(word * 4, true)),
      text,
      prefix: colon === -1 ? '' : text.slice(0, colon),
      local: text.slice(colon + 1),
      epoch: 0,
      code: 0,
      follower: null,
    };
    this.#names.push(name);
    // A slot has the index plus one: 0 is free.
    this.#slots[slot] = this.#names.length;
    if (this.#names.length * 2 > this.#slots.length) this.#grow();
    return name;
  }

  /** Doubles the slots, and puts every name into its new slot. */
  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let n = 0; n < this.#names.length; n++) {
      let hash = 0;
      for (const byte of this.#names[n].bytes) hash = hashByte(hash, byte);
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = n + 1;
    }
  }

  /**
   * The code by which the handler knows an element's name: 0 in a namespace that no handler reads, null when the prefix
   * is not bound to a namespace. The code is kept at the name until the bindings of prefixes change.
   */
  codeOf(name: XmlName): number | null {
    if (name.epoch === this.#epoch) return name.code;
    const namespace = this.#bound.get(name.prefix);
    if (namespace === undefined) return null;
    name.code = namespace.space === 'other' ? 0 : this.#handlerCode(`${namespace.space}:${name.local}`);
    name.epoch = this.#epoch;
    return name.code;
  }

  /** The namespace of a prefix; undefined when it is not bound. */
  namespace(prefix: string): Namespace | undefined {
    return this.#bound.get(prefix);
  }

  /**
   * Binds a prefix for the element at this depth and its content. Codes that names keep from earlier bindings are no
   * longer valid: they belong to an older epoch.
   */
  bind(depth: number, prefix: string, uri: string): void {
    this.#bindings.push({ depth, prefix, outer: this.#bound.get(prefix) });
    this.#bound.set(prefix, this.#namespaceOf(uri));
    this.#epoch++;
  }

  /** Ends the bindings of the element at this depth. */
  leave(depth: number): void {
    for (let last = this.#bindings.at(-1); last?.depth === depth; last = this.#bindings.at(-1)) {
      const { prefix, outer } = last;
      this.#bindings.pop();
      if (outer === undefined) this.#bound.delete(prefix);
      else this.#bound.set(prefix, outer);
      // Codes that names keep are no longer valid.
      this.#epoch++;
    }
  }
}

/** The hash of a name's bytes up to and including `byte`. `hash`: that of the bytes before it, 0 at the first. */
export function hashByte(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

/** True when the name is equal to `bytes[start, end)`. */
function sameBytes(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}

/**
 * True when the name begins at this position of the window. Compares four bytes at a time. The caller must check that
 * the window has at least as many bytes from there on as the name.
 */
export function standsAt(name: XmlName, view: DataView, bytes: Uint8Array, at: number): boolean {
  const { words } = name;
  for (let w = 0; w < words.length; w++) if (view.getInt32(at + w * 4, true) !== words[w]) return false;
  const nameBytes = name.bytes;
  for (let i = words.length * 4; i < nameBytes.length; i++) if (bytes[at + i] !== nameBytes[i]) return false;
  return true;
}
