import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { S3Store } from '../http/s3-store.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { S3Objects } from '../store/s3-objects.ts';
import { environmentName } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** `--store`, which is also `HIDAMARI_STORE`. */
export const storeOption = (): Option =>
  new Option('--store <place>', 'where machines share steps and results: s3://bucket/prefix or a folder')
    .env('HIDAMARI_STORE')
    .argParser(openStore);

/** `--run`: what tells the builds in one store apart, where steps are listed. */
export const runOption = (): Option =>
  new Option('--run <name>', 'name of the build where steps are listed').default('build').argParser((text) => {
    if (/^[\w.-]{1,64}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be 1 to 64 letters, digits, dots, hyphens or underscores.');
  });

/**
 * The store at a place. The key to a bucket comes from the environment, or from files that it names.
 * @throws InvalidArgumentError
 */
export function openStore(place: string): ObjectStore {
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
  );
}

/**
 * A value that is not to be seen: an environment variable, or the file that the variable with `_FILE` names.
 * @throws InvalidArgumentError when that file cannot be read
 */
export function secretOf(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  if (file === undefined) return process.env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InvalidArgumentError(`${name}_FILE: ${(error as Error).message}.`);
  }
}
