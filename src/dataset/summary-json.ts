import type { BuildingSummary } from '../contract/sunlight-shapes.ts';

/*
 * Summaries are kept as the JSON in which they are answered, so that a list of buildings is put together from bytes and
 * nothing is parsed or written anew. What the JSON of all buildings has in common is kept as one byte: a control
 * character, of which JSON text holds none (RFC 8259, 7). The rest stands as it is.
 */

/** By control character. Their number, order and text are part of the layout of a dataset. At most 32. */
const STRETCHES = [
  '{"building_id":"',
  '","ward_code":"',
  '","town_code":"',
  '","town_name":"',
  '","lat":',
  '","town_code":null,"town_name":null,"lat":',
  ',"lon":',
  ',"usage":"',
  ',"usage":"office","usage_code":"401","measured_height_m":',
  ',"usage":"commercial","usage_code":"402","measured_height_m":',
  ',"usage":"house","usage_code":"411","measured_height_m":',
  ',"usage":"apartment","usage_code":"412","measured_height_m":',
  ',"usage":"house_with_shop","usage_code":"413","measured_height_m":',
  ',"usage":"apartment_with_shop","usage_code":"414","measured_height_m":',
  ',"usage":"house_with_workshop","usage_code":"415","measured_height_m":',
  ',"usage":null,"usage_code":null,"measured_height_m":',
  '","usage_code":"',
  '","measured_height_m":',
  ',"storeys":',
  ',"storeys_estimated":false,"december_top_best":{"face":"',
  ',"storeys_estimated":true,"december_top_best":{"face":"',
  '","azimuth_deg":',
  ',"direct_sun_hours":',
  '},"december_first_south":{"face":"',
  '},"annual_mean_hours":',
  ',"quality":{"lod":1,"height_source":"solid","base_source":"solid"}}',
  ',"quality":{"lod":2,"height_source":"solid","base_source":"solid"}}',
  ',"quality":{"lod":',
  ',"height_source":"measured_height"',
  ',"height_source":"solid"',
  ',"base_source":"',
] as const;

const CODES = new Map(STRETCHES.map((stretch, code) => [stretch as string, String.fromCharCode(code)]));
/** The longest that fits is taken. */
const ANY_STRETCH = new RegExp(
  STRETCHES.toSorted((a, b) => b.length - a.length)
    .map((stretch) => stretch.replace(/[{}]/g, '\\$&'))
    .join('|'),
  'g',
);
const FIRST_PLAIN = 0x20;
const [COMMA, POINT, ZERO, LAST_ASCII] = [0x2c, 0x2e, 0x30, 0x7f];
/**
 * A stretch is written in pieces of eight bytes, what is too much being written over by what follows: as doubles, which is
 * the quickest way to move eight bytes and leaves them as they are (ASCII makes no NaN).
 */
const PIECE = 8;
const MOST_PIECES = Math.ceil(Math.max(...STRETCHES.map(({ length }) => length)) / PIECE);
const LENGTHS = Uint8Array.from(STRETCHES, ({ length }) => length);
const PIECES = new Float64Array(
  new Uint8Array(Buffer.from(STRETCHES.map((stretch) => stretch.padEnd(MOST_PIECES * PIECE)).join(''))).buffer,
);

/** A summary as it is kept. The ID comes first, so that the bytes of two buildings are ordered as their IDs. */
export function packSummary(summary: BuildingSummary): Uint8Array {
  const text = JSON.stringify(summary).replace(ANY_STRETCH, (stretch) => CODES.get(stretch)!);
  return Buffer.from(text);
}

/** The ID of the building whose summary is kept as this. */
export function keptBuildingId(kept: Uint8Array): string {
  const end = kept.findIndex((byte, i) => i > 0 && byte < FIRST_PLAIN);
  return Buffer.from(kept.subarray(1, end)).toString();
}

/** Puts an answer together from text, numbers and kept summaries. */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(1 << 15);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Begins an answer: what an error has left of another is forgotten. */
  begin(): void {
    this.#length = 0;
  }

  text(text: string): void {
    this.#reserve(3 * text.length);
    // By hand as far as it is ASCII: for the short texts between summaries a call of Buffer's takes longer.
    let ascii = 0;
    for (; ascii < text.length; ascii++) {
      const code = text.charCodeAt(ascii);
      if (code > LAST_ASCII) break;
      this.#bytes[this.#length++] = code;
    }
    if (ascii < text.length) this.#length += this.#bytes.write(text.slice(ascii), this.#length, 'utf8');
  }

  /** A number from 0 to 2^31 − 1, given in hundredths. */
  hundredths(hundredths: number): void {
    this.#reserve(16);
    const whole = Math.floor(hundredths / 100);
    const rest = hundredths - 100 * whole;
    let power = 1;
    while (10 * power <= whole) power *= 10;
    for (; power >= 1; power /= 10) this.#digit(whole / power);
    if (rest === 0) return;
    this.#byte(POINT);
    this.#digit(rest / 10);
    if (rest % 10 !== 0) this.#digit(rest);
  }

  /** The JSON of a kept summary, which lies from `from` to `to`. Bytes that are none give other text, never an error. */
  summary(kept: Uint8Array, from = 0, to = kept.length): void {
    this.#reserve((to - from) * MOST_PIECES * PIECE);
    const view = this.#view;
    let at = this.#length;
    for (let i = from; i < to; i++) {
      const byte = kept[i]!;
      if (byte >= STRETCHES.length) {
        view.setUint8(at++, byte);
        continue;
      }
      const end = at + LENGTHS[byte]!;
      for (let piece = byte * MOST_PIECES; at < end; at += PIECE) view.setFloat64(at, PIECES[piece++]!, true);
      at = end;
    }
    this.#length = at;
  }

  /** The members of a kept summary after others: with a comma in place of the opening brace. */
  members(kept: Uint8Array, from = 0, to = kept.length): void {
    const brace = this.#length;
    this.summary(kept, from, to);
    this.#bytes[brace] = COMMA;
  }

  /** What was written since `begin`; good until more is written. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The last digit of a number, which need not be whole. */
  #digit(number: number): void {
    this.#byte(ZERO + (Math.floor(number) % 10));
  }

  #byte(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
