import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { MANIFEST_FILE, type Manifest, sealedText } from '../../src/snapshot/manifest.ts';
import { fetchNewest, sendDataset } from '../../src/store/dataset-store.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Before, a store that did not answer was logged at every poll as "a newer dataset in the store is refused".
test('a store that cannot be read is named once, and so is that it can be read again', async (t) => {
  let looks = 0;
  const store = createServer((_, response) => {
    const isBroken = ++looks <= 2;
    response.statusCode = isBroken ? 400 : 200;
    response.end(isBroken ? '' : '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  }).listen(0, '127.0.0.1');
  t.after(() => store.close().closeAllConnections());
  await once(store, 'listening');
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const copies = await smallDataset(tempFolder(t));
  const from = ['--data', 's3://bucket/prefix', '--copies', copies, '--refresh', '1'];
  const place = ['--s3-endpoint', endpoint, '--s3-url-style', 'path'];
  const key = { HIDAMARI_S3_ACCESS_KEY: 'a', HIDAMARI_S3_SECRET_KEY: 'b' };
  const server = await serveCity(t, [...from, ...place], 'pipe', key);
  const said: { msg: string; reason?: string }[] = [];
  for await (const line of createInterface(server.child.stderr!)) {
    const entry = JSON.parse(line) as (typeof said)[number];
    if (/store/.test(entry.msg)) said.push(entry);
    if (entry.msg === 'the store can be read again') break;
  }
  assert.deepEqual(
    said.map(({ msg }) => msg),
    ['the store cannot be read: its copies are served', 'the store can be read again'],
  );
  assert.match(said[0]?.reason ?? '', /^s3:\/\/bucket\/prefix into .*data: .*400/);
  assert.ok(looks >= 3, `${looks} looks`);
  assert.equal(await server.stop(20), 0);
});

// Before, every poll filled the disk completely and emptied it again.
test('a dataset for which there is no room is not begun, and nothing of it stays', async (t) => {
  const data = await smallDataset(tempFolder(t));
  const [id] = readdirSync(data).filter((name) => !name.startsWith('.'));
  const store = new DirectoryStore(tempFolder(t));
  await sendDataset(store, join(data, id!), () => {});
  const path = join(store.address, 'datasets', id!, MANIFEST_FILE);
  const { seal, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  manifest.files['sunlight.store']!.bytes = 1e15;
  writeFileSync(path, sealedText(manifest, null));
  const copies = tempFolder(t);
  await assert.rejects(
    fetchNewest(store, copies),
    /^Error: no room: 1000\d+ bytes of a dataset are to come and \d+ are free/,
  );
  assert.deepEqual(readdirSync(copies), []);
});
