import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { skipWithoutSwift, startSwift } from '../../test/support/swift.ts';
import { startServer } from '../serving/server.ts';
import type { Fault } from './fault.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** Age at which download URLs are requested, seconds. They are valid for one hour. */
const ASKED_AT = [1, 1800, 3590, 3605];
const HOUR_S = 3600;
const OPEN = ['--rate-limit', 'off', '--page-limit', 'off', '--log-level', 'warn'];

interface Offer {
  url: string;
  givenAt: number;
  /** Status of a URL that has expired. */
  refusal: number;
}

/**
 * Requests download URLs of this server, and of an S3 store when OpenStack Swift is installed, for more than one real
 * hour.
 */
export const urlExpiry: Fault = async (folder, dataset) => {
  const ends: (() => unknown)[] = [];
  const state = ['--data', dataset, '--state', join(folder, 'state'), ...OPEN];
  const local = await startServer(state);
  ends.push(() => local.stop());
  const target = local.targets.find((path) => path.startsWith('/api/v1/sunlight/building/')) as string;
  const ward = target.slice('/api/v1/sunlight/building/'.length).slice(0, 5);
  const offers = [await offerOf(local.url, ward, 401)];
  const skip = skipWithoutSwift();
  if (skip === false) {
    const place = await startSwift({ after: (fn) => ends.unshift(fn) });
    const env = {
      HIDAMARI_S3_ENDPOINT: place.endpoint.href,
      HIDAMARI_S3_REGION: place.region,
      HIDAMARI_S3_BUCKET: place.bucket,
      HIDAMARI_S3_ACCESS_KEY: place.accessKey,
      HIDAMARI_S3_SECRET_KEY: place.secretKey,
    };
    spawnSync(process.execPath, [CLI, 'publish-bulk', dataset], { env: { ...process.env, ...env } });
    const away = await startServer([...state, '--bulk', 's3'], { args: [], env });
    ends.push(() => away.stop());
    offers.push(await offerOf(away.url, ward, 403));
  }
  const seen: string[] = [];
  let lost = 0;
  for (const seconds of ASKED_AT) {
    for (const { url, givenAt, refusal } of offers) {
      await delay(Math.max(0, givenAt + seconds * 1000 - Date.now()));
      const { status } = await fetch(url, { headers: { range: 'bytes=0-3' } });
      seen.push(`${seconds} s: ${status}`);
      if (status !== (seconds < HOUR_S ? 206 : refusal)) lost++;
    }
  }
  for (const end of ends) await end();
  return {
    fault: `download URLs of the server${skip === false ? ' and of an S3 store (Swift)' : ''}, asked over a real hour`,
    tried: seen.length,
    lost,
    outcome: seen.join(', '),
    recoveryMs: null,
  };
};

async function offerOf(url: string, ward: string, refusal: number): Promise<Offer> {
  const givenAt = Date.now();
  const { data } = (await (await fetch(`${url}/api/v1/sunlight/bulk/${ward}`)).json()) as { data: { url: string } };
  return { url: data.url, givenAt, refusal };
}
