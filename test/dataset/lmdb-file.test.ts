import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { beginReading, KeyOrderError, openLmdbFile, valueAt, writeLmdbFile } from '../../src/formats/lmdb-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Bytes of a key and its value; 8,192 entries fill a transaction. */
const ENTRY_BYTES = 1024;
const FULL = 8192;
/** More than one transaction takes. */
const MANY = 2 * FULL + 1;
const keyOf = (n: number): Buffer => Buffer.from(`k${String(n).padStart(6, '0')}`);

function* entries(count: number): Generator<readonly [Buffer, Uint8Array]> {
  for (let n = 0; n < count; n++) yield [keyOf(n), new Uint8Array(ENTRY_BYTES - 7).fill(n)];
}

test('the same entries give the same bytes, however many transactions they take, and every one is found', async (t) => {
  const folder = tempFolder(t);
  const [one, other] = [join(folder, 'one.mdb'), join(folder, 'other.mdb')];
  await writeLmdbFile(one, entries(MANY));
  await writeLmdbFile(other, entries(MANY));
  assert.ok(readFileSync(one).equals(readFileSync(other)));
  const file = openLmdbFile(one);
  t.after(() => file.close());
  assert.equal(file.getKeysCount(), MANY);
  const reading = beginReading(file);
  for (const [key, value] of entries(MANY)) assert.deepEqual(Uint8Array.from(valueAt(file, key, reading)!), value);
  reading.transaction.done();
});

test('a key out of order is refused, also where a transaction begins', async (t) => {
  const path = join(tempFolder(t), 'bad.mdb');
  for (const count of [3, FULL, 2 * FULL]) {
    function* bad(): Generator<readonly [Buffer, Uint8Array]> {
      yield* entries(count);
      yield [keyOf(count - 1), new Uint8Array(1)];
    }
    await assert.rejects(writeLmdbFile(`${path}${count}`, bad()), KeyOrderError);
  }
});
