import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const packed = promisify<Uint8Array | string, object, Buffer>(gzip);

/** Where an export puts its files. Each is there whole or not at all. */
export interface FileSink {
  write(name: string, bytes: Uint8Array | string): Promise<void>;
  /** Writes a file in pieces. */
  append(name: string, fill: (add: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void>;
  /** Copies an existing file. */
  copy(name: string, path: string): Promise<void>;
}

/** Puts a finished file at its place. The bytes of a packed one are gzipped. */
type Send = (name: string, path: string, isPacked: boolean) => Promise<void>;

interface SinkOptions {
  /** A folder on the disk of the finished files; by default that of the system for temporary files. */
  drafts?: string | undefined;
  /** Which files are gzipped. */
  packs?: (name: string) => boolean;
}

/** Writes each file into a folder for drafts, then sends it. It counts files and bytes. */
export class SendingSink implements FileSink {
  readonly #send: Send;
  readonly #drafts: string;
  readonly #packs: (name: string) => boolean;
  files = 0;
  bytes = 0;

  private constructor(send: Send, drafts: string, packs: (name: string) => boolean) {
    this.#send = send;
    this.#drafts = drafts;
    this.#packs = packs;
  }

  static async open(send: Send, { drafts = tmpdir(), packs = () => false }: SinkOptions = {}): Promise<SendingSink> {
    await mkdir(drafts, { recursive: true });
    return new SendingSink(send, await mkdtemp(join(drafts, '.export-')), packs);
  }

  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    const path = join(this.#drafts, 'file');
    const isPacked = this.#packs(name);
    await writeFile(path, isPacked ? await packed(bytes, { level: constants.Z_BEST_COMPRESSION }) : bytes);
    await this.#hand(name, path, isPacked);
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

  /** Counts a file and hands it to the receiver. */
  async #hand(name: string, path: string, isPacked = false): Promise<void> {
    this.files++;
    this.bytes += (await stat(path)).size;
    await this.#send(name, path, isPacked);
  }
}

/** Puts files into a folder on the disk of the drafts. Packed ones get `.gz` at the end of their names. */
export const intoFolder =
  (folder: string): Send =>
  async (name, path, isPacked) => {
    const place = join(folder, ...`${name}${isPacked ? '.gz' : ''}`.split('/'));
    await mkdir(dirname(place), { recursive: true });
    await rename(path, place);
  };
