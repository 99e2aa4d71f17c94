import { FIRST_PLAIN, type FormPhrases, Phrases } from './json-bytes.ts';

/** A member of a form: a value, or an object of members that are values. */
export type FormMember = FormValue | { name: string; members: readonly FormValue[]; isNullable: boolean };

interface FormValue {
  name: string;
  isText: boolean;
  /** Values that are kept as one byte. Null is among them wherever it can stand. */
  known: readonly unknown[];
}

/** A value of the form in its place. */
interface Leaf {
  /** The member, and where that is an object the member of it. */
  path: readonly [string, string?];
  isText: boolean;
  known: readonly unknown[];
  /** The text between the value before it and this one, and of that the part that opens its object where that can be null. */
  before: string;
  objectBegin: string;
}

/** Ends a value that is kept as its text. */
const END = 0;

/** What a control character stands for in one place: text up to the next value. `FormPhrases` has them as numbers. */
interface Phrase {
  /** The JSON of the known values that it stands for; of an object that is null `null` alone, of the end of a text nothing. */
  key: string;
  text: string;
  back: number;
  /** The leaf behind it. */
  next: number;
}

/**
 * JSON objects of one form: the same members in the same order. Of such an object its values are kept: one byte for a known
 * value or for several that follow each other, else the text in JSON, of a text without its quotes, and a byte that ends it.
 * The names are not kept.
 */
export class JsonForm {
  readonly phrases: FormPhrases;
  readonly #leaves: readonly Leaf[];
  /** By leaf: the control character of known values, by their JSON, and the most values that one stands for. */
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

  /** An object as it is kept; `JsonWriter.formed` writes it. */
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

/** What stands in front of a value, behind the last one what ends the object. */
const before = (leaves: readonly Leaf[], leaf: number): string =>
  leaves[leaf]?.before ?? (leaves[leaves.length - 1].path.length > 1 ? '}}' : '}');

/** What the control characters stand for at a leaf: the end of a text, known values, an object that is null, known values in a row. */
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
    // The brace that would close it goes.
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
