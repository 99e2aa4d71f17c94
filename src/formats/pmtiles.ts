import { type FileHandle, open } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PbfReader, PbfWriter } from 'pbf';
import { bytesToHeader, type Header, tileIdToZxy, zxyToTileId } from 'pmtiles';
import { type CheckedFile, DamagedFileError } from './checked-file.ts';

const HEADER_BYTES = 127;
/** Where parts of the header begin; the places and the counts stand before them. */
const [FLAGS_AT, BOUNDS_AT, FIRST_VIEW_AT] = [96, 102, 118];
/** Version of the format. */
const VERSION = 3;
/** Tiles and directories are gzipped. */
const GZIP = 2;
/** Run lengths of a directory: an entry is one tile, or it points to a leaf. */
const [RUN_OF_TILE, RUN_OF_LEAF] = [1, 0];

/** The file is damaged, or is not a PMTiles archive of gzipped tiles. */
class PmtilesReadError extends Error {
  override name = 'PmtilesReadError';
}

/**
 * Reads a PMTiles archive from disk, without promises. The positions of all tiles stay in memory (32 bytes each). Tiles
 * are returned gzipped, as they are stored and served. The `pmtiles` package reads asynchronously and decompresses.
 */
export class PmtilesReader {
  readonly header: Header;
  readonly #file: CheckedFile;
  /** The IDs of all tiles, ascending. `#offsets` and `#lengths` have the same order. */
  readonly #ids: number[] = [];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];

  /** The caller owns and closes the file. All methods throw `PmtilesReadError` and `DamagedFileError`. */
  constructor(file: CheckedFile) {
    const { path } = file;
    this.#file = file;
    try {
      const head = this.#read(0, HEADER_BYTES);
      if (head.toString('latin1', 0, 7) !== 'PMTiles') throw new PmtilesReadError(`${path}: not a PMTiles archive`);
      this.header = bytesToHeader(new Uint8Array(head).buffer);
      if (this.header.tileCompression !== GZIP || this.header.internalCompression !== GZIP) {
        throw new PmtilesReadError(`${path}: its tiles are not gzipped; only gzipped tiles can be served`);
      }
      this.#readDirectory(this.header.rootDirectoryOffset, this.header.rootDirectoryLength);
    } catch (error) {
      if (error instanceof PmtilesReadError || error instanceof DamagedFileError) throw error;
      throw new PmtilesReadError(`${path}: damaged: ${(error as Error).message}`, { cause: error });
    }
  }

  /** The JSON of the archive: name, credit, layers. */
  metadata(): Record<string, unknown> {
    const { jsonMetadataOffset, jsonMetadataLength } = this.header;
    return JSON.parse(gunzipSync(this.#read(jsonMetadataOffset, jsonMetadataLength)).toString());
  }

  get count(): number {
    return this.#ids.length;
  }

  /** A tile, gzipped; null when the archive does not have it. */
  tile(z: number, x: number, y: number): Buffer | null {
    const index = this.#indexOf(zxyToTileId(z, x, y));
    return index < 0 ? null : this.#read(this.header.tileDataOffset + this.#offsets[index], this.#lengths[index]);
  }

  /** All tiles in order, gzipped. */
  *tiles(): Generator<{ z: number; x: number; y: number; bytes: Buffer }> {
    for (const [i, id] of this.#ids.entries()) {
      const [z, x, y] = tileIdToZxy(id);
      yield { z, x, y, bytes: this.#read(this.header.tileDataOffset + this.#offsets[i], this.#lengths[i]) };
    }
  }

  /** Reads the positions of the tiles of a directory and of the directories below it. */
  #readDirectory(at: number, length: number): void {
    const from = new PbfReader(gunzipSync(this.#read(at, length)));
    const count = from.readVarint();
    const column = (): number[] => Array.from({ length: count }, () => from.readVarint());
    // IDs as differences, run lengths, lengths in bytes, offsets.
    const [steps, runs, lengths, offsets] = [column(), column(), column(), column()];
    let id = 0;
    for (let i = 0; i < count; i++) {
      id += steps[i];
      // 0: directly after the previous tile. Other offsets are stored plus one.
      const offset = offsets[i] === 0 ? offsets[i - 1] + lengths[i - 1] : offsets[i] - 1;
      offsets[i] = offset;
      // An entry without a run of tiles (0) is a directory below.
      if (runs[i] === RUN_OF_LEAF) this.#readDirectory(this.header.leafDirectoryOffset + offset, lengths[i]);
      for (let k = 0; k < runs[i]; k++) {
        this.#ids.push(id + k);
        this.#offsets.push(offset);
        this.#lengths.push(lengths[i]);
      }
    }
  }

  /** The index of a tile; −1 when the archive does not have it. */
  #indexOf(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === id ? low : -1;
  }

  #read(at: number, length: number): Buffer {
    return this.#file.read(at, at + length);
  }
}

/** The header data and metadata of a PMTiles archive. */
export interface PmtilesAbout {
  minZoom: number;
  maxZoom: number;
  /** Degrees. */
  bounds: { west: number; south: number; east: number; north: number };
  /** The JSON of the archive: name, credit, layers. */
  metadata: object;
}

/** The specification wants the header and the root directory in the first 16 KiB. */
const DATA_AT = 16_384;
/** Values of the header: tiles are in order of their IDs, and of the type MVT. */
const [CLUSTERED, VECTOR_TILES] = [1, 1];

/** A tile, or a leaf directory, and its position. */
interface Entry {
  id: number;
  offset: number;
  length: number;
}

/**
 * Writes a PMTiles archive (version 3) in one pass. Gzipped tiles come in ascending order of their IDs and are written
 * at once; only their positions stay in memory. The same tiles give the same bytes.
 * @throws Error of the system when a file cannot be written
 */
export class PmtilesWriter {
  readonly #file: FileHandle;
  readonly #entries: Entry[] = [];
  #end = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<PmtilesWriter> {
    return new PmtilesWriter(await open(path, 'w'));
  }

  /**
   * Adds a tile.
   * @throws RangeError when its ID is not above the previous one
   */
  async add(id: number, gzipped: Uint8Array): Promise<void> {
    const last = this.#entries.at(-1);
    if (last && id <= last.id) throw new RangeError(`tile ${id} comes after tile ${last.id}`);
    await this.#write(gzipped, DATA_AT + this.#end);
    this.#entries.push({ id, offset: this.#end, length: gzipped.length });
    this.#end += gzipped.length;
  }

  /** Writes the directories, the metadata and the header, which completes the archive. */
  async finish(about: PmtilesAbout): Promise<void> {
    const { root, leaves } = directories(this.#entries);
    const metadata = gzipSync(JSON.stringify(about.metadata), { level: 9 });
    // The tiles begin at `DATA_AT`; the leaves of the directory and the metadata follow them.
    const leavesAt = DATA_AT + this.#end;
    const metadataAt = leavesAt + leaves.length;
    await this.#write(leaves, leavesAt);
    await this.#write(metadata, metadataAt);
    const count = this.#entries.length;
    const header = headerOf(about, {
      // The offset and the length of the root, the metadata, the leaves and the tiles.
      places: [HEADER_BYTES, root.length, metadataAt, metadata.length, leavesAt, leaves.length, DATA_AT, this.#end],
      // Of tiles, entries and contents: each tile has its own.
      counts: [count, count, count],
    });
    const head = Buffer.alloc(DATA_AT);
    head.set(header);
    head.set(root, HEADER_BYTES);
    await this.#write(head, 0);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  }
}

/**
 * One root directory; or, when the entries do not fit into it, a root that points to leaves, which get larger until the
 * root fits.
 */
function directories(entries: readonly Entry[]): { root: Uint8Array; leaves: Uint8Array } {
  const whole = directory(entries, RUN_OF_TILE);
  if (whole.length <= DATA_AT - HEADER_BYTES) return { root: whole, leaves: new Uint8Array(0) };
  for (let size = 4096; ; size *= 2) {
    const leaves: Uint8Array[] = [];
    const pointers: Entry[] = [];
    let offset = 0;
    for (let from = 0; from < entries.length; from += size) {
      const leaf = directory(entries.slice(from, from + size), RUN_OF_TILE);
      pointers.push({ id: entries[from].id, offset, length: leaf.length });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = directory(pointers, RUN_OF_LEAF);
    if (root.length <= DATA_AT - HEADER_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

/**
 * A gzipped directory. Its columns: ID (as a difference), run length, length, offset (0: directly after the previous
 * tile; otherwise the offset plus 1).
 * @param run the run length of every entry: `RUN_OF_TILE`, or `RUN_OF_LEAF` for pointers to leaves
 */
function directory(entries: readonly Entry[], run: number): Uint8Array {
  const out = new PbfWriter();
  out.writeVarint(entries.length);
  for (const [i, { id }] of entries.entries()) out.writeVarint(id - (entries[i - 1]?.id ?? 0));
  for (const _ of entries) out.writeVarint(run);
  for (const { length } of entries) out.writeVarint(length);
  for (const [i, { offset }] of entries.entries()) {
    const before = entries[i - 1];
    out.writeVarint(before && before.offset + before.length === offset ? 0 : offset + 1);
  }
  return gzipSync(out.finish(), { level: 9 });
}

/**
 * The header of an archive (PMTiles specification 3, chapter 3).
 * @param places offset and length of root, metadata, leaves and tiles
 * @param counts of addressed tiles, of entries and of contents
 */
function headerOf(
  { minZoom, maxZoom, bounds }: PmtilesAbout,
  { places, counts }: { places: number[]; counts: number[] },
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = VERSION;
  for (const [i, value] of [...places, ...counts].entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * i);
  header.set([CLUSTERED, GZIP, GZIP, VECTOR_TILES, minZoom, maxZoom], FLAGS_AT);
  const degrees = (value: number): number => Math.round(value * 1e7);
  const { west, south, east, north } = bounds;
  for (const [i, value] of [west, south, east, north].entries()) header.writeInt32LE(degrees(value), BOUNDS_AT + 4 * i);
  // The first view: zoom and middle.
  header[FIRST_VIEW_AT] = minZoom;
  header.writeInt32LE(degrees((west + east) / 2), FIRST_VIEW_AT + 1);
  header.writeInt32LE(degrees((south + north) / 2), FIRST_VIEW_AT + 5);
  return header;
}
