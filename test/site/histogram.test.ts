import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogram } from '../../src/site/charts/distributions.ts';

/** The class of 6 to 8 hours was as wide as the others, and so looked twice as full. */
test('in the distribution of hours the area of a bar is the number of its buildings', () => {
  const counts = [0, 0, 0, 10, 20, 30, 60, 80];
  const drawn = String(histogram(counts, { title: '', description: '', axis: '' }));
  const bars = [...drawn.matchAll(/<rect class="bar h(\d)"[^>]* width="([\d.]+)" height="([\d.]+)"/g)];
  const areas = bars.map(([, , width, height]) => (Number(width) + 4) * Number(height));
  assert.equal(areas.length, counts.length);
  for (const [i, count] of counts.entries()) {
    assert.ok(Math.abs(areas[i]! / areas[3]! - count / 10) < 0.05, `class ${i}: ${areas[i]}`);
  }
  assert.match(drawn, />6–8</);
});
