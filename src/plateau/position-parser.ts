/**
 * Parses decimal numbers from bytes, correctly rounded: the same doubles as `Number(text)`, without making a string.
 *
 * The digits are collected in two integers of up to nine digits. Together up to 15 digits are exact in a double, and
 * one division by an exact power of ten rounds once. PLATEAU publishes 16 to 18 digits: the integer is then the sum of
 * two doubles, and the quotient is corrected by its remainder (error-free transformations of Dekker, 1971). When the
 * rounding stays in doubt, or the number is longer, `Number` decides.
 */

const SPACE = 0x20;
const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;

/** 10^0 to 10^22, exact in a double; `UPPER_HALVES` has the upper 26 bits of each (Veltkamp's splitting). */
const POWERS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
const UPPER_HALVES = POWERS.map(upperHalf);

/** A list of numbers contains something else. */
export class NumberListError extends Error {
  override name = 'NumberListError';
  text: string;
  constructor(text: string) {
    super(`"${text}" is not a number`);
    this.text = text;
  }
}

/** An array of numbers that grows. */
export interface NumberSink {
  values: Float64Array;
  length: number;
}

/** Makes room for `more` further numbers. */
export function makeRoom(sink: NumberSink, more: number): void {
  if (sink.length + more <= sink.values.length) return;
  const grown = new Float64Array(Math.max(sink.values.length * 2, sink.length + more));
  grown.set(sink.values.subarray(0, sink.length));
  sink.values = grown;
}

/**
 * Appends the white-space separated numbers of `bytes[start, end)` to the sink.
 * @throws NumberListError at the first word that is not a finite decimal number
 */
export function parseNumbers(bytes: Uint8Array, start: number, end: number, sink: NumberSink): void {
  // A number and its separator take at least two bytes.
  makeRoom(sink, ((end - start) >> 1) + 1);
  const values = sink.values;
  let count = sink.length;
  let i = start;
  for (;;) {
    while (i < end && bytes[i] <= SPACE) i++;
    if (i >= end) break;
    const from = i;
    const negative = bytes[i] === MINUS;
    if (negative || bytes[i] === PLUS) i++;

    // `high` takes the first nine digits, `low` the next nine. The point is skipped: of 35.68123456789, `high` is
    // 356812345, `low` is 6789 with four digits, and there are eleven decimals. Other words are left to `Number`: those
    // with more than nine digits before the point or eighteen in all, or with an exponent.
    const digitsFrom = i;
    let high = 0;
    let digit = 0;
    // The digits before the point; all are in `high`.
    for (; i < end; i++) {
      digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9 || i - digitsFrom === 9) break;
      high = high * 10 + digit;
    }
    const digitsBefore = i - digitsFrom;
    let low = 0;
    let lowFrom = i;
    let decimals = 0;
    if (i < end && bytes[i] === POINT) {
      const pointAt = i++;
      // Digits after the point fill `high` up to nine.
      const highTo = pointAt + 1 + (9 - digitsBefore);
      for (; i < end && i < highTo; i++) {
        digit = bytes[i] - ZERO;
        if (digit < 0 || digit > 9) break;
        high = high * 10 + digit;
      }
      lowFrom = i;
      const lowTo = lowFrom + 9;
      for (; i < end && i < lowTo; i++) {
        digit = bytes[i] - ZERO;
        if (digit < 0 || digit > 9) break;
        low = low * 10 + digit;
      }
      decimals = i - pointAt - 1;
    }
    // NaN, so that `slowNumber` reads it: no digits, other than a space after them, or a rounding that is not proved.
    const value =
      digitsBefore + decimals > 0 && (i >= end || bytes[i] <= SPACE)
        ? quotient(high, low, i - lowFrom, digitsBefore + decimals, decimals)
        : Number.NaN;
    if (!Number.isNaN(value)) values[count++] = negative ? -value : value;
    else {
      while (i < end && bytes[i] > SPACE) i++;
      values[count++] = slowNumber(bytes, from, i);
    }
  }
  sink.length = count;
}

/**
 * (high · 10^lowDigits + low) / 10^decimals, correctly rounded; NaN when the rounding cannot be proved.
 * `high` < 10^9, `low` < 10^lowDigits, lowDigits ≤ 9, decimals ≤ 18.
 *
 * A plain division is exact enough up to 15 digits. Of a longer number it gives an estimate, to which the rest of the
 * division is added, divided once more. The rest contains what the rounded sum and product have lost (Dekker, 1971).
 * @param digits number of digits of both together
 */
function quotient(high: number, low: number, lowDigits: number, digits: number, decimals: number): number {
  // Exact: high · 5^9 < 2^53, and the power of two only moves the point.
  const shifted = high * POWERS[lowDigits];
  const divisor = POWERS[decimals];
  if (digits <= 15) return (shifted + low) / divisor;

  // The exact numerator is `numerator` + `numeratorError`.
  const numerator = shifted + low;
  const numeratorError = low - (numerator - shifted);
  const estimate = numerator / divisor;
  // The exact product of estimate and divisor is `product` + `error`.
  const product = estimate * divisor;
  const error = productError(product, estimate, divisor, UPPER_HALVES[decimals]);
  // What the division by `divisor` leaves over, nearly exact.
  const rest = numerator - product - error + numeratorError;
  const correction = rest / divisor;
  // The relative error of the correction is about 2^-50. If a change of the correction by 2^-40, a thousand times more,
  // does not change the sum, the sum is correctly rounded.
  const value = estimate + correction * (1 + 2 ** -40);
  return value === estimate + correction * (1 - 2 ** -40) ? value : Number.NaN;
}

/**
 * What must be added to a rounded product a · b so that it is exact (Dekker, 1971). The factors are split into halves,
 * because products of halves are exact.
 * @param bUpper `upperHalf(b)`
 */
function productError(product: number, a: number, b: number, bUpper: number): number {
  const aUpper = upperHalf(a);
  const aLower = a - aUpper;
  const bLower = b - bUpper;
  return aLower * bLower - (product - aUpper * bUpper - aLower * bUpper - aUpper * bLower);
}

/** The upper 26 bits of a double: `a - upperHalf(a)` holds the rest, and products of halves are exact. */
function upperHalf(a: number): number {
  const shifted = (2 ** 27 + 1) * a;
  return shifted - (shifted - a);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * The number in `bytes[start, end)`, by `Number`.
 * @throws NumberListError when it is not a finite decimal number
 */
function slowNumber(bytes: Uint8Array, start: number, end: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new NumberListError(text.slice(0, 40));
  return value;
}
