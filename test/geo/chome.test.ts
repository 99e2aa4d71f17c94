import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitTownName } from '../../src/geo/chome.ts';

describe('a name taken apart', () => {
  const cases: [string, string, number | null][] = [
    ['丸の内一丁目', '丸の内', 1],
    ['八丁堀四丁目', '八丁堀', 4],
    ['西新宿二十丁目', '西新宿', 20],
    ['大通西二十三丁目', '大通西', 23],
    ['本町１０丁目', '本町', 10],
    ['本町3丁目', '本町', 3],
    ['六番町', '六番町', null],
    ['一丁目', '一丁目', null],
  ];
  for (const [name, base, chome] of cases) {
    it(name, () => assert.deepEqual(splitTownName(name), { base, chome }));
  }
});
