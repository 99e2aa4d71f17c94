import { FIRST_PLAIN, type FormPhrases, Phrases } from './json-bytes.ts';

/** A member of a form: a value, or an object whose members are values. */
export type FormMember = FormValue | { name: string; members: readonly FormValue[]; isNullable: boolean };

interface FormValue {
  name: string;
  isText: boolean;
  /** Values that are stored as one byte. They include null wherever it is allowed. */
  known: readonly unknown[];
}

/** A value of the form and its position. */
interface Leaf {
  /** The name of the member; inside an object, followed by the name of its member. */
  path: readonly [string, string?];
  isText: boolean;
  known: readonly unknown[];
  /**
   * The JSON between the previous value and this one; and the part of it that opens this value's object, if that can be
   * null.
   */
  before: string;
  objectBegin: string;
}

/** Ends a value that is stored as its text. */
const END = 0;

/**
 * The text that a control character stands for at one position, up to the next value. `FormPhrases` has these as
 * numbers.
 */
interface Phrase {
  /**
   * The JSON of the known values that it stands for: `null` alone for an object that is null, empty for the end of a
   * text.
   */
  key: string;
  text: string;
  back: number;
  /** The index of the next value. */
  next: number;
}

/**
 * JSON objects of one form: the same members in the same order. Only the values are stored, not the names. A known
 * value, or several in a row, take one byte. Another value takes its JSON text (without quotes) and a byte that ends
 * it.
 */
export class JsonForm {
  readonly phrases: FormPhrases;
  readonly #leaves: readonly Leaf[];
  /**
   * For each value: the control characters of the known values by their JSON, and the largest number of values that one
   * stands for.
   */
  readonly #codes: readonly { codes: ReadonlyMap<string, number>; longest: number }[];

  constructor(members: readonly FormMember[]) {
    const leaves = leavesOf(members);
    this.#leaves = leaves;
    const phrases = leaves.map((_, i) => phrasesOf(leaves, i));
    this.#codes = phrases.map((ofLeaf, i) => ({
      codes: new Map(ofLeaf.map(({ key }, code) => [key, code] as const).slice(1)),
      longest: Math.max(...ofLeaf.map(({ next }) => next)) - i,
    }));
    const first: number[] = [];
    let count = 1;
    for (const { length } of phrases) {
      first.push(count);
      count += length;
    }
    const all = [{ text: before(leaves, 0), back: 0, next: 0 }, ...phrases.flat()];
    this.phrases = {
      texts: new Phrases(all.map(({ text }) => text)),
      steps: Int32Array.from(all, ({ text, back, next }) => text.length + (back << 8) + ((first[next] ?? 0) << 16)),
    };
  }

  /** Packs an object; `JsonWriter.formed` writes it. */
  pack(object: Readonly<Record<string, unknown>>): Uint8Array {
    const values = this.#leaves.map(({ path: [name, inner] }) => {
      const member = object[name];
      return JSON.stringify(
        inner === undefined ? member : ((member as Record<string, unknown> | null)?.[inner] ?? null),
      );
    });
    let packed = '';
    for (let i = 0; i < values.length; ) {
      const { codes, longest } = this.#codes[i];
      let length = longest;
      let code: number | undefined;
      for (; code === undefined && length > 0; length--) code = codes.get(values.slice(i, i + length).join());
      if (code === undefined) packed += this.#leaves[i].isText ? values[i].slice(1, -1) : values[i];
      packed += String.fromCharCode(code ?? END);
      i += length + 1;
    }
    return Buffer.from(packed);
  }
}

const quote = (isText: boolean): string => (isText ? '"' : '');

/** The JSON before a value; after the last value, the end of the object. */
const before = (leaves: readonly Leaf[], leaf: number): string =>
  leaves[leaf]?.before ?? (leaves[leaves.length - 1].path.length > 1 ? '}}' : '}');

/**
 * The phrases at a value: the end of a text, the known values, null for its object, and several known values in a row.
 */
function phrasesOf(leaves: readonly Leaf[], leaf: number): Phrase[] {
  const { isText, known, objectBegin, path } = leaves[leaf];
  const back = isText ? 1 : 0;
  const next = leaf + 1;
  const ofValues = (values: readonly string[]): Phrase => {
    const end = leaf + values.length;
    const parts = values.map((value, k) => {
      const inner = leaf + k + 1;
      return (
        value +
        (inner < end ? before(leaves, inner).slice(0, leaves[inner].isText ? -1 : undefined) : before(leaves, end))
      );
    });
    return { key: values.join(), text: parts.join(''), back, next: end };
  };
  const phrases = [
    { key: '', text: quote(isText) + before(leaves, next), back: 0, next },
    ...known.map((value) => ofValues([JSON.stringify(value)])),
  ];
  if (objectBegin !== '') {
    const behind = leaves.findLastIndex((one) => one.path[0] === path[0]) + 1;
    const nulls = Array.from({ length: behind - leaf }, () => 'null');
    // Without the brace that would close the object.
    phrases.push({
      key: nulls.join(),
      text: `null${before(leaves, behind).slice(1)}`,
      back: objectBegin.length,
      next: behind,
    });
  }
  let rows = known.map((value) => [JSON.stringify(value)]);
  for (let end = next; end < leaves.length; end++) {
    rows = rows.flatMap((row) => leaves[end].known.map((value) => [...row, JSON.stringify(value)]));
    if (rows.length === 0 || phrases.length + rows.length > FIRST_PLAIN) break;
    phrases.push(...rows.map(ofValues));
  }
  return phrases;
}

function leavesOf(members: readonly FormMember[]): Leaf[] {
  const leaves: Leaf[] = [];
  let separator = '{';
  for (const member of members) {
    const before = `${separator}${JSON.stringify(member.name)}:`;
    separator = ',';
    if ('isText' in member) {
      const { name, isText, known } = member;
      leaves.push({ path: [name], isText, known, before: before + quote(isText), objectBegin: '' });
      continue;
    }
    for (const [i, { name, isText, known }] of member.members.entries()) {
      const begin = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:${quote(isText)}`;
      const isFirstOfNullable = i === 0 && member.isNullable;
      leaves.push({
        path: [member.name, name],
        isText,
        known,
        before: (i === 0 ? before : '') + begin,
        objectBegin: isFirstOfNullable ? begin : '',
      });
    }
    separator = '},';
  }
  return leaves;
}
