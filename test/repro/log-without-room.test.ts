import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LogOutput } from '../../src/cli/log-output.ts';
import { ask, serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** More lines than the server keeps while its output is blocked. */
const REQUESTS = 8000;
const DROPPED = 'hidamari_log_lines_dropped_total';

describe('a log without room', () => {
  const folder = tempFolder({ after });
  let args: string[];
  before(async () => {
    args = ['--data', await smallDataset(folder), '--rate-limit', 'off'];
  });

  test('a full disk: service goes on, lines are dropped, counted and told of', async (t) => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk], { stdio: 'ignore' });
    } catch {
      t.skip('a file system of its own cannot be mounted here');
      return;
    }
    t.after(() => execFileSync('umount', ['--lazy', disk]));
    const path = join(disk, 'server.log');
    const fd = openSync(path, 'a');
    const server = await serveCity(t, args, fd);
    closeSync(fd);
    await ask(server, '/healthz', REQUESTS);
    await delay(600);
    const dropped = await server.metric(DROPPED);
    assert.ok(dropped > 1000 && dropped < REQUESTS, `${dropped} dropped`);
    execFileSync('mount', ['-o', 'remount,size=8m', disk]);
    let lines: string[] = [];
    for (let i = 0; i < 40 && !lines.some((line) => line.includes('no room')); i++) {
      await delay(250);
      lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    }
    const told = lines.filter((line) => line.includes('no room'));
    assert.equal(told.length, 1);
    assert.equal(JSON.parse(told[0]!).lines, dropped);
    await ask(server, '/healthz', 100);
    assert.equal(await server.stop(5), 0);
    const written = readFileSync(path, 'utf8').trimEnd().split('\n');
    const requests = written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    assert.equal(requests.length, REQUESTS - dropped + 100);
  });

  test('a disk that stays full: SIGTERM ends the server in its time', { skip: !existsSync('/dev/full') }, async (t) => {
    const fd = openSync('/dev/full', 'w');
    const server = await serveCity(t, args, fd);
    closeSync(fd);
    await ask(server, '/healthz', REQUESTS);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    assert.equal(await server.stop(5), 0);
  });

  test('a pipe that nobody reads', async (t) => {
    const server = await serveCity(t, args, 'pipe');
    await ask(server, '/healthz', REQUESTS);
    await delay(600);
    const dropped = await server.metric(DROPPED);
    assert.ok(dropped > 1000 && dropped < REQUESTS, `${dropped} dropped`);
    assert.equal(await server.stop(5), 0);
  });

  test('a pipe that has been closed', async (t) => {
    const server = await serveCity(t, args, 'pipe');
    server.child.stderr!.destroy();
    await ask(server, '/healthz', REQUESTS);
    assert.equal(await server.stop(5), 0);
  });

  test('what waits has a bound, whatever comes; the reader finds whole lines', async (t) => {
    const path = join(tempFolder(t), 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    const output = new LogOutput(writer);
    const text = 'x'.repeat(280);
    const [count, before] = [300_000, process.memoryUsage.rss()];
    for (let i = 0; i < count; i++) {
      output.write(`{"n":${i},"text":"${text}"}\n`);
      if (i % 1000 === 0) await new Promise(setImmediate);
    }
    const grown = (process.memoryUsage.rss() - before) / 1e6;
    assert.ok(grown < 60, `${grown.toFixed(0)} MB for ${(count * 300) / 1e6} MB of lines`);
    const lines = (await readAll(reader, output)).map((line) => JSON.parse(line));
    const told = lines.filter(({ msg }) => msg !== undefined);
    assert.deepEqual(
      told.map(({ level, lines: lost }) => [level, lost]),
      [[40, output.dropped]],
    );
    assert.equal(lines.length - 1 + output.dropped, count);
    closeSync(writer);
    closeSync(reader);
  });
});

/** Reads lines until the output is empty. */
async function readAll(fd: number, output: LogOutput): Promise<string[]> {
  const buffer = Buffer.alloc(1 << 16);
  let [text, isOpen] = ['', true];
  void output.close(10_000).then(() => (isOpen = false));
  for (;;) {
    try {
      const bytes = readSync(fd, buffer);
      text += buffer.toString('latin1', 0, bytes);
      if (bytes === 0 && !isOpen) return text.split('\n').slice(0, -1);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN');
      if (!isOpen) return text.split('\n').slice(0, -1);
    }
    await delay(1);
  }
}
