import { join } from 'node:path';
import type { CheckedFile } from '../formats/checked-file.ts';
import { DatasetFiles } from './files.ts';
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
  /** Opens it; the caller closes it. Throws the system's error when it is no longer there. */
  open(): Promise<Pick<CheckedFile, 'stream' | 'close'>>;
}

/** A file for download as the manifest lists it, or null when it is not there. */
export function bulkFile(folder: string, manifest: Manifest, name: string): BulkFile | null {
  const file = manifest.files[name];
  if (!file) return null;
  const { rows = 0, bytes, sha256 } = file;
  return {
    name,
    path: join(folder, ...name.split('/')),
    rows,
    bytes,
    sha256,
    open: () => openBulk(folder, manifest, name),
  };
}

/** The dataset may be closed, or be another than the one that is served, while the file is sent: it is opened by itself. */
async function openBulk(folder: string, manifest: Manifest, name: string): Promise<CheckedFile> {
  const files = await DatasetFiles.open(folder, manifest, 0);
  return files.open(name);
}
