import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { encoded } from '../dataset/support/dataset.ts';
import { records } from '../dataset/support/records.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a bulk file that fails is heard when the store is done, not before', async (t) => {
  const [record] = fc.sample(records, { numRuns: 1, seed: 1 });
  const buildings = encoded([{ ...record!, buildingId: '13101-bldg-1' }]);
  const unheard: unknown[] = [];
  const listener = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', listener);
  t.after(() => process.off('unhandledRejection', listener));
  let isStored = false;
  const written = writeSunlight(
    tempFolder(t),
    buildings,
    [],
    () => Promise.reject(new Error('the disk is full')),
    [],
    async () => {
      await delay(20);
      isStored = true;
    },
  );
  await assert.rejects(written, /the disk is full/);
  assert.ok(isStored);
  assert.deepEqual(unheard, []);
});
