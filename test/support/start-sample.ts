import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSample } from '../../samples/build.ts';
import { FileLock } from '../../src/formats/file-lock.ts';
import { programDigest } from '../../src/pipeline/program.ts';
import { CLI, ROOT } from './run.ts';
import { tempFolder } from './temp-folder.ts';

/** Timeout of building the sample, which takes a few seconds on an idle machine. */
const LONGEST_START_MS = 180_000;

/** Keeps the built town between test files. */
const KEPT = join(ROOT, 'node_modules', '.cache', 'hidamari', 'samples');
const DAY_MS = 86_400_000;

/** Copies the built town to the data folder, for tests that need a small dataset, and returns the folder. */
export async function generatedDataset(data: string): Promise<string> {
  const kept = join(KEPT, sampleDigest());
  if (!existsSync(kept)) await keepSample(kept);
  await cp(kept, data, { recursive: true });
  return data;
}

/** Changes with the program and its inputs. */
function sampleDigest(): string {
  const hash = createHash('sha256').update(programDigest());
  const sources = readdirSync(join(ROOT, 'samples')).filter((name) => name.endsWith('.ts'));
  for (const name of sources.sort()) hash.update(`${name}\n`).update(readFileSync(join(ROOT, 'samples', name)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Builds the sample into the folder, complete or not at all. Test files that need it at the same time wait for the
 * first.
 */
async function keepSample(kept: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  const lock = FileLock.take(`${kept}.lock`, LONGEST_START_MS);
  try {
    if (existsSync(kept)) return;
    for (const name of readdirSync(KEPT)) {
      const path = join(KEPT, name);
      if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
    }
    const folder = mkdtempSync(join(KEPT, 'building-'));
    const out = join(folder, 'data');
    await buildSample(join(folder, 'sources'), {
      out,
      asOf: '2026-01-01',
      workers: 1,
      generatedAt: '2026-01-01T00:00:00Z',
    });
    renameSync(out, kept);
    rmSync(folder, { recursive: true });
  } finally {
    lock?.release();
  }
}

type Test = Parameters<typeof tempFolder>[0];

/**
 * `hidamari start` in a process of its own on a free port, until it has announced what can be tried. It builds the
 * sample where `data` has no dataset. `more` is added to the environment. The process ends with the test at the latest.
 */
export async function startSample(
  test: Test,
  data = join(tempFolder(test), 'data'),
  more: Readonly<Record<string, string>> = {},
) {
  const env = {
    ...process.env,
    ...more,
    HIDAMARI_DATA: data,
    HIDAMARI_PORT: '0',
    HIDAMARI_RATE_LIMIT: '1000',
    HIDAMARI_LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [CLI, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  test.after(() => void child.kill('SIGKILL'));
  const remarks: string[] = [];
  createInterface(child.stderr).on('line', (line) => remarks.push(line));
  const lines: string[] = [];
  const tooLate = setTimeout(() => child.kill('SIGKILL'), LONGEST_START_MS);
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes('"pid"')) break;
  }
  clearTimeout(tooLate);
  if (lines.length !== 1) throw new Error(`it did not start: ${[...remarks, ...lines].join('\n')}`);
  const ready: { dataset_id: string; home: string; map: string; docs: string } = JSON.parse(lines[0] ?? '');
  const [dataset, url] = [ready.dataset_id, new URL(ready.home).origin];
  /** Stops it as an operator would; returns the exit code. */
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    return child.exitCode ?? ((await once(child, 'exit'))[0] as number | null);
  };
  return { dataset, url, pages: [ready.home, ready.map, ready.docs], remarks, stop };
}
