import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type S3Location, S3Store } from '../../src/http/s3-store.ts';
import { fetchNewest, pruneStored, sendDataset, takeCopyLock } from '../../src/store/dataset-store.ts';
import { DirectoryStore, StoreError } from '../../src/store/object-store.ts';
import { S3Objects } from '../../src/store/s3-objects.ts';
import { built, fingerprints } from '../pipeline/run-build.ts';
import { freePort } from '../support/free-port.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { CLI, hidamari } from '../support/run.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { skipWithoutSwift, startSwift } from '../support/swift.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);
/** Datasets of three houses and of four, an hour apart. */
const datasets: string[] = [];

before(async () => {
  for (const [i, count] of [3, 4].entries()) {
    await writeFiles(at(`city${i}`), { 'a.gml': cityGml(rowsOfHouses(count)) });
    const options = { out: at(`data${i}`), citygml: [at(`city${i}`)], generatedAt: `2026-05-01T0${i}:00:00Z` };
    datasets.push((await built(options)).dataset);
  }
});

describe('datasets in a store', () => {
  it('are fetched whole or not at all, the newest that is whole', async () => {
    const store = new DirectoryStore(at('store'));
    for (const dataset of datasets) await sendDataset(store, dataset, () => {});
    const [older, newer] = datasets.map((dataset) => dataset.split('/').at(-1)!);
    for (const name of ['copies', 'others']) mkdirSync(at(name));
    const fetched = { datasetId: newer, refused: [] };
    assert.deepEqual(await fetchNewest(store, at('copies')), fetched);
    assert.deepEqual(await fingerprints(at('copies', newer!)), await fingerprints(datasets[1]!));
    assert.deepEqual(await fetchNewest(store, at('copies')), fetched, 'it is there');

    truncateSync(at('store/datasets', newer!, 'squares/index.json'), 10);
    const { datasetId, refused } = await fetchNewest(store, at('others'));
    assert.equal(datasetId, older);
    assert.match(refused.join(), /index\.json: damaged: is not the file of the manifest/);
    assert.deepEqual(readdirSync(at('others')), [older]);
  });

  it('are looked at before they are copied: none of another form, none whose name leads elsewhere', async () => {
    const [older, newer] = datasets.map((dataset) => dataset.split('/').at(-1)!);
    const store = new DirectoryStore(at('forms'));
    for (const dataset of datasets) await sendDataset(store, dataset, () => {});
    const path = at('forms/datasets', newer!, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, schema_version: 1 }));
    const { list, read, get } = store;
    const asked: string[] = [];
    store.list = async (name) => [...(await list.call(store, name)), '../'];
    store.read = async (name) =>
      name.includes('..') ? Buffer.from(JSON.stringify({ ...manifest, dataset_id: '..' })) : read.call(store, name);
    store.get = (name, to) => {
      asked.push(name);
      return get.call(store, name, to);
    };
    mkdirSync(at('formed/copies'), { recursive: true });
    const { datasetId, refused } = await fetchNewest(store, at('formed/copies'));
    assert.equal(datasetId, older);
    assert.deepEqual(
      asked.filter((name) => !name.startsWith(`datasets/${older}/`)),
      [],
    );
    assert.match(refused.join('\n'), /schema_version is 1, .*\n.*"\.\.\/" is no name of a dataset/);
    assert.deepEqual(readdirSync(at('formed/copies')), [older]);
  });

  it('are copied on where a copy was broken off, and made whole again where a copy is damaged', async () => {
    const [, newer] = datasets.map((dataset) => dataset.split('/').at(-1)!);
    const store = new DirectoryStore(at('store2'));
    await sendDataset(store, datasets[1]!, () => {});
    mkdirSync(at('broken/.copy-older/bulk'), { recursive: true });
    const asked: string[] = [];
    const get = store.get.bind(store);
    store.get = async (name, path) => {
      asked.push(name);
      if (asked.length === 3) throw new StoreError('no answer');
      return get(name, path);
    };
    await assert.rejects(fetchNewest(store, at('broken')), /no answer/);
    assert.deepEqual(readdirSync(at('broken')), [`.copy-${newer}`]);
    await fetchNewest(store, at('broken'));
    assert.equal(asked.length, new Set(asked).size + 1, 'what has come is not asked for again');

    truncateSync(at('broken', newer!, 'sunlight.store'), 100);
    await fetchNewest(store, at('broken'));
    assert.equal(statSync(at('broken', newer!, 'sunlight.store')).size, 100, 'nobody has found it damaged');
    asked.length = 5;
    await fetchNewest(store, at('broken'), { damaged: new Set([at('broken', newer!)]) });
    assert.deepEqual(asked.slice(5), [`datasets/${newer}/sunlight.store`]);
    assert.deepEqual(await fingerprints(at('broken', newer!)), await fingerprints(datasets[1]!));
  });

  it('of another form count for nothing: the newest of this form stays, and a broken-off copy of it', async () => {
    const [older, newer] = datasets.map((dataset) => dataset.split('/').at(-1)!);
    const store = new DirectoryStore(at('newer'));
    for (const dataset of datasets) await sendDataset(store, dataset, () => {});
    const path = at('newer/datasets', newer!, 'manifest.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), schema_version: 1000 }));
    const { verdicts, refused } = await pruneStored(store, { keep: 1, dryRun: true });
    assert.deepEqual(
      verdicts.map(({ dataset_id, fate }) => [dataset_id, fate]),
      [[older, 'keep']],
    );
    assert.match(refused.join(), /schema_version is 1000/);
    mkdirSync(at('resumed', `.copy-${older}`), { recursive: true });
    const begun = at('resumed', `.copy-${older}`, 'sunlight.store');
    copyFileSync(join(datasets[0]!, 'sunlight.store'), begun);
    const asked: string[] = [];
    const get = store.get.bind(store);
    store.get = (name, to) => {
      asked.push(name);
      return get(name, to);
    };
    assert.equal((await fetchNewest(store, at('resumed'))).datasetId, older);
    assert.ok(!asked.some((name) => name.endsWith('/sunlight.store')), 'what has come is not asked for again');
  });

  it('that lack a file, or are pruned while they come, are passed over for the next, with a line each', async () => {
    const [older, newer] = datasets.map((dataset) => dataset.split('/').at(-1)!);
    const store = new DirectoryStore(at('lossy'));
    for (const dataset of datasets) await sendDataset(store, dataset, () => {});
    await store.remove(`datasets/${newer}/sunlight.store`);
    mkdirSync(at('lossy-copy'));
    const lacking = await fetchNewest(store, at('lossy-copy'));
    assert.equal(lacking.datasetId, older);
    assert.deepEqual(lacking.refused, [`${store.address}/datasets/${newer}/sunlight.store: is missing`]);
    assert.deepEqual(readdirSync(at('lossy-copy')), [older]);

    await sendDataset(store, datasets[1]!, () => {});
    const get = store.get.bind(store);
    let asked = 0;
    store.get = async (name, path) => {
      if (++asked === 2) rmSync(at('lossy/datasets', newer!), { recursive: true });
      return get(name, path);
    };
    mkdirSync(at('pruned-copy'));
    const pruned = await fetchNewest(store, at('pruned-copy'));
    assert.equal(pruned.datasetId, older);
    assert.equal(pruned.refused.length, 1);
    assert.match(pruned.refused.join(), /^[^ ]*datasets\/[^ ]*: is missing$/);
    assert.deepEqual(readdirSync(at('pruned-copy')), [older]);
  });

  it('whose copying was broken off go with prune, unless a server is copying', async () => {
    mkdirSync(at('left/.copy-old'), { recursive: true });
    const lock = takeCopyLock(at('left'));
    assert.equal((await hidamari(['prune', at('left'), '--keep', '1'])).code, 0);
    assert.ok(existsSync(at('left/.copy-old')));
    lock?.release();
    assert.equal((await hidamari(['prune', at('left'), '--keep', '1'])).code, 0);
    assert.ok(!existsSync(at('left/.copy-old')));
  });

  it('go but for the newest that are whole; what is on its way stays, and nothing outside is touched', async () => {
    const [older, newer] = datasets.map((dataset) => dataset.split('/').at(-1)!);
    const folderOf = (id: string) => at('pruned/datasets', id);
    for (const dataset of datasets) await sendDataset(new DirectoryStore(at('pruned')), dataset, () => {});
    mkdirSync(folderOf('on-its-way'));
    writeFileSync(join(folderOf('on-its-way'), 'sunlight.store'), 'x');
    mkdirSync(folderOf('evil'));
    writeFileSync(at('bystander'), 'x');
    const manifest = JSON.parse(readFileSync(join(folderOf(older!), 'manifest.json'), 'utf8'));
    const evil = { ...manifest, dataset_id: 'evil', files: { '../../../bystander': {} } };
    writeFileSync(join(folderOf('evil'), 'manifest.json'), JSON.stringify(evil));
    const fates = async (dryRun: boolean) => {
      const { verdicts, refused } = await pruneStored(new DirectoryStore(at('pruned')), { keep: 1, dryRun });
      assert.match(refused.join(), /evil\/manifest\.json: .*a file outside the dataset: \.\.\/\.\.\/\.\.\/bystander/);
      return verdicts.map(({ dataset_id, fate }) => [dataset_id, fate]);
    };
    const gone = [
      [newer, 'keep'],
      [older, 'remove'],
    ];
    // The newest is not whole: it stays, and so does the one that is served meanwhile.
    const lost = join(folderOf(newer!), 'sunlight.store');
    renameSync(lost, `${lost}.away`);
    assert.deepEqual(await fates(true), [
      [newer, 'keep'],
      [older, 'keep'],
    ]);
    renameSync(`${lost}.away`, lost);
    assert.deepEqual(await fates(true), gone);
    const { code, stdout } = await hidamari(['prune', '--store', at('pruned'), '--keep', '1', '--json']);
    assert.deepEqual([code, JSON.parse(stdout).datasets.length], [0, 2]);
    assert.deepEqual(readdirSync(at('pruned/datasets')).sort(), [newer, 'evil', 'on-its-way'].sort());
    mkdirSync(at('after'));
    assert.equal((await fetchNewest(new DirectoryStore(at('pruned')), at('after'))).datasetId, newer);
    assert.ok(existsSync(at('bystander')));
  });
});

const skip = skipWithoutRedis || skipWithoutSwift();

describe('three replicas behind a proxy', { skip }, () => {
  const ends: (() => unknown)[] = [];
  const ending = { after: (end: () => unknown) => ends.push(end) };
  let place: S3Location;
  let store: S3Objects;
  let servers: ChildProcess[];
  let proxy: string;
  let redis: string;

  before(async () => {
    place = await startSwift(ending);
    store = new S3Objects(new S3Store({ ...place, prefix: 'sun' }));
    await sendDataset(store, datasets[0]!, () => {});
    redis = (await RedisServer.start({ after: (end) => ends.push(end) })).url;
    const started = await Promise.all([0, 1, 2].map(serveReplica));
    servers = started.map(({ child }) => child);
    proxy = await roundRobin(started.map(({ port }) => port));
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function serveReplica(i: number): Promise<{ child: ChildProcess; port: number }> {
    const port = await freePort();
    // Two of them share a folder.
    const flags = [
      '--data',
      's3://bulk/sun',
      '--copies',
      at(`replica${i >> 1}`),
      '--refresh',
      '1',
      '--port',
      String(port),
    ];
    const shared = [
      '--redis',
      redis,
      '--trust-proxy',
      '127.0.0.1',
      '--site-url',
      'https://sun.example',
      '--pages',
      'off',
    ];
    // The key comes by the environment or by files.
    const secret = at(`secret${i}`);
    writeFileSync(secret, `${place.secretKey}\n`);
    const ways = [
      { HIDAMARI_S3_ACCESS_KEY: place.accessKey, HIDAMARI_S3_SECRET_KEY: place.secretKey },
      { HIDAMARI_S3_ACCESS_KEY: place.accessKey, HIDAMARI_S3_SECRET_KEY_FILE: secret },
    ];
    const where = { HIDAMARI_S3_ENDPOINT: place.endpoint.href, HIDAMARI_S3_REGION: place.region };
    const env = { ...process.env, ...where, ...ways[i % 2] };
    const args = [...flags, ...shared];
    const child = spawn(process.execPath, [CLI, 'serve', ...args], { env });
    ends.push(() => child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    while (!output.includes('Serving dataset')) {
      assert.equal(child.exitCode, null, output);
      await delay(50);
    }
    return { child, port };
  }

  async function roundRobin(ports: number[]): Promise<string> {
    let next = 0;
    const server = createServer((incoming, outgoing) => {
      const port = ports[next++ % ports.length];
      const headers = { 'x-forwarded-for': '203.0.113.9', ...incoming.headers };
      request({ host: '127.0.0.1', port, path: incoming.url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, { ...answer.headers, 'x-replica': String(port) });
        answer.pipe(outgoing);
      }).end();
    }).listen(0, '127.0.0.1');
    ends.push(() => server.close().closeAllConnections());
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('count requests together, answer the same bytes, move to a newer dataset by themselves and mend it', async () => {
    const url = `${proxy}/api/v1/sunlight/building/13101-bldg-1`;
    const answers = [];
    for (let i = 0; i < 21; i++) answers.push(await fetch(url));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(20).fill(200), 429],
    );
    assert.equal(new Set(answers.map(({ headers }) => headers.get('x-replica'))).size, 3);
    assert.equal(new Set(await Promise.all(answers.slice(0, 20).map((answer) => answer.text()))).size, 1);

    await sendDataset(store, datasets[1]!, () => {});
    let client = 0;
    const allMoved = async (): Promise<void> => {
      for (const seen = new Set<string>(); seen.size < 3; client++) {
        const answer = await fetch(url, { headers: { 'x-forwarded-for': `198.51.${client >> 8}.${client % 256}` } });
        const { meta } = (await answer.json()) as { meta: { dataset_id: string } };
        if (datasets[1]!.endsWith(meta.dataset_id)) seen.add(answer.headers.get('x-replica')!);
        await delay(100);
      }
    };
    await allMoved();

    const store0 = at('replica0', datasets[1]!.split('/').at(-1)!, 'sunlight.store');
    const { size } = statSync(store0);
    truncateSync(store0, size >> 1);
    while (statSync(store0).size !== size) await delay(50);
    await allMoved();

    for (const server of servers) {
      server.kill('SIGTERM');
      const [code] = await once(server, 'exit');
      assert.equal(code, 0);
    }
  });

  it('serve the dataset before while a copy cannot be opened, and move once it is whole', async () => {
    for (const dataset of datasets) cpSync(dataset, at('replica2', dataset.split('/').at(-1)!), { recursive: true });
    truncateSync(at('replica2', datasets[1]!.split('/').at(-1)!, 'sunlight.store'), 100);
    const { port } = await serveReplica(4);
    const served = async (): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      return ((await answer.json()) as { dataset_id: string }).dataset_id;
    };
    while (!datasets[1]!.endsWith(await served())) await delay(100);
  });
});
