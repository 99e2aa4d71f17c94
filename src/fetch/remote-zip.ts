import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { LastUsed } from '../formats/last-used.ts';
import { entryName } from '../formats/zip.ts';
import { ChangedError, type Client, FetchError } from './client.ts';

/** Small reads (the directory, local headers) are served from blocks of this size; this number of them is kept. */
const BLOCK_BYTES = 256 * 1024;
const MOST_BLOCKS = 16;
/** Limit of the entries that are read from a zip; a city has some thousand grid squares. */
const MOST_ENTRIES = 20_000;
/** Entries with longer names are skipped. */
const MOST_NAME_CHARS = 1000;

/** A file in a published zip, and its name there. */
export interface RemoteEntry {
  name: string;
  entry: Entry;
}

/** The published file of a zip. */
interface RemoteFile {
  client: Client;
  url: string;
  /** Hosts that may answer, also after redirects. */
  hosts: readonly string[];
  bytes: number;
  etag: string | null;
  lastModified: string | null;
}

/** A published zip that is read by ranges. The one of Tokyo has 251 GB, and its buildings are a small part of them. */
export class RemoteZip {
  readonly #file: RemoteFile;
  readonly #zip: ZipFile;

  private constructor(file: RemoteFile, zip: ZipFile) {
    this.#file = file;
    this.#zip = zip;
  }

  get url(): string {
    return this.#file.url;
  }

  get etag(): string | null {
    return this.#file.etag;
  }

  get lastModified(): string | null {
    return this.#file.lastModified;
  }

  /**
   * Opens a zip: requests its first byte, to learn its size and version, then its directory.
   * @throws {FetchError} When the server does not support ranges or the directory cannot be read.
   */
  static async open(client: Client, url: string, hosts: readonly string[]): Promise<RemoteZip> {
    const response = await client.get(url, hosts, { range: 'bytes=0-0' });
    await response.body?.cancel();
    const { headers, status } = response;
    const bytes = Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]);
    if (status !== 206 || Number.isNaN(bytes)) {
      const problem =
        status === 200 ? 'the whole file for a range: this server supports none' : 'expected 206 for a range';
      throw new FetchError(`${url}: status ${status}, ${problem}`);
    }
    const etag = headers.get('etag') || null;
    const file = { client, url, hosts, bytes, etag, lastModified: headers.get('last-modified') };
    try {
      const options = { autoClose: false, decodeStrings: false };
      return new RemoteZip(file, await fromRandomAccessReaderPromise(new RangeReader(file), bytes, options));
    } catch (error) {
      throw unreadable(url, error as Error);
    }
  }

  /**
   * The entries with a matching name.
   * @throws {FetchError} When the directory cannot be read, has more than `MOST_ENTRIES` such entries, or its entries
   *   overlap: such a zip can unpack to any size.
   */
  async entries(pattern: RegExp): Promise<RemoteEntry[]> {
    const entries: RemoteEntry[] = [];
    let compressedBytes = 0;
    try {
      for await (const entry of this.#zip.eachEntry()) {
        const name = entryName(entry);
        if (name.length > MOST_NAME_CHARS || !pattern.test(name)) continue;
        entries.push({ name, entry });
        compressedBytes += entry.compressedSize;
        if (entries.length > MOST_ENTRIES)
          throw new FetchError(`${this.url}: more than ${MOST_ENTRIES} building files`);
        if (compressedBytes > this.#file.bytes)
          throw new FetchError(`${this.url}: its entries overlap, so that it is no sound zip`);
      }
    } catch (error) {
      throw unreadable(this.url, error as Error);
    }
    return entries;
  }

  /**
   * The unpacked bytes of one entry.
   * @throws {FetchError} When the entry is encrypted, compressed by an unknown method, or has a wrong checksum.
   */
  async *read({ name, entry }: RemoteEntry): AsyncGenerator<Buffer> {
    if (!entry.canDecodeFileData()) {
      const fault = entry.isEncrypted() ? 'encrypted' : `packed by method ${entry.compressionMethod}`;
      throw new FetchError(`${this.url}: ${name} is ${fault}`);
    }
    let crc = 0;
    for await (const chunk of (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (crc !== entry.crc32) throw new FetchError(`${this.url}: ${name}: wrong checksum (CRC-32)`);
  }

  close(): void {
    this.#zip.close();
  }
}

/** The error of a zip whose directory cannot be read. */
const unreadable = (url: string, error: Error): FetchError =>
  error instanceof FetchError ? error : new FetchError(`${url}: its directory cannot be read: ${error.message}`);

/** Reads ranges of a published file for yauzl. All ranges are of the same version. */
class RangeReader extends RandomAccessReader {
  readonly #file: RemoteFile;
  /** The value of `If-Range`: the ETag or the date of the version; null when it has neither. */
  readonly #version: string | null;
  readonly #blocks = new LastUsed<number, Promise<Buffer>>(MOST_BLOCKS);

  constructor(file: RemoteFile) {
    super();
    this.#file = file;
    // A weak ETag (`W/…`) never matches in If-Range.
    this.#version = file.etag?.startsWith('W/') ? file.lastModified : (file.etag ?? file.lastModified);
  }

  /** yauzl calls it for the contents of an entry. */
  override _readStreamForRange(start: number, end: number): Readable {
    const pieces = async function* (reader: RangeReader) {
      yield* reader.#file.client.pieces(await reader.#get(start, end));
    };
    return Readable.from(pieces(this), { objectMode: false });
  }

  /** yauzl calls it for small reads: the directory and the headers of entries. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(buffer, offset, length, position).then(
      () => callback(null),
      (error: Error) => callback(error),
    );
  }

  /**
   * Copies `length` bytes at `position` of the file into `buffer`, from `offset` on.
   * @throws {FetchError} When the file ends before.
   */
  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const next = position + done;
      const block = await this.#block(Math.floor(next / BLOCK_BYTES));
      const from = next % BLOCK_BYTES;
      const copied = block.copy(buffer, offset + done, from, Math.min(block.length, from + length - done));
      if (copied === 0) throw new FetchError(`${this.#file.url}: ends before its directory says so`);
      done += copied;
    }
  }

  /** A block of the file. The ones that were used last stay in memory. */
  #block(index: number): Promise<Buffer> {
    const { client, url, bytes } = this.#file;
    const start = index * BLOCK_BYTES;
    const end = Math.min(bytes, start + BLOCK_BYTES);
    return this.#blocks.get(index, () => {
      const block = client.withRetries(url, async () => {
        const bytesOfBlock = await client.body(await this.#get(start, end), url, end - start);
        if (bytesOfBlock.length < end - start)
          throw new Error(`${bytesOfBlock.length} of the ${end - start} bytes of a range arrived`);
        return bytesOfBlock;
      });
      // The next entry that needs the block requests it again.
      block.catch(() => this.#blocks.drop(index));
      return block;
    });
  }

  /**
   * True when a response has the requested version and position. Some servers check only Range, not If-Range. A
   * response without a version counts as the same one.
   */
  #isRequested({ headers }: Response, start: number): boolean {
    const [, from, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    const versions = [headers.get('etag'), headers.get('last-modified')].filter((version) => version !== null);
    const isSameVersion = this.#version === null || versions.length === 0 || versions.includes(this.#version);
    return Number(from) === start && (size === '*' || Number(size) === this.#file.bytes) && isSameVersion;
  }

  /**
   * The response with the bytes from `start` to before `end`.
   * @throws {ChangedError} When the published file is another version.
   * @throws {FetchError} When the status is unexpected.
   */
  async #get(start: number, end: number): Promise<Response> {
    const { client, url, hosts } = this.#file;
    const headers: Record<string, string> = { range: `bytes=${start}-${end - 1}` };
    if (this.#version !== null) headers['if-range'] = this.#version;
    const response = await client.get(url, hosts, headers);
    if (response.status === 206 && this.#isRequested(response, start)) return response;
    await response.body?.cancel();
    if (response.status === 200 || response.status === 206)
      throw new ChangedError(`${url}: changed while it was read; run it again`);
    throw new FetchError(`${url}: status ${response.status} for a range, expected 206`);
  }
}
