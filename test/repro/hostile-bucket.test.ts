import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { bulkInFolder } from '../../src/api/bulk-files.ts';
import { S3Store } from '../../src/http/s3-store.ts';
import { type Manifest, MOST_MANIFEST_BYTES, readManifest, sealedText } from '../../src/snapshot/manifest.ts';
import { fetchNewest } from '../../src/store/dataset-store.ts';
import { S3Objects } from '../../src/store/s3-objects.ts';
import { fakeBucket } from '../support/fake-bucket.ts';
import { smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder({ after });
let dataset: string;
let good: Manifest;

before(async () => {
  const data = await smallDataset(join(folder, 'made'));
  dataset = join(data, readdirSync(data).find((name) => !name.startsWith('.')) ?? '');
  good = await readManifest(dataset);
});

type Answer = (object: string | null, response: ServerResponse, url: URL) => void;

/** A bucket that an attacker controls. `answer` handles requests for lists (null) and for objects below `datasets/`. */
async function bucketOf(test: { after(fn: () => unknown): unknown }, answer: Answer): Promise<S3Objects> {
  const place = await fakeBucket(test, (request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const object = url.searchParams.has('list-type')
      ? null
      : decodeURIComponent(url.pathname.split('/datasets/')[1] ?? '');
    answer(
      object,
      response.on('error', () => {}),
      url,
    );
  });
  return new S3Objects(new S3Store(place), 1);
}

const listOf = (names: string[], more = ''): string =>
  `<L>${names.map((name) => `<Prefix>datasets/${encodeURIComponent(name)}</Prefix>`).join('')}${more}</L>`;

const copies = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};

/** Writes as long as the client reads; `sent` counts the bytes. */
function writeForEver(response: ServerResponse, sent: { bytes: number }): void {
  const chunk = Buffer.alloc(2 ** 16, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) sent.bytes += chunk.length;
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

// Before, the process held all received bytes.
for (const [what, length] of [
  ['that says its length', String(2 ** 40)],
  ['that says no length', null],
] as const) {
  it(`a manifest without an end ${what} is not read`, async (t) => {
    const sent = { bytes: 0 };
    const bucket = await bucketOf(t, (object, response) => {
      if (object === null) return response.end(listOf(['0123456789abcdef/']));
      response.writeHead(200, length === null ? {} : { 'content-length': length });
      writeForEver(response, sent);
    });
    const { refused } = await fetchNewest(bucket, copies(`endless-${length}`));
    assert.match(refused.join(), /has (1099511627776|more than 33554432) bytes; at most 33554432 are read/);
    assert.ok(sent.bytes < 2 * MOST_MANIFEST_BYTES, `${sent.bytes} bytes`);
  });
}

// Before, the whole poll failed: the length was taken as 0.
it('what comes without its length is read, and compared as all is', async (t) => {
  const bucket = await bucketOf(t, (object, response) => {
    if (object === null) return response.end(listOf([`${good.dataset_id}/`]));
    const [, name = ''] = object.split(`${good.dataset_id}/`);
    if (!existsSync(join(dataset, name))) return response.writeHead(404).end();
    response.write(readFileSync(join(dataset, name)).subarray(0, 1));
    return response.end(readFileSync(join(dataset, name)).subarray(1));
  });
  const { datasetId, refused } = await fetchNewest(bucket, copies('chunked'));
  assert.deepEqual([datasetId, refused], [good.dataset_id, []]);
});

// Before, the client read forever.
it('a list without an end is an error: of names, of pages and of a page', async (t) => {
  let pages = 0;
  const names = await bucketOf(t, (_, response) => {
    const own = Array.from({ length: 1000 }, (_, i) => `${pages}-${i}/`);
    response.end(listOf(own, `<NextContinuationToken>${++pages}</NextContinuationToken>`));
  });
  await assert.rejects(names.list('datasets/'), /the list has no end: 11000 names on 11 pages/);
  const empty = await bucketOf(t, (_, response) =>
    response.end(listOf([], '<NextContinuationToken>again</NextContinuationToken>')),
  );
  await assert.rejects(empty.list('datasets/'), /the list has no end: 0 names on 100 pages/);
  const sent = { bytes: 0 };
  const page = await bucketOf(t, (_, response) => writeForEver(response, sent));
  await assert.rejects(page.list('datasets/'), /the answer has more than 8388608 bytes/);
  const refusal = await bucketOf(t, (_, response) => {
    response.statusCode = 403;
    writeForEver(response, sent);
  });
  await assert.rejects(refusal.list('datasets/'), /the store answers 403/);
});

// Before, the first one ended the process: the ID was put into a header by --purge-tags.
it('a manifest whose ID, time or files are of no such form is refused before they are used', async (t) => {
  const id = '0123456789abcdef';
  const forms: [object, RegExp][] = [
    [{ dataset_id: 'x\r\nset-cookie: a=b' }, /"x\\r\\nset-cookie: a=b" is no dataset_id/],
    [{ dataset_id: '../../x' }, /"\.\.\/\.\.\/x" is no dataset_id/],
    [{ dataset_id: ['a'] }, /dataset_id is no string/],
    [{ generated_at: '2026-01-01T00:00:00Z\r\nx: y' }, /is no time/],
    [{ files: { '../x': { bytes: 1, sha256: '0'.repeat(64) } } }, /a file outside the dataset/],
    [{ files: { 'manifest.json': { bytes: 1, sha256: '0'.repeat(64) } } }, /a file outside the dataset/],
    [
      { files: { a: { bytes: 1, sha256: '0'.repeat(64) }, 'a/b': { bytes: 1, sha256: '0'.repeat(64) } } },
      /a file in a folder that is a file: a\/b/,
    ],
    [{ files: { a: { bytes: -1, sha256: '0'.repeat(64) } } }, /has no bytes/],
  ];
  for (const [i, [change, complaint]] of forms.entries()) {
    const { seal: _, ...members } = { ...good, dataset_id: id, ...change };
    const bucket = await bucketOf(t, (object, response) => {
      if (object === null) response.end(listOf([`${id}/`, 'x\r\ny/', '../', '../../etc/']));
      else
        response
          .setHeader('content-length', Buffer.byteLength(sealedText(members, null)))
          .end(sealedText(members, null));
    });
    const place = copies(`form-${i}`);
    const { datasetId, refused } = await fetchNewest(bucket, place);
    assert.deepEqual([datasetId, readdirSync(place)], [null, []]);
    assert.match(refused.join('\n'), complaint);
    assert.ok(
      refused.every((line) => !/[\r\n]/.test(line)),
      refused.join('\n'),
    );
  }
});

// Before, the second one was copied and never compared with the first.
it('a manifest that is another when it is copied is refused', async (t) => {
  let reads = 0;
  const { seal: _, ...members } = good;
  const bucket = await bucketOf(t, (object, response) => {
    if (object === null) return response.end(listOf([`${good.dataset_id}/`]));
    const isManifest = object.endsWith('manifest.json');
    const body = isManifest
      ? Buffer.from(sealedText({ ...members, program_version: `0.0.${++reads}` }, null))
      : readFileSync(join(dataset, object.slice(good.dataset_id.length + 1)));
    response.setHeader('content-length', body.length).end(body);
  });
  const place = copies('changed');
  const { datasetId, refused } = await fetchNewest(bucket, place);
  assert.deepEqual([datasetId, readdirSync(place), reads], [null, [], 2]);
  assert.match(refused.join(), /has changed since it was looked at/);
});

// Before, it filled the disk.
it('a file that is longer than its manifest says is not copied', async (t) => {
  const sent = { bytes: 0 };
  const bucket = await bucketOf(t, (object, response) => {
    if (object === null) return response.end(listOf([`${good.dataset_id}/`]));
    const body = readFileSync(join(dataset, 'manifest.json'));
    if (object.endsWith('manifest.json')) return response.setHeader('content-length', body.length).end(body);
    response.writeHead(200, { 'content-length': 2 ** 40 });
    return writeForEver(response, sent);
  });
  const { datasetId, refused } = await fetchNewest(bucket, copies('long'));
  assert.equal(datasetId, null);
  assert.match(refused.join(), /has 1099511627776 bytes; at most \d+ are read: is not the file of the manifest/);
  assert.ok(sent.bytes < 2 ** 24, `${sent.bytes} bytes`);
});

// Before, the signature was not checked.
it('a download of a dataset that is not served is given only where its manifest is signed, if it must be', async () => {
  const code = Object.keys(good.files).flatMap((name) => /^bulk\/sunlight\/(\w+)\.parquet$/.exec(name)?.[1] ?? [])[0];
  assert.ok(code !== undefined);
  const find = (trusted: KeyObject | null) =>
    bulkInFolder(dirname(dataset), trusted)(good.dataset_id, 'sunlight', code);
  assert.ok((await find(null)) !== null);
  assert.equal(await find(generateKeyPairSync('ed25519').publicKey), null);
});
