import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiKey, addKey, type KeyState, moment, readKeyFile, revokeKey, stateOf } from '../api/keys.ts';
import { isDay } from '../formats/day.ts';
import { remark, say, sayJson, table } from './output.ts';
import { environmentName, LAST_SECOND, wholeNumber } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** `hidamari keys`: keys with limits of their own, which an operator issues. No client needs one. */
export function define(command: Command): void {
  command
    .command('add')
    .description('make a key and print it once: the key file holds only its hash')
    .argument('<name>', 'name of the client', keyName)
    .addOption(fileOption())
    .option(
      '--limit <requests>',
      'requests a minute; by default those of a client without a key',
      wholeNumber(1, 1_000_000),
    )
    .option(
      '--daily-units <units>',
      'cost units a day (of Japan); by default only the limit counts',
      wholeNumber(1, 1_000_000_000),
    )
    .option(
      '--expires <when>',
      'a day (2027-03-31, to its end in Japan), a moment with time zone, or days from now (90d)',
      expiry,
    )
    .action(add);
  command
    .command('list')
    .description('list all keys, also those that no longer work')
    .addOption(fileOption())
    .option('--json', 'print JSON')
    .action(list);
  command
    .command('revoke')
    .description('stop a key; running servers notice within seconds')
    .argument('<key>', 'its ID (hida_…) or its name')
    .addOption(fileOption())
    .action(revoke);
}

interface FileOption {
  keys: string;
}

interface AddOptions {
  limit?: number;
  dailyUnits?: number;
  expires?: Date;
}

/** Makes a key and prints it. */
async function add(name: string, options: FileOption & AddOptions): Promise<void> {
  const { limit = null, dailyUnits: daily_units = null, expires } = options;
  const details = { name, limit, daily_units, expires: expires === undefined ? null : moment(expires) };
  const { key, record } = await addKey(options.keys, details, new Date());
  say(key);
  remark(`This is the only time that the key is shown. ${record.id} names it in lists and logs.`);
}

/** Prints all keys, without their hashes. */
async function list(options: FileOption & { json?: true }): Promise<void> {
  const keys = (await readKeyFile(options.keys)).map((key) => publicFacts(key, Date.now()));
  if (options.json) sayJson(keys);
  else if (keys.length === 0) remark(`${options.keys}: no keys; hidamari keys add makes one`);
  else for (const line of table([HEADING, ...keys.map(row)])) say(line);
}

/** Revokes a key. */
async function revoke(which: string, options: FileOption): Promise<void> {
  const { id, name } = await revokeKey(options.keys, which, new Date());
  say(`${id} (${name}) is revoked`);
}

/** The public facts of a key: all but its hash. */
function publicFacts(key: ApiKey, nowMs: number): PublicKey {
  const { sha256: _, ...rest } = key;
  return { ...rest, state: stateOf(key, nowMs) };
}

type PublicKey = Omit<ApiKey, 'sha256'> & { state: KeyState };

/** The heading of the list of keys. */
const HEADING = ['id', 'name', 'state', 'limit', 'units a day', 'created', 'expires', 'revoked'];

/** A key as a row of the list. */
function row({ id, name, state, limit, daily_units, created, expires, revoked }: PublicKey): string[] {
  const number = (count: number | null): string => (count === null ? '–' : String(count));
  return [id, name, state, number(limit), number(daily_units), created, expires ?? '–', revoked ?? '–'];
}

/** The option for the key file. It is the setting of the server, but required here. */
function fileOption(): Option {
  const { flag } = SETTINGS.keys;
  return new Option(flag, 'key file of the server').env(environmentName(SETTINGS.keys)).makeOptionMandatory();
}

/**
 * The name of a client. One that begins like an ID would be ambiguous in `keys revoke`.
 * @throws InvalidArgumentError
 */
function keyName(text: string): string {
  const name = text.trim();
  if (/^[^\p{Cc}\p{Cf}]{1,100}$/u.test(name) && !name.startsWith('hida_')) return name;
  throw new InvalidArgumentError(
    'It must have 1 to 100 characters, without control characters, and not begin with hida_.',
  );
}

const DAY_MS = 86_400_000;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The value of `--expires`.
 * @throws InvalidArgumentError
 */
function expiry(text: string): Date {
  const end = endOf(text);
  if (Number.isNaN(end))
    throw new InvalidArgumentError('It must be like 2027-03-31, 2027-03-31T18:00:00+09:00 or 90d.');
  if (end <= Date.now()) throw new InvalidArgumentError('It must lie in the future.');
  if (end > LAST_SECOND * 1000) throw new InvalidArgumentError('It must lie before the year 10000 in UTC.');
  return new Date(end);
}

/** The moment of `--expires`, milliseconds since 1970; NaN for another form or a day that does not exist. */
function endOf(text: string): number {
  if (/^\d{1,4}d$/.test(text)) return Date.now() + Number(text.slice(0, -1)) * DAY_MS;
  const [day = '', time] = text.split('T');
  if (!isDay(day)) return Number.NaN;
  if (time === undefined) return Date.parse(`${day}T00:00:00+09:00`) + DAY_MS;
  return MOMENT.test(text) ? Date.parse(text) : Number.NaN;
}
