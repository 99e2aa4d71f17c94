import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { gridSquaresOf } from '../../src/fetch/area.ts';
import { CLIENT_DEFAULTS, Client, retryAfterMs } from '../../src/fetch/client.ts';
import { DiskFullError } from '../../src/fetch/fetch-error.ts';
import { type FetchEvent, type FetchOptions, fetchInputs } from '../../src/fetch/fetch-inputs.ts';
import { readPublishers } from '../../src/fetch/publishers.ts';
import { LOCK_FILE, type Source } from '../../src/fetch/sources-lock.ts';
import { newestLists } from '../../src/fetch/tables.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';
import { breakOff, Replica, redirect, refuse, serve } from './replica.ts';

const replica = new Replica();
before(() => replica.listen());
after(() => replica.close());

const MODEL = (name: string, bytes = 200_000): string =>
  `<?xml version="1.0"?><core:CityModel>${name}${' '.repeat(bytes)}</core:CityModel>\n`;

/** Puts two cities with one file each, a census zip, names and lists on the replica. */
function publish(test: TestContext, idleMs = 20_000): { folder: string; options: FetchOptions } {
  replica.files.clear();
  replica.requests.length = 0;
  replica.mostOpen = replica.open;
  const folder = tempFolder(test);
  const zip = zipOf(folder, { 'a.shp': 'x' });
  const file = (code: string) => ({ code, maxLod: 1, url: `${replica.origin}/models/${code}.gml`, fileSize: null });
  const city = (cityCode: string, year: number, spec: string, codes: string[]) => ({
    ...{ cityCode, year, registrationYear: year, spec, url: 'unused', files: { bldg: codes.map(file) } },
  });
  const cities = [
    city('13101', 2020, '2.3', ['53394500']),
    city('13101', 2023, '3.2', ['53394600', '53394601']),
    city('13102', 2023, '3.4', ['53394610']),
  ];
  replica.put('/catalogue/13101,13102?types=bldg', JSON.stringify({ cities }));
  replica.put('/catalogue/13101?types=bldg', JSON.stringify({ cities: cities.slice(0, 2) }));
  for (const code of ['53394600', '53394601', '53394610']) replica.put(`/models/${code}.gml`, MODEL(code));
  replica.put('/census?code=13101', zip);
  replica.put('/census?code=13102', zip);
  replica.put('/postal.zip', zip);
  replica.put('/care.html', '<a href="/care/jigyosho_510_all_20260701.csv">510</a>');
  replica.put('/care/jigyosho_510_all_20260701.csv', 'new list\n');
  for (const service of ['110', '520']) replica.put(`/care/jigyosho_${service}.csv`, `list of ${service}\n`);
  const client = new Client({ ...CLIENT_DEFAULTS, backoffMs: 1, idleMs, tries: 3, userAgent: 'test' });
  const options: FetchOptions = {
    ...{ into: join(folder, 'inputs'), cities: ['13101'], area: null, edition: { year: null, spec: null } },
    ...{ route: 'catalogue', parts: new Set(['citygml']), publishers: replica.publishers(), client },
  };
  return { folder, options };
}

function zipOf(folder: string, members: Record<string, string>): Buffer {
  const path = join(folder, 'members.zip');
  writeZip(
    path,
    Object.entries(members).map(([name, data]) => ({ name, data })),
  );
  return readFileSync(path);
}

const lockOf = ({ into }: FetchOptions): Record<string, Source> =>
  JSON.parse(readFileSync(join(into, LOCK_FILE), 'utf8')).files;

async function fetchAll(options: FetchOptions) {
  const events: FetchEvent[] = [];
  const outcome = await fetchInputs(options, (event) => events.push(event));
  return { ...outcome, remarks: events.flatMap((event) => (event.event === 'remark' ? [event.message] : [])) };
}

const first = 'citygml/13101/53394600_bldg.gml';
const inputs = ({ into }: FetchOptions, path = first): string => readFileSync(join(into, path), 'utf8');

describe('fetch, publishers that behave', () => {
  it('brings the newest edition of each city, areas, names and lists, and keeps where they came from', async (test) => {
    const { options } = publish(test);
    const parts = new Set(['citygml', 'census', 'readings', 'offices'] as const);
    const outcome = await fetchAll({ ...options, cities: ['13101', '13102'], parts });
    assert.deepEqual(readdirSync(join(options.into, 'citygml/13101')).sort(), [
      '53394600_bldg.gml',
      '53394601_bldg.gml',
    ]);
    assert.equal(inputs(options), MODEL('53394600'));
    assert.equal(inputs(options, 'offices/jigyosho_510.csv'), 'new list\n');
    assert.equal(inputs(options, 'offices/jigyosho_520.csv'), 'list of 520\n');
    assert.ok(
      existsSync(join(options.into, 'census/13102.zip')) && existsSync(join(options.into, 'readings/utf_ken_all.zip')),
    );
    // 32 of the 35 services are not on this replica.
    assert.equal(outcome.failed.length, 32);
    assert.ok(outcome.failed.every(({ reason }) => /jigyosho_\d{3}\.csv: status 404, expected 200$/.test(reason)));
    const source = lockOf(options)[first];
    assert.equal(source?.url, `${replica.origin}/models/53394600.gml`);
    assert.equal(source?.credit, 'credit of plateau');
    assert.equal(source?.bytes, MODEL('53394600').length);
    assert.ok(replica.mostOpen <= 4 + 1, `${replica.mostOpen} connections at once`);
  });

  it('asks a second time only whether something changed, and fetches what did', async (test) => {
    const { options } = publish(test);
    const run = { ...options, parts: new Set(['citygml', 'offices'] as const) };
    await fetchAll(run);
    replica.put('/models/53394601.gml', MODEL('changed'));
    replica.put('/care/jigyosho_520.csv', 'overwritten in place\n');
    const outcome = await fetchAll(run);
    assert.deepEqual([outcome.fetched, outcome.unchanged], [2, 3]);
    assert.equal(inputs(options, 'citygml/13101/53394601_bldg.gml'), MODEL('changed'));
    const earlier = readdirSync(join(options.into, 'earlier/offices'));
    assert.equal(earlier.length, 1);
    assert.match(earlier[0] ?? '', /^jigyosho_520\.\d{4}-\d\d-\d\d\.[0-9a-f]{16}\.csv$/);
    assert.equal(inputs(options, `earlier/offices/${earlier[0]}`), 'list of 520\n');
  });

  it('fetches again a file that was damaged in place', async (test) => {
    const { options } = publish(test);
    await fetchAll(options);
    const damaged = MODEL('53394600').replace('53394600', '5339460X');
    writeFileSync(join(options.into, first), damaged);
    const outcome = await fetchAll(options);
    assert.deepEqual([outcome.fetched, outcome.unchanged], [1, 1]);
    assert.equal(inputs(options), MODEL('53394600'));
  });

  it('asks for grid squares of an area, thirty at a time', async (test) => {
    const { options } = publish(test);
    const area = { lat: 35.68, lon: 139.76, km: 3 };
    const squares = gridSquaresOf(area);
    assert.ok(squares.length > 30 && squares.includes('53394611'), squares.join());
    const answer = JSON.parse(replica.files.get('/catalogue/13101?types=bldg')?.body.toString() ?? '');
    for (let i = 0; i < squares.length; i += 30) {
      const path = `/catalogue/m:${squares.slice(i, i + 30).join(',')}?types=bldg`;
      if (i === 0) replica.put(path, JSON.stringify(answer));
    }
    const outcome = await fetchAll({ ...options, cities: [], area });
    assert.equal(outcome.fetched, 2);
    assert.equal(
      replica.requests.filter(({ path }) => path.startsWith('/catalogue/m:')).length,
      Math.ceil(squares.length / 30),
    );
  });

  it('takes an edition that was asked for, and says which city has none', async (test) => {
    const { options } = publish(test);
    replica.put('/models/53394500.gml', MODEL('old'));
    replica.put('/catalogue/13101,13199?types=bldg', replica.files.get('/catalogue/13101?types=bldg')?.body ?? '');
    const outcome = await fetchAll({ ...options, cities: ['13101', '13199'], edition: { year: 2020, spec: null } });
    assert.deepEqual(readdirSync(join(options.into, 'citygml/13101')), ['53394500_bldg.gml']);
    assert.deepEqual(outcome.remarks, ['13199: the catalogue has no city model of it']);
  });
});

describe('fetch, publishers that fail', () => {
  it('goes on by range where a connection broke', async (test) => {
    const { options } = publish(test);
    replica.put('/models/53394600.gml', MODEL('53394600'), { faults: [breakOff(70_000), breakOff(1)] });
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
    const cut = [breakOff(90_000), refuse(503), refuse(503), refuse(503)];
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
    const swap = breakOff(90_000);
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

  const wrong: [string, (url: string) => void, RegExp][] = [
    [
      'a body shorter than its Content-Length',
      (path) => {
        const { body } = replica.files.get(path) ?? { body: Buffer.alloc(0) };
        replica.put(path, body, { faults: Array.from({ length: 3 }, () => breakOff(10)) });
      },
      /broke off 3 times \(/,
    ],
    ['a web page with status 200', (path) => replica.put(path, '<!DOCTYPE html><p>maintenance'), /a web page instead/],
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
      'a request to come back in an hour',
      (path) => replica.put(path, 'x', { faults: [refuse(503, '3600')] }),
      /asks to come back in 3600 s/,
    ],
    [
      'another part than was asked for',
      (path) =>
        replica.put(path, MODEL('53394600'), {
          faults: [
            breakOff(90_000),
            (_, response) => void response.writeHead(206, { 'content-range': 'bytes 5-9/200' }).end('wrong'),
          ],
        }),
      /sent another part than was asked for/,
    ],
  ];
  for (const [name, arrange, reason] of wrong) {
    it(`${name}: a clear line, nothing in place, the others are there`, async (test) => {
      const { options } = publish(test);
      arrange('/models/53394600.gml');
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

  it('waits as long as a 429 asks for', async (test) => {
    const { options } = publish(test);
    replica.put('/models/53394600.gml', MODEL('53394600'), { faults: [refuse(429, '0'), refuse(503)] });
    assert.deepEqual((await fetchAll(options)).failed, []);
    assert.equal(retryAfterMs('7', 0), 7000);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:09 GMT', 2000), 7000);
    assert.equal(retryAfterMs('soon', 0), null);
  });

  it('never makes a path of what a publisher calls a file', async (test) => {
    const { options } = publish(test);
    const bldg = ['../../../escape', '53394600/../../x', '53394600'].map((code) => ({
      ...{ code, maxLod: 1, url: `${replica.origin}/models/53394600.gml` },
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

describe('fetch out of a published zip', () => {
  const building = (code: string) => `13101_city/udx/bldg/${code}_bldg_6697_op.gml`;
  const members = (text: string) => ({
    [building('53394600')]: MODEL(text, 50),
    [building('53394601')]: MODEL(`${text}2`, 50),
    '13101_city/udx/dem/533946_dem_6697_op.gml': Array.from({ length: 300_000 }, (_, i) =>
      String((i * 7919) % 99991),
    ).join(' '),
  });

  function publishZip(test: TestContext, text = 'zip') {
    const { folder, options } = publish(test);
    const name = `${replica.origin}/13101_chiyoda-ku_2023_citygml_1_op.zip`;
    const old = `${replica.origin}/13101_chiyoda-ku_2020_citygml_4_op.zip`;
    const result = { count: 1, results: [{ resources: [{ url: old }, { url: name }, { url: 'readme.pdf' }] }] };
    replica.put('/search?q=13101', JSON.stringify({ success: true, result }));
    const body = zipOf(folder, members(text));
    replica.put('/13101_chiyoda-ku_2023_citygml_1_op.zip', body);
    return {
      options: { ...options, route: 'zip' as const },
      size: body.length,
      path: '/13101_chiyoda-ku_2023_citygml_1_op.zip',
    };
  }

  it('reads the buildings alone, by ranges; a second run reads the directory alone', async (test) => {
    const { options, size, path } = publishZip(test);
    const { fetched } = await fetchAll(options);
    assert.equal(fetched, 2);
    assert.equal(inputs(options), MODEL('zip', 50));
    const asked = replica.requests.filter((request) => request.path === path);
    const bytes = asked.reduce((sum, { range }) => {
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(range ?? '') ?? [];
      return sum + Math.min(size, Number(to) + 1) - Number(from);
    }, 0);
    assert.ok(bytes < size, `${bytes} of ${size} bytes were asked for`);
    assert.deepEqual((await fetchAll(options)).unchanged, 2);
  });

  it('a zip that changes while it is read is said to have changed', async (test) => {
    const { options, path } = publishZip(test);
    const file = replica.files.get(path);
    assert.ok(file);
    file.faults = [
      (request, response) => {
        serve(request, response, file);
        file.etag = '"another"';
      },
    ];
    const { failed } = await fetchAll(options);
    assert.match(failed[0]?.reason ?? '', /changed while it was read; run it again/);
  });

  it('a server without ranges and a damaged entry each have their line', async (test) => {
    const { options, path } = publishZip(test);
    const file = replica.files.get(path);
    assert.ok(file);
    file.faults = [(_, response) => void response.writeHead(200).end('whole')];
    assert.match((await fetchAll(options)).failed[0]?.reason ?? '', /gives whole files only/);
    const at = file.body.indexOf(building('53394600')) + building('53394600').length + 4;
    file.body.writeUInt8(file.body.readUInt8(at) ^ 0xff, at);
    assert.match((await fetchAll(options)).failed[0]?.reason ?? '', /53394600_bldg_6697_op\.gml: /);
    assert.ok(!existsSync(join(options.into, first)));
  });
});

describe('the care page and the table of publishers', () => {
  it('the latest dated name of each service wins over older and undated ones', () => {
    const html = [
      'jigyosho_510.csv',
      "jigyosho_510_all_20260630.csv' ",
      'jigyosho_510_20251231.csv',
      'jigyosho_520.csv',
    ]
      .map((name) => `<a class="x" href='/content/${name}'>`)
      .join('');
    const found = newestLists(html.replaceAll("' '", "'"), 'https://example.org/stf/page.html');
    assert.equal(found.get('510'), 'https://example.org/content/jigyosho_510_all_20260630.csv');
    assert.equal(found.get('520'), 'https://example.org/content/jigyosho_520.csv');
  });

  it('a table of an operator replaces addresses and hosts, and its mistakes are named', async (test) => {
    const path = join(tempFolder(test), 'publishers.json');
    writeFileSync(
      path,
      JSON.stringify({ care: { urls: { index: 'https://mirror.example/care' }, hosts: ['mirror.example'] } }),
    );
    const { care, census } = await readPublishers(path);
    assert.deepEqual([care.urls.index, care.hosts], ['https://mirror.example/care', ['mirror.example']]);
    assert.match(care.urls.list ?? '', /jigyosho_\{service\}/);
    assert.match(census.urls.areas ?? '', /datum=2011/);
    for (const [bad, reason] of [
      ['{', /not JSON/],
      ['{"cars": {}}', /no publisher "cars"/],
      ['{"care": {"url": {}}}', /care: unknown member url/],
      ['{"care": {"urls": {"index": "care"}}}', /must be an absolute URL/],
    ] as const) {
      writeFileSync(path, bad);
      await assert.rejects(readPublishers(path), reason);
    }
  });
});

describe('hidamari fetch', () => {
  it('fetches by the command line, lists cities, and ends with 1 where something failed', async (test) => {
    const { folder, options } = publish(test);
    const table = join(folder, 'publishers.json');
    writeFileSync(table, JSON.stringify(replica.publishers()));
    const row = { city_code: '13101', pref: '東京都', city: '千代田区', year: 2023, spec: '3.2', file_size: 1e9 };
    replica.put('/datasets', JSON.stringify({ citygml: [row] }));
    const listed = await hidamari(['fetch', '--list', '--publishers', table]);
    assert.match(listed.stdout, /13101\s+東京都千代田区\s+2023\s+3\.2\s+1\.0 GB/);
    const args = [
      'fetch',
      '--city',
      '13101',
      '--into',
      options.into,
      '--publishers',
      table,
      '--only',
      'citygml,readings',
    ];
    const done = await hidamari(args);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /3 files fetched \(\d.*kB\), 0 unchanged/);
    replica.files.delete('/postal.zip');
    const failed = await hidamari(args);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /1 files could not be fetched[\s\S]*postal\.zip: status 404/);
  });

  it('wrong usage is said in one line with exit code 2', async () => {
    for (const [args, reason] of [
      [['--city', '1310', '--into', 'x'], /not a city code of 5 digits/],
      [['--into', 'x'], /either --city or --area/],
      [['--city', 'tokyo23'], /--into <dir> is missing/],
      [['--area', '35,139', '--into', 'x'], /LAT,LON,KM/],
    ] as const) {
      const { code, stderr } = await hidamari(['fetch', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
  });
});
