import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  Client,
  InMemoryTransport,
  type ProtocolError,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Ajv } from 'ajv';
import { TOOL_NAMES } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { memoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { type Ask, httpAsk } from '../../src/mcp/ask.ts';
import { mcpServer } from '../../src/mcp/mcp-server.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { rawExchange, type ServerChoices, startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { ROOT } from '../support/run.ts';

const METHOD = readFileSync(join(ROOT, 'docs/method.md'), 'utf8');

async function connect(test: TestContext, choices: ServerChoices = {}) {
  const server = await startServer(test, { ...choices, mcp: { version: '1.2.3', method: METHOD } });
  const client = new Client({ name: 'test', version: '1' });
  // People write the address with a slash at its end, too.
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/`)));
  test.after(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    const { isError = false, structuredContent = {} } = result;
    return {
      isError,
      value: structuredContent as Record<string, Json>,
      bytes: Buffer.byteLength(JSON.stringify(result)),
    };
  };
  return { server, client, call };
}

/** A client of tools that ask in another way than a server's. */
async function agentBy(ask: Ask): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await mcpServer({ version: '1', tools: toolsOf(OPERATIONS), isTokyo: true, ask, resources: [] }).connect(there);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(here);
  return client;
}

describe('agents, over HTTP with the client of the protocol', () => {
  it('tools: at most eight, all within 8 kB, named as in docs/agents.md, read-only', async (test) => {
    const { client } = await connect(test);
    const { tools } = await client.listTools();
    assert.ok(tools.length <= 8 && tools.length >= 7);
    assert.ok(Buffer.byteLength(JSON.stringify({ tools })) <= 8000, `${JSON.stringify({ tools }).length} bytes`);
    const docs = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
    const documented: unknown[] = [...docs.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
    assert.deepEqual(documented, [...TOOL_NAMES]);
    for (const { name, annotations, outputSchema } of tools) {
      assert.ok(documented.some((one) => one === name));
      assert.equal(annotations?.readOnlyHint, true);
      assert.deepEqual(Object.keys(outputSchema?.properties ?? {}), [
        ...['data', 'data_through', 'credit', 'cost_units', 'detail'],
      ]);
    }
  });

  it('a building: in short, by floor and month, and one month with its windows', async (test) => {
    const { call, server } = await connect(test);
    const id = await buildingOf(server.url);
    const short = await call('building_sun', { building_id: id });
    const api = await getJson(`${server.url}/api/v1/sunlight/building/${id}`);
    assert.equal(short.value.data.building_id, id);
    assert.equal(short.value.data.quality, undefined);
    assert.deepEqual(short.value.data.december_top_best, api.data.december_top_best);
    assert.equal(short.value.cost_units, 1);
    assert.equal(short.value.credit, api.meta.attribution);
    const full = await call('building_sun', { building_id: id, detail: 'full' });
    assert.equal(full.value.data.faces[0].floors[0].direct_sun_hours_by_month.length, 12);
    const month = await call('building_sun', { building_id: id, month: 12 });
    assert.equal(month.value.data.faces[0].floors[0].month.month, 12);
    assert.ok(Array.isArray(month.value.data.faces[0].floors[0].month.sunlit_windows));
    for (const { bytes } of [short, full, month]) assert.ok(bytes <= 8000, `${bytes} bytes`);
  });

  it('one floor of a building: by face and month, one month with its windows, or one day', async (test) => {
    const { call } = await connect(test);
    const building_id = KNOWN.building;
    const year = await call('building_sun', { building_id, floor: 7 });
    assert.equal(year.value.data.floor, 7);
    assert.equal(year.value.cost_units, 3);
    assert.deepEqual(year.value.data.faces[0].direct_sun_hours_by_month, [3.25]);
    const december = await call('building_sun', { building_id, floor: '7', month: 12, face: 's' });
    assert.equal(december.value.data.faces[0].month.month, 12);
    assert.equal(december.value.data.faces[0].month.lit_share, undefined);
    const day = await call('building_sun', { building_id, floor: 7, date: '2026-12-22' });
    assert.equal(day.value.data.days, '2026-12-22, Asia/Tokyo');
    const high = await call('building_sun', { building_id, floor: 70 });
    assert.equal(high.value.detail, 'The building has 9 storeys: there is no floor 70.');
    const north = await call('building_sun', { building_id, month: 12, face: 'N' });
    assert.match(north.value.data.hint, /^The building has no face N; it has \w/);
  });

  it('a tool or resource that there is not is named, with those that there are', async (test) => {
    const { client } = await connect(test);
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

  it('lists are cut to the limit and say how many there are besides', async (test) => {
    const { call } = await connect(test);
    const { value } = await call('find_buildings', { lat: 35.6812, lon: 139.7671, radius_m: 300, limit: 1 });
    assert.ok(value.data.buildings.length <= 1);
    assert.equal(value.data.radius_m, 300);
    const wrong = await call('find_buildings', { lat: 35.6812, lon: 139.7671, r: 300 });
    assert.ok(wrong.isError);
  });

  it('where nothing has the name, it says what to try', async (test) => {
    const { call } = await connect(test);
    const { value, isError } = await call('find_place', { query: 'nowhere' });
    assert.ok(!isError);
    assert.match(value.data.hint, /a town without its block number/);
  });

  it('a list that is empty, or found by a part of the words, says what to do next', async (test) => {
    const dataset = new FakeDataset();
    const { find, municipality } = dataset.search!;
    dataset.search = {
      municipality,
      find: (...asked) => ({ ...find(...asked), ignored: asked[0].split(' ').at(1) ?? null }),
    };
    const { call } = await connect(test, { dataset });
    const plain = await call('find_place', { query: 'Kanda' });
    assert.deepEqual([plain.value.data.ignored, plain.value.data.hint], [undefined, undefined]);
    const station = await call('find_place', { query: 'Kanda Station' });
    assert.equal(station.value.data.ignored, 'Station');
    assert.match(
      station.value.data.hint,
      /^Found without "Station".* call find_buildings or .* \(lat, lon, radius_m\)\.$/,
    );
    const none = { data: { count: 0, buildings: [], facilities: [] }, meta: { cost_units: 1 } };
    const agent = await agentBy(async () => ({ status: 200, headers: new Map(), body: JSON.stringify(none) }));
    test.after(() => agent.close());
    for (const name of ['find_buildings', 'find_care_facilities']) {
      const { structuredContent } = await agent.callTool({ name, arguments: { lat: 35.8, lon: 139.6 } });
      assert.match(JSON.stringify(structuredContent), /widen radius_m, or the data does not reach this place/);
    }
  });

  it('arguments that are no object are refused like all others; an object written as text is taken', async (test) => {
    const { server } = await connect(test);
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
        /^find_place takes its arguments as an object, such as \{"query":"神田司町"\}, not as ["5t[]/,
      );
    }
    for (const args of [null, undefined, {}, { query: null }]) {
      const { result } = await call({ name: 'find_place', arguments: args });
      assert.match(
        result.structuredContent.detail,
        /^find_place needs query: text of at most 100 characters, such as 神田司町\.$/,
      );
    }
    const written = await call({ name: 'find_place', arguments: '{"query":"Kanda"}' });
    assert.equal(written.result.structuredContent.data.count, 1);
    for (const params of [{ arguments: {} }, { name: 5 }])
      assert.match((await call(params)).error.message, /^There is no tool (null|5)\. There are find_place/);
  });

  it('errors are the problems of the contract', async (test) => {
    const { call } = await connect(test);
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
    const { call } = await connect(test);
    const near = await call('find_buildings', { lat: '35.6812', lon: '139.7671', radius_m: null });
    assert.equal(near.value.data.lat, 35.6812);
    const table = await call('find_care_facilities', { municipality_code: 131016, service_code: 510 });
    assert.equal(table.value.data.service.service_code, '510');
    const other = await call('find_care_facilities', { municipality_code: '13101', service_code: '510' });
    assert.ok(!other.isError);
    const both = await call('compare_buildings', { building_ids: '13101-bldg-904, 13101-bldg-9999' });
    assert.equal(both.value.data.count, 1);
    const shouted = await call('building_sun', { building_id: ' 13101-BLDG-904 ', detail: 'FULL', face: 's' });
    assert.ok(!shouted.isError);
  });

  const WRONG: readonly [tool: string, args: Record<string, unknown>, says: RegExp][] = [
    ['find_place', {}, /needs query: text of at most 100 characters, such as /],
    ['find_place', { q: 'Kanda' }, /"q" is no argument of find_place; did you mean query/],
    ['find_place', { query: 'Kanda', limit: 500 }, /limit must be a whole number from 1 to 20.* but is 500/],
    [
      'find_place',
      { query: 'Kanda', kind: 'ward' },
      /kind must be one of building, address, municipality, town, facility/,
    ],
    ['find_place', { query: 'Kanda', constructor: {} }, /"constructor" is no argument of find_place/],
    ['find_place', { query: '   ' }, /query must be text of at most 100 characters/],
    ['find_buildings', { lat: 35.69 }, /needs lat and lon, or town_code\. find_place finds/],
    ['find_buildings', { lat: 35.69, lon: 139.76, radius_km: 1 }, /did you mean radius_m/],
    ['find_buildings', { latitude: 35.69, longitude: 139.76 }, /did you mean lat\..*did you mean lon\./],
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
      /floor must be a whole number from 1 to 1000.* but is 0/,
    ],
    ['building_sun', { building_id: '365' }, /such as 13101-bldg-904, but is "365"\. find_place finds/],
    ['building_sun', { building_id: KNOWN.building, month: 'December' }, /month must be a whole number from 1 to 12/],
    ['building_sun', { building_id: KNOWN.building, face: 'south' }, /face must be one of N, NE, E, SE, S, SW, W, NW/],
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
    const { call, client } = await connect(test);
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

  it('codes of a municipality and of a ward are found by name', async (test) => {
    const { call } = await connect(test);
    const { value } = await call('find_place', { query: 'Chiyoda', kind: 'municipality' });
    const [first] = value.data.places;
    assert.deepEqual(Object.keys(first).sort(), [
      ...['address', 'id', 'kind', 'lat', 'lon', 'municipality_code', 'name', 'reading', 'ward_code'],
    ]);
  });

  it('the tools of a dataset elsewhere have its bounds', async (test) => {
    const dataset = new FakeDataset();
    const bbox = { south: 34.56, west: 135.39, north: 34.69, east: 135.52 };
    const { sunlight, kaigo } = dataset.manifest.halves;
    dataset.manifest.halves = { kaigo, sunlight: { ...sunlight!, extent: { bbox, municipalities: ['27108'] } } };
    const { client, call } = await connect(test, { dataset });
    const { tools } = await client.listTools();
    const near = tools.find(({ name }) => name === 'find_buildings')?.inputSchema.properties?.lat;
    assert.deepEqual(near, { type: 'number', minimum: 34.56, maximum: 34.69 });
    const tokyo = await call('find_buildings', { lat: 35.68, lon: 139.76 });
    assert.match(tokyo.value.detail, /lat must be a plain decimal number from 34.56 to 34.69, such as /);
  });

  it('every operation that a tool runs counts against the limit of the caller', async (test) => {
    const { call, server } = await connect(test, { limiter: memoryRateLimiter(3) });
    const id = await buildingOf(server.url);
    const both = await call('compare_care_facilities', { facility_ids: [KNOWN.facility, '1399999999'] });
    assert.equal(both.value.cost_units, 1);
    const over = await call('building_sun', { building_id: id });
    assert.ok(over.isError);
    assert.equal(over.value.status, 429);
  });

  it('facilities are compared by a service that all have, for one case; those that are not there are named', async (test) => {
    const { call } = await connect(test);
    const facility_ids = [KNOWN.facility, '1399999999', KNOWN.facility];
    const { value } = await call('compare_care_facilities', { facility_ids, care_level: 3, copayment: 20 });
    const { compared, not_found } = value.data;
    assert.deepEqual([compared.length, not_found, value.cost_units], [1, ['1399999999'], 1], 'one named twice is one');
    const [{ service_code, cost_estimate, other_services, excludes }] = compared;
    assert.deepEqual([service_code, other_services, excludes], ['510', [], undefined]);
    assert.equal(cost_estimate.typical_parts.care, 30500);
    const none = await call('compare_care_facilities', { facility_ids: ['1399999999', '1399999998'] });
    assert.equal(none.value.status, 404);
  });

  it('what is compared is of one dataset: it is asked for again when the server has moved on meanwhile', async (test) => {
    const { server } = await connect(test);
    const inner = httpAsk(server.url, null);
    const run = async (datasets: string[]) => {
      let asked = 0;
      const ask: Ask = async ({ target, payment }) => {
        const answer = await inner({ target: target.replace('1399999999', KNOWN.facility), payment });
        const body = JSON.parse(answer.body);
        body.meta.dataset_id = datasets[asked++];
        return { ...answer, body: JSON.stringify(body) };
      };
      const client = await agentBy(ask);
      const facility_ids = [KNOWN.facility, '1399999999'];
      const { isError = false, structuredContent: value } = await client.callTool({
        ...{ name: 'compare_care_facilities', arguments: { facility_ids } },
      });
      await client.close();
      return { asked, isError, value: value as Record<string, Json> };
    };
    const moved = await run(['a', 'b', 'b', 'b']);
    assert.deepEqual([moved.asked, moved.isError, moved.value.cost_units], [4, false, 4]);
    const moving = await run(['a', 'b', 'b', 'c']);
    assert.deepEqual([moving.isError, moving.value.status], [true, 503]);
  });

  it('buildings are compared by one request, which costs a unit for each that is there', async (test) => {
    const { call, server } = await connect(test, { limiter: memoryRateLimiter(2) });
    const id = await buildingOf(server.url);
    const { value } = await call('compare_buildings', { building_ids: [id, '13101-bldg-9999'] });
    assert.deepEqual(
      [value.data.buildings.length, value.data.not_found, value.cost_units],
      [1, ['13101-bldg-9999'], 1],
    );
    const one = await call('compare_buildings', { building_ids: [id] });
    assert.ok(one.isError);
  });

  it('resources: method, glossary, credits', async (test) => {
    const { client } = await connect(test);
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri).sort(), [
      'hidamari://credits',
      'hidamari://glossary',
      'hidamari://method',
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    assert.equal(await read('hidamari://method'), METHOD);
    assert.match(await read('hidamari://glossary'), /- `direct_sun_hours`: .*[Hh]ours/);
    assert.match(await read('hidamari://credits'), /"attribution"/);
  });

  it('a foreign Host or Origin and a body too large are refused', async (test) => {
    const { server } = await connect(test, { patienceMs: 500 });
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

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers whose schema the API tests hold.
type Json = any;

const getJson = async (url: string): Promise<Json> => (await fetch(url)).json();

/** The ID of a building that the server has. */
async function buildingOf(url: string): Promise<string> {
  const { data } = await getJson(`${url}/api/v1/sunlight/near?lat=35.6812&lon=139.7671&r=300`);
  return data.buildings[0]?.building_id ?? '13101-bldg-1';
}
