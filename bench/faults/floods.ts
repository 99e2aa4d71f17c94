import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from './fault.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const LIMITER = new URL('../../src/http/rate-limiter.ts', import.meta.url).href;
const NETWORKS = 1_670_000;
/** Memory limit of the limiter, MB. */
const BOUND_MB = 100;

/**
 * Runs in its own process, so that its memory can be measured. A number of IPv6 /64 networks send one request each;
 * then each of the first thousand sends another.
 */
const FLOOD = `
const { MemoryRateLimiter } = await import('${LIMITER}');
const memory = () => { for (let i = 0; i < 3; i++) gc(); const { heapUsed, rss } = process.memoryUsage(); return [heapUsed / 1e6, rss / 1e6]; };
const limiter = new MemoryRateLimiter(20);
const name = (i) => '2001:db8:' + (i >>> 16).toString(16) + ':' + (i & 65535).toString(16) + '::/64';
const before = memory();
let allowed = 0;
const start = performance.now();
for (let i = 0; i < ${NETWORKS}; i++) if (limiter.take(name(i)).allowed) allowed++;
const seconds = (performance.now() - start) / 1000;
const after = memory();
const used = new MemoryRateLimiter(20, () => start);
const empty = memory();
for (let n = 0; n < 20; n++) for (let i = 0; i < 100_000; i++) used.take('10.' + (i >>> 16) + '.' + ((i >>> 8) & 255) + '.' + (i & 255));
const fullMb = memory()[0] - empty[0] + 0 * used.size;
console.log(JSON.stringify({ fullMb, heapMb: after[0] - before[0], rssMb: after[1] - before[1], allowed, seconds, kept: limiter.size }));
`;

/** Measures the memory of the limiter under a flood of addresses. */
export const addressFlood: Fault = async () => {
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', FLOOD], { encoding: 'utf8' });
  const { fullMb, heapMb, rssMb, allowed, seconds, kept } = JSON.parse(run.stdout) as Record<string, number>;
  const isBounded = (heapMb ?? Number.POSITIVE_INFINITY) < BOUND_MB;
  const perHome = Math.floor(NETWORKS / 256) * 80 + Math.min(80, NETWORKS % 256);
  return {
    fault: `${NETWORKS.toLocaleString('en-US')} /64 networks of IPv6 ask, each once`,
    tried: NETWORKS,
    lost: (isBounded ? 0 : 1) + ((allowed ?? 0) <= perHome ? 0 : 1),
    outcome: `${heapMb?.toFixed(0)} MB of objects, ${rssMb?.toFixed(0)} MB of the process, ${kept} kept; ${allowed} pass in ${seconds?.toFixed(1)} s. 100,000 addresses that have used up their 20 requests: ${fullMb?.toFixed(0)} MB`,
    recoveryMs: null,
  };
};

/** Tables and zips that are made to use much memory. Each must be refused by name, and the process must stay small. */
export const bombs: Fault = async (folder) => {
  const line = join(folder, 'jigyosho_510.csv');
  writeFileSync(line, `都道府県コード,市区町村名\r\n${'a'.repeat(300 << 20)}`);
  const model = join(folder, '53394611_bldg_6697_op.gml');
  writeFileSync(
    model,
    `<?xml version="1.0"?><core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0"><a b="${'x'.repeat(64 << 20)}"/>`,
  );
  const out = join(folder, 'out');
  const cases: [string, string[]][] = [
    [line, ['--offices', line]],
    [model, ['--citygml', model]],
  ];
  let [lost, most] = [0, 0];
  for (const [path, args] of cases) {
    const run = spawnSync('/usr/bin/time', ['-v', process.execPath, CLI, 'build', '--out', out, ...args], {
      encoding: 'utf8',
      env: { ...process.env, SOURCE_DATE_EPOCH: '1790000000' },
    });
    const resident = Number(/Maximum resident set size \(kbytes\): (\d+)/.exec(run.stderr)?.[1]) / 1000;
    if (!Number.isNaN(resident)) most = Math.max(most, resident);
    if (run.status === 0 || !run.stderr.includes(path.slice(folder.length + 1))) lost++;
  }
  return {
    fault: 'a table with one line of 300 MB, a city model with one attribute of 64 MB',
    tried: cases.length,
    lost,
    outcome: `refused by name${most > 0 ? `; at most ${most.toFixed(0)} MB resident` : ''}`,
    recoveryMs: null,
  };
};
