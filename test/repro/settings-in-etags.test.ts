import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BASE_MAP = ['--base-map', 'https://maps.example/{z}/{x}/{y}.png', '--base-map-credit'];

// With equal tags, browsers and CDNs kept the page with the old credit until the next dataset.
it('a page that shows a setting has another ETag with another setting', async (t) => {
  const args = ['--data', await smallDataset(tempFolder(t)), '--site-url', 'http://localhost'];
  const tags: (string | null)[] = [];
  for (const more of [[], [...BASE_MAP, 'A'], [...BASE_MAP, 'B'], [...BASE_MAP, 'B']]) {
    const port = await freePort();
    await serveCity(t, [...args, '--port', String(port), ...more], 'ignore');
    tags.push((await fetch(`http://127.0.0.1:${port}/map/`)).headers.get('etag'));
  }
  const [none, a, b, again] = tags;
  assert.ok(none);
  assert.equal(new Set([none, a, b]).size, 3);
  assert.equal(again, b, 'servers with equal settings have equal tags');
});
