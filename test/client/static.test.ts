import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { StaticClient } from '../../src/client/static-client.ts';
import { DatasetContents } from '../../src/dataset/contents.ts';
import { intoFolder, SendingSink } from '../../src/export/file-sink.ts';
import { listFiles } from '../../src/formats/files.ts';
import { browserPath, startBrowser } from '../site/support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { rangeServer } from '../support/range-server.ts';
import { hidamari, ROOT, run } from '../support/run.ts';
import { type ServedCity, serveCity } from '../support/served-city.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A bucket that keeps what is put into it, and gives whole objects or one range. */
async function startBucket(test: { after(end: () => void): unknown }) {
  const objects = new Map<string, { headers: IncomingHttpHeaders; body: Buffer }>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const body = Buffer.concat(await request.toArray());
    if (request.method === 'PUT') {
      const isThere = objects.has(pathname) && request.headers['if-none-match'] === '*';
      if (!isThere) objects.set(pathname, { headers: request.headers, body });
      return void response.writeHead(isThere ? 412 : 200).end();
    }
    const object = objects.get(pathname);
    if (object === undefined) return void response.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return void response.writeHead(200).end(object.body);
    response.writeHead(206).end(object.body.subarray(Number(from), Number(to) + 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => server.close());
  return { objects, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/**
 * nginx with a configuration of `packaging/`, without TLS; its log is in `own`. It stands before the server or the folder
 * `origin` and is ready when it gives `path`. Null: not installed.
 */
async function startNginx(
  test: TestContext,
  own: string,
  { name, origin, path }: { name: string; origin: string; path: string },
): Promise<string | null> {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error !== undefined) return null;
  mkdirSync(own);
  const port = await freePort();
  const text = readFileSync(join(ROOT, 'packaging', name), 'utf8')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, '')
    .replace(/127\.0\.0\.1:8080|(?<=root )\/srv\/hidamari/, origin)
    .replaceAll('/var/log/nginx', own)
    .replace('/var/cache/nginx', own);
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${own}/${what};`,
  );
  const file = join(own, 'nginx.conf');
  writeFileSync(file, `${user}pid ${own}/pid;\n${text.replace('http {', `http {\n${temporary.join('\n')}`)}`);
  const args = ['-c', file, '-e', join(own, 'error.log'), '-g', 'daemon off;'];
  const checked = await run('nginx', [...args, '-t']);
  assert.equal(checked.code, 0, checked.stderr);
  const child = spawn('nginx', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  test.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    if ((await fetch(url + path).catch(() => null))?.status === 200) return url;
    await delay(50);
  }
  throw new Error(readFileSync(join(own, 'error.log'), 'utf8'));
}

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
  let bucket: Awaited<ReturnType<typeof startBucket>>;

  before(async () => {
    const suite = { after: (end: () => void) => ends.push(end) };
    const data = await generatedDataset(join(folder, 'data'));
    server = await serveCity(suite, ['--data', data, '--rate-limit', 'off'], 'ignore');
    bucket = await startBucket(suite);
    const { code, stderr } = await hidamari(['export', data, '--static', 's3://files/site', '--site-url', server.url], {
      env: { HIDAMARI_S3_ENDPOINT: bucket.url, HIDAMARI_S3_ACCESS_KEY: 'a', HIDAMARI_S3_SECRET_KEY: 'b' },
    });
    assert.equal(code, 0, stderr);
    for (const [path, { headers, body }] of bucket.objects) {
      const file = join(out, path.replace('/files/site/', ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    }
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
    for (const id of ids.facilities.filter((_, i) => i % 7 === 0))
      answers.push([`/api/v1/kaigo/facility/${id}`, () => client.facility(id)]);
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
    // docs/bulk.md says by these lists which bulk files there are.
    const codesIn = (list: string, member: string): string[] =>
      JSON.parse(readFileSync(join(out, list), 'utf8')).data.map((entry: Record<string, string>) => entry[member]);
    for (const [half, list, member] of [
      ['sunlight', 'sunlight/towns.json', 'ward_code'],
      ['kaigo', 'kaigo/municipalities.json', 'prefecture_code'],
    ] as const) {
      const codes = [...new Set(codesIn(list, member))].map((code) => `${code}.parquet`);
      assert.deepEqual(codes.sort(), readdirSync(join(out, 'bulk', half)).sort(), half);
    }
  });

  it('links only to its own files, to what its packs have, and to other sites', async () => {
    const client = await StaticClient.open(files.url);
    const pages = (await listFiles(out)).filter((name) => name.endsWith('.html'));
    const faults = new Set<string>();
    const inPacks = new Map<string, boolean>();
    let followed = 0;
    for (const name of pages) {
      const page = readFileSync(join(out, name), 'utf8');
      const forms = [...page.matchAll(/<form id="([^"]*)"|<form/g)].map(([, id]) => id);
      // The script of the map reads its form.
      if (forms.some((id) => id !== 'map-choices')) faults.add(`${name}: a form`);
      for (const [, address = ''] of page.matchAll(/ (?:href|src|action)="([^"]*)"/g)) {
        const url = new URL(address.replaceAll('&amp;', '&'), `${server.url}/${name.replace(/index\.html$/, '')}`);
        if (url.origin !== server.url) continue;
        followed++;
        const path = decodeURIComponent(url.pathname);
        if (existsSync(join(out, path.endsWith('/') ? `${path}index.html` : path))) {
          if (url.search !== '') faults.add(`${name}: ${address} has a query, which files ignore`);
          continue;
        }
        const [, building, home] =
          /^(?:\/en)?\/(?:sunlight\/building\/([^/]+)|kaigo\/facility\/([^/]+))\/$/.exec(path) ?? [];
        const id = building ?? home ?? '';
        if (!inPacks.has(id)) {
          const answer = building ? await client.building(id) : home ? await client.facility(id) : null;
          inPacks.set(id, answer !== null);
        }
        if (!inPacks.get(id)) faults.add(`${name}: ${address} has no file`);
      }
    }
    assert.deepEqual([...faults], []);
    assert.ok(pages.length > 700 && followed > 10_000, `${followed} links of ${pages.length} pages`);
  });

  it('brings its client along, without types', async () => {
    const { StaticClient: Exported } = await import(pathToFileURL(join(out, 'client/static-client.js')).href);
    const client = await Exported.open(files.url);
    const [id = ''] = ids.buildings;
    assert.equal(await client.building(id), await served(`/api/v1/sunlight/building/${id}`));
  });

  it('is served from the cache of packaging/nginx.conf where it is public, and passed on where it is not', async (t) => {
    const nginx = await startNginx(t, join(folder, 'nginx'), {
      name: 'nginx.conf',
      origin: `127.0.0.1:${server.port}`,
      path: '/healthz',
    });
    if (nginx === null) return t.skip('nginx is not installed');
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(nginx + path, { headers: { 'accept-encoding': 'identity', ...headers } });
      return { response, status: response.status, cache: response.headers.get('x-cache'), text: await response.text() };
    };
    const [id = ''] = ids.buildings;
    const building = `/api/v1/sunlight/building/${id}/full`;
    for (const coding of ['identity', 'gzip, deflate', 'gzip, deflate, br, zstd']) {
      const headers = { 'accept-encoding': coding };
      const first = await ask(building, headers);
      const again = await ask(building, headers);
      assert.deepEqual([first.status, first.cache, again.cache], [200, 'MISS', 'HIT'], coding);
      assert.equal(first.text, await served(building));
      assert.equal(again.text, first.text);
      assert.equal(
        first.response.headers.get('content-encoding'),
        /br|gzip/.exec(coding.split(', ').at(-2) ?? '')?.[0] ?? (coding === 'identity' ? null : 'br'),
      );
    }
    const { response } = await ask(building);
    const known = await ask(building, { 'if-none-match': response.headers.get('etag') ?? '' });
    assert.deepEqual([known.status, known.cache], [304, 'HIT']);
    const own = await ask(`${building}?`, { authorization: 'Bearer hida_nobody' });
    assert.deepEqual([own.status, own.cache], [401, 'BYPASS']);
    for (const [path, status] of [
      ['/api/v1/sunlight/building/99999-bldg-1', 404],
      ['/api/v1/sunlight/towns', 404],
    ] as const)
      for (const _ of [1, 2]) {
        const refused = await ask(path);
        assert.deepEqual(
          [refused.status, refused.cache, refused.response.headers.get('cache-control')],
          [status, 'MISS', 'no-store'],
        );
      }
    for (const path of ['/api/v1/search?q=a', '/api/v1/sunlight/near?lat=35.7&lon=139.86'])
      assert.deepEqual([(await ask(path)).status, (await ask(path)).cache], [200, null], path);
    const offer = await ask(`/api/v1/sunlight/bulk/${id.slice(0, 5)}`);
    const { url } = JSON.parse(offer.text).data as { url: string };
    const { dataset_id } = JSON.parse(readFileSync(join(out, 'packs.json'), 'utf8')) as { dataset_id: string };
    const signed = new URL(url);
    for (const path of [signed.pathname + signed.search, `/tiles/${dataset_id}.pmtiles`]) {
      const part = await ask(path, { range: 'bytes=0-3' });
      assert.deepEqual([part.status, part.cache, part.text.length], [206, null, 4], path);
      assert.match(part.response.headers.get('content-range') ?? '', /^bytes 0-3\/\d+$/);
    }
    assert.equal((await fetch(nginx + signed.pathname)).status, 401);
    const tool = await fetch(`${nginx}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    assert.match(await tool.text(), /find_place/);
    const log = readFileSync(join(folder, 'nginx/access.log'), 'utf8');
    assert.match(log, /"GET \/api\/v1\/sunlight\/building\//);
    assert.doesNotMatch(log, /near|search|signature/);
  });

  it('packaging/nginx.conf logs no query string when the server fails', async (t) => {
    const failing = createServer(({ url, socket }, response) => {
      if (url === '/healthz') response.end();
      else socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(failing, 'listening');
    t.after(() => failing.close());
    const own = join(folder, 'nginx-failing');
    const origin = `127.0.0.1:${(failing.address() as AddressInfo).port}`;
    const nginx = await startNginx(t, own, { name: 'nginx.conf', origin, path: '/healthz' });
    if (nginx === null) return t.skip('nginx is not installed');
    for (const path of ['/api/v1/search?q=secret', '/about/?q=secret'])
      assert.equal((await fetch(nginx + path)).status, 502);
    const logs = ['access.log', 'error.log'].map((name) => readFileSync(join(own, name), 'utf8'));
    assert.match(logs[0]!, /"GET \/about\/" 502/);
    assert.doesNotMatch(logs.join(''), /secret/);
  });

  it('lies in a bucket compressed where browsers load it, with the headers of each file', async () => {
    for (const [path, { headers }] of bucket.objects) {
      const isPacked = headers['content-encoding'] === 'gzip';
      assert.equal(isPacked, /\.(html|mvt|m?js|css|svg)$/.test(path) && !path.includes('/client/'), path);
      const isLasting = /\/(assets|packs|tiles)\//.test(path);
      assert.equal(headers['cache-control'], isLasting ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    }
    assert.equal(bucket.objects.get('/files/site/index.html')?.headers['content-type'], 'text/html; charset=utf-8');
    const client = await StaticClient.open(`${bucket.url}/files/site`);
    const [id = ''] = ids.buildings;
    assert.equal(await client.full(id), await served(`/api/v1/sunlight/building/${id}/full`));
  });

  it('works in a browser from a folder, as packaging/nginx-static.conf serves it', async (t) => {
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    const gzips = (name: string) => /\.(html|mvt|m?js|css|svg)$/.test(name) && !name.startsWith('client/');
    const sink = await SendingSink.open(intoFolder(packed), { folder: packed, gzips });
    // Tables of municipalities are most of the files, and nobody asks for one below.
    for (const name of await listFiles(out))
      if (!/kaigo\/\d{6}\//.test(name)) await sink.write(name, readFileSync(join(out, name)));
    await sink.close();
    assert.ok(existsSync(join(packed, 'en/index.html.gz')) && existsSync(join(packed, 'packs.json')));
    const nginx = await startNginx(t, join(folder, 'nginx-static'), {
      name: 'nginx-static.conf',
      origin: packed,
      path: '/packs.json',
    });
    if (nginx === null) return t.skip('nginx is not installed');
    const { dataset_id } = JSON.parse(readFileSync(join(out, 'packs.json'), 'utf8')) as { dataset_id: string };
    const [id = ''] = ids.buildings;
    const [home = ''] = ids.facilities;
    const pack = `packs/${dataset_id}/buildings/${id.slice(0, 5)}.pack`;
    const page = 'text/html; charset=utf-8';
    for (const [path, name, coding, status, mediaType, maxAge] of [
      ['/', 'index.html', 'gzip', 200, page, 300],
      ['/', 'index.html', 'identity', 200, page, 300],
      ['/en/', 'en/index.html', 'gzip', 200, page, 300],
      ['/en', 'en/index.html', 'gzip', 200, page, 300],
      [`/sunlight/building/${id}/`, '404.html', 'gzip', 200, page, 300],
      [`/en/kaigo/facility/${home}/`, 'en/404.html', 'gzip', 200, page, 300],
      ['/nothing/', '404.html', 'gzip', 404, page, null],
      ['/inputs.json', 'inputs.json', null, 200, 'application/json', 300],
      [`/${pack}`, pack, null, 200, 'application/octet-stream', 31536000],
    ] as const) {
      const response = await fetch(nginx + path, { headers: { 'accept-encoding': coding ?? 'gzip' } });
      const { headers } = response;
      assert.equal(response.status, status, path);
      assert.ok(readFileSync(join(out, name)).equals(Buffer.from(await response.arrayBuffer())), path);
      assert.equal(headers.get('content-encoding'), coding === 'gzip' ? 'gzip' : null, path);
      assert.equal(headers.get('content-type'), mediaType, path);
      if (maxAge !== null) assert.match(headers.get('cache-control') ?? '', new RegExp(`max-age=${maxAge}\\b`), path);
    }
    const part = await fetch(`${nginx}/${pack}`, { headers: { range: 'bytes=2-4' } });
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 3]);
    const executable = browserPath();
    if (executable === null) return t.skip('no Chromium is installed');
    const browser = await startBrowser(executable);
    t.after(() => browser.close());
    const visitor = await browser.newPage();
    const missing: string[] = [];
    visitor.on('response', (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    const { data } = JSON.parse((await served(`/api/v1/sunlight/building/${id}`)) ?? '');
    for (const [language, word] of [
      ['', '年平均'],
      ['en/', 'Annual mean'],
    ]) {
      await visitor.goto(`${nginx}/${language}sunlight/building/${id}/`);
      await visitor.getByText(word!).waitFor();
      assert.match((await visitor.textContent('main')) ?? '', new RegExp(`${data.annual_mean_hours.toFixed(2)}`));
      await visitor.goto(`${nginx}/${language}kaigo/facility/${home}/`);
      const { data: facility } = JSON.parse((await served(`/api/v1/kaigo/facility/${home}`)) ?? '');
      await visitor.getByRole('heading', { name: facility.name, level: 1 }).waitFor();
      await visitor.goto(`${nginx}/${language}map/?lat=${data.lat}&lon=${data.lon}&zoom=16`);
      await visitor.locator('body.map-ready').waitFor();
    }
    // A tile without buildings has no file.
    assert.deepEqual(
      missing.filter((url) => !url.endsWith('.mvt')),
      [],
    );
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
