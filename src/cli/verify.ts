import type { KeyObject } from 'node:crypto';
import type { Command } from 'commander';
import { verifyDataset } from '../dataset/verify.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { bytesText, countText, durationText, say, styled } from './output.ts';
import { publicKey } from './setting.ts';

/** Adds `hidamari verify DIR`. */
export function define(command: Command): void {
  command
    .option('--trust-key <file>', 'public Ed25519 key (PEM) with which every dataset must be signed', publicKey)
    .argument('<dir>', 'a dataset, or a data folder: then every dataset in it')
    .action(verify);
}

/**
 * Checks the datasets of a folder and prints the result of each.
 * @throws DatasetError when one is damaged or refused, or there is none
 */
async function verify(folder: string, { trustKey: trusted = null }: { trustKey?: KeyObject | null }): Promise<void> {
  const { datasets, refused } = await listDatasets(folder, { trusted });
  for (const line of refused) say(`${styled('red', 'refused')}  ${line}`);
  if (datasets.length === 0 && refused.length === 0)
    throw new DatasetError(`${folder}: holds no dataset; hidamari build makes one`);
  let damaged = refused.length;
  for (const { folder: dataset } of datasets) {
    const started = performance.now();
    const { manifest, files, bytes, checked, differences } = await verifyDataset(dataset, trusted);
    const duration = durationText(performance.now() - started);
    const contents = Object.entries(checked).map(([name, count]) => `${countText(count)} ${name}`);
    const counts = [`${countText(files)} files, ${bytesText(bytes)}`, ...contents].join(', ');
    const state = differences.length === 0 ? styled('green', 'whole') : styled('red', 'damaged');
    say(`${state}  ${manifest.dataset_id}  ${manifest.generated_at}  ${counts} (${duration})`);
    if (differences.length > 0) damaged++;
    for (const line of differences) say(`  ${line}`);
  }
  if (damaged > 0)
    throw new DatasetError(`${folder}: ${damaged} of ${datasets.length + refused.length} datasets not whole`);
}
