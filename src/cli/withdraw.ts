import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { listDatasets } from '../snapshot/listing.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { reinstateDataset, withdrawDataset } from '../snapshot/publish.ts';
import { reinstateStored, withdrawStored } from '../store/dataset-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { say } from './output.ts';
import { storeOption } from './store.ts';

interface Flags {
  data?: string;
  store?: ObjectStore;
  undo: boolean;
}

/** `hidamari withdraw ID`: returns to the previous dataset. */
export function define(command: Command): void {
  command
    .description(
      'Takes a dataset out of service: no server opens it any more, and those that serve it move to the one before when they are told ' +
        '(SIGHUP), or at their next look into the store. Its files stay. --undo brings it back.',
    )
    .argument('<id>', 'dataset_id')
    .option('--data <dir>', 'data folder in which it lies')
    .addOption(storeOption('store in which it lies'))
    .option('--undo', 'bring it back into service', false)
    .action(withdraw);
}

/** Withdraws or reinstates a dataset in a data folder, in a store or in both, and prints what is the newest then. */
async function withdraw(id: string, { data, store, undo }: Flags, command: Command): Promise<void> {
  if (data === undefined && store === undefined)
    return command.error('error: where does it lie: give --data, --store or both');
  const result = undo ? 'is in service again' : 'is withdrawn';
  if (data !== undefined) {
    if (!existsSync(data) || !statSync(data).isDirectory()) throw new DatasetError(`${data}: is no data folder`);
    const { datasets } = await listDatasets(data);
    // A dataset that is withdrawn already is not listed.
    const folder = datasets.find(({ manifest }) => manifest.dataset_id === id)?.folder ?? join(data, id);
    if (!undo && datasets.every(({ manifest }) => manifest.dataset_id === id))
      throw new DatasetError(`${data}: holds no other dataset that could be served in place of ${id}`);
    await (undo ? reinstateDataset(folder) : withdrawDataset(folder));
    const [newest] = (await listDatasets(data)).datasets;
    say(`${data}: ${id} ${result}; the newest is ${newest?.manifest.dataset_id ?? 'none'}`);
  }
  if (store !== undefined) {
    const newest = await (undo ? reinstateStored(store, id) : withdrawStored(store, id));
    say(`${store.address}: ${id} ${result}; the newest is ${newest ?? 'none'}`);
  }
}
