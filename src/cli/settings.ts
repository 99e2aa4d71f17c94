import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProxyList } from '../http/client-address.ts';
import { NEW_RESULTS_A_MINUTE, TILES_A_MINUTE } from '../http/rate-limiter.ts';
import { BILLING_SETTINGS, missingForBilling } from './billing-settings.ts';
import { countText } from './output.ts';
import { missingS3, S3_SETTINGS } from './s3-settings.ts';
import { hasPassword, refuse, refusedFlag, takeSecrets } from './secrets.ts';
import {
  asArgument,
  environmentName,
  oneOf,
  publicKey,
  redisUrl,
  type Setting,
  storeOrFolder,
  tilesUrl,
  type ValuesOf,
  webUrl,
  wholeNumber,
} from './setting.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];

/** Every setting of the server, in the order of `--help`. */
export const SETTINGS = {
  data: {
    flag: '--data <place>',
    default: 'data',
    description: 'Data folder, or s3://bucket/prefix; the newest complete dataset in it is served.',
    parse: storeOrFolder,
  },
  copies: {
    flag: '--copies <dir>',
    default: 'copies',
    description: 'With --data s3://…: the folder into which datasets are copied, and from which they are served.',
    parse: (text) => text,
  },
  refresh: {
    flag: '--refresh <seconds>',
    default: '60',
    description: 'With --data s3://…: how often the store is asked for a newer dataset; 0: at SIGHUP only.',
    parse: wholeNumber(0, 86_400),
  },
  trustKey: {
    flag: '--trust-key <file>',
    description: 'Public Ed25519 key (PEM) with which a dataset must be signed to be served.',
    parse: publicKey,
  },
  checkRate: {
    flag: '--check-rate <megabytes>',
    default: '32',
    description:
      'How fast the dataset is read in the background and compared with its checksums, MB a second; 0: not at all.',
    parse: wholeNumber(0, 10_000),
  },
  keepOpen: {
    flag: '--keep-open <seconds>',
    default: '3600',
    description:
      'How long a dataset that has been replaced stays open for requests that name it, after the last of them.',
    parse: wholeNumber(0, 86_400),
  },
  host: {
    flag: '--host <host>',
    default: '127.0.0.1',
    description: 'Address to listen on.',
    parse: (text) => text,
  },
  port: {
    flag: '--port <port>',
    default: '8080',
    description: 'Port to listen on; 0 takes any free one.',
    parse: wholeNumber(0, 65_535),
  },
  siteUrl: {
    flag: '--site-url <url>',
    description:
      'Public URL of the server, which stands in its answers; by default the address it listens on, or localhost.',
    parse: webUrl,
  },
  purgeTags: {
    flag: '--purge-tags <header>',
    default: 'off',
    description: 'Header with the tags by which a CDN purges answers: "cache-tag", "surrogate-key" or "off".',
    parse: oneOf(['off', 'cache-tag', 'surrogate-key']),
  },
  trustProxy: {
    flag: '--trust-proxy <list>',
    default: '',
    description: 'Addresses and CIDR blocks of proxies whose X-Forwarded-For is believed, separated by commas.',
    parse: asArgument(proxyList),
  },
  rateLimit: {
    flag: '--rate-limit <requests>',
    default: '20',
    description: 'Requests a minute that one client may make under /api/, or "off".',
    parse: limitOrOff,
  },
  pageLimit: {
    flag: '--page-limit <requests>',
    default: '300',
    description: `Pages a minute that one client may open, or "off"; the files that pages load do not count. Map tiles have a limit of ${countText(TILES_A_MINUTE)}, pages that have to be computed one of ${NEW_RESULTS_A_MINUTE}.`,
    parse: limitOrOff,
  },
  redis: {
    flag: '--redis <url>',
    description: 'Redis that several servers share, so that they count requests together: redis://host:6379/0.',
    parse: redisUrl,
  },
  redisPassword: {
    flag: '--redis-password <secret>',
    description: 'Password of --redis, if its URL has none.',
    isSecret: true,
    parse: (text) => text,
  },
  keys: {
    flag: '--keys <file>',
    description: 'File with the API keys, made by `hidamari keys add`; without it there are none.',
    parse: (text) => text,
  },
  pages: {
    flag: '--pages <switch>',
    default: 'on',
    description: 'Whether to serve pages, the map and llms.txt: "on" or "off". Pages of problems and prices stay.',
    parse: onOff,
  },
  baseMap: {
    flag: '--base-map <url>',
    description: 'Raster tiles of another map to draw below ours, such as https://maps.example/{z}/{x}/{y}.png.',
    parse: tilesUrl,
  },
  baseMapCredit: {
    flag: '--base-map-credit <text>',
    default: '',
    description: 'Credit of that map, as its terms ask for it; printed on the map, as a link if an address follows it.',
    parse: (text) => text,
  },
  baseMapZoom: {
    flag: '--base-map-zoom <zoom>',
    default: '18',
    description: 'Highest zoom for which that map has tiles.',
    parse: wholeNumber(1, 22),
  },
  point: {
    flag: '--point <switch>',
    default: 'off',
    description: 'Whether to offer /api/v1/sunlight/point: "on" or "off".',
    parse: onOff,
  },
  mcp: {
    flag: '--mcp <switch>',
    default: 'on',
    description: 'Whether agents are answered at /mcp (Model Context Protocol): "on" or "off".',
    parse: onOff,
  },
  state: {
    flag: '--state <dir>',
    description: 'Folder for what has to outlive a restart (the key of download URLs); outside the data folder.',
    parse: (text) => text,
  },
  bulkKey: {
    flag: '--bulk-key <secret>',
    description:
      'Secret that signs download URLs, at least 16 characters. Default: the one in the --state folder, else a new one at each start.',
    isSecret: true,
    parse: secret,
  },
  bulkKeyPrevious: {
    flag: '--bulk-key-previous <secret>',
    description: 'The secret before a change: URLs that it signed stay valid.',
    isSecret: true,
    parse: secret,
  },
  bulk: {
    flag: '--bulk <where>',
    default: 'local',
    description: 'Where download URLs lead: "local", to this server, or "s3", into a bucket filled by publish-bulk.',
    parse: oneOf(['local', 's3']),
  },
  downloads: {
    flag: '--downloads <number>',
    default: '64',
    description:
      'Downloads of bulk files and whole maps that may be under way at once, of all clients; above that the answer is 503.',
    parse: wholeNumber(1, 100_000),
  },
  clientDownloads: {
    flag: '--client-downloads <number>',
    default: '8',
    description: 'Downloads that one client may have under way at once; above that the answer is 429.',
    parse: wholeNumber(1, 100_000),
  },
  ...S3_SETTINGS,
  ...BILLING_SETTINGS,
  computeThreads: {
    flag: '--compute-threads <number>',
    default: 'auto',
    description: 'Threads for what is computed on demand (floors, skies, points); "auto": all processors but one.',
    parse: (text) =>
      text === 'auto' ? Math.max(1, availableParallelism() - 1) : wholeNumber(1, 64, ' or "auto"')(text),
  },
  computeTimeout: {
    flag: '--compute-timeout <seconds>',
    default: '10',
    description: 'How long a computation may wait and take; after that the answer is 503.',
    parse: wholeNumber(1, 600),
  },
  sceneMemory: {
    flag: '--scene-memory <MB>',
    default: '64',
    description:
      'Memory in which each of these threads keeps parts of the city, MB; with less, they are read again more often.',
    parse: wholeNumber(1, 1024),
  },
  warmUp: {
    flag: '--warm-up <switch>',
    default: 'on',
    description:
      'Whether pages are loaded and these threads started before the first request needs them: "on" or "off".',
    parse: onOff,
  },
  workers: {
    flag: '--workers <number>',
    default: '1',
    description: 'Processes that answer requests. Above 1, one more process shares limits and computing among them.',
    parse: wholeNumber(1, 64),
  },
  timeout: {
    flag: '--timeout <seconds>',
    default: '15',
    description: 'How long a request may take to arrive and a connection may be silent.',
    parse: wholeNumber(1, 3600),
  },
  shutdownDelay: {
    flag: '--shutdown-delay <seconds>',
    default: '0',
    description: 'How long to go on serving after SIGTERM while /readyz says 503, so that load balancers notice.',
    parse: wholeNumber(0, 3600),
  },
  adminPort: {
    flag: '--admin-port <port>',
    description:
      'Port for /metrics and /healthz, separate from the public one; 0 takes any free one. By default there is none.',
    parse: wholeNumber(0, 65_535),
  },
  adminHost: {
    flag: '--admin-host <host>',
    default: '127.0.0.1',
    description: 'Address that the admin port listens on.',
    parse: (text) => text,
  },
  logLevel: {
    flag: '--log-level <level>',
    default: 'info',
    description: 'What goes to the log on standard error: silent, error, warn, info (every request) or debug.',
    parse: oneOf(LOG_LEVELS),
  },
} as const satisfies Record<string, Setting>;

/** The values of all settings; those without a default may be absent. */
export type Settings = ValuesOf<typeof SETTINGS>;

/** Headings of `--help`, by the first setting below each. */
const HEADINGS: Partial<Record<keyof Settings, string>> = {
  data: 'Data:',
  host: 'Address, proxies and caches:',
  rateLimit: 'Limits and keys:',
  pages: 'Pages, points and agents:',
  state: 'Downloads:',
  billing: 'Billing:',
  computeThreads: 'Computing and processes:',
  timeout: 'Connections, monitoring and log:',
};

/**
 * Adds settings to a command, by default all. A flag has priority over the environment, and the environment over the
 * default. Secrets come from the environment only. Settings that do not fit together end the command as wrong usage.
 */
export function addSettings(
  command: Command,
  names: readonly (keyof Settings)[] = Object.keys(SETTINGS) as (keyof Settings)[],
): Command {
  command.hook('preAction', (_, action) => {
    // Others see flags in the list of processes. Of the URLs among the settings only that of Redis may have a password.
    if (action.getOptionValueSource('redis') === 'cli' && hasPassword(action.opts().redis))
      refuse(action, '--redis', environmentName(SETTINGS.redisPassword));
    takeSecrets(action, Object.fromEntries(names.map((name) => [name, SETTINGS[name]])));
    checkTogether(action, names);
  });
  // Only the long help of a command with all settings has headings.
  const hasAll = names.length === Object.keys(SETTINGS).length;
  let heading = '';
  for (const name of names) {
    heading = HEADINGS[name] ?? heading;
    const setting: Setting = SETTINGS[name];
    const option = setting.isSecret ? refusedFlag(setting, command) : optionOf(setting);
    command.addOption(hasAll ? option.helpGroup(heading) : option);
  }
  return command;
}

/**
 * Ends a command as wrong usage when one of its settings needs others that are missing.
 * @param names the settings that the command has
 */
function checkTogether(command: Command, names: readonly (keyof Settings)[]): void {
  const settings = command.opts<Settings>();
  const check = (what: string, missing: string[]): void => {
    if (missing.length > 0) command.error(`error: ${what} needs ${missing.join(', ')}`);
  };
  // A command with a bucket, but without `--bulk`, always uses the store.
  const hasBulkInStore = names.includes('bulk') ? settings.bulk === 's3' : names.includes('s3Bucket');
  if (hasBulkInStore) check('the store for bulk files', missingS3(settings));
  // The bucket is in `--data`.
  if (settings.data?.startsWith('s3://'))
    check(`--data ${settings.data}`, missingS3({ ...settings, s3Bucket: settings.data }));
  if (settings.workers > 1 && settings.billing !== 'off' && settings.redis === undefined)
    command.error('error: --billing with --workers needs --redis: processes have to remember payments together');
  check('--billing x402', missingForBilling(settings));
}

/** The option of a setting, which also reads its environment variable. */
function optionOf(setting: Setting): Option {
  const option = new Option(setting.flag, setting.description).env(environmentName(setting)).argParser(setting.parse);
  return setting.default === undefined
    ? option
    : option.default(setting.parse(setting.default), setting.default || 'none');
}

/** @throws InvalidArgumentError */
function onOff(text: string): boolean {
  return oneOf(['on', 'off'])(text) === 'on';
}

/**
 * Requests a minute, or "off".
 * @throws InvalidArgumentError
 */
function limitOrOff(text: string): number | 'off' {
  return text === 'off' ? text : wholeNumber(1, 1_000_000, ' or "off"')(text);
}

/** @throws InvalidArgumentError */
function secret(text: string): string {
  if (text.length >= 16) return text;
  throw new InvalidArgumentError('It must have at least 16 characters.');
}

/** @throws Error for an entry that is no address */
function proxyList(text: string): ProxyList {
  const entries = text.split(',').map((entry) => entry.trim());
  return new ProxyList(entries.filter((entry) => entry !== ''));
}
