import { join } from 'node:path';
import type { BulkFile } from './dataset.ts';
import type { Manifest } from './manifest.ts';

/** A file for download as the manifest lists it, or null when it is not there. */
export function bulkFile(folder: string, manifest: Manifest, name: string): BulkFile | null {
  const file = manifest.files[name];
  if (!file) return null;
  return { name, path: join(folder, ...name.split('/')), rows: file.rows ?? 0, bytes: file.bytes, sha256: file.sha256 };
}
