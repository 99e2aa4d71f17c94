// Makes the npm package: `npm run package [-- FOLDER]` leaves hidamari-<version>.tgz in FOLDER (build/ by default). After
// `npm pack` (postpack) it replaces the file that npm made of the clone, which would run nowhere.
// A clone runs its source with a Node.js of its own; a package must not bring a Node.js, and Node.js strips no types
// below node_modules: so that is done here, by the same function, into a folder with a package.json of its own.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAGE = join(ROOT, 'build/package');
const { npm_lifecycle_event: event, npm_config_pack_destination: asked, npm_config_json: asJson } = process.env;
const isAfterPack = event === 'postpack';
const DESTINATION = isAfterPack ? resolve(ROOT, asked ?? '.') : (process.argv[2] ?? join(ROOT, 'build'));
const NODE = join(ROOT, 'node_modules/.bin/node');
/** Declarations, the source of the kernel (a module of the program holds it compiled), and, for their size, the zips of the real sample. */
const KEPT_OUT = /\.d\.ts$|^src\/sunlight\/assembly\/|^samples\/real\/.*(?<!\.ts)$/;

rmSync(STAGE, { recursive: true, force: true });
for (const room of ['src', 'samples']) filesBelow(join(ROOT, room)).forEach(addToPackage);
for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
  copyFileSync(join(ROOT, name), join(STAGE, name));
cpSync(join(ROOT, 'docs'), join(STAGE, 'docs'), { recursive: true, filter: (path) => !/\.(png|webp)$/.test(path) });
cpSync(join(ROOT, 'packaging/hidamari.mjs'), join(STAGE, 'bin/hidamari.mjs'));
declareLibrary();
writeFileSync(join(STAGE, 'src/program.sha256'), `${programDigest()}\n`);
writeFileSync(join(STAGE, 'openapi.d.ts'), run(NODE, ['scripts/openapi-types.ts'], 'pipe'));
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
mkdirSync(DESTINATION, { recursive: true });
if (isAfterPack) packInPlaceOfClone();
else run('npm', ['pack', STAGE, '--pack-destination', DESTINATION, '--loglevel=error']);

/** What npm is about to print describes the clone: a person is told so, a program (`--json`) gets an error in its place. */
function packInPlaceOfClone() {
  const described = run(
    'npm',
    ['pack', STAGE, '--pack-destination', DESTINATION, '--json', '--loglevel=error'],
    'pipe',
  );
  const [{ filename, size, entryCount, integrity }] = Object.values(JSON.parse(described));
  const what = `${filename} holds the package: ${entryCount} files, ${size} bytes, ${integrity}`;
  const right = 'npm pack ./build/package describes the package';
  process.stderr.write(`hidamari: ${what}. What npm prints is of the clone; ${right}\n`);
  if (asJson === 'true') process.exit(1);
}

/** A script without its types, at the lines and columns of the source; any other file of the program as it is. */
function addToPackage(path) {
  const name = relative(ROOT, path);
  if (KEPT_OUT.test(name)) return;
  const target = join(STAGE, name.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  if (!/\.[jt]s$/.test(name)) return copyFileSync(path, target);
  const text = readFileSync(path, 'utf8');
  writeFileSync(target, namingScripts(name.endsWith('.ts') ? stripTypeScriptTypes(text) : text));
}

/** `from './place.ts'`, `import('./place.ts')` and `new URL('./place.ts', …)` name a file that has another name in the package. */
function namingScripts(text) {
  return text.replace(/(?<=['"]\.\.?\/[^'"\s]*)\.ts(?=['"])/g, '.js');
}

/** Types of what `exports` names, and of what that imports, beside the scripts. */
function declareLibrary() {
  const entries = filesBelow(join(ROOT, 'src/library'));
  const kinds = '--noCheck --declaration --emitDeclarationOnly --strict --skipLibCheck --allowImportingTsExtensions';
  const target = `--module nodenext --target esnext --lib esnext --types node --rootDir ${ROOT} --outDir ${STAGE}`;
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  run(NODE, [tsc, ...kinds.split(' '), ...target.split(' '), ...entries]);
  for (const path of filesBelow(STAGE).filter((name) => name.endsWith('.d.ts')))
    writeFileSync(path, namingScripts(readFileSync(path, 'utf8')));
}

/** What programs may import: scripts with their types. The types of the API have no script. */
function exportsOf(named) {
  const scripts = Object.entries(named).map(([name, path]) => {
    if (!path.endsWith('.ts')) return [name, path];
    const stem = path.replace(/\.ts$/, '');
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }];
  });
  return { ...Object.fromEntries(scripts), './openapi.js': { types: './openapi.d.ts' } };
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
    bin: { hidamari: 'bin/hidamari.mjs' },
    exports: exportsOf(kept.exports),
    engines: { node: '>=24' },
    files: ['bin', 'src', 'samples', 'docs', 'openapi.d.ts', 'CHANGELOG.md', 'SECURITY.md'],
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
