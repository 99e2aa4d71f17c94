import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtSample } from '../../bench/serving/sample.ts';
import { onlyDataset, soak } from '../../bench/serving/soak.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The short form of `npm run bench:soak`.
const noProc = existsSync('/proc/self/maps') ? false : 'what a process holds open is read from /proc';

test('nothing fails while datasets come and go, none stays open, SIGTERM drains', { skip: noProc }, async (t) => {
  const folder = tempFolder(t);
  const served = join(folder, 'served');
  mkdirSync(served);
  const dataset = onlyDataset(await builtSample(folder));
  const swaps = 12;
  const report = await soak({ datasets: [dataset], folder: served, swaps, secondsPerSwap: 0, clients: 4 });
  assert.deepEqual(report.failures, []);
  assert.deepEqual(Object.keys(report.statuses), ['200', '206', '304']);
  assert.ok(report.requests >= 100 * swaps, `${report.requests} requests`);
  assert.equal(report.held.length, 1, report.held.join(', '));
  assert.ok(report.drained.inFlight > 5);
  assert.equal(report.drained.answered, report.drained.inFlight);
  assert.equal(report.exitCode, 0);
});
