import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { StaticClient } from '../../src/client/static-client.ts';
import { DatasetContents } from '../../src/dataset/contents.ts';
import { rangeServer } from '../support/range-server.ts';
import { hidamari } from '../support/run.ts';
import { type ServedCity, serveCity } from '../support/served-city.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('a dataset as files on a host that knows ranges and nothing else', () => {
  const folder = tempFolder({ after });
  const out = join(folder, 'static');
  const ends: (() => void)[] = [];
  after(() => {
    for (const end of ends) end();
  });
  let server: ServedCity;
  let files: Awaited<ReturnType<typeof rangeServer>>;
  const ids = { buildings: [] as string[], facilities: [] as string[] };

  before(async () => {
    const data = await generatedDataset(join(folder, 'data'));
    server = await serveCity({ after: (end) => ends.push(end) }, ['--data', data, '--rate-limit', 'off'], 'ignore');
    const { code, stderr } = await hidamari(['export', data, '--static', out, '--site-url', server.url]);
    assert.equal(code, 0, stderr);
    const contents = await DatasetContents.open(data);
    for (const { id } of contents.buildings()) ids.buildings.push(id);
    for (const { id } of contents.facilities()) ids.facilities.push(id);
    contents.close();
    files = await rangeServer(out);
  });
  after(() => files.close());

  const served = async (path: string): Promise<string | null> => {
    const response = await fetch(server.url + path);
    return response.status === 404 ? null : response.text();
  };

  it('gives the answers of the server to the byte, each by two requests at most', async () => {
    assert.ok(ids.buildings.length > 100 && ids.facilities.length > 0);
    const client = await StaticClient.open(files.url);
    const [first = ''] = ids.buildings;
    await client.warm({ buildings: [first.slice(0, 5)], facilities: ['13'] });
    const answers: [path: string, ask: () => Promise<string | null>][] = [];
    for (const id of [
      ...ids.buildings.filter((_, i) => i % 7 === 0),
      `${first.slice(0, 5)}-bldg-99999999`,
      '99999-bldg-1',
    ]) {
      answers.push([`/api/v1/sunlight/building/${id}`, () => client.building(id)]);
      answers.push([`/api/v1/sunlight/building/${id}/full`, () => client.full(id)]);
    }
    for (const id of ids.facilities) answers.push([`/api/v1/kaigo/facility/${id}`, () => client.facility(id)]);
    const towns: { data: { town_code: string }[] } = JSON.parse((await served('/sunlight/towns.json')) ?? '');
    for (const { town_code: code } of towns.data)
      for (const town of [code, code.slice(0, 9)])
        for (const page of [1, 2, 99])
          answers.push([`/api/v1/sunlight/town/${town}/buildings?page=${page}`, () => client.town(town, page)]);
    for (const id of ids.buildings.filter((_, i) => i % 9 === 0)) {
      const { data } = JSON.parse((await served(`/api/v1/sunlight/building/${id}`)) ?? '');
      const [lat, lon] = [data.lat + 0.0007, data.lon - 0.0011].map((degrees) => Math.round(degrees * 1e6) / 1e6);
      for (const radius of [10, 100, 300])
        answers.push([
          `/api/v1/sunlight/near?lat=${lat}&lon=${lon}&r=${radius}`,
          () => client.near(lat ?? 0, lon ?? 0, radius),
        ]);
    }
    // The first time an answer may read an index, too.
    for (const isWarm of [false, true])
      for (const [path, ask] of answers) {
        const before = files.counted.requests;
        const answer = await ask();
        assert.equal(answer, await served(path), path);
        if (isWarm)
          assert.ok(files.counted.requests - before <= 2, `${path}: ${files.counted.requests - before} requests`);
      }
  });

  it('holds the pages of both languages with all that they load, tiles, lists and bulk files', async () => {
    for (const path of ['/', '/en/', '/map/', '/en/about/', '/kaigo/']) {
      const page = readFileSync(join(out, path, 'index.html'), 'utf8');
      assert.equal(page, await served(path));
      const loaded = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
      assert.ok(loaded.length > 0, path);
      for (const asset of loaded) assert.ok(existsSync(join(out, asset)), `${path}: ${asset}`);
    }
    const { dataset_id: id } = JSON.parse(readFileSync(join(out, 'packs.json'), 'utf8'));
    for (const name of [
      'sunlight/towns.json',
      'kaigo/municipalities.json',
      'inputs.json',
      'sitemap.xml',
      `bulk/sunlight/${ids.buildings[0]?.slice(0, 5)}.parquet`,
    ])
      assert.ok(existsSync(join(out, name)), name);
    assert.ok(existsSync(join(out, 'tiles', id, '8')), 'tiles');
  });

  it('brings its client along, without types', async () => {
    const { StaticClient: Exported } = await import(pathToFileURL(join(out, 'client/static-client.js')).href);
    const client = await Exported.open(files.url);
    const [id = ''] = ids.buildings;
    assert.equal(await client.building(id), await served(`/api/v1/sunlight/building/${id}`));
  });

  it('says what is wrong with a place that is no export', async () => {
    await assert.rejects(
      StaticClient.open(`${files.url}/assets`),
      /packs\.json is missing: hidamari export --static makes it/,
    );
    const other = async (): Promise<Uint8Array> => Buffer.from('{"format":9}');
    await assert.rejects(StaticClient.open(other), /format 9, this client reads 1/);
    const { code, stderr } = await hidamari(['export', folder, '--static', out]);
    assert.deepEqual([code, /--static needs --site-url/.test(stderr)], [2, true], stderr);
  });
});
