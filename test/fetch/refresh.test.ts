import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listDatasets } from '../../src/snapshot/listing.ts';
import { fetchNewest } from '../../src/store/dataset-store.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { serveCity } from '../support/served-city.ts';
import { cityGml, type House, rowsOfHouses } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { Replica } from './replica.ts';
import { hidamari } from './support.ts';

/** The report, as docs/renewing.md states it. */
interface RefreshReport {
  outcome: string;
  exit_code: number;
  problem: string | null;
  dataset_id: string | null;
  previous_dataset_id: string | null;
  steps: { step: string; says: string }[];
  summary: { buildings: { changed: number; by_ward: Record<string, { old: number }> } } | null;
  exceeded: object[];
}

describe('hidamari refresh', () => {
  const replica = new Replica();
  const folder = tempFolder({ after });
  const data = join(folder, 'data');
  const houses = rowsOfHouses(40);

  before(async () => {
    await replica.listen();
    const bldg = [{ code: '53394611', maxLod: 1, url: `${replica.origin}/model.gml` }];
    const city = { cityCode: '13101', year: 2023, registrationYear: 2023, spec: '3.2', url: 'unused', files: { bldg } };
    replica.put('/catalogue/13101?types=bldg', JSON.stringify({ cities: [city] }));
    writeFileSync(join(folder, 'publishers.json'), JSON.stringify(replica.publishers()));
  });
  after(() => replica.close());

  const publishes = (all: readonly House[]): void => replica.put('/model.gml', cityGml(all));
  /** With the houses of the first publication, the first of them raised. */
  const raised = (height: number): House[] => houses.map((house, i) => (i === 0 ? { ...house, height } : house));

  async function refresh(...more: string[]): Promise<RefreshReport & { stderr: string }> {
    const args = ['--city', '13101', '--only', 'citygml', '--publishers', join(folder, 'publishers.json')];
    const { code, stdout, stderr } = await hidamari(
      ['refresh', '--data', data, '--workers', '1', ...args, '--as-of', '2026-11-01', '--json', ...more],
      { HIDAMARI_WEBHOOK: webhook },
    );
    const report = JSON.parse(stdout) as RefreshReport;
    assert.equal(code, report.exit_code, stderr);
    assert.deepEqual(JSON.parse(readFileSync(join(data, '.refresh/report.json'), 'utf8')), report);
    return { ...report, stderr };
  }

  interface Answer {
    data: { inputs: { file: string }[] };
    meta: { inputs_url: string };
  }
  const datasets = (): string[] => readdirSync(data).filter((name) => !name.startsWith('.'));
  const stepsOf = ({ steps }: RefreshReport): string[] => steps.map(({ step }) => step);
  let webhook = '';

  it('from nothing to the first dataset, and no other while nothing changes', async () => {
    publishes(houses);
    const first = await refresh();
    assert.deepEqual([first.outcome, first.exit_code, first.previous_dataset_id], ['placed', 0, null], first.problem!);
    assert.deepEqual(stepsOf(first), ['fetch', 'build', 'verify', 'compare', 'place', 'prune']);
    assert.deepEqual(datasets(), [first.dataset_id]);
    assert.match((await hidamari(['verify', data])).stdout, /^whole/);
    const second = await refresh();
    assert.deepEqual([second.outcome, second.dataset_id], ['unchanged', first.dataset_id]);
    assert.deepEqual(datasets(), [first.dataset_id]);
    assert.ok(!existsSync(join(data, '.refresh/data')));
  });

  it('has a server move to what has changed, and says who does not', async (t) => {
    const server = await serveCity(t, ['--data', data], 'ignore');
    publishes(raised(30));
    const admin = new URL(server.admin).host;
    const moved = await refresh(
      '--fail-above',
      'removed=1%',
      '--reload',
      `kill -HUP ${server.child.pid}`,
      '--server',
      admin,
      '--keep',
      '1',
    );
    assert.equal(moved.outcome, 'served', moved.problem!);
    assert.equal(moved.summary?.buildings.by_ward['13101']?.old, 40);
    assert.match(moved.steps.at(-1)!.says, /^0 removed, 2 kept$/, 'downloads of the one before work for an hour');
    const { meta } = (await (await fetch(`${server.url}/api/v1/sunlight/building/13101-bldg-1`)).json()) as {
      meta: { dataset_id: string };
    };
    assert.equal(meta.dataset_id, moved.dataset_id);
    const page = await (await fetch(`${server.url}/en/changes/`)).text();
    assert.match(page, new RegExp(`${moved.previous_dataset_id}</code> → <code>${moved.dataset_id}`));
    const feed = await (await fetch(`${server.url}/changes.atom`)).text();
    const { changed } = moved.summary!.buildings;
    assert.ok(feed.includes(`buildings: 0 added, 0 removed, ${changed} changed, 40 in all`), feed);
    const about = await (await fetch(`${server.url}/en/about/`)).text();
    assert.match(about, />127\.0\.0\.1:\d+<[^\n]*>1</, 'the publisher of the one file');
    const list = (await (await fetch(`${server.url}/inputs.json`)).json()) as Answer;
    assert.equal(list.data.inputs[0]?.file, 'citygml/13101/53394611_bldg.gml');
    assert.equal(list.meta.inputs_url, `${server.url}/inputs.json`);
    publishes(raised(31));
    const deaf = await refresh('--fail-above', 'removed=1%', '--server', admin, '--wait', '1');
    assert.deepEqual([deaf.outcome, deaf.exit_code], ['not_served', 8]);
    assert.match(deaf.problem!, new RegExp(`does not serve ${deaf.dataset_id} after 1 s, but ${moved.dataset_id}`));
    assert.ok(datasets().includes(deaf.dataset_id!), 'it is in place all the same');
    const told = await refresh('--reload', `kill -HUP ${server.child.pid}`, '--server', admin);
    assert.deepEqual([told.outcome, stepsOf(told).includes('tell')], ['unchanged', true], 'a repeated run goes on');
    assert.equal(await server.stop(10), 0);
  });

  it('holds back what the publisher has cut, tells of it, and lets it pass when it is expected', async (t) => {
    const posted: string[] = [];
    const listener = createServer(async (request, response) => {
      posted.push(Buffer.concat(await request.toArray()).toString());
      response.end();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    t.after(() => listener.close());
    webhook = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook?token=hush`;
    const before = datasets();
    publishes(houses.slice(0, 5));
    const refused = await refresh('--on-failure', `cp "$HIDAMARI_REPORT" ${join(folder, 'failure.json')}`);
    webhook = '';
    assert.deepEqual([refused.outcome, refused.exit_code], ['gate_refused', 4]);
    assert.deepEqual(refused.exceeded[0], {
      group: 'all buildings',
      measure: 'removed',
      count: 35,
      of: 40,
      limit: '1%',
    });
    assert.match(refused.problem!, /all buildings: removed 35 of 40 \(87\.5 %\), the limit is 1%/);
    assert.deepEqual(datasets(), before);
    assert.equal((JSON.parse(posted[0]!) as RefreshReport).outcome, 'gate_refused');
    assert.equal((JSON.parse(readFileSync(join(folder, 'failure.json'), 'utf8')) as RefreshReport).exit_code, 4);
    assert.doesNotMatch(refused.stderr, /hush/);
    const dry = await refresh('--except', '13101', '--dry-run');
    assert.deepEqual([dry.outcome, datasets()], ['dry_run', before]);
    const passed = await refresh('--except', '13101');
    assert.deepEqual([passed.outcome, passed.dataset_id], ['placed', refused.dataset_id]);
  });

  it('names a kind of failure by its exit code, and leaves what is served as it is', async () => {
    const before = datasets();
    const model = replica.files.get('/model.gml')!;
    replica.files.delete('/model.gml');
    const missing = await refresh();
    assert.deepEqual([missing.outcome, missing.exit_code], ['fetch_failed', 5]);
    assert.match(missing.problem!, /1 of 1 files could not be fetched, such as citygml\/13101\/53394611_bldg\.gml/);
    assert.equal((await refresh('--keep-going')).outcome, 'unchanged', 'with the file of the last time');
    replica.put('/model.gml', cityGml([]));
    const empty = await refresh();
    assert.deepEqual([empty.outcome, empty.exit_code], ['build_failed', 6]);
    replica.put('/model.gml', model.body);
    assert.deepEqual(datasets(), before);
    const wrong = await hidamari(['refresh', '--data', data]);
    assert.deepEqual([wrong.code, /give --city or --area/.test(wrong.stderr)], [2, true]);
    const nowhere = await hidamari([
      'refresh',
      '--data',
      data,
      '--inputs',
      data,
      '--report',
      join(folder, 'no/such.json'),
    ]);
    assert.deepEqual([nowhere.code, /there is no such folder/.test(nowhere.stderr)], [2, true]);
  });

  // Before, the report of the run before stayed: its metric said that the last refresh had succeeded.
  it('reports the step at which a signal ended it, and tells of it', async (t) => {
    const before = datasets();
    const model = replica.files.get('/model.gml')!;
    t.after(() => replica.put('/model.gml', model.body));
    const requested = new Promise<void>((resolve) => replica.put('/model.gml', 'x', { faults: [() => resolve()] }));
    const failure = join(folder, 'ended.json');
    const args = ['--city', '13101', '--only', 'citygml', '--publishers', join(folder, 'publishers.json')];
    const ended = await hidamari(
      ['refresh', '--data', data, ...args, '--on-failure', `cp "$HIDAMARI_REPORT" ${failure}`],
      {},
      () => requested,
      'SIGTERM',
    );
    assert.equal(ended.code, 1, ended.stderr);
    assert.match(ended.stdout, /^Failed \(failed\): fetch: ended by SIGTERM; run it again to continue$/m);
    const report = JSON.parse(readFileSync(join(data, '.refresh/report.json'), 'utf8')) as RefreshReport;
    assert.deepEqual([report.outcome, report.exit_code], ['failed', 1]);
    assert.deepEqual(JSON.parse(readFileSync(failure, 'utf8')), report);
    assert.deepEqual(datasets(), before);
  });

  // Before, the dataset with the change stayed in service, and the report said that nothing was new.
  it('returns to a dataset that it had, when the publisher takes a change back', async () => {
    const store = join(folder, 'store');
    const more = ['--except', '13101', '--store', store, '--keep', '3'];
    publishes(houses.slice(0, 5));
    const { dataset_id: id } = await refresh(...more);
    publishes(houses.slice(0, 4));
    const changed = await refresh(...more);
    assert.deepEqual([changed.outcome, changed.previous_dataset_id], ['placed', id], changed.problem!);
    // Another server has copied both of them.
    const copies = join(folder, 'copies');
    await cp(data, copies, { recursive: true });
    publishes(houses.slice(0, 5));
    const back = await refresh(...more);
    assert.deepEqual(
      [back.outcome, back.dataset_id, back.previous_dataset_id],
      ['placed', id, changed.dataset_id],
      back.problem!,
    );
    const [newest] = (await listDatasets(data)).datasets;
    assert.equal(newest?.manifest.dataset_id, id);
    assert.equal((await fetchNewest(new DirectoryStore(store), copies)).datasetId, id);
    assert.equal((await listDatasets(copies)).datasets[0]?.manifest.dataset_id, id);
  });

  it('leaves a dataset withdrawn that an operator took out of the store, while the publisher changes nothing', async () => {
    const store = join(folder, 'store');
    const [newest, older] = (await listDatasets(data)).datasets.map(({ manifest }) => manifest.dataset_id);
    assert.equal((await hidamari(['withdraw', newest!, '--store', store])).code, 0);
    const again = await refresh('--store', store);
    assert.deepEqual([again.outcome, again.exit_code], ['gate_refused', 4], again.problem!);
    assert.match(again.problem!, /was withdrawn from .*store; hidamari withdraw --undo brings it back/);
    const published = await hidamari(['publish', join(data, newest!), '--store', store]);
    assert.equal(published.code, 1);
    assert.match(published.stderr, /was withdrawn; hidamari withdraw --undo brings it back/);
    assert.equal((await fetchNewest(new DirectoryStore(store), join(folder, 'copies'))).datasetId, older);
    assert.equal((await hidamari(['withdraw', newest!, '--undo', '--store', store])).code, 0);
    assert.equal((await refresh('--store', store)).outcome, 'unchanged');
  });

  it('serves nothing that a publisher says wrongly or takes away without a word', async () => {
    const before = datasets();
    const model = replica.files.get('/model.gml')!;
    const catalogue = replica.files.get('/catalogue/13101?types=bldg')!;
    replica.put('/model.gml', '<!doctype html><title>Maintenance</title>');
    const page = await refresh();
    assert.deepEqual([page.outcome, page.exit_code], ['fetch_failed', 5], page.problem ?? '');
    assert.match(page.problem!, /answers with a web page instead of the file/);
    // Towers from one month to the next.
    replica.put('/model.gml', cityGml(houses.slice(0, 5).map((house) => ({ ...house, height: 90 }))));
    const towers = await refresh();
    assert.deepEqual([towers.outcome, towers.exit_code], ['gate_refused', 4]);
    assert.match(towers.problem!, /changed_hours/);
    replica.put('/catalogue/13101?types=bldg', JSON.stringify({ cities: [] }));
    const gone = await refresh();
    assert.deepEqual([gone.outcome, gone.exit_code], ['fetch_failed', 5], gone.problem ?? '');
    assert.deepEqual(datasets(), before);
    replica.put('/catalogue/13101?types=bldg', catalogue.body);
    replica.put('/model.gml', model.body);
    assert.equal((await refresh()).outcome, 'unchanged');
  });
});
