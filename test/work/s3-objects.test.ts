import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type S3Location, S3Store } from '../../src/http/s3-store.ts';
import { DirectoryStore, type ObjectStore } from '../../src/store/object-store.ts';
import { S3Objects } from '../../src/store/s3-objects.ts';
import { byStore, byThisMachine } from '../../src/work/build-by-store.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { built, fingerprints } from '../pipeline/run-build.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { skipWithoutSwift, startSwift } from '../support/swift.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Fault, faultyProxy } from './faulty-proxy.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);

/** What every store must do; `store` is empty. */
async function holds(store: ObjectStore): Promise<void> {
  const [one, other] = [randomBytes(200_000), randomBytes(10)];
  writeFileSync(at('one'), one);
  writeFileSync(at('small'), other);
  assert.equal(await store.has('a/b'), false);
  assert.equal(await store.read('a/b'), null);
  assert.equal(await store.get('a/b', at('got')), false);
  assert.deepEqual(await store.list('a/'), []);
  await store.put('c/d', at('one'), { mediaType: 'text/html', cacheControl: 'public, max-age=300', coding: 'gzip' });
  assert.ok(await store.has('c/d'));
  await store.put('a/b', at('one'));
  assert.ok(await store.has('a/b'));
  assert.ok(one.equals((await store.read('a/b'))!));
  await store.put('a/b', at('small'));
  await store.put('a/日 (1)/c', at('one'));
  assert.ok(await store.get('a/b', at('got')));
  assert.ok(other.equals(readFileSync(at('got'))));
  assert.deepEqual(await store.list('a/'), ['b', '日 (1)/']);
  await store.remove('a/日 (1)/c');
  await store.remove('a/日 (1)/c');
  assert.deepEqual(await store.list('a/'), ['b']);
}

it('a folder holds objects', () => holds(new DirectoryStore(at('store'))));

describe('a bucket', { skip: skipWithoutSwift() }, () => {
  const ends: (() => unknown)[] = [];
  let place: S3Location;
  before(async () => {
    place = await startSwift({ after: (end) => ends.push(end) });
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const through = async (prefix: string, faultOf: (number: number) => Fault): Promise<S3Objects> => {
    const endpoint = await faultyProxy({ after: (end) => ends.push(end) }, place.endpoint, faultOf);
    return new S3Objects(new S3Store({ ...place, endpoint, prefix }));
  };

  it('holds objects', () => holds(new S3Objects(new S3Store({ ...place, prefix: 'plain' }))));

  it('holds objects while every third request is refused, every fourth cut, and every fifth late', async () => {
    const fault = (i: number): Fault => (i % 3 === 0 ? 503 : i % 4 === 0 ? 'cut' : i % 5 === 0 ? 'late' : null);
    await holds(await through('faulty', fault));
  });

  it('a build by way of it gives the bytes of one without, faults or none', async () => {
    const towns = townsInSquares(2, 6);
    await writeFiles(at('city'), Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
    const whole = await built({ out: at('whole'), citygml: [at('city')] });
    const bucket = await through('build', (i) => (i % 7 === 3 ? 503 : i % 11 === 5 ? 'cut' : null));
    const store = new StepStore(bucket, null);
    const other = await built({
      out: at('other'),
      citygml: [at('city')],
      makeRunner: byStore(store, byThisMachine(store, 2)),
    });
    assert.deepEqual(await fingerprints(other.dataset), await fingerprints(whole.dataset));
  });

  it('says what is wrong with a key that it does not take', async () => {
    const store = new S3Objects(new S3Store({ ...place, secretKey: 'not-it' }));
    await assert.rejects(store.list(''), /s3:\/\/bulk: GET .*SignatureDoesNotMatch/);
  });
});
