import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncToDisk } from '../formats/files.ts';
import { DatasetError, MANIFEST_FILE, WITHDRAWN_FILE } from './manifest.ts';

/**
 * Takes a dataset out of service, or back into service. Without its manifest no server opens it; a server that has it
 * open continues until its next check.
 * @throws DatasetError when there is no such dataset
 */
export async function withdrawDataset(folder: string, undo = false): Promise<void> {
  const names = [MANIFEST_FILE, WITHDRAWN_FILE];
  const [from = '', to = ''] = undo ? names.reverse() : names;
  if (!existsSync(join(folder, from)))
    throw new DatasetError(`${folder}: ${undo ? 'is not withdrawn' : 'no dataset that could be withdrawn'}`);
  await rename(join(folder, from), join(folder, to));
  await syncToDisk(folder);
}
