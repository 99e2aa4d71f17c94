import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { freeBytes } from '../formats/files.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { type Finding, SERVICE_SETTINGS, serviceFindings } from './doctor-service.ts';
import { bytesText, say, styled } from './output.ts';
import { addSettings, type Settings } from './settings.ts';

/** The oldest major version of Node.js that can run the program. */
const NODE_MAJOR = 24;
/** Least memory. A build of one ward needs about half of this; all of Tokyo needs 4 GB. */
const LEAST_MEMORY_BYTES = 1e9;
/** Least free bytes of the disk: a dataset of one ward and its draft. */
const LEAST_DISK_BYTES = 1e9;

/** Packages with native code, which may not exist for this machine. */
const NATIVE = ['@duckdb/node-api'];

/** Programs that only tests use. */
const TEST_PROGRAMS = ['redis-server', 'swift-ring-builder', 'chromium', 'ogrinfo', 'buildah'];
/** The folder of the tests. A clone has it, the npm package does not. */
const TESTS = new URL('../../test/', import.meta.url);

/** `hidamari doctor`: what this machine lacks. */
export function define(command: Command): void {
  command.description(
    'Looks at Node.js, native packages, memory, disk and the data folder, and at Redis, the store, keys, ports and the clock ' +
      'where the settings of `serve` name them; ends with 1 when something is missing.',
  );
  addSettings(command, ['data', ...SERVICE_SETTINGS]).action(async (settings: Settings) => {
    const { data } = settings;
    const findings = [nodeVersion(), ...(await nativePackages()), memory()];
    // The contents of a bucket do not depend on this machine.
    if (!data.startsWith('s3://')) findings.push(await disk(data), await datasets(data));
    const isPortGiven = command.getOptionValueSource('port') !== 'default';
    findings.push(...(await serviceFindings(settings, isPortGiven)));
    if (existsSync(TESTS)) findings.push(...TEST_PROGRAMS.map(testProgram));
    for (const { what, state, text } of findings) say(`${stateText(state)}  ${what}: ${text}`);
    if (findings.some(({ state }) => state === 'missing')) process.exitCode = 1;
  });
}

/** The state as a word of fixed width, with a colour on a terminal. */
function stateText(state: Finding['state']): string {
  if (state === 'good') return styled('green', 'good    ');
  return state === 'missing' ? styled('red', 'missing ') : styled('yellow', 'optional');
}

/** Whether Node.js is new enough. */
function nodeVersion(): Finding {
  const { node } = process.versions;
  const isGood = Number.parseInt(node, 10) >= NODE_MAJOR;
  const text = isGood ? `${node} (${process.execPath})` : `${node}; expected ${NODE_MAJOR} or newer: npm install`;
  return { what: 'Node.js', state: isGood ? 'good' : 'missing', text };
}

/** Whether each native package loads. */
async function nativePackages(): Promise<Finding[]> {
  return Promise.all(
    NATIVE.map(async (name): Promise<Finding> => {
      try {
        await import(name);
        return { what: name, state: 'good', text: 'loads' };
      } catch (error) {
        const [line] = (error as Error).message.split('\n');
        return { what: name, state: 'missing', text: `${line}. Is it built for ${process.platform}-${process.arch}?` };
      }
    }),
  );
}

/** Whether there is enough memory. */
function memory(): Finding {
  // A container may have less memory than its machine.
  const total = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  const state = total >= LEAST_MEMORY_BYTES ? 'good' : 'missing';
  const free = bytesText(Math.min(total, freemem()));
  return { what: 'memory', state, text: `${bytesText(total)}, ${free} free; ${availableParallelism()} cores` };
}

/** Whether the disk of the data folder has room. The folder may not exist yet: then its nearest parent counts. */
async function disk(data: string): Promise<Finding> {
  const what = `disk of ${resolve(data)}`;
  try {
    let folder = resolve(data);
    while (!existsSync(folder)) folder = dirname(folder);
    const free = await freeBytes(folder);
    return { what, state: free >= LEAST_DISK_BYTES ? 'good' : 'missing', text: `${bytesText(free)} free` };
  } catch (error) {
    return { what, state: 'missing', text: (error as Error).message };
  }
}

/** Whether the data folder contains a dataset that a server can open. */
async function datasets(data: string): Promise<Finding> {
  const what = 'datasets';
  if (!existsSync(data))
    return { what, state: 'optional', text: `no folder ${data} yet: hidamari start or hidamari build makes it` };
  try {
    const { manifests, refused } = await listDatasets(data);
    if (refused.length > 0) return { what, state: 'missing', text: `refused: ${refused.join('; ')}` };
    const text = manifests.length === 0 ? `none in ${data} yet` : `${manifests.length} in ${data}`;
    return { what, state: manifests.length === 0 ? 'optional' : 'good', text };
  } catch (error) {
    return { what, state: 'missing', text: (error as Error).message };
  }
}

/** Whether a program that only tests use is installed. */
function testProgram(name: string): Finding {
  const isThere = !spawnSync(name, ['--version'], { stdio: 'ignore' }).error;
  if (isThere) return { what: name, state: 'good', text: 'there, for the tests' };
  return { what: name, state: 'optional', text: 'not there: the tests that need it are skipped' };
}
