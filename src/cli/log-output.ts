import { destination } from 'pino';

/** A block goes out when it has this many lines, or this many milliseconds after its first line. */
const BLOCK_LINES = 100;
const LONGEST_WAIT_MS = 500;

/** Where pino writes its lines. */
export interface LogOutput {
  /** A text, or what can be made one when it goes out. */
  write(line: { toString(): string }): void;
  /** Hands over what is waiting; `done` when it is out. */
  flush(done?: (error?: Error) => void): void;
}

/**
 * Writes lines to a file descriptor in blocks, since a write for each would cost more than the request that it tells
 * of. A line that is not text yet becomes it with its block: a hundred made at a stretch take far less time than one
 * between two requests and then another. What is waiting when the process exits is written then.
 */
export function logOutput(fd: number): LogOutput {
  const stream = destination({ dest: fd, sync: false });
  let lines: { toString(): string }[] = [];
  let timer: NodeJS.Timeout | null = null;

  const pass = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    let block = '';
    for (const line of lines) block += line.toString();
    if (block !== '') stream.write(block);
    lines = [];
  };
  process.on('exit', () => {
    pass();
    stream.flushSync();
  });
  return {
    write(line) {
      lines.push(line);
      if (lines.length >= BLOCK_LINES) pass();
      else timer ??= setTimeout(pass, LONGEST_WAIT_MS).unref();
    },
    flush(done) {
      pass();
      stream.flush(done);
    },
  };
}
