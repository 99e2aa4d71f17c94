import type { WardBuildings } from '../../../src/dataset/sunlight-writer.ts';
import { writeSunlight } from '../../../src/dataset/sunlight-writer.ts';
import type { NamedTown } from '../../../src/dataset/town-directory.ts';
import { writeWardBulk } from '../../../src/export/sunlight-bulk.ts';
import type { BuildingRecord } from '../../../src/record/building-record.ts';
import { encodeRecord } from '../../../src/record/codec.ts';
import { type ComputedBuilding, packFaceHours } from '../../../src/record/face-hours.ts';
import { type DraftManifest, publishDataset, startDraft } from '../../../src/snapshot/publish.ts';

/** Records as the store takes them: in order of ID, each ID once. */
export function encoded(records: readonly BuildingRecord[]): ComputedBuilding[] {
  const unique = [...new Map(records.map((record) => [record.buildingId, record])).values()];
  return unique
    .map((record) => ({
      buildingId: record.buildingId,
      bytes: encodeRecord(record),
      hours: packFaceHours(record.faces),
    }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.buildingId), Buffer.from(b.buildingId)));
}

export const town = (townCode: string, name: string | null, reading: string | null): NamedTown => ({
  townCode,
  name,
  reading,
  wardCode: townCode.slice(0, 5),
  wardName: '千代田区',
  postalCodes: [],
  wardReading: 'ちよだく',
  lat: 35.68,
  lon: 139.76,
});

export const CREDIT = {
  dataset_id: '0123456789abcdef',
  generated_at: '2026-01-02T03:04:05Z',
  license: 'CC-BY-4.0',
  attribution: 'Project PLATEAU',
  reference_year: 2026,
};

export const draftManifest = (datasetId: string, generatedAt = '2026-01-02T03:04:05Z'): DraftManifest => ({
  dataset_id: datasetId,
  generated_at: generatedAt,
  halves: {
    sunlight: { data_through: '2025-03-31', sources: [], attribution: 'PLATEAU', counts: {} },
    kaigo: null,
  },
  reference_year: 2026,
  program_version: '0.1.0',
  inputs: [],
  report: {},
});

/** Writes the bulk files of some records, for `writeSunlight`. */
export const bulkWriter = (draft: string, records: readonly BuildingRecord[]) => (ward: WardBuildings) =>
  writeWardBulk({ draft, ...ward, credit: CREDIT }, encoded(records));

/** Builds and publishes a dataset of some records. Returns its folder. */
export async function publishRecords(
  dataFolder: string,
  records: readonly BuildingRecord[],
  towns: readonly NamedTown[],
  manifest: DraftManifest = draftManifest(CREDIT.dataset_id),
): Promise<string> {
  const draft = await startDraft(dataFolder);
  const rows = await writeSunlight(draft, encoded(records), towns, bulkWriter(draft, records));
  return publishDataset(dataFolder, draft, manifest, { rows });
}
