import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs the garbage collector of this thread. After a stage much of what it held is free, most of it outside the heap
 * (shared memory, buffers), where V8 hardly looks: left alone, it would stay until long into the next stage.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
