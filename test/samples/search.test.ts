import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { DatasetFiles } from '../../src/dataset/files.ts';
import { KaigoStore } from '../../src/dataset/kaigo-store.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { publishDataset, startDraft } from '../../src/dataset/publish.ts';
import { writeSearchIndex } from '../../src/dataset/search-index.ts';
import { placesOf } from '../../src/dataset/search-places.ts';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { TOWNS_FILE, TownDirectory } from '../../src/dataset/towns.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { buildKaigo } from '../../src/pipeline/kaigo.ts';
import { readTownPaths } from '../../src/pipeline/towns.ts';
import { bulkWriter, CREDIT, draftManifest, encoded } from '../dataset/support/dataset.ts';
import { records } from '../dataset/support/records.ts';
import { ROOT } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const RECORDS = fc
  .sample(records, { numRuns: 20, seed: 3 })
  .map((record, i) => ({ ...record, buildingId: `13101-bldg-${100 + i}`, townCode: null }));

describe('search on the real sample', () => {
  let dataset: Dataset;
  let folder: string;
  const cleanups: (() => void)[] = [];

  before(async () => {
    const out = tempFolder({ after: (cleanup: () => void) => void cleanups.push(cleanup) } as never);
    const sample = (name: string): string => join(ROOT, 'samples/real', name);
    const draft = await startDraft(out);
    const { towns } = await readTownPaths([sample('census.zip')], sample('postal.zip'));
    const rows = await writeSunlight(draft, encoded(RECORDS), towns, CREDIT, bulkWriter(RECORDS));
    const asOf = '2026-06-01';
    const kaigo = await buildKaigo({ offices: [sample('offices.zip')], details: [], fees: null, asOf, out: draft });
    for (const { name, rows: count } of kaigo.files) if (count !== undefined) rows[name] = count;
    await writeSearchIndex(draft, { sunlight: true, kaigo: true });
    const plain = draftManifest(CREDIT.dataset_id);
    const manifest = { ...plain, halves: { ...plain.halves, kaigo: kaigo.manifest } };
    folder = await publishDataset(out, draft, manifest, { rows });
    dataset = await openDataset(folder);
  });
  after(async () => {
    await dataset.close();
    for (const cleanup of cleanups) cleanup();
  });

  /** Query, kind of the first result, and its name or the beginning of it. */
  const TABLE = [
    ['大手町一丁目', 'town', '大手町一丁目'],
    ['大手町１丁目', 'town', '大手町一丁目'],
    ['大手町1-3', 'town', '大手町一丁目'],
    ['東京都千代田区大手町1-3', 'town', '大手町一丁目'],
    ['丸ノ内', 'town', '丸の内'],
    ['駿河台', 'town', '神田駿河台'],
    ['Marunouchi', 'town', '丸の内'],
    ['Nihonbashi', 'town', '日本橋'],
    ['千代田区', 'municipality', '千代田区'],
    ['131016', 'municipality', '千代田区'],
  ] as const;
  for (const [query, kind, name] of TABLE) {
    it(query, () => {
      const [first] = dataset.search.find(query, query === '千代田区' ? 'municipality' : null, 10);
      assert.equal(first?.kind, kind);
      assert.ok(first?.name.startsWith(name), first?.name);
    });
  }

  it('kanda, かんだ and 神田 find the same towns of Kanda', () => {
    const names = (query: string) => dataset.search.find(query, 'town', 20).map(({ name }) => name.slice(0, 2));
    for (const query of ['kanda', 'かんだ', 'カンダ', '神田'])
      assert.ok(
        names(query)
          .slice(0, 5)
          .every((name) => name === '神田'),
      );
  });

  it('an exact building ID comes first, the beginning of one lists those that begin so', () => {
    const id = '13101-bldg-107';
    assert.equal(dataset.search.find(id, null, 10)[0]?.id, id);
    assert.ok(
      dataset.search.find(id.slice(0, 12), 'building', 20).every((place) => place.id.startsWith(id.slice(0, 12))),
    );
  });

  it('every name and reading finds itself', async () => {
    const files = await DatasetFiles.open(folder, dataset.manifest);
    cleanups.push(() => files.close());
    const places = placesOf(TownDirectory.parse(await files.read(TOWNS_FILE)), await KaigoStore.open(files));
    assert.ok(places.length > 1000);
    for (const { kind, name, reading } of places) {
      for (const text of reading === null ? [name] : [name, reading]) {
        const found = dataset.search.find(text, kind, 20);
        assert.ok(
          found.some((place) => place.name === name || place.reading === reading),
          `${kind} ${text}`,
        );
      }
    }
  });

  it('an index that is not that of the names is told by verify', async () => {
    const { differences, checked } = await verifyDataset(folder);
    assert.deepEqual(differences, []);
    assert.ok((checked.names ?? 0) > 1000);
  });
});
