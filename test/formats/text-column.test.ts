import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasText, textAt, textColumn } from '../../src/formats/column-file.ts';

describe('a column of texts', () => {
  const columns: Record<string, (string | null)[]> = {
    'of ASCII': ['13101-bldg-1', null, '', '13101-bldg-22'],
    'of other characters too': [null, '建物1', 'a', '𠮷野', '', 'é', null],
    'of halves of a character that meet': ['a\ud83d', '\ude00b', null, '\ude00\ud83d'],
    'without a row': [],
    'without a text': [null, '', null],
  };
  for (const [which, texts] of Object.entries(columns)) {
    it(`gives each text back, and null for what is empty: ${which}`, () => {
      const column = textColumn(texts);
      const kept = texts.map((text) => text?.toWellFormed() || null);
      assert.deepEqual(
        texts.map((_, row) => textAt(column, row)),
        kept,
      );
      assert.deepEqual(
        texts.map((_, row) => hasText(column, row)),
        kept.map((text) => text !== null),
      );
      assert.deepEqual(Buffer.from(column.bytes), Buffer.from(kept.join('')));
      assert.equal(column.offsets.length, texts.length + 1);
    });
  }
});
