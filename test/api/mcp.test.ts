import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TOOL_NAMES } from '../../src/contract/operation.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { type Ask, httpAsk } from '../../src/mcp/ask.ts';
import { agentBy, buildingOf, connectAgent, getJson, type Json, METHOD } from '../support/agents.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { ROOT } from '../support/run.ts';

describe('agents, over HTTP with the client of the protocol', () => {
  it('tools: at most eight, all within 8 kB, a line for each argument, named as in docs/agents.md, read-only', async (test) => {
    const { client } = await connectAgent(test);
    const { tools } = await client.listTools();
    assert.ok(tools.length <= 8 && tools.length >= 7);
    assert.ok(Buffer.byteLength(JSON.stringify({ tools })) <= 8000, `${JSON.stringify({ tools }).length} bytes`);
    const docs = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
    const documented: unknown[] = [...docs.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
    assert.deepEqual(documented, [...TOOL_NAMES]);
    for (const { name, annotations, inputSchema, outputSchema } of tools) {
      for (const [argument, about] of Object.entries(inputSchema.properties ?? {}))
        assert.match((about as { description?: string }).description ?? '', /^.{3,40}$/, `${name}: ${argument}`);
      assert.ok(documented.some((one) => one === name));
      assert.equal(annotations?.readOnlyHint, true);
      assert.deepEqual(Object.keys(outputSchema?.properties ?? {}), [
        ...['data', 'data_through', 'credit', 'cost_units', 'detail'],
      ]);
    }
  });

  it('a building: in short, by floor and month, and one month with its windows', async (test) => {
    const { call, server } = await connectAgent(test);
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
    const { call } = await connectAgent(test);
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

  it('lists are cut to the limit and say how many there are besides', async (test) => {
    const { call } = await connectAgent(test);
    const { value } = await call('find_buildings', { lat: 35.6812, lon: 139.7671, radius_m: 300, limit: 1 });
    assert.ok(value.data.buildings.length <= 1);
    assert.equal(value.data.radius_m, 300);
    const wrong = await call('find_buildings', { lat: 35.6812, lon: 139.7671, r: 300 });
    assert.ok(wrong.isError);
  });

  it('where nothing has the name, it says what to try', async (test) => {
    const { call } = await connectAgent(test);
    const { value, isError } = await call('find_place', { query: 'nowhere' });
    assert.ok(!isError);
    assert.match(value.data.hint, /a town without its block number/);
  });

  it('a list that is empty, or found by a part of the words, says what to do next', async (test) => {
    const dataset = new FakeDataset();
    const { find, ...others } = dataset.search!;
    dataset.search = {
      ...others,
      find: (...asked) => ({ ...find(...asked), ignored: asked[0].split(' ').at(1) ?? null }),
    };
    const { call } = await connectAgent(test, { dataset });
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
    const empty = { data: { total: 0, facilities: [], data_through: null }, meta: { cost_units: 1 } };
    const other = await agentBy(async () => ({ status: 200, headers: new Map(), body: JSON.stringify(empty) }));
    test.after(() => other.close());
    const table = { municipality_code: '131016', service_code: '320' };
    const { structuredContent } = await other.callTool({ name: 'find_care_facilities', arguments: table });
    assert.match(JSON.stringify(structuredContent), /or the data has no list of the service/);
  });

  it('codes of a municipality and of a ward are found by name', async (test) => {
    const { call } = await connectAgent(test);
    const { value } = await call('find_place', { query: 'Chiyoda', kind: 'municipality' });
    const [first] = value.data.places;
    assert.deepEqual(Object.keys(first).sort(), [
      ...['address', 'id', 'kind', 'lat', 'lon', 'municipality_code', 'name', 'reading', 'ward_code'],
    ]);
  });

  it('every message, and every operation that a tool runs beyond the first, counts against the limit of the caller', async (test) => {
    const limiter = new MemoryRateLimiter(6);
    const { call, server } = await connectAgent(test, { limiters: { api: limiter } });
    // The handshake is two messages.
    assert.equal(limiter.take('127.0.0.1').remaining, 3);
    const id = await buildingOf(server.url);
    const both = await call('compare_care_facilities', { facility_ids: [KNOWN.facility, '1399999999'] });
    assert.equal(both.value.cost_units, 1);
    await assert.rejects(call('building_sun', { building_id: id }), /Too many requests: .* try again in \d+ s/);
  });

  it('facilities are compared by a service that all have, for one case; those that are not there are named', async (test) => {
    const { call } = await connectAgent(test);
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
    const { server } = await connectAgent(test);
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
        name: 'compare_care_facilities',
        arguments: { facility_ids },
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
    const { call, server } = await connectAgent(test, { limiters: { api: new MemoryRateLimiter(5) } });
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
    const { client } = await connectAgent(test);
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
});
