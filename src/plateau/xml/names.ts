import type { Namespace } from '../vocabulary.ts';

/** A qualified name as it stands in the file, with what it means while the present namespace bindings hold. */
export interface XmlName {
  /** `bldg:Building`, as bytes, as words of four bytes, and as text. */
  bytes: Uint8Array;
  words: Int32Array;
  text: string;
  prefix: string;
  local: string;
  /** Number of the bindings under which `code` was looked up. */
  epoch: number;
  code: number;
  /** The name of the start tag that came next the last time: it mostly does again. */
  follower: XmlName | null;
}

const XML_URI = 'http://www.w3.org/XML/1998/namespace';

/** Different names of elements in one document: the vocabulary of PLATEAU has some hundreds. */
export const MOST_NAMES = 10_000;

interface Binding {
  depth: number;
  prefix: string;
  outer: Namespace | undefined;
}

/**
 * Names met in a document: each is hashed from its bytes to one `XmlName`, so that no string is made twice, and means
 * what the namespace bindings in force say, whatever the prefix.
 */
export class XmlNames {
  #names: XmlName[] = [];
  /** Open addressing: index into `#names` plus one, or 0. */
  #slots = new Int32Array(1024);
  #epoch = 1;
  #bound = new Map<string, Namespace>();
  #undo: Binding[] = [];
  #namespaceOf: (uri: string) => Namespace;
  #codeOf: (qualified: string) => number;

  /**
   * `namespaceOf` says what a URI means; `codeOf` gives the code of `space:local`, 0 for a name of no interest.
   */
  constructor(namespaceOf: (uri: string) => Namespace, codeOf: (qualified: string) => number) {
    this.#namespaceOf = namespaceOf;
    this.#codeOf = codeOf;
    this.#bound.set('xml', namespaceOf(XML_URI));
    this.#bound.set('', { space: 'other', version: null });
  }

  /** The name whose bytes are `bytes[start, end)`; `hash` is that of `hashByte` over them. Null: one name too many. */
  find(bytes: Buffer, start: number, end: number, hash: number): XmlName | null {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot];
      if (index === 0) return this.#names.length < MOST_NAMES ? this.#add(bytes, start, end, slot) : null;
      const name = this.#names[index - 1];
      if (sameBytes(name.bytes, bytes, start, end)) return name;
    }
  }

  #add(bytes: Buffer, start: number, end: number, slot: number): XmlName {
    const text = bytes.toString('utf8', start, end);
    const colon = text.indexOf(':');
    const copy = new Uint8Array(bytes.subarray(start, end));
    const view = new DataView(copy.buffer);
    const name: XmlName = {
      bytes: copy,
      words: Int32Array.from({ length: copy.length >> 2 }, (_, word) => view.getInt32(word * 4, true)),
      text,
      prefix: colon === -1 ? '' : text.slice(0, colon),
      local: text.slice(colon + 1),
      epoch: 0,
      code: 0,
      follower: null,
    };
    this.#slots[slot] = this.#names.push(name);
    if (this.#names.length * 2 > this.#slots.length) this.#grow();
    return name;
  }

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

  /** The code of a name under the bindings in force; null when its prefix is not bound. */
  codeOf(name: XmlName): number | null {
    if (name.epoch === this.#epoch) return name.code;
    const namespace = this.#bound.get(name.prefix);
    if (namespace === undefined) return null;
    name.code = namespace.space === 'other' ? 0 : this.#codeOf(`${namespace.space}:${name.local}`);
    name.epoch = this.#epoch;
    return name.code;
  }

  /** What a prefix means now; undefined when it is not bound. */
  namespace(prefix: string): Namespace | undefined {
    return this.#bound.get(prefix);
  }

  /** Binds a prefix from an element at this depth on. */
  bind(depth: number, prefix: string, uri: string): void {
    this.#undo.push({ depth, prefix, outer: this.#bound.get(prefix) });
    this.#bound.set(prefix, this.#namespaceOf(uri));
    this.#epoch++;
  }

  /** Ends the bindings of the element at this depth. */
  leave(depth: number): void {
    for (let last = this.#undo.at(-1); last?.depth === depth; last = this.#undo.at(-1)) {
      const { prefix, outer } = last;
      this.#undo.pop();
      if (outer === undefined) this.#bound.delete(prefix);
      else this.#bound.set(prefix, outer);
      this.#epoch++;
    }
  }
}

/** One step of the hash of a name. */
export function hashByte(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

function sameBytes(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}

/** Does the name stand at this position of a window? Compares four bytes at a time. The window must reach beyond it. */
export function standsAt(name: XmlName, view: DataView, bytes: Uint8Array, at: number): boolean {
  const { words } = name;
  for (let w = 0; w < words.length; w++) if (view.getInt32(at + w * 4, true) !== words[w]) return false;
  const own = name.bytes;
  for (let i = words.length * 4; i < own.length; i++) if (bytes[at + i] !== own[i]) return false;
  return true;
}
