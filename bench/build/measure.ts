import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import type { BuildEvent, StageName } from '../../src/pipeline/progress.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** Time between two samples of a process, milliseconds. */
const INTERVAL = 50;
/** Clock ticks per second of the processor time in `/proc/<pid>/stat`. Linux has 100 on every machine. */
const TICKS = 100;

/**
 * Memory of a process, bytes. A build is one process with threads, so nothing is counted twice. `own` (`RssAnon` and
 * `RssShmem`) is the memory that the machine must have. `resident` (`VmRSS`) also counts the mapped pages of files,
 * mostly the program and its libraries. The system can free those pages at any time.
 */
interface Memory {
  resident: number;
  own: number;
}

export interface MeasuredBuild {
  outcome: BuildOutcome;
  wallSeconds: number;
  /** Of the process with all its threads. */
  cpuSeconds: number;
  /** Peak over the whole run. */
  peak: Memory;
  /** Peak of each stage. */
  peaks: Partial<Record<StageName, Memory>>;
}

/** Runs `hidamari build` with these arguments in its own process, and samples its memory. Throws when it fails. */
export async function measureBuild(args: readonly string[]): Promise<MeasuredBuild> {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, 'build', ...args, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const peak: Memory = { resident: 0, own: 0 };
  const peaks: MeasuredBuild['peaks'] = {};
  // Two stages can run at the same time.
  const stages = new Set<StageName>();
  let cpuSeconds = 0;
  let [stdout, stderr, errors] = ['', '', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    const lines = (stderr + chunk).split('\n');
    stderr = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith('{')) errors += `${line}\n`;
      else follow(stages, JSON.parse(line));
    }
  });
  const sampling = setInterval(() => {
    const memory = memoryOf(child.pid!);
    if (memory === null) return;
    raise(peak, memory);
    for (const stage of stages) {
      const inStage = peaks[stage] ?? { resident: 0, own: 0 };
      raise(inStage, memory);
      peaks[stage] = inStage;
    }
    cpuSeconds = cpuSecondsOf(child.pid!) ?? cpuSeconds;
  }, INTERVAL);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`hidamari build ${args.join(' ')} ended with ${code}: ${errors}`);
  return { outcome: JSON.parse(stdout), wallSeconds: (performance.now() - start) / 1000, cpuSeconds, peak, peaks };
}

function follow(stages: Set<StageName>, event: BuildEvent): void {
  if (event.event === 'stage') stages.add(event.stage);
  if (event.event === 'stage_done') stages.delete(event.stage);
}

function raise(peak: Memory, to: Memory): void {
  peak.resident = Math.max(peak.resident, to.resident);
  peak.own = Math.max(peak.own, to.own);
}

/** Null when the process has just ended. */
function memoryOf(pid: number): Memory | null {
  const status = readProc(pid, 'status');
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  const memory = { resident: bytes('VmRSS'), own: bytes('RssAnon') + bytes('RssShmem') };
  return Number.isNaN(memory.resident + memory.own) ? null : memory;
}

function cpuSecondsOf(pid: number): number | null {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS : null;
}

/** The content of a file in `/proc`; empty after the process has ended. */
export function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
