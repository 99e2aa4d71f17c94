// Runs the tests: every test/**/*.test.ts, or those whose path begins with or contains one of the words given
// (`npm test -- test/geo town-index`). Options (`--test-name-pattern=…`) go to node, but for `--file-timeout=SECONDS`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Two files at a time: more than that and the tests that start servers and builds disturb each other. */
const CONCURRENCY = 2;
/** A test that hangs fails after this time, and the others go on, milliseconds. */
const TIMEOUT_MS = 600_000;
/**
 * A file that has not ended after this time is ended, with all that it has started, and counts as failed, seconds: what a test that
 * timed out has left running would keep the whole run waiting.
 */
const FILE_TIMEOUT = 660;
/** How often it is looked for such files in that time. */
const LOOKS = 60;
/** Each file is a process of its own: compiled modules are kept between them, which saves a second or more a file. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'hidamari', 'compile');

const words = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const given = process.argv.slice(2).filter((arg) => arg.startsWith('-'));
const options = given.filter((arg) => !arg.startsWith('--file-timeout='));
const fileTimeout = Number(given.find((arg) => !options.includes(arg))?.split('=')[1] ?? FILE_TIMEOUT);

const files = testFiles(join(ROOT, 'test'))
  .map((path) => relative(ROOT, path).split(sep).join('/'))
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word.replace(/^\.\//, ''))))
  .sort();
if (files.length === 0) {
  process.stderr.write(`hidamari: no test file matches ${words.join(' ')}\n`);
  process.exit(2);
}
const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${TIMEOUT_MS}`];

const inside = join(ROOT, 'node_modules', '.bin', 'node');
const node = process.platform !== 'win32' && existsSync(inside) ? inside : process.execPath;
const child = spawn(node, ['--test', ...limits, ...options, ...files], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE,
    // Most servers of the tests are asked for nothing that threads compute, and warming up takes most of a second of a processor.
    HIDAMARI_WARM_UP: process.env.HIDAMARI_WARM_UP ?? 'off',
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code === null ? 1 : code));
watchFiles(child.pid);

/**
 * Each file is a process that the runner has started. Its own limit holds for single tests, and only while their event loop turns. Looks
 * are counted, since this process may have been stopped meanwhile, with the others.
 */
function watchFiles(runner) {
  let looks = new Map();
  setInterval(
    () => {
      const children = childrenByProcess();
      // The number of a process that has ended may be given to another file.
      looks = new Map((children.get(runner) ?? []).map((file) => [file, (looks.get(file) ?? 0) + 1]));
      for (const [file, times] of looks) {
        if (times < LOOKS) continue;
        process.stderr.write(`hidamari: a test file goes on after ${fileTimeout} s and is ended (process ${file})\n`);
        for (const pid of withDescendants(file, children)) end(pid);
      }
    },
    (fileTimeout * 1000) / LOOKS,
  ).unref();
}

/** The processes that each process has started; nothing on Windows, where no file is ended. */
function childrenByProcess() {
  const children = new Map();
  for (const [pid, parent] of processes()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  return children;
}

/** Every process with the one that has started it. */
function processes() {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const { stdout = '' } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      // The name before it, in brackets, may hold anything.
      const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
      return [[Number(pid), Number(parent)]];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

function withDescendants(pid, children) {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => withDescendants(child, children))];
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
