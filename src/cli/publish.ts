import type { Command } from 'commander';
import { newestDataset } from '../snapshot/listing.ts';
import { sendDataset } from '../store/dataset-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { countText, remark, say } from './output.ts';
import { storeOption } from './store.ts';

/** `hidamari publish DIR`: copies a dataset into a store, from which servers copy it. */
export function define(command: Command): void {
  command
    .description(
      'Copies a dataset into a store, from which servers fetch the newest: `serve --data s3://bucket/prefix`. What is there ' +
        'already stays; the manifest comes last. Nothing in the store is deleted.',
    )
    .argument('<dir>', 'a dataset, or a data folder: then the newest dataset in it')
    .addOption(storeOption('where it is copied').makeOptionMandatory())
    .action(async (folder: string, { store }: { store: ObjectStore }) => {
      const { folder: dataset, manifest } = await newestDataset(folder);
      const count = await sendDataset(store, dataset, (name) => remark(`sent ${name}`));
      say(`${manifest.dataset_id}: ${countText(count)} files in ${store.address}`);
    });
}
