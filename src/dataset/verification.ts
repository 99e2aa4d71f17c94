import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from './manifest.ts';

/** What `verify` found. */
export interface Verification {
  manifest: Manifest;
  /** Files and bytes that were read. */
  files: number;
  bytes: number;
  /** Things inside the files that were decoded and compared, by name. */
  checked: Record<string, number>;
  /** A line for each thing that is not as the manifest says; none in a whole dataset. */
  differences: string[];
}

/** Differences inside one file that are listed; the rest is counted. */
const MOST_LISTED = 20;

/** Adds the differences found inside a file to the report. */
export function addDifferences(found: Verification, file: string, differences: readonly string[]): void {
  const rest = differences.length - MOST_LISTED;
  for (const line of differences.slice(0, MOST_LISTED)) found.differences.push(`${file}: ${line}`);
  if (rest > 0) found.differences.push(`${file}: and ${rest} more`);
}

/** A file of a dataset that was read to its end, or could not be. */
interface CheckedAgainstManifest {
  name: string;
  /** Bytes read. */
  bytes: number;
  /** What is not as the manifest says; null: nothing. */
  difference: string | null;
}

/** A bound on reading, for checks beside other work. */
interface Pace {
  bytesPerSecond: number;
  signal: AbortSignal;
  /** Called with the length of every piece that was read. */
  read(bytes: number): void;
}

/** What is hashed at a time: half a millisecond of work. */
const PIECE_BYTES = 256 << 10;

/**
 * Compares the size and SHA-256 of every file of a dataset with its manifest, one file after the other. With a pace, no
 * faster than that, and until its signal ends it: it then throws the signal's reason.
 */
export async function* checkFiles(
  folder: string,
  manifest: Manifest,
  pace?: Pace,
): AsyncGenerator<CheckedAgainstManifest> {
  for (const [name, expected] of Object.entries(manifest.files)) {
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const piece of createReadStream(join(folder, name), { highWaterMark: PIECE_BYTES })) {
        hash.update(piece);
        bytes += piece.length;
        if (pace === undefined) continue;
        pace.read(piece.length);
        await delay((piece.length / pace.bytesPerSecond) * 1000, undefined, { signal: pace.signal, ref: false });
      }
    } catch (error) {
      pace?.signal.throwIfAborted();
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      yield { name, bytes, difference: missing ? 'is missing' : (error as Error).message };
      continue;
    }
    const sha256 = hash.digest('hex');
    let difference: string | null = null;
    if (bytes !== expected.bytes) difference = `has ${bytes} bytes, the manifest says ${expected.bytes}`;
    else if (sha256 !== expected.sha256) difference = `its SHA-256 is ${sha256}, the manifest says ${expected.sha256}`;
    yield { name, bytes, difference };
  }
}
