import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const unknown = Array.from({ length: 49 }, (_, i) => `13101-bldg-${9_000_000 + i}`);

/** The cost of an answer is the number of requested buildings that exist. Only long answers are cached, compressed. */
for (const found of [0, 1, 50]) {
  test(`an answer that is asked for again costs what it cost: ${found} buildings`, async (t) => {
    const { url, dataset } = await startServer(t);
    const { summaries } = dataset.sunlight!;
    dataset.sunlight!.summaries = (ids) => ({ ...summaries(ids), found });
    const costs: unknown[] = [];
    for (const coding of ['br', 'br', 'gzip', 'identity']) {
      const path = `/api/v1/sunlight/buildings?ids=${KNOWN.building},${unknown}`;
      const answer = await fetch(url + path, { headers: { 'accept-encoding': coding } });
      const { meta } = (await answer.json()) as { meta: { cost_units: number } };
      costs.push([Number(answer.headers.get('x-cost-units')), meta.cost_units]);
    }
    assert.deepEqual(
      costs,
      costs.map(() => [found, found]),
    );
  });
}
