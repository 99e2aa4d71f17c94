import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseSquareIndex, SQUARES_INDEX } from '../../src/city/square-summary.ts';
import { areCurvesOf, unpackCurves } from '../../src/city/square-sun.ts';
import { commandLine } from '../../src/cli/commands.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../src/dataset/sunlight-store.ts';
import { FileLock } from '../../src/formats/file-lock.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { openFiles } from '../../src/snapshot/dataset-files.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { cityGml, rowsOfHouses, townsInSquares, writeFiles } from '../support/small-city.ts';
import { writeZip } from '../support/write-zip.ts';
import { built, fingerprints, runBuild } from './run-build.ts';

let folder: string;
/** The city built as it is. */
let plain: BuildOutcome;
const at = (...names: string[]): string => join(folder, ...names);

/** Five grid squares of thirty houses; one house lies in two files, one has no ID. */
const HOUSES = townsInSquares(5, 30);
const FILES: Record<string, string> = Object.fromEntries(
  HOUSES.map((houses, i) => [`udx/bldg/5339461${i}_bldg_6697_op.gml`, cityGml(houses)]),
);
FILES['udx/bldg/53394620_bldg_6697_op.gml'] = cityGml([
  { ...HOUSES[0]![3]! },
  { id: null, east: 60, north: 60, width: 20, depth: 20, height: 40 },
]);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hidamari-test-'));
  await writeFiles(at('city'), FILES);
  const members = Object.entries(FILES).map(([name, data], i) => ({ name, data, stored: i % 2 === 0 }));
  writeZip(at('city.zip'), members);
  plain = await built({ out: at('plain'), citygml: [at('city')] });
});
after(() => rm(folder, { recursive: true, force: true }));

describe('hidamari build', () => {
  it('gives a dataset that can be opened, with a report that adds up', async () => {
    const { buildings, files, findings } = plain.report.sunlight!;
    assert.deepEqual(files, { read: 6, bytes: Object.values(FILES).join('').length, left_out: [] });
    assert.deepEqual(buildings, { read: 152, merged: 1, left_out: 0, shading: 151, served: 150 });
    assert.equal(findings.duplicate_id!.count, 1);
    assert.match(findings.without_id!.examples[0]!, /^b-1 \(53394620_bldg_6697_op\.gml, byte \d+\)$/);
    assert.equal(findings.without_storeys!.count, 151);
    assert.equal(findings.without_storeys!.examples.length, 20);
    assert.equal(findings.without_town, undefined, 'no towns were given');

    assert.deepEqual(await readdir(at('plain')), [basename(plain.dataset)], 'nothing else is left');
    const dataset = await openDataset(plain.dataset);
    try {
      assert.equal(dataset.manifest.halves.sunlight!.data_through, '2021-03-31');
      assert.equal(dataset.manifest.halves.kaigo, null);
      const full = dataset.sunlight!.full('13101-bldg-1')!.toJSON();
      assert.equal(full.faces.length, 4);
      assert.ok(
        full.shading_sources.some(({ building_id }) => building_id === null),
        'the tower without ID shades',
      );
    } finally {
      await dataset.close();
    }
  });

  it('gives the same bytes whatever the number of workers, from a folder, from files, from a zip', async () => {
    const reference = await fingerprints(plain.dataset);
    const inputs: Record<string, { citygml: string[]; workers?: number }> = {
      two: { citygml: [at('city')], workers: 2 },
      three: { citygml: [at('city')], workers: 3 },
      files: {
        citygml: Object.keys(FILES)
          .map((name) => at('city', name))
          .reverse(),
      },
      zip: { citygml: [at('city.zip')] },
    };
    for (const [name, options] of Object.entries(inputs)) {
      const { dataset } = await built({ out: at(name), ...options });
      assert.deepEqual(await fingerprints(dataset), reference, name);
    }
    const { stdout } = await runBuild(['--out', at('process'), '--citygml', at('city'), '--json']);
    assert.deepEqual(await fingerprints(JSON.parse(stdout).dataset), reference, 'as a process');
  });

  it('prints the plan and publishes nothing', async () => {
    const run = await runBuild(['--out', at('planned'), '--citygml', at('city'), '--plan']);
    assert.equal(run.code, 0, run.stderr);
    const { plan } = JSON.parse(run.stdout);
    assert.deepEqual(plan.totals, { squares: 5, buildings: 151, served: 150, work: plan.totals.work });
    assert.equal(plan.units[0].needs.length >= 1, true);
    assert.deepEqual(await readdir(at('planned')), ['.build']);
    const outcome = await built({ out: at('planned'), citygml: [at('city')], resume: true });
    assert.deepEqual(outcome.squares, { computed: 5, resumed: 0, reused: 0 });
  });

  it('names a file that cannot be read and ends with 1, or leaves it out when told to', async () => {
    await writeFiles(at('broken'), {
      ...FILES,
      'udx/bldg/bad.gml': FILES['udx/bldg/53394610_bldg_6697_op.gml']!.slice(0, 900),
    });
    const args = ['--out', at('left'), '--citygml', at('broken')];
    const run = await runBuild(args);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /^hidamari: .*bad\.gml: .*$/m);
    assert.deepEqual(
      (await readdir(at('left'))).filter((name) => !name.startsWith('.')),
      [],
    );
    await writeFiles(at('broken'), { 'no.zip': 'not a zip' });
    const { report } = await built({ out: at('left'), citygml: [at('broken')], keepGoing: true });
    assert.equal(report.sunlight!.files.read, 6);
    const leftOut = report.sunlight!.files.left_out;
    assert.deepEqual(leftOut.map(({ file }) => file).sort(), ['no.zip', 'udx/bldg/bad.gml']);
    for (const { file, problem } of leftOut) assert.ok(problem.includes(file), problem);
  });

  it('publishes nothing when no building can be served, and says what it met', async () => {
    await writeFiles(at('nobody'), { 'town.gml': cityGml([{ ...HOUSES[0]![0]!, id: null }]) });
    const run = await runBuild(['--out', at('empty'), '--citygml', at('nobody')]);
    assert.equal(run.code, 1, run.stderr);
    assert.match(run.stderr, /^hidamari: no building can be served, so nothing is published: 1 read, .*without_id/m);
    assert.deepEqual(
      (await readdir(at('empty'))).filter((name) => !name.startsWith('.')),
      [],
    );
  });

  it('says in one line what is wrong with its usage, and ends with 2', async () => {
    for (const [args, message] of [
      [['--citygml', at('city')], /required option '--out <dir>' not specified/],
      [['--out', at('x')], /nothing to build: give --citygml/],
    ] as const) {
      const run = await runBuild(args);
      assert.equal(run.code, 2, `${args}: ${run.stderr}`);
      assert.match(run.stderr, message);
      assert.equal(run.stderr.trim().split('\n').length, 1, run.stderr);
    }
  });

  it('refuses flags that do not go together or hold no sense', async () => {
    const cases: [string[], RegExp][] = [
      [['--citygml', at('city'), '--workers', '0'], /--workers.*whole number from 1 to 256/],
      [['--citygml', at('city'), '--readings', 'r.csv'], /--readings needs --towns/],
      [['--offices', 'o.csv', '--as-of', '2026-02-30'], /--as-of.*YYYY-MM-DD/],
      [['--offices', 'o.csv', '--plan'], /--plan needs --citygml/],
      [['--offices', 'o.csv', '--base', 'b'], /--base needs --citygml/],
      [['--citygml', at('city'), '--details', 'd.csv'], /--details needs --offices/],
      [['--citygml', at('city'), '--worker', '2'], /unknown option '--worker'/],
      [['--citygml', at('city'), '--out', at('city.zip')], /is a file, not a folder/],
    ];
    for (const [args, message] of cases) {
      const program = await commandLine('build');
      for (const command of program.commands) command.configureOutput({ writeErr: () => {} });
      const all = ['build', '--out', at('x'), ...args];
      await assert.rejects(program.parseAsync(all, { from: 'user' }), { name: 'CommanderError', message }, `${args}`);
    }
  });

  it('fails with 1 for an input that is not there', async () => {
    const run = await runBuild(['--out', at('x'), '--citygml', at('nowhere')]);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /nowhere: no such file or folder/);
  });

  it('tells its progress in plain lines, or in JSON for machines', async () => {
    const lines = await runBuild(['--out', at('lines'), '--citygml', at('city')]);
    assert.match(lines.stderr, /^Compute sunlight: 150 buildings$/m);
    assert.match(lines.stdout, /^ {2}served +150$/m);
    const machine = await runBuild(['--out', at('lines'), '--citygml', at('city'), '--json']);
    const events = machine.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const stages = events.filter(({ event }) => event === 'stage').map(({ stage }) => stage);
    assert.deepEqual(stages, ['inputs', 'read', 'merge', 'compute', 'write', 'map']);
    const computed = events.filter(({ event, stage }) => event === 'progress' && stage === 'compute');
    assert.deepEqual(computed.at(-1), { event: 'progress', stage: 'compute', done: 150, total: 150 });
  });
});

describe('hidamari build --base', () => {
  it('takes over what cannot have changed, and gives what a whole build gives', async () => {
    const changed = HOUSES[2]!.map((house, i) => (i === 29 ? { ...house, height: house.height + 30 } : house));
    await writeFiles(at('changed'), { ...FILES, 'udx/bldg/53394612_bldg_6697_op.gml': cityGml(changed) });
    const whole = await built({ out: at('whole'), citygml: [at('changed')] });
    const quick = await built({ out: at('quick'), citygml: [at('changed')], base: plain.dataset });
    assert.deepEqual(await fingerprints(quick.dataset), await fingerprints(whole.dataset));
    assert.ok(quick.squares!.computed > 0);
    const same = await built({ out: at('same'), citygml: [at('city')], base: plain.dataset });
    assert.deepEqual(same.squares, { computed: 0, resumed: 0, reused: 5 });
    assert.deepEqual(await fingerprints(same.dataset), await fingerprints(plain.dataset));
  });

  it('computes again what sees a roof that has changed, though footprint and height are the same', async () => {
    const roofed = HOUSES[2]!.map((house, i) => (i === 29 ? { ...house, ridge: 25 } : house));
    await writeFiles(at('roofed'), { ...FILES, 'udx/bldg/53394612_bldg_6697_op.gml': cityGml(roofed) });
    const whole = await built({ out: at('roofed-whole'), citygml: [at('roofed')] });
    const quick = await built({ out: at('roofed-quick'), citygml: [at('roofed')], base: plain.dataset });
    assert.equal(whole.report.sunlight?.findings.roof_surfaces?.count, 1);
    assert.ok(quick.squares!.computed > 0);
    assert.deepEqual(await fingerprints(quick.dataset), await fingerprints(whole.dataset));
  });

  it('does not compute again what a low house far away cannot reach', async () => {
    const far = rowsOfHouses(4, { east: 6000, north: 100, first: 900 }).map((house) => ({ ...house, height: 6 }));
    await writeFiles(at('far'), { ...FILES, 'far.gml': cityGml(far) });
    await writeFiles(at('far-changed'), {
      ...FILES,
      'far.gml': cityGml(far.map((house) => ({ ...house, width: 12 }))),
    });
    const base = await built({ out: at('far-base'), citygml: [at('far')] });
    const quick = await built({ out: at('far-quick'), citygml: [at('far-changed')], base: base.dataset });
    assert.ok(quick.squares!.reused >= 3, JSON.stringify(quick.squares));
    assert.ok(quick.squares!.computed >= 1);
    const whole = await built({ out: at('far-whole'), citygml: [at('far-changed')] });
    assert.deepEqual(await fingerprints(quick.dataset), await fingerprints(whole.dataset));
  });

  it('holds a base with a damaged index no longer than it takes to see that', async () => {
    const { dataset } = await built({ out: at('damaged'), citygml: [at('city')] });
    const index = await readFile(join(dataset, SQUARES_INDEX), 'utf8');
    await writeFile(join(dataset, SQUARES_INDEX), index.replace('[', '{'));
    await assert.rejects(built({ out: at('z'), citygml: [at('city')], base: dataset }), /squares.index\.json/);
    const lock = FileLock.take(at('damaged', '.serving', basename(dataset)));
    assert.ok(lock, 'nothing holds it');
    lock.release();
  });

  it('refuses a folder that is no dataset before it reads anything', async () => {
    const run = await runBuild(['--out', at('y'), '--citygml', at('city'), '--base', at('city')]);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /^hidamari: \S*city\S*: no manifest\.json/);
  });

  it('takes the newest dataset of a data folder', async () => {
    const run = await runBuild(['--out', at('newest'), '--citygml', at('city'), '--base', at('plain')]);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stderr + run.stdout, /taken over/);
  });
});

describe('a dataset that was built', () => {
  it('lists every file with its size and checksum', async () => {
    const { dataset } = plain;
    const manifest: Manifest = JSON.parse(await readFile(join(dataset, 'manifest.json'), 'utf8'));
    const { 'manifest.json': _, ...found } = await fingerprints(dataset);
    assert.deepEqual(
      Object.fromEntries(Object.entries(manifest.files).map(([name, { sha256 }]) => [name, sha256])),
      found,
    );
  });

  it('keeps the sun of every grid square that it serves, and of no other', async () => {
    const files = await openFiles(plain.dataset);
    const store = new SunlightStore(files.open(SUNLIGHT_STORE));
    const index = parseSquareIndex(await files.read(SQUARES_INDEX));
    assert.ok(index.length > 1);
    for (const { square, fingerprint } of index) {
      const curves = store.curves(square);
      if (fingerprint === null) assert.equal(curves, undefined);
      else assert.ok(curves !== undefined && areCurvesOf(square, unpackCurves(curves)), square);
    }
    files.close();
  });
});
