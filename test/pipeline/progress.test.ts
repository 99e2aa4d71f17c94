import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { progressListener } from '../../src/cli/build-progress.ts';
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
