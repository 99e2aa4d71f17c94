import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import { tableCsv } from '../../src/site/kaigo/table-csv.ts';
import { buildTemporarily } from './support/build.ts';
import { sampleOptions, withSample } from './support/sample.ts';

test('a table as CSV holds its rows, keeps leading zeros and runs no formula', () =>
  withSample((folder) =>
    buildTemporarily(sampleOptions(folder), ({ answers }) => {
      const rows = answers.rows('131016', '510', 'cost') ?? [];
      const page = answers.municipality('131016', '510', 'cost', 1, 100)?.toJSON() as MunicipalityTable;
      assert.deepEqual(rows, page.facilities);
      const [first] = rows;
      assert.ok(first !== undefined);
      const odd = { ...first, facility_id: '0170101307', name: '=1+1', address: 'a,"b"' };
      const text = tableCsv([odd, ...rows]);
      assert.ok(text.startsWith('\ufeff事業所番号,') && text.endsWith('\r\n') && !/[^\r]\n/.test(text));
      const cells = parse(text, { bom: true, relax_quotes: true }) as string[][];
      assert.equal(cells.length, rows.length + 2);
      assert.deepEqual(cells[1]?.slice(0, 3), ['="0170101307"', "'=1+1", 'a,"b"']);
      assert.equal(cells[2]?.[16], String(first.cost_estimate.monthly_yen?.typical));
    }),
  ));
