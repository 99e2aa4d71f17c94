import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { fetchProgress, progressListener } from '../../src/cli/progress.ts';
import { type BuildEvent, Progress } from '../../src/pipeline/progress.ts';

/** What progress writes to a stream, terminal or not. */
async function shown(json: boolean, terminal: boolean): Promise<string> {
  const stream = Object.assign(new PassThrough(), { isTTY: terminal, columns: 100 }) as unknown as NodeJS.WriteStream;
  const progress = new Progress(progressListener(json, stream));
  await progress.stage('compute', 300, 'buildings', async (advance) => {
    advance(100);
    advance(200);
  });
  stream.end();
  return Buffer.concat(await (stream as unknown as PassThrough).toArray()).toString();
}

describe('progress', () => {
  it('is a bar with rate and time left on a terminal', async () => {
    const CI = process.env.CI;
    delete process.env.CI;
    try {
      assert.match(
        await shown(false, true),
        /Compute sunlight .*0 %, 0 buildings of 300 buildings, 0 buildings\/s, .* left/,
      );
    } finally {
      if (CI !== undefined) process.env.CI = CI;
    }
  });

  it('is a JSON line for each event for machines', async () => {
    const lines = (await shown(true, true)).trim().split('\n');
    const events: BuildEvent[] = lines.map((line) => JSON.parse(line));
    assert.deepEqual(events.slice(0, 3), [
      { event: 'stage', stage: 'compute', total: 300, unit: 'buildings' },
      { event: 'progress', stage: 'compute', done: 100, total: 300 },
      { event: 'progress', stage: 'compute', done: 300, total: 300 },
    ]);
    assert.equal(events[3]!.event, 'stage_done');
    assert.equal(events.length, 4);
  });
});

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
