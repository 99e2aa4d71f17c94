import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { buildTemporarily } from './support/build.ts';
import { sampleOptions, withSample } from './support/sample.ts';

test('a table as CSV holds its rows, keeps leading zeros and runs no formula', (t) =>
  withSample((folder) =>
    buildTemporarily(sampleOptions(folder), async ({ answers }) => {
      const rows = answers.rows('131016', '510', 'cost') ?? [];
      const page = answers.municipality('131016', '510', 'cost', 1, 100)?.toJSON() as MunicipalityTable;
      assert.deepEqual(rows, page.facilities);
      const [first] = rows;
      assert.ok(first !== undefined);
      const odd = { ...first, facility_id: '0170101307', name: '=1+1', address: 'a,"b"' };
      const signs = ['+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', ' =1', '\t=1'].map((name) => ({ ...first, name }));
      const dataset = new FakeDataset();
      Object.assign(dataset.kaigo!, { rows: () => [odd, ...rows, ...signs] });
      const { url } = await startServer(t, { dataset });
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        await (await fetch(`${url}/kaigo/131016/510/table.csv`)).arrayBuffer(),
      );
      assert.ok(text.startsWith('\ufeff事業所番号,') && text.endsWith('\r\n') && !/[^\r]\n/.test(text));
      const cells = parse(text, { bom: true, relax_quotes: true }) as string[][];
      assert.equal(cells.length, rows.length + 2 + signs.length);
      assert.deepEqual(cells[1]?.slice(0, 3), ['="0170101307"', "'=1+1", 'a,"b"']);
      for (const [, name] of cells.slice(-signs.length)) assert.match(name ?? '', /^'/);
      const column = (title: string) => cells[2]?.[cells[0]?.indexOf(title) ?? -1];
      assert.deepEqual(
        [column('利用者数の数え方'), column('目安の確からしさ')],
        ['定員で計算', '単価は2つ以上の資料で確認'],
      );
      assert.equal(cells[2]?.[17], String(first.cost_estimate.monthly_yen?.typical));
    }),
  ));

test('the CSV of a table has the amounts that its page shows and sorts by', (t) =>
  withSample((folder) =>
    buildTemporarily(sampleOptions(folder), async ({ answers }) => {
      const dataset = new FakeDataset();
      dataset.kaigo = answers;
      const { url } = await startServer(t, { dataset });
      const asked = async (query: string) => {
        const text = await (await fetch(`${url}/kaigo/131237/510/table.csv?sort=cost&${query}`)).text();
        return parse(text, { bom: true, columns: true, relax_quotes: true }) as Record<string, string>[];
      };
      const amounts = (rows: Record<string, string>[], title: string) => rows.map((row) => Number(row[title]));
      const isSorted = (yen: number[]) => yen.length > 3 && yen.every((one, i) => i === 0 || one >= yen[i - 1]!);

      const alone = await asked('income=1');
      const after = amounts(alone, '軽減・払い戻し後 低（円）');
      assert.ok(isSorted(after), after.join());
      assert.ok(amounts(alone, '月額の目安 低（円）').every((before, i) => before > after[i]!));
      assert.ok(!('おふたりの軽減・払い戻し後 低（円）' in alone[0]!));

      const couple = await asked('income=1&partner=3');
      const together = amounts(couple, 'おふたりの軽減・払い戻し後 低（円）');
      assert.ok(isSorted(together), together.join());
      assert.ok(amounts(couple, '軽減・払い戻し後 低（円）').every((one, i) => one < together[i]!));
    }),
  ));
