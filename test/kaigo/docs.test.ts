import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BUILT_IN_FEES, BUILT_IN_MAPPINGS, BUILT_IN_REGISTERS } from '../../src/kaigo/facts/built-in.ts';
import { DETAIL_FIELDS } from '../../src/kaigo/lists/details.ts';
import { checkDetailMapping, checkFilingMapping, checkRegisterMapping } from '../../src/kaigo/lists/mapping-check.ts';
import { REGISTER_FIELDS } from '../../src/kaigo/lists/registers.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { SERVICES } from '../../src/kaigo/services.ts';

const doc = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('every service is documented', () => {
  const text = doc('kaigo.md');
  for (const { service_code } of SERVICES) assert.ok(text.includes(service_code), service_code);
});

test('every field of a mapping is documented with its form; the example and the built-in mappings are valid', () => {
  const text = doc('details-mapping.md');
  for (const [name, form] of Object.entries(DETAIL_FIELDS)) assert.ok(text.includes(`| \`${name}\` | ${form} |`), name);
  for (const mapping of BUILT_IN_MAPPINGS) checkDetailMapping(mapping, 'built in');
  checkDetailMapping(JSON.parse(/```json\n([\s\S]*?)```/.exec(text)![1]!), 'docs/details-mapping.md');
});

test('the fields of registers are documented; the example mappings are valid', () => {
  const text = doc('registers.md');
  for (const name of Object.keys(REGISTER_FIELDS)) assert.ok(text.includes(`\`${name}\``), name);
  const [register, filings] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json!));
  checkRegisterMapping(register, 'docs/registers.md', '2026-10-01');
  for (const { isBuiltIn: _, ...mapping } of BUILT_IN_REGISTERS)
    checkRegisterMapping(mapping, 'built in', '2026-10-01');
  const known = new Set((BUILT_IN_FEES.filed_additions ?? []).map(({ id }) => id));
  checkFilingMapping(filings, 'docs/registers.md', known, '2026-10-01');
});

test('the price lists are those of the built-in table', () => {
  const listed = [...doc('kaigo-fees.md').matchAll(/^\| (\d{4}-\d{2}-\d{2}) \| `(\d{4}-\d{2}-\d{2})`/gm)];
  const froms = [BUILT_IN_FEES.treatment_rates, BUILT_IN_FEES.food, BUILT_IN_FEES.residence]
    .flat()
    .map(({ from }) => from);
  assert.deepEqual(
    listed.map(([, from]) => from),
    [...new Set(froms)].sort(),
  );
  for (const [, from, name] of listed) assert.equal(priceListOn(BUILT_IN_FEES, from!).date, name);
  for (const section of Object.keys(BUILT_IN_FEES).slice(3))
    assert.ok(doc('kaigo-fees.md').includes(`\`${section}\``), section);
});
