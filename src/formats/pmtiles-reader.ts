import { gunzipSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { bytesToHeader, type Header, tileIdToZxy, zxyToTileId } from 'pmtiles';
import { type CheckedFile, DamagedFileError } from './checked-file.ts';

/** The file is damaged, or is not a PMTiles archive of gzipped tiles. */
class PmtilesReadError extends Error {
  override name = 'PmtilesReadError';
}

const HEADER_BYTES = 127;
const GZIP = 2;

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
    const at = this.#indexOf(zxyToTileId(z, x, y));
    return at < 0 ? null : this.#read(this.header.tileDataOffset + this.#offsets[at], this.#lengths[at]);
  }

  /** All tiles in order, gzipped. */
  *tiles(): Generator<{ z: number; x: number; y: number; bytes: Buffer }> {
    for (const [i, id] of this.#ids.entries()) {
      const [z, x, y] = tileIdToZxy(id);
      yield { z, x, y, bytes: this.#read(this.header.tileDataOffset + this.#offsets[i], this.#lengths[i]) };
    }
  }

  #readDirectory(at: number, length: number): void {
    const from = new PbfReader(gunzipSync(this.#read(at, length)));
    const count = from.readVarint();
    const column = (): number[] => Array.from({ length: count }, () => from.readVarint());
    const [steps, runs, lengths, offsets] = [column(), column(), column(), column()];
    let id = 0;
    for (let i = 0; i < count; i++) {
      id += steps[i];
      const place = offsets[i] === 0 ? offsets[i - 1] + lengths[i - 1] : offsets[i] - 1;
      offsets[i] = place;
      if (runs[i] === 0) this.#readDirectory(this.header.leafDirectoryOffset + place, lengths[i]);
      for (let k = 0; k < runs[i]; k++) {
        this.#ids.push(id + k);
        this.#offsets.push(place);
        this.#lengths.push(lengths[i]);
      }
    }
  }

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
