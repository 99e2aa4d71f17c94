import { parentPort } from 'node:worker_threads';

/** A thread for tests: works for so many milliseconds without a pause, then says who asked; or fails as it is told. */
parentPort?.on('message', ({ ms, name, fault }: { ms: number; name: string; fault?: 'throws' | 'dies' }) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
  if (fault === 'dies') process.exit(1);
  if (fault === 'throws') parentPort?.postMessage({ error: { name: 'RangeError', message: name } });
  else parentPort?.postMessage({ json: Buffer.from(JSON.stringify(name)) });
});
