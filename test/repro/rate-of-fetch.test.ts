import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchProgress } from '../../src/cli/fetch.ts';

// Unchanged files counted in the rate: a repeated fetch of 100 GB promised to end at a speed that no network has.
it('the rate and the remaining time of a fetch count fetched bytes only', (t) => {
  const lines: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => lines.push(text));
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const show = fetchProgress(false);
  show({ event: 'plan', files: 2, bytes: 1000e6 });
  show({ event: 'file', path: 'a', status: 'unchanged', bytes: 900e6 });
  now = 10_000;
  show({ event: 'bytes', bytes: 10e6 });
  t.mock.restoreAll();
  assert.match(lines.at(-1) ?? '', /1 of 2 files, 910.0 MB, 1.0 MB\/s, 1 min 30 s left/);
});
