import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The command line, in a process that goes on: what npm starts need not be a server. */
const PROGRAM = `
import { main } from '${join(ROOT, 'src/cli/commands.ts')}';
process.argv.push('doctor');
await main();
setInterval(() => {}, 1000);
console.log('process ' + process.pid);
`;

for (const signal of ['SIGKILL'] as const) {
  it(`${signal} to npm ends what it started, too`, async (t) => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    const scripts = { serve: `"${process.execPath}" program.mjs` };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }));
    const npm = spawn('npm', ['run', 'serve'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    while (!printed.includes('process ')) printed += (await once(npm.stdout, 'data'))[0];
    const program = Number(/process (\d+)/.exec(printed)?.[1]);
    npm.kill(signal);
    for (let tries = 0; isAlive(program) && tries < 100; tries++) await delay(100);
    assert.ok(!isAlive(program), `process ${program} lives on`);
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
