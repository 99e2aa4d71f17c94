import { Calls } from '../../src/workers/calls.ts';

/** A worker that says it serves, and then hangs. */
const calls = new Calls({
  send: (message) => process.send?.(message),
  on: (event, listener) => process.on(event, listener),
  once: (event, listener) => process.once(event, listener),
});
const { number } = await calls.ask('setup', null);
calls.notify('ready', { lines: [`worker ${number}`] });
setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
