import { copyFile, mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { FileLock } from '../formats/file-lock.ts';
import { makeFolder } from '../formats/files.ts';

const compressed = promisify<Uint8Array | string, object, Buffer>(gzip);

/** The destination of an export's files. Each file appears complete or not at all. */
export interface FileSink {
  /** Writes a file from its contents. */
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  /**
   * Writes a file from pieces.
   * @param fill calls `add` with each piece
   */
  append(name: string, fill: (add: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void>;
  /** Copies an existing file. */
  copy(name: string, path: string): Promise<void>;
}

/** Moves or copies a finished file to its destination. `isGzipped` says that its bytes are compressed by gzip. */
type Send = (name: string, path: string, isGzipped: boolean) => Promise<void>;

interface SinkOptions {
  /** The existing folder into which the files go: drafts are there. By default they are in the system's temporary folder. */
  folder?: string | undefined;
  /** True for the name of a file that `write` compresses by gzip. */
  gzips?: (name: string) => boolean;
}

/** Writes each file into a folder for drafts, then sends it. It counts files and bytes. */
export class SendingSink implements FileSink {
  readonly #send: Send;
  readonly #drafts: string;
  readonly #lock: FileLock | null;
  readonly #gzips: (name: string) => boolean;
  files = 0;
  bytes = 0;

  private constructor(send: Send, drafts: string, lock: FileLock | null, gzips: (name: string) => boolean) {
    this.#send = send;
    this.#drafts = drafts;
    this.#lock = lock;
    this.#gzips = gzips;
  }

  /**
   * Opens a sink with a folder for drafts. `close` removes this folder.
   * @throws Error while another export writes into the folder
   */
  static async open(send: Send, { folder, gzips = () => false }: SinkOptions = {}): Promise<SendingSink> {
    if (folder === undefined) return new SendingSink(send, await mkdtemp(join(tmpdir(), 'export-')), null, gzips);
    // Always the same name: what a killed export leaves, the next one writes over and removes.
    const drafts = join(folder, '.export');
    makeFolder(drafts);
    const lock = FileLock.take(join(drafts, 'lock'));
    if (lock === null) throw new Error(`${folder}: another export writes into this folder; wait until it has ended`);
    return new SendingSink(send, drafts, lock, gzips);
  }

  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    // Files are written one after another, so one draft is enough.
    const path = join(this.#drafts, 'file');
    const isGzipped = this.#gzips(name);
    await writeFile(path, isGzipped ? await compressed(bytes, { level: constants.Z_BEST_COMPRESSION }) : bytes);
    await this.#sendDraft(name, path, { isGzipped });
  }

  async append(name: string, fill: (add: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void> {
    const path = join(this.#drafts, 'pack');
    // Not a stream, whose error would end the process while `fill` prepares the next piece.
    const file = await open(path, 'w');
    try {
      await fill((bytes) => file.writeFile(bytes));
    } finally {
      await file.close();
    }
    await this.#sendDraft(name, path);
  }

  async copy(name: string, path: string): Promise<void> {
    const copy = join(this.#drafts, 'copy');
    await copyFile(path, copy);
    await this.#sendDraft(name, copy);
  }

  async close(): Promise<void> {
    await rm(this.#drafts, { recursive: true, force: true });
    this.#lock?.release();
  }

  /** Counts a finished draft and sends it. */
  async #sendDraft(name: string, path: string, { isGzipped = false } = {}): Promise<void> {
    this.files++;
    this.bytes += (await stat(path)).size;
    await this.#send(name, path, isGzipped);
  }
}

/** Gives a function that moves drafts into a folder on the same disk. Names of gzipped files get the ending `.gz`. */
export const intoFolder =
  (folder: string): Send =>
  async (name, path, isGzipped) => {
    const target = join(folder, ...`${name}${isGzipped ? '.gz' : ''}`.split('/'));
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
  };
