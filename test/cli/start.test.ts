import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { examplesOf } from '../../src/contract/operation.ts';
import type { SearchResults } from '../../src/contract/operations/search.ts';
import { fillPath } from '../../src/contract/parameter.ts';
import { BuildingSummary } from '../../src/contract/sunlight-shapes.ts';
import { tokyoExample } from '../support/example.ts';
import { landingUrls } from '../support/landing-urls.ts';
import { ROOT } from '../support/run.ts';
import { startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

/** Seconds since 1970: the day on which prices change has begun in Japan, and not yet in UTC. */
const MIDNIGHT_IN_JAPAN = Date.parse('2026-07-31T15:00:00Z') / 1000;

/** README.md shows what the sample really answers. */
async function assertReadme(url: string): Promise<void> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^\$ curl -s '?(http:\S+?)'? \| jq (\S+)\n([\s\S]*?)\n```/gm)];
  assert.ok(examples.length >= 4);
  for (const [, target = '', path = '', shown = ''] of examples) {
    const response = await fetch(target.replace('http://127.0.0.1:8080', url));
    let value: unknown = await response.json();
    for (const key of path.match(/\w+/g) ?? []) value = (value as Record<string, unknown>)[key];
    assert.deepEqual(JSON.parse(shown), value, `${target} ${path}`);
  }
}

/** What the contract and the texts for models show is in the sample. */
async function assertExamples(url: string): Promise<void> {
  const ask = async (path: string) => (await fetch(url + path)).json() as Promise<{ data: unknown }>;
  for (const operation of OPERATIONS.filter(({ section }) => section !== 'site')) {
    for (const example of examplesOf(operation)) {
      const target = fillPath(operation.path, example);
      const { status } = await fetch(url + target);
      assert.equal(status, operation.isOptional ? 501 : 200, target);
    }
  }
  const { building_id } = tokyoExample(BuildingSummary);
  assert.deepEqual((await ask(`/api/v1/sunlight/building/${building_id}`)).data, tokyoExample(BuildingSummary));
  const found = (await ask('/api/v1/search?q=%E7%A5%9E%E7%94%B0%E5%8F%B8%E7%94%BA&kind=town')).data;
  assert.equal((found as SearchResults).count, 1);
  const text = await (await fetch(`${url}/llms-full.txt`)).text();
  for (const [, link = ''] of text.matchAll(/^Try: (\S+)$/gm)) {
    if (!link.includes('/point?')) assert.equal((await fetch(link)).status, 200, link);
  }
}

describe('hidamari start', () => {
  it('builds the sample once, serves it, and every URL it prints and README shows answers; the time is SOURCE_DATE_EPOCH, the prices those of the day in Japan', async (t) => {
    const data = join(tempFolder(t), 'data');
    const first = await startSample(t, data, {
      SOURCE_DATE_EPOCH: String(MIDNIGHT_IN_JAPAN),
      HIDAMARI_RATE_LIMIT: 'off',
    });
    assert.deepEqual(
      first.remarks.map((line) => JSON.parse(line).msg),
      ['Building the bundled sample (once) …'],
    );
    const { pages } = first;
    const urls = [...pages, ...(await landingUrls(first.url))];
    for (const section of ['/api/v1/sunlight/', '/api/v1/kaigo/'])
      assert.ok(
        urls.some((url) => url.includes(section)),
        section,
      );
    for (const url of urls) {
      const response = await fetch(url);
      const body = await response.text();
      assert.equal(response.status, 200, `${url}: ${body}`);
      if (pages.includes(url) || !url.includes('/api/v1/') || url.includes('/bulk/')) continue;
      // GeoJSON has no `data`.
      const { data: answer = {}, meta } = JSON.parse(body);
      assert.equal(meta.generated_at, '2026-07-31T15:00:00Z');
      for (const { cost_estimate } of answer.services ?? []) assert.equal(cost_estimate.price_list, '2026-08-01', url);
      if (answer.count !== undefined) assert.ok(answer.count > 0, url);
      if (answer.total !== undefined) assert.ok(answer.total > 0, url);
    }
    await assertExamples(first.url);
    assert.equal(await first.stop(), 0);

    // The same dataset: building it once more takes longer than all else here.
    const datasets = readdirSync(data).filter((name) => !name.startsWith('.'));
    const second = await startSample(t, data);
    assert.deepEqual(second.remarks, []);
    assert.equal(second.dataset, first.dataset);
    await assertReadme(second.url);
    assert.deepEqual(
      readdirSync(data).filter((name) => !name.startsWith('.')),
      datasets,
    );
    assert.equal(await second.stop(), 0);
  });
});
