import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** A block is written when it has this many lines, or this many milliseconds after its first line. */
const BLOCK_LINES = 100;
const LONGEST_WAIT_MS = 500;

/** Limit of the text that waits to be written, bytes. Further lines are dropped until half of it is written. */
const MOST_WAITING = 1 << 20;

/** Pause after a failed write, milliseconds: the first one, and the longest. */
const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 500;

/** A text that ends a line, or a value that becomes one when it is written. */
type Line = { toString(): string };

/**
 * Writes the lines of a log to a file descriptor in blocks, because a write for each line would cost more than the
 * request it reports. Lines are formatted with their block: a hundred at once take far less time than one after each
 * request. No caller waits for the descriptor (a full disk, a pipe that is not read or is closed): lines without room
 * are dropped and counted, and one line reports them when there is room again.
 */
export class LogOutput {
  readonly #fd: number;
  /** True when this object opened the descriptor and closes it. */
  readonly #hasOwnDescriptor: boolean;
  /** Lines that are not in a block yet. */
  #lines: Line[] = [];
  /** Ends the wait for more lines of a block. */
  #blockTimer: NodeJS.Timeout | null = null;
  /** Blocks that wait to be written, or are being written. */
  readonly #blocks: Buffer[] = [];
  #waitingBytes = 0;
  /** Bytes of the first block that are written. */
  #sent = 0;
  #isWriting = false;
  #retryMs = 0;
  #retryTimer: NodeJS.Timeout | null = null;
  #dropped = 0;
  /** Dropped lines that the log has not reported yet. Until it does, more are dropped. */
  #unreported = 0;
  #droppedSince = 0;
  #onEmpty: (() => void) | null = null;
  #isClosed = false;

  /** @param fd open for writing; it stays open. */
  constructor(fd: number) {
    const nonBlocking = openNonBlocking(fd);
    this.#fd = nonBlocking ?? fd;
    this.#hasOwnDescriptor = nonBlocking !== null;
    process.on('exit', this.#writeRest);
  }

  /** Number of lines for which there was no room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a line, to be written with others. */
  write(line: Line): void {
    if (this.#isClosed) return;
    this.#lines.push(line);
    if (this.#lines.length >= BLOCK_LINES) this.#makeBlock();
    else this.#blockTimer ??= setTimeout(() => this.#makeBlock(), LONGEST_WAIT_MS).unref();
  }

  /** Resolves when everything is written, or after the time limit. The rest is dropped. */
  async close(patienceMs: number): Promise<void> {
    this.#makeBlock();
    if (this.#blocks.length > 0) {
      await new Promise<void>((resolve) => {
        const tooLate = setTimeout(resolve, patienceMs);
        this.#onEmpty = () => {
          clearTimeout(tooLate);
          resolve();
        };
      });
    }
    this.#isClosed = true;
    process.off('exit', this.#writeRest);
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#blocks.length = 0;
    // A write that has not ended still needs it.
    if (this.#hasOwnDescriptor && !this.#isWriting) closeSync(this.#fd);
  }

  /** Makes a block of the lines and queues it. While too many bytes wait, the lines are dropped and counted. */
  #makeBlock(): void {
    if (this.#blockTimer !== null) clearTimeout(this.#blockTimer);
    this.#blockTimer = null;
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return;
    // After a drop, all lines are dropped until the log reports it, so that each gap has one report.
    if (this.#unreported > 0 || this.#waitingBytes >= MOST_WAITING) {
      if (this.#unreported === 0) this.#droppedSince = Date.now();
      this.#unreported += lines.length;
      this.#dropped += lines.length;
      return;
    }
    let text = '';
    for (const line of lines) text += line.toString();
    this.#queue(text);
  }

  /** Adds a block to those that wait, and begins to write, unless a failed write is to be repeated after its pause. */
  #queue(text: string): void {
    const block = Buffer.from(text);
    this.#blocks.push(block);
    this.#waitingBytes += block.length;
    if (this.#retryTimer === null) this.#writeNext();
  }

  /** Writes the first waiting block, unless a block is being written. */
  #writeNext(): void {
    const block = this.#blocks[0];
    if (block === undefined) {
      this.#onEmpty?.();
      return;
    }
    if (this.#isWriting) return;
    this.#isWriting = true;
    write(this.#fd, block, this.#sent, null, null, (error, bytes) => {
      this.#isWriting = false;
      if (error === null) this.#wrote(bytes);
      else this.#failed();
    });
  }

  /** Continues after a write of this many bytes, with the rest of the block or the next one. */
  #wrote(bytes: number): void {
    this.#retryMs = 0;
    this.#sent += bytes;
    const block = this.#blocks[0];
    if (block !== undefined && this.#sent === block.length) {
      this.#blocks.shift();
      this.#waitingBytes -= this.#sent;
      this.#sent = 0;
    }
    // Only when half of the room is free, so that lines are not dropped again at once.
    if (this.#unreported > 0 && this.#waitingBytes <= MOST_WAITING / 2) this.#reportDropped();
    this.#writeNext();
  }

  /**
   * Repeats a failed write after a pause. A full pipe returns EAGAIN, a full disk ENOSPC, a closed pipe EPIPE: each may
   * be temporary.
   */
  #failed(): void {
    this.#retryMs = Math.min(Math.max(FIRST_RETRY_MS, this.#retryMs * 2), LAST_RETRY_MS);
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = null;
      this.#writeNext();
    }, this.#retryMs).unref();
  }

  /** Adds a line to the log that says how many lines were dropped. */
  #reportDropped(): void {
    const lines = this.#unreported;
    const since = new Date(this.#droppedSince).toISOString();
    this.#unreported = 0;
    this.#queue(
      `{"level":40,"time":${Date.now()},"lines":${lines},"since":"${since}","msg":"the log had no room: lines dropped"}\n`,
    );
  }

  /** Writes the rest at the end of the process, as far as there is room. The system ends a running write. */
  readonly #writeRest = (): void => {
    const wasWriting = this.#isWriting;
    // Prevents writes that the end of the process would cut off.
    this.#isWriting = true;
    this.#makeBlock();
    if (wasWriting) {
      this.#blocks.shift();
      this.#sent = 0;
    }
    try {
      for (const block of this.#blocks) {
        while (this.#sent < block.length) this.#sent += writeSync(this.#fd, block, this.#sent);
        this.#sent = 0;
      }
    } catch {
      // Nothing reads the log any more.
    }
  };
}

/**
 * Opens a second descriptor for the same pipe or terminal that returns an error instead of waiting when there is no
 * room. A waiting thread would keep the process from ending. Null when the descriptor itself does not wait, or
 * (standard error) is made not to wait.
 */
function openNonBlocking(fd: number): number | null {
  const kind = fstatSync(fd);
  if (kind.isSocket()) setStderrNonBlocking();
  // Writing to a file never waits.
  if (!kind.isFIFO() && !isatty(fd)) return null;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    setStderrNonBlocking();
    return null;
  }
}

/** Sets the descriptor of standard error to non-blocking: Node.js does so when its stream is first used. */
function setStderrNonBlocking(): void {
  void process.stderr;
}
