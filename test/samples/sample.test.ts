import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cp932 } from '../../samples/cp932.ts';
import { generateSample } from '../../samples/generate.ts';
import { sampleTown } from '../../samples/town.ts';
import { readTownPaths } from '../../src/pipeline/towns.ts';
import { tempFolder } from '../support/temp-folder.ts';

const contents = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length), readFileSync(path)]),
  );

describe('the bundled sample', () => {
  it('is the same every time, byte for byte', (t) => {
    const [first, second] = [tempFolder(t), tempFolder(t)];
    generateSample(first);
    generateSample(second);
    assert.deepEqual(contents(first), contents(second));
  });

  it('has everything that real files have', () => {
    const town = sampleTown();
    const has = (what: string, test: (building: (typeof town)[number]) => boolean) =>
      assert.ok(town.some(test), `no building ${what}`);
    has('without ID', ({ id }) => id === null);
    has('without measured height', ({ measuredHeight }) => measuredHeight === null);
    has('of unknown height', ({ measuredHeight }) => measuredHeight === '-9999');
    has('of unknown storeys', ({ storeys }) => storeys === '9999');
    has('without storeys', ({ storeys }) => storeys === null);
    has('without usage', ({ usage }) => usage === null);
    has('with a courtyard', ({ footprints }) => footprints.some((rings) => rings.length > 1));
    has('of several prisms', ({ footprints }) => footprints.length > 1);
    has('of outlines only', ({ lod }) => lod === 0);
    has('over 60 m', ({ height }) => height > 60);
    const ids = town.flatMap(({ id }) => id ?? []);
    assert.ok(ids.every((id) => /^131(0[1-9]|1\d|2[0-3])-bldg-\d+$/.test(id)));
    assert.equal(ids.length - new Set(ids).size, 1, 'one building stands in two files');
  });

  it('has towns with chome, in parts, without buildings, without reading, and water', async (t) => {
    const { towns: path, readings } = generateSample(tempFolder(t));
    const { towns, report } = await readTownPaths([path], readings);
    assert.equal(report.water, 1);
    assert.equal(report.merged_parts, 1);
    assert.deepEqual(
      towns.map(({ townCode, name, reading }) => [townCode, name, reading]),
      [
        ['13122901001', '朝霧ヶ丘一丁目', 'あさぎりがおか1ちょうめ'],
        ['13122901002', '朝霧ヶ丘二丁目', 'あさぎりがおか2ちょうめ'],
        ['131229020', '陽向', 'ひなた'],
        ['131229030', '夕凪', null],
        ['13123901001', '日和町一丁目', 'ひよりちょう1ちょうめ'],
        ['13123901002', '日和町二丁目', 'ひよりちょう2ちょうめ'],
        ['131239020', '木漏日', 'こもれび'],
        ['13123903001', '南風一丁目', 'はえ1ちょうめ'],
      ],
    );
  });

  it('cp932 comes back as it went', () => {
    const text = '陽だまり町～（１－３）ｶﾅ①ヶ丘ABC';
    assert.equal(new TextDecoder('shift_jis', { fatal: true }).decode(cp932(text)), text);
    assert.throws(() => cp932('😀'), /cp932 has no/);
  });
});
