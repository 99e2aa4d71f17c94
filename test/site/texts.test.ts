import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsOf } from '../../src/site/view.ts';

const [ja, en] = (['ja', 'en'] as const).map((language) => textsOf({ language }));

/** Every key of nested texts with what kind of text it is. */
function keysOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, member]) =>
    member !== null && typeof member === 'object'
      ? keysOf(member, `${path}${key}.`)
      : [`${path}${key}: ${typeof member}`],
  );
}

test('both languages have the same texts', () => {
  assert.deepEqual(keysOf(en!).sort(), keysOf(ja!).sort());
});

test('no text is empty, and English has no Japanese but names', () => {
  const texts = (value: object): string[] =>
    Object.values(value).flatMap((member) =>
      typeof member === 'string' ? [member] : typeof member === 'object' ? texts(member) : [],
    );
  for (const text of [...texts(ja!), ...texts(en!)]) assert.notEqual(text.trim(), '');
});
