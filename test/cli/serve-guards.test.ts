import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { landingUrls } from '../support/landing-urls.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { CLI, hidamari } from '../support/run.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** `hidamari serve` in a process of its own, until it listens. */
class Served {
  readonly child: ChildProcess;
  output = '';

  constructor(args: string[], env: Record<string, string> = {}) {
    const options = { env: { ...process.env, ...env } };
    this.child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...args], options);
    for (const stream of [this.child.stdout!, this.child.stderr!]) stream.on('data', (text) => (this.output += text));
  }

  async says(pattern: RegExp): Promise<string> {
    while (true) {
      const found = pattern.exec(this.output);
      if (found !== null) return found[1] ?? found[0];
      assert.equal(this.child.exitCode, null, this.output);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  url = () => this.says(/Serving dataset \w+ at (http:\S+)/);
  adminUrl = () => this.says(/^Metrics at (http:\S+)$/m);

  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.kill('SIGTERM');
    return (await once(this.child, 'exit'))[0];
  }
}

describe('hidamari serve and its guards', () => {
  const data = join(tempFolder({ after }), 'data');
  let path = '';
  before(async () => {
    const ends: (() => void)[] = [];
    const sample = await startSample({ after: (end) => ends.push(end) }, await generatedDataset(data));
    const example = (await landingUrls(sample.url)).find((url) => url.includes('/sunlight/building/'));
    path = new URL(example ?? assert.fail('no building')).pathname;
    await sample.stop();
    for (const end of ends) end();
  });

  const serve = (t: { after(fn: () => void): unknown }, ...args: string[]): Served => {
    const served = new Served(['--data', data, ...args]);
    t.after(() => void served.child.kill('SIGKILL'));
    return served;
  };

  it('--rate-limit off takes the limit away', async (t) => {
    const url = await serve(t, '--rate-limit', 'off').url();
    for (let i = 0; i < 25; i++) {
      assert.equal((await fetch(url + path)).status, 200);
    }
    assert.equal((await fetch(`${url}/api/nowhere`)).headers.get('ratelimit'), null);
  });

  it('a limit that is one lets one pass', async (t) => {
    const url = await serve(t, '--rate-limit', '1').url();
    assert.deepEqual([(await fetch(url + path)).status, (await fetch(url + path)).status], [200, 429]);
  });

  it('a thread computes examples before anybody asks, unless --warm-up off leaves that to the first who does', async (t) => {
    const args = ['--admin-port', '0', '--compute-threads', '1', '--compute-timeout', '600', '--warm-up'];
    const [off, on] = [serve(t, ...args, 'off'), serve(t, ...args, 'on')];
    const admins = [await off.adminUrl(), await on.adminUrl()];
    const sceneBytes = async (admin: string): Promise<number> =>
      Number(/^hidamari_scene_memory_bytes (\d+)$/m.exec(await (await fetch(admin)).text())?.[1]);
    while ((await sceneBytes(admins[1]!)) === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await sceneBytes(admins[0]!), 0);
    assert.deepEqual(await Promise.all([off, on].map((served) => served.stop())), [0, 0]);
  });

  it('two servers share a Redis, go on without it, and say so in log and metrics', {
    skip: skipWithoutRedis,
  }, async (t) => {
    const redis = await RedisServer.start(t);
    const args = ['--redis', redis.url, '--admin-port', '0'];
    const servers = [serve(t, ...args), serve(t, ...args)];
    const urls = await Promise.all(servers.map((served) => served.url()));
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await fetch(urls[i % 2]! + path)).status);
    assert.deepEqual(statuses, [...Array(20).fill(200), 429, 429]);
    const admin = await servers[0]!.adminUrl();
    const scrape = async () => (await fetch(admin)).text();
    assert.match(await scrape(), /^hidamari_redis_up 1$/m);
    await redis.kill();
    assert.equal((await fetch(urls[0]! + path)).status, 429);
    await servers[0]!.says(/"msg":"redis is gone: this server counts alone"/);
    assert.match(await scrape(), /^hidamari_redis_up 0$/m);
    await redis.start();
    await servers[0]!.says(/redis is gone[\s\S]*"msg":"redis is there: servers count together"/);
    assert.match(await scrape(), /^hidamari_redis_up 1$/m);
    assert.match(await scrape(), /^hidamari_rate_limited_total\{client_class="anonymous"\} 2$/m);
    assert.deepEqual(await Promise.all(servers.map((served) => served.stop())), [0, 0]);
  });

  it('a Redis with a password, which stands in no log', { skip: skipWithoutRedis }, async (t) => {
    const redis = await RedisServer.start(t);
    const own = new Redis(redis.url);
    t.after(() => own.disconnect());
    const password = 'hush %@ /hush';
    await own.config('SET', 'requirepass', password);
    const start = (env: Record<string, string>): Served => {
      const served = new Served(['--data', data, '--log-level', 'debug'], { HIDAMARI_REDIS: redis.url, ...env });
      t.after(() => void served.child.kill('SIGKILL'));
      return served;
    };
    const [friend, stranger] = [
      start({ HIDAMARI_REDIS_PASSWORD: password }),
      start({ HIDAMARI_REDIS_PASSWORD: 'hushed' }),
    ];
    await friend.says(/"msg":"redis is there: servers count together"/);
    await stranger.says(/"msg":"redis is gone: this server counts alone"/);
    assert.doesNotMatch(friend.output + stranger.output, /hush/);
    const env = { HIDAMARI_REDIS: 'redsi://me:hush@host' };
    assert.match(
      (await hidamari(['serve'], { env })).stderr,
      /value 'redsi:\/\/me:…@host' from env 'HIDAMARI_REDIS' is invalid/,
    );
  });

  it('keys that are added and revoked while it runs', async (t) => {
    const keys = join(tempFolder(t), 'keys.json');
    const served = serve(t, '--keys', keys, '--rate-limit', '2');
    const url = await served.url();
    const added = await hidamari(['keys', 'add', 'Town office', '--limit', '5'], { env: { HIDAMARI_KEYS: keys } });
    assert.equal(added.code, 0, added.stderr);
    await served.says(/"valid":1,.*"msg":"keys read"/);
    const headers = { authorization: `Bearer ${added.stdout.trim()}` };
    for (const status of [200, 200, 200, 200, 200, 429]) {
      const response = await fetch(url + path, { headers });
      assert.deepEqual([response.status, response.headers.get('ratelimit-policy')], [status, '"key";q=5;w=60']);
    }
    assert.equal((await fetch(url + path)).status, 200);
    assert.equal((await hidamari(['keys', 'revoke', 'Town office', '--keys', keys])).code, 0);
    served.child.kill('SIGHUP'); // it would notice by itself; this is at once
    await served.says(/"valid":0,"all":1,"msg":"keys read"/);
    assert.equal((await fetch(url + path, { headers })).status, 401);
    const listed = await hidamari(['keys', 'list', '--keys', keys, '--json']);
    const [shown] = JSON.parse(listed.stdout);
    assert.deepEqual([shown.name, shown.state, shown.limit, 'sha256' in shown], ['Town office', 'revoked', 5, false]);
    assert.equal(await served.stop(), 0);
  });

  it('what is wrong is said in one line', async (t) => {
    const folder = tempFolder(t);
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{');
    const running = serve(t, '--admin-port', '0');
    const taken = new URL(await running.adminUrl()).port;
    const cases: [string[], number, RegExp][] = [
      [['serve', '--data', data, '--port', '0', '--keys', broken], 1, /broken\.json: not a key file/],
      [
        ['serve', '--data', data, '--port', '0', '--admin-port', taken],
        1,
        new RegExp(`port ${taken} .* with --admin-port`),
      ],
      [['serve', '--redis', '127.0.0.1:6379'], 2, /--redis.*redis:\/\/127\.0\.0\.1:6379/],
      [['serve', '--redis', 'http://127.0.0.1'], 2, /--redis/],
      [['keys', 'add', 'x'], 2, /--keys <file>.*not specified/],
      [['keys', 'add', ' ', '--keys', broken], 2, /1 to 100 characters/],
      [['keys', 'add', 'x', '--keys', broken, '--limit', '0'], 2, /whole number from 1/],
      [['keys', 'add', 'x', '--keys', broken, '--daily-units', '0'], 2, /whole number from 1/],
      [['keys', 'add', 'x', '--keys', broken, '--expires', '2027-02-30'], 2, /must be like 2027-03-31/],
      [['keys', 'add', 'x', '--keys', broken, '--expires', '2020-01-01'], 2, /in the future/],
      [['keys', 'list', '--keys', broken], 1, /not a key file/],
      [['keys', 'add', 'x', '--keys', join(folder, 'nowhere', 'keys.json')], 1, /nowhere.*cannot be written/],
    ];
    const all = await Promise.all(cases.map(([args]) => hidamari(args)));
    for (const [i, [, code, line]] of cases.entries()) {
      const ended = all[i]!;
      assert.equal(ended.code, code, ended.stderr);
      const lines = ended.stderr
        .trim()
        .split('\n')
        .filter((text) => !text.startsWith('{'));
      assert.equal(lines.length, 1, ended.stderr);
      assert.match(lines[0]!, line);
    }
  });
});
