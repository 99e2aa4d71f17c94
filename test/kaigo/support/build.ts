import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { KaigoAnswers } from '../../../src/dataset/kaigo.ts';
import { openDataset } from '../../../src/dataset/open.ts';
import { buildKaigo, type KaigoBuildOptions, type KaigoHalf } from '../../../src/pipeline/kaigo.ts';
import type { HalfManifest, Manifest } from '../../../src/snapshot/manifest.ts';
import { type DraftManifest, publishDataset, startDraft } from '../../../src/snapshot/publish.ts';

export interface Built {
  half: KaigoHalf;
  answers: KaigoAnswers;
  /** Where the files lie. */
  folder: string;
  manifest: Manifest;
  /** Every facility that stands in a comparison table, in order of ID. */
  readonly ids: string[];
}

/** Day of the price list and of the build in tests that do not say another. */
const AS_OF = '2026-11-20';

/** Builds the care half in a temporary folder, opens it, hands it to `use`, and removes it. */
export async function buildTemporarily<T>(
  options: Partial<KaigoBuildOptions>,
  use: (built: Built) => T | Promise<T>,
): Promise<T> {
  const { built, remove } = await buildToKeep(options);
  try {
    return await use(built);
  } finally {
    await remove();
  }
}

/** One build for all tests of a file, made when the first of them asks and removed after the last. */
export function sharedBuild(
  options: Partial<KaigoBuildOptions>,
): <T>(use: (built: Built) => T | Promise<T>) => Promise<T> {
  let kept: ReturnType<typeof buildToKeep> | undefined;
  after(async () => (await kept)?.remove());
  return async (use) => {
    kept ??= buildToKeep(options);
    return use((await kept).built);
  };
}

/** Builds the care half into a draft folder. Also returns the rows of its tables, for `publishDataset`. */
export async function writeKaigo(
  options: Partial<KaigoBuildOptions>,
  out: string,
): Promise<{ half: KaigoHalf; rows: Record<string, number> }> {
  const half = await buildKaigo({ offices: [], details: [], fees: null, asOf: AS_OF, builtOn: AS_OF, ...options, out });
  const rows = Object.fromEntries(half.files.flatMap(({ name, rows }) => (rows === undefined ? [] : [[name, rows]])));
  return { half, rows };
}

async function buildToKeep(options: Partial<KaigoBuildOptions>): Promise<{ built: Built; remove(): Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'hidamari-kaigo-'));
  try {
    const out = await startDraft(data);
    const { half, rows } = await writeKaigo(options, out);
    const dataset = await openDataset(await publishDataset(data, out, draftManifest(half.manifest), { rows }));
    const answers = dataset.kaigo!;
    let ids: string[] | undefined;
    const built: Built = {
      half,
      answers,
      folder: dataset.folder,
      manifest: dataset.manifest,
      get ids() {
        ids ??= idsOf(answers);
        return ids;
      },
    };
    const remove = async () => {
      await dataset.close();
      rmSync(data, { recursive: true, force: true });
    };
    return { built, remove };
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  }
}

function draftManifest(kaigo: HalfManifest): DraftManifest {
  return {
    dataset_id: '0'.repeat(16),
    generated_at: '2026-11-20T00:00:00Z',
    halves: { sunlight: null, kaigo },
    reference_year: 2026,
    program_version: 'test',
    inputs: [],
    report: {},
  };
}

interface ListedMunicipality {
  municipality_code: string;
  services: { service_code: string; facilities: number }[];
}

function idsOf(answers: KaigoAnswers): string[] {
  const ids = new Set<string>();
  for (const { municipality_code, services } of answers.municipalities() as ListedMunicipality[]) {
    for (const { service_code, facilities } of services) {
      for (let page = 1; page <= Math.ceil(facilities / 100); page++) {
        for (const { facility_id } of tableOf(answers, municipality_code, service_code, 'id', page)!.facilities) {
          ids.add(facility_id);
        }
      }
    }
  }
  return [...ids].sort();
}

/** A row of a table as a client sees it. */
export interface SeenRow {
  facility_id: string;
  opened_on: string | null;
  staffing: { users_per_care_staff: number | null } | null;
  cost_estimate: { monthly_yen: { low: number; high: number } | null };
}

/** A page of a table as a client sees it, or null. */
export function tableOf(
  answers: KaigoAnswers,
  code: string,
  service: string,
  sort: 'id' | 'cost' | 'staff' | 'opened' = 'id',
  page = 1,
  pageSize = 100,
): { total: number; page: number; page_count: number; facilities: SeenRow[] } | null {
  return JSON.parse(JSON.stringify(answers.municipality(code, service, sort, page, pageSize)));
}
