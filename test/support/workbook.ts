/** The parts of a workbook with these sheets, by name; the content of a sheet is its rows as XML. */
export function workbook(sheets: readonly (readonly [name: string, rows: string])[]): Map<string, string> {
  const each = (make: (name: string, i: number) => string) => sheets.map(([name], i) => make(name, i + 1)).join('');
  return new Map([
    [
      'xl/workbook.xml',
      `<workbook><sheets>${each((name, i) => `<sheet name="${name}" sheetId="${i}" r:id="rId${i}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${each((_, i) => `<Relationship Id="rId${i}" Target="worksheets/sheet${i}.xml"/>`)}</Relationships>`,
    ],
    [
      'xl/sharedStrings.xml',
      '<sst><si><r><t>陽だまり</t></r><r><t>の家</t></r><rPh><t>ヒダマリノイエ</t></rPh></si></sst>',
    ],
    [
      'xl/styles.xml',
      '<styleSheet><numFmts><numFmt numFmtId="176" formatCode="[$-411]ggge&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts>' +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="176"/></cellXfs></styleSheet>',
    ],
    ...sheets.map(([, rows], i): [string, string] => [
      `xl/worksheets/sheet${i + 1}.xml`,
      `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ]),
  ]);
}

/** The rows of a sheet as XML, each cell with its text in it. */
export const sheetOf = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join('');
