import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BLOCK_BYTES,
  BlockCache,
  BlockChecksums,
  CheckedFile,
  DamagedFileError,
} from '../../src/formats/checked-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SIZE = 10 * BLOCK_BYTES + 100;

function makeFile(path: string, cacheBytes: number): { file: CheckedFile; bytes: Buffer } {
  const bytes = randomBytes(SIZE);
  writeFileSync(path, bytes);
  const checksums = new BlockChecksums();
  for (let at = 0; at < SIZE; at += 777) checksums.add(bytes.subarray(at, at + 777));
  const place = { cache: new BlockCache(cacheBytes), first: 5 };
  return { file: new CheckedFile(path, SIZE, checksums.finish(), place), bytes };
}

function flip(path: string, at: number): void {
  const byte = readFileSync(path)[at] as number;
  const file = openSync(path, 'r+');
  writeSync(file, Uint8Array.of(byte ^ 0x10), 0, 1, at);
  closeSync(file);
}

test('any stretch is read as it was written, whatever the cache holds', async (t) => {
  const path = join(tempFolder(t), 'file');
  for (const blocks of [1, 4, 100]) {
    const { file, bytes } = makeFile(path, blocks * BLOCK_BYTES);
    fc.assert(
      fc.property(fc.nat(SIZE), fc.nat(SIZE), (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        assert.ok(file.read(from, to).equals(bytes.subarray(from, to)));
      }),
    );
    for (const [from, to] of [
      [0, SIZE],
      [3000, 9000],
      [SIZE, SIZE],
    ] as const) {
      const pieces: Buffer[] = [];
      for await (const piece of file.stream(from, to)) pieces.push(piece);
      assert.ok(Buffer.concat(pieces).equals(bytes.subarray(from, to)));
    }
    file.close();
  }
});

test('a flipped byte is an error where it is read, and nowhere else', async (t) => {
  const path = join(tempFolder(t), 'file');
  const { file, bytes } = makeFile(path, BLOCK_BYTES);
  t.after(() => file.close());
  const at = 3 * BLOCK_BYTES + 17;
  flip(path, at);
  assert.ok(file.read(0, 3 * BLOCK_BYTES).equals(bytes.subarray(0, 3 * BLOCK_BYTES)));
  assert.ok(file.read(4 * BLOCK_BYTES, SIZE).equals(bytes.subarray(4 * BLOCK_BYTES)));
  for (const [from, to] of [
    [at, at + 1],
    [3 * BLOCK_BYTES, 3 * BLOCK_BYTES + 1],
    [0, SIZE],
  ] as const) {
    assert.throws(() => file.read(from, to), /damaged in bytes 6144 to 8191/);
  }
  await assert.rejects(async () => {
    for await (const _ of file.stream());
  }, DamagedFileError);
  flip(path, at);
  assert.ok(file.read(0, SIZE).equals(bytes), 'whole again once it is repaired');
});

test('a file that is cut while it is open is an error', (t) => {
  const path = join(tempFolder(t), 'file');
  const { file, bytes } = makeFile(path, BLOCK_BYTES);
  t.after(() => file.close());
  truncateSync(path, 5 * BLOCK_BYTES);
  assert.ok(file.read(0, 100).equals(bytes.subarray(0, 100)));
  assert.throws(() => file.read(5 * BLOCK_BYTES - 1, 5 * BLOCK_BYTES + 1), /ends at byte 10240, expected 20580 bytes/);
  assert.throws(() => new CheckedFile(path, SIZE, new Uint32Array(11)), /has 10240 bytes, expected 20580/);
});

test('bytes that are being looked at are not overwritten by a read in between', (t) => {
  const path = join(tempFolder(t), 'file');
  const { file } = makeFile(path, BLOCK_BYTES);
  t.after(() => file.close());
  assert.throws(() => file.use(0, 10, () => file.read(0, 10)), /bytes of the same cache are being looked at/);
  assert.equal(file.read(0, 10).length, 10, 'and it goes on');
  assert.throws(() => file.read(0, SIZE + 1), RangeError);
});
