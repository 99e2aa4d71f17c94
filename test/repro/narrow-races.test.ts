import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { BuildFolder, keepBuildsAway } from '../../src/pipeline/build-folder.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { type End, Supervisor } from '../../src/supervision/supervisor.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('a build that removes its folder keeps it until the last file, and leaves that of the next build alone', async (t) => {
  const data = tempFolder(t);
  const folder = await BuildFolder.take(data, false);
  const full = join(data, '.build', 'squares');
  for (let i = 0; i < 300; i++) {
    mkdirSync(join(full, String(i)));
    for (let j = 0; j < 5; j++) writeFileSync(join(full, String(i), String(j)), '');
  }
  const removal = folder.remove();
  let guard: { release(): void } | null = null;
  while (guard === null) {
    await turn();
    guard = await keepBuildsAway(data).catch(() => null);
    if (guard !== null) assert.ok(!existsSync(full), 'the folder is free only when it is empty');
  }
  await removal;
  guard.release();
  const next = await BuildFolder.take(data, false);
  await folder.release();
  assert.ok(existsSync(join(data, '.build', 'holder.json')), 'that of the next build');
  await next.release();
});

it('an object is stored in a folder that another process removes at that moment because it was empty', async (t) => {
  const folder = tempFolder(t);
  const [one, two] = [new DirectoryStore(join(folder, 'store')), new DirectoryStore(join(folder, 'store'))];
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  for (let i = 0; i < 400; i++) {
    await one.put('inputs/one', file);
    await Promise.all([one.remove('inputs/one'), two.put('inputs/two', file)]);
    await two.remove('inputs/two');
  }
});

it('a worker that is being killed because it hung is not ready, whatever it still reports', () => {
  class Watched extends Supervisor<EventEmitter> {
    protected fork = (): EventEmitter => new EventEmitter();
    protected kill(): void {}
    protected hung(): void {}
    protected ended(_worker: EventEmitter, _end: End): void {}
    /** True when a worker counts as ready that reports so after its end was decided. */
    get takesLateReports(): boolean {
      const worker = this.startWorker();
      this.end(worker, 'hung');
      this.reported(worker, 'ready');
      return this.isReady(worker);
    }
  }
  assert.equal(new Watched(1000, 'it has not started').takesLateReports, false);
});
