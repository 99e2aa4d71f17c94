import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateSample } from '../../samples/generate.ts';
import { listFiles } from '../../src/formats/files.ts';
import { CLI, ROOT, run } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** An empty folder with the package installed in it; its dependencies are those that are installed here. */
let elsewhere: string;
let program: string;

describe('the npm package', () => {
  after(() => rmSync(elsewhere, { recursive: true, force: true }));

  before(async () => {
    elsewhere = mkdtempSync(join(tmpdir(), 'hidamari-package-'));
    const made = await run(process.execPath, [join(ROOT, 'scripts/package.mjs'), elsewhere]);
    assert.equal(made.code, 0, made.stderr);
    const modules = join(elsewhere, 'node_modules');
    mkdirSync(join(modules, 'hidamari'), { recursive: true });
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    const tarball = join(elsewhere, readdirSync(elsewhere).find((name) => name.endsWith('.tgz')) ?? '');
    const unpacked = await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'hidamari')]);
    assert.equal(unpacked.code, 0, unpacked.stderr);
    program = join(modules, 'hidamari/src/cli/main.js');
    assert.ok(statSync(tarball).size <= 2e6, `${statSync(tarball).size} bytes`);
  });

  it('is not private, brings no Node.js and no TypeScript', async () => {
    const folder = join(elsewhere, 'node_modules/hidamari');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.equal(manifest.private, undefined);
    assert.deepEqual(manifest.bin, { hidamari: 'src/cli/main.js' });
    assert.equal(manifest.scripts, undefined);
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      assert.doesNotMatch(name, /^node(-|$)/);
    }
    assert.deepEqual(
      (await listFiles(folder)).filter((name) => name.endsWith('.ts')),
      ['openapi.d.ts'],
    );
    assert.match(readFileSync(join(folder, 'openapi.d.ts'), 'utf8'), /^ {4}"\/api\/v1\/sunlight\/buildings": \{/m);
  });

  it('builds the same bytes as the tree, and verifies them', async (test) => {
    const folder = tempFolder(test);
    const { citygml, towns, readings, offices, details } = generateSample(join(folder, 'inputs'));
    const paths = ['--citygml', citygml, '--towns', towns, '--readings', readings, '--offices', offices];
    const build = async (main: string, out: string): Promise<Record<string, string>> => {
      const args = [main, 'build', '--out', join(folder, out), ...paths, '--details', details, '--workers', '1'];
      const built = await run(process.execPath, args, { cwd: elsewhere, env: { SOURCE_DATE_EPOCH: '1790000000' } });
      assert.equal(built.code, 0, built.stderr);
      const names = (await listFiles(join(folder, out))).filter((name) => /^[0-9a-f]/.test(name));
      return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, out, name), 'base64')]));
    };
    const [ofPackage, ofTree] = [await build(program, 'package'), await build(CLI, 'tree')];
    assert.ok(Object.keys(ofTree).length > 5);
    assert.deepEqual(Object.keys(ofPackage), Object.keys(ofTree));
    for (const name of Object.keys(ofTree)) assert.ok(ofPackage[name] === ofTree[name], `${name} differs`);
    const [id] = readdirSync(join(folder, 'package')).filter((name) => /^[0-9a-f]/.test(name));
    const verified = await run(process.execPath, [program, 'verify', join(folder, 'package', id ?? '')], {
      cwd: elsewhere,
    });
    assert.equal(verified.code, 0, verified.stderr);
  });

  it('keeps nothing in its own folder', async () => {
    const { stdout, code } = await run(process.execPath, [program, '--version'], { cwd: elsewhere });
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+/);
    assert.deepEqual(
      readdirSync(join(elsewhere, 'node_modules/hidamari')).filter((name) => name === 'node_modules'),
      [],
    );
  });
});
