import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cityGml } from '../../samples/citygml.ts';
import { sampleTown } from '../../samples/town.ts';
import type { Building } from '../../src/plateau/building.ts';
import { BuildingReader } from '../../src/plateau/reader.ts';
import { readAll } from './read-all.ts';

const buildings = sampleTown();
const documents = [buildings.slice(0, 12), buildings.slice(12, 30)].map((some) => Buffer.from(cityGml(some)));

describe('two readers in one thread', () => {
  it('that take turns over one reused buffer give what each gives alone', () => {
    const alone = documents.map((bytes) => readAll(bytes).buildings);
    const turns = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 4, maxLength: 60 });
    fc.assert(
      fc.property(turns, (sizes) => {
        assert.deepEqual(readInTurns(sizes), alone);
      }),
      process.env.SEED ? { numRuns: 20, seed: Number(process.env.SEED) } : { numRuns: 20 },
    );
  });
});

/** Feeds both documents by pieces of the given sizes, each through the same buffer, which is wiped after every call. */
function readInTurns(sizes: number[]): Building[][] {
  const found: Building[][] = documents.map(() => []);
  const readers = documents.map(
    (_, i) => new BuildingReader('test.gml', { building: (one) => found[i].push(one), issue: () => {} }),
  );
  const buffer = Buffer.alloc(Math.max(...sizes));
  const at = documents.map(() => 0);
  for (let turn = 0; documents.some((bytes, i) => at[i] < bytes.length); turn++) {
    const i = turn % documents.length;
    const piece = documents[i].subarray(at[i], at[i] + sizes[turn % sizes.length]);
    buffer.set(piece);
    readers[i].feed(buffer.subarray(0, piece.length));
    buffer.fill(0);
    at[i] += piece.length;
  }
  for (const reader of readers) reader.end();
  return found;
}
