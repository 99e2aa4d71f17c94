import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROGRAM_ROOMS, programDigest } from '../../src/pipeline/program.ts';
import { importsOf, roomOf, sourceTexts } from '../support/house-rules.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a program is another when one of its files is, as source and compiled; a package may bring its digest', (t) => {
  const src = tempFolder(t);
  for (const room of PROGRAM_ROOMS) mkdirSync(join(src, room));
  const seen = new Set([programDigest(src)]);
  for (const name of ['sunlight/kernel.ts', 'sunlight/kernel.js', 'sunlight/kernel.wasm', 'city/square-file.js']) {
    for (const text of ['one', 'other']) {
      writeFileSync(join(src, name), text);
      const digest = programDigest(src);
      assert.ok(!seen.has(digest), `${name}: ${text}`);
      seen.add(digest);
    }
  }
  writeFileSync(join(src, 'sunlight', 'notes.md'), 'what decides nothing');
  assert.ok(seen.has(programDigest(src)));
  writeFileSync(join(src, 'program.sha256'), 'abc\n');
  assert.equal(programDigest(src), 'abc');
});

test('the digest is over every room from which a build takes code', () => {
  const imports = new Map(sourceTexts('src').map((file) => [file.path, importsOf(file)]));
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const target of imports.get(path) ?? []) if (target.startsWith('src/')) follow(target);
  };
  for (const path of imports.keys()) if (roomOf(path) === 'pipeline') follow(path);
  assert.deepEqual([...new Set([...reached].map(roomOf))].sort(), [...PROGRAM_ROOMS].sort());
});
