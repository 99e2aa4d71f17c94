import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fire } from './connection.ts';
import { type Known, ordinaryShot, shotOf } from './shots.ts';

/** What the clients are to do. */
export interface Orders {
  port: number;
  /** File with what is known of the server, as JSON. */
  known: string;
  seed: number;
  /** The first shot. */
  from: number;
  /** Ends with the shot that brings the requests to this number. */
  requests: number;
  /** Requests that are sent in a second, on average; as many as can be answered where it is 0. */
  perSecond: number;
  /** In place of each shot, as many ordinary requests. */
  isOrdinary: boolean;
}

/** What came of it. */
export interface Report {
  requests: number;
  shots: number;
  /** By kind. */
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  passing: number;
  /** Each begins with the number of the shot. */
  wrong: string[];
  longestRefusal: number;
  /** The shots that took longest of each kind, milliseconds. */
  slowest: Record<string, { shot: number; ms: number }>;
}

/** Connections at a time. */
const LANES = 16;
const MOST_LINES = 200;

// A process of its own, so that it takes no time from what measures beside it.
//   node bench/faults/hostile/clients.ts ORDERS      (JSON; prints a report as JSON)

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
const known = JSON.parse(readFileSync(orders.known, 'utf8')) as Known;
const report: Report = {
  ...{ requests: 0, shots: 0, kinds: {}, statuses: {}, passing: 0, wrong: [], longestRefusal: 0, slowest: {} },
};
const begin = performance.now();
await Promise.all(Array.from({ length: LANES }, lane));
console.log(JSON.stringify(report));

async function lane(): Promise<void> {
  while (report.requests < orders.requests) {
    const number = orders.from + report.shots++;
    const shot = (orders.isOrdinary ? ordinaryShot : shotOf)(orders.seed, number, known);
    const due = orders.perSecond === 0 ? 0 : (report.requests / orders.perSecond) * 1000 - (performance.now() - begin);
    report.requests += shot.asked.length + (shot.tail === null ? 0 : 1);
    report.kinds[shot.kind] = (report.kinds[shot.kind] ?? 0) + 1;
    if (due > 0) await delay(due);
    const { statuses, wrong, passing, ms, longestRefusal } = await fire(orders.port, shot);
    for (const [status, count] of Object.entries(statuses))
      report.statuses[status] = (report.statuses[status] ?? 0) + count;
    report.passing += passing;
    report.longestRefusal = Math.max(report.longestRefusal, longestRefusal);
    if (ms > (report.slowest[shot.kind]?.ms ?? 0)) report.slowest[shot.kind] = { shot: number, ms };
    if (report.wrong.length < MOST_LINES)
      report.wrong.push(...wrong.map((line) => `shot ${number} (${shot.kind}): ${line}`));
  }
}
