import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBare } from './bare.ts';
import { Client, Load, type Target, type Turn } from './client.ts';
import { quantile } from './output.ts';

const TURN_MS = 250;
const WARM_UP_MS = 1500;

/** A server beside bare `node:http` that sends the same bodies: medians over the turns that they took one after the other. */
interface Comparison {
  /** Mean size of a body. */
  bytes: number;
  /** Answers a second. */
  rate: number;
  /** The same as a share of bare node:http's. */
  rateOfBare: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Processor time of an answer, microseconds, and that of bare node:http as a share of it; NaN where the system has none. */
  cpu: number;
  cpuOfBare: number;
}

/**
 * Asks a server for paths in turn, and bare `node:http` for the same bytes.
 * @param folder for the bodies
 */
export async function compareWithBare(
  paths: readonly string[],
  server: Target,
  { folder, turns, connections }: { folder: string; turns: number; connections: number },
): Promise<Comparison> {
  const bodies = join(folder, 'bodies');
  const bytes = await collectBodies(paths, server, bodies);
  const bare = await startBare(bodies);
  const [mine, theirs] = [new Load(server, paths, connections), new Load(bare, paths, connections)];
  try {
    for (const load of [mine, theirs]) await load.run(WARM_UP_MS);
    const pairs: [Turn, Turn][] = [];
    for (let i = 0; i < turns; i++) pairs.push([await mine.run(TURN_MS), await theirs.run(TURN_MS)]);
    const times = pairs.flatMap(([a]) => a.times);
    const middle = (figure: (pair: [Turn, Turn]) => number): number => quantile(pairs.map(figure), 0.5);
    return {
      bytes,
      rate: middle(([a]) => a.rate),
      rateOfBare: middle(([a, b]) => a.rate / b.rate),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: middle(([a]) => a.cpu),
      cpuOfBare: middle(([a, b]) => b.cpu / a.cpu),
    };
  } finally {
    mine.close();
    theirs.close();
    bare.child.kill();
  }
}

/** Writes what the server answers as lines for bare node:http; gives the mean size. */
async function collectBodies(paths: readonly string[], { port }: Target, file: string): Promise<number> {
  const client = new Client(port);
  const lines: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const body = Buffer.concat(await client.get(path));
    bytes += body.length;
    lines.push(JSON.stringify([path, body.toString()]));
  }
  client.close();
  writeFileSync(file, `${lines.join('\n')}\n`);
  return bytes / paths.length;
}
