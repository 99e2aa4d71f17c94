import { format } from 'node:util';
import type { Logger } from 'pino';
import type { Unexpected } from '../api/unexpected.ts';

const CONSOLE = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const;

/** From here on the warnings of Node.js and what libraries print are lines of the log: it holds nothing but JSON. */
export function logWarnings(log: Logger): void {
  // The listener that prints is Node's own.
  process.removeAllListeners('warning').on('warning', ({ name, message }: Error) => {
    log.warn({ kind: name, warning: message }, 'a library warns');
  });
  for (const name of CONSOLE) {
    console[name] = (...printed: unknown[]) => log.warn({ kind: name, warning: format(...printed) }, 'a library warns');
  }
}

/** From here on nothing that is thrown, and no promise that is rejected, ends the process. */
export function outliveExceptions(unexpected: Unexpected): void {
  process.on('uncaughtException', (error, origin) => unexpected.note(error, { origin }));
}
