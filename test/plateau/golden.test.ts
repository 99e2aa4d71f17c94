import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readAll } from './read-all.ts';

/**
 * Every `NAME.gml` of the folder is read and compared with `NAME.json` beside it. A new pair is picked up by itself;
 * `GOLDEN=write node --test test/plateau/golden.test.ts` writes what is read now, to be looked at before it is kept.
 */
const folder = fileURLToPath(new URL('../golden/plateau/', import.meta.url));

for (const file of globSync('*.gml', { cwd: folder }).sort()) {
  test(`golden: ${file}`, () => {
    const document = readFileSync(folder + file);
    const read = plain(readAll(document, file));
    const golden = folder + file.replace(/\.gml$/, '.json');
    if (process.env.GOLDEN === 'write') writeFileSync(golden, `${layout(read)}\n`);
    assert.deepEqual(read, JSON.parse(readFileSync(golden, 'utf8')));
    // Split at every byte: the same.
    assert.deepEqual(plain(readAll(document, file, 1)), read);
  });
}

/** As JSON has it. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Float64Array ? [...part] : part)));

/** Indented, with each ring on one line. */
const layout = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(
    /\[\s+(-?\d[\d\s.,e-]*)\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, ' ').trim()}]`,
  );
