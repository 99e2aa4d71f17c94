import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'node:test';
import { ROOT, run } from '../../support/run.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Installed } from './installed.ts';

/** What docker would read from the image. */
interface Config {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  StopSignal: string;
  Healthcheck: { Test: string[] };
}

const SKIP: false | string =
  spawnSync('buildah', ['--version']).error === undefined
    ? false
    : 'buildah is not installed (on Debian: apt-get install buildah)';

/**
 * Builds the last stage of packaging/Containerfile over a base made here (the libraries of this machine's Node.js and nothing
 * else, since no registry can be asked), and runs it where the machine allows. Node.js and the dependencies are mounted:
 * copying 300 MB through three layers would take the time of all else.
 */
export function checkImage(of: () => Installed): void {
  it('the image runs without a shell and without rights, is healthy, and ends at SIGTERM', {
    skip: SKIP,
  }, async (test) => {
    const folder = tempFolder(test);
    const buildah = storeOf(folder);
    await buildah.say('build', '--quiet', '--isolation', 'chroot', '--format', 'docker', '--tag', 'hidamari',
      '--build-context', `program=${programContext(folder, of().own)}`,
      '--build-arg', `BASE=${await baseImage(folder, buildah)}`,
      '--file', join(ROOT, 'packaging/Containerfile'), join(ROOT, 'packaging')); // biome-ignore format: pairs
    const { Docker } = JSON.parse(await buildah.say('inspect', '--type', 'image', 'hidamari'));
    const config: Config = Docker.config;
    assert.equal(config.User, '65532:65532');
    assert.equal(config.StopSignal, 'SIGTERM');
    await serves(test, buildah, config, of().data);
  });
}

interface Buildah {
  args(...args: string[]): string[];
  /** What it prints. @throws AssertionError */
  say(...args: string[]): Promise<string>;
}

function storeOf(folder: string): Buildah {
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const args = (...more: string[]): string[] => [...store, ...more];
  const say = async (...more: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run('buildah', args(...more));
    assert.equal(code, 0, `buildah ${more[0]}: ${stderr}`);
    return stdout.trim();
  };
  return { args, say };
}

/** An image of the shared libraries that Node.js is linked with; gives its name. */
async function baseImage(folder: string, { say }: Buildah): Promise<string> {
  const base = join(folder, 'base');
  const { stdout } = await run('ldd', [process.execPath]);
  for (const [path] of stdout.matchAll(/\/\S+/g)) {
    mkdirSync(join(base, dirname(path)), { recursive: true });
    copyFileSync(path, join(base, path));
  }
  const container = await say('from', 'scratch');
  await say('copy', '--quiet', container, base, '/');
  await say('commit', '--quiet', '--rm', container, 'libraries');
  return 'localhost/libraries';
}

/** What the stages before the last one would leave, but for what is mounted. */
function programContext(folder: string, own: string): string {
  const program = join(folder, 'program');
  for (const name of ['usr/local/bin', 'data', 'program/node_modules'])
    mkdirSync(join(program, name), { recursive: true });
  writeFileSync(join(program, 'usr/local/bin/node'), '');
  cpSync(own, join(program, 'program/node_modules/hidamari'), { recursive: true });
  return program;
}

/** Runs entry point and health check of the image, as its user. */
async function serves(test: TestContext, buildah: Buildah, config: Config, data: string): Promise<void> {
  const container = await buildah.say('from', 'hidamari');
  const mounts = [
    `${process.execPath}:/usr/local/bin/node:ro`,
    `${ROOT}/node_modules:/node_modules:ro`,
    `${data}:/served:ro`,
  ];
  const inside = [
    'run',
    '--isolation',
    'chroot',
    ...mounts.flatMap((mount) => ['--volume', mount]),
    '--env',
    'HIDAMARI_PORT=0',
    // Not /data: buildah mounts the image's own volume there, now before and now after one of ours.
    '--env',
    'HIDAMARI_DATA=/served',
  ];
  const may = await run('buildah', buildah.args(...inside, container, '--', ...config.Entrypoint, '--version'));
  if (may.code !== 0) {
    test.diagnostic(
      `not run: this machine does not let buildah run a container (${may.stderr.trim().split('\n').at(-1)})`,
    );
    return;
  }
  const [node = ''] = config.Entrypoint;
  // Said by the exit code: what a command prints just before it ends buildah may lose.
  const isItsUser = `process.exitCode = process.getuid() === ${Number.parseInt(config.User, 10)} ? 0 : 1`;
  const who = await run('buildah', buildah.args(...inside, container, '--', node, '-e', isItsUser));
  assert.equal(who.code, 0, `does not run as user ${config.User}: ${who.stderr}`);
  const server = spawn('buildah', buildah.args(...inside, container, '--', ...config.Entrypoint, ...config.Cmd));
  test.after(() => server.kill('SIGKILL'));
  const lines = createInterface(server.stdout);
  const announced: string[] = [];
  for await (const line of lines) {
    announced.push(line);
    if (line.includes('SIGHUP')) break;
  }
  server.stdout.resume();
  let log = '';
  server.stderr.on('data', (text) => (log += text));
  const port = /:(\d+)$/.exec(announced[0] ?? '')?.[1] ?? '';
  const pid = Number(/process (\d+)/.exec(announced.at(-1) ?? '')?.[1]);
  const health = async (of: string) => {
    const [, ...command] = config.Healthcheck.Test;
    const checked = buildah.args(...inside, '--env', `HIDAMARI_PORT=${of}`, container, '--', ...command);
    return run('buildah', checked);
  };
  // One after the other: commands of buildah in the same container stand in each other's way.
  const here = await health(port);
  const nowhere = await health('1');
  assert.deepEqual([here.code, nowhere.code], [0, 1], `${here.stderr}${announced.join('\n')}\n${log}`);
  process.kill(pid, 'SIGTERM');
  assert.deepEqual(await once(server, 'exit'), [0, null]);
}
