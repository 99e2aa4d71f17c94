import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { built } from '../pipeline/run-build.ts';
import { ContractProxy } from '../support/contract-proxy.ts';
import { landingUrls } from '../support/landing-urls.ts';
import { CLI, hidamari } from '../support/run.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { generatedDataset } from '../support/start-sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'hidamari-serve-'));
const data = join(folder, 'data');
after(() => rmSync(folder, { recursive: true, force: true }));

class Server {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;

  constructor(args: string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [CLI, 'serve', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.child.stdout!.on('data', (chunk) => (this.stdout += chunk));
    this.child.stderr!.on('data', (chunk) => (this.stderr += chunk));
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  /** Waits until standard output or the log holds the text. */
  async says(text: string): Promise<void> {
    while (!this.stdout.includes(text) && !this.stderr.includes(text)) {
      assert.equal(this.child.exitCode, null, this.stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async url(): Promise<string> {
    await this.says('SIGHUP');
    return /at (http:\S+)/.exec(this.stdout)![1]!;
  }
}

describe('hidamari serve', () => {
  const servers: Server[] = [];
  const start = (...args: string[]) => {
    const server = new Server(['--data', data, '--port', '0', ...args]);
    servers.push(server);
    return server;
  };
  before(() => generatedDataset(data));
  after(async () => {
    for (const server of servers) server.child.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
  });

  test('real answers keep the contract, at every URL that the landing document names', async (t) => {
    const server = start('--rate-limit', '40');
    const url = await server.url();
    const proxy = await ContractProxy.start(t, url);
    const named = await landingUrls(url);
    assert.ok(named.length >= 20, named.join(' '));
    for (const address of named) {
      const response = await fetch(proxy.url + address.slice(url.length));
      assert.equal(response.status, 200, address);
      await response.arrayBuffer();
    }
    const { data: towns } = (await (await fetch(`${url}/sunlight/towns.json`)).json()) as {
      data: { town_code: string }[];
    };
    for (const { town_code } of towns.slice(0, 3)) {
      assert.equal((await fetch(`${proxy.url}/api/v1/sunlight/town/${town_code}/buildings`)).status, 200);
    }
    assert.deepEqual(proxy.breaches, []);
  });

  test('point answers when it is switched on', async (t) => {
    const server = start('--point', 'on');
    const url = await server.url();
    const proxy = await ContractProxy.start(t, url);
    const near = (await landingUrls(url)).find((one) => one.includes('/sunlight/near?'))!.slice(url.length);
    const response = await fetch(`${proxy.url}${near.replace('near', 'point')}&height_m=10`);
    assert.equal(response.status, 200);
    assert.deepEqual(proxy.breaches, []);
  });

  test('a download is the file that its sha256 says', async () => {
    const server = start();
    const url = await server.url();
    const ward = /bulk\/(\d+)/.exec(String(await landingUrls(url)))![1];
    const offer = (await (await fetch(`${url}/api/v1/sunlight/bulk/${ward}`)).json()) as {
      data: { url: string; sha256: string; bytes: number; rows: number };
    };
    const body = Buffer.from(await (await fetch(offer.data.url)).arrayBuffer());
    assert.equal(body.length, offer.data.bytes);
    assert.equal(createHash('sha256').update(body).digest('hex'), offer.data.sha256);
    assert.equal(body.subarray(0, 4).toString(), 'PAR1');
    assert.ok(offer.data.rows > 0);
  });

  test('SIGHUP moves to a newer dataset, refuses a damaged one, and SIGTERM ends with 0', async () => {
    const newer = join(folder, 'moving');
    cpSync(data, newer, { recursive: true });
    const key = { HIDAMARI_BULK_KEY: 'a secret of several servers' };
    const server = new Server(['--data', newer, '--port', '0', '--shutdown-delay', '1'], key);
    servers.push(server);
    const url = await server.url();
    const idOf = async () =>
      ((await (await fetch(`${url}/sunlight/towns.json`)).json()) as { meta: { generated_at: string } }).meta
        .generated_at;
    assert.equal(await idOf(), '2026-01-01T00:00:00Z');
    const ward = /bulk\/(\d+)/.exec(String(await landingUrls(url)))![1];
    const offer = (await (await fetch(`${url}/api/v1/sunlight/bulk/${ward}`)).json()) as { data: { url: string } };
    server.child.kill('SIGHUP');
    await server.says('the dataset that is served stays');
    // Newer, but with a file cut off.
    await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(rowsOfHouses(3)) });
    const { dataset: other } = await built({
      out: join(folder, 'other'),
      citygml: [join(folder, 'city')],
      generatedAt: '2026-02-01T00:00:00Z',
    });
    const damaged = join(newer, 'damaged');
    cpSync(other, damaged, { recursive: true });
    truncateSync(
      join(damaged, readdirSync(damaged).find((name) => name !== 'manifest.json' && name.includes('.'))!),
      1,
    );
    server.child.kill('SIGHUP');
    await server.says('dataset refused');
    assert.equal(await idOf(), '2026-01-01T00:00:00Z');
    rmSync(damaged, { recursive: true });
    cpSync(other, join(newer, 'whole'), { recursive: true });
    server.child.kill('SIGHUP');
    await server.says('serving a new dataset');
    assert.equal(await idOf(), '2026-02-01T00:00:00Z');
    // The URL of the old dataset goes on working, also on a server that has never served that one.
    assert.equal((await fetch(offer.data.url)).status, 200);
    const second = new Server(['--data', newer, '--port', '0'], key);
    servers.push(second);
    assert.equal((await fetch((await second.url()) + offer.data.url.slice(url.length))).status, 200);
    server.child.kill('SIGTERM');
    await server.says('shutting down');
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    assert.equal(await server.ended, 0);
    assert.match(server.stderr, /"msg":"stopped"/);
  });

  test('SIGTERM on the first line of output drains, and ends with 0', async () => {
    const server = start();
    await server.says('Serving');
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.match(server.stderr, /"msg":"stopped"/);
  });

  test('what is wrong is said in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const cases: [string[], number, RegExp][] = [
      [['--data', data, '--port', String(port)], 1, new RegExp(`port ${port} on 127.0.0.1 is taken`)],
      [['--data', join(folder, 'nowhere')], 1, /^hidamari: [^:]+nowhere: there is no such folder/],
      [['--data', mkdtempSync(join(folder, 'empty-'))], 1, /there is no complete dataset/],
      [['--data', data, '--host', '203.0.113.1'], 1, /203\.0\.113\.1 is not an address of this machine/],
      [['--port', 'http'], 2, /--port.*whole number from 0 to 65535/],
      [['--prot', '1'], 2, /--port/],
    ];
    for (const [args, code, line] of cases) {
      const ended = await hidamari(['serve', ...args]);
      assert.equal(ended.code, code, ended.stderr);
      assert.match(ended.stderr, line);
      assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
    }
    taken.close();
  });
});
