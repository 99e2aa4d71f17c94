import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { DatasetError } from '../dataset/manifest.ts';
import { pruneVerdicts, removeDataset, type Verdict } from '../dataset/prune.ts';
import { removeLeftovers } from '../dataset/publish.ts';
import { keepBuildsAway } from '../pipeline/build-folder.ts';
import { bytesText, remark, say, sayJson, styled, table } from './output.ts';
import { wholeNumber } from './setting.ts';

interface Flags {
  keep: number;
  dryRun?: boolean;
  json?: boolean;
}

/** Adds `hidamari prune DATA --keep N`. */
export function define(command: Command): void {
  command
    .description(
      'Removes all datasets of a data folder but the newest N that are whole. The newest whole one always stays, and so ' +
        'does what a server has open, and for an hour what was the newest until then (its download URLs may still ' +
        'work). While a build is at work in the folder nothing is removed.',
    )
    .argument('<data>', 'the data folder')
    .requiredOption('--keep <n>', 'how many whole datasets stay, at least 1', (text) => wholeNumber(text, 1, 1000))
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'print JSON')
    .action(prune);
}

async function prune(data: string, { keep, dryRun = false, json }: Flags): Promise<void> {
  if (existsSync(`${data}/manifest.json`)) {
    throw new DatasetError(`${data}: is a dataset: expected the data folder that holds datasets`);
  }
  if (!existsSync(data)) throw new DatasetError(`${data}: there is no such folder: expected a data folder`);
  const guard = await keepBuildsAway(data);
  try {
    await removeLeftovers(data);
    const { verdicts, refused } = await pruneVerdicts(data, keep, Date.now());
    const done: Verdict[] = [];
    for (const verdict of verdicts) {
      const isHeld = verdict.fate === 'remove' && !(await removeDataset(verdict.folder, dryRun));
      done.push(isHeld ? { ...verdict, fate: 'keep', why: 'a server or a build has it open' } : verdict);
    }
    if (json) sayJson({ dry_run: dryRun, datasets: done, refused });
    else print(done, refused, dryRun);
  } finally {
    guard.release();
  }
}

function print(verdicts: readonly Verdict[], refused: readonly string[], dryRun: boolean): void {
  const rows = verdicts.map(({ dataset_id, generated_at, bytes, fate, why }) => {
    const word = fate === 'keep' ? 'kept' : dryRun ? 'would go' : 'removed';
    return [word, dataset_id, generated_at, bytesText(bytes), why];
  });
  const [heading = '', ...lines] = table([['', 'dataset', 'made', 'size', 'why'], ...rows]);
  say(styled('bold', heading));
  for (const line of lines) say(line);
  for (const line of refused) remark(`left alone: ${line}`);
}
