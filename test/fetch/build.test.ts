import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import type { Fetched } from '../../src/fetch/fetch-inputs.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { hidamari } from '../support/run.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';
import { Replica } from './replica.ts';

const MODEL = 'plateau/versions/citygml3_uro15_53394611.gml';
const CENSUS = ['shp', 'dbf', 'shx', 'prj'].map((kind) => `census/r2ka13101.${kind}`);
const READINGS = 'census/13TOKYO.CSV';
const OFFICES = 'kaigo/offices/jigyosho_230.csv';

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

  /** Runs `hidamari fetch` for one ward. 34 of the 35 services are not on the replica: it ends with 1 and names them. */
  async function fetchWard(): Promise<Fetched> {
    const publishers = ['--publishers', join(folder, 'publishers.json')];
    const { code, stdout, stderr } = await hidamari([
      'fetch',
      '--city',
      '13101',
      '--into',
      inputs,
      ...publishers,
      '--json',
    ]);
    assert.equal(code, 1, stderr);
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
    return JSON.parse(stdout);
  }

  it('fetch, build --inputs, fetch again, build --base', async () => {
    const first = await fetchWard();
    assert.deepEqual([first.fetched, first.unchanged], [4, 0]);
    const { dataset, report, squares } = await buildInputs();
    assert.equal(report.sunlight!.buildings.served, 1);
    assert.deepEqual(squares, { computed: 1, resumed: 0, reused: 0 });
    await checkAnswers(dataset);

    const second = await fetchWard();
    assert.deepEqual([second.fetched, second.unchanged], [0, 4], 'nothing anew');
    const again = await buildInputs('--base', dataset);
    assert.deepEqual(again.squares, { computed: 0, resumed: 0, reused: 1 }, 'taken over');
  });
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
  replica.put('/care.html', '<a href="/care/jigyosho_230.csv">230</a>');
  replica.put('/care/jigyosho_230.csv', real(OFFICES));
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
    const municipalities = dataset.kaigo!.municipalities();
    assert.ok(municipalities.flatMap(({ services }) => services).some(({ facilities }) => facilities > 0));
  } finally {
    await dataset.close();
  }
}
