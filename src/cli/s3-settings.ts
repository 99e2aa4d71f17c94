import { InvalidArgumentError } from 'commander';
import type { S3Keys, S3Location } from '../http/s3-store.ts';
import { parseVariable, secretInFile } from './secrets.ts';
import { environmentName, oneOf, type Setting, type ValuesOf, webUrl, withRequired } from './setting.ts';

/** The location of a bucket, and its key. */
export const S3_SETTINGS = {
  s3Endpoint: {
    flag: '--s3-endpoint <url>',
    description: 'The S3-compatible store as clients reach it, without the bucket.',
    parse: (text) => new URL(webUrl(text)),
  },
  s3Region: {
    flag: '--s3-region <region>',
    default: 'us-east-1',
    description: 'Region of the store, as signatures name it.',
    parse: (text) => text,
  },
  s3Bucket: {
    flag: '--s3-bucket <name>',
    description: 'Bucket of the bulk files.',
    parse: bucketName,
  },
  s3Prefix: {
    flag: '--s3-prefix <prefix>',
    default: '',
    description: 'Prefix of the names of the objects; a slash is put between.',
    parse: (text) => text.replace(/^\/+|\/+$/g, ''),
  },
  s3UrlStyle: {
    flag: '--s3-url-style <style>',
    default: 'path',
    description: 'Where the bucket stands in URLs: "path" (endpoint/bucket) or "virtual" (bucket.endpoint).',
    parse: oneOf(['path', 'virtual']),
  },
  s3AccessKey: {
    flag: '--s3-access-key <id>',
    description: 'ID of the key to the bucket.',
    isSecret: true,
    parse: (text) => text,
  },
  s3SecretKey: {
    flag: '--s3-secret-key <secret>',
    description: 'The secret of that key.',
    isSecret: true,
    parse: (text) => text,
  },
  s3SessionToken: {
    flag: '--s3-session-token <token>',
    description: 'The token of a temporary key.',
    isSecret: true,
    parse: (text) => text,
  },
} as const satisfies Record<string, Setting>;

/** The values of these settings. */
export type S3Settings = ValuesOf<typeof S3_SETTINGS>;
type Name = keyof typeof S3_SETTINGS;

/** Settings whose value may be in a file. The file may be replaced while the program runs. */
const KEYS = ['s3AccessKey', 's3SecretKey', 's3SessionToken'] as const satisfies Name[];
/** Settings that a store needs. */
const NEEDED = ['s3Endpoint', 's3Bucket', 's3AccessKey', 's3SecretKey'] as const satisfies Name[];

/** The environment variables of the missing settings. */
export function missingS3(settings: S3Settings): string[] {
  return NEEDED.filter((name) => !settings[name]).map((name) => environmentName(S3_SETTINGS[name]));
}

/**
 * Reads the settings of a store from environment variables; the keys also from files that such variables name. Bucket and
 * prefix come from elsewhere.
 */
export function s3Environment(): S3Settings {
  const settingValue = (setting: Setting): unknown => {
    const variable = environmentName(setting);
    const text = process.env[variable] ?? setting.default;
    return text === undefined ? undefined : parseVariable(variable, text, setting.parse);
  };
  const values = Object.entries(S3_SETTINGS).map(([name, setting]) => [name, settingValue(setting)]);
  return withKeyFiles(Object.fromEntries(values) as S3Settings);
}

/**
 * The settings with the keys in files, which have priority over the rest of the environment.
 * @throws InvalidArgumentError when a file cannot be read
 */
function withKeyFiles<T extends Partial<S3Settings>>(settings: T): T {
  const keys = KEYS.map((name) => [name, secretInFile(environmentName(S3_SETTINGS[name]))] as const);
  return { ...settings, ...Object.fromEntries(keys.filter(([, value]) => value !== undefined)) };
}

/** The bucket that the settings describe, with its key. */
export function s3Location(settings: S3Settings): S3Location {
  const { s3Endpoint, s3Bucket, s3AccessKey, s3SecretKey } = withRequired(S3_SETTINGS, settings, NEEDED);
  return {
    endpoint: s3Endpoint,
    region: settings.s3Region,
    bucket: s3Bucket,
    prefix: settings.s3Prefix,
    urlStyle: settings.s3UrlStyle,
    accessKey: s3AccessKey,
    secretKey: s3SecretKey,
    sessionToken: settings.s3SessionToken,
  };
}

/**
 * Makes a function that gives the current key of a store. A key in a file may be replaced while the program runs.
 * @throws Error while a file is missing or empty, which happens for a moment during a replacement
 */
export const s3Keys = (location: S3Location) => (): S3Keys => {
  const { s3AccessKey, s3SecretKey, s3SessionToken } = withKeyFiles({
    s3AccessKey: location.accessKey,
    s3SecretKey: location.secretKey,
    s3SessionToken: location.sessionToken,
  });
  if (s3AccessKey === '' || s3SecretKey === '') throw new Error('the file of the key to the store is empty');
  return { accessKey: s3AccessKey, secretKey: s3SecretKey, sessionToken: s3SessionToken };
};

/**
 * Checks the name of a bucket, by the older rules, which are less strict:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html.
 */
function bucketName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9]$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be the name of a bucket: 3 to 255 letters, digits, dots, hyphens and underscores; the first and the last are a letter or a digit.',
  );
}
