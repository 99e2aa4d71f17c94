import assert from 'node:assert/strict';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type S3Error, S3Store } from '../../src/http/s3-store.ts';
import { fakeBucket } from '../support/fake-bucket.ts';
import { freePort } from '../support/free-port.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DESCRIPTORS = '/proc/self/fd';

/** Number of times that this process has a file open. */
function timesOpen(path: string): number {
  const target = (descriptor: string): string | null => {
    try {
      return readlinkSync(join(DESCRIPTORS, descriptor));
    } catch {
      return null;
    }
  };
  return readdirSync(DESCRIPTORS).filter((descriptor) => target(descriptor) === path).length;
}

// When `fetch` did not read a stream to its end, its file stayed open. A store that is unreachable for a night used up
// all descriptors.
test('no file stays open after uploads without a connection, or refused before they were read', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const path = join(tempFolder(t), 'large');
  writeFileSync(path, Buffer.alloc(30_000_000));
  const refusing = await fakeBucket(t, (_, response) => {
    response.writeHead(503, { connection: 'close' }).end('<Error><Code>SlowDown</Code></Error>');
  });
  const away = { ...refusing, endpoint: new URL(`http://127.0.0.1:${await freePort()}`) };
  const stores = [refusing, away].map((place) => new S3Store(place));
  for (const store of stores) {
    for (let i = 0; i < 3; i++) {
      const put = store.put('name', path, 'UNSIGNED-PAYLOAD', {});
      await assert.rejects(put, (error: S3Error) => error.isTemporary);
      assert.equal(timesOpen(path), 0);
    }
  }
});
