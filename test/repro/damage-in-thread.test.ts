import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodeSquare, encodeSquare } from '../../src/city/square-file.ts';
import { computerOf } from '../../src/compute/computer.ts';
import { openNewest } from '../../src/dataset/open.ts';
import { startServer } from '../support/api-server.ts';
import { smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUSE = '13101-bldg-1';

/** A thread computes the answer of a floor. Damage that the thread finds must be reported as damage here, too. */
describe('damage that a compute thread meets', () => {
  const folder = tempFolder({ after });
  let whole: string;
  before(async () => {
    whole = await smallDataset(folder);
  });

  const cases: [string, (squares: string) => void][] = [
    ['a flipped bit in every page of the trees', (squares) => change(squares, '.tree', flipEveryKilobyte)],
    ['trees that are gone', (squares) => renameSync(squares, `${squares}-away`)],
    ['the squares of another dataset, whole in themselves', otherHeights],
    ['an index of squares with another byte', (squares) => change(squares, '.json', flipEveryKilobyte)],
  ];
  for (const [i, [what, damage]] of cases.entries()) {
    test(`${what}: 503 with Retry-After, known as damage, and 200 again once it is put right`, async (t) => {
      const data = join(folder, `damaged-${i}`);
      cpSync(whole, data, { recursive: true });
      const computer = computerOf(1, 60_000);
      t.after(() => computer.close());
      const open = (unless?: string, damaged?: ReadonlySet<string>) =>
        openNewest(data, { unless, ...(damaged && { damaged }) });
      const { url, service, log } = await startServer(t, { computer, open });
      const served = service.datasets.current.dataset;
      const squares = join(served.folder, 'squares');
      damage(squares);
      const path = `${url}/api/v1/sunlight/building/${HOUSE}/floor/1`;
      const refused = await fetch(path);
      assert.equal(refused.status, 503, await refused.text());
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      assert.equal(service.datasets.isDamaged, true);
      assert.equal(service.datasets.damagedReads, 1);
      assert.equal(log.filter(({ msg }) => msg === 'the dataset is damaged').length, 1);
      assert.equal((await fetch(`${url}/api/v1/sunlight/building/${HOUSE}`)).status, 200, 'the rest is right');

      cpSync(join(whole, served.manifest.dataset_id), served.folder, { recursive: true });
      await service.datasets.swap();
      assert.equal(service.datasets.isDamaged, false);
      const answer = await fetch(path);
      assert.equal(answer.status, 200, await answer.text());
    });
  }

  test('an answer comes back in memory of its own size, not with the pool of the thread', async (t) => {
    const computer = computerOf(1, 20_000);
    t.after(() => computer.close());
    const served = (await openNewest(whole)).dataset;
    assert.ok(served);
    await served.close();
    const demand = { kind: 'floor', buildingId: HOUSE, floor: 1 } as const;
    const { signal } = new AbortController();
    const json = await computer.reserve('a')?.compute({ folder: served.folder, demand }, signal);
    assert.ok(json && json.length > 1000);
    assert.equal(json.buffer.byteLength, json.length);
  });
});

/** Changes heights and places, but keeps valid files of the same length: only the manifest shows the difference. */
function otherHeights(squares: string): void {
  for (const name of readdirSync(squares).filter((one) => one.endsWith('.square'))) {
    const path = join(squares, name);
    const bytes = readFileSync(path);
    const { square, more } = decodeSquare<object>(bytes, path);
    // Equal points compress better, which leaves room for the padding.
    const lat = square.lat.map(() => square.lat[0]!);
    const lon = square.lon.map(() => square.lon[0]!);
    const changed = (height: number, pad: string) =>
      encodeSquare(
        { ...square, lat, lon, top: square.top.map((_, i) => height + (i % 3) / 7), base: square.base.map(() => 0) },
        { pad },
        more,
      );
    const missing = (height: number): number => bytes.length - changed(height, '').length;
    const heights = Array.from({ length: 100 }, (_, i) => 50 + i / 7);
    const height = heights.find((one) => missing(one) >= 0 && missing(one) % 8 === 0);
    assert.ok(height, `${name}: no such heights pack to ${bytes.length} bytes`);
    writeFileSync(path, changed(height, 'x'.repeat(missing(height))));
    assert.equal(readFileSync(path).length, bytes.length);
  }
}

function change(squares: string, ending: string, how: (bytes: Buffer) => void): void {
  const names = readdirSync(squares).filter((name) => name.endsWith(ending));
  assert.ok(names.length > 0, `no ${ending}`);
  for (const name of names) {
    const bytes = readFileSync(join(squares, name));
    how(bytes);
    writeFileSync(join(squares, name), bytes);
  }
}

function flipEveryKilobyte(bytes: Buffer): void {
  for (let at = 100; at < bytes.length; at += 1024) bytes[at]! ^= 4;
}
