import { join } from 'node:path';
import type { MethodAnswer, NearAnswer, SummaryAnswer } from './answer.ts';
import { bulkFile } from './bulk.ts';
import type { SunlightAnswers } from './dataset.ts';
import type { Manifest } from './manifest.ts';
import { searchNear } from './near.ts';
import { PointFinder } from './point.ts';
import { decodeBody, decodeHead } from './record-codec.ts';
import { fullAnswer, monthAnswer, summaryAnswer } from './sunlight-answers.ts';
import { SunlightStore } from './sunlight-store.ts';
import { TOWNS_FILE, TownDirectory } from './towns.ts';

/** The files of the sunlight half, relative to the dataset's folder. */
export const SUNLIGHT_STORE = 'sunlight.mdb';
export const sunlightBulkName = (wardCode: string): string => `bulk/sunlight/${wardCode}.parquet`;

/** Opens the sunlight half of a dataset. Throws when one of its files cannot be read. */
export async function openSunlight(
  folder: string,
  manifest: Manifest,
): Promise<{ answers: SunlightAnswers; close(): Promise<void> }> {
  const towns = await TownDirectory.read(join(folder, TOWNS_FILE));
  const store = new SunlightStore(join(folder, SUNLIGHT_STORE));
  const points = new PointFinder(folder, store);
  const method: MethodAnswer = { reference_year: manifest.reference_year, day_of_month: 15, time_zone: 'Asia/Tokyo' };
  const townName = (code: string): string | null => towns.name(code);

  const summary = (buildingId: string): SummaryAnswer | null => {
    const bytes = store.record(buildingId);
    return bytes ? summaryAnswer(decodeHead(buildingId, bytes), townName) : null;
  };

  const answers: SunlightAnswers = {
    summary,

    full(buildingId) {
      const bytes = store.record(buildingId);
      return bytes ? fullAnswer(decodeHead(buildingId, bytes), decodeBody(bytes), townName, method) : null;
    },

    near(lat, lon, radiusM, limit): NearAnswer {
      const { found, truncated } = searchNear(lat, lon, radiusM, limit, (row, column) => store.cell(row, column));
      return {
        lat,
        lon,
        radius_m: radiusM,
        count: found.length,
        truncated,
        buildings: found.map(({ distanceM, building }) => ({
          distance_m: Math.round(distanceM * 100) / 100,
          ...summaryAnswer(building, townName),
        })),
      };
    },

    town(townCode, page, pageSize) {
      const town = towns.get(townCode);
      if (!town) return null;
      const { total, ids } = store.townBuildings(townCode, (page - 1) * pageSize, pageSize);
      const pageCount = Math.max(1, Math.ceil(total / pageSize));
      if (page > pageCount) return null;
      const buildings = ids.map((id) => summary(id)!);
      return { town, total, page, page_size: pageSize, page_count: pageCount, buildings };
    },

    async point(lat, lon, heightM) {
      const { sunMinutes, unshadedMinutes, windows } = await points.find(lat, lon, heightM);
      const months = windows.map((lit, i) => monthAnswer(i + 1, sunMinutes[i]!, unshadedMinutes[i]!, lit));
      return { lat, lon, height_m: heightM, months, method };
    },

    towns: () => towns.list,

    bulk: (wardCode) => bulkFile(folder, manifest, sunlightBulkName(wardCode)),
  };
  return { answers, close: () => store.close() };
}
