import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { InputError } from '../../src/pipeline/inputs.ts';
import { type Built, buildTemporarily } from './support/build.ts';
import { withFiles } from './support/sample.ts';

const HOME = {
  都道府県コード又は市町村コード: '131016',
  都道府県名: '東京都',
  市区町村名: '千代田区',
  事業所番号: '1370100018',
  事業所名: '陽だまりの丘',
};
const LIST = officeList([HOME]);
const FEES = readFileSync(new URL('../../src/kaigo/facts/fees.json', import.meta.url), 'utf8');

const costOf = ({ answers }: Built) => {
  const { services } = JSON.parse(JSON.stringify(answers.facility('1370100018'))) as Facility;
  return services[0]!.cost_estimate;
};

test('--as-of chooses the price list', () =>
  withFiles(new Map([['offices/jigyosho_331.csv', LIST]]), async (folder) => {
    const on = (asOf: string) => buildTemporarily({ offices: [folder], asOf }, costOf);
    const [before, after] = [await on('2026-05-31'), await on('2026-06-01')];
    assert.deepEqual([before.price_list, after.price_list], ['2025-08-01', '2026-06-01']);
    // 21 units a day and 140 a month of additions: 21140 units at 10.90 yen; 12.8 % of them then, 14.8 and 15.9 % now.
    assert.deepEqual(
      [before.monthly_yen, after.monthly_yen],
      [
        { low: 22204, typical: 25993, high: 25993 },
        { low: 22204, typical: 26454, high: 26706 },
      ],
    );
    await assert.rejects(on('2024-05-31'), RangeError);
  }));

test('a given fee table replaces the built-in one and changes the ID of the dataset', () => {
  const dearer = JSON.parse(FEES);
  for (const { service_codes, variants } of dearer.services)
    if (service_codes.includes('331')) variants[0].units[2] = 1000;
  const files = new Map([
    ['offices/jigyosho_331.csv', LIST],
    ['fees.json', JSON.stringify(dearer)],
    ['broken.json', '{"schema": 1}'],
    ['no.json', 'units: 1'],
  ]);
  return withFiles(files, async (folder) => {
    const withFees = (name: string | null) => ({
      offices: [join(folder, 'offices')],
      fees: name && join(folder, name),
    });
    const inputs = ({ half }: Built) => half.inputs.map(({ label }) => label);
    assert.deepEqual(await buildTemporarily(withFees(null), inputs), ['jigyosho_331.csv']);
    assert.deepEqual(await buildTemporarily(withFees('fees.json'), inputs), ['fees', 'jigyosho_331.csv']);
    // 1000 × 30 × 10.90 = 327000, of which 294300 are paid.
    assert.equal((await buildTemporarily(withFees('fees.json'), costOf)).monthly_yen!.low, 32700);
    await assert.rejects(buildTemporarily(withFees('broken.json'), costOf), /not a fee table/);
    for (const name of ['no.json', 'absent.json'])
      await assert.rejects(buildTemporarily(withFees(name), costOf), InputError);
  });
});

test('the credit names the ministry’s system and says that the data was processed', () =>
  withFiles(new Map([['offices/jigyosho_510.csv', LIST]]), (folder) =>
    buildTemporarily({ offices: [folder] }, ({ half }) => {
      assert.match(half.manifest.attribution, /厚生労働省 介護サービス情報公表システム.*運営者が加工/);
      assert.ok(half.manifest.sources.every(({ attribution }) => /加工/.test(attribution)));
    }),
  ));
