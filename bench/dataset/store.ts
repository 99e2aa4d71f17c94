import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../../src/dataset/open.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../src/dataset/sunlight-store.ts';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { writeWardBulk } from '../../src/export/sunlight-bulk.ts';
import { wardCodeOf } from '../../src/record/building-record.ts';
import { decodeBody, decodeHead, decodeRecord } from '../../src/record/codec.ts';
import { packFaceHours } from '../../src/record/face-hours.ts';
import { openFiles } from '../../src/snapshot/dataset-files.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';
import { readRecords } from './real-records.ts';

/**
 * Sizes and speeds of the sunlight half, from the records that `real-records.ts` wrote. CPU time, so that other work
 * on the machine does not count.
 *
 *     node bench/dataset/store.ts RECORDS
 */
const CREDIT = {
  dataset_id: 'bench',
  generated_at: '2026-01-01T00:00:00Z',
  license: '',
  attribution: '',
  reference_year: 2026,
};

/** Seconds of CPU of this process so far. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Processes every item twice, and prints the time of the second pass. */
function each<Item>(what: string, items: readonly Item[], work: (item: Item) => unknown): void {
  for (const item of items) work(item);
  const started = cpuSeconds();
  for (const item of items) work(item);
  line(what, ((cpuSeconds() - started) / items.length) * 1e6, 'µs of CPU');
}

const line = (what: string, value: number, unit: string): void =>
  console.log(`${what.padEnd(44)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}`);

async function main(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
  try {
    const read = await readRecords(path);
    const draft = await startDraft(folder);
    const started = cpuSeconds();
    const ofWard = (code: string) =>
      read()
        .filter(({ buildingId }) => wardCodeOf(buildingId) === code)
        .map((building) => ({ ...building, hours: packFaceHours(decodeBody(building.bytes).faces) }));
    const rows = await writeSunlight(draft, read(), [], (ward) =>
      writeWardBulk({ draft, ...ward, credit: CREDIT }, ofWard(ward.wardCode)),
    );
    const buildings = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const written = cpuSeconds() - started;
    const dataset = await publishDataset(folder, draft, manifest(), { rows });
    line('buildings', buildings, '');
    line('writing store and bulk files', written, 's of CPU');
    line('serving store', statSync(join(dataset, SUNLIGHT_STORE)).size / buildings, 'bytes a building');
    const bulk = Object.keys(rows).reduce((sum, name) => sum + statSync(join(dataset, name)).size, 0);
    line('bulk files', bulk / buildings, 'bytes a building');

    const files = await openFiles(dataset);
    const store = new SunlightStore(files.open(SUNLIGHT_STORE));
    const ids = [...read()].map(({ buildingId }) => buildingId).filter((_, i) => i % 7 === 0);
    let record = 0;
    let head = 0;
    for (const { buildingId, bytes } of read()) {
      record += bytes.length;
      head += bytes[0] | (bytes[1] << 8);
      if (buildingId === ids.at(-1)) break;
    }
    line('record, of which head', record / buildings, 'bytes');
    line('', head / buildings, 'bytes');
    each('a head, found and decoded', ids, (id) => decodeHead(id, store.record(id)!));
    each('a record, found and decoded', ids, (id) => decodeRecord(id, store.record(id)!));
    const places = ids.filter((_, i) => i % 13 === 0).map((id) => decodeHead(id, store.record(id)!));
    files.close();

    const opening = performance.now();
    const { sunlight, close } = await openDataset(dataset);
    line('opening the dataset', performance.now() - opening, 'ms');
    for (const radius of [50, 100, 300]) {
      let found = 0;
      for (const { lat, lon } of places) found += sunlight!.near(lat, lon, radius, 50).toJSON().count;
      const mean = (found / places.length).toFixed(1);
      each(`near ${radius} m, ${mean} found`, places, ({ lat, lon }) => sunlight!.near(lat, lon, radius, 50));
    }
    each('a summary as JSON', ids, (id) => sunlight!.summary(id));
    each('a full answer as JSON', ids, (id) => JSON.stringify(sunlight!.full(id)));
    await close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifest = () => ({
  dataset_id: 'bench',
  generated_at: CREDIT.generated_at,
  halves: { sunlight: { data_through: null, sources: [], attribution: '', counts: {} }, kaigo: null },
  reference_year: 2026,
  program_version: '0',
  inputs: [],
  report: {},
});

if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (!path) throw new Error('usage: node bench/dataset/store.ts RECORDS');
  await main(path);
}
