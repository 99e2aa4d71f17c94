import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Calls } from '../../src/workers/calls.ts';

/**
 * A worker that reports ready and then hangs. With a path, the first one hangs before that, and creates a file there.
 * `slow`: each takes a second to start.
 */
const hang = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
const mark = process.argv[2];
if (mark === 'slow') await delay(1000);
else if (mark !== undefined && !existsSync(mark)) {
  writeFileSync(mark, '');
  hang();
}
const calls = new Calls({
  send: (message) => process.send?.(message),
  on: (event, listener) => process.on(event, listener),
  once: (event, listener) => process.once(event, listener),
});
const { number } = await calls.ask('setup', null);
calls.notify('ready', { datasetId: `worker ${number}`, siteUrl: '' });
if (mark === undefined) setTimeout(hang, 50);
