import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { S3Store } from '../http/s3-store.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { S3Objects } from '../store/s3-objects.ts';
import type { QueueOptions } from '../work/queue.ts';
import { remark } from './output.ts';
import { environmentName, wholeNumber } from './setting.ts';

import { SETTINGS } from './settings.ts';

/** `--store`, which is also `HIDAMARI_STORE`. */
export const storeOption = (): Option =>
  new Option('--store <place>', 'where machines share steps and results: s3://bucket/prefix or a folder')
    .env('HIDAMARI_STORE')
    .argParser((place) => openStore(place));

/** The name of a build that was given none. */
export const RUN = 'build';

/** `--run`: what distinguishes the builds in one store, where steps are listed. */
export const runOption = (): Option =>
  new Option('--run <name>', 'name of the build where steps are listed or queued').argParser((text) => {
    if (/^[\w.-]{1,64}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be 1 to 64 letters, digits, dots, hyphens or underscores.');
  });

/** `--queue`, which is also `HIDAMARI_QUEUE`, and how long its jobs are held. */
export const queueOptions = (): Option[] => [
  new Option('--queue <url>', 'queue of steps: redis://host:port/database (BullMQ)')
    .env('HIDAMARI_QUEUE')
    .argParser((text) => {
      if (/^rediss?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
      throw new InvalidArgumentError('It must be a URL such as redis://127.0.0.1:6379/0.');
    }),
  new Option('--lock <seconds>', 'with --queue: how long a machine may be silent before its step goes to another')
    .default(30)
    .argParser((text) => wholeNumber(text, 1, 3600)),
];

/** The queue that a command was given, with its password from the environment; ends it with wrong usage where that is open to see. */
export async function openQueue(
  { queue, lock, store }: { queue?: string; lock: number; store?: ObjectStore },
  command: Command,
): Promise<QueueOptions | null> {
  if (queue === undefined) return null;
  const wrong = (message: string): never => command.error(`error: ${message}`, { exitCode: 2 });
  if (store === undefined) return wrong('--queue needs --store');
  if (command.getOptionValueSource('queue') === 'cli' && URL.parse(queue)?.password !== '') {
    wrong(
      '--queue: no password on the command line: HIDAMARI_QUEUE_PASSWORD holds it, or HIDAMARI_QUEUE_PASSWORD_FILE',
    );
  }
  const { queueRedis } = await import('../work/queue.ts');
  const redis = queueRedis(queue, secretOf('HIDAMARI_QUEUE_PASSWORD'), remark);
  return { redis, store, lockMs: lock * 1000, note: remark };
}

/**
 * The store at a place. The key to a bucket comes from the environment, or from files that it names.
 * @param attempts how often what fails in passing is tried
 * @throws InvalidArgumentError
 */
export function openStore(place: string, attempts?: number): ObjectStore {
  const bucket = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place);
  if (bucket === null) {
    if (/^\w+:\/\//.test(place)) throw new InvalidArgumentError('It must be s3://bucket/prefix or a folder.');
    return new DirectoryStore(place);
  }
  const endpoint = secretOf(environmentName(SETTINGS.s3Endpoint));
  const accessKey = secretOf(environmentName(SETTINGS.s3AccessKey));
  const secretKey = secretOf(environmentName(SETTINGS.s3SecretKey));
  if (endpoint === undefined || accessKey === undefined || secretKey === undefined) {
    const names = [SETTINGS.s3Endpoint, SETTINGS.s3AccessKey, SETTINGS.s3SecretKey].map(environmentName);
    throw new InvalidArgumentError(`A bucket needs ${names.join(', ')} in the environment (or …_FILE, naming a file).`);
  }
  const { env } = process;
  return new S3Objects(
    new S3Store({
      endpoint: SETTINGS.s3Endpoint.parse(endpoint),
      region: env[environmentName(SETTINGS.s3Region)] ?? SETTINGS.s3Region.default,
      bucket: SETTINGS.s3Bucket.parse(bucket[1]),
      prefix: SETTINGS.s3Prefix.parse(bucket[2]),
      urlStyle: SETTINGS.s3UrlStyle.parse(env[environmentName(SETTINGS.s3UrlStyle)] ?? SETTINGS.s3UrlStyle.default),
      accessKey,
      secretKey,
    }),
    attempts,
  );
}

/**
 * A value that is not to be seen: an environment variable, or the file that the variable with `_FILE` names.
 * @throws InvalidArgumentError when that file cannot be read
 */
function secretOf(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  if (file === undefined) return process.env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InvalidArgumentError(`${name}_FILE: ${(error as Error).message}.`);
  }
}
