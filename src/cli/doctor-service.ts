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

/** How long Redis and the store may take to answer. */
const PATIENCE_MS = 3000;
/** A bucket refuses signatures that are a quarter of an hour off. Limits and payments suffer earlier. */
const MOST_OFF_S = 60;

type Looked = Pick<
  Settings,
  'redis' | 'redisPassword' | 'keys' | 'state' | 'host' | 'port' | 'adminHost' | 'adminPort'
>;

/** Checks what a server needs besides the data folder, as far as it is configured. */
export async function serviceFindings(settings: Looked, isPortGiven: boolean): Promise<Finding[]> {
  const { redis, redisPassword, keys, state, host, port, adminHost, adminPort } = settings;
  const findings: Finding[] = [];
  if (redis !== undefined) findings.push(...(await redisFindings(withPassword(redis, redisPassword))));
  const endpoint = s3Environment().s3Endpoint;
  if (endpoint !== undefined) findings.push(...(await storeFindings(endpoint)));
  if (keys !== undefined) findings.push(await keysFinding(keys));
  if (state !== undefined && existsSync(state)) findings.push(stateFinding(state));
  if (isPortGiven) findings.push(await portFinding('port', host, port));
  if (adminPort !== undefined) findings.push(await portFinding('admin port', adminHost, adminPort));
  return findings;
}

async function redisFindings(url: string): Promise<Finding[]> {
  const what = 'Redis';
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
  });
  let reason = '';
  redis.on('error', (error: Error) => (reason = error.message));
  try {
    await redis.connect();
    const [seconds] = await redis.time();
    return [{ what, state: 'good', text: 'answers' }, clock('Redis', Number(seconds))];
  } catch (error) {
    return [{ what, state: 'missing', text: `does not answer: ${reason || (error as Error).message}` }];
  } finally {
    redis.disconnect();
  }
}

/** Any answer is enough. The rights of the key show only when it is used. */
async function storeFindings(endpoint: URL): Promise<Finding[]> {
  const what = `store ${endpoint.origin}`;
  try {
    const answer = await fetch(endpoint, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const date = Date.parse(answer.headers.get('date') ?? '');
    const there: Finding = { what, state: 'good', text: 'answers' };
    return Number.isNaN(date) ? [there] : [there, clock('the store', date / 1000)];
  } catch (error) {
    const { cause, message } = error as Error;
    return [{ what, state: 'missing', text: `does not answer: ${cause instanceof Error ? cause.message : message}` }];
  }
}

function clock(whose: string, seconds: number): Finding {
  const off = Math.round(Date.now() / 1000 - seconds);
  const what = 'clock';
  if (Math.abs(off) <= MOST_OFF_S) return { what, state: 'good', text: `agrees with that of ${whose}` };
  const text = `${Math.abs(off)} s ${off > 0 ? 'ahead of' : 'behind'} that of ${whose}: keep both by NTP`;
  return { what, state: 'missing', text };
}

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

function stateFinding(path: string): Finding {
  const what = 'state';
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return { what, state: 'good', text: `${path} can be written` };
  } catch {
    return { what, state: 'missing', text: `${path} cannot be read and written by the user who runs this` };
  }
}

/** A port in use may belong to the server that already runs. */
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
