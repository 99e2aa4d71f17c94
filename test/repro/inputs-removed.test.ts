import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Replica } from '../fetch/replica.ts';
import { fetchAll, inputs, publish } from '../fetch/support.ts';

const replica = new Replica();
before(() => replica.listen());
after(() => replica.close());

const LIST = 'offices/jigyosho_520.csv';

// The record of sources names the earlier list, which is to be moved away. When it had been removed, the whole run
// ended with ENOENT.
test('an office list that was removed or damaged in the inputs folder is fetched again, and is no earlier version', async (t) => {
  const { options } = publish(replica, t);
  const run = { ...options, kinds: new Set(['offices'] as const) };
  const spoilt = [(path: string) => rmSync(path), (path: string) => writeFileSync(path, 'damaged')];
  for (const [i, spoil] of spoilt.entries()) {
    await fetchAll(run);
    spoil(join(options.into, LIST));
    replica.put('/care/jigyosho_520.csv', `newer,list ${i}\n`);
    assert.equal((await fetchAll(run)).fetched, 1);
    assert.equal(inputs(options, LIST), `newer,list ${i}\n`);
    assert.ok(!existsSync(join(options.into, 'earlier')));
  }
  replica.put('/care/jigyosho_520.csv', 'newest,list\n');
  await fetchAll(run);
  assert.equal(readdirSync(join(options.into, 'earlier/offices')).length, 1);
});
