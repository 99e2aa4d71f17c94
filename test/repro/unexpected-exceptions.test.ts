import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { METHOD } from '../support/agents.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { CLI } from '../support/run.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;

test('an answer that cannot be sent is a 500, counted and logged', async (t) => {
  const purgeTags = { header: 'Cache-Tag', separator: ',' };
  const { url, log, service } = await startServer(t, { purgeTags, dataset: new FakeDataset('a\r\nb') });
  const answer = await fetch(url + PATH, { signal: AbortSignal.timeout(5000) });
  assert.equal(answer.status, 500);
  assert.equal(((await answer.json()) as { title: string }).title, 'Internal error');
  assert.equal(service.unexpected.count, 1);
  const [line] = log.filter(({ msg }) => msg === 'unexpected exception');
  assert.equal(line?.request_id, answer.headers.get('x-request-id'));
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
});

test('what fails in the call of an agent is counted and logged, and the agent hears nothing of the inside', async (t) => {
  const { url, log, service } = await startServer(t, { mcp: { version: '1', method: METHOD } });
  const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'hidamari://credits' } };
  const ask = () =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
  // Thrown while the request of the agent is recorded.
  const { lines } = service;
  const write = lines.write.bind(lines);
  t.mock.method(lines, 'write', (line: { toString(): string }) => {
    if (!String(line).includes('"path":"/mcp"')) throw new TypeError('the inside');
    write(line);
  });
  const text = await (await ask()).text();
  assert.doesNotMatch(text, /the inside/);
  assert.match(text, /"error"/);
  assert.equal(log.filter(({ msg, path }) => msg === 'unexpected exception' && path === '/mcp').length, 1);
});

/** At SIGUSR2 it throws, rejects, warns or prints. */
const TROUBLE = `
process.on('SIGUSR2', () => {
  process.emitWarning('a warning of a library');
  console.warn('printed by a library: %d', 7);
  setTimeout(() => { throw new Error('thrown from nowhere'); });
  Promise.reject(new TypeError('rejected by nobody'));
});
`;

const folder = tempFolder({ after });
const data = join(folder, 'data');
const trouble = join(folder, 'trouble.mjs');
before(async () => {
  writeFileSync(trouble, TROUBLE);
  const ends: (() => void)[] = [];
  const sample = await startSample({ after: (end) => ends.push(end) }, await generatedDataset(data));
  await sample.stop();
  for (const end of ends) end();
});

for (const workers of ['1', '2']) {
  test(`--workers ${workers}: what is thrown anywhere is counted and logged, and the server goes on; its log is JSON`, async (t) => {
    const args = ['--port', '0', '--admin-port', '0', '--data', data, '--workers', workers, '--pages', 'off'];
    const env = { ...process.env, NODE_OPTIONS: `--import=${trouble}` };
    const child = spawn(process.execPath, [CLI, 'serve', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => void child.kill('SIGKILL'));
    let said = '';
    let logged = '';
    child.stdout.on('data', (text) => (said += text));
    child.stderr.on('data', (text) => (logged += text));
    const find = async (pattern: RegExp, where: () => string): Promise<string> => {
      for (let i = 0; i < 600; i++) {
        const [, found] = pattern.exec(where()) ?? [];
        if (found !== undefined) return found;
        assert.equal(child.exitCode, null, logged);
        await delay(50);
      }
      assert.fail(`${pattern} in ${where()}`);
    };
    const admin = await find(/^Metrics at (http:\S+)$/m, () => said);
    const url = await find(/Serving dataset \w+ at (http:\S+)/, () => said);
    child.kill('SIGUSR2');
    await find(/(thrown from nowhere)/, () => logged);
    await find(/(rejected by nobody)/, () => logged);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    const metrics = await (await fetch(admin)).text();
    assert.match(metrics, /^hidamari_unexpected_exceptions_total(\{\})? 2$/m);
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 0, logged);
    const lines = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const messages = lines.map(({ msg, kind }) => (kind === undefined ? msg : kind));
    for (const expected of ['Warning', 'warn']) assert.ok(messages.includes(expected), logged);
    assert.equal(messages.filter((msg) => msg === 'unexpected exception').length, 2, logged);
  });
}
