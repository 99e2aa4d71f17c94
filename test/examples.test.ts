import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { browserPath, startBrowser } from './site/support/browser.ts';
import { ROOT, run } from './support/run.ts';
import { generatedDataset, startSample } from './support/start-sample.ts';
import { tempFolder } from './support/temp-folder.ts';

const FOLDER = join(ROOT, 'examples');
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  mjs: 'text/javascript',
};

interface Towns {
  data: { town_code: string; name: string; ward_code: string }[];
}
interface Town {
  data: { buildings: { building_id: string; lat: number; lon: number }[] };
}
interface Floor {
  data: { faces: { face: string; months: { direct_sun_hours: number }[] }[] };
}
interface Municipalities {
  data: { municipality_code: string; services: { service_code: string }[] }[];
}
interface Table {
  data: { facilities: { name: string }[] };
  meta: { attribution: string };
}

describe('examples/', () => {
  const cleanups: (() => unknown)[] = [];
  let url: string;

  before(async () => {
    const owner = { after: (end: unknown) => void cleanups.push(end as () => unknown) };
    ({ url } = await startSample(owner, await generatedDataset(join(tempFolder(owner), 'data'))));
  });
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  /** Runs an example against the server. */
  const example = (command: string, file: string, ...words: string[]) =>
    run(command, [join(FOLDER, file), ...words], { env: { HIDAMARI_URL: url } });

  const json = async <Answer>(path: string): Promise<Answer> => (await fetch(url + path)).json() as Promise<Answer>;

  it('README.md lists every file, and no other', () => {
    const listed = [...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| \[([\w.-]+)\]/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      listed.sort(),
      readdirSync(FOLDER)
        .filter((name) => name !== 'README.md')
        .sort(),
    );
  });

  it('flat-sun.ts prints the clock times that the floor of a building has', async () => {
    const [town] = (await json<Towns>('/sunlight/towns.json')).data;
    const { code, stdout, stderr } = await example(process.execPath, 'flat-sun.ts', town?.name ?? '', '1');
    assert.equal(code, 0, stderr);
    const [, id] = /^(\S+), floor 1/.exec(stdout) ?? [];
    const { faces } = (await json<Floor>(`/api/v1/sunlight/building/${id}/floor/1`)).data;
    for (const { face, months } of faces) {
      assert.match(stdout, new RegExp(`^${face} +${months[11]?.direct_sun_hours.toFixed(2)} h`, 'm'));
    }
  });

  it('flat-sun.ts says why there is no answer', async () => {
    const { code, stderr } = await example(process.execPath, 'flat-sun.ts', '13101-bldg-99999999', '1');
    assert.equal(code, 1);
    assert.match(stderr, /There is no building 13101-bldg-99999999 in this dataset/);
  });

  it('compare_homes.py lists the homes, cheapest first', async (test) => {
    if ((await run('python3', ['--version']).catch(() => ({ code: 1 }))).code !== 0) {
      test.skip('python3 is not installed');
      return;
    }
    const places = (await json<Municipalities>('/kaigo/municipalities.json')).data;
    const place = places.find(({ services }) => services.length > 0) ?? assert.fail('no services');
    const { municipality_code, services } = place;
    const service = services[0]?.service_code ?? '';
    const words = ['compare_homes.py', municipality_code, '--service', service] as const;
    const { code, stdout, stderr } = await example('python3', ...words);
    assert.equal(code, 0, stderr);
    const path = `/api/v1/kaigo/municipality/${municipality_code}/${service}?sort=cost&care_level=3&income=standard`;
    const { data, meta } = await json<Table>(path);
    const names = stdout.trim().split('\n').slice(0, -1);
    assert.equal(names.length, data.facilities.length);
    for (const [i, { name }] of data.facilities.entries()) assert.ok(names[i]?.endsWith(name), names[i]);
    assert.ok(stdout.includes(meta.attribution));
  });

  it('ward.ts asks its questions of the Parquet file of a ward', async () => {
    const [town] = (await json<Towns>('/sunlight/towns.json')).data;
    const { code, stdout, stderr } = await example(process.execPath, 'ward.ts', town?.ward_code ?? '');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /from_m +│ buildings +│ hours/);
  });

  it('map.html draws the buildings and tells the sun of one that is pressed', async (test) => {
    const browser = browserPath();
    if (browser === null) {
      test.skip('no Chromium is installed');
      return;
    }
    const files = createServer(({ url: asked = '' }, response) => {
      const path = asked.split('?', 1).join();
      response.setHeader('Content-Type', MEDIA_TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
      createReadStream(join(ROOT, path))
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const opened = await startBrowser(browser);
    try {
      const page = await opened.newPage();
      const { port } = files.address() as AddressInfo;
      const [town] = (await json<Towns>('/sunlight/towns.json')).data;
      const { buildings } = (await json<Town>(`/api/v1/sunlight/town/${town?.town_code}/buildings`)).data;
      const building = buildings[0] ?? assert.fail('no building');
      const at = `#18/${building.lat}/${building.lon}`;
      await page.goto(`http://127.0.0.1:${port}/examples/map.html?server=${url}${at}`);
      const said = page.locator('#said', { hasText: building.building_id });
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      // Until its tile is drawn, a press finds nothing.
      for (let n = 0; n < 100 && (await said.count()) === 0; n++) {
        await page.mouse.click(width / 2, height / 2);
        await page.waitForTimeout(100);
      }
      await said.waitFor({ timeout: 5000 });
    } finally {
      await opened.close();
      files.close();
    }
  });
});
