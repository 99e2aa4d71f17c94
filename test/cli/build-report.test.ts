import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingLines } from '../../src/cli/build-report.ts';

test('a finding is printed with three examples and how many more there are; the end says where to look', () => {
  const finding = (count: number) => ({
    count,
    meaning: 'means',
    examples: Array.from({ length: Math.min(20, count) }, (_, i) => `e${i}`),
  });
  assert.deepEqual(findingLines({}), []);
  assert.deepEqual(findingLines({ few: finding(3), many: finding(1500) }), [
    '  3 few: means',
    '      e0',
    '      e1',
    '      e2',
    '  1,500 many: means',
    '      e0',
    '      e1',
    '      e2',
    '      … and 1,497 more',
    '  up to 20 examples of each: manifest.json, under report',
  ]);
});
