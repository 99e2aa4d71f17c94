import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateSample } from '../../../samples/generate.ts';
import { listFiles } from '../../../src/formats/files.ts';
import { run } from '../../support/run.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Installed } from './installed.ts';

/** What holds for the npm package wherever it is installed. */
export function checkPackage(of: () => Installed, built: () => Built): void {
  it('is not private, brings no Node.js and no TypeScript', async () => {
    const { own } = of();
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    assert.equal(manifest.private, undefined);
    assert.deepEqual(manifest.bin, { hidamari: 'bin/hidamari.mjs' });
    assert.equal(manifest.scripts, undefined);
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      assert.doesNotMatch(name, /^node(-|$)/);
    const names = await listFiles(own);
    assert.deepEqual(
      names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')),
      [],
    );
    assert.match(readFileSync(join(own, 'openapi.d.ts'), 'utf8'), /^ {4}"\/api\/v1\/sunlight\/buildings": \{/m);
    for (const name of names.filter((file) => /\.(m?js|d\.ts)$/.test(file)))
      assert.doesNotMatch(readFileSync(join(own, name), 'utf8'), /['"]\.\.?\/[^'"\s]*\.ts['"]/, name);
  });

  it('is what npm pack in the clone leaves, with its own digest; what npm says of the clone is no answer to a program', async (test) => {
    const folder = tempFolder(test);
    const env = { npm_lifecycle_event: 'postpack', npm_config_pack_destination: folder, npm_config_json: 'true' };
    const { code, stdout, stderr } = await run(process.execPath, [join(of().tree, 'scripts/package.mjs')], { env });
    assert.deepEqual([code, stdout], [1, ''], stderr);
    const [name = ''] = readdirSync(folder);
    const digest = createHash('sha512')
      .update(readFileSync(join(folder, name)))
      .digest('base64');
    assert.ok(stderr.includes(`${name} holds the package: `) && stderr.includes(`sha512-${digest}`), stderr);
    const { stdout: listing } = await run('tar', ['-tzf', join(folder, name)]);
    assert.match(listing, /^package\/bin\/hidamari\.mjs$/m);
    assert.doesNotMatch(listing, /^package\/(test|scripts|bench)\//m);
  });

  it('says on an old Node.js what it needs', async () => {
    const { folder, program } = of();
    const old =
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
    const { code, stderr } = await run(process.execPath, ['--import', old, program, 'serve'], { cwd: folder });
    assert.equal(code, 1);
    assert.match(stderr, /^hidamari: needs Node\.js 24 or newer; this is 20\.20\.2[^\n]*\n$/);
  });

  it('builds the same bytes as the tree, verifies them, and keeps nothing in its own folder', async () => {
    const { folder, own, program, data } = of();
    const { ofPackage, ofTree } = built();
    assert.ok(Object.keys(ofTree).length > 5);
    assert.deepEqual(Object.keys(ofPackage), Object.keys(ofTree));
    for (const name of Object.keys(ofTree)) assert.ok(ofPackage[name] === ofTree[name], `${name} differs`);
    const [id = ''] = readdirSync(data).filter((name) => /^[0-9a-f]/.test(name));
    const verified = await run(process.execPath, [program, 'verify', join(data, id)], { cwd: folder });
    assert.equal(verified.code, 0, verified.stderr);
    assert.ok(!readdirSync(own).includes('node_modules'));
  });
}

/** The files of the generated town's dataset, in base64 by name, as two programs made them. */
export interface Built {
  ofPackage: Record<string, string>;
  ofTree: Record<string, string>;
}

/** Builds the generated town by the package, into its data folder, and by the tree that it was made from. @throws AssertionError */
export async function buildByBoth({ folder, program, tree, data }: Installed): Promise<Built> {
  const { citygml, towns, readings, offices, details } = generateSample(join(folder, 'inputs'));
  const paths = ['--citygml', citygml, '--towns', towns, '--readings', readings, '--offices', offices];
  const build = async (main: string, out: string): Promise<Record<string, string>> => {
    const args = [main, 'build', '--out', out, ...paths, '--details', details, '--workers', '1'];
    const done = await run(process.execPath, args, { cwd: folder, env: { SOURCE_DATE_EPOCH: '1790000000' } });
    assert.equal(done.code, 0, done.stderr);
    const names = (await listFiles(out)).filter((name) => /^[0-9a-f]/.test(name));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(out, name), 'base64')]));
  };
  const [ofPackage, ofTree] = await Promise.all([
    build(program, data),
    build(join(tree, 'src/cli/main.js'), join(folder, 'by-tree')),
  ]);
  return { ofPackage, ofTree };
}
