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

test('one building is no plural in English', () => {
  const { sunlight, map, whatIf } = en!;
  for (const text of [
    sunlight.townSentence(1, '2.00 h', '1.00 h'),
    sunlight.wardBuildingsLead(1),
    sunlight.neighboursUnknown(1),
    map.townMeanOf.replace('{}', '1'),
    whatIf.shadowNeighbours('1'),
  ])
    assert.doesNotMatch(text, /\b1 buildings/);
  assert.match(sunlight.townSentence(1309, '2.00 h', '1.00 h'), /the mean of 1,309 buildings is/);
});
