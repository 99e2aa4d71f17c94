import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import type { Fetched } from '../../src/fetch/fetch-inputs.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';
import { Replica } from './replica.ts';
import { hidamari } from './support.ts';

const MODEL = 'plateau/versions/citygml3_uro15_53394611.gml';
const CENSUS = ['shp', 'dbf', 'shx', 'prj'].map((kind) => `census/r2ka13101.${kind}`);
const READINGS = 'census/13TOKYO.CSV';
const OFFICES = 'kaigo/offices/jigyosho_230.csv';

/** Blocks as the address registry publishes them: one that is served, one that is there no more, one elsewhere. */
const BLOCK_NAMES = `lg_code,machiaza_id,blk_id,city,ward,oaza_cho,chome,koaza,machiaza_dist,blk_num,rsdt_addr_flg,rsdt_addr_mtd_code,status_flg,efct_date,ablt_date,src_code,remarks
131016,0044002,004,千代田区,,丸の内,二丁目,,,4,1,1,1,1947-04-17,,1,
131016,0044002,005,千代田区,,丸の内,二丁目,,,5,1,1,1,1947-04-17,2020-01-01,1,
131016,0001001,005,千代田区,,飯田橋,一丁目,,,5,1,1,1,1947-04-17,,1,
`;
const BLOCK_POSITIONS = `lg_code,machiaza_id,blk_id,rsdt_addr_flg,rsdt_addr_mtd_code,rep_lon,rep_lat,rep_srid,rep_scale,rep_src_code
131016,0044002,004,1,1,139.764,35.6812,EPSG:6668,2500,1
131016,0001001,005,1,1,139.751,35.6986,EPSG:6668,2500,1
`;

describe('from the publishers to a dataset, by the command line', {
  skip: skipWithout(MODEL, ...CENSUS, READINGS, OFFICES),
}, () => {
  const replica = new Replica();
  const folder = tempFolder({ after });
  const inputs = join(folder, 'inputs');
  const real = (path: string): Buffer => readFileSync(sharedData(path)!);

  before(async () => {
    await replica.listen();
    publish(replica, folder, real);
    writeFileSync(join(folder, 'publishers.json'), JSON.stringify(replica.publishers()));
  });
  after(() => replica.close());

  /** Runs `hidamari fetch` for one ward. 34 of the 35 services are not on the replica: it ends with 5 and names them. */
  async function fetchWard(): Promise<Fetched> {
    const publishers = ['--publishers', join(folder, 'publishers.json')];
    const { code, stdout, stderr } = await hidamari([
      'fetch',
      '--city',
      '13101',
      '--into',
      inputs,
      '--only',
      'citygml,census,readings,offices,addresses,landmarks',
      ...publishers,
      '--json',
    ]);
    assert.equal(code, 5, stderr);
    const fetched: Fetched = JSON.parse(stdout);
    assert.equal(fetched.failed.length, 34, stderr);
    assert.ok(
      fetched.failed.every(({ path }) => path.startsWith('offices/')),
      stderr,
    );
    return fetched;
  }

  async function buildInputs(...more: string[]): Promise<BuildOutcome> {
    const args = [
      'build',
      '--inputs',
      inputs,
      '--out',
      join(folder, 'data'),
      '--as-of',
      '2026-01-01',
      '--json',
      ...more,
    ];
    const { code, stdout, stderr } = await hidamari(args);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /inputs\/details: holds no file; built without/);
    return JSON.parse(stdout);
  }

  /** Every file that was read is named with the address it was fetched from and its own SHA-256; of a zip also that of the zip. */
  function checkProvenance(read: Manifest['inputs']): void {
    const { files } = JSON.parse(readFileSync(join(inputs, 'sources.lock.json'), 'utf8')) as {
      files: Record<string, { url: string; sha256: string; fetched_at: string }>;
    };
    const named = read.filter(({ file }) => file !== 'fees' && file !== 'mapping');
    assert.equal(named.length, 12, JSON.stringify(read, null, 1));
    for (const { file, url, fetched_at, sha256, zip_sha256 } of named) {
      const path = Object.keys(files).find((one) => file === one || file.startsWith(`${one}/`));
      assert.ok(path, file);
      const source = files[path]!;
      assert.deepEqual([url, fetched_at], [source.url, source.fetched_at], file);
      assert.equal(file === path ? sha256 : zip_sha256, source.sha256, file);
    }
  }

  it('fetch, build --inputs, fetch again, build --base', async () => {
    const first = await fetchWard();
    assert.deepEqual([first.fetched, first.unchanged], [9, 0]);
    // A folder into which nothing came, or only a part, keeps nobody from building the rest.
    mkdirSync(join(inputs, 'details'));
    writeFileSync(join(inputs, 'details', 'homes.csv.part'), 'x');
    const { dataset, report, squares } = await buildInputs();
    assert.equal(report.sunlight!.buildings.served, 1);
    assert.deepEqual(squares, { computed: 1, resumed: 0, reused: 0 });
    assert.deepEqual(report.sunlight!.addresses, {
      files: 2,
      files_left_out: [],
      rows: 3,
      abolished: 1,
      without_name: 0,
      without_digits: 0,
      without_position: 0,
      duplicates: 0,
      elsewhere: 1,
      blocks: 1,
    });
    assert.deepEqual([report.sunlight!.landmarks?.stations, report.sunlight!.landmarks?.water], [1, 1]);
    const { halves, inputs: read } = JSON.parse(readFileSync(join(dataset, 'manifest.json'), 'utf8')) as Manifest;
    checkProvenance(read);
    assert.equal(halves.kaigo?.data_through, '2025-12-01', 'as the name of the list at the publisher says');
    await checkAnswers(dataset);

    const second = await fetchWard();
    assert.deepEqual([second.fetched, second.unchanged], [0, 9], 'nothing anew');
    const again = await buildInputs('--base', dataset);
    assert.deepEqual(again.squares, { computed: 0, resumed: 0, reused: 1 }, 'taken over');
  });
});

it('build --inputs leaves out what is of no use alone, and says so', async (test) => {
  const inputs = join(tempFolder(test), 'inputs');
  for (const name of ['citygml', 'census', 'readings', 'offices', 'addresses', 'details']) {
    mkdirSync(join(inputs, name), { recursive: true });
    if (name !== 'citygml') writeFileSync(join(inputs, name, 'x.csv'), 'x');
  }
  writeFileSync(join(inputs, 'citygml', 'x.gml.part'), 'x');
  const { code, stderr } = await hidamari(['build', '--inputs', inputs, '--out', join(inputs, 'out')]);
  assert.equal(code, 1);
  const lines = stderr.replaceAll(`${inputs}/`, '');
  for (const line of [
    'citygml: holds no file; built without',
    'census: left out, since there are no city models',
    'readings: left out, since there are no census areas',
    'addresses: left out, since there are no city models',
  ])
    assert.ok(lines.includes(line), stderr);
  assert.match(lines, /offices/);
  assert.doesNotMatch(lines, /needs --/);
});

/** Puts real files where the publishers have them: one ward's model, census areas and names, one office list. */
function publish(replica: Replica, folder: string, real: (path: string) => Buffer): void {
  const zipped = (paths: readonly string[]): Buffer => {
    const zip = join(folder, 'publish.zip');
    writeZip(
      zip,
      paths.map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1), data: real(path) })),
    );
    return readFileSync(zip);
  };
  const bldg = [{ code: '53394611', maxLod: 1, url: `${replica.origin}/models/53394611.gml` }];
  const city = { cityCode: '13101', year: 2023, registrationYear: 2023, spec: '3.2', url: 'unused', files: { bldg } };
  replica.put('/catalogue/13101?types=bldg', JSON.stringify({ cities: [city] }));
  replica.put('/models/53394611.gml', real(MODEL));
  replica.put('/census?code=13101', zipped(CENSUS));
  replica.put('/postal.zip', zipped([READINGS]));
  const text = (name: string, data: string): Buffer => {
    const zip = join(folder, 'publish.zip');
    writeZip(zip, [{ name, data }]);
    return readFileSync(zip);
  };
  replica.put('/blk13.zip', text('mt_rsdtdsp_blk_pref13.csv', BLOCK_NAMES));
  replica.put('/blk_pos13.zip', text('mt_rsdtdsp_blk_pos_pref13.csv', BLOCK_POSITIONS));
  const landmark = (name: string, properties: object, geometry: object): Buffer =>
    text(name, JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties, geometry }] }));
  const line = {
    type: 'LineString',
    coordinates: [
      [139.7665, 35.6795],
      [139.7672, 35.6825],
    ],
  };
  replica.put('/N02.zip', landmark('N02-24_Station.geojson', { N02_003: '東北線', N02_005: '東京' }, line));
  replica.put(
    '/P13_13.zip',
    landmark('P13-11_13.geojson', { P13_003: '和田倉噴水公園' }, { type: 'Point', coordinates: [139.762, 35.683] }),
  );
  replica.put('/W05-08_13.zip', landmark('W05-08_13-g_Stream.geojson', { W05_004: '日本橋川' }, line));
  replica.put('/care.html', '<a href="/care/jigyosho_230_all_20251201.csv">230</a>');
  replica.put('/care/jigyosho_230_all_20251201.csv', real(OFFICES));
}

/** The dataset has the building, its town with the town's reading, and facilities. */
async function checkAnswers(folder: string): Promise<void> {
  const dataset = await openDataset(folder);
  try {
    const building = dataset.sunlight!.full('13101-bldg-871')!.toJSON();
    assert.match(building.town_code ?? '', /^13101/);
    assert.ok(building.town_name);
    const town = dataset.sunlight!.towns().find(({ town_code }) => town_code === building.town_code);
    assert.match(town?.reading ?? '', /^[ぁ-ゖー\p{Script=Katakana}]+/u);
    const [block, inTown] = dataset.search!.find('東京都千代田区丸の内2-4-1', null, 5).places;
    assert.deepEqual([block?.id, block?.address], ['1310160044002004', '千代田区丸の内二丁目4番']);
    assert.equal(inTown?.name, '丸の内二丁目');
    assert.deepEqual(
      ['まるのうち2-4', 'Marunouchi 2-4', '千代田区丸の内２丁目４番１号'].map(
        (q) => dataset.search!.find(q, 'address', 5).places[0]?.id,
      ),
      Array.from({ length: 3 }, () => block?.id),
    );
    for (const q of ['東京駅', '東京', 'とうきょうえき', 'Tokyo Station']) {
      const [station] = dataset.search!.find(q, 'station', 5).places;
      assert.deepEqual(
        [station?.name, station?.ward_code, station?.page.startsWith('/map/?lat=35.68')],
        ['東京駅', '13101', true],
      );
    }
    assert.deepEqual(
      dataset.search!.blocks('丸の内二丁目', '13101').map(({ number }) => number),
      ['4'],
    );
    assert.deepEqual(dataset.search!.blocks('丸の内二丁目', '13102'), []);
    assert.equal(dataset.search!.find('丸の内2-5', null, 5).places[0]?.kind, 'town', 'a block that is there no more');
    const municipalities = dataset.kaigo!.municipalities();
    assert.ok(municipalities.flatMap(({ services }) => services).some(({ facilities }) => facilities > 0));
  } finally {
    await dataset.close();
  }
}
