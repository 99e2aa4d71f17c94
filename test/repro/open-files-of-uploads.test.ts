import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type S3Error, S3Store } from '../../src/http/s3-store.ts';
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
  const refusing = createServer((_, response) => {
    response.writeHead(503, { connection: 'close' }).end('<Error><Code>SlowDown</Code></Error>');
  }).listen(0, '127.0.0.1');
  const away = createServer().listen(0, '127.0.0.1');
  t.after(() => refusing.close());
  await Promise.all([once(refusing, 'listening'), once(away, 'listening')]);
  const stores = [refusing, away].map((server) => {
    const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const keys = { accessKey: 'a', secretKey: 'b' };
    return new S3Store({ endpoint, region: 'x', bucket: 'b', prefix: '', urlStyle: 'path', ...keys });
  });
  away.close();
  await once(away, 'close');
  for (const store of stores) {
    for (let i = 0; i < 3; i++) {
      const put = store.put('name', path, 'UNSIGNED-PAYLOAD', {});
      await assert.rejects(put, (error: S3Error) => error.isPassing);
    }
  }
  // The system closes a released file with a delay.
  for (let i = 0; i < 500 && timesOpen(path) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(timesOpen(path), 0);
});
