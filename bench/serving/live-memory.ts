import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a server that is measured (`node --import`): at SIGUSR2 it collects garbage and writes what is still in use,
 * megabytes of heap and of buffers, to the file that LIVE_MEMORY names. What a process has from the system says little: V8
 * and the C library keep what is free for the next request.
 */
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (how: object) => void;
/** As V8 collects once the process has been idle for some seconds: pages that it has kept for the next objects go back to the system. */
const collect = (): void => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
const file = process.env.LIVE_MEMORY!;

process.on('SIGUSR2', async () => {
  // Buffers go when what held them has gone.
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.new`, String((heapUsed + external) / 1e6));
  renameSync(`${file}.new`, file);
});
