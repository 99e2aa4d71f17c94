// Makes the npm package: `npm run package [-- FOLDER]` leaves hidamari-<version>.tgz in FOLDER (build/ by default).
// A clone runs its source with a Node.js of its own; a package must not bring a Node.js, and Node.js strips no types
// below node_modules: so the package is compiled into a folder of its own, with a package.json of its own.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAGE = join(ROOT, 'build/package');
const DESTINATION = process.argv[2] ?? join(ROOT, 'build');
const NODE = join(ROOT, 'node_modules/.bin/node');

rmSync(STAGE, { recursive: true, force: true });
run(NODE, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.package.json']);
const compiled = filesBelow(STAGE).filter((path) => path.endsWith('.js'));
for (const path of compiled) rewriteScriptUrls(path);
for (const path of filesBelow(join(ROOT, 'src'))) if (!path.endsWith('.ts')) copyAsset(path);
for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
  copyFileSync(join(ROOT, name), join(STAGE, name));
cpSync(join(ROOT, 'docs'), join(STAGE, 'docs'), { recursive: true, filter: (path) => !/\.(png|webp)$/.test(path) });
writeFileSync(join(STAGE, 'src/program.sha256'), `${programDigest()}\n`);
writeFileSync(join(STAGE, 'openapi.d.ts'), run(NODE, ['scripts/openapi-types.ts'], 'pipe'));
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
mkdirSync(DESTINATION, { recursive: true });
run('npm', ['pack', STAGE, '--pack-destination', DESTINATION, '--loglevel=error']);

/** `new URL('./worker.ts', import.meta.url)` names a file that is compiled too. */
function rewriteScriptUrls(path) {
  const text = readFileSync(path, 'utf8');
  const rewritten = text.replace(/(new URL\(\s*'\.[^']*)\.ts'/g, "$1.js'");
  if (rewritten !== text) writeFileSync(path, rewritten);
}

function copyAsset(path) {
  const target = join(STAGE, relative(ROOT, path));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(path, target);
}

/** The identity of the source: a dataset built by the package is that of the tree. */
function programDigest() {
  const script = "import { programDigest } from './src/pipeline/program.ts'; process.stdout.write(programDigest());";
  return run(NODE, ['--input-type=module', '-e', script], 'pipe');
}

function manifest() {
  const {
    private: _,
    scripts,
    devDependencies,
    optionalDependencies,
    allowScripts,
    ...kept
  } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const others = Object.entries(optionalDependencies ?? {}).filter(([name]) => !/^node-(darwin|linux|win)-/.test(name));
  return {
    ...kept,
    bin: { hidamari: 'src/cli/main.js' },
    engines: { node: '>=24' },
    files: ['src', 'samples', 'docs', 'openapi.d.ts', 'CHANGELOG.md', 'SECURITY.md'],
    ...(others.length > 0 && { optionalDependencies: Object.fromEntries(others) }),
  };
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function run(command, args, stdout = 'inherit') {
  const { status, stdout: text } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', stdout, 'inherit'],
    maxBuffer: 1 << 26,
    encoding: 'utf8',
  });
  if (status !== 0) process.exit(status ?? 1);
  return text;
}
