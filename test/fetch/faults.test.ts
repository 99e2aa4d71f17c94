import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DiskFullError, retryAfterMs } from '../../src/fetch/client.ts';
import { LOCK_FILE, SourcesLock } from '../../src/fetch/sources-lock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { breakOff, type Fault, Replica, redirect, refuse, serve } from './replica.ts';
import { fetchAll, first, hasBegun, inputs, lockOf, MODEL, publish as publishOn } from './support.ts';

const replica = new Replica();
before(() => replica.listen());
after(() => replica.close());

const publish = (test: TestContext, idleMs?: number) => publishOn(replica, test, idleMs);

describe('fetch, publishers that fail', () => {
  it('goes on by range where a connection broke', async (test) => {
    const { options } = publish(test);
    replica.put('/models/53394600.gml', MODEL('53394600'), {
      faults: [breakOff(70_000, hasBegun(options)), breakOff(1)],
    });
    const outcome = await fetchAll(options);
    assert.deepEqual(outcome.failed, []);
    assert.equal(inputs(options), MODEL('53394600'));
    const ranges = replica.requests.filter(({ path }) => path === '/models/53394600.gml').map(({ range }) => range);
    assert.ok(
      ranges.some((range) => range !== null),
      String(ranges),
    );
  });

  it('goes on in a second run where the first gave up, and leaves no part behind', async (test) => {
    const { options } = publish(test);
    const cut = [breakOff(90_000, hasBegun(options)), refuse(503), refuse(503), refuse(503)];
    replica.put('/models/53394600.gml', MODEL('53394600'), { faults: cut });
    const outcome = await fetchAll(options);
    assert.match(outcome.failed[0]?.reason ?? '', /53394600\.gml: status 503 after 3 tries$/);
    assert.ok(!existsSync(join(options.into, first)) && existsSync(join(options.into, `${first}.part`)));
    replica.requests.length = 0;
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.match(replica.requests.find(({ path }) => path.endsWith('600.gml'))?.range ?? '', /^bytes=[1-9]\d*-$/);
    assert.equal(inputs(options), MODEL('53394600'));
    assert.deepEqual(
      readdirSync(join(options.into, 'citygml/13101')).filter((name) => name.includes('part')),
      [],
    );
  });

  it('begins anew when the ETag changes midway', async (test) => {
    const { options } = publish(test);
    const swap = breakOff(90_000, hasBegun(options));
    replica.put('/models/53394600.gml', MODEL('before'), {
      faults: [
        (request, response, file) => {
          swap(request, response, { ...file });
          replica.put('/models/53394600.gml', MODEL('after!'));
        },
      ],
    });
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.equal(inputs(options), MODEL('after!'));
  });

  it('begins anew where the server ignores If-Range and goes on with another version', async (test) => {
    for (const marks of [{ etag: '"other"' }, {}]) {
      const { options } = publish(test);
      const other = Buffer.from(MODEL('other', 300_000));
      const goesOn: Fault = ({ headers }, response) => {
        const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]);
        const range = `bytes ${start}-${other.length - 1}/${other.length}`;
        response.writeHead(206, { 'content-range': range, ...marks }).end(other.subarray(start));
      };
      replica.put('/models/53394600.gml', MODEL('53394600'), { faults: [breakOff(90_000, hasBegun(options)), goesOn] });
      assert.deepEqual((await fetchAll(options)).failed, []);
      assert.equal(inputs(options), MODEL('53394600'), JSON.stringify(marks));
    }
  });

  it('takes a part that the server answers 416 for as nothing', async (test) => {
    const { options } = publish(test);
    mkdirSync(join(options.into, 'citygml/13101'), { recursive: true });
    const url = `${replica.origin}/models/53394600.gml`;
    const etag = replica.files.get('/models/53394600.gml')?.etag;
    writeFileSync(join(options.into, `${first}.part`), MODEL('53394600'));
    writeFileSync(join(options.into, `${first}.part.json`), JSON.stringify({ url, etag, lastModified: null }));
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.equal(inputs(options), MODEL('53394600'));
  });

  const wrong: [string, (path: string, hasArrived: () => boolean) => void, RegExp][] = [
    [
      'a body shorter than its Content-Length',
      (path) => {
        const { body } = replica.files.get(path) ?? { body: Buffer.alloc(0) };
        replica.put(path, body, { faults: Array.from({ length: 3 }, () => breakOff(10)) });
      },
      /broke off 3 times \(/,
    ],
    ['a web page with status 200', (path) => replica.put(path, '<!DOCTYPE html><p>maintenance'), /a web page instead/],
    [
      'a coded body',
      (path) => {
        const zipped = gzipSync(MODEL('53394600'));
        const coded: Fault = (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
        replica.put(path, 'x', { faults: [coded] });
      },
      /sent as gzip, though the file as it is was asked for/,
    ],
    ['an empty body', (path) => replica.put(path, ''), /answers with nothing instead/],
    [
      'a city model cut off without a word',
      (path) => replica.put(path, MODEL('x').slice(0, 50_000)),
      /a city model without its end/,
    ],
    ['a zip in place of a model', (path) => replica.put(path, 'PK\x03\x04'), /something that is not XML/],
    [
      'a redirect to a stranger',
      (path) => replica.put(path, 'x', { faults: [redirect('http://127.0.0.2:9/stolen.gml')] }),
      /leads to 127\.0\.0\.2:9, which is not a host of this publisher/,
    ],
    [
      'redirects without end',
      (path) => replica.put(path, 'x', { faults: Array.from({ length: 9 }, () => redirect(path)) }),
      /more than 5 redirects/,
    ],
    [
      'a redirect to what is no address',
      (path) => replica.put(path, 'x', { faults: [redirect('http://[')] }),
      /redirects to "http:\/\/\[", which is no address/,
    ],
    [
      'a redirect with a name and a password',
      (path) => replica.put(path, 'x', { faults: [redirect(`http://a:b@${new URL(replica.origin).host}${path}`)] }),
      /leads to 127\.0\.0\.1:\d+ with a name or password/,
    ],
    [
      'another part than was asked for',
      (path, hasArrived) =>
        replica.put(path, MODEL('53394600'), {
          faults: [
            breakOff(90_000, hasArrived),
            (_, response, { body }) =>
              void response.writeHead(206, { 'content-range': `bytes 5-9/${body.length}` }).end('wrong'),
          ],
        }),
      /sent another part than was asked for/,
    ],
  ];
  for (const [name, arrange, reason] of wrong) {
    it(`${name}: a clear line, nothing in place, the others are there`, async (test) => {
      const { options } = publish(test);
      arrange('/models/53394600.gml', hasBegun(options));
      const { fetched, failed } = await fetchAll(options);
      assert.equal(failed.length, 1);
      assert.match(failed[0]?.reason ?? '', reason);
      assert.match(failed[0]?.reason ?? '', /\/models\/53394600\.gml/);
      assert.ok(!existsSync(join(options.into, first)));
      assert.equal(fetched, 1);
      assert.equal(lockOf(options)[first], undefined);
    });
  }

  it('silence: a clear line, nothing in place', async (test) => {
    const { options } = publish(test, 300);
    const faults = Array.from({ length: 3 }, () => () => undefined);
    replica.put('/models/53394600.gml', 'x', { faults });
    const { failed } = await fetchAll(options);
    assert.match(failed[0]?.reason ?? '', /no answer within 0\.3 s/);
    assert.ok(!existsSync(join(options.into, first)));
  });

  it('a body that drips is given up and gone on with; a slow one that is not stays', async (test) => {
    const dripping =
      (bytes: number, everyMs: number): Fault =>
      (_, response, { body, etag }) => {
        response.writeHead(200, { 'content-length': body.length, ...(etag && { etag }) });
        response.write(body.subarray(0, 50_000));
        let at = 50_000;
        const timer = setInterval(() => {
          response.write(body.subarray(at, at + bytes));
          at += bytes;
          if (at < body.length) return;
          clearInterval(timer);
          response.end();
        }, everyMs);
        response.on('close', () => clearInterval(timer));
      };
    const { options } = publish(test, 300);
    replica.put('/models/53394600.gml', MODEL('53394600'), { faults: [dripping(1, 20)] });
    replica.put('/models/53394601.gml', MODEL('53394601'), { faults: [dripping(5000, 20)] });
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.equal(inputs(options), MODEL('53394600'));
    const asked = (name: string) => replica.requests.filter(({ path }) => path === `/models/${name}.gml`);
    assert.deepEqual(
      asked('53394600').map(({ range }) => range?.startsWith('bytes=5') ?? null),
      [null, true],
    );
    assert.equal(asked('53394601').length, 1);
    const drip = dripping(1, 20);
    replica.put('/models/53394600.gml', MODEL('changed'), { faults: [drip, drip, drip] });
    const { failed, remarks } = await fetchAll(options);
    assert.match(
      failed[0]?.reason ?? '',
      /broke off 3 times \(only \d+ bytes arrived in 0\.\d s\); the \d+ bytes that arrived are kept for the next run/,
    );
    assert.match(remarks[0]!, /53394600\.gml: only \d+ bytes arrived in 0\.\d s; attempt 2 of 3 in 1 s$/);
    assert.equal(inputs(options), MODEL('53394600'), 'the older copy stays');
  });

  it('a publisher that fails again and again is not asked for every file of a country', async (test) => {
    const { options } = publish(test);
    const bldg = Array.from({ length: 60 }, (_, i) => {
      const path = `/models/down/${i}.gml`;
      replica.put(path, '', { faults: Array.from({ length: 3 }, () => refuse(503)) });
      return { code: String(53394600 + i), url: replica.origin + path };
    });
    replica.put(
      '/catalogue/13101?types=bldg',
      JSON.stringify({ cities: [{ cityCode: '13101', year: 2023, files: { bldg } }] }),
    );
    const { failed } = await fetchAll({ ...options, kinds: new Set(['citygml', 'readings']) });
    const tried = failed.filter(({ reason }) => /status 503 after 3 tries/.test(reason)).length;
    assert.ok(failed.length === 60 && tried >= 20 && tried < 24, `${tried} of ${failed.length}`);
    const others = failed.filter(({ reason }) =>
      /^not requested, since 20 files failed one after the other/.test(reason),
    );
    assert.equal(others.length, 60 - tried);
    assert.ok(existsSync(join(options.into, 'readings/utf_ken_all.zip')), 'the files of another publisher arrive');
  });

  it('a head that never ends: a clear line', async (test) => {
    const { options } = publish(test, 300);
    const endless: Fault = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    replica.put('/models/53394600.gml', 'x', { faults: [endless, endless, endless] });
    assert.match((await fetchAll(options)).failed[0]?.reason ?? '', /no answer within 0\.3 s/);
  });

  it('takes the new version where it comes as a part that was not asked for', async (test) => {
    const { options } = publish(test);
    await fetchAll(options);
    const all = (body: Buffer): string => `bytes 0-${body.length - 1}/${body.length}`;
    const asPart: Fault = (_, response, { body, etag = '' }) =>
      void response.writeHead(206, { etag, 'content-range': all(body) }).end(body);
    replica.put('/models/53394600.gml', MODEL('changed'), { faults: [asPart] });
    assert.deepEqual((await fetchAll(options)).fetched, 1);
    assert.equal(inputs(options), MODEL('changed'));
    assert.equal(lockOf(options)[first]?.etag, replica.files.get('/models/53394600.gml')?.etag);
  });

  it('a list that is a line of text is refused, and the older one stays', async (test) => {
    const { options } = publish(test);
    const lists = { ...options, kinds: new Set(['offices' as const]) };
    await fetchAll(lists);
    replica.put('/care/jigyosho_520.csv', 'Service temporarily unavailable\n');
    const reasons = (await fetchAll(lists)).failed.map(({ reason }) => reason);
    assert.ok(reasons.some((reason) => /jigyosho_520\.csv: answers with something that is not a table/.test(reason)));
    assert.equal(inputs(options, 'offices/jigyosho_520.csv'), 'list,of 520\n');
  });

  it('keeps the models of a city whose catalogue goes back to an older edition, unless it is asked for', async (test) => {
    const { options } = publish(test);
    await fetchAll(options);
    const path = '/catalogue/13101?types=bldg';
    const { cities } = JSON.parse(String(replica.files.get(path)?.body)) as { cities: object[] };
    replica.put(path, JSON.stringify({ cities: cities.slice(0, 1) }));
    replica.put('/models/53394500.gml', MODEL('53394500'));
    const both = { ...options, kinds: new Set(['citygml', 'readings'] as const) };
    const { fetched, failed, withdrawn } = await fetchAll(both);
    assert.deepEqual([fetched, withdrawn, failed.length, failed[0]?.path], [1, [], 1, 'citygml/13101']);
    assert.match(
      failed[0]?.reason ?? '',
      /is now 2020, specification 2\.3, older than 2023, specification 3\.2, which/,
    );
    assert.equal(inputs(options), MODEL('53394600'));
    const asked = await fetchAll({ ...options, edition: { year: 2020, spec: null } });
    assert.deepEqual([asked.fetched, asked.failed, asked.withdrawn.length], [1, [], 2]);
  });

  it('keeps a list that is newer than the one which the page names, until it is deleted', async (test) => {
    const { options } = publish(test);
    const lists = { ...options, kinds: new Set(['offices' as const]) };
    await fetchAll(lists);
    const path = 'offices/jigyosho_510.csv';
    const reasonOf510 = async () => (await fetchAll(lists)).failed.find((file) => file.path === path)?.reason ?? '';
    replica.put('/care.html', '<a href="/care/jigyosho_510_all_20251231.csv">510</a>');
    replica.put('/care/jigyosho_510_all_20251231.csv', 'old,list\n');
    assert.match(await reasonOf510(), /is of 2025-12-31; the list of 2026-07-01 that is here stays/);
    replica.put('/care.html', '<a href="/care/jigyosho_520.csv">520</a>');
    replica.put('/care/jigyosho_510.csv', 'old,list\n', { lastModified: 'Wed, 31 Dec 2025 01:00:00 GMT' });
    assert.match(await reasonOf510(), /is of 2025-12-31/);
    replica.put('/care/jigyosho_510.csv', 'old,list\n');
    assert.match(await reasonOf510(), /is of an unknown day/);
    assert.equal(inputs(options, path), 'new,list\n');
    replica.put('/care/jigyosho_510.csv', 'newer,list\n', { lastModified: 'Thu, 31 Dec 2026 01:00:00 GMT' });
    assert.equal(await reasonOf510(), '');
    rmSync(join(options.into, path));
    replica.put('/care/jigyosho_510.csv', 'old,list\n');
    assert.equal(await reasonOf510(), '');
    assert.equal(inputs(options, path), 'old,list\n');
  });

  it('fetches from the others where the list of one publisher cannot be read', async (test) => {
    const { options } = publish(test);
    const all = { ...options, kinds: new Set(['citygml', 'offices'] as const) };
    replica.put('/care.html', '<!doctype html><title>maintenance</title>');
    const { fetched, failed } = await fetchAll(all);
    assert.deepEqual([fetched, failed.length, failed[0]?.path], [2, 1, 'offices']);
    assert.match(failed[0]?.reason ?? '', /care\.html: names no office list/);
    replica.put('/care.html', '', { faults: Array.from({ length: 9 }, () => redirect('/care.html')) });
    assert.match((await fetchAll(all)).failed[0]?.reason ?? '', /care\.html: more than 5 redirects/);
    replica.put('/catalogue/13101?types=bldg', '{"cities": [');
    await assert.rejects(fetchAll(all), /expected JSON/, 'when nothing can be fetched');
  });

  it('asks a catalogue again whose answer breaks off', async (test) => {
    const { options } = publish(test);
    const path = '/catalogue/13101?types=bldg';
    replica.put(path, replica.files.get(path)?.body ?? '', { faults: [breakOff(100)] });
    assert.deepEqual((await fetchAll(options)).failed, []);
  });

  it('takes a file once that the catalogue names twice, and both of two with one code', async (test) => {
    const { options } = publish(test);
    const path = '/catalogue/13101?types=bldg';
    const named = (code: string, name: string) => ({
      code,
      url: `${replica.origin}/models/${name}.gml`,
      fileSize: -1e18,
    });
    const of = (...bldg: object[]) => ({ cityCode: '13101', year: 2023, spec: '3.2', files: { bldg } });
    const cities = [
      of(named('53394600', '53394600')),
      of(named('53394600', '53394600'), named('53394600', '53394610')),
    ];
    replica.put(path, JSON.stringify({ cities }));
    const { fetched, failed } = await fetchAll(options);
    assert.deepEqual([fetched, failed], [2, []]);
    assert.equal(inputs(options), MODEL('53394600'));
    assert.equal(inputs(options, 'citygml/13101/53394600-2_bldg.gml'), MODEL('53394610'));
  });

  it('does not ask by the ETag of another address', async (test) => {
    const { options } = publish(test);
    await fetchAll(options);
    const path = '/catalogue/13101?types=bldg';
    replica.put(path, String(replica.files.get(path)?.body).replaceAll('models/53394600', 'models/moved'));
    const { etag } = replica.files.get('/models/53394600.gml') ?? {};
    replica.put('/models/moved.gml', MODEL('53394699'), { ...(etag && { etag }) });
    assert.equal((await fetchAll(options)).fetched, 1);
    assert.equal(inputs(options), MODEL('53394699'));
  });

  it('refuses a second run into a folder while the first is at work, and leaves no lock', async (test) => {
    const { options } = publish(test);
    const second: Promise<unknown>[] = [];
    const during: Fault = (request, response, file) => {
      second.push(fetchAll(options).catch((error: Error) => error.message));
      serve(request, response, file);
    };
    replica.put('/models/53394600.gml', MODEL('53394600'), { faults: [during] });
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.match(String(await second[0]), /inputs: another fetch is filling this folder/);
    assert.equal(inputs(options), MODEL('53394600'));
    assert.deepEqual(readdirSync(options.into).sort(), ['citygml', 'sources.lock.json']);
  });

  it('a catalogue that is none: a clear line, however it is wrong, and not a byte too many', async (test) => {
    const path = '/catalogue/13101?types=bldg';
    const endless: Fault = (_, response) => {
      const piece = Buffer.alloc(2 ** 20, ' ');
      const more = (): void => void (response.destroyed || response.write(piece, more));
      more();
    };
    const silent: Fault = (_, response) => void response.write('{"cities":[');
    const wrong: [string, RegExp, Fault?][] = [
      ['{"cities":[1,null]}', /expected cities with "cityCode" and "files", found 1/],
      ['{"cities":[null]}', /expected cities with "cityCode" and "files", found null/],
      ['{"cities":[{"cityCode":"13101","files":{"bldg":{}}}]}', /no building files of 13101/],
      ['{"cities":[{"cityCode":"13101","files":{"bldg":[null]}}]}', /no building files of 13101/],
      ['x', /more than the 64000000 bytes that such an answer may have/, endless],
      ['x', /nothing arrived for 0\.3 s/, silent],
    ];
    for (const [body, reason, fault] of wrong) {
      const { options } = publish(test, 300);
      replica.put(path, body, fault === undefined ? {} : { faults: [fault, fault, fault] });
      await assert.rejects(fetchAll(options), { name: 'FetchError', message: reason }, body);
    }
  });

  it('waits as long as a 429 asks for', async (test) => {
    const { options } = publish(test);
    replica.put('/models/53394600.gml', MODEL('53394600'), { faults: [refuse(429, '0'), refuse(503)] });
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.equal(retryAfterMs('7', 0), 7000);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:09 GMT', 2000), 7000);
    for (const odd of ['soon', '-5', '1.5', '', '7 s', 'NaN']) assert.equal(retryAfterMs(odd, 0), null, odd);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:00 GMT', 2000), 0);
  });

  it('a server that asks to come back in an hour gets no more requests', async (test) => {
    for (const [status, retryAfter, seconds] of [
      [503, '3600', '3600'],
      [429, '9'.repeat(30), '1e+30'],
    ] as const) {
      const { options } = publish(test);
      const bldg = Array.from({ length: 60 }, (_, i) => {
        const path = `/models/busy/${i}.gml`;
        replica.put(path, MODEL(path), { faults: [refuse(status, retryAfter)] });
        return { code: String(53394600 + i), url: replica.origin + path };
      });
      replica.put(
        '/catalogue/13101?types=bldg',
        JSON.stringify({ cities: [{ cityCode: '13101', year: 2023, spec: '3.2', files: { bldg } }] }),
      );
      const { fetched, failed } = await fetchAll(options);
      const requested = replica.requests.filter(({ path }) => path.startsWith('/models/busy/')).length;
      assert.ok(requested <= 4, `${requested} requests: at most those of the connections at work`);
      assert.deepEqual([fetched, failed.length], [0, 60]);
      const asks = failed.filter(({ reason }) =>
        reason.endsWith(`asks to come back in ${seconds} s; run it again then`),
      );
      const others = failed.filter(({ reason }) => reason.startsWith('not requested, since 20 files failed'));
      assert.deepEqual([asks.length >= 20, asks.length + others.length], [true, 60]);
      assert.match(asks[0]?.reason ?? '', /\/models\/busy\/\d+\.gml: the server/);
    }
  });

  it('a pause that a server asks for holds for its other files', async (test) => {
    const { options } = publish(test);
    const hosts = [new URL(replica.origin).host];
    let refusedAt = 0;
    const requestedAt: number[] = [];
    const busy: Fault = (request, response, file) => {
      refusedAt = performance.now();
      refuse(429, '1')(request, response, file);
    };
    const note: Fault = (request, response, file) => {
      requestedAt.push(performance.now());
      serve(request, response, file);
    };
    replica.put('/busy', 'x', { faults: [busy] });
    replica.put('/other', 'x', { faults: [note, note] });
    // Another server leads to the busy one.
    replica.put('/moved', 'x', { faults: [redirect(`${replica.origin}/other`)] });
    const paused = Promise.withResolvers<string>();
    const client = options.client.reportingTo(paused.resolve);
    const first = client.get(`${replica.origin}/busy`, hosts);
    assert.match(await paused.promise, /\/busy: status 429; attempt 2 of 3 in 1 s$/);
    const elsewhere = replica.origin.replace('127.0.0.1', 'localhost');
    for (const response of await Promise.all([
      first,
      client.get(`${elsewhere}/moved`, [...hosts, new URL(elsewhere).host]),
      client.get(`${replica.origin}/other`, hosts),
    ]))
      assert.equal(await response.text(), 'x');
    const pauses = requestedAt.map((time) => time - refusedAt);
    assert.ok(pauses.length === 2 && Math.min(...pauses) >= 999, `${pauses} ms`);
  });

  it('never makes a path of what a publisher calls a file', async (test) => {
    const { options } = publish(test);
    const bldg = ['../../../escape', '53394600/../../x', '53394600'].map((code) => ({
      code,
      maxLod: 1,
      url: `${replica.origin}/models/53394600.gml`,
    }));
    replica.put(
      '/catalogue/13101?types=bldg',
      JSON.stringify({ cities: [{ cityCode: '13101', year: 2023, spec: '3', files: { bldg } }] }),
    );
    const { fetched, remarks } = await fetchAll(options);
    assert.equal(fetched, 1);
    assert.equal(remarks.length, 2);
    assert.deepEqual(readdirSync(join(options.into, 'citygml/13101')), ['53394600_bldg.gml']);
  });

  it('several large files that end at the same time are all in the lock', async (test) => {
    const folder = tempFolder(test);
    const lock = await SourcesLock.open(folder);
    const source = { url: 'x', etag: null, last_modified: null, bytes: 30e6, sha256: 'x', fetched_at: '', credit: '' };
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => lock.set(name, source)));
    assert.deepEqual([...(await SourcesLock.open(folder)).all().keys()], names);
    assert.deepEqual(readdirSync(folder), [LOCK_FILE]);
  });

  it('a full disk stops the run with one line, and the run goes on once there is room', async (test) => {
    const { folder, options } = publish(test);
    const small = join(folder, 'small');
    mkdirSync(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small], { stdio: 'ignore' });
    } catch {
      return test.skip('a small disk cannot be mounted here');
    }
    try {
      const run = { ...options, into: join(small, 'inputs') };
      await assert.rejects(
        fetchAll(run),
        (error) => error instanceof DiskFullError && /the disk is full/.test(error.message),
      );
      execFileSync('mount', ['-o', 'remount,size=8m', small]);
      assert.deepEqual((await fetchAll(run)).failed, []);
      assert.equal(readFileSync(join(run.into, first), 'utf8'), MODEL('53394600'));
    } finally {
      execFileSync('umount', [small]);
    }
  });
});
