import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../serving/client.ts';

/** Time between two look-ups, milliseconds. */
const PAUSE_MS = 2;

/** Looks up buildings one at a time; returns the milliseconds of each. */
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

/** A function that tells whether this number of milliseconds has passed since this call. */
export function forMs(ms: number): () => boolean {
  const until = performance.now() + ms;
  return () => performance.now() >= until;
}

export const p99 = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
