import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a measured server (`node --import`). At SIGUSR2 it collects garbage and writes the memory in use,
 * megabytes of heap and of buffers, to the file named by LIVE_MEMORY. The system's figure for the process is not
 * precise: V8 and the C library keep free memory for later requests.
 */
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (how: object) => void;
/** V8 collects in this way after some idle seconds: it also returns free pages to the system. */
const collect = (): void => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
const file = process.env.LIVE_MEMORY!;

process.on('SIGUSR2', async () => {
  // Buffers are freed after the objects that hold them.
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.new`, String((heapUsed + external) / 1e6));
  renameSync(`${file}.new`, file);
});
