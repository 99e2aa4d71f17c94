import { DamageError } from '../formats/checked-file.ts';
import { summarise } from '../sunlight/summary.ts';
import { BitReader, BitWriter } from './bit-stream.ts';
import { readBody, writeBody } from './body.ts';
import type { BuildingBody, BuildingHead, BuildingRecord } from './building-record.ts';
import { readHead, writeHead } from './head.ts';

/**
 * A record as bytes: four bytes with the length of the head (little-endian), the head, the body. Head and body are
 * streams of bits (README.md). The ID is not part of it: it is the key of the record in the store.
 */

const HEAD_LENGTH_BYTES = 4;

/** A stored building: its ID and `encodeRecord` of its record. */
export interface EncodedBuilding {
  buildingId: string;
  bytes: Uint8Array;
}

/**
 * Encodes a building. Numbers are rounded to the units of units.ts. The same record gives the same bytes.
 * @param out a writer that can be used for several records, also after an error
 * @throws RangeError for a number outside the range of a record
 */
export function encodeRecord(record: BuildingRecord, out: BitWriter = new BitWriter()): Uint8Array {
  out.begin();
  // Space for the length of the head, which is not known yet.
  for (let i = 0; i < HEAD_LENGTH_BYTES; i++) out.bits(0, 8);
  writeHead(out, record, record.faces.length > 0 ? summarise(record.faces) : null);
  out.align();
  const headLength = out.length - HEAD_LENGTH_BYTES;
  writeBody(out, record);
  const bytes = out.finish();
  // The lowest byte is first.
  for (let i = 0; i < HEAD_LENGTH_BYTES; i++) bytes[i] = headLength >>> (8 * i);
  return bytes;
}

/**
 * The head of a record: its summary and footprint.
 * @throws DamageError When the bytes are not a record.
 */
export function decodeHead(buildingId: string, bytes: Uint8Array): BuildingHead {
  const from = new BitReader(headBytes(bytes));
  const head = readHead(from, buildingId);
  from.end();
  return head;
}

/**
 * The bytes of the head of a record.
 * @throws DamageError When the record is shorter than its head.
 */
function headBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length < HEAD_LENGTH_BYTES) throw new DamageError(`a record of ${bytes.length} bytes`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (bytes.length < HEAD_LENGTH_BYTES + length) {
    throw new DamageError(`a head of ${length} bytes in a record of ${bytes.length}`);
  }
  return bytes.subarray(HEAD_LENGTH_BYTES, HEAD_LENGTH_BYTES + length);
}

/**
 * The body of a record: hours, windows and sources of shade.
 * @throws DamageError When the bytes are not a record.
 */
export function decodeBody(bytes: Uint8Array): BuildingBody {
  const from = new BitReader(bytes.subarray(HEAD_LENGTH_BYTES + headBytes(bytes).length));
  const body = readBody(from);
  from.end();
  return body;
}

/**
 * The whole record.
 * @throws DamageError When the bytes are not a record.
 */
export function decodeRecord(buildingId: string, bytes: Uint8Array): BuildingRecord & BuildingHead {
  return { ...decodeHead(buildingId, bytes), ...decodeBody(bytes) };
}
