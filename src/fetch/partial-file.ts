import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises';

/** Identifies the version of a file to which a partial file belongs. */
export interface Version {
  url: string;
  etag: string | null;
  lastModified: string | null;
  /** Bytes of the whole file; null or absent: the server did not say. */
  bytes?: number | null;
}

/** An unfinished download: `<path>.part`, and beside it the version as JSON. */
export class PartialFile {
  readonly path: string;
  readonly #versionPath: string;
  #file: FileHandle | null = null;
  #hash: Hash = createHash('sha256');
  /** Bytes so far. */
  bytes = 0;
  version: Version | null = null;

  constructor(target: string) {
    this.path = `${target}.part`;
    this.#versionPath = `${target}.part.json`;
  }

  /** Continues the partial file of an earlier run when it has the same URL. Otherwise begins an empty one. */
  async open(url: string): Promise<void> {
    const version = await readFile(this.#versionPath, 'utf8')
      .then((text) => JSON.parse(text) as Version)
      .catch(() => null);
    const size = await stat(this.path).then(
      (status) => status.size,
      () => 0,
    );
    if (version?.url !== url || size === 0) return this.restart(null);
    for await (const chunk of createReadStream(this.path)) this.#hash.update(chunk as Buffer);
    this.bytes = size;
    this.version = version;
    this.#file = await open(this.path, 'a');
  }

  /** Deletes the content, and begins a version from its first byte. */
  async restart(version: Version | null): Promise<void> {
    await this.#file?.close();
    this.#hash = createHash('sha256');
    this.bytes = 0;
    this.version = version;
    this.#file = await open(this.path, 'w');
    if (version !== null) await writeFile(this.#versionPath, JSON.stringify(version));
  }

  /**
   * Appends bytes.
   * @throws {Error} When the file is not open.
   */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#file === null) throw new Error('write to a partial file that is not open');
    await this.#file.writeFile(chunk);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  /**
   * Syncs the bytes to the disk and closes the file.
   * @returns its SHA-256, hexadecimal
   */
  async finish(): Promise<string> {
    await this.#file?.sync();
    await this.close();
    await rm(this.#versionPath, { force: true });
    return this.#hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  /** Deletes the partial file, and the file with its version. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
    await rm(this.#versionPath, { force: true });
  }
}
