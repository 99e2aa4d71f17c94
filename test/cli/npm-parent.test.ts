import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
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
console.log('process ' + process.pid + ' of ' + process.ppid);
`;

for (const [flags, what] of [
  ['', 'what it started'],
  ['--watch', 'what it started and the watcher between them'],
] as const) {
  it(`SIGKILL to npm ends ${what}, too`, async (t) => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    const scripts = { serve: `"${process.execPath}" ${flags} program.mjs` };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }));
    const npm = spawn('npm', ['run', 'serve'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    while (!/process \d+ of \d+\n/.test(printed)) printed += (await once(npm.stdout, 'data'))[0];
    const [program = 0, parent = 0] = /process (\d+) of (\d+)/.exec(printed)?.slice(1).map(Number) ?? [];
    npm.kill('SIGKILL');
    const left = [program, ...(flags === '' ? [] : [parent])];
    for (let tries = 0; left.some(isAlive) && tries < 100; tries++) await delay(100);
    assert.deepEqual(left.filter(isAlive), [], 'processes live on');
  });
}

it('as the first process of a container it ends at a signal, unless the command listens for itself', async (t) => {
  const folder = tempFolder(t);
  const listens = "process.on('SIGHUP', () => console.log('moved on'));";
  writeFileSync(join(folder, 'program.mjs'), PROGRAM + listens);
  const first = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', process.execPath, 'program.mjs'];
  const above = spawn('unshare', first, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => above.kill('SIGKILL'));
  const failed = once(above, 'error').then(([error]) => String(error));
  let printed = '';
  above.stdout.on('data', (text) => (printed += text));
  above.stderr.on('data', (text) => (printed += text));
  const ended = once(above, 'exit').then(([code]) => code);
  const until = async (text: RegExp): Promise<boolean> => {
    while (!text.test(printed)) {
      const over = await Promise.race([failed, ended, delay(20)]);
      if (over !== undefined) return false;
    }
    return true;
  };
  if (!(await until(/process 1 of 0\n/))) {
    t.skip(`no container can be made here: ${printed}`);
    return;
  }
  const program = Number(readFileSync(`/proc/${above.pid}/task/${above.pid}/children`, 'utf8'));
  process.kill(program, 'SIGHUP');
  assert.ok(await until(/moved on/));
  process.kill(program, 'SIGTERM');
  assert.equal(await Promise.race([ended, delay(20_000, 'lives on', { ref: false })]), 143);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
