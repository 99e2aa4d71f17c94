import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { Findings } from '../../src/kaigo/findings.ts';
import { readCareTable } from '../../src/pipeline/care-tables.ts';
import { findInputs } from '../../src/pipeline/inputs.ts';
import { withFiles } from '../kaigo/support/sample.ts';
import { sheetOf, workbook } from '../support/workbook.ts';
import { writeZip } from '../support/write-zip.ts';

// Broken workbooks, mappings that fit no sheet, and credits of days to come. Before, a broken workbook was read as text
// or refused without its name, the others were told to have no mapping, or taken as they were.

const TODAY = '2026-10-01';
const mapping = (credit: object) => ({
  schema: 'hidamari-register/1',
  ...credit,
  fields: { name: { column: '名称' }, address: { column: '所在地' }, kind: { value: 'paid_home' } },
});
const credit = (date: string) => ({ credit: { name: '一覧', url: 'https://example.jp/', attribution: '加工', date } });

test('a workbook that cannot be read, or that its mapping does not fit, is refused with what it has', async () => {
  const files = new Map([
    ['text.xlsx', '名称,所在地\n'],
    ['cut.xlsx', 'PK\u0003\u0004 and nothing more'],
    ['sheets.mapping.json', JSON.stringify(mapping({}))],
    [
      'filed.mapping.json',
      JSON.stringify({
        schema: 'hidamari-filings/1',
        fields: { facility_id: { column: '番号' }, service_code: { value: '510' } },
        additions: [{ column: '看護', values: { あり: 'none' } }],
      }),
    ],
    ['later.csv', '名称,所在地\n'],
    ['later.mapping.json', JSON.stringify(mapping(credit('2026-10-02')))],
    ['no-day.csv', '名称,所在地\n'],
    ['no-day.mapping.json', JSON.stringify(mapping(credit('2026-02-30')))],
    ['fine.csv', '名称,所在地\n青葉,東京都千代田区一番町1\n'],
    ['fine.mapping.json', JSON.stringify(mapping(credit(TODAY)))],
  ]);
  await withFiles(files, async (folder) => {
    const parts = workbook([
      ['表紙', sheetOf([['一覧表']])],
      ['一覧', sheetOf([['番号', '施設名', '所在地']])],
    ]);
    writeZip(
      join(folder, 'sheets.xlsx'),
      [...parts].map(([name, data]) => ({ name, data })),
    );
    writeZip(
      join(folder, 'filed.xlsx'),
      [...parts].map(([name, data]) => ({ name, data })),
    );
    const read = async (name: string) => {
      const { inputs } = await findInputs([join(folder, name)], ['table']);
      return await readCareTable(inputs[0]!, { fees: BUILT_IN_FEES, today: TODAY }, new Findings());
    };
    await assert.rejects(read('text.xlsx'), /text\.xlsx: is no workbook: it begins with the bytes e5908de7, expected/);
    await assert.rejects(read('cut.xlsx'), /cut\.xlsx: not a readable zip: its 21 bytes are cut off/);
    await assert.rejects(
      read('sheets.xlsx'),
      /sheets\.mapping\.json fits none of its sheets:\n.*\(表紙\).*lacks 名称, 所在地 and has 一覧表\n.*\(一覧\).*lacks 名称 and has 番号/,
    );
    await assert.rejects(
      read('later.csv'),
      /later\.mapping\.json: .*\n {2}\/credit\/date: 2026-10-02 is in the future/,
    );
    await assert.rejects(
      read('filed.xlsx'),
      /filed\.mapping\.json fits none of its sheets:\n.*\(表紙\).*lacks 番号 .*\n.*\(一覧\): names none of the columns of which/,
    );
    await assert.rejects(read('no-day.csv'), /\/credit\/date: 2026-02-30 is no day; expected YYYY-MM-DD/);
    const { tables } = await read('fine.csv');
    assert.equal(tables[0]?.rowsRead, 1);
  });
});
