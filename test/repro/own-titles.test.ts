import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

// Titles and descriptions that many pages had in common.
it('the title or the description of a page names the building, the prefecture or the municipality that it is about', async (t) => {
  const { url } = await startServer(t);
  const headOf = async (path: string): Promise<[title: string, description: string]> => {
    const text = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    const [, title = ''] = /<title>([^<]*)/.exec(text) ?? [];
    const [, description = ''] = /<meta name="description" content="([^"]*)/.exec(text) ?? [];
    return [title, description];
  };
  const { building, facility } = KNOWN;
  for (const language of ['', '/en']) {
    for (const view of ['what-if/', '3d/']) {
      for (const text of await headOf(`${language}/sunlight/building/${building}/${view}`)) {
        assert.ok(text.includes(building), text);
      }
    }
    const [title, description] = await headOf(`${language}/kaigo/13/`);
    assert.match(title, /東京都|Tokyo/);
    assert.match(description, /^(東京都|Tokyo)/);
    for (const view of ['', 'visit/']) {
      for (const text of await headOf(`${language}/kaigo/facility/${facility}/${view}`)) assert.match(text, /千代田区/);
    }
  }
});
