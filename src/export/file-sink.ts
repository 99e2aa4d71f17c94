import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';

/** Where an export puts its files; each is there whole or not at all. */
export interface FileSink {
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  /** A file that comes piece by piece. */
  append(name: string, fill: (add: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void>;
  /** A file that is there already. */
  copy(name: string, path: string): Promise<void>;
}

/** Sends a file to where it is to lie. */
type Send = (name: string, path: string) => Promise<void>;

/** Makes each file in a folder for a moment and hands it on. It counts files and bytes. */
export class SendingSink implements FileSink {
  readonly #send: Send;
  readonly #drafts: string;
  files = 0;
  bytes = 0;

  private constructor(send: Send, drafts: string) {
    this.#send = send;
    this.#drafts = drafts;
  }

  /** @param drafts a folder on the disk on which the files are to lie; by default that of the system */
  static async open(send: Send, drafts = tmpdir()): Promise<SendingSink> {
    await mkdir(drafts, { recursive: true });
    return new SendingSink(send, await mkdtemp(join(drafts, '.export-')));
  }

  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    const path = join(this.#drafts, 'file');
    await writeFile(path, bytes);
    await this.#hand(name, path);
  }

  async append(name: string, fill: (add: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void> {
    const path = join(this.#drafts, 'pack');
    const out = createWriteStream(path);
    await fill(async (bytes) => {
      if (!out.write(bytes)) await once(out, 'drain');
    });
    out.end();
    await finished(out);
    await this.#hand(name, path);
  }

  async copy(name: string, path: string): Promise<void> {
    const copy = join(this.#drafts, 'copy');
    await copyFile(path, copy);
    await this.#hand(name, copy);
  }

  async close(): Promise<void> {
    await rm(this.#drafts, { recursive: true, force: true });
  }

  async #hand(name: string, path: string): Promise<void> {
    this.files++;
    this.bytes += (await stat(path)).size;
    await this.#send(name, path);
  }
}

/** Files of a folder on the disk on which the drafts lie. */
export const intoFolder =
  (folder: string): Send =>
  async (name, path) => {
    const place = join(folder, ...name.split('/'));
    await mkdir(dirname(place), { recursive: true });
    await rename(path, place);
  };
