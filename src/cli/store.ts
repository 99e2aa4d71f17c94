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
import { redisUrl, wholeNumber } from './setting.ts';

/** `--store`, which is also `HIDAMARI_STORE`. */
export const storeOption = (what = 'where machines share steps and results'): Option =>
  new Option('--store <place>', `${what}: s3://bucket/prefix or a folder`)
    .env('HIDAMARI_STORE')
    .argParser((place) => openStore(place));

/** Of random hexadecimal digits these are 128 bits. */
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

function storeKey(text: string): KeyObject {
  if (text.length >= LEAST_KEY) return createSecretKey(text, 'utf8');
  throw new InvalidArgumentError(`It must hold at least ${LEAST_KEY} characters.`);
}

/**
 * The store of a build or a worker with the key for its seals, from the flag or the environment. An invalid key ends
 * the command.
 */
export function openSteps(
  { store, storeKey: given }: { store: ObjectStore; storeKey?: KeyObject },
  command: Command,
  note: (message: string) => void,
): StepStore {
  try {
    const text = given === undefined ? secretOf('HIDAMARI_STORE_KEY') : undefined;
    const key = given ?? (text === undefined ? null : parseVariable('HIDAMARI_STORE_KEY', text, storeKey));
    return new StepStore(store, key, note);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: ${error.message}`, { exitCode: 2 });
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

/** `--queue`, which is also `HIDAMARI_QUEUE`, and the time limit of its locks. */
export const queueOptions = (): Option[] => [
  new Option('--queue <url>', 'queue of steps: redis://host:port/database (BullMQ)')
    .env('HIDAMARI_QUEUE')
    .argParser(redisUrl),
  new Option('--lock <seconds>', 'with --queue: how long a machine may be silent before its step goes to another')
    .default(30)
    .argParser((text) => wholeNumber(text, 1, 3600)),
];

/** `--wait-for-workers`, of a coordinator. */
export const waitOption = (): Option =>
  new Option(
    '--wait-for-workers <seconds>',
    'with --queue: how long to wait while no machine takes steps (default: for ever)',
  ).argParser((text) => wholeNumber(text, 1, 604_800));

/** The queue of a command, with its password from the environment. A password in the flag is wrong usage. */
export async function openQueue(
  { queue, lock, waitForWorkers }: { queue?: string; lock: number; waitForWorkers?: number },
  store: StepStore | null,
  command: Command,
): Promise<QueueOptions | null> {
  if (queue === undefined) return null;
  const wrong = (message: string): never => command.error(`error: ${message}`, { exitCode: 2 });
  if (store === null) return wrong('--queue needs --store');
  if (command.getOptionValueSource('queue') === 'cli' && hasPassword(queue)) {
    refuse(command, '--queue', 'HIDAMARI_QUEUE_PASSWORD');
  }
  const { queueRedis } = await import('../work/queue.ts');
  const redis = queueRedis(withPassword(queue, secretOf('HIDAMARI_QUEUE_PASSWORD')), remark);
  const waitForWorkersMs = waitForWorkers === undefined ? null : waitForWorkers * 1000;
  return { redis, store, lockMs: lock * 1000, waitForWorkersMs, note: remark };
}

/**
 * The store at a place. Endpoint and key of a bucket come from the environment, or from files that it names.
 * @param given replaces the settings of the environment
 * @throws InvalidArgumentError
 */
export function openStore(place: string, { attempts, signal }: S3Patience = {}, given?: S3Settings): ObjectStore {
  const bucket = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place);
  if (bucket === null) {
    if (/^\w+:\/\//.test(place)) throw new InvalidArgumentError('It must be s3://bucket/prefix or a folder.');
    return new DirectoryStore(place);
  }
  const settings = given ?? s3Environment();
  const missing = missingS3({ ...settings, s3Bucket: bucket[1] });
  if (missing.length > 0) {
    throw new InvalidArgumentError(
      `A bucket needs ${missing.join(', ')} in the environment (or …_FILE, naming a file).`,
    );
  }
  const s3Bucket = S3_SETTINGS.s3Bucket.parse(bucket[1]);
  const s3 = s3Location({ ...settings, s3Bucket, s3Prefix: S3_SETTINGS.s3Prefix.parse(bucket[2]) });
  return new S3Objects(new S3Store(s3, s3Keys(s3), signal), attempts);
}

/** Limits of the requests to a bucket. */
interface S3Patience {
  /** Number of attempts after temporary failures. */
  attempts?: number;
  /** Aborts running requests. */
  signal?: AbortSignal;
}
