import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { Spill, sortedOnDisk } from '../../src/formats/spill.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Adds entries to a spill and reads its groups. */
function sorted(path: string, entries: Iterable<readonly [number, Uint8Array]>): [number, string][] {
  const spill = new Spill(path);
  try {
    for (const [key, bytes] of entries) spill.add(key, bytes);
    return Array.from(spill.groups(), ([key, bytes]) => [key, Buffer.from(bytes).toString('hex')]);
  } finally {
    spill.close();
  }
}

/** The same in memory. */
function expected(entries: Iterable<readonly [number, Uint8Array]>): [number, string][] {
  const groups = new Map<number, string>();
  for (const [key, bytes] of entries) groups.set(key, (groups.get(key) ?? '') + Buffer.from(bytes).toString('hex'));
  return [...groups].sort(([a], [b]) => a - b);
}

test('entries come out by key, those of one key in the order in which they came', (t) => {
  const path = join(tempFolder(t), 'cells');
  const entry = fc.tuple(
    fc.integer({ min: 0, max: 2 ** 40 }).map((n) => n % 50),
    fc.uint8Array({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
      assert.deepEqual(sorted(path, entries), expected(entries));
    }),
  );
});

test('more than one run, groups that are spread over runs and over windows, an entry larger than all', (t) => {
  const path = join(tempFolder(t), 'cells');
  const entries: [number, Uint8Array][] = [];
  for (let i = 0; i < 30_000; i++) entries.push([(i * 7919) % 1009, new Uint8Array(600 + (i % 500)).fill(i)]);
  entries.push([1e12, new Uint8Array(9 << 20).fill(7)], [5, new Uint8Array(1)]);
  assert.deepEqual(sorted(path, entries), expected(entries));
});

test('entries of a sorted file come out in the order of their keys, equal ones once, and the file goes', (t) => {
  const path = join(tempFolder(t), 'entries');
  const byte = fc.constantFrom(0, 0x61, 0xff);
  const key = fc.array(byte, { maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('hex'));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), (keys) => {
      const entries = keys.map((hex) => [Buffer.from(hex, 'hex'), Buffer.from(`of ${hex}`)] as const);
      const found = Array.from(sortedOnDisk(path, entries), ([one, value]) => [one.toString('hex'), String(value)]);
      const expected = [...new Set(keys)].sort().map((hex) => [hex, `of ${hex}`]);
      assert.deepEqual(found, expected);
      assert.equal(existsSync(path), false);
    }),
  );
});
