import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { type Json, METHOD } from '../support/agents.ts';
import { type ServerChoices, startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

async function agents(t: TestContext, choices: ServerChoices = {}) {
  const server = await startServer(t, { ...choices, mcp: { version: '1.2.3', method: METHOD } });
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, messages: messagesOf(text) };
  };
  return { ...server, post };
}

/** The messages of an answer, as JSON or as events. */
function messagesOf(text: string): Json[] {
  const parts = text.startsWith('event:') ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : [text];
  return parts.flatMap((part) => {
    try {
      return JSON.parse(part ?? '');
    } catch {
      return [];
    }
  });
}

const CREDITS = { method: 'resources/read', params: { uri: 'hidamari://credits' } };
const message = (id: number, what: object = CREDITS) => ({ jsonrpc: '2.0', id, ...what });
const batch = (length: number) => Array.from({ length }, (_, i) => message(i));

test('every message at /mcp counts, whatever it is and whatever becomes of it', async (t) => {
  const { post } = await agents(t, { limiters: { api: new MemoryRateLimiter(6) } });
  const unknownArgument = { method: 'tools/call', params: { name: 'find_place', arguments: { nothing: 1 } } };
  await post(message(1));
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await post('not JSON');
  await post(message(2, unknownArgument));
  const two = await post(batch(2));
  assert.equal(two.messages.length, 2);
  const over = await post(message(7));
  assert.deepEqual([over.status, over.messages[0]?.id, over.messages[0]?.error?.data?.status], [200, 7, 429]);
  assert.match(over.messages[0].error.message, /try again in \d+ s/);
  assert.ok(Number(over.headers.get('retry-after')) > 0);
  // No client waits for an answer to it.
  assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 429);
});

test('a call counts once, with the first operation that it asks; every further one counts too', async (t) => {
  const { post, url } = await agents(t, { limiters: { api: new MemoryRateLimiter(4) } });
  const call = (name: string, given: object) => ({ method: 'tools/call', params: { name, arguments: given } });
  const short = await post(message(1, call('building_sun', { building_id: KNOWN.building })));
  assert.notEqual(short.messages[0]?.result?.isError, true);
  const ids = [KNOWN.facility, '1399999999'];
  const both = await post(message(2, call('compare_care_facilities', { facility_ids: ids })));
  assert.notEqual(both.messages[0]?.result?.isError, true);
  assert.equal((await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}`)).status, 200);
  assert.equal((await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}`)).status, 429);
});

test('a batch has at most ten messages; a longer one is refused at once and counts as one', async (t) => {
  const { post } = await agents(t, { limiters: { api: new MemoryRateLimiter(12) } });
  const long = await post(batch(100));
  assert.equal(long.status, 400);
  assert.deepEqual(long.messages[0]?.id, null);
  assert.equal(long.messages[0]?.error?.code, -32_600);
  assert.match(long.messages[0].error.message, /at most 10 messages, and this one has 100/);
  assert.equal((await post(batch(10))).messages.length, 10);
  assert.equal((await post(batch(10))).messages.length, 10, 'each refused by its ID');
  assert.equal((await post(message(1))).messages[0]?.error?.data?.status, 429);
});

test('a refusal repeats no long id and no long header', async (t) => {
  const { url } = await agents(t);
  const long = 'a'.repeat(60_000);
  const tries = [
    { id: long, headers: {} },
    { id: long, headers: { 'mcp-protocol-version': '2026-07-28' } },
    ...['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => ({
      id: 'a',
      headers: { [name]: long.slice(0, 9000) },
    })),
  ];
  for (const { id, headers } of tries) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
    const accept = 'application/json, text/event-stream';
    const asked = { method: 'POST', headers: { 'content-type': 'application/json', accept, ...headers }, body };
    const answer = await fetch(`${url}/mcp`, asked);
    const text = await answer.text();
    assert.equal(answer.status, 400);
    assert.ok(text.length < 8192, `${text.length} characters`);
    assert.match(text, /at most \d+ characters/);
  }
});

test('credits name the sources of both halves, and are made once', async (t) => {
  const { post, dataset } = await agents(t);
  const first = await post(message(1));
  dataset.kaigo!.municipalities = () => assert.fail('the list of municipalities is read');
  const { messages, text } = await post(message(1));
  assert.equal(text, first.text);
  const credits = JSON.parse(messages[0].result.contents[0].text);
  const { sunlight, kaigo } = dataset.manifest.halves;
  assert.deepEqual(credits.source, [...sunlight!.sources, ...kaigo!.sources]);
  assert.ok(credits.attribution.includes(sunlight!.attribution) && credits.attribution.includes(kaigo!.attribution));
});

test('ten calls in one request are no leak of listeners', async (t) => {
  const { post } = await agents(t);
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  t.after(() => process.off('warning', hear));
  const call = { method: 'tools/call', params: { name: 'building_sun', arguments: { building_id: KNOWN.building } } };
  await post(Array.from({ length: 10 }, (_, i) => message(i, call)));
  await post(batch(10));
  assert.deepEqual(warnings, []);
});

test('a message that is nested without end is refused, also where its arguments are written as text', async (t) => {
  const { post } = await agents(t);
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const call = (given: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_place","arguments":${given}}}`;
  const refused = await post(call(`{"query":${deep}}`));
  assert.equal(refused.status, 400);
  assert.match(refused.messages[0]?.error.message, /at most 32 levels/);
  const asText = await post(call(JSON.stringify(`{"query":${deep}}`)));
  assert.equal(asText.messages[0]?.result?.isError, true);
  assert.match(asText.text, /takes its arguments as an object/);
});
