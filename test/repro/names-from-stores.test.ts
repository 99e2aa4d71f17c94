import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, it } from 'node:test';
import { S3Store } from '../../src/http/s3-store.ts';
import { programDigest } from '../../src/pipeline/program.ts';
import { DirectoryStore, StoreError } from '../../src/store/object-store.ts';
import { S3Objects } from '../../src/store/s3-objects.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { StepWorker } from '../../src/work/step-worker.ts';
import { inputObject, objectOf, type StepName } from '../../src/work/steps.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);

const NAMES = ['../x', 'a/../../x', '/etc/x', 'a//x', 'a/./x', 'a\\..\\x', 'a\0x', 'a\r\nx', '..', 'x/'.repeat(600)];

// Before, `join` and `new URL` accepted every one of them.
it('a store refuses names that lead elsewhere, before it touches a disk or asks a server', async () => {
  mkdirSync(at('outer/inner'), { recursive: true });
  writeFileSync(at('outer/x'), 'x');
  const place = { region: 'r', bucket: 'b', prefix: 'p', urlStyle: 'path', accessKey: 'a', secretKey: 's' } as const;
  // No server listens there: a request would cause another kind of error.
  const endpoint = new URL('http://127.0.0.1:1');
  const bucket = new S3Objects(new S3Store({ ...place, endpoint }), 1);
  for (const store of [new DirectoryStore(at('outer/inner')), bucket]) {
    for (const name of NAMES) {
      const asked = [
        () => store.has(name),
        () => store.read(name),
        () => store.get(name, at('got')),
        () => store.put(name, at('outer/x')),
        () => store.remove(name),
        () => store.list(`${name}/`),
      ];
      for (const ask of asked) {
        await assert.rejects(
          ask,
          (error: Error) => error instanceof StoreError && /is not a valid object name/.test(error.message),
        );
      }
    }
  }
  assert.ok(existsSync(at('outer/x')) && !existsSync(at('got')));
});

// Before, the first wrote a file outside --cache under a name from the store, and the second removed a folder.
it('a worker takes keys for what they are, from the store and from the queue', async () => {
  const store = new StepStore(new DirectoryStore(at('store')), null);
  const worker = new StepWorker(store, at('work/cache'), 1, programDigest());
  try {
    mkdirSync(at('victim'));
    writeFileSync(at('victim/file'), 'x');
    const keys = ['../../../victim', `${'a'.repeat(63)}/`, 'A'.repeat(64), '', ['a'.repeat(64)]] as string[];
    for (const key of keys) await assert.rejects(worker.do({ step: 'read', key }), /is no key of a step/);
    await assert.rejects(worker.do({ step: '../victim' as 'read', key: 'a'.repeat(64) }), /a step has no file/);
    const program = programDigest();
    const hostile = { step: 'read', program, label: 'x', sha256: '../../../../pwned/authorized_keys' };
    const text = JSON.stringify(hostile);
    const read: StepName = { step: 'read', key: hash('sha256', text) };
    await store.putMade(objectOf(read, 'task'), at('made'), async (path) => writeFileSync(path, text));
    await assert.rejects(worker.do(read), /is no key of a step/);
    // The task of another step, under the name of this one.
    const other: StepName = { step: 'read', key: 'b'.repeat(64) };
    await store.putMade(objectOf(other, 'task'), at('made'), async (path) => writeFileSync(path, text));
    await assert.rejects(worker.do(other), /is the task of another step/);
    const portion = { read: 'c'.repeat(64), square: '../../../x', drop: [], joins: [] };
    const merge = JSON.stringify({ step: 'merge', program, square: '53393548', towns: null, portions: [portion] });
    const name: StepName = { step: 'merge', key: hash('sha256', merge) };
    await store.putMade(objectOf(name, 'task'), at('made'), async (path) => writeFileSync(path, merge));
    await assert.rejects(worker.do(name), /a step has no file/);
  } finally {
    await worker.close();
  }
  assert.deepEqual(readdirSync(at('victim')), ['file']);
  assert.ok(!readdirSync(dirname(at('store'))).includes('pwned'));
  assert.throws(() => inputObject('x'), /is no key of a step/);
});
