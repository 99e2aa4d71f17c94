import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classErrors, LEAST_BUILDINGS, readSources } from '../../bench/heights.ts';
import { STOREYS_RULES, shapeAsStated, storeysOf } from '../../src/sunlight/storeys.ts';
import { skipWithout } from '../support/shared-data.ts';

/** Height, use and published storeys; the storeys of the answer, and whether they are estimated. */
const STOREYS: [heightM: number, use: string | null, published: number | null, storeys: number, estimated: boolean][] =
  [
    [9, null, 12, 12, false],
    [243, '421', 48, 48, false],
    [0.4, null, null, 1, true],
    [7.5, null, null, 2, true],
    [8.9, '411', null, 2, true],
    [9.2, '411', null, 3, true],
    [9.2, '441', null, 1, true],
    [40, '412', null, 13, true],
    [40, '401', null, 10, true],
    [262, null, null, 60, true],
    [262, '412', null, 75, true],
    [8, '461', null, 2, true],
  ];

test('storeys: as published, else estimated by use and height', () => {
  for (const [heightM, use, published, storeys, estimated] of STOREYS) {
    assert.deepEqual(storeysOf(published, heightM, use), { storeys, estimated }, `${heightM} m, use ${use}`);
  }
});

test('storeys that someone states come before those of the dataset; a stated height gives other estimates', () => {
  const tower = { storeys: 60, storeysEstimated: true, usageCode: null, baseM: 10, topM: 272, heightMethod: '2' };
  const nothing = {};
  assert.deepEqual(shapeAsStated(tower, nothing), { storeys: 60, heightM: 262, storeysFrom: 'estimated' });
  assert.deepEqual(shapeAsStated(tower, { storeys: 48, heightM: 243 }), {
    storeys: 48,
    heightM: 243,
    storeysFrom: 'stated',
  });
  assert.deepEqual(shapeAsStated(tower, { heightM: 44 }), {
    storeys: 12,
    heightM: 44,
    storeysFrom: 'estimated',
  });
  const published = { ...tower, storeys: 48, storeysEstimated: false };
  assert.deepEqual(shapeAsStated(published, { heightM: 243 }), {
    storeys: 48,
    heightM: 243,
    storeysFrom: 'published',
  });
  const unmeasured = { ...tower, storeys: 1, topM: 13, heightMethod: '0' };
  assert.deepEqual(shapeAsStated(unmeasured, { storeys: 10 }), { storeys: 10, heightM: 36, storeysFrom: 'stated' });
});

test('the stated errors of the estimate are those of the published files', {
  skip: skipWithout('plateau/lod2'),
}, () => {
  const errors = classErrors(readSources());
  for (const [name, { bias, spread }] of Object.entries(STOREYS_RULES)) {
    const list = [...errors].find(([key]) => key === name)?.[1] ?? [];
    if (list.length < LEAST_BUILDINGS) {
      assert.deepEqual([bias, spread], [null, null], name);
      continue;
    }
    const mean = list.reduce((sum, error) => sum + error, 0) / list.length;
    const variance = list.reduce((sum, error) => sum + (error - mean) ** 2, 0) / list.length;
    assert.deepEqual(
      [bias, spread],
      [mean, Math.sqrt(variance)].map((value) => Math.round(value * 100) / 100),
      name,
    );
  }
});
