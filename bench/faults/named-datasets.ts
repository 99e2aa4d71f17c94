import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../serving/server.ts';
import { hour, publishCopy } from './copies.ts';
import type { Fault } from './fault.ts';

const IDS = ['pinned', 'cycle-1', 'cycle-2', 'cycle-3', 'cycle-4', 'served'];
const RUN_MS = 60_000;
/** One client sends 20 requests a minute, as the limit allows; the other sends without a pause. */
const PINNED_PAUSE_MS = 3000;
const CYCLING_PAUSE_MS = 20;

/**
 * One client names four datasets in turn while another uses the current one. All requests of the other client must be
 * answered.
 */
export const cycledDatasets: Fault = async (folder, dataset) => {
  const data = join(folder, 'data');
  for (const [i, id] of IDS.entries()) await publishCopy(data, dataset, id, hour(i));
  const open = ['--rate-limit', 'off', '--log-level', 'silent', '--trust-proxy', '127.0.0.1'];
  const server = await startServer(['--data', data, ...open]);
  const near = server.targets.find((target) => target.startsWith('/api/v1/sunlight/near')) as string;
  const end = performance.now() + RUN_MS;
  /** Number of answers by status. */
  const client = async (address: string, ids: readonly string[], pauseMs: number): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {};
    for (let i = 0; performance.now() < end; i++, await delay(pauseMs)) {
      const url = `${server.url}${near}&dataset_id=${ids[i % ids.length]}`;
      const answer = await fetch(url, { headers: { 'x-forwarded-for': address } });
      await answer.arrayBuffer();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
    return counts;
  };
  const [pinned, cycling] = await Promise.all([
    client('10.0.0.1', ['pinned'], PINNED_PAUSE_MS),
    client(
      '10.0.0.2',
      IDS.filter((id) => id.startsWith('cycle')),
      CYCLING_PAUSE_MS,
    ),
  ]);
  const { 200: answered = 0, ...others } = pinned;
  const refused = Object.values(others).reduce((sum, count) => sum + count, 0);
  const code = await server.stop();
  const of = (counts: Record<number, number>): string =>
    Object.entries(counts)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  return {
    fault: 'a client names four datasets in turn beside one that names its own',
    tried: answered + refused,
    lost: refused + (code === 0 ? 0 : 1),
    outcome: `the one with its own: ${of(pinned)}; the other: ${of(cycling)}`,
    recoveryMs: null,
  };
};
