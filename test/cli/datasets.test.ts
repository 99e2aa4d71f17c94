import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { ChangeCounter, type Excess, exceeded, parseLimits } from '../../src/export/change-gate.ts';
import type { Change } from '../../src/export/changes.ts';
import { FileLock } from '../../src/formats/file-lock.ts';
import type { ChangeSummary } from '../../src/snapshot/change-note.ts';
import { listDatasets } from '../../src/snapshot/listing.ts';
import type { Verdict } from '../../src/snapshot/prune.ts';
import { fetchNewest } from '../../src/store/dataset-store.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { built } from '../pipeline/run-build.ts';
import { hidamari } from '../support/run.ts';
import { serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const OFFICES = new URL('../golden/kaigo/', import.meta.url).pathname;

describe('datasets of a data folder', () => {
  const cleanups: (() => void)[] = [];
  let data: string;
  /** Three datasets, the oldest first. */
  let folders: string[];

  after(() => {
    for (const cleanup of cleanups) cleanup();
  });
  before(async () => {
    const folder = tempFolder({ after: (cleanup) => void cleanups.push(cleanup as () => void) });
    data = join(folder, 'data');
    const houses = rowsOfHouses(6);
    const [first, ...others] = houses;
    const versions = [
      houses,
      [{ ...first!, height: 40 }, ...others],
      [{ ...first!, height: 40 }, ...others.slice(1), { ...first!, id: '13101-bldg-90', east: 300 }],
    ];
    folders = [];
    for (const [i, version] of versions.entries()) {
      await writeFiles(join(folder, `city${i}`), { 'houses.gml': cityGml(version) });
      const offices = join(OFFICES, i === 0 ? 'values' : 'two-lists-of-one-service', 'offices');
      const generatedAt = `2027-0${i + 1}-01T00:00:00Z`;
      await built({ out: data, citygml: [join(folder, `city${i}`)], offices: [offices], generatedAt });
      const { datasets } = await listDatasets(data);
      folders.push(datasets[0]!.folder);
    }
  });

  const changesOf = async (old: number, now: number): Promise<Change[]> => {
    const { code, stdout, stderr } = await hidamari(['diff', folders[old]!, folders[now]!, '--json']);
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { changes: Change[] }).changes;
  };

  it('diff: nothing, where a dataset is compared with itself', async () => {
    assert.deepEqual(await changesOf(1, 1), []);
    assert.match((await hidamari(['diff', folders[1]!, folders[1]!])).stdout, /Nothing differs/);
  });

  it('diff: a building that has grown, its values and what it takes from its neighbour', async () => {
    const changes = await changesOf(0, 1);
    const of = (id: string) => changes.filter((change) => change.id === id);
    const grown = of('13101-bldg-1').find(({ member }) => member === 'height_m')!;
    assert.deepEqual(grown, { ...grown, change: 'changed', old: 5, new: 40 });
    assert.ok(of('13101-bldg-2').some(({ member }) => /^faces\.\w+\.\w+\.\d+\.direct_sun_hours$/.test(member!)));
    assert.ok(!of('13101-bldg-2').some(({ member }) => member === 'height_m' || member === 'footprint'));
    const renamed = of('1370100018').find(({ member }) => member === 'name')!;
    assert.deepEqual([renamed.kind, renamed.old, renamed.new], ['facility', '陽だまりの丘', '今の名前']);
    assert.deepEqual(
      of('1370100025').map(({ change }) => change),
      ['removed'],
    );
    assert.ok((await changesOf(1, 0)).some(({ id, change }) => id === '1370100025' && change === 'added'));
  });

  it('diff: what came and went, as a list and as Parquet', async (t) => {
    const out = join(tempFolder(t), 'changes.parquet');
    const { code, stdout, stderr } = await hidamari(['diff', folders[1]!, folders[2]!, '--out', out]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^building 13101-bldg-2 removed$/m);
    assert.match(stdout, /^building 13101-bldg-90 added$/m);
    assert.match(stdout, /^building added +1$/m);
    const connection = await (await DuckDBInstance.create()).connect();
    const rows = await connection.runAndReadAll(`SELECT id FROM '${out}' WHERE change <> 'changed' ORDER BY id`);
    assert.deepEqual(rows.getRowsJson(), [['13101-bldg-2'], ['13101-bldg-90']]);
  });

  it('diff: a summary with counts; more than a limit is exit code 4, but for what is excepted', async () => {
    const diff = (...more: string[]) => hidamari(['diff', folders[0]!, folders[1]!, ...more]);
    const { code, stdout, stderr } = await diff('--json', '--fail-above', 'removed=0,became_unknown=50%');
    assert.equal(code, 4, stderr);
    const { summary, exceeded, ...about } = JSON.parse(stdout) as { summary: ChangeSummary; exceeded: Excess[] };
    const [oldId, newId] = folders.map((folder) => basename(folder));
    assert.partialDeepStrictEqual(about, { old: { dataset_id: oldId }, new: { dataset_id: newId } });
    const { by_ward, ...buildings } = summary.buildings;
    assert.deepEqual([buildings.old, buildings.new, buildings.added, buildings.removed], [6, 6, 0, 0]);
    assert.ok(buildings.changed >= buildings.changed_hours && buildings.changed_hours >= 1);
    assert.deepEqual(by_ward, { 13101: buildings });
    const { by_service, ...facilities } = summary.facilities;
    assert.ok(facilities.removed > 0);
    assert.deepEqual(exceeded[0], {
      group: 'all facilities',
      measure: 'removed',
      count: facilities.removed,
      of: facilities.old,
      limit: '0',
    });
    assert.match(stderr, /over the limit: service \d{3}: removed \d+ of \d+ \(\d+\.\d %\), the limit is 0/);
    const services = Object.keys(by_service).join(',');
    assert.equal((await diff('--fail-above', 'removed=0', '--except', services)).code, 0);
    assert.equal((await diff('--fail-above', 'changed=99%')).code, 0);
    const wrong = await diff('--fail-above', 'lost=1%');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /"lost=1%": expected NAME=NUMBER or NAME=PERCENT%; names are added, removed/);
  });

  it('a list that is cut short exceeds its limit; new wards, first builds and single things do not', () => {
    const CHANGED = [{ member: 'capacity', old: 1, new: 2 }] as never;
    const facility = (id: number, ...services: string[]) =>
      ({ id: String(id), answer: () => ({ services: services.map((service_code) => ({ service_code })) }) }) as never;
    const counted = (pairs: [old: string[] | null, now: string[] | null][]): Excess[] => {
      const counter = new ChangeCounter();
      for (const [i, [old, now]] of pairs.entries())
        counter.facility({ old: old && facility(i, ...old), new: now && facility(i, ...now), changes: CHANGED });
      return exceeded(counter, parseLimits('removed=1%'));
    };
    const many = (count: number, old: string[] | null, now: string[] | null) => Array(count).fill([old, now]);
    assert.deepEqual(
      counted([...many(100, ['510'], ['510']), ...many(7637, ['510'], null), ...many(9000, ['210', '510'], ['210'])]),
      [
        { group: 'all facilities', measure: 'removed', count: 7637, of: 16_737, limit: '1%' },
        { group: 'service 510', measure: 'removed', count: 16_637, of: 16_737, limit: '1%' },
      ],
    );
    assert.deepEqual(counted(many(500, null, ['510'])), [], 'first build');
    assert.deepEqual(counted([...many(40, ['510'], ['510']), ...many(9, ['510'], null)]), [], 'single ones');
    assert.equal(counted([...many(900, ['510'], ['510']), ...many(3, ['320'], null)]).length, 1, 'all of a service');
  });

  /** A copy of the data folder, whose datasets have been there for a day. */
  function copied(t: TestContext): string {
    const copy = join(tempFolder(t), 'data');
    cpSync(data, copy, { recursive: true });
    for (const name of ids(copy)) {
      const yesterday = Date.now() / 1000 - 86_400;
      utimesSync(join(copy, name, 'manifest.json'), yesterday, yesterday);
    }
    return copy;
  }

  const ids = (folder: string): string[] => readdirSync(folder).filter((name) => !name.startsWith('.'));
  const nameOf = (folder: string): string => folder.split('/').at(-1)!;

  it('prune keeps the newest, and a dry run keeps them all', async (t) => {
    const copy = copied(t);
    const remains = join(copy, '.draft-0');
    mkdirSync(remains);
    const dry = await hidamari(['prune', copy, '--keep', '2', '--dry-run', '--json']);
    assert.equal(dry.code, 0, dry.stderr);
    const { datasets } = JSON.parse(dry.stdout) as { datasets: Verdict[] };
    assert.deepEqual(
      datasets.map(({ fate }) => fate),
      ['keep', 'keep', 'remove'],
    );
    assert.equal(ids(copy).length, 3);
    assert.ok(existsSync(remains), 'the remains of an interrupted build');
    assert.equal((await hidamari(['prune', copy, '--keep', '1'])).code, 0);
    assert.deepEqual(ids(copy), [nameOf(folders[2]!)]);
    assert.ok(!existsSync(remains));
    assert.ok(!existsSync(join(copy, '.build')));
  });

  // Before, the link counted: one dataset fewer stayed, or even the link alone, without its dataset.
  it('prune counts a dataset once that has a symbolic link, too', async (t) => {
    const copy = copied(t);
    const newest = nameOf(folders[2]!);
    for (const name of ['0', 'zz']) symlinkSync(newest, join(copy, name));
    assert.equal((await hidamari(['prune', copy, '--keep', '2'])).code, 0);
    assert.deepEqual(ids(copy).sort(), ['0', newest, nameOf(folders[1]!), 'zz'].sort());
    assert.equal((await hidamari(['prune', copy, '--keep', '1'])).code, 0);
    assert.ok(ids(copy).includes(newest));
  });

  it('prune never removes the newest that is whole, however many newer ones are damaged', async (t) => {
    const copy = copied(t);
    const store = join(copy, nameOf(folders[2]!), 'sunlight.store');
    writeFileSync(store, readFileSync(store).subarray(1));
    const { code, stdout } = await hidamari(['prune', copy, '--keep', '1']);
    assert.equal(code, 0);
    assert.match(stdout, /newer than every complete one/);
    assert.deepEqual(ids(copy).sort(), [nameOf(folders[1]!), nameOf(folders[2]!)].sort());
  });

  it('prune leaves what a server has open, and what was the newest until an hour ago', async (t) => {
    const copy = copied(t);
    const oldest = join(copy, nameOf(folders[0]!));
    const server = await serveCity(t, ['--data', oldest], 'ignore');
    const held = await hidamari(['prune', copy, '--keep', '1']);
    assert.match(held.stdout, /kept +\S+ +2027-01-01\S+ +\S+ \S+ +a server or a build has it open/);
    assert.ok(existsSync(oldest));
    assert.equal((await fetch(`${server.url}/api/v1/sunlight/building/13101-bldg-1`)).status, 200);
    assert.equal(await server.stop(10), 0);
    utimesSync(join(copy, nameOf(folders[2]!), 'manifest.json'), new Date(), new Date());
    const young = await hidamari(['prune', copy, '--keep', '1']);
    assert.match(young.stdout, /its downloads may work for up to an hour/);
    assert.ok(existsSync(oldest));
  });

  it('prune refuses while a build is at work', async (t) => {
    const copy = copied(t);
    await writeFiles(join(copy, '.build'), { 'parts/x': 'half done' });
    const lock = FileLock.take(join(copy, '.build', 'lock'))!;
    const refused = await hidamari(['prune', copy, '--keep', '1']);
    lock.release();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /a build runs in this data folder/);
    assert.equal(ids(copy).length, 3);
    assert.equal((await hidamari(['prune', copy, '--keep', '1'])).code, 0);
    assert.ok(existsSync(join(copy, '.build/parts/x')), 'what --resume needs stays');
  });

  it('withdraw goes back to the dataset before, in a folder and in a store with its copies, and forth again', async (t) => {
    const copy = copied(t);
    const [older, newest] = [folders[1]!, folders[2]!].map(nameOf);
    const place = join(tempFolder(t), 'store');
    for (const name of [older!, newest!])
      assert.equal((await hidamari(['publish', join(copy, name), '--store', place])).code, 0);
    const store = new DirectoryStore(place);
    const copies = tempFolder(t);
    const served = async () => [
      (await fetchNewest(store, copies)).datasetId,
      (await listDatasets(copies)).datasets[0]?.manifest.dataset_id,
    ];
    assert.deepEqual(await served(), [newest, newest]);
    const both = ['--data', copy, '--store', place];
    const { code, stdout, stderr } = await hidamari(['withdraw', newest!, ...both]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.match(new RegExp(`${newest} is withdrawn; the newest is ${older}`, 'g'))?.length, 2, stdout);
    assert.equal((await listDatasets(copy)).datasets[0]?.manifest.dataset_id, older);
    assert.match((await listDatasets(copy)).refused.join(), /withdrawn; hidamari withdraw --undo brings it back/);
    assert.deepEqual(await served(), [older, older], 'the copy that was fetched before goes too');
    assert.equal((await hidamari(['withdraw', newest!, ...both])).code, 1);
    assert.equal((await hidamari(['withdraw', newest!, '--undo', ...both])).code, 0);
    assert.equal((await listDatasets(copy)).datasets[0]?.manifest.dataset_id, newest);
    assert.deepEqual(await served(), [newest, newest]);
    const one = join(tempFolder(t), 'data');
    cpSync(folders[0]!, join(one, nameOf(folders[0]!)), { recursive: true });
    const last = await hidamari(['withdraw', nameOf(folders[0]!), '--data', one]);
    assert.match(last.stderr, /holds no other dataset that could be served/);
    assert.equal((await hidamari(['withdraw', newest!])).code, 2);
  });

  it('prune says what is wrong with what it is given', async () => {
    const wrong = await hidamari(['prune', data, '--keep', '0']);
    assert.equal(wrong.code, 2);
    const one = await hidamari(['prune', folders[0]!, '--keep', '1']);
    assert.equal(one.code, 1);
    assert.match(one.stderr, /is a dataset: expected the data folder/);
    assert.match((await hidamari(['prune', join(data, 'no'), '--keep', '1'])).stderr, /no such folder/);
    const manifest = join(folders[0]!, 'manifest.json');
    assert.match((await hidamari(['prune', manifest, '--keep', '1'])).stderr, /is a file; expected a data folder\n$/);
  });
});
