import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SharedMemory } from '../../src/sunlight/shared-memory.ts';

const TYPES = [Uint8Array, Uint32Array, Float64Array];

test('arrays in a room are copies that do not write over each other, in few blocks', () => {
  const some = fc.record({ type: fc.constantFrom(...TYPES), numbers: fc.array(fc.nat(255), { maxLength: 50 }) });
  fc.assert(
    fc.property(fc.array(some, { minLength: 1, maxLength: 40 }), (asked) => {
      const room = new SharedMemory();
      const arrays = asked.map(({ type, numbers }) => type.from(numbers));
      const copies = arrays.map((array) => room.copyOf<Uint8Array | Uint32Array | Float64Array>(array));
      assert.deepEqual(copies, arrays);
      const blocks = new Set(copies.filter(({ length }) => length > 0).map(({ buffer }) => buffer));
      assert.ok(blocks.size <= 1 && [...blocks].every((block) => block instanceof SharedArrayBuffer));
    }),
  );
});

test('what does not fit a block lies in another', () => {
  const room = new SharedMemory();
  const small = room.array(Uint32Array, 3).fill(7);
  const large = room.array(Float64Array, 9 << 20);
  assert.notEqual(small.buffer, large.buffer);
  assert.equal(large.length, 9 << 20);
  assert.deepEqual([...small], [7, 7, 7]);
});
