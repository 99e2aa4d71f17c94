import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../src/contract/headers.ts';
import { PROBLEM_NAMES } from '../../src/contract/problems.ts';
import { assertDocumented } from '../support/documented.ts';
import { operationTables, table } from '../support/reference-markdown.ts';
import { ROOT } from '../support/run.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

test('docs/api.md has every operation with its parameters and cost, and every header of requests, as the contract states them', () => {
  assertDocumented('docs/api.md', 'operations', operationTables(OPERATIONS));
  const headers = Object.entries(REQUEST_HEADERS).map(([name, meaning]) => [`\`${name}\``, meaning]);
  assertDocumented('docs/api.md', 'request headers', table(['header', 'meaning'], headers));
});

/** Text of every source file below src/api. */
const apiSource = readdirSync(join(ROOT, 'src/api'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'src/api', name), 'utf8'))
  .join('\n');

test('no page speaks of an operation or a problem kind that does not exist', () => {
  const paths = OPERATIONS.map(
    ({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  for (const page of ['docs/api.md', 'docs/operating.md', 'docs/renewing.md', 'docs/monitoring.md', 'SECURITY.md']) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const [, path] of text.matchAll(/(\/(?:api\/v1|problems|schemas|sunlight|kaigo)\/[^\s`?)"'…*]*[\w/}])/g)) {
      assert.ok(
        paths.some((pattern) => pattern.test(path!)),
        `${page} speaks of ${path}`,
      );
    }
    for (const [, kind] of text.matchAll(/problem `([\w-]+)`/g)) {
      assert.ok((PROBLEM_NAMES as string[]).includes(kind!), `${page} speaks of the problem ${kind}`);
    }
  }
});

test('every problem kind is given by the service', () => {
  for (const kind of PROBLEM_NAMES) assert.ok(apiSource.includes(`'${kind}'`), kind);
});

test('the service sends no header that is not in the table', () => {
  const sent = [...apiSource.matchAll(/'([A-Z][\w]*(?:-[A-Z][\w]*)+|ETag|Vary|Allow|RateLimit)',\s/g)].map(
    ([, name]) => name!,
  );
  const everyServer = ['Content-Type', 'Content-Length'];
  const preflight = ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Max-Age'];
  assert.ok(new Set(sent).size > 10);
  for (const name of sent) {
    if (everyServer.includes(name) || preflight.includes(name) || name === 'Accept-Encoding') continue;
    assert.ok(name in RESPONSE_HEADERS || name in REQUEST_HEADERS, `${name} is not documented`);
  }
});

test('the service reads the headers of the table and no others', () => {
  const reads = apiSource.matchAll(/\brequest\.headers(?:Distinct)?(?:\.(\w+)|\['([\w-]+)'\])/g);
  const read = new Set([...reads].map(([, plain, quoted]) => plain ?? quoted!));
  read.delete('content-length'); // Every client sends it with a body: it asks for nothing.
  assert.deepEqual(
    [...read].sort(),
    Object.keys(REQUEST_HEADERS)
      .map((name) => name.toLowerCase())
      .sort(),
  );
});

test('every variable of the environment is documented, and none that is not read', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  const text = sources.map((name) => readFileSync(join(ROOT, 'src', name), 'utf8')).join('\n');
  const read = new Set([...text.matchAll(/(?:process\.env\.|secretOf\(')(\w+)/g)].map(([, name]) => name!));
  const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8').split('<!-- /secrets -->')[1]!;
  const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  assert.deepEqual(documented.sort(), [...read, 'NO_COLOR'].sort(), 'NO_COLOR is read by Node');
});
