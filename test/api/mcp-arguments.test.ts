import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { Ajv } from 'ajv';
import { TOOL_NAMES } from '../../src/contract/operation.ts';
import { SERVICES } from '../../src/kaigo/services.ts';
import { connectAgent, type Json } from '../support/agents.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

describe('what agents ask that is wrong, loose or not allowed', () => {
  it('a tool or resource that there is not is named, with those that there are', async (test) => {
    const { client } = await connectAgent(test);
    await assert.rejects(client.callTool({ name: 'sunlight', arguments: {} }), (error: ProtocolError) => {
      assert.equal(error.code, ProtocolErrorCode.InvalidParams);
      for (const name of TOOL_NAMES) assert.ok(error.message.includes(name));
      assert.deepEqual(error.data, { title: 'Not found', status: 404, detail: error.message });
      return true;
    });
    await assert.rejects(
      client.readResource({ uri: 'hidamari://prices' }),
      /no resource "hidamari:\/\/prices"\. .*glossary/,
    );
  });

  it('arguments that are no object are refused like all others; an object written as text is taken', async (test) => {
    const { server } = await connectAgent(test);
    const call = async (params: object): Promise<Json> => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const text = await (await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })).text();
      return JSON.parse(text.replace(/^.*?data: /s, ''));
    };
    for (const args of ['Kanda', 5, true, ['Kanda'], [], '{"query"']) {
      const { result } = await call({ name: 'find_place', arguments: args });
      const { title, status, detail } = result.structuredContent;
      assert.deepEqual([result.isError, title, status], [true, 'Invalid parameter', 400]);
      assert.match(
        detail,
        /^find_place takes its arguments as an object, such as \{"query":"千代田区"\}, not as ["5t[]/,
      );
    }
    for (const args of [null, undefined, {}, { query: null }]) {
      const { result } = await call({ name: 'find_place', arguments: args });
      assert.match(
        result.structuredContent.detail,
        /^find_place needs query: text of 1 to 100 characters, such as 千代田区\.$/,
      );
    }
    const written = await call({ name: 'find_place', arguments: '{"query":"Kanda"}' });
    assert.equal(written.result.structuredContent.data.count, 1);
    for (const params of [{ arguments: {} }, { name: 5 }])
      assert.match((await call(params)).error.message, /^There is no tool (null|5)\. There are find_place/);
  });

  it('errors are the problems of the contract', async (test) => {
    const { call } = await connectAgent(test);
    const unknown = await call('building_sun', { building_id: '13101-bldg-999999999' });
    assert.ok(unknown.isError);
    assert.equal(unknown.value.status, 404);
    assert.match(unknown.value.detail, /There is no building 13101-bldg-999999999/);
    const nowhere = await call('find_buildings', {});
    assert.ok(nowhere.isError);
    assert.match(nowhere.value.detail, /needs lat and lon, or town_code/);
    const far = await call('find_buildings', { lat: 10, lon: 139.7671 });
    assert.ok(far.isError);
  });

  it('what is meant beyond doubt is taken: numbers in quotation marks, codes as numbers, lists with commas', async (test) => {
    const { call } = await connectAgent(test);
    const near = await call('find_buildings', { lat: '35.6812', lon: '139.7671', radius_m: null });
    assert.equal(near.value.data.lat, 35.6812);
    const table = await call('find_care_facilities', { municipality_code: 131016, service_code: 510 });
    assert.equal(table.value.data.service.service_code, '510');
    const other = await call('find_care_facilities', { municipality_code: '13101', service_code: '510' });
    assert.ok(!other.isError);
    const around = await call('find_buildings', { latitude: 35.6812, longitude: 139.7671, radius: 150 });
    assert.equal(around.value.data.radius_m, 150);
    const both = await call('compare_buildings', { building_ids: '13101-bldg-904, 13101-bldg-9999' });
    assert.equal(both.value.data.count, 1);
    const shouted = await call('building_sun', { building_id: ' 13101-BLDG-904 ', detail: 'FULL', face: 's' });
    assert.ok(!shouted.isError);
  });

  const SAME: readonly [tool: string, argument: string, plain: unknown, written: readonly string[]][] = [
    ['building_sun', 'floor', 7, ['7F', '７F', '７階', '7階', '７', '7th', '7th floor', 'floor 7', ' 7F ']],
    ['building_sun', 'month', 12, ['12月', '１２', 'December', 'Dec.']],
    ['building_sun', 'face', 'S', ['south', 'South', '南', '南面', 'south-facing', 'ｓ']],
    ['building_sun', 'building_id', KNOWN.building, ['１３１０１-bldg-904', '13101－bldg－904', '13101_bldg 904']],
    ['find_buildings', 'radius_m', 150, ['150m', '150 m', '0.15km', '１５０', '150メートル']],
    ['find_buildings', 'lat', 35.6812, ['35.6812°N', '35.6812°', '35.6812度']],
    ['find_care_facilities', 'care_level', 3, ['要介護3', '要介護３', '３']],
    ['find_care_facilities', 'copayment', 20, ['20%', '2割', '２割']],
    ['find_care_facilities', 'max_yen', 205000, ['20.5万円', '205,000円', '¥205000', '２０５０００']],
    [
      'find_care_facilities',
      'municipality_code',
      '131016',
      ['１３１０１６', '１３１０１', '千代田区', '東京都千代田区'],
    ],
    ['find_care_facilities', 'municipality_code', '131016', ['Chiyoda-ku', 'Chiyoda City, Tokyo']],
    ['find_care_facilities', 'service_code', '510', ['特養', '特別養護老人ホーム', 'Special nursing homes']],
    // The official names, which the answers give.
    ...SERVICES.map(({ name, service_code: code }): [string, string, string, string[]] => [
      'find_care_facilities',
      'service_code',
      code,
      [name],
    ]),
  ];
  it('a value with its unit, in words or in other widths is taken where it can mean one thing only', async (test) => {
    const { call } = await connectAgent(test);
    const PLAIN: Record<string, Record<string, unknown>> = {
      building_sun: { building_id: KNOWN.building },
      find_buildings: { lat: 35.6812, lon: 139.7671 },
      find_care_facilities: { municipality_code: '131016', service_code: '510' },
    };
    for (const [tool, argument, plain, written] of SAME) {
      const { isError, value } = await call(tool, { ...PLAIN[tool], [argument]: plain });
      assert.ok(!isError, `${tool} ${argument} ${JSON.stringify(value)}`);
      for (const spelt of written) {
        const meant = await call(tool, { ...PLAIN[tool], [argument]: spelt });
        assert.deepEqual(meant.value.data, value.data, `${argument}: ${spelt}: ${JSON.stringify(meant.value.detail)}`);
      }
    }
    for (const [argument, spelt] of [
      ...[
        ['floor', 'B1'],
        ['floor', '7.5F'],
        ['floor', '7-8F'],
        ['month', 'Decem12'],
        ['month', 'maybe'],
        ['month', 'ju.'],
        ['floor', '1²'],
      ],
      ...[
        ['month', '2026-12'],
        ['face', 'SSW'],
        ['date', '12/15'],
        ['building_id', '904'],
      ],
    ] as const)
      assert.ok((await call('building_sun', { ...PLAIN.building_sun, [argument]: spelt })).isError, spelt);
  });

  const WRONG: readonly [tool: string, args: Record<string, unknown>, says: RegExp][] = [
    ['find_place', {}, /needs query: text of 1 to 100 characters, such as /],
    ['find_place', { q: 'Kanda' }, /"q" is no argument of find_place; did you mean query/],
    ['find_place', { query: 'Kanda', limit: 500 }, /limit must be a whole number from 1 to 20.* but is 500/],
    [
      'find_place',
      { query: 'Kanda', kind: 'ward' },
      /kind must be one of building, address, municipality, town, facility/,
    ],
    ['find_place', { query: 'Kanda', constructor: {} }, /"constructor" is no argument of find_place/],
    ['find_place', { query: '   ' }, /query must be text of 1 to 100 characters/],
    ['find_buildings', { lat: 35.69 }, /needs lat and lon, or town_code\. find_place finds/],
    ['find_buildings', { lat: 35.69, lon: 139.76, radius_km: 1 }, /did you mean radius_m/],
    ['find_buildings', { latitud: 35.69, longitud: 139.76 }, /did you mean lat\..*did you mean lon\./],
    [
      'find_buildings',
      { lat: 35.69, lon: 139.76, radius_m: 5, radius: 6 },
      /radius_m is given twice, also as "radius"/,
    ],
    ['find_buildings', { lat: 35.69, lon: 139.76, radius_m: 5000 }, /radius_m must be .* from 1 to 300.* but is 5000/],
    [
      'find_buildings',
      { lat: 139.76, lon: 35.69 },
      /lat must be .* from 35.4 to 35.9.* lon must be .* from 139.5 to 140/,
    ],
    [
      'find_buildings',
      { lat: 35.69, lon: 139.76, town_code: '13101001001' },
      /town_code cannot be given together with lat and lon/,
    ],
    ['building_sun', { building_id: KNOWN.building, date: '2026-12-22' }, /date needs floor \(such as 1\), too/],
    [
      'building_sun',
      { building_id: KNOWN.building, floor: 0 },
      /floor must be a whole number of at least 1.* but is 0/,
    ],
    ['building_sun', { building_id: '365' }, /such as 13101-bldg-904, but is "365"\. find_place finds/],
    ['building_sun', { building_id: KNOWN.building, month: '冬至' }, /month must be a whole number from 1 to 12/],
    ['building_sun', { building_id: KNOWN.building, face: '180' }, /face must be one of N, NE, E, SE, S, SW, W, NW/],
    ['compare_buildings', { building_ids: [KNOWN.building] }, /a list of 2 to 4 texts/],
    [
      'find_care_facilities',
      { municipality_code: '131016' },
      /needs municipality_code and service_code, or lat and lon/,
    ],
    [
      'find_care_facilities',
      { municipality_code: '131016', service_code: 'nursing home' },
      /service_code must be text .*"nursing home"\. Services: 510 special nursing homes, .* 410 sale of equipment\.$/,
    ],
    ['find_care_facilities', { municipality_code: '131017', service_code: '510' }, /check digit/],
    [
      'find_care_facilities',
      { municipality_code: 'Fuchu-shi', service_code: '特養' },
      /but is "Fuchu-shi"\. It may be 東京都府中市 \(132063\), 広島県府中市 \(342084\)\./,
    ],
    ['bulk_download', { ward_code: 'Atlantis' }, /ward_code must be .*"Atlantis"\. find_place finds/],
    // A number: 市川市 without its check digit, or 012203 without its zero.
    ['find_care_facilities', { municipality_code: 12203, service_code: '510' }, /municipality_code/],
    [
      'care_facility',
      { facility_id: KNOWN.facility, copayment: 0.1 },
      /copayment must be a whole number from 10 to 30 in steps of 10/,
    ],
    ['compare_care_facilities', { facility_ids: ['1', '2'] }, /each text that matches/],
    [
      'bulk_download',
      { ward_code: '13101', prefecture_code: '13' },
      /prefecture_code cannot be given together with ward_code/,
    ],
    ['bulk_download', { ward_code: 'x'.repeat(50_000) }, /but is "x{79}…/],
  ];
  it('wrong arguments are answered with what would be right', async (test) => {
    const { call, client } = await connectAgent(test);
    const schemas = new Map(
      (await client.listTools()).tools.map(({ name, outputSchema }) => [name, outputSchema ?? {}]),
    );
    const ajv = new Ajv();
    for (const [tool, args, says] of WRONG) {
      const { isError, value, bytes } = await call(tool, args);
      assert.ok(isError, tool);
      // Clients hold refusals against the schema of results, and show their own complaint where they do not fit.
      assert.ok(ajv.validate(schemas.get(tool) ?? false, value), ajv.errorsText());
      assert.match(value.detail, says);
      assert.ok(bytes < 2500, `${tool}: ${bytes} bytes`);
    }
  });

  it('the tools of a dataset elsewhere have its bounds', async (test) => {
    const dataset = new FakeDataset();
    const bbox = { south: 34.56, west: 135.39, north: 34.69, east: 135.52 };
    const { sunlight, kaigo } = dataset.manifest.halves;
    dataset.manifest.halves = { kaigo, sunlight: { ...sunlight!, extent: { bbox, municipalities: ['27108'] } } };
    const { client, call } = await connectAgent(test, { dataset });
    const { tools } = await client.listTools();
    const near = tools.find(({ name }) => name === 'find_buildings')?.inputSchema.properties?.lat;
    assert.deepEqual(near, { type: 'number', minimum: 34.56, maximum: 34.69, description: 'Degrees' });
    const tokyo = await call('find_buildings', { lat: 35.68, lon: 139.76 });
    assert.match(tokyo.value.detail, /lat must be a plain decimal number from 34.56 to 34.69, such as /);
  });

  it('a foreign Host or Origin and a body too large are refused', async (test) => {
    const { server } = await connectAgent(test, { patienceMs: 500 });
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const post = (more: string, text = body) =>
      rawExchange(
        server.port,
        `POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${text.length}\r\n${more}\r\n\r\n${text}`,
      );
    assert.match(
      await post('Host: evil.example'),
      /^HTTP\/1\.1 403[\s\S]*Invalid Host: evil\.example; this server is 127\.0\.0\.1, localhost/,
    );
    assert.match(await post('Host: localhost\r\nOrigin: https://evil.example'), /^HTTP\/1\.1 403/);
    assert.match(await post('Host: localhost'), /^HTTP\/1\.1 200/);
    for (const length of [70_000, 5_000_000]) {
      assert.match(
        await post('Host: localhost', ' '.repeat(length)),
        /^HTTP\/1\.1 413[\s\S]*must not exceed 65536 bytes/,
      );
    }
    const opened = await fetch(`${server.url}/mcp`);
    assert.deepEqual([opened.status, opened.headers.get('allow')], [405, 'POST']);
    assert.match(await opened.text(), /POST of JSON-RPC/);
  });

  it('switched off, there is nothing at /mcp', async (test) => {
    const { url } = await startServer(test);
    assert.equal((await fetch(`${url}/mcp`)).status, 404);
  });
});
