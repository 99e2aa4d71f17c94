import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fire } from './connection.ts';
import { emptyReport } from './report.ts';
import { type Known, ordinaryShot, shotOf } from './shots.ts';

/** The orders for the clients. */
export interface Orders {
  port: number;
  /** JSON file with the known answers of the server. */
  known: string;
  seed: number;
  /** Number of the first shot. */
  from: number;
  /** The run ends with the shot that reaches this number of requests. */
  requests: number;
  /** Average number of requests per second; 0: as many as the server can answer. */
  perSecond: number;
  /** True: sends ordinary requests instead of the shots, the same number. */
  isOrdinary: boolean;
}

/** Number of connections at a time. */
const LANES = 16;
const MOST_LINES = 200;

// Runs in its own process, so that it does not slow down the measurements.
//
//   node bench/faults/hostile/clients.ts ORDERS      (JSON; prints a report as JSON)

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
const known = JSON.parse(readFileSync(orders.known, 'utf8')) as Known;
const report = emptyReport();
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
