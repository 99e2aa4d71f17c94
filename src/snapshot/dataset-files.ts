import { createHash, hash, type KeyObject } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BlockCache, BlockChecksums, blockCount, CheckedFile, DamagedFileError } from '../formats/checked-file.ts';
import type { FileLock } from '../formats/file-lock.ts';
import { isMissing } from '../formats/files.ts';
import { holdDataset } from './in-use.ts';
import { DatasetError, type FileManifest, type Manifest, readManifest } from './manifest.ts';

/** The CRC-32 of every block of all other files, in the order of the manifest: u32, little-endian. */
export const CHECKSUMS_FILE = 'blocks.crc32';

/** Memory for checked blocks of all files of a dataset. */
const CACHE_BYTES = 32 << 20;

/** The entry of a file in the manifest, and the checksums of its blocks. */
export async function describeFile(path: string): Promise<FileManifest & { blocks: Uint32Array }> {
  const sha256 = createHash('sha256');
  const blocks = new BlockChecksums();
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    sha256.update(chunk);
    blocks.add(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: sha256.digest('hex'), blocks: blocks.finish() };
}

/**
 * The open files of a dataset. Nothing is returned unchecked: pieces are checked block by block, whole files by their
 * SHA-256.
 */
export class DatasetFiles {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly #checksums: Uint32Array;
  /** By name: the index of its first block among those of all files. */
  readonly #firstBlocks = new Map<string, number>();
  readonly #cache: BlockCache;
  /** Is released when the files are closed. */
  #lock: { release(): void } | null = null;
  readonly #openFiles = new Map<string, CheckedFile>();

  private constructor(folder: string, manifest: Manifest, checksums: Uint32Array, cacheBytes: number) {
    this.folder = folder;
    this.manifest = manifest;
    this.#checksums = checksums;
    this.#cache = new BlockCache(cacheBytes);
    let blocks = 0;
    for (const [name, { bytes }] of Object.entries(manifest.files)) {
      if (name === CHECKSUMS_FILE) continue;
      this.#firstBlocks.set(name, blocks);
      blocks += blockCount(bytes);
    }
  }

  /**
   * Opens the files of a dataset.
   * @throws DamagedFileError when the checksums are damaged
   */
  static async open(folder: string, manifest: Manifest, cacheBytes = CACHE_BYTES): Promise<DatasetFiles> {
    const bytes = await readWhole(folder, manifest, CHECKSUMS_FILE);
    // A view of four-byte numbers needs an aligned offset. Otherwise the bytes are copied: megabytes for a large dataset.
    const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
    return new DatasetFiles(folder, manifest, new Uint32Array(buffer, byteOffset, byteLength >> 2), cacheBytes);
  }

  /**
   * Opens a file for reading in pieces. It is closed with the dataset.
   * @throws DamagedFileError when the manifest does not list it; or the system's error
   */
  open(name: string): CheckedFile {
    const file = this.#openFiles.get(name) ?? this.#openFile(name, this.#cache);
    this.#openFiles.set(name, file);
    return file;
  }

  /**
   * Opens a file that the caller must close, possibly after the dataset. It uses the checksums of the dataset, but not
   * its cache.
   */
  openApart(name: string): CheckedFile {
    return this.#openFile(name, new BlockCache(0));
  }

  /**
   * Opens a file with its part of the checksums, which are those of the blocks of all files.
   * @throws DamagedFileError when the manifest does not list the file; or the system's error
   */
  #openFile(name: string, cache: BlockCache): CheckedFile {
    const first = this.#firstBlocks.get(name);
    const file = this.manifest.files[name];
    const path = join(this.folder, name);
    if (first === undefined || file === undefined) throw new DamagedFileError(path, 'is not in the manifest');
    const checksums = this.#checksums.subarray(first, first + blockCount(file.bytes));
    return new CheckedFile(path, file.bytes, checksums, { cache, first });
  }

  /**
   * The bytes of a small file.
   * @throws DamagedFileError when it cannot be read or has other bytes
   */
  read(name: string): Promise<Buffer> {
    return readWhole(this.folder, this.manifest, name);
  }

  /**
   * The bytes of a small file, read synchronously. They are checked block by block, which takes a fifth of the time of
   * a SHA-256.
   * @throws DamagedFileError when it cannot be read or has other bytes
   */
  readNow(name: string): Buffer {
    try {
      const file = this.#openFile(name, this.#cache);
      try {
        return file.whole();
      } finally {
        file.close();
      }
    } catch (error) {
      throw error instanceof DamagedFileError ? error : cannotBeRead(join(this.folder, name), error);
    }
  }

  /** Takes over a lock. It is released when the files are closed. */
  takeLock(lock: { release(): void } | null): void {
    this.#lock = lock;
  }

  close(): void {
    this.#lock?.release();
    this.#lock = null;
    for (const file of this.#openFiles.values()) file.close();
    this.#openFiles.clear();
  }
}

/** Options for opening a dataset. */
export interface OpenOptions {
  /** The public key with which a manifest must be signed; null: no signature is needed. */
  trusted?: KeyObject | null;
  /** True to lock the dataset until it is closed, so that `prune` keeps it. */
  hold?: boolean;
  /** Memory for checked blocks, bytes. */
  cacheBytes?: number;
  /** Its manifest, if it has just been read with the same key. */
  manifest?: Manifest;
}

/**
 * The files of one dataset: reads its manifest and checks that every file is there with its size.
 * @throws DatasetError naming the first thing that is wrong.
 */
export async function openFiles(
  folder: string,
  { trusted = null, hold = false, cacheBytes = CACHE_BYTES, manifest }: OpenOptions = {},
): Promise<DatasetFiles> {
  const path = resolve(folder);
  const lock = hold ? holdDataset(path) : null;
  try {
    return await filesOf(path, manifest ?? (await readManifest(path, trusted)), lock, cacheBytes);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * The files of a dataset, which hold the lock until they are closed.
 * @throws DatasetError when a file is missing, has another size or cannot be opened
 */
async function filesOf(
  path: string,
  manifest: Manifest,
  lock: FileLock | null,
  cacheBytes: number,
): Promise<DatasetFiles> {
  const complaints = await sizeComplaints(path, manifest);
  if (complaints.length > 0) throw new DatasetError(`${complaints[0]}${moreFiles(complaints.length - 1)}`);
  try {
    const files = await DatasetFiles.open(path, manifest, cacheBytes);
    files.takeLock(lock);
    return files;
  } catch (error) {
    throw cannotBeOpened(path, error);
  }
}

/** Number of files that are checked before other work gets its turn: a country's dataset has tens of thousands. */
const SIZES_AT_A_TIME = 16;

/** A line for each file that is missing or has another size than the manifest says. */
async function sizeComplaints(folder: string, manifest: Manifest): Promise<string[]> {
  const complaints: string[] = [];
  for (const [i, [name, { bytes }]] of Object.entries(manifest.files).entries()) {
    // Lets other work run: each check blocks.
    if (i % SIZES_AT_A_TIME === 0) await setImmediate();
    const complaint = sizeComplaint(`${folder}/${name}`, bytes);
    if (complaint !== null) complaints.push(complaint);
  }
  return complaints;
}

/** What is wrong with the size of a file; null: nothing. */
function sizeComplaint(path: string, bytes: number): string | null {
  try {
    // An asynchronous `stat` for each file would take four times as long.
    const status = statSync(path);
    if (status.isFile() && status.size === bytes) return null;
    return `${path}: has ${status.isFile() ? status.size : 'no'} bytes, the manifest says ${bytes}`;
  } catch (error) {
    return `${path}: ${isMissing(error) ? 'is missing' : (error as Error).message}`;
  }
}

/** The end of a message that names the first of several files. */
const moreFiles = (count: number): string => (count > 0 ? ` (and ${count} more files)` : '');

/** The error for a dataset whose files cannot be opened. */
export const cannotBeOpened = (folder: string, error: unknown): DatasetError =>
  new DatasetError(`${folder}: cannot be opened: ${(error as Error).message}`, { cause: error });

/**
 * The bytes of a file, compared with the SHA-256 of the manifest.
 * @throws DamagedFileError when it cannot be read or has other bytes
 */
async function readWhole(folder: string, { files }: Manifest, name: string): Promise<Buffer> {
  const path = join(folder, name);
  const expected = files[name];
  if (expected === undefined) throw new DamagedFileError(path, 'is not in the manifest');
  const bytes = await readFile(path).catch((error) => {
    throw cannotBeRead(path, error);
  });
  const sha256 = hash('sha256', bytes);
  if (sha256 === expected.sha256) return bytes;
  throw new DamagedFileError(path, `damaged: its SHA-256 is ${sha256}, the manifest says ${expected.sha256}`);
}

const cannotBeRead = (path: string, error: unknown): DamagedFileError =>
  new DamagedFileError(path, `cannot be read: ${(error as Error).message}`, { cause: error });

/** A Parquet file of the dataset, for download. */
export interface BulkFile {
  /** Path relative to the dataset's folder, with `/`. Signatures cover this name. */
  name: string;
  /** Absolute path on this machine. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
  /**
   * Opens it; the caller closes it.
   * @throws Error of the system when it is gone
   */
  open(): Promise<Pick<CheckedFile, 'read' | 'stream' | 'close'>>;
}

/** A file for download as the manifest lists it; null when there is none. */
export function bulkFile(
  files: Pick<DatasetFiles, 'folder' | 'manifest' | 'openApart'>,
  name: string,
): BulkFile | null {
  const file = files.manifest.files[name];
  if (!file) return null;
  const { rows = 0, bytes, sha256 } = file;
  return {
    name,
    path: join(files.folder, ...name.split('/')),
    rows,
    bytes,
    sha256,
    open: async () => files.openApart(name),
  };
}
