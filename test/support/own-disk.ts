import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { tempFolder } from './temp-folder.ts';

/** Uses its own file system, where one can be mounted. */
export async function onOwnDisk(
  t: TestContext,
  options: string,
  work: (disk: string) => void | Promise<void>,
): Promise<void> {
  const disk = tempFolder(t);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', disk]).status !== 0) {
    t.skip('a file system of its own cannot be mounted here');
    return;
  }
  try {
    await work(disk);
  } finally {
    spawnSync('umount', ['--lazy', disk]);
  }
}
