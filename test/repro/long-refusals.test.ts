import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { METHOD } from '../support/agents.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const MOST = 8000;
/** The frame of a page has the same length for all. */
const MOST_PAGE = 20_000;

const NEAR = '/api/v1/sunlight/near';
const fill = (one: (i: number) => string, bytes: number, between = '&'): string => {
  let text = one(0);
  for (let i = 1; text.length + one(i).length < bytes; i++) text += between + one(i);
  return text;
};

const QUERIES: Record<string, string> = {
  'unknown names': fill((i) => `x${i}`, 15_000),
  'names like a known one': fill((i) => `la${i}`, 15_000),
  'the same undecodable pair': fill(() => '%zz', 15_000),
  'undecodable pairs': fill((i) => `%z${i}`, 15_000),
  'long names of control characters': fill((i) => `${'%01'.repeat(79)}${i}`, 15_000),
  'one name, thousands of times': fill(() => 'lat=1', 15_000),
  'one long value': `lat=${'%01'.repeat(4900)}`,
  'quotation marks as they are': `lat=${'"'.repeat(14_000)}`,
  'high bytes as they are': `lat=${'ÿ'.repeat(7000)}`,
};
const PATHS = [
  NEAR,
  '/api/v1/sunlight/buildings',
  '/api/v1/kaigo/municipality/131016/510',
  '/compare/index.json',
  '/kaigo/near/index.json',
  '/kaigo/compare/index.json',
  '/api/nowhere',
];

async function body(port: number, target: string, accept: string): Promise<{ status: number; text: string }> {
  const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`;
  const answer = await rawExchange(port, Buffer.from(head, 'latin1'), 'latin1');
  return { status: Number(answer.slice(9, 12)), text: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

for (const [name, query] of Object.entries(QUERIES)) {
  test(`a refusal has a bound: ${name}`, async (t) => {
    const { port } = await startServer(t);
    for (const path of PATHS) {
      const { status, text } = await body(port, `${path}?${query}`, 'application/json');
      if (status < 400) continue;
      assert.ok(text.length <= MOST, `${path}: ${status}, ${text.length} bytes`);
      const { errors = [] } = JSON.parse(text) as { errors?: object[] };
      assert.ok(errors.length <= 10);
      assert.equal(new Set(errors.map((error) => JSON.stringify(error))).size, errors.length, 'each once');
    }
  });

  test(`a page that says what was wrong has a bound: ${name}`, async (t) => {
    const { port } = await startServer(t, { limiters: { pages: new MemoryRateLimiter(2) } });
    const building = `/sunlight/building/${KNOWN.building}/`;
    for (const path of [`/en${building}`, '/en/nowhere/', building, '/kaigo/near/']) {
      const { status, text } = await body(port, `${path}?month=13&${query}`, 'text/html');
      assert.ok(status >= 400, `${path}: ${status}`);
      assert.ok(text.length <= MOST_PAGE, `${path}: ${status}, ${text.length} bytes`);
    }
  });
}

test('a refusal says how many things are wrong that it does not list, the known parameters first', async (t) => {
  const { url } = await startServer(t);
  const answer = await fetch(`${url}${NEAR}?${fill((i) => `x${i}`, 2000)}&lat=1`);
  const { detail, errors } = (await answer.json()) as { detail: string; errors: { parameter: string }[] };
  assert.deepEqual(
    errors.slice(0, 3).map(({ parameter }) => parameter),
    ['lat', 'lon', 'x0'],
  );
  assert.match(detail, /\d+ more things are wrong\.$/);
});

test('a long path that is refused makes no long page', async (t) => {
  const { port } = await startServer(t);
  for (const path of [
    `/en/${'"'.repeat(15_000)}`,
    `/sunlight/building/${'&'.repeat(15_000)}/`,
    `/${'ÿ'.repeat(7000)}/`,
  ]) {
    const { status, text } = await body(port, path, 'text/html');
    assert.ok(status >= 400 && text.length <= MOST_PAGE, `${status}, ${text.length} bytes`);
    const problem = await body(port, path, '*/*');
    assert.ok(problem.text.length <= MOST, `${problem.status}, ${problem.text.length} bytes`);
  }
});

const CALLS: Record<string, (room: number) => object> = {
  'unknown arguments': (room) => call('building_sun', Object.fromEntries(names(room, (i) => `x${i}`))),
  'unknown arguments that need escapes': (room) =>
    call('building_sun', Object.fromEntries(names(room, (i) => `${'\u0001'.repeat(80)}${i}`))),
  'a long wrong value': (room) => call('building_sun', { building_id: '\u0001'.repeat(room / 6) }),
  'a wrong service': (room) => call('find_care_facilities', { service_code: '\u0001'.repeat(room / 6), month: {} }),
  'a long list': (room) => call('compare_buildings', { building_ids: Array(room / 2).fill(1) }),
  'arguments that are no object': (room) => call('find_place', Array(room / 2).fill(1)),
  'a long name of a tool': (room) => call('\u0001'.repeat(room / 6), {}),
  'a long name of a resource': (room) => ({ method: 'resources/read', params: { uri: '\u0001'.repeat(room / 6) } }),
  'a resource that is no text': (room) => ({ method: 'resources/read', params: { uri: Array(room / 2).fill(1) } }),
  'a long method': (room) => ({ method: '\u0001'.repeat(room / 6) }),
  'unknown members': (room) => ({ method: 'tools/list', ...Object.fromEntries(names(room, (i) => `x${i}`)) }),
  'unknown members of params': (room) => ({
    method: 'initialize',
    params: Object.fromEntries(names(room, (i) => `x${i}`)),
  }),
  'parameters of the wrong kinds': (room) => ({
    method: 'initialize',
    params: { protocolVersion: 1, capabilities: Object.fromEntries(names(room, (i) => `x${i}`)), clientInfo: 1 },
  }),
};
const call = (name: string, given: unknown) => ({ method: 'tools/call', params: { name, arguments: given } });
const names = (room: number, name: (i: number) => string): [string, number][] => {
  const entries: [string, number][] = [];
  let bytes = 0;
  while (bytes < room) {
    entries.push([name(entries.length), 1]);
    bytes += JSON.stringify(name(entries.length)).length + 3;
  }
  return entries;
};

async function refusalOf(t: TestContext, message: object) {
  const { url } = await startServer(t, { mcp: { version: '1.2.3', method: METHOD } });
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  return answer.text();
}

for (const [name, message] of Object.entries(CALLS)) {
  test(`what an agent is told has a bound: ${name}`, async (t) => {
    const text = await refusalOf(t, message(60_000));
    assert.match(text, /"(error|isError|detail)"/, text.slice(0, 200));
    assert.ok(Buffer.byteLength(text) <= MOST + 200, `${Buffer.byteLength(text)} bytes`);
  });
}
