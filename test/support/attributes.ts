import fc from 'fast-check';
import {
  type AttributeRow,
  type AttributeValue,
  type ModelAttributes,
  OF_MODEL,
  OF_RECORD,
  type RecordAttributes,
} from '../../src/building/attributes.ts';

/** The attributes of a building with LOD1 and no other published values, as the reader returns them. */
export const ONLY_LOD1 = {
  ...(Object.fromEntries(OF_MODEL.map(({ key }) => [key, null])) as unknown as ModelAttributes),
  lod: 1,
  heightSource: 'solid',
  baseSource: 'solid',
  roof: 'prism',
} satisfies ModelAttributes;

/** The attributes in its record, with estimated storeys. */
export const ONLY_ESTIMATED = {
  ...(Object.fromEntries(OF_RECORD.map(({ key }) => [key, null])) as unknown as RecordAttributes),
  storeys: 1,
  storeysEstimated: true,
  lod: 1,
  heightSource: 'solid',
  baseSource: 'solid',
  placeholderNeighbours: 0,
  roof: 'prism',
  roofShadedShare: 0,
  terrain: 'none',
  terrainShadedShare: 0,
  surroundings: 'complete',
} satisfies RecordAttributes;

/** Any known value of an attribute, in its stored units. */
function knownValues(row: AttributeRow): fc.Arbitrary<AttributeValue> {
  switch (row.kind) {
    case 'code':
      return fc.oneof(
        fc.stringMatching(new RegExp(`^\\d{${row.digits}}$`)),
        fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme-ascii' }),
      );
    case 'number':
      return fc.integer({ min: row.least, max: 700 * 10 ** row.decimals }).map((units) => units / 10 ** row.decimals);
    case 'count':
      return fc.integer({ min: row.least, max: row.least + 200 });
    case 'choice':
      return fc.constantFrom(...row.choices.map(({ value }) => value));
    case 'date':
      return fc.constantFrom('1900', '2016', '2020-04-01', '2999-12-31');
  }
}

const recordOf = <T>(rows: readonly AttributeRow[], isNullable: (row: AttributeRow) => boolean): fc.Arbitrary<T> => {
  const values = rows.map(
    (row) => [row.key, isNullable(row) ? fc.option(knownValues(row)) : knownValues(row)] as const,
  );
  return fc.record(Object.fromEntries(values), { noNullPrototype: true }) as fc.Arbitrary<T>;
};

/** Random attributes as the reader returns them. */
export const modelAttributes = recordOf<ModelAttributes>(OF_MODEL, ({ from }) => from !== 'shape');

/** Random attributes of a record. */
export const recordAttributes = recordOf<RecordAttributes>(OF_RECORD, ({ answer }) => answer?.unknown !== undefined);

/** Attributes number `i` of a series in which each attribute takes all its values. */
export const attributesInTurn = (i: number): RecordAttributes =>
  Object.fromEntries(
    OF_RECORD.map((row) => {
      const values = valuesInTurn(row, i);
      const all = row.answer.unknown === undefined ? values : [null, ...values];
      return [row.key, all[i % all.length]];
    }),
  ) as RecordAttributes;

function valuesInTurn(row: AttributeRow, i: number): AttributeValue[] {
  switch (row.kind) {
    case 'code':
      return [...(row.named?.values.map(({ code }) => code) ?? ['1'.repeat(row.digits)]), 'x'];
    case 'number':
      return [i + 0.25, 3 * i];
    case 'count':
      return [i + row.least];
    case 'choice':
      return row.choices.map(({ value }) => value);
    case 'date':
      return ['2016', '2020-04-01'];
  }
}
