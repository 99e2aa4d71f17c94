import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asShortage, ShortageError } from '../formats/checked-file.ts';
import { isMissing } from '../formats/files.ts';
import type { Manifest } from './manifest.ts';

/** The result of `verify`. */
export interface Verification {
  manifest: Manifest;
  /** Number of files, and of their bytes. */
  files: number;
  bytes: number;
  /** Number of things inside the files that were decoded and compared, by name. */
  checked: Record<string, number>;
  /** A line for each difference from the manifest; empty for an undamaged dataset. */
  differences: string[];
}

/** Limit of listed differences inside one file; the others are counted. */
const MOST_LISTED = 20;

/** Adds the differences found inside a file to the report. */
export function addDifferences(report: Verification, file: string, differences: readonly string[]): void {
  const rest = differences.length - MOST_LISTED;
  for (const line of differences.slice(0, MOST_LISTED)) report.differences.push(`${file}: ${line}`);
  if (rest > 0) report.differences.push(`${file}: and ${rest} more`);
}

/** A file that was read to its end, or could not be read. */
interface CheckedAgainstManifest {
  name: string;
  /** Bytes read. */
  bytes: number;
  /** The difference from the manifest; null: none. */
  difference: string | null;
}

/** A limit of the reading speed, for checks during other work. */
interface Pace {
  bytesPerSecond: number;
  signal: AbortSignal;
  /** Called with the length of every piece that was read. */
  read?(bytes: number): void;
}

/** Bytes that are read and hashed at a time, in the same memory: half a millisecond of work. */
const PIECE_BYTES = 256 << 10;

/** Pause of a background check while the machine has no free file handle or memory, milliseconds. */
const SHORTAGE_MS = 1000;

/**
 * Compares the size and SHA-256 of every file of a dataset with its manifest, one file after the other. With a pace it
 * does not read faster than the pace, and it waits while the machine lacks file handles or memory.
 * @throws the reason of the pace's signal when it is aborted
 */
export async function* checkFiles(
  folder: string,
  manifest: Pick<Manifest, 'files'>,
  pace?: Pace,
): AsyncGenerator<CheckedAgainstManifest> {
  const memory = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (const [name, expected] of Object.entries(manifest.files)) {
    try {
      const path = join(folder, name);
      const { bytes, size, sha256 } = await retriedWhenMachineIsFull(pace, () =>
        readThrough(path, expected.bytes, memory, pace),
      );
      let difference: string | null = null;
      if (size !== expected.bytes) difference = `has ${size} bytes, the manifest says ${expected.bytes}`;
      else if (sha256 !== expected.sha256) {
        difference = `its SHA-256 is ${sha256}, the manifest says ${expected.sha256}`;
      }
      yield { name, bytes, difference };
    } catch (error) {
      pace?.signal.throwIfAborted();
      yield { name, bytes: 0, difference: isMissing(error) ? 'is missing' : (error as Error).message };
    }
  }
}

/**
 * Calls `read`. When the machine has no free file handle or memory, a check in the background (one with a pace) waits and
 * tries again; any other throws.
 */
async function retriedWhenMachineIsFull<Result>(pace: Pace | undefined, read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (pace === undefined || !(asShortage(error) instanceof ShortageError)) throw error;
      await delay(SHORTAGE_MS, undefined, { signal: pace.signal, ref: false });
    }
  }
}

/**
 * Reads and hashes a file of the expected size. A file of another size is not read: its `bytes` are 0.
 * @param memory for the pieces of the file
 */
async function readThrough(
  path: string,
  expectedBytes: number,
  memory: Buffer,
  pace: Pace | undefined,
): Promise<{ bytes: number; size: number; sha256: string }> {
  const hash = createHash('sha256');
  await using file = await open(path);
  const { size } = await file.stat();
  if (size !== expectedBytes) return { bytes: 0, size, sha256: '' };
  for (let bytes = 0; ; ) {
    const { bytesRead } = await file.read(memory, 0, memory.length, null);
    if (bytesRead === 0) return { bytes, size: bytes, sha256: hash.digest('hex') };
    hash.update(memory.subarray(0, bytesRead));
    bytes += bytesRead;
    if (pace === undefined) continue;
    pace.read?.(bytesRead);
    await delay((bytesRead / pace.bytesPerSecond) * 1000, undefined, { signal: pace.signal, ref: false });
  }
}
