import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onlyDataset, soak } from '../../bench/serving/soak.ts';
import { isRising, trendOf } from '../../bench/serving/trend.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The short form of `npm run bench:soak`.
const noProc = existsSync('/proc/self/maps') ? false : 'what a process holds open is read from /proc';

test('nothing fails while datasets come and go, no more than five are held, SIGTERM drains', {
  skip: noProc,
}, async (t) => {
  const folder = tempFolder(t);
  const served = join(folder, 'served');
  mkdirSync(served);
  const dataset = onlyDataset(await generatedDataset(join(folder, 'built')));
  const swaps = 7;
  const report = await soak({ datasets: [dataset], folder: served, swaps, secondsPerSwap: 0, clients: 4 });
  assert.deepEqual(report.failures, []);
  assert.deepEqual(Object.keys(report.statuses), ['200', '206', '304']);
  assert.ok(report.requests >= 100 * swaps, `${report.requests} requests`);
  // The one that is served, and four before it for those who read its pages.
  assert.equal(report.held.length, 5, report.held.join(', '));
  assert.ok(report.drained.inFlight > 5);
  assert.equal(report.drained.answered, report.drained.inFlight);
  assert.equal(report.exitCode, 0);
});

test('what rises is told from what scatters', () => {
  const points = (value: (minute: number) => number) =>
    Array.from({ length: 15 }, (_, i) => ({ seconds: i * 20, value: value(i / 3) }));
  const steady = trendOf(points((minute) => 100 + 2 * minute));
  assert.ok(Math.abs(steady.slope - 2) < 1e-9 && steady.error < 1e-9);
  assert.ok(isRising(steady));
  assert.ok(!isRising(trendOf(points((minute) => 100 - 2 * minute))));
  assert.ok(!isRising(trendOf(points((minute) => 100 + 0.1 * minute))));
  // Up and down by 5, and by chance a little higher at the end.
  const scattered = trendOf(points((minute) => 350 + 0.5 * minute + (Math.round(minute * 3) % 2 ? 5 : -5)));
  assert.ok(scattered.error > 0.4 && !isRising(scattered));
});
