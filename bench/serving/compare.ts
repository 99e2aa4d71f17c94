import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBare } from './bare.ts';
import { Client, Load, type Target, type Turn } from './client.ts';
import { quantile } from './output.ts';

const TURN_MS = 250;
const WARM_UP_MS = 1500;

/** Compares a server with plain `node:http` that sends the same bodies: medians over alternating turns. */
interface Comparison {
  /** Mean size of a body, bytes. */
  bytes: number;
  /** Answers per second. */
  rate: number;
  /** Ratio to plain node:http that encodes the text of each answer. */
  rateOfBare: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /**
   * Processor time per answer, microseconds, and the processor time of plain node:http as a share of it; NaN when the
   * system does not report it.
   */
  cpu: number;
  cpuOfBare: number;
  /** The same compared with plain node:http that sends ready bytes. */
  cpuOfReadyBytes: number;
}

/**
 * Requests paths from a server in turn, and the same bytes from plain `node:http` in both its forms.
 * @param folder for the bodies
 */
export async function compareWithBare(
  paths: readonly string[],
  server: Target,
  { folder, turns, connections }: { folder: string; turns: number; connections: number },
): Promise<Comparison> {
  const bodies = join(folder, 'bodies');
  const bytes = await collectBodies(paths, server, bodies);
  const bare = [await startBare(bodies, 'text'), await startBare(bodies, 'bytes')] as const;
  const loads = [server, ...bare].map((target) => new Load(target, paths, connections));
  try {
    for (const load of loads) await load.run(WARM_UP_MS);
    const rounds: Turn[][] = [];
    for (let i = 0; i < turns; i++) {
      const round: Turn[] = [];
      for (const load of loads) round.push(await load.run(TURN_MS));
      rounds.push(round);
    }
    const times = rounds.flatMap(([mine]) => mine!.times);
    const middle = (figure: (mine: Turn, text: Turn, ready: Turn) => number): number =>
      quantile(
        rounds.map(([mine, text, ready]) => figure(mine!, text!, ready!)),
        0.5,
      );
    return {
      bytes,
      rate: middle((mine) => mine.rate),
      rateOfBare: middle((mine, text) => mine.rate / text.rate),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: middle((mine) => mine.cpu),
      cpuOfBare: middle((mine, text) => text.cpu / mine.cpu),
      cpuOfReadyBytes: middle((mine, _, ready) => ready.cpu / mine.cpu),
    };
  } finally {
    for (const load of loads) load.close();
    for (const { child } of bare) child.kill();
  }
}

/** Writes the answers of the server as lines for plain node:http; returns the mean size. */
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
