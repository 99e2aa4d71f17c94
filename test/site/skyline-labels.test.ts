import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Mark, type Place, skylineLabels } from '../../src/site/charts/skyline-labels.ts';

const HORIZON = 254;
/** Coordinates are rounded to tenths. */
const ROUNDING = 0.1;

const block = (name: string, from: number, to: number, top: number) => ({
  name,
  edge: [
    [from, top],
    [to, top],
  ] as Place[],
});

const sides = ({ x, y, width, height }: Mark) => ({
  left: x - width / 2 + ROUNDING,
  right: x + width / 2 - ROUNDING,
  top: y - height / 2 + ROUNDING,
  bottom: y + height / 2 - ROUNDING,
});

function overlap(a: Mark, b: Mark): boolean {
  const [one, other] = [sides(a), sides(b)];
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

it('a name stands on its own building: level where there is room, else along its height, else nowhere', () => {
  const skyline = [
    block('wide-building', 30, 160, 120),
    block('tall-building', 160, 180, 60),
    block('small-building', 180, 190, 240),
  ];
  const labels = skylineLabels(skyline, HORIZON, []);
  assert.deepEqual(
    labels.map(({ name, isUpright }) => [name, isUpright]),
    [
      ['wide-building', false],
      ['tall-building', true],
    ],
  );
});

it('no name covers another, a mark or what is not its building, and a building has one name', () => {
  const skyline = fc.array(fc.array(fc.integer({ min: 20, max: 240 }), { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 8,
  });
  const mark = fc.record({
    x: fc.integer({ min: 30, max: 370 }),
    y: fc.integer({ min: 30, max: 250 }),
    width: fc.constant(16),
    height: fc.constant(12),
  });
  fc.assert(
    fc.property(skyline, fc.array(mark, { maxLength: 20 }), (tops, marks) => {
      const silhouettes = tops.map((edge, i) => ({
        name: `bldg-${i % 6}`,
        edge: edge.map((top, k): Place => [30 + i * 40 + k * 10, top]),
      }));
      const labels = skylineLabels(silhouettes, HORIZON, marks);
      assert.equal(new Set(labels.map(({ name }) => name)).size, labels.length);
      for (const [i, label] of labels.entries()) {
        assert.ok(![...marks, ...labels.slice(0, i)].some((other) => overlap(label, other)));
        const { left, right, top, bottom } = sides(label);
        const owner = silhouettes.find(
          ({ name, edge: [[from]] }) => name === label.name && from <= left && from + 40 >= right,
        );
        assert.ok(owner !== undefined && bottom <= HORIZON);
        for (const [x, y] of owner.edge) if (x > left && x < right) assert.ok(y <= top);
      }
    }),
  );
});
