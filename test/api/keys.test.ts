import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { addKey, KeyRing, readKeyFile, revokeKey } from '../../src/api/keys.ts';
import { FileLock } from '../../src/formats/file-lock.ts';
import { MemoryDailyUnits, RedisDailyUnits } from '../../src/http/daily-units.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { SharedRedis } from '../../src/http/redis.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;
const NOW = new Date('2026-11-20T03:04:05.678Z');
const QUIET = pino({ level: 'silent' });

const keyFile = (t: { after(fn: () => void): unknown }): string => join(tempFolder(t), 'keys.json');

/** A ring that ends with the test, and its clock. */
async function openRing(t: { after(fn: () => void): unknown }, path: string) {
  const clock = { now: NOW.getTime() };
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const ring = await KeyRing.open(path, () => clock.now, log);
  t.after(() => ring.close());
  return { ring, clock, lines };
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

test('the file holds no key, only its hash, and is for its owner only', async (t) => {
  const path = keyFile(t);
  const { key, record } = await addKey(path, { name: 'City office', limit: 300, expires: null }, NOW);
  assert.match(key, /^hida_[a-z2-7]{8}_[\w-]{43}$/);
  assert.ok(key.startsWith(`${record.id}_`));
  const text = readFileSync(path, 'utf8');
  assert.ok(!text.includes(key.slice(record.id.length + 1)));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(await readKeyFile(path), [record]);
  assert.deepEqual(
    { ...record, sha256: record.sha256.length },
    {
      id: record.id,
      name: 'City office',
      sha256: 64,
      created: '2026-11-20T03:04:05Z',
      expires: null,
      revoked: null,
      limit: 300,
      daily_units: null,
    },
  );
});

test('keys added at once by many are all there, and nothing else is left in the folder', async (t) => {
  const path = keyFile(t);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => addKey(path, { name: `key ${i}`, limit: null, expires: null }, NOW)),
  );
  assert.equal(new Set((await readKeyFile(path)).map(({ id }) => id)).size, 20);
  assert.deepEqual(readdirSync(join(path, '..')), ['keys.json']);
});

test('processes that add at once do not lose a key', async (t) => {
  const path = keyFile(t);
  const ended = await Promise.all(['a', 'b', 'c', 'd'].map((name) => hidamari(['keys', 'add', name, '--keys', path])));
  for (const { code, stderr } of ended) assert.equal(code, 0, stderr);
  assert.deepEqual((await readKeyFile(path)).map(({ name }) => name).sort(), ['a', 'b', 'c', 'd']);
});

test('a lock file that a killed run has left blocks nobody, one that is held is named', async (t) => {
  const path = keyFile(t);
  writeFileSync(`${path}.lock`, '1234');
  await addKey(path, { name: 'a', limit: null, expires: null }, NOW);
  const lock = FileLock.take(`${path}.lock`);
  await assert.rejects(
    addKey(path, { name: 'b', limit: null, expires: null }, NOW),
    /keys\.json\.lock: another `hidamari keys` command holds it/,
  );
  lock!.release();
});

test('a name works once; a revoked key gives its name free', async (t) => {
  const path = keyFile(t);
  const wishes = { name: 'a', limit: null, expires: null };
  const { record } = await addKey(path, wishes, NOW);
  await assert.rejects(addKey(path, wishes, NOW), new RegExp(`${record.id} has the name "a" already`));
  await revokeKey(path, 'a', NOW);
  await addKey(path, wishes, NOW);
  await assert.rejects(revokeKey(path, 'b', NOW), /has no key "b"/);
  await assert.rejects(revokeKey(path, record.id, NOW), /was revoked at 2026-11-20T03:04:05Z already/);
});

test('a name revokes the valid key, not an expired one of the same name', async (t) => {
  const path = keyFile(t);
  const ended = new Date(NOW.getTime() - 1000);
  const soon = { name: 'a', limit: null, expires: ended.toISOString().replace(/\.\d+Z$/, 'Z') };
  const expired = await addKey(path, soon, new Date(ended.getTime() - 1000));
  const valid = await addKey(path, { ...soon, expires: null }, NOW);
  assert.equal((await revokeKey(path, 'a', NOW)).id, valid.record.id);
  assert.equal((await revokeKey(path, 'a', NOW)).id, expired.record.id, 'then the expired one');
});

const BROKEN: [string, RegExp][] = [
  ['', /not a key file/],
  ['{"keys":[', /not a key file/],
  ['a secret\nof another kind', /not a key file: it is not JSON; hidamari keys add makes one$/],
  ['[]', /not a key file: the whole/],
  ['{"keys":[{"id":"hida_abcdefgh"}]}', /not a key file: \/keys\/0/],
  [
    '{"keys":[{"id":"x","name":"","sha256":"","created":"","expires":null,"revoked":null,"limit":null}]}',
    /\/keys\/0\/id/,
  ],
];
for (const [text, message] of BROKEN) {
  test(`a key file that holds ${text || 'nothing'} is refused by name`, async (t) => {
    const path = keyFile(t);
    writeFileSync(path, text);
    await assert.rejects(
      readKeyFile(path),
      (error: Error) => error.message.startsWith(path) && message.test(error.message),
    );
  });
}

test('a ring follows the file: added, revoked, expired; a broken file changes nothing', async (t) => {
  const path = keyFile(t);
  const { ring, clock, lines } = await openRing(t, path);
  assert.equal(ring.size, 0);
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const { key, record } = await addKey(path, { name: 'a', limit: null, expires: '2026-11-20T04:00:00Z' }, NOW);
  await until(() => ring.size === 1);
  assert.deepEqual(ring.verify(key), { state: 'valid', record });
  clock.now = Date.parse('2026-11-20T03:59:59.999Z');
  assert.equal((ring.verify(key) as { state: string }).state, 'valid');
  clock.now += 1;
  assert.equal((ring.verify(key) as { state: string }).state, 'expired');
  clock.now = NOW.getTime();
  writeFileSync(path, 'broken');
  await until(() => lines.some((line) => line.includes('keys stay as they were')));
  assert.equal(ring.size, 1);
  writeFileSync(path, JSON.stringify({ keys: [record] }));
  await ring.reload();
  await revokeKey(path, 'a', NOW);
  await until(() => ring.size === 0);
  assert.equal((ring.verify(key) as { state: string }).state, 'revoked');
});

test('no part of a key may differ', async (t) => {
  const path = keyFile(t);
  const { key } = await addKey(path, { name: 'a', limit: null, expires: null }, NOW);
  const { ring } = await openRing(t, path);
  for (let i = 0; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x';
    assert.equal(ring.verify(key.slice(0, i) + other + key.slice(i + 1)), 'unknown', `character ${i}`);
  }
  for (const wrong of ['', key.slice(0, -1), `${key}x`, key.slice(0, 13), key.toUpperCase(), ` ${key}`]) {
    assert.equal(ring.verify(wrong), 'unknown');
  }
});

test('holders of a key are counted by it, with its limit; whoever guesses is counted by address', async (t) => {
  const path = keyFile(t);
  const { key } = await addKey(path, { name: 'a', limit: 3, expires: null }, NOW);
  const { key: plain } = await addKey(path, { name: 'b', limit: null, expires: null }, NOW);
  const { ring } = await openRing(t, path);
  const { url } = await startServer(t, { limiters: { api: new MemoryRateLimiter(2) }, keys: ring });
  const get = async (init?: RequestInit) => {
    const response = await fetch(url + PATH, init);
    const { headers, status } = response;
    return [status, headers.get('ratelimit-policy'), headers.get('ratelimit')!.replace(/;t=\d+$/, '')];
  };
  assert.deepEqual(await get(bearer(key)), [200, '"key";q=3;w=60', '"key";r=2']);
  assert.deepEqual(await get(bearer(plain)), [200, '"key";q=2;w=60', '"key";r=1']);
  // Neither has used up anything of the address; a wrong key does.
  assert.deepEqual(await get(bearer(`${key.slice(0, -1)}!`)), [401, '"default";q=2;w=60', '"default";r=1']);
  assert.deepEqual(await get(bearer(key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))), [
    401,
    '"default";q=2;w=60',
    '"default";r=0',
  ]);
  // 429 comes before 401, and the address is used up for all but holders of keys.
  assert.deepEqual(await get(bearer('guess')), [429, '"default";q=2;w=60', '"default";r=0']);
  assert.deepEqual(await get(), [429, '"default";q=2;w=60', '"default";r=0']);
  assert.deepEqual(await get(bearer(key)), [200, '"key";q=3;w=60', '"key";r=1']);
  assert.deepEqual(await get(bearer(key)), [200, '"key";q=3;w=60', '"key";r=0']);
  assert.deepEqual(await get(bearer(key)), [429, '"key";q=3;w=60', '"key";r=0']);
});

test('credentials that do not verify: 401, a challenge, and why', async (t) => {
  const path = keyFile(t);
  const { key } = await addKey(path, { name: 'a', limit: null, expires: null }, NOW);
  const old = await addKey(path, { name: 'old', limit: null, expires: '2026-11-20T03:04:06Z' }, NOW);
  const gone = await addKey(path, { name: 'gone', limit: null, expires: null }, NOW);
  await revokeKey(path, 'gone', NOW);
  const { ring, clock } = await openRing(t, path);
  clock.now += 1000;
  const { url, port } = await startServer(t, { keys: ring });
  const INVALID = 'Bearer error="invalid_token"';
  const cases: [string, string, RegExp][] = [
    ['Bearer nonsense', INVALID, /is not known/],
    [`Bearer ${old.key}`, INVALID, new RegExp(`${old.record.id} has expired \\(2026-11-20T03:04:06Z\\)`)],
    [`Bearer ${gone.key}`, INVALID, new RegExp(`${gone.record.id} has been revoked`)],
    ['Bearer', 'Bearer', /not of the form/],
    [`Bearer ${key} ${key}`, 'Bearer', /not of the form/],
    [`Bearer "${key}"`, 'Bearer', /not of the form/],
    [key, 'Bearer', /not of the form/],
    [`Basic ${Buffer.from(`a:${key}`).toString('base64')}`, 'Bearer', /not of the form/],
    [`Digest username="a"`, 'Bearer', /not of the form/],
    ['', 'Bearer', /not of the form/],
  ];
  for (const [authorization, challenge, detail] of cases) {
    const answer = await rawExchange(
      port,
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 401 /, authorization);
    assert.ok(answer.includes(`\r\nWWW-Authenticate: ${challenge}\r\n`), answer);
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    assert.match(problem.detail, detail);
    assert.ok(!problem.detail.includes(key), 'a problem repeats no secret');
  }
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    assert.equal((await fetch(url + PATH, { headers: { authorization: `${scheme} ${key}` } })).status, 200);
  }
  const twice = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`;
  assert.match(await rawExchange(port, twice), /^HTTP\/1\.1 401 [\s\S]*more than one Authorization header/);
});

test('without a key file no bearer verifies', async (t) => {
  const { url } = await startServer(t);
  const response = await fetch(url + PATH, bearer('hida_abcdefgh_x'));
  assert.equal(response.status, 401);
  assert.match(((await response.json()) as { detail: string }).detail, /has issued no keys/);
});

test('the key of nobody opens a ring of no keys', async (t) => {
  const ring = await KeyRing.open(keyFile(t), Date.now, QUIET);
  t.after(() => ring.close());
  assert.equal(ring.verify(`hida_abcdefgh_${'A'.repeat(43)}`), 'unknown');
});

test('cost units of a day: counted by what answers cost, told in every answer, refused with when the day ends', async (t) => {
  const path = keyFile(t);
  const { key } = await addKey(path, { name: 'a', limit: 100, expires: null, daily_units: 6 }, NOW);
  const { ring } = await openRing(t, path);
  let now = Date.parse('2026-11-20T23:59:50+09:00');
  const dailyUnits = new MemoryDailyUnits(() => now);
  const { url } = await startServer(t, { limiters: { api: new MemoryRateLimiter(20) }, keys: ring, dailyUnits });
  const get = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(url + target, { ...init, headers: { ...bearer(key).headers, ...init.headers } });
    const { headers, status } = response;
    const daily = headers.get('ratelimit')!.split(', ')[1]!;
    return { seen: [status, daily], body: await response.text(), headers };
  };
  const first = await get(PATH);
  assert.deepEqual(first.seen, [200, '"daily";r=5;t=10']);
  assert.equal(first.headers.get('ratelimit-policy'), '"key";q=100;w=60, "daily";q=6;w=86400;qu="cost-units"');
  // What costs nothing takes nothing: HEAD, 304, 404, 400.
  assert.deepEqual((await get(PATH, { method: 'HEAD' })).seen, [200, '"daily";r=5;t=10']);
  const tag = first.headers.get('etag')!;
  assert.deepEqual((await get(PATH, { headers: { 'if-none-match': tag } })).seen, [304, '"daily";r=5;t=10']);
  assert.deepEqual((await get('/api/v1/sunlight/building/13101-bldg-0')).seen, [404, '"daily";r=5;t=10']);
  assert.deepEqual((await get('/api/v1/sunlight/building/x')).seen, [400, '"daily";r=5;t=10']);
  assert.deepEqual((await get(`${PATH}/full`)).seen, [200, '"daily";r=2;t=10']);
  const refused = await get(`${PATH}/full`);
  assert.deepEqual(refused.seen, [429, '"daily";r=2;t=10']);
  assert.equal(refused.headers.get('retry-after'), '10');
  assert.match(JSON.parse(refused.body).detail, /6 cost units .* have 2 left.* 3 of this call.*2026-11-20T15:00:00Z/);
  // Many at once: no more than are left pass.
  const all = await Promise.all(Array.from({ length: 8 }, () => get(PATH)));
  assert.equal(all.filter(({ seen }) => seen[0] === 200).length, 2);
  assert.match(JSON.parse((await get(PATH)).body).detail, /are used up\. The next day begins at 2026-11-20T15:00:00Z/);
  assert.equal((await fetch(url + PATH)).status, 200, 'others have no such limit');
  now += 10_000;
  assert.deepEqual((await get(PATH)).seen, [200, '"daily";r=5;t=86400']);
  // A clock that is set back and forth gives nobody a new day.
  now -= 20_000;
  assert.equal((await get(PATH)).seen[0], 429);
  now += 20_000;
  assert.deepEqual((await get(PATH)).seen, [200, '"daily";r=4;t=86400']);
});

test('a call that costs more than a day has says so', async (t) => {
  const path = keyFile(t);
  const { key } = await addKey(path, { name: 'a', limit: null, expires: null, daily_units: 2 }, NOW);
  const { ring } = await openRing(t, path);
  const dailyUnits = new MemoryDailyUnits(() => NOW.getTime());
  const { url } = await startServer(t, { limiters: { api: new MemoryRateLimiter(20) }, keys: ring, dailyUnits });
  const refused = await fetch(`${url}${PATH}/full`, bearer(key));
  assert.equal(refused.status, 429);
  assert.match(((await refused.json()) as { detail: string }).detail, /A day has less than this call costs/);
});

test('units of a day that has ended are not given back to the next', () => {
  let now = Date.UTC(2026, 0, 1, 14, 59, 59);
  const units = new MemoryDailyUnits(() => now);
  const { endsAtMs } = units.take('a', 5, 10);
  assert.equal(endsAtMs, now + 1000);
  now = endsAtMs;
  units.take('a', 10, 10);
  units.giveBack('a', 5, endsAtMs);
  assert.equal(units.take('a', 0, 10).remaining, 0);
});

test('servers that share a Redis count the units of a day together, and go on from there without it', {
  skip: skipWithoutRedis,
}, async (t) => {
  const server = await RedisServer.start(t);
  const connect = async () => {
    const redis = await SharedRedis.connect(server.url, QUIET);
    t.after(() => redis.close());
    return new RedisDailyUnits(redis);
  };
  const [one, two] = [await connect(), await connect()];
  const { remaining, endsAtMs } = await one.take('hida_a', 4, 10);
  assert.equal(remaining, 6);
  assert.equal((await two.take('hida_a', 4, 10)).remaining, 2);
  assert.deepEqual((await one.take('hida_a', 3, 10)).allowed, false);
  one.giveBack('hida_a', 2, Date.now());
  one.giveBack('hida_a', 2, endsAtMs);
  assert.equal((await two.take('hida_a', 0, 10)).remaining, 4);
  const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => [one, two][i % 2]!.take('hida_a', 1, 10)));
  assert.equal(taken.filter(({ allowed }) => allowed).length, 4);
  await server.kill();
  assert.equal((await one.take('hida_a', 1, 10)).allowed, false);
  assert.equal((await one.take('hida_b', 1, 10)).allowed, true);
});

// Before, the link was replaced by a file: a server with the file itself went on to take a key that was revoked.
test('a key file is changed through a symbolic link to it', { skip: process.platform === 'win32' }, async (t) => {
  const path = keyFile(t);
  await addKey(path, { name: 'x', limit: null, expires: null }, NOW);
  const link = join(tempFolder(t), 'link.json');
  symlinkSync(path, link);
  await revokeKey(link, 'x', NOW);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.ok((await readKeyFile(path))[0]?.revoked);
});
