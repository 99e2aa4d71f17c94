import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf, xlsxSheets } from '../../src/formats/xlsx.ts';
import { workbook } from '../support/workbook.ts';

const read = (parts: ReadonlyMap<string, string>, sheet: string | null = null) =>
  xlsxSheets((name) => parts.get(name) ?? null, sheet)[0]?.rows;

test('a sheet is read as rows of texts, with days, shared and inline texts, and without readings', () => {
  const parts = workbook([
    [
      '名簿',
      '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="inlineStr"><is><t>家賃 &amp; 管理費</t></is></c></row>' +
        '<row r="4"><c r="A4"><v>65000.000000000007</v></c><c r="B4" s="1"><v>45748</v></c><c r="C4" t="b"><v>1</v></c>' +
        '<c r="D4" t="e"><v>#N/A</v></c><c r="E4" t="str"><f>A1</f><v>x\ny</v></c><c r="F4" s="2"><v>44927</v></c></row>',
    ],
    ['別の表', '<row><c t="inlineStr"><is><t>二枚目</t></is></c></row>'],
  ]);
  assert.deepEqual(read(parts), [
    [],
    ['', '陽だまりの家', '', '家賃 & 管理費'],
    [],
    ['65000', '2025-04-01', 'TRUE', '', 'x y', '2023-01-01'],
  ]);
  assert.deepEqual(read(parts, '別の表'), [['二枚目']]);
  assert.throws(
    () => read(parts, '三枚目'),
    (error: Error) => /三枚目; it has 名簿, 別の表/.test(error.message),
  );
  assert.throws(() => read(new Map()), Error);
});

// Before, an address on two lines was read as 横浜市_x000D_ 中区.
test('characters that XML cannot hold are decoded', () => {
  const parts = workbook([
    [
      '名簿',
      '<row><c t="inlineStr"><is><t>横浜市_x000D_\n中区</t></is></c><c t="str"><v>a_x005F_x000D_b</v></c></row>',
    ],
  ]);
  assert.deepEqual(read(parts), [['横浜市 中区', 'a_x000D_b']]);
});

// Before, the marks of CDATA stayed in the text, and a workbook with another prefix lacked "the content of its sheet".
test('texts in CDATA, comments, other prefixes and days as texts are read', () => {
  const parts = workbook([
    [
      '名簿',
      '<row><c t="inlineStr"><is><t><![CDATA[<A> & B]]></t></is></c><!-- <c><v>1</v></c> -->' +
        '<c t="d"><v>2025-04-01T00:00:00</v></c></row>',
    ],
  ]);
  const renamed = [...parts].map(
    ([name, xml]) => [name, xml.replaceAll(/\br:id|xmlns:r\b/g, (r) => r.replace(/\br\b/, 'rel'))] as const,
  );
  assert.deepEqual(read(new Map(renamed)), [['<A> & B', '2025-04-01']]);
});

// Before, the error said only "has a cell XFE1", and "has a cell undefined" for a cell without a name.
test('a cell beyond the last column of a sheet is refused by its column', () => {
  const beyond = /^has a cell in column 16385; expected at most 16384 columns$/;
  const named = workbook([['名簿', '<row><c r="XFE1"><v>1</v></c></row>']]);
  const unnamed = workbook([['名簿', `<row>${'<c/>'.repeat(16_385)}</row>`]]);
  for (const parts of [named, unnamed]) assert.throws(() => read(parts), { message: beyond });
});

test('a number with an exponent is no day', () => {
  const parts = workbook([['名簿', '<row><c s="1"><v>45748</v></c><c s="2"><v>45748</v></c></row>']]);
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="176" formatCode="0.0E+00"/><numFmt numFmtId="177" formatCode="ge.m.d"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="176"/><xf numFmtId="177"/></cellXfs></styleSheet>';
  assert.deepEqual(read(new Map([...parts, ['xl/styles.xml', styles]])), [['45748', '2025-04-01']]);
});

test('rows become a table with quotes where they are needed', () => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(csvOf([['a', 'b,c'], [], ['"']]));
  assert.equal(text, '\ufeffa,"b,c"\r\n\r\n"""",\r\n');
});
