import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { S3Store } from '../http/s3-store.ts';
import { DirectoryStore, type ObjectStore } from '../store/object-store.ts';
import { S3Objects } from '../store/s3-objects.ts';
import type { QueueOptions } from '../work/queue.ts';
import { StepStore } from '../work/step-store.ts';
import { remark } from './output.ts';
import { missingS3, S3_SETTINGS, type S3Settings, s3Environment, s3Keys, s3Location } from './s3-settings.ts';
import { hasPassword, parseVariable, refuse, secretOf, withPassword } from './secrets.ts';
import { redisUrl, storeOrFolder, wholeNumber } from './setting.ts';

/** `--store`, which is also `HIDAMARI_STORE`. */
export const storeOption = (what = 'where machines share steps and results'): Option =>
  new Option('--store <place>', `${what}: s3://bucket/prefix or a folder`)
    .env('HIDAMARI_STORE')
    .argParser((place) => openStore(place));

/** Least characters of a key. 32 random hexadecimal digits are 128 bits. */
const LEAST_KEY = 32;

/** `--store-key`. The key may also be in `HIDAMARI_STORE_KEY`, or in the file that `HIDAMARI_STORE_KEY_FILE` names. */
export const storeKeyOption = (): Option =>
  new Option(
    '--store-key <file>',
    `secret that seals steps and results in the store, at least ${LEAST_KEY} characters: the same for all builds and workers`,
  ).argParser((path) => {
    try {
      return storeKey(readFileSync(path, 'utf8').trim());
    } catch (error) {
      throw error instanceof InvalidArgumentError ? error : new InvalidArgumentError(`${(error as Error).message}.`);
    }
  });

/** @throws InvalidArgumentError for a key that is too short */
function storeKey(text: string): KeyObject {
  if (text.length >= LEAST_KEY) return createSecretKey(text, 'utf8');
  throw new InvalidArgumentError(`It must hold at least ${LEAST_KEY} characters.`);
}

/**
 * The store of a build or a worker with the key for its seals. An invalid key ends the command.
 * @param keyOfFlag from `--store-key`; without it, the key comes from the environment
 */
export function openSteps(
  store: ObjectStore,
  keyOfFlag: KeyObject | undefined,
  command: Command,
  note: (message: string) => void,
): StepStore {
  if (keyOfFlag !== undefined) return new StepStore(store, keyOfFlag, note);
  try {
    const text = secretOf('HIDAMARI_STORE_KEY');
    const key = text === undefined ? null : parseVariable('HIDAMARI_STORE_KEY', text, storeKey);
    return new StepStore(store, key, note);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: ${error.message}`);
  }
}

/** The default name of a build. */
export const RUN = 'build';

/** `--run`: the name of a build whose steps are listed. It distinguishes the builds in one store. */
export const runOption = (): Option =>
  new Option('--run <name>', 'name of the build where steps are listed or queued').argParser((text) => {
    if (/^[\w.-]{1,64}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be 1 to 64 letters, digits, dots, hyphens or underscores.');
  });

/** `--queue`, which is also `HIDAMARI_QUEUE`. */
export const queueOption = (): Option =>
  new Option('--queue <url>', 'queue of steps: redis://host:port/database (BullMQ)')
    .env('HIDAMARI_QUEUE')
    .argParser(redisUrl);

/** `--lock`: the time limit of the locks of a queue. */
export const lockOption = (): Option =>
  new Option('--lock <seconds>', 'with --queue: how long a machine may be silent before its step goes to another')
    .default(30)
    .argParser(wholeNumber(1, 3600));

/** `--wait-for-workers`, of a coordinator. */
export const waitOption = (): Option =>
  new Option(
    '--wait-for-workers <seconds>',
    'with --queue: how long to wait while no machine takes steps (default: for ever)',
  ).argParser(wholeNumber(1, 604_800));

/** The queue of a command, with its password from the environment. A password in the flag is wrong usage. */
export async function openQueue(
  { queue, lock, waitForWorkers }: { queue?: string; lock: number; waitForWorkers?: number },
  store: StepStore | null,
  command: Command,
): Promise<QueueOptions | null> {
  if (queue === undefined) return null;
  if (store === null) return command.error('error: --queue needs --store');
  if (command.getOptionValueSource('queue') === 'cli' && hasPassword(queue)) {
    refuse(command, '--queue', 'HIDAMARI_QUEUE_PASSWORD');
  }
  const { queueRedis } = await import('../work/queue.ts');
  const redis = queueRedis(withPassword(queue, secretOf('HIDAMARI_QUEUE_PASSWORD')), remark);
  const waitForWorkersMs = waitForWorkers === undefined ? null : waitForWorkers * 1000;
  return { redis, store, lockMs: lock * 1000, waitForWorkersMs, note: remark };
}

/**
 * The store at an address.
 * @param address `s3://bucket/prefix`, or a folder
 * @param s3 endpoint and key of a bucket; by default those of the environment, or of files that it names
 * @throws InvalidArgumentError
 */
export function openStore(address: string, { attempts, signal }: S3Patience = {}, s3?: S3Settings): ObjectStore {
  const match = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address);
  if (match === null) {
    if (address.startsWith('s3://')) throw new InvalidArgumentError('It must name a bucket: s3://bucket/prefix.');
    return new DirectoryStore(storeOrFolder(address));
  }
  const [, bucket, prefix] = match;
  const settings = s3 ?? s3Environment();
  const missing = missingS3({ ...settings, s3Bucket: bucket });
  if (missing.length > 0) {
    throw new InvalidArgumentError(
      `A bucket needs ${missing.join(', ')} in the environment (or …_FILE, naming a file).`,
    );
  }
  const s3Bucket = S3_SETTINGS.s3Bucket.parse(bucket);
  const location = s3Location({ ...settings, s3Bucket, s3Prefix: S3_SETTINGS.s3Prefix.parse(prefix) });
  return new S3Objects(new S3Store(location, s3Keys(location), signal), attempts);
}

/** Limits of the requests to a bucket. */
interface S3Patience {
  /** Number of attempts after temporary failures. */
  attempts?: number;
  /** Aborts running requests. */
  signal?: AbortSignal;
}
