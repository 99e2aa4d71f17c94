import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { ServedDatasets } from '../../src/api/served-datasets.ts';
import { openNewest } from '../../src/dataset/open.ts';
import { SUNLIGHT_STORE } from '../../src/dataset/sunlight-store.ts';
import { readManifest } from '../../src/snapshot/manifest.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';
import type { Fault } from './fault.ts';

const RUNS = 10;
const PATIENCE_MS = 10_000;

/**
 * Damages the store of the served dataset in a place that no request reads. The server must switch to the previous
 * dataset.
 */
export const stepBack: Fault = async (folder, dataset) => {
  let lost = 0;
  let longest = 0;
  for (let run = 0; run < RUNS; run++) {
    const data = join(folder, String(run));
    const manifest = await readManifest(dataset);
    for (const [dataset_id, generated_at] of [
      ['older', '2026-01-01T00:00:00Z'],
      ['newer', '2026-02-01T00:00:00Z'],
    ] as const) {
      const draft = await startDraft(data);
      for (const name of Object.keys(manifest.files)) cpSync(join(dataset, name), join(draft, name));
      await publishDataset(data, draft, { ...manifest, dataset_id, generated_at });
    }
    const open = (unless?: string, damaged?: ReadonlySet<string>) =>
      openNewest(data, { unless, ...(damaged ? { damaged } : {}) });
    const datasets = await ServedDatasets.open(open, 'http://localhost', '', pino({ level: 'silent' }));
    const path = join(datasets.current.dataset.folder, SUNLIGHT_STORE);
    const bytes = readFileSync(path);
    bytes[(bytes.length >> 1) + run] = 0x55 ^ (bytes[(bytes.length >> 1) + run] as number);
    writeFileSync(path, bytes);
    const start = performance.now();
    datasets.guard(1e9);
    while (datasets.stepBacks === 0 && performance.now() - start < PATIENCE_MS) await delay(1);
    longest = Math.max(longest, performance.now() - start);
    if (datasets.current.dataset.manifest.dataset_id !== 'older') lost++;
    await datasets.close();
  }
  return {
    fault: 'a damaged store that no request reads, on a server with an older dataset',
    tried: RUNS,
    lost,
    outcome: 'found in the background; the older dataset is served',
    recoveryMs: longest,
  };
};
