import { test } from 'node:test';
import { PUBLISHED } from '../../src/building/attributes.ts';
import { assertDocumented } from '../support/documented.ts';
import { table } from '../support/reference-markdown.ts';

test('the documentation lists every attribute that is read, with its elements', () => {
  const rows = PUBLISHED.map(({ key, from: { elements, extendedKey, unknown = [], most, ofSeveral } }) => {
    const extended = extendedKey === undefined ? [] : [`key ${extendedKey} of \`uro:extendedAttribute\` (i-UR 1.x)`];
    const places = [...elements.map((name) => `\`${name}\``), ...extended];
    const tooLarge = most === undefined ? [] : [`above ${most.toLocaleString('en-US')}`];
    return [`\`${key}\``, places.join(', '), ofSeveral, [...unknown, ...tooLarge].join(', ')];
  });
  const head = ['value', 'element', 'which of several values', 'values that mean unknown'];
  assertDocumented('docs/reader.md', 'attributes', table(head, rows));
});
