import { accessSync, constants, existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { readKeyFile } from '../api/keys.ts';
import { openOnce } from './listening.ts';
import { s3Environment } from './s3-settings.ts';
import { withPassword } from './secrets.ts';
import type { Settings } from './settings.ts';

/** The result of one check. */
export interface Finding {
  what: string;
  /** `missing` keeps something from working; `optional` affects only what its text says. */
  state: 'good' | 'optional' | 'missing';
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
export const SERVICE_SETTINGS = [
  'redis',
  'redisPassword',
  'keys',
  'state',
  'host',
  'port',
  'adminHost',
  'adminPort',
] as const;
type ServiceSettings = Pick<Settings, (typeof SERVICE_SETTINGS)[number]>;

/**
 * Checks what the settings of a server name besides the data folder: Redis, the store, files and ports.
 * @param isPortGiven false for the default port, which is not checked
 */
export async function serviceFindings(settings: ServiceSettings, isPortGiven: boolean): Promise<Finding[]> {
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
  state: 'missing',
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
    return [{ what, state: 'missing', text: `does not answer: ${reason || (error as Error).message}` }];
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
    return [{ what, state: 'missing', text: `does not answer: ${cause instanceof Error ? cause.message : message}` }];
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
  return { what, state: 'missing', text };
}

/** Whether this user can read the keys, and their number. */
async function keysFinding(path: string): Promise<Finding> {
  const what = 'keys';
  if (!existsSync(path))
    return { what, state: 'missing', text: `there is no file ${path}: hidamari keys add makes it` };
  try {
    return { what, state: 'good', text: `${(await readKeyFile(path)).length} in ${path}` };
  } catch (error) {
    return { what, state: 'missing', text: (error as Error).message };
  }
}

/** Whether this user can read and write in the state folder. */
function stateFinding(path: string): Finding {
  const what = 'state';
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return { what, state: 'good', text: `${path} can be written` };
  } catch {
    return { what, state: 'missing', text: `${path} cannot be read and written by the user who runs this` };
  }
}

/** Whether a port is free. A port that is taken is not an error, because a running server may have it. */
async function portFinding(what: string, host: string, port: number): Promise<Finding> {
  try {
    await openOnce(host, port);
    return { what, state: 'good', text: `${port} on ${host} is free` };
  } catch (error) {
    const { message } = error as Error;
    const isTaken = message.includes('is taken');
    return {
      what,
      state: isTaken ? 'optional' : 'missing',
      text: isTaken ? `${port} on ${host} is taken: by a server that runs?` : message,
    };
  }
}
