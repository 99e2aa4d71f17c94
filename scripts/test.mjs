// Runs the tests: every test/**/*.test.ts, or those whose path begins with or contains one of the words given
// (`npm test -- test/geo town-index`). Options (`--test-name-pattern=…`) go to node.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Two files at a time: more than that and the tests that start servers and builds disturb each other. */
const CONCURRENCY = 2;
/** A test that hangs fails after this time, and the others go on, milliseconds. */
const TIMEOUT_MS = 600_000;
/** Each file is a process of its own: compiled modules are kept between them, which saves a second or more a file. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'hidamari', 'compile');

const words = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const options = process.argv.slice(2).filter((arg) => arg.startsWith('-'));

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

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
