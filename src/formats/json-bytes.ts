/** An answer as the UTF-8 bytes of its JSON, which are sent as they are. `JSON.stringify` of it gives the same JSON. */
export class JsonBytes<Value = unknown> {
  /** Owned by the answer: nothing else writes to them. */
  readonly bytes: Buffer;
  /** The number of pages of a list of which this answer is one page; null for other answers. */
  readonly pages: number | null;

  constructor(bytes: Buffer, pages: number | null = null) {
    this.bytes = bytes;
    this.pages = pages;
  }

  /** The answer as a parsed value. */
  toJSON(): Value {
    return JSON.parse(this.bytes.toString()) as Value;
  }
}

/**
 * ASCII texts that answers often contain. Each is stored in pieces of eight bytes, as doubles: this is the fastest way
 * to copy eight bytes. ASCII never makes a NaN, so the bytes stay as they are.
 */
export class Phrases {
  readonly lengths: Uint8Array;
  readonly pieces: Float64Array;
  /** The number of pieces of the longest text. Every text has as many. */
  readonly piecesOfEach: number;

  constructor(texts: readonly string[]) {
    this.lengths = Uint8Array.from(texts, ({ length }) => length);
    this.piecesOfEach = Math.ceil(Math.max(...this.lengths) / PIECE);
    const padded = Buffer.from(texts.map((text) => text.padEnd(this.piecesOfEach * PIECE)).join(''));
    this.pieces = new Float64Array(new Uint8Array(padded).buffer);
  }
}

/** The texts between the values of objects of one form (`JsonForm`). */
interface FormPhrases {
  /**
   * Text 0 is the beginning of the object. Then, for each value of the form, come the texts that its control characters
   * stand for.
   */
  texts: Phrases;
  /**
   * What `JsonWriter.formed` does at each text. Three numbers in one: the length of the text; times 2^8, the number of
   * written bytes to remove before it (the opening quote before a known value, the opening brace of an object that is
   * null); times 2^16, the index of the first text of the next value.
   */
  steps: Int32Array;
}

/**
 * The first byte that is not a control character. Control characters never occur in JSON text (RFC 8259, 7), so in a
 * packed object each stands for a text.
 */
export const FIRST_PLAIN = 0x20;

/** Bytes of a piece of a text. */
const PIECE = 8;
/** Copies bytes without a view: making one costs more than copying these few bytes. */
const copyBytes = Buffer.prototype.copy;
const [MINUS, POINT, ZERO, LAST_ASCII] = [0x2d, 0x2e, 0x30, 0x7f];

/** Writes JSON as bytes, from texts, numbers and prepared texts. */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(1 << 15);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Begins a new answer and discards the previous one. */
  begin(): void {
    this.#length = 0;
  }

  /** Writes a text as UTF-8. The caller escapes it. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    // ASCII is copied in a loop: for short texts a call of `Buffer` takes longer.
    let ascii = 0;
    for (; ascii < text.length; ascii++) {
      const code = text.charCodeAt(ascii);
      if (code > LAST_ASCII) break;
      this.#bytes[this.#length++] = code;
    }
    if (ascii < text.length) this.#length += this.#bytes.write(text.slice(ascii), this.#length, 'utf8');
  }

  /** Writes JSON that already exists as bytes, or a part of it. */
  bytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from);
    this.#length += copyBytes.call(bytes, this.#bytes, this.#length, from, to);
  }

  /** Writes a number given in hundredths, below 2^31. */
  hundredths(hundredths: number): void {
    this.decimal(hundredths, 2);
  }

  /** Writes a number given in units of 10^−places, below 2^31. */
  decimal(units: number, places: number): void {
    this.#reserve(16);
    if (units < 0) this.#byte(MINUS);
    let rest = Math.abs(units) | 0;
    let decimals = places;
    // Trailing zeros are not written.
    while (decimals > 0 && rest % 10 === 0) {
      rest = (rest / 10) | 0;
      decimals--;
    }
    // All digits: at least one before the point.
    let digits = decimals + 1;
    for (let power = 10 ** digits; power <= rest; power *= 10) digits++;
    const bytes = this.#bytes;
    // The digits are written from the last to the first.
    let to = this.#length + digits + (decimals > 0 ? 1 : 0);
    this.#length = to;
    for (let place = 0; place < digits; place++) {
      if (place === decimals && decimals > 0) bytes[--to] = POINT;
      const higherDigits = (rest / 10) | 0;
      bytes[--to] = ZERO + rest - 10 * higherDigits;
      rest = higherDigits;
    }
  }

  /** Writes one of the prepared texts. */
  phrase(phrases: Phrases, index = 0): void {
    this.#reserve(phrases.piecesOfEach * PIECE);
    this.#length = this.#put(phrases, index, this.#length);
  }

  /**
   * Writes the JSON of an object that `JsonForm.pack` packed into `packed[from, to)`. Text 0 of the form comes first. A
   * byte from `FIRST_PLAIN` on is written as it is. A smaller byte n stands for text n of the member that is written now.
   * For example:
   *
   *     packed |        | `1` | 0       | 1
   *     text   | `{"a":` | `1` | `,"b":` | `null}`
   *
   * The first 0 is text 0 of a, which ends it; then 1 is text 1 of b. Damaged bytes give a wrong JSON but never an error.
   */
  formed({ texts, steps }: FormPhrases, packed: Uint8Array, from: number, to: number): void {
    const { pieces, piecesOfEach } = texts;
    this.#reserve((to - from + 1) * piecesOfEach * PIECE);
    const view = this.#view;
    let at = this.#put(texts, 0, this.#length);
    // Index of text 0 of the current member. The texts of the first member follow that of the beginning.
    let firstText = 1;
    for (let i = from; i < to; i++) {
      const byte = packed[i] ?? 0;
      if (byte >= FIRST_PLAIN) {
        view.setUint8(at++, byte);
        continue;
      }
      const index = firstText + byte;
      // Three numbers in one, see `FormPhrases.steps`. Removed is for example the quote that began a text, before a
      // null.
      const step = steps[index] ?? 0;
      const textLength = step & 0xff;
      const removedBytes = (step >>> 8) & 0xff;
      firstText = step >>> 16;
      at -= removedBytes;
      const end = at + textLength;
      let piece = index * piecesOfEach;
      // The text is copied in pieces of eight bytes. What stands behind its end is overwritten next.
      for (; at < end; at += PIECE) view.setFloat64(at, pieces[piece++] ?? 0, true);
      at = end;
    }
    this.#length = at;
  }

  /**
   * Replaces one byte by an ASCII character.
   * @param fromEnd 1 for the last byte
   */
  replaceFromEnd(fromEnd: number, character: string): void {
    this.#bytes[this.#length - fromEnd] = character.charCodeAt(0);
  }

  /** Writes the bytes [from, to) of this answer once more. */
  repeat(from: number, to: number): void {
    this.#reserve(to - from);
    this.#bytes.copyWithin(this.#length, from, to);
    this.#length += to - from;
  }

  /** A copy of the bytes since `begin`. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** Bytes written since `begin`. */
  get length(): number {
    return this.#length;
  }

  /**
   * Copies a text in whole pieces of eight bytes ({@link Phrases}). The caller reserves its length rounded up to
   * pieces; the bytes after its end are overwritten by the next write. Doubles only carry the eight bytes.
   */
  #put(phrases: Phrases, index: number, at: number): number {
    const end = at + (phrases.lengths[index] ?? 0);
    let piece = index * phrases.piecesOfEach;
    for (let to = at; to < end; to += PIECE) this.#view.setFloat64(to, phrases.pieces[piece++] ?? 0, true);
    return end;
  }

  #byte(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  /** Ensures memory for more bytes. */
  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    // Not from the pool of Node, so that the text begins at byte 0 of the ArrayBuffer.
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** A member of a form: a value, or an object whose members are values. */
export type FormMember = FormValue | { name: string; members: readonly FormValue[]; isNullable: boolean };

/** A value of a form. */
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
  /** The JSON of the known values that it stands for, with commas between them; empty for the end of a text. */
  values: string;
  text: string;
  /** Number of written bytes to remove before the text. */
  removes: number;
  /** The index of the next value. */
  next: number;
}

/**
 * JSON objects of one form: the same members in the same order. Only the values are stored, not the names. A known
 * value, or the known values of several members in a row, take one byte. Another value takes its JSON text (without
 * quotes) and a byte that ends it. For example, {"a":1,"b":null} takes three bytes if null is a known value of b: `1`,
 * the byte that ends it, and the byte of null.
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
    this.#codes = phrases.map((leafPhrases, i) => ({
      // The first phrase ends a text.
      codes: new Map(leafPhrases.map(({ values }, code) => [values, code] as const).slice(1)),
      longest: Math.max(...leafPhrases.map(({ next }) => next)) - i,
    }));
    const firstTexts: number[] = [];
    let count = 1;
    for (const { length } of phrases) {
      firstTexts.push(count);
      count += length;
    }
    const all = [{ text: before(leaves, 0), removes: 0, next: 0 }, ...phrases.flat()];
    this.phrases = {
      texts: new Phrases(all.map(({ text }) => text)),
      steps: Int32Array.from(
        all,
        ({ text, removes, next }) => text.length + (removes << 8) + ((firstTexts[next] ?? 0) << 16),
      ),
    };
  }

  /**
   * Packs the values of an object of this form. A control character stands for a known value, or for the known values
   * of several neighbouring members. Another value becomes its text and `END`. `JsonWriter.formed` writes the JSON again.
   */
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
      // Tries the longest row of known values that begins here, then shorter ones; without any, stores the value
      // itself.
      let code: number | undefined;
      let length = longest + 1;
      while (code === undefined && length > 1) {
        length--;
        code = codes.get(values.slice(i, i + length).join());
      }
      if (code === undefined) packed += this.#leaves[i].isText ? values[i].slice(1, -1) : values[i];
      packed += String.fromCharCode(code ?? END);
      i += length;
    }
    return Buffer.from(packed);
  }
}

/** The quote of a text; nothing for another value. */
const quote = (isText: boolean): string => (isText ? '"' : '');

/** The JSON before a value; after the last value, the end of the object. */
const before = (leaves: readonly Leaf[], leaf: number): string =>
  leaves[leaf]?.before ?? (leaves[leaves.length - 1].path.length > 1 ? '}}' : '}');

/**
 * The phrases of a value: what a control character in packed JSON stands for there. By number, from 0:
 *
 * - 0 ends a value that is stored as its text;
 * - one for each known value;
 * - one for the object that begins here and is null, if it may be null;
 * - the others for known values of this and the following members in a row.
 *
 * Of {"a":…,"b":…} whose values are known to be true or null, 1 and 2 at a are true and null, 3 to 6 the pairs of a and
 * b.
 */
function phrasesOf(leaves: readonly Leaf[], leaf: number): Phrase[] {
  const { isText, known, objectBegin } = leaves[leaf];
  const next = leaf + 1;
  const endOfText = { values: '', text: quote(isText) + before(leaves, next), removes: 0, next };
  let rows = known.map((value) => [JSON.stringify(value)]);
  const phrases = [endOfText, ...rows.map((row) => rowPhrase(leaves, leaf, row))];
  if (objectBegin !== '') phrases.push(nullPhrase(leaves, leaf));
  // Rows of two values, of three and so on, while there are control characters for all of them.
  for (let end = next; end < leaves.length; end++) {
    rows = rows.flatMap((row) => leaves[end].known.map((value) => [...row, JSON.stringify(value)]));
    // A member without known values ends all rows.
    if (rows.length === 0 || phrases.length + rows.length > FIRST_PLAIN) break;
    phrases.push(...rows.map((row) => rowPhrase(leaves, leaf, row)));
  }
  return phrases;
}

/**
 * The phrase of known values in a row: the values, the JSON between them, and the JSON before the next value. Of
 * {"a":0,"b":null,"c":…} the row 0, null has the text `0,"b":null,"c":`. The JSON before a value that may be a text
 * ends with a quote, for `pack` stores texts without quotes. A known value has its own quotes or needs none.
 * @param values JSON of the value at `leaf` and of those after it
 */
function rowPhrase(leaves: readonly Leaf[], leaf: number, values: readonly string[]): Phrase {
  const end = leaf + values.length;
  const withoutQuote = (i: number): string => before(leaves, i).slice(0, leaves[i].isText ? -1 : undefined);
  const parts = values.map((value, k) => {
    const following = leaf + k + 1;
    return value + (following < end ? withoutQuote(following) : before(leaves, end));
  });
  // The quote before the first value was written by the phrase before this one.
  return { values: values.join(), text: parts.join(''), removes: leaves[leaf].isText ? 1 : 0, next: end };
}

/**
 * The phrase of an object that is null, at its first value: it removes the brace and the name that have been written
 * already. Of {"a":{"b":…,"c":…},"d":…} it removes `{"b":` behind `{"a":`, has the text `null,"d":`, and d is next.
 */
function nullPhrase(leaves: readonly Leaf[], leaf: number): Phrase {
  const { objectBegin, path } = leaves[leaf];
  const afterObject = leaves.findLastIndex((other) => other.path[0] === path[0]) + 1;
  // For `pack`, an object that is null has members that are all null.
  const nulls = Array.from({ length: afterObject - leaf }, () => 'null');
  // It begins with the brace that closes the object.
  const textAfterObject = before(leaves, afterObject).slice(1);
  return { values: nulls.join(), text: `null${textAfterObject}`, removes: objectBegin.length, next: afterObject };
}

/**
 * The values of a form (the members that its objects have) in order, each with the JSON before it. Those of
 * {"a":1,"b":{"c":2,"d":3}}, where b may be null, are:
 *
 *     value  before      objectBegin
 *     a      {"a":
 *     c      ,"b":{"c":  {"c":
 *     d      ,"d":
 *
 * The `objectBegin` is what `nullPhrase` removes. The braces that end the object belong to the JSON after the last value
 * ({@link before}).
 */
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
