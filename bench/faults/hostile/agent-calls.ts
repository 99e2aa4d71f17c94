import { TOOL_NAMES } from '../../../src/contract/operation.ts';
import type { Draw } from './draw.ts';
import { oddText } from './odd-texts.ts';
import type { Values } from './targets.ts';

/** A call of an agent, or a request that only looks like one. */
interface AgentCall {
  method: string;
  headers: string[];
  body: Buffer;
}

export function agentCall(values: Values, draw: Draw): AgentCall {
  const isUsual = draw.is(0.7);
  const method = isUsual ? 'POST' : draw.of(['GET', 'HEAD', 'DELETE', 'PUT', 'POST', 'OPTIONS']);
  const type = isUsual
    ? 'application/json'
    : draw.of(['text/plain', 'application/json; charset=utf-7', '', 'multipart/form-data', 'a/b'.repeat(500)]);
  const accept = isUsual
    ? 'application/json, text/event-stream'
    : draw.of(['*/*', 'application/json', 'text/event-stream', '', 'x']);
  const headers = [`Content-Type: ${type}`, `Accept: ${accept}`];
  if (draw.is(0.2))
    headers.push(
      `MCP-Protocol-Version: ${draw.of(['2025-06-18', '2025-03-26', '1', 'DRAFT', '', oddText(draw).slice(0, 200)])}`,
    );
  if (draw.is(0.2)) headers.push(`Mcp-Session-Id: ${draw.of(['x', '', 'a'.repeat(4000)])}`);
  if (draw.is(0.1)) headers.push(`Origin: ${draw.of(['null', 'http://evil.example', 'http://localhost'])}`);
  return { method, headers, body: bodyOf(values, draw) };
}

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

/** Bodies that are not JSON-RPC messages or not JSON. */
const ODD_BODIES: readonly string[] = [
  ...[
    '',
    ' ',
    'null',
    '0',
    '""',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '{',
    '"',
    '[1,2',
    'NaN',
    "{'a':1}",
    '{"jsonrpc":"2.0"}',
    '\ufeff{}',
  ],
  ...[
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":null,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  ],
  ...[
    '{"jsonrpc":"2.0","id":1,"method":null}',
    '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
  ],
  ...[
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"a"}}',
    '{"__proto__":{"a":1},"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  ],
  ...[
    '{"jsonrpc":"2.0","id":1e999,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"tools/list"}',
    '{"jsonrpc":"2.0","id":"\\ud800","method":"\\udfff"}',
  ],
  nested('[', ']', 20_000),
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_place","arguments":${nested('[', ']', 10_000)}}}`,
  `[${'{"jsonrpc":"2.0","id":1,"method":"tools/list"},'.repeat(1000)}{}]`,
  `{"jsonrpc":"2.0","id":${'9'.repeat(10_000)},"method":"ping"}`,
  `{"jsonrpc":"2.0","id":"${'a'.repeat(60_000)}","method":"ping"}`,
  `{"jsonrpc":"2.0","id":1,"method":"${'a'.repeat(60_000)}"}`,
  '['.repeat(65_000),
  'a'.repeat(70_000),
];

function bodyOf(values: Values, draw: Draw): Buffer {
  if (draw.is(0.25)) return Buffer.from(draw.of(ODD_BODIES));
  if (draw.is(0.05)) return Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00, 0xc0, 0xaf, draw.below(256)]);
  if (draw.is(0.7)) return Buffer.from(JSON.stringify(messageOf(values, draw, 1)));
  const count = draw.of([1, 2, 10, 11, 50, 100]);
  return Buffer.from(
    JSON.stringify(Array.from({ length: count }, (_, i) => messageOf(values, draw, i))).slice(0, 66_000),
  );
}

const METHODS = [
  'tools/list',
  'resources/list',
  'prompts/list',
  'ping',
  'initialize',
  'logging/setLevel',
  'completion/complete',
];
const URIS = [
  'hidamari://credits',
  'hidamari://method',
  'hidamari://municipalities',
  'hidamari://',
  'file:///etc/passwd',
  '',
  'x'.repeat(5000),
  '../..',
];

function messageOf(values: Values, draw: Draw, id: number): object {
  const jsonrpc = draw.is(0.97) ? '2.0' : draw.of(['1.0', 2, null]);
  const kind = draw.of(['call', 'call', 'call', 'read', 'other', 'notification']);
  if (kind === 'read') return { jsonrpc, id, method: 'resources/read', params: { uri: draw.of(URIS) } };
  if (kind === 'other')
    return { jsonrpc, id, method: draw.of(METHODS), params: draw.of([{}, undefined, [], 1, { cursor: 'x' }]) };
  if (kind === 'notification')
    return { jsonrpc, method: draw.of(['notifications/initialized', 'notifications/cancelled', 'x']) };
  const name = draw.is(0.9) ? draw.of(TOOL_NAMES) : draw.of(['__proto__', 'toString', '', 1, null, 'find_places']);
  return { jsonrpc, id, method: 'tools/call', params: { name, arguments: argumentsOf(values, draw) } };
}

const NAMES = [
  'building_id',
  'ids',
  'lat',
  'lon',
  'radius_m',
  'q',
  'query',
  'municipality_code',
  'service_code',
  'facility_id',
  'floor',
  'face',
  'limit',
  'sort',
  'page',
  'ward_code',
  'half',
];

function argumentsOf(values: Values, draw: Draw): unknown {
  if (draw.is(0.05)) return draw.of([null, [], 'x', 1, true]);
  if (draw.is(0.03)) return Object.fromEntries(Array.from({ length: draw.of([100, 3000]) }, (_, i) => [`a${i}`, i]));
  return Object.fromEntries(Array.from({ length: draw.from(0, 5) }, () => [draw.of(NAMES), argument(values, draw)]));
}

function argument(values: Values, draw: Draw): unknown {
  const known = [...Object.values(values).flat(), '13101'];

  if (draw.is(0.6)) return draw.is(0.3) ? Number(draw.of(known)) : draw.of(known);
  return draw.of([
    null,
    true,
    -1,
    0,
    1e308,
    1.5,
    '',
    oddText(draw).slice(0, 3000),
    [],
    {},
    [draw.of(known), draw.of(known)],
    { __proto__: null },
  ]);
}
