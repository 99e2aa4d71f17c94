import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openNewest } from '../../src/dataset/open.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { BuildFolder } from '../../src/pipeline/build-folder.ts';
import type { BuildEvent } from '../../src/pipeline/progress.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { built, ENV, fingerprints, MAIN, runBuild } from './run-build.ts';

let folder: string;
let whole: BuildOutcome;
/** A dataset of one town. */
let earlier: BuildOutcome;
const at = (...names: string[]): string => join(folder, ...names);
const TOWNS = townsInSquares(6, 25);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hidamari-test-'));
  await writeFiles(at('city'), Object.fromEntries(TOWNS.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
  await writeFiles(at('smaller'), { 'town0.gml': cityGml(TOWNS[0]!) });
  earlier = await built({ out: at('earlier'), citygml: [at('smaller')] });
  whole = await built({ out: at('whole'), citygml: [at('city')] });
});
after(() => rm(folder, { recursive: true, force: true }));

const progressOf = (stage: string, least: number) => (event: BuildEvent) =>
  event.event === 'progress' && event.stage === stage && event.done >= least;
const startOf = (stage: string) => (event: BuildEvent) => event.event === 'stage' && event.stage === stage;

/**
 * Moments at which a build is killed, the least number of squares that must not be computed again, and threads: each is another start,
 * and where nothing is done side by side two leave what one leaves.
 */
const MOMENTS: [string, (event: BuildEvent) => boolean, number, number][] = [
  ['while it reads', progressOf('read', 1), 0, 2],
  ['when it begins to sort', startOf('merge'), 0, 1],
  ['after the first square', progressOf('compute', 25), 1, 1],
  ['after the fourth square', progressOf('compute', 100), 4, 2],
  ['when it begins to write', startOf('write'), 6, 1],
  ['while it writes', progressOf('write', 1), 6, 1],
];

describe('a build that is killed', () => {
  for (const [i, [when, killAt, done, threads]] of MOMENTS.entries()) {
    it(`${when} leaves the dataset before it in use, and is resumed to the same bytes`, async () => {
      const out = at(`killed-${i}`);
      await cp(at('earlier'), out, { recursive: true });
      const killed = await runBuild(['--out', out, '--citygml', at('city'), '--workers', String(threads)], killAt);
      assert.equal(killed.signal, 'SIGKILL', killed.stderr);
      const { dataset, refused } = await openNewest(out);
      assert.deepEqual([dataset?.manifest.dataset_id, refused], [earlier.dataset_id, []]);
      await dataset!.close();

      const resumed = await built({ out: out, citygml: [at('city')], resume: true });
      assert.ok(resumed.squares!.resumed >= done, JSON.stringify(resumed.squares));
      assert.equal(resumed.squares!.computed + resumed.squares!.resumed, 6);
      assert.deepEqual(await fingerprints(resumed.dataset), await fingerprints(whole.dataset));
      assert.deepEqual(
        (await readdir(out)).sort(),
        [earlier.dataset_id, resumed.dataset_id].sort(),
        'nothing else is left',
      );
    });
  }

  it('twice is resumed all the same; without --resume it begins anew', async () => {
    const args = ['--out', at('twice'), '--citygml', at('city'), '--workers', '1'];
    await runBuild(args, progressOf('compute', 25));
    await runBuild([...args, '--resume'], progressOf('compute', 75));
    const anew = at('anew');
    await cp(at('twice'), anew, { recursive: true });
    const resumed = await built({ out: at('twice'), citygml: [at('city')], resume: true });
    assert.ok(resumed.squares!.resumed >= 3);
    assert.deepEqual(await fingerprints(resumed.dataset), await fingerprints(whole.dataset));
    assert.deepEqual((await built({ out: anew, citygml: [at('city')] })).squares!.resumed, 0);
  });

  it('does not take damaged results, nor what was read from a file that has changed', async () => {
    const out = at('tampered');
    await cp(at('city'), at('city2'), { recursive: true });
    const args = ['--out', out, '--citygml', at('city2'), '--workers', '1'];
    await runBuild(args, startOf('write'));
    const [result] = await readdir(join(out, '.build', 'results'));
    await truncate(join(out, '.build', 'results', result!), 200);
    const taller = TOWNS[5]!.map((house) => ({ ...house, height: house.height + 1 }));
    await writeFile(at('city2', 'town5.gml'), cityGml(taller));
    const resumed = await built({ out, citygml: [at('city2')], resume: true });
    const anew = await built({ out: at('tampered-whole'), citygml: [at('city2')] });
    assert.deepEqual(await fingerprints(resumed.dataset), await fingerprints(anew.dataset));
  });
});

describe('the data folder', () => {
  it('is not shared by two builds at a time', async () => {
    const holder = await BuildFolder.take(at('locked'), false);
    const run = await runBuild(['--out', at('locked'), '--citygml', at('smaller')]);
    assert.equal(run.code, 1);
    assert.match(run.stderr, new RegExp(`another build runs in this data folder \\(process ${process.pid} on `));
    await holder.release();
    await built({ out: at('locked'), citygml: [at('smaller')] });
  });
});

/** Runs a build into a file system of a given size, in a mount namespace of its own, and lists what is left in it. */
function onSmallDisk(kilobytes: number): { status: number | null; stderr: string; left: string[] } {
  const script = `mount -t tmpfs -o size=${kilobytes}k tmpfs "$1" && shift && "$@" 1>&2; code=$?; ls -A "$DISK"; exit $code`;
  const disk = at('disk');
  const command = [
    'sh',
    '-c',
    script,
    'sh',
    disk,
    process.execPath,
    MAIN,
    'build',
    '--out',
    disk,
    '--citygml',
    at('city'),
    '--workers',
    '1',
  ];
  const { status, stderr, stdout } = spawnSync('unshare', ['--user', '--map-root-user', '--mount', ...command], {
    env: { ...ENV, DISK: disk },
    encoding: 'utf8',
  });
  return { status, stderr, left: stdout.trim().split('\n') };
}

const namespaces = spawnSync('unshare', [
  '--user',
  '--map-root-user',
  '--mount',
  'mount',
  '-t',
  'tmpfs',
  'tmpfs',
  tmpdir(),
]);
const skip = namespaces.status === 0 ? false : 'no file system can be mounted here (unshare, tmpfs)';

it('a full disk is said in one line, and nothing is published', { skip }, async () => {
  await writeFiles(at('disk'), {});
  await rm(at('disk'), { recursive: true, force: true });
  await cp(at('smaller'), at('disk'), { recursive: true });
  const stages = new Set<string>();
  for (const kilobytes of [40, 200, 320]) {
    const { status, stderr, left } = onSmallDisk(kilobytes);
    assert.equal(status, 1, `${kilobytes} kB: ${stderr}`);
    const last = stderr.trim().split('\n').at(-1)!;
    assert.match(last, /no space left on the disk: make room and build again/, `${kilobytes} kB: ${stderr}`);
    assert.deepEqual(left, ['.build'], `${kilobytes} kB`);
    stages.add(/.*^(\w+ )/ms.exec(stderr.slice(0, -last.length - 1))?.[1] ?? '');
  }
  assert.ok(stages.size > 1, `it fails in several stages: ${[...stages]}`);
});
