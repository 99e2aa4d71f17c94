import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { CLI } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Runs `hidamari start` on a free port until its last line of announcement; gives what it printed. */
async function start(t: TestContext, data: string) {
  const env = {
    ...process.env,
    HIDAMARI_DATA: data,
    HIDAMARI_PORT: '0',
    HIDAMARI_RATE_LIMIT: '1000',
    HIDAMARI_LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [CLI, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const remarks: string[] = [];
  createInterface(child.stderr).on('line', (line) => remarks.push(line));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes('/readyz')) break;
  }
  assert.match(lines[0] ?? '', /^Serving dataset [0-9a-f]{16} at http:\/\/127\.0\.0\.1:\d+$/, remarks.join('\n'));
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    return child.exitCode ?? ((await once(child, 'exit'))[0] as number | null);
  };
  return { lines, remarks, stop };
}

describe('hidamari start', () => {
  it('builds the sample once, serves it, and every URL it prints answers', async (t) => {
    const data = join(tempFolder(t), 'data');
    const first = await start(t, data);
    assert.deepEqual(first.remarks, ['Building the bundled sample (once) …']);
    const urls = first.lines.flatMap((line) => /^ {2}(http:\S+)$/.exec(line)?.[1] ?? []);
    for (const half of ['/api/v1/sunlight/', '/api/v1/kaigo/'])
      assert.ok(
        urls.some((url) => url.includes(half)),
        half,
      );
    for (const url of urls) {
      const response = await fetch(url);
      const body = await response.text();
      assert.equal(response.status, 200, `${url}: ${body}`);
      if (!url.includes('/api/v1/') || url.includes('/bulk/')) continue;
      const { data: answer } = JSON.parse(body);
      if (answer.count !== undefined) assert.ok(answer.count > 0, url);
      if (answer.total !== undefined) assert.ok(answer.total > 0, url);
    }
    assert.equal(await first.stop(), 0);

    const datasets = readdirSync(data).filter((name) => !name.startsWith('.'));
    const second = await start(t, data);
    assert.deepEqual(second.remarks, []);
    assert.equal(second.lines[0]!.split(' at ')[0], first.lines[0]!.split(' at ')[0]);
    assert.deepEqual(
      readdirSync(data).filter((name) => !name.startsWith('.')),
      datasets,
    );
    assert.equal(await second.stop(), 0);
  });
});
