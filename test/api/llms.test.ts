import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { startServer } from '../support/api-server.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

test('llms.txt links to an example of every operation, and the examples answer', async (t) => {
  const { url, dataset } = await startServer(t, { hasPages: true, offered: new Set(['sunlight-point']) });
  dataset.addBulk(Buffer.alloc(500));
  const response = await fetch(`${url}/llms.txt`);
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await response.text();
  assert.match(text, /^# Hidamari\n\n> /);
  const operations = OPERATIONS.filter(({ section }) => section !== 'site');
  for (const { path } of operations) assert.ok(text.includes(`\`GET ${path}\``), path);
  const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = '']) => link);
  assert.ok(links.length >= operations.length + 4);
  for (const link of links) assert.equal((await fetch(link)).status, 200, link);
  const lines = text.split('\n');
  for (const { path, parameters } of operations) {
    const line = lines.find((one) => one.includes(`\`GET ${path}\``)) ?? '';
    for (const { name, in: place } of parameters)
      if (place === 'query' && name !== 'dataset_id') assert.ok(line.includes(`\`${name}\``), `${path}: ${name}`);
  }
  assert.match(text, /`sort` \(id, cost, staff, opened, /);
  assert.match(text, /`service_code`: .*510 special nursing homes/i);
});

test('llms-full.txt has every parameter of every operation', async (t) => {
  const { url } = await startServer(t, { hasPages: true });
  const sections = (await (await fetch(`${url}/llms-full.txt`)).text()).split('\n### ');
  for (const { path, parameters, section } of OPERATIONS) {
    if (section === 'site') continue;
    const text = sections.find((one) => one.includes(`\`GET ${path}\`, `)) ?? '';
    for (const { name } of parameters) assert.ok(text.includes(`- \`${name}\` (`), `${path}: ${name}`);
  }
});
