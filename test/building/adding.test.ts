import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { IDS, office, withFields } from '../kaigo/support/small-lists.ts';
import { ROOT } from '../support/run.ts';
import { cityGml } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FIELD_DOCS = readFileSync(join(ROOT, 'docs/adding-a-field.md'), 'utf8');
const ROW = /^```ts\n(.*?)^```/ms.exec(FIELD_DOCS)?.[1] ?? '';

/** The blocks of code of a document, by the file that they go into. */
const blocksOf = (docs: string) =>
  new Map([...docs.matchAll(/^```ts (\S+)\n(.*?)^```/gms)].map(([, file = '', code = '']) => [file, code]));
const BLOCKS = blocksOf(readFileSync(join(ROOT, 'docs/adding-an-operation.md'), 'utf8'));
const CARE_BLOCKS = blocksOf(FIELD_DOCS);

/** What a program shows of a file at each stage: it reads it, keeps it and answers it. */
const SHOW = `
import { BuildingReader } from './src/plateau/reader.ts';
import { buildingAt, decodeSquare, encodeSquare, SquareBuilder } from './src/city/square-file.ts';
import { decodeHead, encodeRecord } from './src/record/codec.ts';
import { summaryAnswer } from './src/record/answers.ts';
import { packSummary, writeSummary } from './src/dataset/sunlight-json.ts';
import { JsonWriter } from './src/formats/json-bytes.ts';
import { propertiesOf } from './src/contract/geojson.ts';
import { SUMMARY_MEMBERS } from './src/contract/sunlight-shapes.ts';
import { SUNLIGHT_COLUMNS } from './src/export/sunlight-bulk.ts';
import { factsOf } from './src/site/sunlight/building-tables.ts';
import { readFileSync } from 'node:fs';
const shown = (name) => {
const builder = new SquareBuilder();
const reader = new BuildingReader(name, { building: (one) => builder.add({ ...one, lat: 35.68, lon: 139.77, townCode: null }), issue() {} });
reader.feed(readFileSync(name));
reader.end();
const { square } = decodeSquare(encodeSquare(builder.finish(), {}), 'a');
const building = buildingAt(square, 0);
const results = { floors: [1, 1, 1].map((floor) => ({ floor, heightM: 1.5 })), faces: [], shadingSources: [], selfShadedShare: 0, roofShadedShare: 0, terrain: "none", terrainShadedShare: 0 };
const record = { ...building, ...results, wardCode: '13101', storeys: 1, storeysEstimated: true, placeholderNeighbours: 0, surroundings: 'open' };
const summary = summaryAnswer(decodeHead(building.buildingId, encodeRecord(record)), () => null);
const json = new JsonWriter();
writeSummary(json, packSummary(summary));
const properties = propertiesOf(summary);
const ask = { language: 'ja', dataset: { stations: [], manifest: { halves: { sunlight: null } } } };
return {
  summary: JSON.parse(json.copy().toString()).quality,
  schema: Object.keys(SUMMARY_MEMBERS.quality.properties),
  properties: Object.entries(properties).filter(([name]) => name.includes('structure')),
  columns: SUNLIGHT_COLUMNS.filter(({ name }) => name.includes('structure')).map((column) => column.value({ properties })),
  page: String(factsOf(ask, { ...summary, town_code: null })),
};
};
console.log(JSON.stringify(process.argv.slice(2).map(shown)));
`;

/** The answer about each facility of a folder, for a program and for an agent, and the schema of the new field. */
const SHOW_CARE = `
import { readFileSync } from 'node:fs';
import { Facility, kaigoFacility } from './src/contract/operations/kaigo-facility.ts';
import { shape } from './src/mcp/shape.ts';
import { buildKaigo } from './src/pipeline/kaigo.ts';
const day = '2026-11-20';
await buildKaigo({ offices: ['care/lists'], details: ['care/details.csv'], fees: null, asOf: day, builtOn: day, out: 'care' });
const records = JSON.parse('[' + readFileSync('care/kaigo.records', 'utf8').slice(0, -1) + ']');
const facilities = records.filter((record) => 'services' in record);
console.log(JSON.stringify({
  answers: facilities.map(({ services: [{ rooms_with_toilet, as_published }] }) => [rooms_with_toilet, as_published]),
  agents: facilities.map((one) => 'rooms_with_toilet' in shape(kaigoFacility, one, {}).services[0]),
  members: Object.keys(Facility.properties.services.items.properties),
  answered: Object.keys(facilities[0].services[0]),
}));
`;

/** What comes of the new operation for a building that is there and for one that is not, and whether it is documented. */
const ASK = `
import { SUNLIGHT_HANDLERS } from './src/api/operations/sunlight.ts';
import { TOKYO_CONTRACT } from './src/contract/contract.ts';
import { openApiDocument } from './src/contract/openapi.ts';
const shapes = new Map([['13101-bldg-1', { storeys: 3, faces: [{ face: 'S' }, { face: 'W' }] }]]);
const dataset = { sunlight: { shape: (id) => shapes.get(id) ?? null } };
const ask = (building_id) => SUNLIGHT_HANDLERS['sunlight-building-faces'].find({ building_id }, { dataset });
const { paths } = openApiDocument(TOKYO_CONTRACT, 'http://localhost');
const path = '/api/v1/sunlight/building/{building_id}/faces';
console.log(JSON.stringify({ there: ask('13101-bldg-1'), absent: ask('13101-bldg-2'), documented: path in paths }));
`;

/** A copy of the program, what edits a file of it, and what runs Node.js in it. */
function copyOfProgram(t: Parameters<typeof tempFolder>[0]) {
  const folder = tempFolder(t);
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const edit = (name: string, change: (text: string) => string): void => {
    const text = readFileSync(join(folder, name), 'utf8');
    assert.notEqual(change(text), text, name);
    writeFileSync(join(folder, name), change(text));
  };
  const run = (...command: string[]): string =>
    execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  return { folder, edit, run };
}

test('a field of care details is two lines, and bounds for a number: it goes from a table to the answer, the schema and agents', (t) => {
  const { folder, edit, run } = copyOfProgram(t);
  const [form, member] = [...CARE_BLOCKS];
  edit(form?.[0] ?? '', (text) => text.replace(/^ {2}room_kind: 'word'/m, `${form?.[1]}$&`));
  edit(member?.[0] ?? '', (text) => text.replace(/^ {2}staff_joined: /m, `${member?.[1]}$&`));
  edit('src/kaigo/facts/plausible.json', (text) => text.replace('"rooms_private",', '"rooms_with_toilet", $&'));
  assert.equal(CARE_BLOCKS.size, 2);

  mkdirSync(join(folder, 'care/lists'), { recursive: true });
  writeFileSync(join(folder, 'care/lists/jigyosho_510.csv'), officeList(IDS.map((id) => office(id))));
  const [known, wrong] = IDS;
  const cells = [
    [known, 58],
    [wrong, 5000],
  ];
  for (const [name, text] of withFields(['rooms_with_toilet'], '510', cells))
    writeFileSync(join(folder, 'care', name), text);
  writeFileSync(join(folder, 'show-care.ts'), SHOW_CARE);
  const { answers, agents, members, answered } = JSON.parse(run('show-care.ts'));
  assert.deepEqual(answers, [
    [58, {}],
    [null, { rooms_with_toilet: '5000' }],
    [null, {}],
  ]);
  assert.deepEqual(agents, [true, false, false]);
  assert.deepEqual(answered, members);
  assert.ok(answered.includes('rooms_with_toilet'));
  checkTypes(folder, ['dataset/kaigo-answer.ts'], run);
});

/** Checks the types of some files or rooms of a copy of the program, and of all that they import. */
function checkTypes(folder: string, rooms: readonly string[], run: (...command: string[]) => string): void {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { tsBuildInfoFile: join(folder, 'check.tsbuildinfo') },
    include: rooms.map((room) => `src/${room}`),
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  run(join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.');
}

test('the edits of docs/adding-a-field.md and docs/adding-an-operation.md compile: the field goes from CityGML to JSON, GeoJSON, Parquet and page, the operation answers', (t) => {
  const { folder, edit, run } = copyOfProgram(t);
  edit('src/building/attributes.ts', (text) => text.replace(/^ {2}surveyedOn: \{$/m, `${ROW}$&`));
  edit('src/snapshot/manifest.ts', (text) =>
    text.replace(/(SCHEMA_VERSION = )(\d+)/, (_, is, n) => is + (Number(n) + 1)),
  );

  const detail = (code: string): string =>
    '<uro:buildingDetailAttribute xmlns:uro="https://www.geospatial.jp/iur/uro/3.1"><uro:BuildingDetailAttribute>' +
    `<uro:buildingStructureType>${code}</uro:buildingStructureType></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>`;
  const house = { id: '13101-bldg-1', east: 0, north: 0, width: 10, depth: 10, height: 3 };
  writeFileSync(join(folder, 'show.ts'), SHOW);
  const cases = [
    ['604', 'steel', '鉄骨造'],
    ['999', null, null],
  ] as const;
  for (const [code] of cases) {
    const city = cityGml([house]).replace('<bldg:lod1Solid>', `${detail(code)}$&`);
    writeFileSync(join(folder, `${code}.gml`), city);
  }
  const all = JSON.parse(run('show.ts', ...cases.map(([code]) => `${code}.gml`)));
  for (const [i, [code, name, words]] of cases.entries()) {
    const shown = all[i];
    assert.deepEqual([shown.summary.structure, shown.summary.structure_code], [name, code]);
    assert.deepEqual(shown.schema, Object.keys(shown.summary));
    assert.deepEqual(Object.fromEntries(shown.properties), {
      quality_structure: name,
      quality_structure_code: code,
    });
    assert.deepEqual(shown.columns, [name, code]);
    assert.equal(shown.page.includes(`構造</dt><dd>${words}`), words !== null);
  }

  const [row, ...tables] = [...BLOCKS];
  writeFileSync(join(folder, row?.[0] ?? ''), row?.[1] ?? '');
  const imported = "import { sunlightBuildingFaces } from '$/operations/sunlight-building-faces.ts';\n";
  const [table, handlers, texts] = tables.map(([file]) => file);
  const rows = BLOCKS.get(table ?? '');
  edit(table ?? '', (text) => imported.replace('$', '.') + text.replace(/^ {2}sunlightNear,$/m, `${rows}$&`));
  const handler = BLOCKS.get(handlers ?? '');
  edit(
    handlers ?? '',
    (text) => imported.replace('$', '../../contract') + text.replace(/^ {2}'sunlight-near':/m, `${handler}$&`),
  );
  const name = BLOCKS.get(texts ?? '');
  edit(texts ?? '', (text) => text.replace(/^ {4}'sunlight-near': /m, `${name}$&`));
  writeFileSync(join(folder, 'ask.ts'), ASK);
  assert.deepEqual(JSON.parse(run('ask.ts')), {
    there: { kind: 'found', data: { building_id: '13101-bldg-1', storeys: 3, faces: ['S', 'W'] } },
    absent: { kind: 'absent', detail: 'There is no building 13101-bldg-2 in this dataset.' },
    documented: true,
  });
  // Some of the rooms through which it goes, and all that they import: the reader, the square file, record and contract.
  checkTypes(folder, ['plateau', 'city', 'record', 'api/operations'], run);
});
