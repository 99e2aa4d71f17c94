import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT, run } from '../support/run.ts';
import { checkImage } from './released/image.ts';
import { type Installed, install } from './released/installed.ts';
import { checkLibrary } from './released/library.ts';
import { type Built, buildByBoth, checkPackage } from './released/package.ts';
import { checkSignals } from './released/signals.ts';

/** One release is made here, and what holds for its package is tried on it. */
describe('npm run release', () => {
  /** A copy of the repository with a history of its own. */
  let copy: string;
  const release = (...args: string[]) => run(process.execPath, [join(copy, 'scripts/release.mjs'), ...args]);
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
    const { code, stdout, stderr } = await run('git', [...who, ...args], { cwd: copy });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const text = (name: string): string => readFileSync(join(copy, name), 'utf8');
  /** Where the release lands, is installed and builds. */
  let elsewhere: string;
  let installed: Installed;

  after(() => {
    for (const folder of [copy, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });

  before(async () => {
    copy = mkdtempSync(join(tmpdir(), 'hidamari-release-'));
    elsewhere = mkdtempSync(join(tmpdir(), 'hidamari-elsewhere-'));
    const here = /^(node_modules|build|data|\.git)$/;
    for (const name of readdirSync(ROOT))
      if (!here.test(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    await git('init', '--quiet');
    writeFileSync(join(copy, '.git/info/exclude'), 'node_modules\n');
    // The test says itself what is unreleased, so that it holds in the repository of a release too.
    writeFileSync(
      join(copy, 'CHANGELOG.md'),
      '# Changelog\n\n## 9.9.0, unreleased\n\n- New.\n\n## 9.8.7, 2026-01-01\n\n- Old.\n',
    );
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'A state to release');
  });

  it('refuses what is no version, an older one, a day that is none and a changed tree, and writes nothing', async () => {
    for (const [args, message] of [
      [['9.9'], /such as 1\.2\.0, found "9\.9"/],
      [[], /expected one version/],
      [['9.9.0', '--date', '2026-02-30'], /--date: expected a day/],
      [['0.0.1'], /0\.0\.1 is older than .* in package\.json/],
      [['9.8.7'], /9\.8\.7 is not newer than 9\.8\.7, which was released/],
      [['9.8.10', '--dri'], /--dri/],
    ] as const) {
      const { code, stderr } = await release(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, message);
    }
    writeFileSync(join(copy, 'forgotten.txt'), '');
    const { code, stderr } = await release('9.9.0', '--dry-run');
    assert.equal(code, 1);
    assert.match(stderr, /working tree has changes[\s\S]*forgotten\.txt/);
    await git('clean', '--quiet', '--force', 'forgotten.txt');
    const dry = await release('9.8.10', '--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.equal(await git('status', '--porcelain'), '');
    assert.ok(!existsSync(join(copy, 'build')));
  });

  it('sets the version, closes the changelog and leaves package, digests, bill of materials and licences', async () => {
    const out = join(elsewhere, 'release');
    const { code, stdout, stderr } = await release('9.9.1', '--date', '2026-12-01', '--out', out);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /git tag --annotate v9\.9\.1/);
    assert.equal(await git('tag', '--list'), '');
    assert.deepEqual((await git('diff', '--name-only')).trim().split('\n'), [
      'CHANGELOG.md',
      'package-lock.json',
      'package.json',
    ]);
    assert.deepEqual((await git('diff', '--numstat', 'package.json', 'package-lock.json')).trim().split('\n'), [
      '2\t2\tpackage-lock.json',
      '1\t1\tpackage.json',
    ]);
    assert.match(text('CHANGELOG.md'), /^## 9\.9\.1, 2026-12-01$/m);

    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
    assert.equal(sums.length, 3);
    for (const [digest, name] of sums.map((line) => line.split('  '))) {
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(out, name ?? '')))
          .digest('hex'),
        digest,
      );
    }
    const bom = readFileSync(join(out, 'hidamari-9.9.1.cdx.json'), 'utf8');
    assert.deepEqual([...new Set(bom.match(/https?:\/\/[^/"]+/g))], ['http://cyclonedx.org']);
    const { metadata, components } = JSON.parse(bom) as Bom;
    assert.match(bom, /"timestamp": "\d{4}-\d\d-\d\dT00:00:00\.000Z"/);
    assert.doesNotMatch(bom, /serialNumber/, 'the same bytes for the same lock and day');
    assert.deepEqual([metadata.component.name, metadata.component.version], ['hidamari', '9.9.1']);
    const manifest = JSON.parse(text('package.json')) as { dependencies: Record<string, string> };
    const licences = readFileSync(join(out, 'hidamari-9.9.1-licences.txt'), 'utf8');
    const names = components.map(({ name }) => name);
    const lock = JSON.parse(text('package-lock.json')) as { packages: Record<string, { dev?: true }> };
    const ofNode = /^node-(darwin|linux|win)-/;
    const expected = Object.keys(lock.packages)
      .filter((path) => path !== '' && !lock.packages[path]?.dev)
      .map((path) => path.replace(/^.*node_modules\//, ''))
      .filter((name) => !ofNode.test(name));
    assert.deepEqual([...new Set(names)].sort(), [...new Set(expected)].sort());
    for (const name of Object.keys(manifest.dependencies)) {
      assert.ok(names.includes(name), `${name} is not in the bill of materials`);
      assert.match(licences, new RegExp(`^${name} \\d`, 'm'));
    }
    assert.match(licences, /Permission is hereby granted/);
    const tarball = join(out, 'hidamari-9.9.1.tgz');
    assert.ok(statSync(tarball).size <= 2e6, `${statSync(tarball).size} bytes`);
    installed = { ...(await install(tarball, elsewhere)), tree: copy, data: join(elsewhere, 'data') };
  });

  // Side by side: most of it is waiting for processes to start and to end.
  describe('its package', { concurrency: true }, () => {
    let built: Built;
    before(async () => {
      built = await buildByBoth(installed);
    });
    checkPackage(
      () => installed,
      () => built,
    );
    checkLibrary(() => installed);
    checkSignals(() => installed);
    checkImage(() => installed);
  });
});

interface Bom {
  metadata: { component: { name: string; version: string } };
  components: { name: string }[];
}
