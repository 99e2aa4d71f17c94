import { format } from 'node:util';
import type { Logger } from 'pino';
import type { Unexpected } from '../api/errors.ts';

/** The functions of `console` by which libraries print. */
const CONSOLE = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const;

/** From now on warnings of Node.js and output of libraries become lines of the log, which has only JSON. */
export function logWarnings(log: Logger): void {
  // The listener that prints is Node's own.
  process.removeAllListeners('warning').on('warning', ({ name, message }: Error) => {
    log.warn({ kind: name, warning: message }, 'a library warns');
  });
  for (const name of CONSOLE) {
    console[name] = (...printed: unknown[]) => log.warn({ kind: name, warning: format(...printed) }, 'a library warns');
  }
}

/**
 * Waits for a signal to stop. A second one ends the process at once.
 * @returns the first SIGTERM or SIGINT
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: string) => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** From now on no exception and no rejected promise ends the process. */
export function outliveExceptions(unexpected: Unexpected): void {
  process.on('uncaughtException', (error, origin) => unexpected.note(error, { origin }));
}
