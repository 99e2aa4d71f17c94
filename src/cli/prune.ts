import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { keepBuildsAway } from '../pipeline/build-folder.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { pruneVerdicts, removeDataset, type Verdict } from '../snapshot/prune.ts';
import { removeLeftovers } from '../snapshot/publish.ts';
import { pruneStored, removeAbandonedCopies } from '../store/dataset-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { bytesText, remark, sayJson, sayTable } from './output.ts';
import { wholeNumber } from './setting.ts';
import { storeOption } from './store.ts';

interface Flags {
  store?: ObjectStore;
  keep: number;
  dryRun?: boolean;
  json?: boolean;
}

/** Adds `hidamari prune DATA --keep N`. */
export function define(command: Command): void {
  command
    .description(
      'Keeps the newest N whole datasets of a data folder and removes the others. What a server has open always stays, ' +
        'and for an hour the one that was the newest before (its download URLs may still ' +
        'work). While a build is at work in the folder nothing is removed. With --store it does so among the datasets that ' +
        'publish has sent to a store. Datasets that another version of the program reads are left alone.',
    )
    .argument('[data]', 'the data folder')
    .addOption(storeOption())
    .requiredOption('--keep <n>', 'how many whole datasets stay, at least 1', wholeNumber(1, 1000))
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'print JSON')
    .action(prune);
}

/** Prunes a data folder or a store. */
async function prune(data: string | undefined, flags: Flags, command: Command): Promise<void> {
  const { store, keep, dryRun = false } = flags;
  const refuse = () => command.error('error: what is to be pruned: give either a data folder or --store');
  if (data !== undefined) {
    // HIDAMARI_STORE may be set for other commands, so it does not count beside a folder.
    return command.getOptionValueSource('store') === 'cli' ? refuse() : pruneFolder(data, flags);
  }
  if (store === undefined) return refuse();
  const { verdicts, refused } = await pruneStored(store, { keep, dryRun });
  report(verdicts, refused, flags);
}

/**
 * Prunes a data folder and prints what was done.
 * @throws DatasetError when the path is not a data folder
 */
async function pruneFolder(data: string, flags: Flags): Promise<void> {
  if (existsSync(`${data}/manifest.json`)) {
    throw new DatasetError(`${data}: is a dataset: expected the data folder that holds datasets`);
  }
  if (!existsSync(data)) throw new DatasetError(`${data}: there is no such folder: expected a data folder`);
  if (!statSync(data).isDirectory()) throw new DatasetError(`${data}: is a file; expected a data folder`);
  const { verdicts, refused } = await pruneDatasets(data, { keep: flags.keep, dryRun: flags.dryRun ?? false });
  report(verdicts, refused, flags);
}

/**
 * Removes all datasets of a data folder except the newest, and the remains of builds and copies that did not end.
 * @param keep number of datasets that stay
 * @param dryRun true: only says what would be removed
 * @returns what was done with each dataset, and why others were left alone
 * @throws BuildError while a build runs in the folder
 */
export async function pruneDatasets(
  data: string,
  { keep, dryRun }: { keep: number; dryRun: boolean },
): Promise<{ verdicts: Verdict[]; refused: string[] }> {
  const guard = await keepBuildsAway(data);
  try {
    if (!dryRun) {
      await removeLeftovers(data);
      await removeAbandonedCopies(data);
    }
    const { verdicts, refused } = await pruneVerdicts(data, keep, Date.now());
    const results: Verdict[] = [];
    for (const verdict of verdicts) {
      // It is not removed while another process has it open.
      const isHeld = verdict.fate === 'remove' && !(await removeDataset(verdict.folder, dryRun));
      results.push(isHeld ? { ...verdict, fate: 'keep', why: 'a server or a build has it open' } : verdict);
    }
    return { verdicts: results, refused };
  } finally {
    guard.release();
  }
}

/** Prints what was done with each dataset. */
function report(
  datasets: readonly Omit<Verdict, 'folder'>[],
  refused: readonly string[],
  { dryRun = false, json }: Flags,
): void {
  if (json) {
    sayJson({ dry_run: dryRun, datasets, refused });
    return;
  }
  if (datasets.length === 0) remark('There are no datasets of this version of the program.');
  const removed = dryRun ? 'would go' : 'removed';
  const rows = datasets.map(({ dataset_id, generated_at, bytes, fate, why }) => {
    return [fate === 'keep' ? 'kept' : removed, dataset_id, generated_at, bytesText(bytes), why];
  });
  sayTable([['', 'dataset', 'made', 'size', 'why'], ...rows]);
  for (const line of refused) remark(`left alone: ${line}`);
}
