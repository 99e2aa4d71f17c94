import { join } from 'node:path';
import type { Command } from 'commander';
import { difference, objectName } from '../api/bulk-files.ts';
import { bulkFile } from '../contract/documents.ts';
import { fileDigest } from '../formats/files.ts';
import { putFile, S3Error, S3Store } from '../http/s3-store.ts';
import { newestDataset } from '../snapshot/listing.ts';
import { DatasetError, type FileManifest } from '../snapshot/manifest.ts';
import { bytesText, countText, say } from './output.ts';
import { S3_SETTINGS, type S3Settings, s3Keys, s3Location } from './s3-settings.ts';
import { addSettings } from './settings.ts';

/** Number of attempts to send a file. */
const ATTEMPTS = 3;
/** Time limit for a request about an object, milliseconds. */
const HEAD_TIMEOUT_MS = 30_000;

/** Adds `hidamari publish-bulk DIR`. */
export function define(command: Command): void {
  command
    .description(
      'Copies the Parquet files of a dataset into the bucket from which `serve --bulk s3` serves them, under the ' +
        "dataset's ID. What is there already with the same size and SHA-256 stays. Nothing in the bucket is deleted.",
    )
    .argument('<dir>', 'a dataset, or a data folder: then the newest dataset in it');
  const names = Object.keys(S3_SETTINGS) as (keyof S3Settings)[];
  addSettings(command, names).action(async (folder: string, settings: S3Settings) => {
    const bucket = s3Location(settings);
    await publish(folder, new S3Store(bucket, s3Keys(bucket)));
  });
}

/**
 * Sends the Parquet files of the newest dataset that the store lacks, and prints a line for each file.
 * @throws DatasetError when the folder contains no dataset, or a file is damaged; S3Error when the store refuses
 */
async function publish(folder: string, store: S3Store): Promise<void> {
  const { manifest, folder: dataset } = await newestDataset(folder);
  const files = Object.entries(manifest.files).filter(([name]) => name.endsWith('.parquet'));
  let sent = 0;
  for (const [name, file] of files) {
    const object = objectName(manifest.dataset_id, { name });
    const isThere = await isStored(store, object, file);
    if (!isThere) {
      await send(store, object, join(dataset, ...name.split('/')), file);
      sent++;
    }
    say(`${isThere ? 'there' : 'sent '}  ${store.url(object)}  ${bytesText(file.bytes)}`);
  }
  const total = bytesText(files.reduce((sum, [, { bytes }]) => sum + bytes, 0));
  say(`${manifest.dataset_id}: ${countText(files.length)} files, ${total}; ${countText(sent)} sent`);
}

/**
 * True when the store has a file with the same size and checksum. For an object without a checksum, only the size could
 * be compared, so it does not count.
 */
async function isStored(store: S3Store, object: string, file: FileManifest): Promise<boolean> {
  const stored = await store.head(object, HEAD_TIMEOUT_MS);
  return stored !== null && stored.sha256 !== null && difference(object, stored, file) === null;
}

/**
 * Sends a file, and checks what the store received.
 * @param object name of the file in the store
 * @throws DatasetError when the file is not that of the manifest; S3Error when the store refuses or has other bytes
 */
async function send(store: S3Store, object: string, path: string, file: FileManifest): Promise<void> {
  const { bytes, sha256 } = await fileDigest(path);
  if (bytes !== file.bytes || sha256 !== file.sha256) {
    throw new DatasetError(`${path}: is not the file of the manifest; hidamari verify says more`);
  }
  const [half, name] = object.split('/').slice(-2);
  const headers = {
    'content-type': bulkFile.answer.mediaType,
    'content-disposition': `attachment; filename="${half}-${name}"`,
  };
  for (let attempt = 1; ; attempt++) {
    try {
      await putFile(store, object, path, sha256, headers);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof S3Error && error.isTemporary)) throw error;
    }
  }
  const stored = await store.head(object, HEAD_TIMEOUT_MS);
  const fault = stored === null ? `${store.url(object)} is not there` : difference(store.url(object), stored, file);
  if (fault !== null) throw new S3Error(`after sending it, ${fault}`);
}
