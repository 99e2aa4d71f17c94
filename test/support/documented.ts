import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

/**
 * Asserts that the part of a page between `<!-- NAME -->` and `<!-- /NAME -->` is `expected`, which was made from the
 * code. With UPDATE_DOCS=1 the page is rewritten instead.
 */
export function assertDocumented(page: string, name: string, expected: string): void {
  const path = join(ROOT, page);
  const text = readFileSync(path, 'utf8');
  const [start, end] = [`<!-- ${name} -->\n\n`, `\n<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)];
  assert.ok(from >= start.length && to > 0, `${page} has no part ${name}`);
  if (process.env.UPDATE_DOCS === '1') {
    writeFileSync(path, text.slice(0, from) + expected.trimEnd() + text.slice(to));
    return;
  }
  assert.equal(
    text.slice(from, to),
    expected.trimEnd(),
    `${page} is behind the code: UPDATE_DOCS=1 npm test rewrites it`,
  );
}
