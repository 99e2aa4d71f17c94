import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { readPublishers } from '../../src/fetch/publishers.ts';
import { listDay, readSources } from '../../src/fetch/sources-lock.ts';
import { newestLists } from '../../src/fetch/tables.ts';
import { gridSquaresAround } from '../../src/geo/grid-square.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tilePng } from '../terrain/files.ts';
import { breakOff, Replica } from './replica.ts';
import { fetchAll, first, hidamari, inputs, lockOf, MODEL, publish as publishOn } from './support.ts';

const replica = new Replica();
before(() => replica.listen());
after(() => replica.close());

const publish = (test: TestContext, idleMs?: number) => publishOn(replica, test, idleMs);

describe('fetch, publishers that behave', () => {
  it('brings the newest edition of each city, areas, names and lists, and keeps where they came from', async (test) => {
    const { options } = publish(test);
    const kinds = new Set(['citygml', 'census', 'readings', 'offices'] as const);
    const outcome = await fetchAll({ ...options, cities: ['13101', '13102'], kinds });
    assert.deepEqual(readdirSync(join(options.into, 'citygml/13101')).sort(), [
      '53394600_bldg.gml',
      '53394601_bldg.gml',
    ]);
    assert.equal(inputs(options), MODEL('53394600'));
    assert.equal(inputs(options, 'offices/jigyosho_510.csv'), 'new,list\n');
    assert.equal(inputs(options, 'offices/jigyosho_520.csv'), 'list,of 520\n');
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

  it('brings the mesh normals of the first-order squares of the models, on request', async (test) => {
    const { options } = publish(test);
    replica.put('/G02-22_5339.zip', replica.files.get('/postal.zip')!.body);
    const outcome = await fetchAll({ ...options, kinds: new Set(['citygml', 'normals'] as const) });
    assert.deepEqual([outcome.fetched, outcome.failed], [3, []]);
    const source = lockOf(options)['normals/G02-22_5339.zip'];
    assert.deepEqual([source?.credit, source?.edition], ['credit of normals', '2022']);
  });

  it('asks a second time only whether something changed, and fetches what did', async (test) => {
    const { options } = publish(test);
    const run = { ...options, kinds: new Set(['citygml', 'offices'] as const) };
    await fetchAll(run);
    replica.put('/models/53394601.gml', MODEL('changed'));
    replica.put('/care/jigyosho_520.csv', 'overwritten,in place\n');
    const outcome = await fetchAll(run);
    assert.deepEqual([outcome.fetched, outcome.unchanged], [2, 3]);
    assert.equal(inputs(options, 'citygml/13101/53394601_bldg.gml'), MODEL('changed'));
    const earlier = readdirSync(join(options.into, 'earlier/offices'));
    assert.equal(earlier.length, 1);
    assert.match(earlier[0] ?? '', /^jigyosho_520\.\d{4}-\d\d-\d\d\.[0-9a-f]{16}\.csv$/);
    assert.equal(inputs(options, `earlier/offices/${earlier[0]}`), 'list,of 520\n');
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
    const squares = gridSquaresAround(area);
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
    assert.deepEqual(outcome.remarks, ['13199: the catalogue has no city model of it; what was fetched before stays']);
  });
});

describe('fetch, elevation tiles', () => {
  const whole = tilePng(new Array(256 * 256).fill(12.5));
  const gaps = tilePng(Array.from({ length: 256 * 256 }, (_, i) => (i % 2 === 0 ? 3 : null)));
  const asked = (model: string) =>
    replica.requests.filter(({ path }) => path.startsWith(`/${model}/`)).map(({ path }) => path);

  it('brings the finest model that knows a place, the whole ones below and around it, and asks once for what is not there', async (test) => {
    const { options } = publish(test);
    const run = {
      ...options,
      cities: [],
      area: { lat: 35.681, lon: 139.767, km: 0.1 },
      kinds: new Set(['terrain'] as const),
    };
    // Around Tokyo Station: at zoom 15 column 29105, row 12903 and around.
    replica.put('/5a/15/29105/12903.png', whole);
    replica.put('/5a/15/29105/12904.png', gaps);
    replica.put('/5b/15/29105/12904.png', gaps);
    replica.put('/5c/15/29105/12905.png', whole);
    replica.put('/10b/14/14552/6451.png', whole, { faults: [breakOff(100)] });
    replica.put('/10b/10/909/403.png', whole);
    const outcome = await fetchAll(run);
    assert.deepEqual([outcome.fetched, outcome.unchanged, outcome.failed], [6, 0, []]);
    assert.ok(
      asked('5a').includes('/5a/15/29103/12900.png') && asked('5a').length < 120,
      `${asked('5a').length} tiles`,
    );
    assert.ok(asked('10b').filter((path) => path.startsWith('/10b/10/')).length < 100);
    assert.ok(!asked('5b').includes('/5b/15/29105/12903.png'), 'nothing is asked for below a whole tile');
    assert.ok(asked('5c').includes('/5c/15/29105/12904.png'), 'a tile with gaps is not the last');
    assert.equal(outcome.absent, new Set(asked('5a')).size - 3 + asked('10b').length - 3);
    assert.equal(lockOf(run)['terrain/dem5a/15/29105/12903.png']?.credit, 'credit of elevation');
    assert.deepEqual(readFileSync(join(run.into, 'terrain/dem5c/15/29105/12905.png')), whole);

    replica.requests.length = 0;
    const again = await fetchAll(run);
    assert.deepEqual([again.fetched, again.unchanged, replica.requests.length], [0, 6, 0]);

    writeFileSync(join(run.into, 'terrain/dem10b/10/909/403.png'), 'damaged');
    const mended = await fetchAll(run);
    assert.deepEqual([mended.fetched, mended.unchanged, replica.requests.length], [1, 5, 1]);
  });

  it('takes the places of the city models, and names what is no tile', async (test) => {
    const { options } = publish(test);
    replica.put('/5a/15/29104/12903.png', '<html>busy</html>');
    replica.put('/10b/14/14552/6451.png', tilePng(new Array(64 * 64).fill(1), { side: 64 }));
    const outcome = await fetchAll({ ...options, kinds: new Set(['citygml', 'terrain'] as const) });
    assert.deepEqual(
      outcome.failed.map(({ path }) => path),
      ['terrain/dem5a/15/29104/12903.png'],
    );
    assert.match(outcome.failed[0]?.reason ?? '', /answers with a web page instead of the file/);
    assert.ok(asked('5a').length > 50 && asked('5a').length < 150, `${asked('5a').length} tiles`);
  });
});

describe('fetch, publishers that withdraw', () => {
  it('what the newest edition of a city has no more moves below earlier/, but not while a file of it is missing', async (test) => {
    const { options } = publish(test);
    await fetchAll(options);
    const gone = 'citygml/13101/53394601_bldg.gml';
    const path = '/catalogue/13101?types=bldg';
    const { cities } = JSON.parse(String(replica.files.get(path)?.body));
    const newer = {
      ...cities[1],
      year: 2025,
      files: { bldg: [cities[1].files.bldg[0], { code: '53394602', url: `${replica.origin}/models/53394602.gml` }] },
    };
    replica.put(path, JSON.stringify({ cities: [...cities, newer] }));
    const cut = await fetchAll(options);
    assert.deepEqual([cut.failed.length, cut.withdrawn], [1, []]);
    assert.equal(inputs(options, gone), MODEL('53394601'));
    replica.put('/models/53394602.gml', MODEL('53394602'));
    const whole = await fetchAll(options);
    assert.deepEqual(whole.withdrawn, [gone]);
    assert.deepEqual(whole.remarks, [`${gone}: the publisher has it no more; moved below earlier/`]);
    const [earlier = ''] = readdirSync(join(options.into, 'earlier/citygml/13101'));
    assert.match(earlier, /^53394601_bldg\.\d{4}-\d\d-\d\d\.[0-9a-f]{16}\.gml$/);
    assert.equal(inputs(options, `earlier/citygml/13101/${earlier}`), MODEL('53394601'));
    assert.ok(!existsSync(join(options.into, gone)) && !(gone in lockOf(options)));
    assert.equal(lockOf(options)['citygml/13101/53394602_bldg.gml']?.edition, '2025, specification 3.2');
    assert.deepEqual((await fetchAll(options)).withdrawn, []);
  });

  it('an edition without building files does not take the place of the models of an earlier one', async (test) => {
    const { options } = publish(test);
    const path = '/catalogue/13101?types=bldg';
    const { cities } = JSON.parse(String(replica.files.get(path)?.body));
    const [, models] = cities;
    const older = { ...models, year: 2021, files: {} };
    const newer = { ...models, year: 2025, spec: '第5.1版', files: {} };
    const malformed = { ...models, year: 2024, files: { bldg: [{ code: '53394600', url: 'none' }, null] } };
    replica.put(path, JSON.stringify({ cities: [older, newer, ...cities, malformed] }));
    for (const status of ['fetched', 'unchanged'] as const) {
      const outcome = await fetchAll(options);
      assert.deepEqual([outcome[status], outcome.failed, outcome.withdrawn], [2, [], []]);
      const reason = 'left out, since it lists no building file in the known form';
      assert.deepEqual(outcome.remarks, [
        `13101: edition 2025, specification 5.1 ${reason}`,
        `13101: edition 2024, specification 3.2 ${reason}`,
      ]);
    }
    assert.equal(lockOf(options)[first]?.edition, '2023, specification 3.2');
  });

  // Before, the file of the malformed entry was moved below earlier/, though nothing took its place.
  it('a city of which some entries are malformed keeps what was fetched', async (test) => {
    const { options } = publish(test);
    await fetchAll(options);
    const path = '/catalogue/13101?types=bldg';
    const { cities } = JSON.parse(String(replica.files.get(path)?.body));
    const [file, other] = cities[1].files.bldg;
    const newer = { ...cities[1], year: 2025, files: { bldg: [file, { ...other, url: 'none' }] } };
    replica.put(path, JSON.stringify({ cities: [newer] }));
    const { unchanged, failed, withdrawn, remarks } = await fetchAll(options);
    assert.deepEqual([unchanged, failed, withdrawn], [1, [], []]);
    assert.deepEqual(remarks, ['13101 53394601: left out, since its codes or its address are not of the known form']);
    assert.equal(inputs(options, 'citygml/13101/53394601_bldg.gml'), MODEL('53394601'));
  });

  it('a city whose editions list no building files keeps what was fetched', async (test) => {
    const { options } = publish(test);
    const both = { ...options, cities: ['13101', '13102'] };
    await fetchAll(both);
    const path = '/catalogue/13101,13102?types=bldg';
    const { cities } = JSON.parse(String(replica.files.get(path)?.body));
    replica.put(path, JSON.stringify({ cities: [{ ...cities[0], files: {} }, cities[2]] }));
    const { unchanged, withdrawn, remarks } = await fetchAll(both);
    assert.deepEqual([unchanged, withdrawn], [1, []]);
    assert.deepEqual(remarks, [
      '13101: edition 2020, specification 2.3 left out, since it lists no building file in the known form',
      '13101: the catalogue has no city model of it; what was fetched before stays',
    ]);
    assert.equal(inputs(options), MODEL('53394600'));
  });

  it('takes prefectures and the whole country by the list of the catalogue', async (test) => {
    const { options } = publish(test);
    const row = (city_code: string) => ({ city_code, pref: '', city: '', year: 2023, spec: '3.2' });
    replica.put('/datasets', JSON.stringify({ citygml: [row('13102'), row('13101'), row('13101'), row('27128')] }));
    await fetchAll({ ...options, cities: ['13'] });
    assert.deepEqual(readdirSync(join(options.into, 'citygml')).sort(), ['13101', '13102']);
    replica.put(
      '/catalogue/13101,13102,27128?types=bldg',
      replica.files.get('/catalogue/13101,13102?types=bldg')!.body,
    );
    const all = await fetchAll({ ...options, cities: ['all'] });
    assert.deepEqual(all.remarks, ['27128: the catalogue has no city model of it; what was fetched before stays']);
    // Before, the files of a city that the list has no more stayed without a word. A strange code went into addresses.
    replica.put('/datasets', JSON.stringify({ citygml: [row('13101'), row('x/..')] }));
    assert.deepEqual((await fetchAll({ ...options, cities: ['13101'] })).withdrawn, []);
    const fewer = await fetchAll({ ...options, cities: ['13'] });
    assert.deepEqual(fewer.withdrawn, ['citygml/13102/53394610_bldg.gml']);
    await assert.rejects(
      fetchAll({ ...options, cities: ['47'] }),
      /^FetchError: 47: the catalogue lists no city model of it/,
    );
  });

  it('keeps the day of a list: that of its name, else the one on which it was put there', async (test) => {
    const { options } = publish(test);
    replica.put('/care/jigyosho_520.csv', 'list,of 520\n', { lastModified: 'Thu, 02 Jul 2026 20:00:00 GMT' });
    await fetchAll({ ...options, kinds: new Set(['offices']) });
    const sources = await readSources(options.into);
    const dayOf = (service: string) => listDay(sources.get(`offices/jigyosho_${service}.csv`)!);
    assert.deepEqual(['510', '520', '110'].map(dayOf), ['2026-07-01', '2026-07-03', null]);
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

  it('reads a page in time that grows with its length, however it is made', () => {
    const link = '<a href="/c/jigyosho_110.csv">';
    const long = `<a href="/c/${'-'.repeat(1e6)}">`;
    const found = newestLists(`${link}${long}${'<!--'.repeat(1e6)}`, 'https://example.org/page.html');
    assert.deepEqual([...found.keys()], ['110']);
  });

  it('takes dates as publishers write them, and passes over what is no list', () => {
    const newest = (...links: string[]) =>
      newestLists(links.join('\n'), 'https://example.org/stf/page.html').get('110')?.split('/').at(-1);
    const link = (name: string) => `<a href="/c/${name}">`;
    for (const [older, newer] of [
      ['jigyosho_110.csv', 'jigyosho_110_20251231.csv'],
      ['jigyosho_110_20251231.csv', 'jigyosho_110_2026-06-30.csv'],
      ['jigyosho_110_20260331.csv', 'jigyosho_110_202606.csv'],
      ['jigyosho_110_r0712.csv', 'jigyosho_110_R8.06.csv'],
      ['jigyosho_110_20251231.csv', 'jigyosho_110_r080630.csv'],
      // Before, these were read as without a date, and 2026-9-30 as later than 2026-10-31.
      ['jigyosho_110_20251231.csv', 'jigyosho_110_R8.6.30.csv'],
      ['jigyosho_110_20251231.csv', 'jigyosho_110_%E4%BB%A4%E5%92%8C8%E5%B9%B46%E6%9C%8830%E6%97%A5.csv'],
      ['jigyosho_110_R8.5.31.csv', 'jigyosho_110_2026%E5%B9%B46%E6%9C%88.csv'],
      ['jigyosho_110_2026-9-30.csv', 'jigyosho_110_2026-10-31.csv'],
      ['jigyosho_110_20251231.csv', 'jigyosho_110_%EF%BC%92%EF%BC%90%EF%BC%92%EF%BC%960630.csv'],
      ['20251231_jigyosho_110.csv', '20260630_jigyosho_110.csv'],
      // 110 is in the date of 1 November 2025, too.
      ['20251031_jigyosho_110.csv', '20251101_jigyosho_110.csv'],
      ['jigyosho_110_all_20260630115959.csv', 'jigyosho_110_all_20260630120000.csv'],
      ['jigyosho_110_20251231.csv', 'jigyosho_110_20260630.csv?v=1&amp;w=2'],
      ['jigyosho_1101_20270101.csv', 'jigyosho_110.csv'],
      ['not-jigyosho_110_20270101.pdf', 'jigyosho_110.csv'],
    ] as const) {
      for (const both of [link(older) + link(newer), link(newer) + link(older)])
        assert.equal(newest(both), newer.replace('&amp;', '&'), both);
    }
    assert.equal(
      newest(`<!-- ${link('jigyosho_110_20270101.csv')} -->`, '<a class=x href=/c/jigyosho_110.csv>'),
      'jigyosho_110.csv',
    );
    assert.equal(newest('<a data-x="jigyosho_110.csv">jigyosho_110.csv</a>'), undefined);
  });

  it('takes the day of a list from the date before its name, with the digits of the service in it', async (test) => {
    const { options } = publish(test);
    replica.put('/care.html', '<a href="/care/20251101_jigyosho_110.csv">110</a>');
    replica.put('/care/20251101_jigyosho_110.csv', 'new,list\n');
    await fetchAll({ ...options, kinds: new Set(['offices'] as const) });
    assert.equal(lockOf(options)['offices/jigyosho_110.csv']?.edition, '2025-11-01');
  });

  it('says which lists the page does not name', async (test) => {
    const { options } = publish(test);
    const { remarks } = await fetchAll({ ...options, kinds: new Set(['offices'] as const) });
    assert.equal(remarks.length, 1);
    assert.match(remarks[0] ?? '', /care\.html: names no list of 110, 120, .*; asked for under names without a date/);
    assert.doesNotMatch(remarks[0] ?? '', /510/);
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
    assert.equal(failed.code, 5, 'some are there');
    assert.match(failed.stderr, /1 of 3 files could not be fetched[\s\S]*postal\.zip: status 404/);
    const nothing = await hidamari(args.with(-1, 'readings'));
    assert.equal(nothing.code, 1, 'none is there');
    assert.match(nothing.stderr, /none of 1 files could be fetched/);
  });

  it('goes through the proxy of the environment, and says which contact cannot be sent', async (test) => {
    const { folder } = publish(test);
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.on('error', () => {}); // The command is ended while it reads.
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    test.after(() => proxy.close());
    const table = join(folder, 'publishers.json');
    writeFileSync(table, JSON.stringify(replica.publishers()));
    const list = ['fetch', '--list', '--publishers', table];
    replica.put('/datasets', JSON.stringify({ citygml: [] }));
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}` };
    const excepted = await hidamari(list, { ...env, NO_PROXY: '127.0.0.1' });
    assert.deepEqual([excepted.code, asked], [0, []], excepted.stderr);
    writeFileSync(table, '{"plateau": {"urls": {"list": "https://cities.example/list"}, "hosts": ["cities.example"]}}');
    // The first of five tries is waited for.
    await hidamari(list, { HTTPS_PROXY: env.HTTP_PROXY }, () => once(proxy, 'connect'));
    assert.deepEqual(asked, ['cities.example:443']);
    const { code, stderr } = await hidamari(list, { HIDAMARI_CONTACT: '市役所' });
    assert.deepEqual([code, /HIDAMARI_CONTACT: give an address in ASCII/.test(stderr)], [1, true], stderr);
  });

  it('wrong usage is said in one line with exit code 2', async () => {
    for (const [args, reason] of [
      [['--city', '1310', '--into', 'x'], /"1310" is no city \(5 digits, such as 13101\), no prefecture/],
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
