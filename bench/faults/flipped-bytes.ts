import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import { flipBytes } from './flips.ts';

const FLIPS = 500;

/** Changes one byte at a time in any file of a dataset, before the dataset is opened or while it is open. */
export const flippedBytes: Fault = async (folder, dataset, seed) => {
  const copy = join(folder, 'dataset');
  cpSync(dataset, copy, { recursive: true });
  const { tried, refused, answersRefused, unnoticed, wrong } = await flipBytes(copy, FLIPS, seed);
  for (const line of wrong) console.error(`wrong: ${line}`);
  return {
    fault: 'a flipped byte in any file of a dataset',
    tried,
    lost: wrong.length,
    outcome: `${refused} datasets refused, ${answersRefused} with answers refused, ${unnoticed} without effect`,
    recoveryMs: null,
  };
};
