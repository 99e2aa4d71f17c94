import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cityOf, HOSTILE } from '../../test/support/hostile-geometry.ts';
import { rowsOfHouses } from '../../test/support/small-city.ts';
import type { Fault } from './fault.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const HOUSES = 100;
/** Limits for the build of one file: processor time in seconds, and resident memory in MB. */
const MOST_SECONDS = 20;
const MOST_MB = 400;

/**
 * City models that are made to use much time or memory. Each file also holds some houses: they must be built, and the
 * process must stay small.
 */
export const hostileGeometry: Fault = async (folder) => {
  let [lost, seconds, resident] = [0, 0, 0];
  const models = Object.entries(HOSTILE);
  for (const [name, { gml, reason, served = 0 }] of models) {
    const own = join(folder, name);
    mkdirSync(own);
    const model = join(own, '53394611_bldg_6697_op.gml');
    writeFileSync(model, cityOf(gml, rowsOfHouses(HOUSES)));
    const run = spawnSync(
      '/usr/bin/time',
      ['-f', '%U %S %M', process.execPath, CLI, 'build', '--json', '--out', join(own, 'data'), '--citygml', model],
      { encoding: 'utf8', maxBuffer: 1 << 26, timeout: 300_000 },
    );
    const usage = run.stderr.trim().split('\n').at(-1) ?? '';
    const [user = Number.NaN, system = Number.NaN, kilobytes = Number.NaN] = usage.split(' ').map(Number);
    seconds = Math.max(seconds, user + system);
    resident = Math.max(resident, kilobytes / 1000);
    const isBuilt = run.status === 0 && run.stdout.includes(`"served": ${HOUSES + served}\n`);
    if (!isBuilt || (reason !== null && !run.stdout.includes(`"${reason}"`))) lost++;
    else if (!(user + system <= MOST_SECONDS && kilobytes / 1000 <= MOST_MB)) lost++;
  }
  return {
    fault: `a city model with hostile geometry: ${Object.keys(HOSTILE).join(', ')}`,
    tried: models.length,
    lost,
    outcome: `the houses beside it are built; at most ${seconds.toFixed(1)} s of processor time and ${resident.toFixed(0)} MB resident`,
    recoveryMs: null,
  };
};
