import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { Redis } from 'ioredis';
import { readKeyFile } from '../api/keys.ts';
import { freeBytes } from '../formats/files.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { openOnce } from './listening.ts';
import { bytesText, say, styled } from './output.ts';
import { s3Environment } from './s3-settings.ts';
import { withPassword } from './secrets.ts';
import { addSettings, type Settings } from './settings.ts';
import { totalMemory } from './this-process.ts';

/** The oldest major version of Node.js that can run the program. */
const NODE_MAJOR = 24;
/** Least memory. A build of one ward needs about half of this; all of Tokyo needs 4 GB. */
const LEAST_MEMORY_BYTES = 1e9;
/** Least free bytes of the disk: a dataset of one ward and its draft. */
const LEAST_DISK_BYTES = 1e9;

/** Packages with native code, which may not exist for this machine. */
const NATIVE = ['@duckdb/node-api'];

/** Programs that only tests use, each by the names under which it may be installed. */
const TEST_PROGRAMS = [
  ['redis-server'],
  ['swift-ring-builder'],
  ['chromium', 'chromium-headless-shell'],
  ['ogrinfo'],
  ['buildah'],
];
/** The folder of the tests. A clone has it, the npm package does not. */
const TESTS = new URL('../../test/', import.meta.url);

/** `hidamari doctor`: what this machine lacks. */
export function define(command: Command): void {
  command.description(
    'Looks at Node.js, native packages, memory, disk and the data folder, and at Redis, the store, keys, ports and the clock ' +
      'where the settings of `serve` name them; ends with 1 when something is wrong.',
  );
  addSettings(command, ['data', ...SERVICE_SETTINGS]).action(async (settings: Settings) => {
    const { data } = settings;
    const findings = [nodeVersion(), ...(await nativePackages()), memory()];
    // The contents of a bucket do not depend on this machine.
    if (!data.startsWith('s3://')) findings.push(await disk(data), await datasets(data));
    // The default port is not checked: a server of this machine may have it.
    const isPortGiven = command.getOptionValueSource('port') !== 'default';
    findings.push(...(await serviceFindings(settings, isPortGiven)));
    // Only a checkout has tests.
    if (existsSync(TESTS)) findings.push(...TEST_PROGRAMS.map(testProgram));
    for (const { what, state, text } of findings) say(`${stateText(state)}  ${what}: ${text}`);
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
  });
}

/** The state as a word of fixed width, with a colour on a terminal. */
function stateText(state: Finding['state']): string {
  if (state === 'good') return styled('green', 'good ');
  return state === 'fault' ? styled('red', 'fault') : styled('yellow', 'note ');
}

/** Whether Node.js is new enough. */
function nodeVersion(): Finding {
  const { node } = process.versions;
  const isGood = Number.parseInt(node, 10) >= NODE_MAJOR;
  // `npm install` installs Node.js, too: it is one of the packages.
  const text = isGood ? `${node} (${process.execPath})` : `${node}; expected ${NODE_MAJOR} or newer: npm install`;
  return { what: 'Node.js', state: isGood ? 'good' : 'fault', text };
}

/** Whether each native package loads. */
async function nativePackages(): Promise<Finding[]> {
  return Promise.all(
    NATIVE.map(async (name): Promise<Finding> => {
      try {
        await import(name);
        return { what: name, state: 'good', text: 'loads' };
      } catch (error) {
        const [line] = (error as Error).message.split('\n');
        return { what: name, state: 'fault', text: `${line}. Is it built for ${process.platform}-${process.arch}?` };
      }
    }),
  );
}

/** Whether there is enough memory. */
function memory(): Finding {
  const total = totalMemory();
  const state = total >= LEAST_MEMORY_BYTES ? 'good' : 'fault';
  const free = bytesText(Math.min(total, freemem()));
  return { what: 'memory', state, text: `${bytesText(total)}, ${free} free; ${availableParallelism()} cores` };
}

/** Whether the disk of the data folder has room. The folder may not exist yet: then its nearest parent counts. */
async function disk(data: string): Promise<Finding> {
  const what = `disk of ${resolve(data)}`;
  try {
    let folder = resolve(data);
    while (!existsSync(folder)) folder = dirname(folder);
    const free = await freeBytes(folder);
    return { what, state: free >= LEAST_DISK_BYTES ? 'good' : 'fault', text: `${bytesText(free)} free` };
  } catch (error) {
    return { what, state: 'fault', text: (error as Error).message };
  }
}

/** Whether the data folder contains a dataset that a server can open. */
async function datasets(data: string): Promise<Finding> {
  const what = 'datasets';
  if (!existsSync(data))
    return { what, state: 'note', text: `no folder ${data} yet: hidamari start or hidamari build makes it` };
  try {
    const { datasets: found, refused } = await listDatasets(data);
    if (refused.length > 0) return { what, state: 'fault', text: `refused: ${refused.join('; ')}` };
    const text = found.length === 0 ? `none in ${data} yet` : `${found.length} in ${data}`;
    return { what, state: found.length === 0 ? 'note' : 'good', text };
  } catch (error) {
    return { what, state: 'fault', text: (error as Error).message };
  }
}

/** Whether a program that only tests use is installed. */
function testProgram(names: string[]): Finding {
  const [what] = names;
  const isThere = names.some((name) => !spawnSync(name, ['--version'], { stdio: 'ignore' }).error);
  if (isThere) return { what, state: 'good', text: 'there, for the tests' };
  return { what, state: 'note', text: 'not there: the tests that need it are skipped' };
}

/** The result of one check. */
interface Finding {
  what: string;
  /** `fault` keeps something from working; `note` affects only what its text says. */
  state: 'good' | 'note' | 'fault';
  text: string;
}

/** Time limit for an answer of Redis or the store, milliseconds. */
const TIMEOUT_MS = 3000;
/**
 * Largest accepted difference between two clocks, seconds. A bucket refuses signatures whose time differs by 15
 * minutes. Rate limits and payments become wrong earlier.
 */
const MOST_CLOCK_DIFFERENCE_S = 60;

/** The settings that `serviceFindings` checks. */
const SERVICE_SETTINGS = ['redis', 'redisPassword', 'keys', 'state', 'host', 'port', 'adminHost', 'adminPort'] as const;
type ServiceSettings = Pick<Settings, (typeof SERVICE_SETTINGS)[number]>;

/**
 * Checks what the settings of a server name besides the data folder: Redis, the store, files and ports.
 * @param isPortGiven false for the default port, which is not checked
 */
async function serviceFindings(settings: ServiceSettings, isPortGiven: boolean): Promise<Finding[]> {
  const { redis, redisPassword, keys, state, host, port, adminHost, adminPort } = settings;
  const findings: Finding[] = [];
  if (redis !== undefined) findings.push(...(await redisFindings(withPassword(redis, redisPassword))));
  const endpoint = s3Environment().s3Endpoint;
  if (endpoint !== undefined) findings.push(...(await storeFindings(endpoint)));
  if (keys !== undefined) findings.push(await keysFinding(keys));
  if (state !== undefined && existsSync(state)) findings.push(stateFinding(state));
  if (isPortGiven) findings.push(await portFinding('port', host, port));
  if (adminPort === undefined) return findings;
  const isSamePort = adminPort === port && adminPort !== 0 && areSameAddress(host, adminHost);
  findings.push(isSamePort ? samePortFinding(port) : await portFinding('admin port', adminHost, adminPort));
  return findings;
}

/** The addresses that stand for every address of this machine. */
const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/** True when a server cannot listen on one port at both addresses. */
const areSameAddress = (one: string, other: string): boolean =>
  one === other || EVERY_ADDRESS.includes(one) || EVERY_ADDRESS.includes(other);

/** The finding that one port is set for clients and for the operator. */
const samePortFinding = (port: number): Finding => ({
  what: 'admin port',
  state: 'fault',
  text: `${port} is the port for clients too: choose another with --admin-port`,
});

/** Whether Redis answers, and whether its clock agrees. */
async function redisFindings(url: string): Promise<Finding[]> {
  const what = 'Redis';
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
  });
  // The errors of requests say only that the connection is closed. This event has the reason.
  let reason = '';
  redis.on('error', (error: Error) => (reason = error.message));
  try {
    await redis.connect();
    const [seconds] = await redis.time();
    return [{ what, state: 'good', text: 'answers' }, clockFinding('Redis', Number(seconds))];
  } catch (error) {
    return [{ what, state: 'fault', text: `does not answer: ${reason || (error as Error).message}` }];
  } finally {
    redis.disconnect();
  }
}

/** Whether the store answers with any status, and whether its clock agrees. The rights of the key are not checked. */
async function storeFindings(endpoint: URL): Promise<Finding[]> {
  const what = `store ${endpoint.origin}`;
  try {
    const answer = await fetch(endpoint, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const date = Date.parse(answer.headers.get('date') ?? '');
    const answers: Finding = { what, state: 'good', text: 'answers' };
    return Number.isNaN(date) ? [answers] : [answers, clockFinding('the store', date / 1000)];
  } catch (error) {
    const { cause, message } = error as Error;
    return [{ what, state: 'fault', text: `does not answer: ${cause instanceof Error ? cause.message : message}` }];
  }
}

/**
 * Whether the clock of this machine agrees with another one.
 * @param whose name of the other machine
 * @param seconds the time there, seconds since 1970
 */
function clockFinding(whose: string, seconds: number): Finding {
  const aheadS = Math.round(Date.now() / 1000 - seconds);
  const what = 'clock';
  if (Math.abs(aheadS) <= MOST_CLOCK_DIFFERENCE_S) return { what, state: 'good', text: `agrees with that of ${whose}` };
  const text = `${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead of' : 'behind'} that of ${whose}: keep both by NTP`;
  return { what, state: 'fault', text };
}

/** Whether this user can read the keys, and their number. */
async function keysFinding(path: string): Promise<Finding> {
  const what = 'keys';
  if (!existsSync(path)) return { what, state: 'fault', text: `there is no file ${path}: hidamari keys add makes it` };
  try {
    return { what, state: 'good', text: `${(await readKeyFile(path)).length} in ${path}` };
  } catch (error) {
    return { what, state: 'fault', text: (error as Error).message };
  }
}

/** Whether this user can read and write in the state folder. */
function stateFinding(path: string): Finding {
  const what = 'state';
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return { what, state: 'good', text: `${path} can be written` };
  } catch {
    return { what, state: 'fault', text: `${path} cannot be read and written by the user who runs this` };
  }
}

/** Whether a port is free. A port that is taken is not an error, because a running server may have it. */
async function portFinding(what: string, host: string, port: number): Promise<Finding> {
  try {
    await openOnce(host, port);
    return { what, state: 'good', text: `${port} on ${host} is free` };
  } catch (error) {
    const { message, cause } = error as Error;
    const isTaken = (cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    return {
      what,
      state: isTaken ? 'note' : 'fault',
      text: isTaken ? `${port} on ${host} is taken: by a server that runs?` : message,
    };
  }
}
