import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../serving/client.ts';

/** Between two look-ups, milliseconds. */
const PAUSE_MS = 2;

/** Looks buildings up in turn, one at a time; milliseconds of each. */
export async function lookUps(client: Client, paths: readonly string[], isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; !isOver(); i++) {
    const start = performance.now();
    await client.get(paths[i % paths.length] as string);
    times.push(performance.now() - start);
    await delay(PAUSE_MS);
  }
  return times;
}

/** Whether so many milliseconds have gone by since this was called. */
export function forMs(ms: number): () => boolean {
  const until = performance.now() + ms;
  return () => performance.now() >= until;
}

export const p99 = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
