import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises';

/** Identifies the version of a file to which a part belongs. */
export interface Version {
  url: string;
  etag: string | null;
  lastModified: string | null;
  /** Of the whole file; null or absent: the server did not say. */
  bytes?: number | null;
}

/** An unfinished download: `<path>.part`, and beside it the version as JSON. */
export class PartFile {
  readonly path: string;
  readonly #note: string;
  #file: FileHandle | null = null;
  #hash: Hash = createHash('sha256');
  /** Bytes so far. */
  bytes = 0;
  version: Version | null = null;

  constructor(target: string) {
    this.path = `${target}.part`;
    this.#note = `${target}.part.json`;
  }

  /** Continues the part of an earlier run when it has the same URL; otherwise begins empty. */
  async open(url: string): Promise<void> {
    const note = await readFile(this.#note, 'utf8')
      .then((text) => JSON.parse(text) as Version)
      .catch(() => null);
    const size = await stat(this.path).then(
      (status) => status.size,
      () => 0,
    );
    if (note?.url !== url || size === 0) return this.restart(null);
    for await (const chunk of createReadStream(this.path)) this.#hash.update(chunk as Buffer);
    this.bytes = size;
    this.version = note;
    this.#file = await open(this.path, 'a');
  }

  /** Drops the content and begins a version from the start. */
  async restart(version: Version | null): Promise<void> {
    await this.#file?.close();
    this.#hash = createHash('sha256');
    this.bytes = 0;
    this.version = version;
    this.#file = await open(this.path, 'w');
    if (version !== null) await writeFile(this.#note, JSON.stringify(version));
  }

  /** Appends. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#file === null) throw new Error('write to a part that is not open');
    await this.#file.writeFile(chunk);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  /** Syncs the bytes to the disk and closes the file. Returns the SHA-256, hexadecimal. */
  async finish(): Promise<string> {
    await this.#file?.sync();
    await this.close();
    await rm(this.#note, { force: true });
    return this.#hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  /** Removes all files of the part. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
    await rm(this.#note, { force: true });
  }
}
