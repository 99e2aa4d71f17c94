import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { kaigoFiles } from '../../../samples/kaigo.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Writes files below a temporary folder, hands it to `use`, and removes it. */
export async function withFiles<T>(
  files: ReadonlyMap<string, Uint8Array | string>,
  use: (folder: string) => Promise<T>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-kaigo-in-'));
  try {
    write(files, folder);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(files: ReadonlyMap<string, Uint8Array | string>, folder: string): void {
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

/** Writes files below a folder that is removed after the last test of the file; gives its path. */
export function filesOfFile(files: ReadonlyMap<string, Uint8Array | string>): string {
  const folder = tempFolder({ after });
  write(files, folder);
  return folder;
}

/** The same of the bundled sample; gives the options of its build. */
export const sampleOfFile = () => sampleOptions(filesOfFile(kaigoFiles()));

/** The options of a build of the bundled sample that lies in `folder`. */
export const sampleOptions = (folder: string) => ({
  offices: [join(folder, 'offices')],
  details: [join(folder, 'details.csv')],
});

/** Writes the bundled sample, hands its folder to `use`, and removes it. */
export const withSample = <T>(use: (folder: string) => Promise<T>): Promise<T> => withFiles(kaigoFiles(), use);

/** The fees of a facility that publishes none. */
export const NO_FEES = {
  food: null,
  roomFees: {},
  replaced: [],
  mainRoom: null,
  rentPerMonth: null,
  managementPerMonth: null,
  hasNoDeposit: false,
  isSocialWelfare: false,
  mostRentPerMonth: null,
  mostManagementPerMonth: null,
  mostFoodPerMonth: null,
  rentFrom: null,
  filed: null,
} as const;
