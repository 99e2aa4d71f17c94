import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { isDay } from '../formats/day.ts';

/**
 * One setting of `hidamari serve`: a flag and an environment variable with the same meaning. A secret has only the
 * variable.
 */
export interface Setting<T = unknown> {
  /** As on the command line: `--port <port>`. */
  flag: string;
  /** The text of the default; absent when there is none. */
  default?: string;
  /** One sentence, for `--help` and docs/settings.md. */
  description: string;
  /**
   * True when it is read from the variable, or from the file that the variable with `_FILE` at its end names. The
   * command line refuses it.
   */
  isSecret?: true;
  /** @throws InvalidArgumentError with what is expected. */
  parse(text: string): T;
}

/** Settings by name. */
type Table = Readonly<Record<string, Setting>>;

/** The values of a table of settings; those without a default may be absent. */
export type ValuesOf<T extends Table> = {
  [Name in keyof T]: T[Name] extends { default: string }
    ? ReturnType<T[Name]['parse']>
    : ReturnType<T[Name]['parse']> | undefined;
};

/**
 * The same values, after a check that the named ones are given.
 * @throws Error naming the flag of an absent one; commands check this before they run
 */
export function withRequired<T extends Table, Name extends keyof T & string>(
  table: T,
  values: ValuesOf<T>,
  names: readonly Name[],
): { [N in Name]: NonNullable<ValuesOf<T>[N]> } {
  const absent = names.find((name) => values[name] === undefined);
  if (absent !== undefined) throw new Error(`${flagName(table[absent].flag)} is needed`);
  return values as { [N in Name]: NonNullable<ValuesOf<T>[N]> };
}

/** `--site-url <url>` → `HIDAMARI_SITE_URL`. */
export function environmentName({ flag }: Setting): string {
  return `HIDAMARI_${flagName(flag).slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/** `--site-url <url>` → `--site-url`. */
export function flagName(flag: string): string {
  return flag.split(' ')[0];
}

/**
 * A URL of Redis.
 * @throws InvalidArgumentError
 */
export function redisUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '') return text;
  throw new InvalidArgumentError('It must be a URL such as redis://127.0.0.1:6379/0, or rediss:// with TLS.');
}

/** True for an address such as s3://bucket, and not for the path of a folder. */
export const isAddress = (text: string): boolean => /^\w+:\/\//.test(text);

/**
 * The address of a store, or a folder.
 * @throws InvalidArgumentError for an address of another kind, which would be taken for a folder, and for no text
 */
export function storeOrFolder(text: string): string {
  if (text !== '' && (!isAddress(text) || text.startsWith('s3://'))) return text;
  throw new InvalidArgumentError('It must be s3://bucket/prefix or a folder.');
}

/**
 * Makes a parser of whole numbers of at most nine digits. It throws InvalidArgumentError.
 * @param alternative what else is valid, for the message: ` or "off"`
 */
export const wholeNumber =
  (lowest: number, highest: number, alternative = '') =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}${alternative}.`);
  };

/** Makes a parser that accepts some words. It throws InvalidArgumentError. */
export const oneOf =
  <const T extends string>(words: readonly T[]) =>
  (text: string): T => {
    if ((words as readonly string[]).includes(text)) return text as T;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };

/** Makes a parser of a flag's value from a function whose errors say in one line what is wrong. */
export const asArgument =
  <T>(parse: (text: string) => T) =>
  (text: string): T => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`${(error as Error).message}.`);
    }
  };

/**
 * The values of a list with commas between.
 * @param problem what an invalid value is, for the message: `no prefecture`
 * @throws InvalidArgumentError
 */
export function commaList(text: string, isValid: (value: string) => boolean, problem: string): string[] {
  const values = text.split(',').map((value) => value.trim());
  const invalid = values.find((value) => !isValid(value));
  if (invalid === undefined) return values;
  throw new InvalidArgumentError(`"${invalid}" is ${problem}.`);
}

/**
 * The folder in a data folder for the inputs of `refresh`, and for a dataset that is not checked yet. Servers skip names
 * that begin with a dot.
 */
export const REFRESH_FOLDER = '.refresh';

/**
 * A URL of the web without name, password, query and fragment, and without a slash at the end.
 * @throws InvalidArgumentError
 */
export function webUrl(text: string): string {
  const url = URL.parse(text);
  const isWeb =
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isWeb) throw new InvalidArgumentError('It must be a URL such as https://example.org.');
  return url.href.replace(/\/+$/, '');
}

/**
 * The address of tiles, with `{z}`, `{x}` and `{y}` for zoom, column and row.
 * @throws InvalidArgumentError
 */
export function tilesUrl(text: string): string {
  const url = URL.parse(text.replaceAll(/[{}]/g, ''));
  const hasAll = ['{z}', '{x}', '{y}'].every((variable) => text.includes(variable));
  // The address goes into the header Content-Security-Policy: a blank, `;`, `,` or quote would end its directive.
  if (url === null || !/^https?:$/.test(url.protocol) || !hasAll || /[\s;,'"]/.test(text)) {
    throw new InvalidArgumentError('It must be a URL such as https://maps.example/{z}/{x}/{y}.png.');
  }
  return text;
}

/**
 * The public key in a file.
 * @throws InvalidArgumentError
 */
export const publicKey = (path: string): KeyObject => ed25519Key(path, 'public', createPublicKey);

/**
 * The private key in a file.
 * @throws InvalidArgumentError
 */
const privateKey = (path: string): KeyObject => ed25519Key(path, 'private', createPrivateKey);

/**
 * The Ed25519 key in a PEM file.
 * @throws InvalidArgumentError when the file has none
 */
function ed25519Key(path: string, kind: string, make: (pem: Buffer) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = make(readFileSync(path));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // A code such as ENOENT: the file cannot be read. Codes such as ERR_OSSL_… are about its content.
    const why = /^E[A-Z]+$/.test(code) ? message : 'it holds none';
    throw new InvalidArgumentError(`It must be a file with a ${kind} Ed25519 key (PEM): ${why}.`);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new InvalidArgumentError(`It must be a ${kind} Ed25519 key, not ${key.asymmetricKeyType}.`);
}

/** The last second that RFC 3339 can express, seconds since 1970. */
export const LAST_SECOND = Date.UTC(10_000, 0) / 1000 - 1;

/**
 * The time of a build, RFC 3339 to the second: now, or the time of SOURCE_DATE_EPOCH, "an ASCII representation of an
 * integer" of seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). An empty variable counts
 * as none; an invalid one ends the command as wrong usage.
 */
export function timeOfBuild(command: Command, epoch = process.env.SOURCE_DATE_EPOCH, now = new Date()): string {
  if (epoch === undefined || epoch === '') return toTheSecond(now);
  if (!/^\d+$/.test(epoch) || Number(epoch) > LAST_SECOND) {
    const problem = `SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}: expected whole seconds since 1970, such as 1767225600`;
    return command.error(`error: ${problem}`);
  }
  return toTheSecond(new Date(Number(epoch) * 1000));
}

/** A time as RFC 3339 in UTC, without milliseconds. */
function toTheSecond(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/**
 * Parses the day of a flag.
 * @throws InvalidArgumentError
 */
export function dayFlag(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('Expected a day as YYYY-MM-DD.');
  return text;
}

// Options that several commands have, for `command.option(...)`.
export const WORKERS_OPTION = ['--workers <n>', 'worker threads', wholeNumber(1, 256), availableParallelism()] as const;
export const AS_OF_OPTION = [
  '--as-of <date>',
  'day whose price list is used, YYYY-MM-DD (default: today)',
  dayFlag,
] as const;
export const FEES_OPTION = ['--fees <file>', 'fee table to use in place of the built-in one'] as const;
export const SIGN_KEY_OPTION = [
  '--sign-key <file>',
  'private Ed25519 key (PEM) with which the manifest is signed',
  privateKey,
] as const;

/** The URL of a server that listens on this address and port; `localhost` for one that listens on every address. */
export function httpUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
