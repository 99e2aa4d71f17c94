import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { LastUsed } from '../formats/last-used.ts';
import { entryName } from '../formats/zip.ts';
import { ChangedError, type Client, FetchError } from './client.ts';

/** Small reads (the directory, local headers) are served from blocks of this size. */
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

/** A published zip that is read by ranges: that of one city has 251 GB, of which the buildings are a small part. */
export class RemoteZip {
  readonly #zip: ZipFile;
  readonly url: string;
  readonly #bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;

  private constructor(url: string, zip: ZipFile, bytes: number, etag: string | null, lastModified: string | null) {
    this.url = url;
    this.#zip = zip;
    this.#bytes = bytes;
    this.etag = etag;
    this.lastModified = lastModified;
  }

  /** @throws FetchError when the server does not support ranges or the directory cannot be read */
  static async open(client: Client, url: string, hosts: readonly string[]): Promise<RemoteZip> {
    const response = await client.get(url, hosts, { range: 'bytes=0-0' });
    await response.body?.cancel();
    const size = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
    if (response.status !== 206 || size === undefined) {
      throw new FetchError(`${url}: status ${response.status} for a range; this server gives whole files only`);
    }
    const etag = response.headers.get('etag') || null;
    const lastModified = response.headers.get('last-modified');
    // A weak ETag never matches in If-Range.
    const mark = etag?.startsWith('W/') ? lastModified : (etag ?? lastModified);
    const ranges = new Ranges(client, url, hosts, mark, Number(size));
    try {
      const zip = await fromRandomAccessReaderPromise(ranges, Number(size), {
        autoClose: false,
        decodeStrings: false,
      });
      return new RemoteZip(url, zip, Number(size), etag, lastModified);
    } catch (error) {
      throw unreadable(url, error as Error);
    }
  }

  /**
   * The entries with a matching name.
   * @throws FetchError when the directory cannot be read, or would unpack without end
   */
  async entries(pattern: RegExp): Promise<RemoteEntry[]> {
    const found: RemoteEntry[] = [];
    let packed = 0;
    try {
      for await (const entry of this.#zip.eachEntry()) {
        const name = entryName(entry);
        if (name.length > MOST_NAME_CHARS || !pattern.test(name)) continue;
        found.push({ name, entry });
        packed += entry.compressedSize;
        if (found.length > MOST_ENTRIES) throw new FetchError(`${this.url}: more than ${MOST_ENTRIES} building files`);
        if (packed > this.#bytes) throw new FetchError(`${this.url}: its entries overlap, so that it is no sound zip`);
      }
    } catch (error) {
      throw unreadable(this.url, error as Error);
    }
    return found;
  }

  /**
   * The unpacked bytes of one entry.
   * @throws FetchError when it is encrypted, or its checksum is wrong
   */
  async *read({ name, entry }: RemoteEntry): AsyncGenerator<Buffer> {
    if (!entry.canDecodeFileData()) {
      const why = entry.isEncrypted() ? 'encrypted' : `packed by method ${entry.compressionMethod}`;
      throw new FetchError(`${this.url}: ${name} is ${why}`);
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

const unreadable = (url: string, error: Error): FetchError =>
  error instanceof FetchError ? error : new FetchError(`${url}: its directory cannot be read: ${error.message}`);

/** Reads a URL by ranges, all of one version. */
class Ranges extends RandomAccessReader {
  readonly #client: Client;
  readonly #url: string;
  readonly #hosts: readonly string[];
  readonly #mark: string | null;
  readonly #size: number;
  readonly #blocks = new LastUsed<number, Promise<Buffer>>(MOST_BLOCKS);

  constructor(client: Client, url: string, hosts: readonly string[], mark: string | null, size: number) {
    super();
    this.#client = client;
    this.#url = url;
    this.#hosts = hosts;
    this.#mark = mark;
    this.#size = size;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const pieces = async function* (ranges: Ranges) {
      yield* ranges.#client.pieces(await ranges.#get(start, end));
    };
    return Readable.from(pieces(this), { objectMode: false });
  }

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

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const at = position + done;
      const block = await this.#block(Math.floor(at / BLOCK_BYTES));
      const from = at % BLOCK_BYTES;
      const copied = block.copy(buffer, offset + done, from, Math.min(block.length, from + length - done));
      if (copied === 0) throw new FetchError(`${this.#url}: ends before its directory says so`);
      done += copied;
    }
  }

  #block(index: number): Promise<Buffer> {
    const start = index * BLOCK_BYTES;
    const end = Math.min(this.#size, start + BLOCK_BYTES);
    return this.#blocks.get(index, () =>
      this.#client.patiently(this.#url, async () => {
        const block = await this.#client.body(await this.#get(start, end), this.#url, end - start);
        if (block.length < end - start)
          throw new Error(`${block.length} of the ${end - start} bytes of a range arrived`);
        return block;
      }),
    );
  }

  /** True when a part has the requested version and position. Some servers check only Range, not If-Range. */
  #isAskedFor({ headers }: Response, start: number): boolean {
    const [, from, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
    const marks = [headers.get('etag'), headers.get('last-modified')];
    const isSame = this.#mark === null || marks.every((mark) => mark === null) || marks.includes(this.#mark);
    return Number(from) === start && (size === '*' || Number(size) === this.#size) && isSame;
  }

  async #get(start: number, end: number): Promise<Response> {
    const headers: Record<string, string> = { range: `bytes=${start}-${end - 1}` };
    if (this.#mark !== null) headers['if-range'] = this.#mark;
    const response = await this.#client.get(this.#url, this.#hosts, headers);
    if (response.status === 206 && this.#isAskedFor(response, start)) return response;
    await response.body?.cancel();
    if (response.status === 200 || response.status === 206)
      throw new ChangedError(`${this.#url}: changed while it was read; run it again`);
    throw new FetchError(`${this.#url}: status ${response.status} for a range, expected 206`);
  }
}
