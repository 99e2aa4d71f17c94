import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Installed } from './installed.ts';

/** Half a second until the server looks for its npm, and what this machine may be busy with. */
const PATIENCE_MS = 20_000;

/** A server that npx or npm has started, in a group of processes of its own. */
async function started(test: TestContext, cwd: string, data: string, [command = '', ...args]: readonly string[]) {
  const all = [...args, '--data', data, '--port', '0', '--log-level', 'silent'];
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const npm = spawn(command, all, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const group = -(npm.pid ?? 0);
  test.after(() => {
    if (isAlive(group)) process.kill(group, 'SIGKILL');
  });
  let printed = '';
  while (!/process \d+|"pid":\d+/.test(printed)) {
    const [chunk] = await Promise.race([once(npm.stdout, 'data'), once(npm, 'close')]);
    if (typeof chunk === 'number' || chunk === null) throw new Error(`it did not start: ${printed}`);
    printed += chunk;
  }
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
  return { npm: npm.pid ?? 0, group, port: Number(port) };
}

const WAYS = [
  ['SIGTERM', 'npm'],
  ['SIGHUP', 'npm'],
  ['SIGTERM', 'group'],
  ['SIGINT', 'group'],
] as const;

/** Each way in which docs/operating.md says that a server under npm or npx is stopped. */
export function checkSignals(of: () => Installed): void {
  const endsByAll = async (
    test: TestContext,
    cwd: string,
    command: string[],
    ways: readonly (typeof WAYS)[number][],
  ) => {
    const one = async ([signal, target]: (typeof WAYS)[number]): Promise<void> => {
      const those = await started(test, cwd, of().data, command);
      process.kill(those[target], signal);
      for (const end = Date.now() + PATIENCE_MS; isAlive(those.group) && Date.now() < end; ) await delay(50);
      assert.ok(!isAlive(those.group), `${signal} to ${target}: processes of ${command[0]} live on`);
      assert.ok(!(await isListening(those.port)), `${signal} to ${target}: port ${those.port} is still taken`);
    };
    await Promise.all(ways.map(one));
  };

  it('npx hidamari serve: a signal ends all of it and frees its port', (test) =>
    endsByAll(test, of().folder, ['npx', '--offline', 'hidamari', 'serve'], WAYS));

  it('npm start in the tree: so too', (test) =>
    endsByAll(test, of().tree, ['npm', 'start', '--silent', '--'], WAYS.slice(0, 2)));
}

/** Whether a process, or one of a group (negative), is there. */
function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
