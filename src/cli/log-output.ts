import { destination } from 'pino';

/** A block goes out when it has this many characters, or this many milliseconds after its first line. */
const BLOCK_LENGTH = 32_768;
const LONGEST_WAIT_MS = 500;

/** Where pino writes its lines. */
export interface LogOutput {
  write(line: string): void;
  /** Hands over what is waiting; `done` when it is out. */
  flush(done?: (error?: Error) => void): void;
}

/**
 * Writes lines to a file descriptor in blocks, since a write for each would cost more than the request that it tells
 * of. What is waiting when the process exits is written then.
 */
export function logOutput(fd: number): LogOutput {
  const stream = destination({ dest: fd, sync: false });
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | null = null;

  const pass = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (lines.length > 0) stream.write(lines.join(''));
    lines = [];
    length = 0;
  };
  process.on('exit', () => {
    pass();
    stream.flushSync();
  });
  return {
    write(line) {
      lines.push(line);
      length += line.length;
      if (length >= BLOCK_LENGTH) pass();
      else timer ??= setTimeout(pass, LONGEST_WAIT_MS).unref();
    },
    flush(done) {
      pass();
      stream.flush(done);
    },
  };
}
