import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Violation } from '../../src/contract/problems.ts';
import { startServer } from '../support/api-server.ts';

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});
/** Any queries. The first one takes seconds to make on a busy machine: it is made before there are connections to idle. */
const QUERIES = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[latonr=&%.0-9+-]*$/));
fc.sample(QUERIES, 10);

const { url, service } = await startServer({ after: (end: () => unknown) => ends.push(end) } as never);

/** What an API call answers: its data, or the wrong parameters. */
async function ask(path: string, query = '') {
  const response = await fetch(`${url}/api/v1/${path}?${query}`);
  const { data = null, errors = [] } = (await response.json()) as { data?: object | null; errors?: Violation[] };
  return { status: response.status, data: data as Record<string, unknown> | null, errors };
}

const near = (query: string) => ask('sunlight/near', query);
const municipality = (code: string, service: string, query = '') => ask(`kaigo/municipality/${code}/${service}`, query);

/** The parameters that are wrong in a call. */
const wrong = async (path: string, query = '') => (await ask(path, query)).errors.map(({ parameter }) => parameter);
/** What is said of them. */
const said = async (path: string, query = '') => (await ask(path, query)).errors.map(({ detail }) => detail).join(' ');

test('values are read, defaults filled in', async () => {
  const values = async (query: string) => {
    const { lat, lon, radius_m } = (await near(query)).data ?? {};
    return [lat, lon, radius_m];
  };
  assert.deepEqual(await values('lat=35.5&lon=139.75'), [35.5, 139.75, 100]);
  assert.deepEqual(await values('lon=139.50&lat=035.9&r=1&&'), [35.9, 139.5, 1]);
  for (const name of ['r', 'radius', 'radius_m'])
    assert.deepEqual(await values(`lat=35.5&lon=139.75&${name}=50`), [35.5, 139.75, 50]);
  assert.deepEqual(await values('%6Cat=35%2E5&lon=139.75'), [35.5, 139.75, 100]);
  assert.equal((await ask('sunlight/town/13101001001/buildings')).data?.page, 1);
});

test('every violation is listed, in the order of the table', async () => {
  const { status, errors } = await near('lat=51.5&r=0.5&radius=2&reach=3');
  assert.equal(status, 400);
  assert.deepEqual(errors, [
    {
      parameter: 'lat',
      detail: 'lat must be a plain decimal number from 35.4 to 35.9, such as 35.6811912, but is "51.5".',
    },
    {
      parameter: 'lon',
      detail: 'lon is required: a plain decimal number from 139.5 to 140, such as 139.7671063.',
    },
    { parameter: 'r', detail: 'r is given 2 times; give it once.' },
    {
      parameter: 'reach',
      detail: '"reach" is not a query parameter of this operation; it takes lat, lon, r, dataset_id.',
    },
  ]);
});

test('a list that is given as several parameters is shown with commas', async () => {
  const detail = await said('sunlight/buildings', 'ids=a&ids=b');
  assert.equal(detail, 'ids is given 2 times; give it once, with commas: ids=a,b.');
});

test('a number between its steps is refused', async () => {
  assert.equal((await municipality('131016', '510', 'copayment=20')).status, 200);
  for (const between of ['15', '11', '29']) {
    const detail = await said('kaigo/municipality/131016/510', `copayment=${between}`);
    assert.match(detail, /must be a whole number from 10 to 30 in steps of 10/);
  }
});

const REFUSED_NUMBERS = [
  ...['', ' ', '35.5 ', '+35.5', '%2B35.5', '35.', '.5', '35,5', '3５.5', '３５.５', '0x23', '0b1', '1e3', '3.55e1'],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'true',
    '35.5%00',
    '35.5%0a',
    '35_5',
    '35.5.5',
    '--35',
    '１e3',
    '35.39999',
  ],
  ...['35.90001', '-35.5', `35.5${'0'.repeat(400)}x`, '9'.repeat(400), '%', '%zz', '%ff', '35.5%', '٣٥'],
];
test('no other notation of a number is read', async () => {
  for (const text of REFUSED_NUMBERS) {
    assert.deepEqual(await wrong('sunlight/near', `lat=${text}&lon=139.75`), ['lat'], text.slice(0, 40));
  }
});

test('the bounds themselves are inside', async () => {
  for (const query of ['lat=35.4&lon=139.5&r=1', 'lat=35.9&lon=140&r=300', 'lat=35.90&lon=140.0&r=300.0']) {
    assert.equal((await near(query)).status, 200, query);
  }
});

test('the days of a floor are of the century whose sun is known', async () => {
  const floor = (date: string) => said('sunlight/building/13101-bldg-1/floor/1', `date=${date}`);
  for (const date of ['2000-01-01', '2024-02-29', '2099-12-31', '2026-06-21,2026-12-22'])
    assert.equal(await floor(date), '', date);
  for (const date of ['1999-12-31', '2100-01-01', '2026-12-22,1999-12-31'])
    assert.match(await floor(date), /^date must be at most 12 days from 2000-01-01 to 2099-12-31/, date);
  for (const date of ['2023-02-29', '2026-06-31', '2023-2-01', '2026-12-22,', Array(13).fill('2026-12-22').join()])
    assert.match(await floor(date), /^date must be a list with commas .* a day of the calendar as/, date);
});

test('codes are held to their patterns', async () => {
  for (const id of [
    '13101-bldg-',
    '1310-bldg-1',
    '13101-bldg-1\n',
    '１３１０１-bldg-1',
    '13101-BLDG-1',
    '13101-bldg-1/full',
    '',
  ]) {
    assert.deepEqual(await wrong(`sunlight/building/${encodeURIComponent(id)}`), ['building_id'], id);
  }
  for (const code of ['13100', '13124', '13199', '131010', '1310a']) {
    assert.deepEqual(await wrong(`sunlight/bulk/${code}`), ['ward_code'], code);
  }
  for (let code = 13101; code <= 13123; code++) assert.notEqual((await ask(`sunlight/bulk/${code}`)).status, 400);
});

test('a wrong check digit, an unknown service and an unknown order are refused', async () => {
  assert.equal((await municipality('131016', '510', 'sort=cost')).status, 200);
  const { errors } = await municipality('131017', '999', 'sort=Cost');
  assert.deepEqual(
    errors.map(({ parameter }) => parameter),
    ['municipality_code', 'service_code', 'sort'],
  );
});

test('whatever comes as a query is answered, or said to be wrong', async () => {
  await fc.assert(
    fc.asyncProperty(QUERIES, async (query) => {
      const { status, data, errors } = await near(query);
      assert.equal(status, errors.length > 0 ? 400 : 200);
      if (data !== null) assert.ok([data.lat, data.lon, data.radius_m].every(Number.isFinite));
    }),
    { numRuns: 200 },
  );
});

test('suggestions: two slips of the pen at most, and one for each three letters', async () => {
  const NEAR = 'sunlight/near';
  for (const [path, written, meant] of [
    [NEAR, 'LON', 'lon'],
    [NEAR, 'ln', 'lon'],
    [NEAR, 'alt', 'lat'],
    ['sunlight/town/13101001001/buildings', 'pgae', 'page'],
    ['kaigo/near', 'Services', 'service'],
    ['kaigo/near', 'sevices', 'service'],
    ['sunlight/point', 'heightm', 'height_m'],
  ] as const) {
    assert.ok((await said(path, `${written}=1`)).endsWith(`; did you mean ${meant}?`), written);
  }
  for (const far of ['longitude', 'latitude', 'rows', 'x', '', 'lng', 'pages2', 'altitude', 'x'.repeat(9000)]) {
    assert.match(await said(NEAR, `${far}=1`), /; it takes lat, lon, r, dataset_id\.$/, far);
  }
  assert.match(await said('kaigo/near', 'sorvicas2=1'), /; it takes lat, lon, r, service, /);
});

test('suggestions of paths: with or without a slash, or slips of the pen outside of the parameters', () => {
  const suggest = service.suggestPath;
  for (const [written, meant] of [
    ['/api/v1/sunlight/near/', '/api/v1/sunlight/near'],
    ['/api/v1/sunligth/naer', '/api/v1/sunlight/near'],
    ['/API/v1/Sunlight/near', '/api/v1/sunlight/near'],
    ['/api/v1/sunlight/bulding/13101-bldg-904', '/api/v1/sunlight/building/13101-bldg-904'],
    ['/api/v1/sunlight/building/13101-bldg-904/ful', '/api/v1/sunlight/building/13101-bldg-904/full'],
    ['/api/v1/kaigo/municipalty/131016/510', '/api/v1/kaigo/municipality/131016/510'],
    ['/api/v2/kaigo/near', '/api/v1/kaigo/near'],
    ['/api/v1/sunlight/building/', '/api/v1/sunlight/buildings'],
    ['/pricing', '/pricing/'],
    ['/status', '/status/'],
    ['/problems/not-found', '/problems/not-found/'],
    ['/openapi.jsn', '/openapi.json'],
    ['/schema/problem.json', '/schemas/problem.json'],
  ] as const) {
    assert.equal(suggest(written), meant, written);
  }
  for (const far of [
    '/',
    '/x',
    '/sun',
    '/api',
    '/api/v1',
    '/api/v1/sunlight',
    '/api/v1/sunlight/nearest',
    '/api/v3/sunlihgt/naer',
    `/api/v1/sunlight/building/${'1'.repeat(100)}/`,
    '/../../etc/passwd',
    '/schema/problem',
    '/schema/.json',
  ]) {
    assert.equal(suggest(far), null, far);
  }
});

test('what is repeated to a client is cut after 80 characters, and no character in two', async () => {
  const shown = async (name: string) =>
    (await wrong('sunlight/near', `lat=35.5&lon=139.75&${encodeURIComponent(name)}=1`))[0];
  assert.equal(await shown('x'.repeat(80)), 'x'.repeat(80));
  assert.equal(await shown('x'.repeat(81)), `${'x'.repeat(80)}…`);
  assert.equal(await shown(`${'x'.repeat(79)}😀😀`), `${'x'.repeat(79)}…`);
  assert.match(
    await said('sunlight/near', `lat=35.5&lon=139.75&${encodeURIComponent('a"b\n')}=1`),
    /^"a\\"b\\n" is not/,
  );
});
