import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bulkKeys, isKeyForgotten } from '../../src/cli/bulk-keys.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('the key of download URLs', () => {
  type Settings = Parameters<typeof bulkKeys>[0];
  const settings = (of: Partial<Settings>) => ({ data: 'data', bulk: 'local', ...of }) as Settings;

  it('is kept in the state folder, readable by its owner only, and the same at the next start', (t) => {
    const state = join(tempFolder(t), 'state');
    const [key] = bulkKeys(settings({ state }));
    assert.deepEqual(bulkKeys(settings({ state })), [key]);
    assert.equal(statSync(join(state, 'bulk-key')).mode & 0o777, 0o600);
    assert.ok(!isKeyForgotten(settings({ state })));
  });

  it('is a new one at every start without state folder and setting, which counts as forgotten', () => {
    assert.notDeepEqual(bulkKeys(settings({})), bulkKeys(settings({})));
    assert.ok(isKeyForgotten(settings({})));
    assert.ok(!isKeyForgotten(settings({ bulkKey: 'x'.repeat(16) })));
  });

  it('never lies in the data folder, and a damaged one is named', (t) => {
    const data = tempFolder(t);
    assert.throws(
      () => bulkKeys(settings({ data, state: join(data, 'state') })),
      /--state .*: lies in the data folder/,
    );
    const state = tempFolder(t);
    writeFileSync(join(state, 'bulk-key'), 'short\n');
    assert.throws(() => bulkKeys(settings({ data, state })), /bulk-key: expected a key of at least 16 characters/);
    // What a full disk or a loss of power leaves of one.
    // Before, only the message of the system came.
    assert.throws(
      () => bulkKeys(settings({ data, state: join(state, 'bulk-key') })),
      /bulk-key: the key of download URLs cannot be read: ENOTDIR/,
    );
    writeFileSync(join(state, 'bulk-key'), '');
    const [key] = bulkKeys(settings({ data, state }));
    assert.deepEqual(bulkKeys(settings({ data, state })), [key]);
  });
});

const METRICS = `# HELP hidamari_requests_total Requests answered.
hidamari_requests_total{operation="near",status="200",client_class="anonymous"} 1200
hidamari_requests_total{operation="near",status="429",client_class="anonymous"} 30
hidamari_requests_total{operation="near",status="503",client_class="anonymous"} 4
hidamari_requests_total{operation="point",status="501",client_class="anonymous"} 5
hidamari_last_hour_refused 7
hidamari_last_hour_failed 2
hidamari_rate_limited_total{client_class="anonymous"} 30
hidamari_dataset_info{dataset_id="68b073a3f6b1d8f4",generated_at="2026-01-01T00:00:00Z",version="0.1.0"} 1
process_resident_memory_bytes 123000000
nodejs_eventloop_lag_p99_seconds 0.0123
`;

describe('hidamari status', () => {
  it('reads the admin port of a running server', async (t) => {
    const server = createServer((_, response) => response.end(METRICS)).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stdout } = await hidamari(['status', '--admin-port', String(port), '--json']);
    assert.equal(code, 0);
    const { up_seconds: _, ...status } = JSON.parse(stdout);
    assert.deepEqual(status, {
      dataset_id: '68b073a3f6b1d8f4',
      generated_at: '2026-01-01T00:00:00Z',
      version: '0.1.0',
      memory_bytes: 123000000,
      event_loop_p99_ms: 12.3,
      requests: 1239,
      refused: 35,
      failed: 4,
      refused_last_hour: 7,
      failed_last_hour: 2,
      over_limit: 30,
      log_lines_dropped: 0,
    });
    const printed = await hidamari(['status', '--admin-port', String(port)]);
    assert.match(printed.stdout, /requests +1,239\n/);
    assert.match(printed.stdout, /last hour +2 failed, 7 refused\n/);
  });

  it('without a port is wrong usage; where nobody answers, or another program, one line', async (t) => {
    const none = await hidamari(['status']);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const other = createServer((_, response) => response.end('up 1\n')).listen(0, '127.0.0.1');
    t.after(() => other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port: foreign } = other.address() as AddressInfo;
    const wrong = await hidamari(['status', '--admin-port', String(foreign)]);
    assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /\/metrics answers \(200\), but not as the admin port of a server does/);
    const silent = await hidamari(['status', '--admin-port', String(port)]);
    assert.equal(silent.code, 1);
    assert.match(
      silent.stderr,
      /^hidamari: no server at http:\/\/127\.0\.0\.1:\d+\/metrics: connect ECONNREFUSED[^\n]*\n$/,
    );
  });
});

it('hidamari doctor names what it looked at', async (t) => {
  const data = tempFolder(t);
  const { code, stdout } = await hidamari(['doctor', '--data', data]);
  assert.equal(code, 0);
  for (const what of ['Node.js', '@duckdb/node-api', 'memory', 'disk of', 'datasets'])
    assert.match(stdout, new RegExp(what));
  const file = join(data, 'file');
  writeFileSync(file, '');
  const wrong = await hidamari(['doctor', '--data', file]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /fault {2}datasets: .*file: is a file; expected a data folder/);
});

it('hidamari doctor looks at Redis, the store, keys, ports and the clock where they are configured', async (t) => {
  const data = tempFolder(t);
  const late = createServer(
    (_, response) => void response.writeHead(403, { Date: 'Tue, 01 Jan 2019 00:00:00 GMT' }).end(),
  );
  await new Promise<void>((resolve) => void late.listen(0, '127.0.0.1', resolve));
  t.after(() => void late.close());
  const { port } = late.address() as AddressInfo;
  const env = {
    HIDAMARI_REDIS: 'redis://127.0.0.1:1/0',
    HIDAMARI_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    HIDAMARI_KEYS: join(data, 'no-keys.json'),
    HIDAMARI_PORT: String(port),
  };
  const { code, stdout } = await hidamari(['doctor', '--data', data], { env });
  assert.equal(code, 1);
  assert.match(stdout, /fault {2}Redis: does not answer: .*ECONNREFUSED/);
  assert.match(stdout, /good {3}store http:.*: answers/);
  assert.match(stdout, /fault {2}clock: \d+ s ahead of that of the store/);
  assert.match(stdout, /fault {2}keys: there is no file .*no-keys\.json: hidamari keys add makes it/);
  assert.match(stdout, /note {3}port: \d+ on 127\.0\.0\.1 is taken/);
  writeFileSync(join(data, 'no-keys.json'), '{');
  const wrong = await hidamari(['doctor', '--data', data], { env });
  assert.match(wrong.stdout, /fault {2}keys: .*no-keys\.json: not a key file: it is not JSON/);
});

it('hidamari doctor refuses one port for clients and for the operator, also the default port', async (t) => {
  const data = tempFolder(t);
  for (const ports of [
    ['--admin-port', '8080'],
    ['--port', '8123', '--host', '0.0.0.0', '--admin-port', '8123'],
  ]) {
    const { code, stdout } = await hidamari(['doctor', '--data', data, ...ports]);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /fault {2}admin port: \d+ is the port for clients too: choose another with --admin-port/);
  }
});
