import assert from 'node:assert/strict';
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { built, ENV, fingerprints } from '../pipeline/run-build.ts';
import { writeTiles } from '../support/elevation.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { hidamari, ROOT } from '../support/run.ts';
import { cityGml, LAT, LON, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { builtByQueue, LOCK_S, Machine, untilDone } from './machines.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);
const city = at('city');
const inputs = { citygml: [city] };
/** As many city models as grid squares. */
const FILES = 5;
let whole: BuildOutcome;

before(async () => {
  const towns = townsInSquares(FILES, 8);
  await writeFiles(city, Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
  whole = await built({ out: at('whole'), ...inputs });
});

const same = async (dataset: string, expected = whole): Promise<void> =>
  assert.deepEqual(await fingerprints(dataset), await fingerprints(expected.dataset));

// Most of the time they wait, for locks to expire: so several at once, each with a Redis and a store of its own.
describe('a build on a queue', { skip: skipWithoutRedis, concurrency: 3 }, () => {
  it('gives the bytes of one machine, with workers killed while they read, merge and compute, with terrain', async (t) => {
    const hill = { south: LAT, west: LON, north: LAT + 0.008, east: LON + 0.01 };
    await writeTiles(at('dem'), 14, hill, (lat, lon) => 60 - 5000 * Math.hypot(lat - LAT - 0.004, lon - LON + 0.001));
    const withTerrain = { ...inputs, terrain: [at('dem')] };
    const { url } = await RedisServer.start(t);
    const store = at('killed');
    const build = builtByQueue(url, new DirectoryStore(store), { out: at('killed-data'), ...withTerrain });
    for (const [step, file, least] of [
      ['read', null, 1],
      ['read', 'list', 2],
      ['merge', 'square', 2],
      ['compute', 'results', 2],
    ] as const) {
      const machine = new Machine(t, { queue: url, store });
      await untilDone(store, step, file, least);
      await machine.end('SIGKILL');
    }
    const last = new Machine(t, { queue: url, store });
    await same(await build, await built({ out: at('whole-with-terrain'), ...withTerrain }));
    assert.equal(await last.end('SIGTERM'), 0, last.output);
  });

  for (const persistence of [false, true]) {
    it(`outlives a Redis that is killed and comes back ${persistence ? 'as it was' : 'empty'}`, async (t) => {
      const redis = await RedisServer.start(t, { folder: persistence ? tempFolder(t) : null });
      const store = at(`redis-${persistence}`);
      const options = { out: at(`redis-data-${persistence}`), ...inputs };
      const build = builtByQueue(redis.url, new DirectoryStore(store), options);
      const machine = new Machine(t, { queue: redis.url, store });
      for (const [step, file, least] of [
        ['read', 'list', 2],
        ['compute', 'results', 1],
      ] as const) {
        await untilDone(store, step, file, least);
        await redis.kill();
        await delay(500);
        await redis.start();
      }
      await same(await build);
      assert.equal(await machine.end('SIGTERM'), 0, machine.output);
    });
  }

  it('goes on while a worker is paused for longer than its lock, and after', async (t) => {
    const { url } = await RedisServer.start(t);
    const store = at('paused');
    const build = builtByQueue(url, new DirectoryStore(store), { out: at('paused-data'), ...inputs });
    const first = new Machine(t, { queue: url, store });
    await untilDone(store, 'read', 'list', 1);
    first.pause();
    const second = new Machine(t, { queue: url, store });
    await untilDone(store, 'merge', 'merged', 3);
    first.resume();
    await same(await build);
    for (const machine of [first, second]) assert.equal(await machine.end('SIGTERM'), 0, machine.output);
  });

  it('has two coordinators, each of which gets the dataset; one that dies is not missed', async (t) => {
    const { url } = await RedisServer.start(t);
    const store = at('two');
    const objects = new DirectoryStore(store);
    const args = ['--out', at('two-c'), '--citygml', city, '--queue', url, '--store', store, '--lock', String(LOCK_S)];
    const killAt = (): Promise<void> => untilDone(store, 'merge', null, 1);
    const dying = hidamari(['build', ...args], { env: ENV, killAt });
    const builds = ['a', 'b'].map((name) => builtByQueue(url, objects, { out: at(`two-${name}`), ...inputs }));
    new Machine(t, { queue: url, store });
    for (const dataset of await Promise.all(builds)) await same(dataset);
    assert.equal((await dying).code, null);
  });

  it('refuses a worker of another version by name, and a password on the command line', async (t) => {
    const { url } = await RedisServer.start(t);
    const other = tempFolder(t);
    cpSync(join(ROOT, 'src'), join(other, 'src'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(other, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(other, 'node_modules'));
    writeFileSync(join(other, 'src/geo/one-more.ts'), '');
    const store = at('versions');
    const build = builtByQueue(url, new DirectoryStore(store), { out: at('versions-data'), ...inputs });
    await untilDone(store, 'read', null, FILES);
    const stranger = new Machine(t, { queue: url, store, cli: join(other, 'src/cli/main.js') });
    assert.equal(await stranger.ended(), 1);
    assert.match(stranger.output, /the build is by program [0-9a-f]{12}, this is [0-9a-f]{12}:/);
    new Machine(t, { queue: url, store });
    await same(await build);

    const open = await hidamari(['work', '--store', store, '--queue', 'redis://:open-secret@127.0.0.1/0'], {
      env: ENV,
    });
    assert.equal(open.code, 2);
    assert.match(open.stderr, /no secret on the command line: HIDAMARI_QUEUE_PASSWORD/);
    assert.doesNotMatch(open.stderr, /open-secret/);
  });

  it('ends with the reason when a step fails on every machine', async (t) => {
    const { url } = await RedisServer.start(t);
    const store = at('failing');
    const build = builtByQueue(url, new DirectoryStore(store), { out: at('failing-data'), ...inputs });
    const failed = assert.rejects(build, /a step to read has failed: .*failing\/other: has no read\//);
    new Machine(t, { queue: url, store: join(store, 'other') });
    await failed;
  });

  it('says what it waits for, and ends where no machine comes', async (t) => {
    const { url } = await RedisServer.start(t);
    const notes: string[] = [];
    const options = { out: at('alone-data'), ...inputs };
    const build = builtByQueue(url, new DirectoryStore(at('alone')), options, {
      notes,
      waitForWorkersMs: 5000,
      tellMs: 1,
    });
    await assert.rejects(
      build,
      /no machine has taken steps for \d+ s \(--wait-for-workers\): start hidamari work --queue/,
    );
    const told = notes.filter((note) => note.startsWith('waiting for '));
    assert.match(
      told[0] ?? '',
      new RegExp(`^waiting for ${FILES} of ${FILES} steps to read; no machine has taken steps for \\d+ s$`),
    );
  });

  it('makes the folder of --cache', async (t) => {
    const { url } = await RedisServer.start(t);
    const cache = at('not', 'there', 'yet');
    const machine = new Machine(t, { queue: url, store: at('cache-store') }, ['--cache', cache]);
    while (!existsSync(cache) && (await Promise.race([machine.ended(), delay(20)])) === undefined);
    assert.ok(existsSync(cache), machine.output);
  });
});
