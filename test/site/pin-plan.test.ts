import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pinPlan } from '../../src/site/charts/pin-plan.ts';

const WORDS = { title: '', description: '', north: '', metres: (metres: number) => `${metres} m` };
/** Half the side of a plan. */
const HALF = 220;

test('pins of a plan do not cover each other, a line leads to the place of each, and circles are whole', () => {
  // Six homes in two houses and one alone, 1,700 m away: the circle of 2 km is as near as its edge.
  const places = [...Array(3).fill([300, 300]), ...Array(3).fill([310, 300]), [-1700, 20]] as [number, number][];
  const pins = places.map((place, i) => ({ number: i + 1, place, label: '', title: '', href: `#${i}` }));
  const plan = String(pinPlan(pins, [], { hasMiddle: true, leastM: 300 }, WORDS));
  const drawn = [...plan.matchAll(/class="pin" cx="([\d.]+)" cy="([\d.]+)" r="(\d+)"/g)].map((one) =>
    one.slice(1).map(Number),
  );
  assert.equal(drawn.length, pins.length);
  for (const [i, [x = 0, y = 0, radius = 0]] of drawn.entries()) {
    for (const [otherX = 0, otherY = 0] of drawn.slice(i + 1))
      assert.ok(Math.hypot(x - otherX, y - otherY) >= 2 * radius, `${x} ${y} and ${otherX} ${otherY}`);
  }
  assert.equal(plan.match(/<path class="leader"/g)?.length, 5);
  const rings = [...plan.matchAll(/class="ring"[^>]* r="([\d.]+)"/g)].map(([, radius]) => Number(radius));
  assert.ok(rings.length > 2 && rings.every((radius) => radius < HALF), String(rings));
  assert.match(plan, />2000 m</);
});
