import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { FileLock } from '../../src/formats/file-lock.ts';
import { BuildError, BuildFolder, keepBuildsAway } from '../../src/pipeline/build-folder.ts';
import { onOwnDisk } from '../support/own-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';

const LOCK_MODULE = JSON.stringify(new URL('../../src/formats/file-lock.ts', import.meta.url));
/** Takes the lock when it reads a line, prints the result, and keeps the lock until it reads another line. */
const TAKER = `import { FileLock } from ${LOCK_MODULE};
  import { createInterface } from 'node:readline';
  let lock;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'take') console.log((lock = FileLock.take(process.argv[1])) === null ? 'busy' : 'taken');
    else { lock?.release(); console.log('free'); }
  }`;

function taker(t: { after(fn: () => unknown): void }, path: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TAKER, path]);
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    return String((await lines.next()).value);
  };
  return { child, ask };
}

test('of two that take a stale lock at once, one has it; 25 times', async (t) => {
  const folder = tempFolder(t);
  const [path, stale] = [join(folder, 'lock'), '4194999'];
  const [a, b] = [taker(t, path), taker(t, path)];
  for (let i = 0; i < 25; i++) {
    writeFileSync(path, stale);
    const found = (await Promise.all([a.ask('take'), b.ask('take')])).sort();
    assert.deepEqual(found, ['busy', 'taken']);
    await Promise.all([a.ask('free'), b.ask('free')]);
  }
});

test('a lock goes with the process that had it', async (t) => {
  const path = join(tempFolder(t), 'lock');
  const { child, ask } = taker(t, path);
  assert.equal(await ask('take'), 'taken');
  assert.equal(FileLock.take(path), null);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = FileLock.take(path);
  assert.ok(lock);
  lock.release();
});

test('a lock file that is half written, or names this very process, blocks nobody', async (t) => {
  for (const text of ['', '12', '\0\0\0\0', String(process.pid), 'x'.repeat(4096)]) {
    const data = tempFolder(t);
    mkdirSync(join(data, '.build'));
    writeFileSync(join(data, '.build', 'lock'), text);
    const folder = await BuildFolder.take(data, true);
    await assert.rejects(BuildFolder.take(data, true), BuildError);
    await folder.release();
  }
});

test('a lock needs no room on the disk', (t) =>
  onOwnDisk(t, 'size=64k', (disk) => {
    assert.throws(() => writeFileSync(join(disk, 'fill'), Buffer.alloc(1 << 17)), /ENOSPC/);
    const path = join(disk, 'lock');
    const lock = FileLock.take(path);
    assert.ok(lock);
    assert.equal(FileLock.take(path), null);
    lock.release();
    FileLock.share(path)?.release();
  }));

// Before, the message of Node.js was shown: "no such file or directory".
test('a data folder on a read-only file system is said to be on one', (t) =>
  onOwnDisk(t, 'ro,size=64k', async (disk) => {
    const said = { code: 'EROFS', message: /read-only file system, mkdir/ };
    await assert.rejects(BuildFolder.take(join(disk, 'some', 'data'), false), said);
    await assert.rejects(keepBuildsAway(disk), said);
  }));

test('what broken-off builds left beside the datasets goes when the next one begins', async (t) => {
  const data = tempFolder(t);
  for (const name of ['.draft-abc', '.replaced-0123456789abcdef']) mkdirSync(join(data, name));
  const folder = await BuildFolder.take(data, false);
  assert.deepEqual(readdirSync(data), ['.build']);
  await folder.remove();
  await folder.release();
  assert.deepEqual(readdirSync(data), []);
});
