import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ISSUE_KINDS } from '../../src/plateau/building.ts';

test('docs/reader.md lists every kind of issue as the program describes it', () => {
  const page = readFileSync(new URL('../../docs/reader.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map((match) => [match[1], match[2]]);
  const issues = rows.filter(([kind]) => kind! in ISSUE_KINDS);
  assert.deepEqual(Object.fromEntries(issues), ISSUE_KINDS);
});
