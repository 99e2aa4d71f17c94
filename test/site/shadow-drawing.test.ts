import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import type { ShadowStudy } from '../../src/contract/operations/sunlight-shadow.ts';
import { shadowChart } from '../../src/site/charts/shadow-chart.ts';
import { landingUrls } from '../support/landing-urls.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const WIDTH = 720;
const SMALL = 12.5;

it('a building alone in the query gives the drawing with the lines of shadow.geojson', async (t) => {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const example = (await landingUrls(url)).find((one) => /\/building\/\S+$/.test(one)) ?? assert.fail('no example');
  const query = `building_id=${example.split('/').at(-1)}`;
  const response = await fetch(`${url}/sunlight/shadow.svg?${query}`);
  assert.equal(response.headers.get('content-type')?.split(';')[0], 'image/svg+xml');
  const drawn = await response.text();
  const study = (await (await fetch(`${url}/api/v1/sunlight/shadow.geojson?${query}`)).json()) as ShadowStudy;
  const lines = study.features.filter(({ properties }) => properties.kind === 'hours');
  assert.equal(drawn.split('class="hour-line"').length - 1, lines.length);
});

it('no note under the drawing is wider than it', () => {
  const ring = [
    [139.76, 35.72],
    [139.761, 35.72],
    [139.761, 35.721],
    [139.76, 35.72],
  ];
  const site = { properties: { kind: 'site' }, geometry: { type: 'MultiPolygon', coordinates: [[ring]] } };
  const words = { title: '', description: '', north: '北', metres: String, hours: String };
  const study = { features: [site] } as unknown as ShadowStudy;
  const drawn = String(shadowChart(study, [], { ...words, notes: ['影'.repeat(200)] }));
  const notes = [...drawn.matchAll(/<text class="([^"]*)" x="(\d+)"[^>]*>(影+)</g)];
  assert.equal(
    notes.reduce((sum, [, , , text]) => sum + text!.length, 0),
    200,
  );
  for (const [, size, x, text] of notes) {
    assert.equal(size, 'small');
    assert.ok(Number(x) + text!.length * SMALL <= WIDTH, text);
  }
});
