import { type AttributeKind, type AttributeValue, OF_RECORD } from '../building/attributes.ts';
import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';

/** Packs the values of an attribute. Reading returns the written value. */
interface ValueCode<Value extends AttributeValue = AttributeValue> {
  write(out: BitWriter, value: Value): void;
  read(from: BitReader): Value;
}

function codeOf(row: AttributeKind): ValueCode {
  switch (row.kind) {
    case 'code':
      return digitCode(row.digits);
    case 'number':
      return numberCode(row.decimals, row.bits);
    case 'count':
      return countCode(row.bits);
    case 'choice':
      return choiceCode(row.choices.map(({ value }) => value));
    case 'date':
      return DATE;
  }
}

/** A leading flag tells whether there is a value. */
const orNull = (code: ValueCode): ValueCode => ({
  write(out, value) {
    out.flag(value !== null);
    if (value !== null) code.write(out, value);
  },
  read: (from) => (from.flag() ? code.read(from) : null),
});

/**
 * Codes with a fixed number of digits, as numbers. The first number with more digits marks any other text, which then
 * follows.
 */
function digitCode(digits: number): ValueCode<string> {
  const usual = new RegExp(`^\\d{${digits}}$`);
  const other = 10 ** digits;
  const width = 32 - Math.clz32(other);
  return {
    write(out, code) {
      const isUsual = usual.test(code);
      out.bits(isUsual ? Number(code) : other, width);
      if (!isUsual) out.text(code);
    },
    read(from) {
      const number = from.bits(width);
      return number === other ? from.text() : String(number).padStart(digits, '0');
    },
  };
}

/** A whole number in units of the last decimal. */
function numberCode(decimals: number, bits: number): ValueCode<number> {
  const units = 10 ** decimals;
  return {
    write: (out, value) => out.signed(Math.round(value * units), riceContext(bits)),
    read: (from) => from.signed(riceContext(bits)) / units,
  };
}

const countCode = (bits: number): ValueCode<number> => ({
  write: (out, value) => out.rice(value, riceContext(bits)),
  read: (from) => from.rice(riceContext(bits)),
});

function choiceCode(values: readonly AttributeValue[]): ValueCode {
  const width = 32 - Math.clz32(values.length - 1);
  return {
    write: (out, value) => out.bits(values.indexOf(value), width),
    read: (from) => values[from.bits(width)],
  };
}

/** The year, from 0001 on, and a flag for month and day, which may follow. */
const DATE: ValueCode<string> = {
  write(out, date) {
    const [year, month, day] = date.split('-').map(Number);
    out.bits(year, 12);
    out.flag(month !== undefined);
    if (month === undefined || day === undefined) return;
    out.bits(month, 4);
    out.bits(day, 5);
  },
  read(from) {
    const year = String(from.bits(12)).padStart(4, '0');
    if (!from.flag()) return year;
    const [month, day] = [from.bits(4), from.bits(5)];
    return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  },
};

/** The attributes of a record and their codes, in order. */
export const ATTRIBUTE_CODES = OF_RECORD.map((row) => {
  const code = codeOf(row);
  return { key: row.key, code: row.answer.unknown === undefined ? code : orNull(code) };
});
