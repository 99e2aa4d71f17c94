// Makes a release: `npm run release -- VERSION [--date YYYY-MM-DD] [--out FOLDER] [--dry-run]`.
// Sets the version, closes the changelog, and leaves package, digests, bill of materials (CycloneDX) and licences in FOLDER
// (build/release-VERSION by default). It commits, tags and sends nothing: it prints the commands that do.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
/** Packages that give a clone its Node.js; the npm package has none. */
const BRINGS_NODE = /^node-(darwin|linux|win)-/;

const { version, date, out, dryRun } = readArguments();
const before = Object.fromEntries(FILES.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]));
const after = { ...before, 'CHANGELOG.md': closedChangelog(before['CHANGELOG.md']) };
for (const name of ['package.json', 'package-lock.json']) after[name] = withVersion(before[name]);
checkOrder();
checkRepository();
if (dryRun) {
  process.stdout.write(`would set ${version} in ${FILES.join(', ')} (${date}) and fill ${out}; nothing was written\n`);
} else {
  makeRelease();
}

function readArguments() {
  const options = { date: { type: 'string' }, out: { type: 'string' }, 'dry-run': { type: 'boolean' } };
  let parsed;
  try {
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    fail(error.message);
  }
  const { values, positionals } = parsed;
  const [version] = positionals;
  if (positionals.length !== 1 || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    fail(`expected one version such as 1.2.0, found ${JSON.stringify(positionals.join(' '))}`);
  const date = values.date ?? new Date().toISOString().slice(0, 10);
  const instant = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== date)
    fail(`--date: expected a day such as 2026-12-01, found ${JSON.stringify(date)}`);
  const out = resolve(values.out ?? join(ROOT, `build/release-${version}`));
  return { version, date, out, dryRun: values['dry-run'] === true };
}

/** The one unreleased heading gets the version and the day. */
function closedChangelog(text) {
  const open = text.match(/^## .*unreleased.*$/gim) ?? [];
  if (open.length !== 1) fail(`CHANGELOG.md: expected one heading "## VERSION, unreleased", found ${open.length}`);
  return text.replace(open[0], `## ${version}, ${date}`);
}

/** Name and version stand once at the top of package.json, and in the lock once more for the root package. */
function withVersion(text) {
  const content = JSON.parse(text);
  content.version = version;
  if (content.packages?.[''] !== undefined) content.packages[''].version = version;
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** A release is newer than those before it; the version under way is that of package.json, or a later one. */
function checkOrder() {
  const current = JSON.parse(before['package.json']).version;
  if (compareVersions(version, current) < 0) fail(`${version} is older than ${current} in package.json`);
  for (const [, released] of before['CHANGELOG.md'].matchAll(/^## (\d+\.\d+\.\d+), \d{4}-\d\d-\d\d$/gm))
    if (compareVersions(version, released) <= 0) fail(`${version} is not newer than ${released}, which was released`);
}

function compareVersions(a, b) {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : left[at] - right[at];
}

function checkRepository() {
  const changed = run('git', ['status', '--porcelain']).trim();
  if (changed !== '') fail(`the working tree has changes; commit or remove them first:\n${changed}`);
  if (run('git', ['tag', '--list', `v${version}`]).trim() !== '') fail(`the tag v${version} is there already`);
  if (existsSync(out) && readdirSync(out).length > 0) fail(`${out} is not empty`);
}

function makeRelease() {
  const restore = () => writeAll(before);
  process.once('exit', restore);
  writeAll(after);
  mkdirSync(out, { recursive: true });
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts/package.mjs'), out]);
  const packed = `hidamari-${version}`;
  writeFileSync(join(out, `${packed}.cdx.json`), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  writeFileSync(join(out, `${packed}-licences.txt`), licences());
  const names = readdirSync(out).sort();
  const digests = names.map((name) => `${sha256(join(out, name))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), digests.join(''));
  process.off('exit', restore);
  // npm compares `repository` with where the build ran, and refuses a package with provenance that has none.
  const hasProvenance = JSON.parse(after['package.json']).repository !== undefined;
  process.stdout.write(`${out}: ${[...names, 'SHA256SUMS'].join(', ')}\n\nLook at \`git diff\`, then:\n
  git commit --message "Release ${version}" ${FILES.join(' ')}
  git tag --annotate v${version} --message "Hidamari ${version}"
  git push --atomic origin HEAD v${version}
  npm publish ${join(out, `${packed}.tgz`)}${hasProvenance ? ' --provenance' : ''}
`);
  if (!hasProvenance) process.stdout.write('\nFor --provenance set `repository` first: docs/packages.md#publishing\n');
}

function writeAll(texts) {
  for (const name of FILES) writeFileSync(join(ROOT, name), texts[name]);
}

/** What comes with an installation of the package, by the lock. */
function shippedPackages() {
  return Object.entries(JSON.parse(after['package-lock.json']).packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//, ''), ...entry }))
    .filter(({ name }) => !BRINGS_NODE.test(name));
}

/**
 * The shipped packages as CycloneDX, without addresses of registries. `npm sbom --omit dev` is not used: it also leaves out
 * what production and development both need (npm 11.19).
 */
function billOfMaterials() {
  const bom = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline']));
  // npm gives each a number by chance and the instant: the same lock and day give the same bytes.
  delete bom.serialNumber;
  bom.metadata.timestamp = `${date}T00:00:00.000Z`;
  const { component } = bom.metadata;
  component.name = 'hidamari';
  component.properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:private');
  const shipped = new Set(shippedPackages().map(({ name, version }) => `${name}@${version}`));
  bom.components = bom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
  for (const one of [component, ...bom.components])
    one.externalReferences = one.externalReferences?.filter(({ type }) => type !== 'distribution');
  const refs = new Set([component, ...bom.components].map((one) => one['bom-ref']));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return bom;
}

/** Name, version, licence and the licence's text of every package that comes with an installation. */
function licences() {
  const sections = shippedPackages().map(({ path, name, version, license }) => {
    const texts = licenceTexts(join(ROOT, path));
    if (license === undefined && texts.length === 0) fail(`${name} ${version} has no licence`);
    const text = texts.length > 0 ? texts.join('\n\n') : `(no text of its own on this machine: ${license} applies)`;
    return `${name} ${version}\n${license ?? 'see the text'}\n\n${text}\n`;
  });
  return sections.join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceTexts(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return names
    .filter(({ name }) => /^(un)?(licen[cs]e|copying|notice)/i.test(name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim());
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function run(command, args) {
  const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26, encoding: 'utf8' };
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (status !== 0) fail(`${command} ${args[0]} failed: ${(error?.message ?? stderr.trim()) || stdout.trim()}`);
  return stdout;
}

function fail(message) {
  process.stderr.write(`release: ${message}\n`);
  process.exit(1);
}
