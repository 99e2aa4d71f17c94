import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, startServer } from '../serving/server.ts';
import type { Fault } from './fault.ts';

const HOUR_MS = 3_600_000;
/** Offsets of the wall clock from the true time, milliseconds. */
const JUMPS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS, 8760 * HOUR_MS, -8760 * HOUR_MS, 0];

/**
 * Loaded before the program. It shifts the wall clock of the process by the offsets in an environment variable, one
 * step at each SIGUSR2.
 */
const MOVED_CLOCK = `
const jumps = JSON.parse(process.env.CLOCK_JUMPS);
const trueNow = Date.now;
let offset = 0;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) { if (given.length === 0) super(trueNow() + offset); else super(...given); }
  static now() { return trueNow() + offset; }
};
process.on('SIGUSR2', () => { offset = jumps.shift() ?? 0; process.stderr.write('clock moved\\n'); });
`;

/**
 * The wall clock jumps back and forth while the server answers. The limiter must not allow more requests, answers and
 * their ETags must stay the same, and a download URL must expire after exactly one hour.
 */
export const clockJumps: Fault = async (_folder, dataset) => {
  const preload = `data:text/javascript,${encodeURIComponent(MOVED_CLOCK)}`;
  const limit = 40;
  const server = await startServer(['--data', dataset, '--rate-limit', String(limit)], {
    args: ['--import', preload],
    env: { CLOCK_JUMPS: JSON.stringify(JUMPS) },
  });
  const path = server.targets.find((target) => target.startsWith('/api/v1/sunlight/building/')) as string;
  const first = await fetch(server.url + path);
  const tag = first.headers.get('etag');
  const ward = path.slice('/api/v1/sunlight/building/'.length, '/api/v1/sunlight/building/'.length + 5);
  const offer = (await (await fetch(`${server.url}/api/v1/sunlight/bulk/${ward}`)).json()) as { data: { url: string } };
  let asked = 2;
  let lost = 0;
  for (const [i, jump] of JUMPS.entries()) {
    await move(server, i + 1);
    const answer = await fetch(server.url + path);
    asked++;
    if (answer.status !== 200 || answer.headers.get('etag') !== tag) lost++;
    const download = await fetch(offer.data.url, { method: 'HEAD' });
    if (download.status !== (jump >= HOUR_MS ? 401 : 200)) lost++;
    if ((await fetch(`${server.url}/healthz`)).status !== 200) lost++;
  }
  let allowed = asked;
  for (let i = asked; i < limit + 10; i++) if ((await fetch(server.url + path)).status === 200) allowed++;
  if (allowed !== limit) lost++;
  if ((await server.stop()) !== 0) lost++;
  return {
    fault: 'the wall clock jumps by ±1 hour, ±1 day, ±1 year while serving',
    tried: JUMPS.length,
    lost,
    outcome: `${allowed} of ${limit + 10} requests in the minute pass a limit of ${limit}; ETags stay; download URLs end when an hour has gone by on the clock`,
    recoveryMs: null,
  };
};

async function move(server: RunningServer, times: number): Promise<void> {
  server.child.kill('SIGUSR2');
  while (server.log().split('clock moved').length <= times) await delay(5);
}
