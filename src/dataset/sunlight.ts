import { basename } from 'node:path';
import type { MultiPolygon } from '../contract/geojson.ts';
import type { BuildingFull, SeveralBuildings } from '../contract/operations/sunlight-building.ts';
import type { BuildingsNear } from '../contract/operations/sunlight-position.ts';
import type { TownBuildings, TownList } from '../contract/operations/sunlight-towns.ts';
import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { FACES, type Face } from '../sunlight/result.ts';
import { type BulkFile, bulkFile } from './bulk.ts';
import type { DatasetFiles } from './files.ts';
import { writeFull } from './full-json.ts';
import { multiPolygonOf } from './geojson.ts';
import { JsonBytes } from './json-bytes.ts';
import { JsonWriter } from './json-writer.ts';
import { NearSearch } from './near.ts';
import { pagesOf } from './pages.ts';
import { decodeBody, decodeHead, decodeRecord } from './record/codec.ts';
import { writeSummary, writeSummaryMembers } from './summary-json.ts';
import { methodOf } from './sunlight-answers.ts';
import { SunlightStore } from './sunlight-store.ts';
import { parseTownSun, TOWN_SUN_FILE, type TownSun } from './town-sun.ts';
import { TOWNS_FILE, TownDirectory } from './towns.ts';

/** The files of the sunlight half, relative to the dataset's folder. */
export const SUNLIGHT_STORE = 'sunlight.store';
export const sunlightBulkName = (wardCode: string): string => `bulk/sunlight/${wardCode}.parquet`;
export const wardOfBulk = (name: string): string => basename(name, '.parquet');

/** What of a building can be asked about on demand. */
interface BuildingShape {
  storeys: number;
  /** Receptors of each face that the building has, on each floor. */
  receptors: ReadonlyMap<Face, number>;
}

/** What the sunlight half answers. `null`: there is no such thing. */
export interface SunlightAnswers {
  summary(buildingId: string): JsonBytes<BuildingSummary> | null;
  /** Several at once, in the order asked, and how many of them are there. */
  summaries(buildingIds: readonly string[]): { answer: JsonBytes<SeveralBuildings>; found: number };
  full(buildingId: string): JsonBytes<BuildingFull> | null;
  /** IDs that begin so, in order. */
  idsBeginning(prefix: string, most: number): string[];
  /** Where its walls stand, as published after repair. */
  footprint(buildingId: string): MultiPolygon | null;
  near(lat: number, lon: number, radiusM: number, limit: number): JsonBytes<BuildingsNear>;
  /** One page (from 1) of a town's buildings; null for an unknown town or a page past the last. */
  town(townCode: string, page: number, pageSize: number): JsonBytes<TownBuildings> | null;
  /** Number of pages that `town` has; null for an unknown town. */
  townPages(townCode: string, pageSize: number): number | null;
  /** How many storeys a building has, and its faces with their receptors on a floor. */
  shape(buildingId: string): BuildingShape | null;
  towns(): TownList;
  /** The sun of the towns that have buildings, in order of code. */
  townSun(): readonly TownSun[];
  /** The ward's Parquet file; null when the ward has no buildings in the dataset. */
  bulk(wardCode: string): BulkFile | null;
}

/** Opens the sunlight half of a dataset. Throws when one of its files cannot be read. */
export async function openSunlight(files: DatasetFiles): Promise<SunlightAnswers> {
  const { folder, manifest } = files;
  const towns = TownDirectory.parse(await files.read(TOWNS_FILE));
  const townSun = parseTownSun(await files.read(TOWN_SUN_FILE));
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const search = new NearSearch(store);
  const method = methodOf(manifest);
  const json = new JsonWriter();
  /** What has just been written: the next answer is written over it. */
  const answer = <Value>(pages: number | null = null): JsonBytes<Value> =>
    new JsonBytes((look) => json.show(look), pages);

  return {
    summary(buildingId) {
      const isThere = store.lookAtSummary(buildingId, (kept) => {
        json.begin();
        writeSummary(json, kept);
      });
      return isThere ? answer() : null;
    },

    summaries(buildingIds) {
      const isThere = buildingIds.map((id) => store.look(id, () => true) ?? false);
      const there = buildingIds.filter((_, i) => isThere[i]);
      const notThere = buildingIds.filter((_, i) => !isThere[i]);
      json.begin();
      json.text(`{"count":${there.length},"buildings":[`);
      for (const [i, id] of there.entries()) {
        if (i > 0) json.text(',');
        store.look(id, (_, kept) => writeSummary(json, kept));
      }
      json.text(`],"not_found":${JSON.stringify(notThere)}}`);
      return { answer: answer<SeveralBuildings>(), found: there.length };
    },

    full(buildingId) {
      const isThere = store.look(buildingId, (record, kept) => {
        json.begin();
        writeFull(json, kept, decodeRecord(buildingId, record), method);
        return true;
      });
      return isThere ? answer() : null;
    },

    idsBeginning(prefix, most) {
      return store
        .records(prefix)
        .take(most)
        .map(({ buildingId }) => buildingId)
        .toArray();
    },

    footprint(buildingId) {
      return store.look(buildingId, (record) => multiPolygonOf(decodeHead(buildingId, record).footprints)) ?? null;
    },

    near(lat, lon, radiusM, limit) {
      const { found, truncated } = search.find(lat, lon, radiusM, limit);
      json.begin();
      json.text(`{"lat":${lat},"lon":${lon},"radius_m":${radiusM},"count":${found.length},"truncated":${truncated}`);
      for (const [i, { distanceM, bytes, start, end }] of found.entries()) {
        json.text(i === 0 ? ',"buildings":[{"distance_m":' : ',{"distance_m":');
        json.hundredths(Math.round(distanceM * 100));
        writeSummaryMembers(json, bytes, start, end);
      }
      json.text(found.length === 0 ? ',"buildings":[]}' : ']}');
      return answer();
    },

    town(townCode, page, pageSize) {
      const town = towns.get(townCode);
      if (!town) return null;
      const { total, ids } = store.townBuildings(townCode, (page - 1) * pageSize, pageSize);
      const pageCount = pagesOf(total, pageSize);
      if (page > pageCount) return null;
      const page_size = pageSize;
      const about = JSON.stringify({ town, total, page, page_size, page_count: pageCount });
      json.begin();
      json.text(`${about.slice(0, -1)},"buildings":[`);
      for (const [i, id] of ids.entries()) {
        if (i > 0) json.text(',');
        store.lookAtSummary(id, (kept) => writeSummary(json, kept));
      }
      json.text(']}');
      return answer(pageCount);
    },

    townPages(townCode, pageSize) {
      return towns.get(townCode) === null ? null : pagesOf(store.townBuildings(townCode, 0, 0).total, pageSize);
    },

    shape(buildingId) {
      const bytes = store.record(buildingId);
      if (!bytes) return null;
      const faces = decodeBody(bytes).faces.map(({ face, receptors }) => [FACES[face]!, receptors] as const);
      return { storeys: decodeHead(buildingId, bytes).storeys, receptors: new Map(faces) };
    },

    towns: () => towns.list,

    townSun: () => townSun,

    bulk: (wardCode) => bulkFile(folder, manifest, sunlightBulkName(wardCode)),
  };
}
