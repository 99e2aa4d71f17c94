import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parameterReader } from '../../src/api/parameters.ts';
import { routesFor } from '../../src/api/route-table.ts';
import { didYouMean, pathSuggester, quote, shorten } from '../../src/api/suggest.ts';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { editDistance } from '../../src/contract/edit-distance.ts';
import { Violations } from '../../src/contract/violations.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

/** Reads the parameters of an operation: the values, or what is wrong with them. */
function reader(id: string) {
  const read = parameterReader(OPERATIONS.find((operation) => operation.id === id)!.parameters);
  return (path: Record<string, string>, query: string) => {
    const found = read(path, query);
    return found instanceof Violations ? { values: null, violations: found } : { values: found, violations: null };
  };
}

const near = reader('sunlight-near');
const town = reader('sunlight-town-buildings');
const municipality = reader('kaigo-municipality');

const wrong = (query: string) => near({}, query).violations?.listed.map(({ parameter }) => parameter);

test('values are read, defaults filled in', () => {
  assert.deepEqual(near({}, 'lat=35.5&lon=139.75').values, { lat: 35.5, lon: 139.75, r: 100 });
  assert.deepEqual(near({}, 'lon=139.50&lat=035.9&r=1&&').values, { lat: 35.9, lon: 139.5, r: 1 });
  assert.deepEqual(town({ town_code: '131010020' }, '').values, { town_code: '131010020', page: 1 });
  for (const name of ['r', 'radius', 'radius_m'])
    assert.deepEqual(near({}, `lat=35.5&lon=139.75&${name}=50`).values, { lat: 35.5, lon: 139.75, r: 50 });
  assert.deepEqual(near({}, '%6Cat=35%2E5&lon=139.75').values, { lat: 35.5, lon: 139.75, r: 100 });
});

test('every violation is listed, in the order of the table', () => {
  const { violations } = near({}, 'lat=51.5&r=0.5&radius=2&reach=3');
  assert.deepEqual(violations?.listed, [
    {
      parameter: 'lat',
      detail: 'lat must be a plain decimal number from 35.4 to 35.9, such as 35.6812, but is "51.5".',
    },
    {
      parameter: 'lon',
      detail: 'lon is required: a plain decimal number from 139.5 to 140, such as 139.7671.',
    },
    { parameter: 'r', detail: 'r is given 2 times; give it once.' },
    {
      parameter: 'reach',
      detail: '"reach" is not a query parameter of this operation; it takes lat, lon, r, dataset_id.',
    },
  ]);
});

test('a list that is given as several parameters is shown with commas', () => {
  const read = reader('sunlight-buildings');
  const [violation] = read({}, 'ids=a&ids=b').violations?.listed ?? [];
  assert.equal(violation?.detail, 'ids is given 2 times; give it once, with commas: ids=a,b.');
});

test('a number between its steps is refused', () => {
  const ask = (query: string) =>
    municipality({ municipality_code: '131121', service_code: '510' }, query).violations?.listed.map(
      ({ detail }) => detail,
    );
  assert.equal(ask('copayment=20'), undefined);
  for (const between of ['15', '11', '29']) {
    assert.match(ask(`copayment=${between}`)?.join() ?? '', /must be a whole number from 10 to 30 in steps of 10/);
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
for (const text of REFUSED_NUMBERS) {
  test(`lat=${text.slice(0, 40)} is refused`, () => {
    assert.deepEqual(wrong(`lat=${text}&lon=139.75`), ['lat']);
  });
}

test('the bounds themselves are inside', () => {
  for (const query of ['lat=35.4&lon=139.5&r=1', 'lat=35.9&lon=140&r=300', 'lat=35.90&lon=140.0&r=300.0']) {
    assert.equal(near({}, query).violations, null, query);
  }
});

test('the days of a floor are of the century whose sun is known', () => {
  const floor = reader('sunlight-building-floor');
  const said = (date: string) => floor({ building_id: '13101-bldg-1', floor: '1' }, `date=${date}`).violations;
  for (const date of ['2000-01-01', '2024-02-29', '2099-12-31', '2026-06-21,2026-12-22'])
    assert.equal(said(date), null, date);
  for (const date of ['1999-12-31', '2100-01-01', '2026-12-22,1999-12-31'])
    assert.match(said(date)!.listed[0]!.detail, /^date must be at most 12 days from 2000-01-01 to 2099-12-31/, date);
  for (const date of ['2023-02-29', '2026-06-31', '2023-2-01', '2026-12-22,', Array(13).fill('2026-12-22').join()])
    assert.match(said(date)!.listed[0]!.detail, /^date must be a list with commas .* a day of the calendar as/, date);
});

test('codes are held to their patterns', () => {
  const building = reader('sunlight-building');
  const refused = [
    '13101-bldg-',
    '1310-bldg-1',
    '13101-bldg-1\n',
    '１３１０１-bldg-1',
    '13101-BLDG-1',
    '13101-bldg-1/full',
    '',
  ];
  for (const id of refused) assert.equal(building({ building_id: id }, '').violations?.listed.length, 1, id);
  const ward = reader('sunlight-bulk');
  for (const code of ['13100', '13124', '13199', '131010', '1310a']) {
    assert.equal(ward({ ward_code: code }, '').violations?.listed.length, 1, code);
  }
  for (let code = 13101; code <= 13123; code++) assert.equal(ward({ ward_code: String(code) }, '').violations, null);
});

test('a wrong check digit, an unknown service and an unknown order are refused', () => {
  assert.equal(municipality({ municipality_code: '131016', service_code: '510' }, 'sort=cost').violations, null);
  const { violations } = municipality({ municipality_code: '131017', service_code: '999' }, 'sort=Cost');
  assert.deepEqual(
    violations?.listed.map(({ parameter }) => parameter),
    ['municipality_code', 'service_code', 'sort'],
  );
});

test('whatever comes as a query, reading gives values or violations, and never both', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[latonr=&%.0-9+-]*$/));
  fc.assert(
    fc.property(texts, (query) => {
      const { values, violations } = near({}, query);
      assert.ok((values === null) !== (violations === null));
      if (values === null) assert.ok(violations!.listed.length > 0);
      else assert.ok(Object.values(values).every((value) => Number.isFinite(value)));
    }),
  );
});

test('suggestions: two slips of the pen at most, and one for each three letters', () => {
  const names = ['lat', 'lon', 'r', 'page', 'service', 'height_m'];
  for (const [written, meant] of [
    ['LON', 'lon'],
    ['ln', 'lon'],
    ['alt', 'lat'],
    ['pgae', 'page'],
    ['Services', 'service'],
    ['sevices', 'service'],
    ['heightm', 'height_m'],
  ] as const) {
    assert.equal(didYouMean(written, names), meant, written);
  }
  for (const far of ['longitude', 'latitude', 'radius', 'rows', 'x', '', 'lng', 'pages2', 'sorvicas2', 'altitude']) {
    assert.equal(didYouMean(far, names), null, far);
  }
  assert.equal(didYouMean('x'.repeat(100_000), names), null);
  assert.equal(editDistance('lat', 'alt'), 1);
  assert.equal(editDistance('kitten', 'sitting'), 3);
});

test('suggestions of paths: with or without a slash, or slips of the pen outside of the parameters', () => {
  const suggest = pathSuggester(routesFor(true));
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

test('what is repeated to a client is cut after 80 characters, and no character in two', () => {
  assert.equal(shorten('x'.repeat(80)), 'x'.repeat(80));
  assert.equal(shorten('x'.repeat(81)), `${'x'.repeat(80)}…`);
  assert.equal(shorten(`${'x'.repeat(79)}😀😀`), `${'x'.repeat(79)}…`);
  assert.equal(quote('a"b\n'), '"a\\"b\\n"');
});
