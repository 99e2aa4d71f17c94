import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { built, fingerprints } from '../pipeline/run-build.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { builtByQueue, Machine } from '../work/machines.ts';

// BullMQ refuses job IDs of digits only. The default name of a run is 16 hexadecimal digits of a hash: one program and
// input in 1,800 has a name without letters. The build then waited for ever.
it('a build on a queue whose run has a name of digits ends', { skip: skipWithoutRedis, timeout: 60_000 }, async (t) => {
  const folder = tempFolder({ after });
  const at = (name: string): string => join(folder, name);
  await writeFiles(at('city'), { 'town.gml': cityGml(rowsOfHouses(8)) });
  const { url } = await RedisServer.start(t);
  new Machine(t, { queue: url, store: at('store') });
  const options = { out: at('data'), citygml: [at('city')] };
  const dataset = await builtByQueue(url, new DirectoryStore(at('store')), options, { run: '6819593852760256' });
  const { dataset: expected } = await built({ ...options, out: at('whole') });
  assert.deepEqual(await fingerprints(dataset), await fingerprints(expected));
});
