import { parentPort } from 'node:worker_threads';

/** A worker that does what its task says: answers, fails, dies, or eats all its memory. */
parentPort!.on('message', (task: { kind: string; name: string }) => {
  switch (task.kind) {
    case 'answer':
      return parentPort!.postMessage({ result: task.name });
    case 'fail':
      return parentPort!.postMessage({
        error: { name: 'CityGmlError', message: `${task.name}: broken`, code: 'ENOSPC' },
      });
    case 'exit':
      return process.exit(3);
    case 'throw':
      throw new Error('a bug');
    case 'sleep':
      return;
  }
});
parentPort!.postMessage('ready');
