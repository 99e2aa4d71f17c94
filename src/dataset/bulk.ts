import { join } from 'node:path';
import type { Manifest } from './manifest.ts';

/** A Parquet file of the dataset, for download. */
export interface BulkFile {
  /** Path relative to the dataset's folder, with `/`; also the name under which it is signed. */
  name: string;
  /** Absolute path on this machine. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** A file for download as the manifest lists it, or null when it is not there. */
export function bulkFile(folder: string, manifest: Manifest, name: string): BulkFile | null {
  const file = manifest.files[name];
  if (!file) return null;
  return { name, path: join(folder, ...name.split('/')), rows: file.rows ?? 0, bytes: file.bytes, sha256: file.sha256 };
}
