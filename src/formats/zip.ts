import { closeSync, openSync, readSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { Entry, getFileNameLowLevel, openPromise } from 'yauzl';

/** The compression method of a zip: deflate. */
const DEFLATE = 8;

/** The position of a file in a zip. It is enough to read the file later, in another thread, without the directory. */
export interface ZipEntry {
  name: string;
  /** Offset of its local header in the archive. */
  headerOffset: number;
  compressedSize: number;
  uncompressedSize: number;
  /** False: stored without compression. */
  deflated: boolean;
  crc32: number;
}

/**
 * Lists the files of a zip (zip64 too) from its central directory, without folders.
 * @throws yauzl's errors for a damaged directory; Error for an entry that is encrypted or has an unknown compression
 * method
 */
export async function listZip(path: string): Promise<ZipEntry[]> {
  // Names are decoded here. For names without the UTF-8 flag yauzl assumes cp437, but Japanese archivers write cp932.
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false });
  try {
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      const name = entryName(entry);
      if (name.endsWith('/')) continue;
      if (!entry.canDecodeFileData()) {
        const why = entry.isEncrypted() ? 'encrypted' : `packed by method ${entry.compressionMethod}`;
        throw new Error(`${name} is ${why}; unpack the archive by other means and give the folder`);
      }
      entries.push({
        name,
        headerOffset: entry.relativeOffsetOfLocalHeader,
        compressedSize: entry.compressedSize,
        uncompressedSize: entry.uncompressedSize,
        deflated: entry.compressionMethod === DEFLATE,
        crc32: entry.crc32,
      });
    }
    return entries;
  } finally {
    zip.close();
  }
}

/**
 * Bytes to decompress at a time. With zlib's default of 16 KB, or with the streams of yauzl, it takes twice the
 * processor time.
 */
const CHUNK_BYTES = 64 * 1024;

/**
 * The decompressed bytes of one entry.
 * @throws Error when the data are damaged: deflate stream, length or CRC-32
 */
export async function* openZipEntry(path: string, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false });
  try {
    const locatedEntry = Object.assign(new Entry(), {
      relativeOffsetOfLocalHeader: entry.headerOffset,
      compressedSize: entry.compressedSize,
      uncompressedSize: entry.uncompressedSize,
      compressionMethod: entry.deflated ? DEFLATE : 0,
      generalPurposeBitFlag: 0,
    });
    const packed = await zip.openReadStreamPromise(locatedEntry, { decodeFileData: false });
    let crc = 0;
    let bytes = 0;
    for await (const chunk of decompressed(packed, entry) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > entry.uncompressedSize) throw new Error(`too many bytes: expected ${entry.uncompressedSize}`);
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (bytes < entry.uncompressedSize) {
      throw new Error(`not enough bytes: expected ${entry.uncompressedSize}, found ${bytes}`);
    }
    if (crc !== entry.crc32) throw new Error(DAMAGED);
  } finally {
    zip.close();
  }
}

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;

/**
 * The decompressed bytes of one entry that fits in memory, read synchronously.
 * @throws Error when the data are damaged: deflate stream, length or CRC-32
 */
export function readZipEntry(path: string, entry: ZipEntry): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(LOCAL_HEADER_BYTES);
    const packed = Buffer.alloc(entry.compressedSize);
    const headerBytes = readSync(file, header, 0, LOCAL_HEADER_BYTES, entry.headerOffset);
    if (headerBytes !== LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE)
      throw new Error('its header in the zip is damaged, or the zip has changed');
    // The name and the extra field lie between the header and the data.
    const from = entry.headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (readSync(file, packed, 0, packed.length, from) !== packed.length) throw new Error('the zip is cut off');
    // One byte more, so that a longer content is found by its length.
    const bytes = entry.deflated ? inflateRawSync(packed, { maxOutputLength: entry.uncompressedSize + 1 }) : packed;
    if (bytes.length !== entry.uncompressedSize)
      throw new Error(`expected ${entry.uncompressedSize} bytes, found ${bytes.length}`);
    if (crc32(bytes) !== entry.crc32) throw new Error(DAMAGED);
    return bytes;
  } finally {
    closeSync(file);
  }
}

const DAMAGED = 'its checksum (CRC-32) does not match: the zip is damaged';

/** The decompressed bytes of an entry. Errors of the packed bytes become errors of the returned stream. */
const decompressed = (packed: Readable, { deflated }: ZipEntry): Readable =>
  deflated ? pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {}) : packed;

/** The flag of a name in UTF-8. */
const UTF8_FLAG = 0x800;

/** Decodes the name of an entry. The zip must have been opened with `decodeStrings: false`. */
export function entryName(entry: Entry): string {
  // With `decodeStrings: false` the file name is a Buffer, although its declared type is string.
  const raw = entry.fileNameRaw;
  const isFlaggedUtf8 = (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0;
  if (isFlaggedUtf8 || raw.every((byte) => byte < 0x80)) {
    return getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return new TextDecoder('shift_jis').decode(raw).replaceAll('\\', '/');
  }
}
