import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { BlockCache, BlockChecksums, CheckedFile } from '../../src/formats/checked-file.ts';
import { SortedFile, writeSortedFile } from '../../src/formats/sorted-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const keys = fc.oneof(
  fc.uint8Array({ minLength: 0, maxLength: 6 }),
  fc.nat(3000).map((n) => Buffer.from(`b13101-bldg-${n}`)),
  fc.nat(200).map((n) => Buffer.from(`${'long'.repeat(n)}`)),
);
/** Entries in order, each key once; enough for several pages. */
const entries = fc
  .array(fc.tuple(keys, fc.uint8Array({ maxLength: 40 })), { maxLength: 300, size: 'max' })
  .map((all) => [...new Map(all.map((entry) => [Buffer.from(entry[0]).toString('hex'), entry])).entries()])
  .map((all) => all.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry));

test('every entry is found by its key, and no other; ranges give them in order', async (t) => {
  const folder = tempFolder(t);
  let n = 0;
  await fc.assert(
    fc.asyncProperty(entries, fc.array(keys), keys, keys, async (all, others, start, end) => {
      const path = join(folder, `${n++}`);
      await writeSortedFile(path, all);
      const file = await CheckedFile.asItIs(path);
      const sorted = new SortedFile(file);
      assert.equal(sorted.count, all.length);
      const known = new Map(all.map(([key, value]) => [Buffer.from(key).toString('hex'), value]));
      for (const key of [...all.map(([key]) => key), ...others]) {
        const expected = known.get(Buffer.from(key).toString('hex'));
        assert.deepEqual(sorted.get(key), expected && Buffer.from(expected));
        assert.equal(
          sorted.use(key, ({ length }) => length),
          expected?.length,
        );
      }
      const within = all.filter(([key]) => Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0);
      assert.deepEqual(
        [...sorted.range(start, end)],
        within.map((entry) => entry.map((bytes) => Buffer.from(bytes))),
      );
      file.close();
    }),
    { numRuns: 60 },
  );
});

/** More than is written at a time. */
function* many(): Generator<readonly [Buffer, Uint8Array]> {
  for (let n = 0; n < 3000; n++) yield [Buffer.from(`k${String(n).padStart(6, '0')}`), new Uint8Array(1017).fill(n)];
}

test('the same entries give the same bytes', async (t) => {
  const folder = tempFolder(t);
  await writeSortedFile(join(folder, 'one'), many());
  await writeSortedFile(join(folder, 'other'), many());
  assert.ok(readFileSync(join(folder, 'one')).equals(readFileSync(join(folder, 'other'))));
});

test('a key out of order is refused', async (t) => {
  const path = join(tempFolder(t), 'bad');
  await assert.rejects(writeSortedFile(path, [...many(), [Buffer.from('k000001'), new Uint8Array(1)]]), RangeError);
  await assert.rejects(
    writeSortedFile(path, [
      [Buffer.from('a'), new Uint8Array(1)],
      [Buffer.from('a'), new Uint8Array(1)],
    ]),
    /key "a" comes after "a": keys must ascend/,
  );
});

test('two files that share a small cache, read in turn, give their own values', async (t) => {
  const folder = tempFolder(t);
  const cache = new BlockCache(20_000);
  let first = 0;
  const open = async (name: string, fill: number) => {
    const path = join(folder, name);
    await writeSortedFile(
      path,
      Array.from(many(), ([key, value]) => [key, value.map((byte) => byte + fill)] as const),
    );
    const checksums = new BlockChecksums();
    const bytes = readFileSync(path);
    checksums.add(bytes);
    const blocks = checksums.finish();
    const file = new CheckedFile(path, bytes.length, blocks, { cache, first });
    first += blocks.length;
    t.after(() => file.close());
    return new SortedFile(file);
  };
  const [one, other] = [await open('one', 1), await open('other', 2)];
  let seed = 1;
  for (let i = 0; i < 2000; i++) {
    seed = (seed * 48271) % 0x7fffffff;
    const n = seed % 3000;
    const key = Buffer.from(`k${String(n).padStart(6, '0')}`);
    assert.deepEqual(one.get(key), Buffer.alloc(1017, n + 1));
    assert.deepEqual(other.get(key), Buffer.alloc(1017, n + 2));
  }
});
