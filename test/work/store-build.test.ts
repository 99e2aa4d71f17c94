import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { programDigest } from '../../src/pipeline/program.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { byListing, byStore, byThisMachine, doShare } from '../../src/work/build-by-store.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { OtherProgramError, StepWorker } from '../../src/work/step-worker.ts';
import { StepsListed } from '../../src/work/steps.ts';
import { built, ENV, fingerprints, runBuild } from '../pipeline/run-build.ts';
import { hidamari } from '../support/run.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);
/** Four grid squares; a house lies in two files, another stands twice with two heights. */
const TOWNS = townsInSquares(4, 12);
let whole: BuildOutcome;

before(async () => {
  const files = Object.fromEntries(TOWNS.map((houses, i) => [`town${i}.gml`, cityGml(houses)]));
  files['more.gml'] = cityGml([TOWNS[0]![2]!, { ...TOWNS[1]![3]!, height: 33 }]);
  await writeFiles(at('city'), files);
  writeZip(
    at('city.zip'),
    Object.entries(files).map(([name, data]) => ({ name, data, stored: false })),
  );
  whole = await built({ out: at('whole'), citygml: [at('city')] });
});

const same = async (dataset: string): Promise<void> =>
  assert.deepEqual(await fingerprints(dataset), await fingerprints(whole.dataset));

describe('a build by way of a folder', () => {
  const store = new StepStore(new DirectoryStore(at('store')), null);

  it('gives the bytes of a build without; a second one finds every step done, from a zip too', async () => {
    const first = await built({
      out: at('one'),
      citygml: [at('city')],
      makeRunner: byStore(store, byThisMachine(store, 2)),
    });
    await same(first.dataset);
    const nothingToDo = byStore(store, () => () => assert.fail('all is done'));
    const second = await built({ out: at('two'), citygml: [at('city.zip')], makeRunner: nothingToDo });
    await same(second.dataset);
  });

  it('leaves out a file that cannot be read, as a build without does', async () => {
    await writeFiles(at('broken'), { 'a.gml': cityGml(TOWNS[0]!), 'b.gml': cityGml(TOWNS[1]!).slice(0, 3000) });
    const options = { citygml: [at('broken')], keepGoing: true };
    const plain = await built({ out: at('broken-plain'), ...options });
    const other = await built({
      out: at('broken-store'),
      ...options,
      makeRunner: byStore(store, byThisMachine(store, 2)),
    });
    assert.deepEqual(await fingerprints(other.dataset), await fingerprints(plain.dataset));
    assert.equal(other.report.sunlight!.buildings.served, 12);
  });
});

describe('a build whose steps are listed', () => {
  it('is done in shares, stage by stage, and then written', async () => {
    const store = new StepStore(new DirectoryStore(at('listed')), null);
    const stages: string[] = [];
    const worker = new StepWorker(store, at('listed-work'), 2, programDigest());
    for (;;) {
      const options = {
        out: at('by-shares'),
        citygml: [at('city')],
        makeRunner: byStore(store, byListing(store, 'spring')),
      };
      const outcome = await built(options).catch((error: unknown) => error);
      if (!(outcome instanceof StepsListed)) {
        assert.ok(!(outcome instanceof Error), String(outcome));
        break;
      }
      const { step, count } = outcome;
      stages.push(`${step} ${count}`);
      const shares = [1, 2, 3].map((share) => ({ run: 'spring', step, share, shares: 3 }));
      const counts = await Promise.all(shares.map((share) => doShare(store, share, worker, programDigest())));
      assert.equal(counts[0]! + counts[1]! + counts[2]!, count);
    }
    await worker.close();
    assert.deepEqual(stages, ['read 5', 'merge 4', 'compute 4']);
    const [dataset] = (await readdir(at('by-shares'))).filter((name) => !name.startsWith('.'));
    await same(at('by-shares', dataset!));
  });

  it('refuses a worker of another version by name', async () => {
    const store = new StepStore(new DirectoryStore(at('listed')), null);
    const worker = new StepWorker(store, at('other-work'), 1, 'f00d'.repeat(16));
    const share = { run: 'spring', step: 'compute', share: 0, shares: 1 } as const;
    await assert.rejects(doShare(store, share, worker, 'f00d'.repeat(16)), (error: Error) => {
      assert.ok(error instanceof OtherProgramError);
      return error.message.includes(programDigest().slice(0, 12)) && error.message.includes('f00df00df00d');
    });
  });

  it('says what to do on the command line, and by its exit code that there is something to do', async () => {
    const store = ['--store', at('by-hand'), '--run', 'one'];
    await writeFiles(at('hamlet'), { 'a.gml': cityGml(TOWNS[0]!.slice(0, 3)) });
    const args = ['--out', at('hand'), '--citygml', at('hamlet'), ...store];
    const run = await runBuild([...args, '--list-steps']);
    assert.equal(run.code, 3, run.stderr);
    assert.equal(run.stdout, '1 step: hidamari work --store … --run one --stage read --shard I/N\n');
    const work = await hidamari(['work', ...store, '--stage', 'read', '--shard', '1/1'], { env: ENV });
    assert.deepEqual([work.code, work.stdout], [0, '1 step of read is done\n'], work.stderr);
    const unlisted = await hidamari(['work', ...store, '--stage', 'merge'], { env: ENV });
    assert.equal(unlisted.code, 1);
    assert.match(unlisted.stderr, /run one has listed no steps of merge/);
  });
});
