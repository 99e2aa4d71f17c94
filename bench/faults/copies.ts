import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../src/snapshot/manifest.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';

/** Publishes a copy of a dataset under another ID and time, with or without changes. Returns its folder. */
export async function publishCopy(
  data: string,
  dataset: string,
  id: string,
  generatedAt: string,
  change: (draft: string) => void = () => {},
): Promise<string> {
  const manifest = await readManifest(dataset);
  const draft = await startDraft(data);
  for (const name of Object.keys(manifest.files)) cpSync(join(dataset, name), join(draft, name));
  change(draft);
  return publishDataset(data, draft, { ...manifest, dataset_id: id, generated_at: generatedAt });
}

/** The time some hours after the beginning of 2026, RFC 3339. */
export const hour = (hours: number): string =>
  new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString().replace('.000Z', 'Z');
