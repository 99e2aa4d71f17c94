import assert from 'node:assert/strict';
import { createHash, createSecretKey } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeColumns, readColumnFile } from '../../src/formats/column-file.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { byStore, byThisMachine } from '../../src/work/build-by-store.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { built, fingerprints } from '../pipeline/run-build.ts';
import { hidamari } from '../support/run.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);
const KEY = createSecretKey('0123456789abcdef0123456789abcdef', 'utf8');
const SEAL_BYTES = 32;
let whole: Record<string, string>;

/** Runs a build with a store, and collects its messages about damaged objects. */
async function builtBy(store: string, out: string, key: typeof KEY | null): Promise<BuildOutcome & { said: string[] }> {
  const said: string[] = [];
  const steps = new StepStore(new DirectoryStore(store), key, (message) => said.push(message));
  rmSync(out, { recursive: true, force: true });
  const outcome = await built({ out, citygml: [at('city')], makeRunner: byStore(steps, byThisMachine(steps, 1)) });
  assert.equal(steps.damaged, said.length);
  return { ...outcome, said };
}

const objectsIn = (store: string): string[] =>
  readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(store, name)).isFile())
    .sort();

before(async () => {
  const towns = townsInSquares(2, 4);
  await writeFiles(at('city'), Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
  whole = await fingerprints((await built({ out: at('whole'), citygml: [at('city')] })).dataset);
});

describe('a result in the store', () => {
  // Before, each of them made every later build fail, and the message contained a path of the machine.
  it('of which a byte is flipped is removed, said and made again, whichever it is', async () => {
    await builtBy(at('plain'), at('data'), null);
    for (const [i, name] of objectsIn(at('plain')).entries()) {
      const bytes = readFileSync(at('plain', name));
      const place = (i * 7919) % bytes.length;
      bytes[place]! ^= 1 << (i % 8);
      writeFileSync(at('plain', name), bytes);
    }
    const { dataset, said } = await builtBy(at('plain'), at('data'), null);
    assert.deepEqual(await fingerprints(dataset), whole);
    assert.ok(said.length > 0 && said.every((line) => !line.includes(at('data'))), said.join('\n'));
    const again = await builtBy(at('plain'), at('data'), null);
    assert.deepEqual([await fingerprints(again.dataset), again.said], [whole, []]);
  });

  it('that stands in the place of another is not taken for it', async () => {
    await builtBy(at('swapped'), at('data'), null);
    const results = objectsIn(at('swapped')).filter((name) => name.endsWith('results'));
    assert.equal(results.length, 2);
    const [one, other] = results.map((name) => readFileSync(at('swapped', name)));
    writeFileSync(at('swapped', results[0]!), other!);
    writeFileSync(at('swapped', results[1]!), one!);
    const { dataset, said } = await builtBy(at('swapped'), at('data'), null);
    assert.deepEqual(await fingerprints(dataset), whole);
    assert.equal(said.length, 2);
  });

  // Before, such hours reached the dataset under the same dataset_id.
  it('that is forged with all checksums made anew is not taken where builds share a key', async () => {
    await builtBy(at('keyed'), at('data'), KEY);
    const results = objectsIn(at('keyed')).filter((name) => name.endsWith('results'));
    for (const name of results) {
      assert.match(name, /^keyed\/[0-9a-f]{16}\/compute\/[0-9a-f]{64}\/results$/);
      const plain = at('plain-result');
      writeFileSync(plain, readFileSync(at('keyed', name)).subarray(0, -SEAL_BYTES));
      const file = await readColumnFile<object>('results', plain);
      (file.columns.rows as Uint8Array).fill(0, 8, 64);
      const forged = encodeColumns('results', file);
      const seal = createHash('sha256')
        .update(`${name.split('/').slice(2).join('/')}\n`)
        .update(forged)
        .digest();
      writeFileSync(at('keyed', name), Buffer.concat([forged, seal]));
    }
    const { dataset, said } = await builtBy(at('keyed'), at('data'), KEY);
    assert.deepEqual(await fingerprints(dataset), whole);
    assert.equal(said.length, results.length);
  });

  it('of another key is left byThisMachine, and so is one without', async () => {
    cpSync(at('keyed'), at('mixed'), { recursive: true });
    const before = objectsIn(at('mixed'));
    await builtBy(at('mixed'), at('data'), null);
    const { said } = await builtBy(
      at('mixed'),
      at('data'),
      createSecretKey('another key that builds may share', 'utf8'),
    );
    assert.deepEqual(said, []);
    assert.deepEqual((await builtBy(at('mixed'), at('data'), KEY)).said, []);
    assert.ok(before.every((name) => objectsIn(at('mixed')).includes(name)));
  });
});

it('the key comes from a file or the environment, and is refused where it is short', async () => {
  const build = ['build', '--out', at('cli'), '--citygml', at('city'), '--store', at('cli-store')];
  writeFileSync(at('short'), 'secret\n');
  const short = await hidamari([...build, '--store-key', at('short')]);
  assert.deepEqual([short.code, /at least 32 characters/.test(short.stderr)], [2, true], short.stderr);
  const worse = await hidamari([...build], { env: { HIDAMARI_STORE_KEY: 'secret' } });
  assert.deepEqual([worse.code, /HIDAMARI_STORE_KEY: .*32/.test(worse.stderr)], [2, true], worse.stderr);
  writeFileSync(at('key'), `${'k'.repeat(32)}\n`);
  const list = [...build, '--list-steps'];
  for (const [more, env] of [
    [['--store-key', at('key')], {}],
    [[], { HIDAMARI_STORE_KEY: 'k'.repeat(32) }],
    [[], { HIDAMARI_STORE_KEY_FILE: at('key') }],
  ] as const) {
    assert.equal((await hidamari([...list, ...more], { env })).code, 3);
    assert.deepEqual(readdirSync(at('cli-store')).sort(), ['inputs', 'keyed']);
    assert.equal(readdirSync(at('cli-store/keyed')).length, 1);
  }
});
