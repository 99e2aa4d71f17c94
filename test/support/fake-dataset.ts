import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleOf } from '../../src/contract/example.ts';
import { FacilitiesNear, Facility, MunicipalityList, MunicipalityTable } from '../../src/contract/kaigo-schemas.ts';
import {
  BuildingFull,
  BuildingSummary,
  BuildingsNear,
  PointSunlight,
  TownBuildings,
} from '../../src/contract/sunlight-schemas.ts';
import type {
  FullAnswer,
  NearAnswer,
  PointAnswer,
  SummaryAnswer,
  TownBuildingsAnswer,
} from '../../src/dataset/answer.ts';
import {
  type BulkFile,
  type Dataset,
  JsonBytes,
  type KaigoAnswers,
  type SunlightAnswers,
} from '../../src/dataset/dataset.ts';
import type { HalfManifest, Manifest } from '../../src/dataset/manifest.ts';

/** What the fake knows: the examples of the contract. */
export const KNOWN = {
  building: '13101-bldg-365',
  town: '13101002001',
  ward: '13101',
  facility: '1370100018',
  municipality: '131016',
  prefecture: '13',
};

/** Number of buildings in the known town: two full pages and a third with one. */
export const TOWN_BUILDINGS = 201;

const HALF: HalfManifest = {
  data_through: '2025-03-31',
  sources: [{ name: 'Project PLATEAU', url: 'https://example.org/plateau', attribution: 'PLATEAU を加工して作成' }],
  attribution: 'PLATEAU を加工して作成 (CC BY 4.0)',
  counts: {},
};

const json = <Value>(value: Value): JsonBytes<Value> => new JsonBytes(Buffer.from(JSON.stringify(value)));

const noFile = (name: string): never => {
  throw new Error(`${name}: the fake has no files`);
};

/** A dataset in memory that knows one building, one town and one ward, for tests of what lies above datasets. */
export class FakeDataset implements Dataset {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly files = { open: noFile, read: noFile };
  sunlight: SunlightAnswers | null;
  kaigo: KaigoAnswers | null;
  closed = false;
  /** How often `point` was asked. */
  pointsAsked = 0;
  /** Set to make `point` wait. */
  pointReady: Promise<void> = Promise.resolve();

  constructor(id = 'fake-1', folder = '/nowhere') {
    this.folder = folder;
    this.manifest = {
      schema_version: 1,
      dataset_id: id,
      generated_at: '2026-01-01T00:00:00Z',
      halves: { sunlight: HALF, kaigo: HALF },
      reference_year: 2026,
      program_version: '0.0.0',
      report: {},
      files: {},
      seal: { sha256: '', signature: null },
    };
    this.sunlight = this.#sunlight();
    this.kaigo = this.#kaigo();
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** Puts a bulk file of `bytes` into the folder. */
  addBulk(content: Buffer): void {
    const path = join(this.folder, 'bulk.parquet');
    writeFileSync(path, content);
    const sha256 = hash('sha256', content);
    this.#bulk = { name: 'bulk.parquet', path, rows: 7, bytes: content.length, sha256 };
  }

  #bulk: BulkFile | null = null;

  #kaigo(): KaigoAnswers {
    const table = exampleOf(MunicipalityTable) as Record<string, unknown>;
    const nearby = exampleOf(FacilitiesNear) as object;
    return {
      facility: (id) => (id === KNOWN.facility ? json(exampleOf(Facility)) : null),
      municipality: (code, service, sort, page, pageSize) => {
        if (code !== KNOWN.municipality || page > 1) return null;
        return json({ ...table, service: { service_code: service, name: '介護' }, sort, page, page_size: pageSize });
      },
      near: (lat, lon, radius_m) => ({ ...nearby, lat, lon, radius_m }),
      municipalities: () => exampleOf(MunicipalityList) as object[],
      bulk: (prefecture) => (prefecture === KNOWN.prefecture ? this.#bulk : null),
    };
  }

  #sunlight(): SunlightAnswers {
    const summary = exampleOf(BuildingSummary) as SummaryAnswer;
    const full = exampleOf(BuildingFull) as FullAnswer;
    const nearby = exampleOf(BuildingsNear) as NearAnswer;
    const town = exampleOf(TownBuildings) as TownBuildingsAnswer;
    const point = exampleOf(PointSunlight) as PointAnswer;
    const known = (id: string): boolean => id === KNOWN.building;
    return {
      summary: (id) => (known(id) ? json(summary) : null),
      full: (id) => (known(id) ? full : null),
      near: (lat, lon, radius_m, limit) => {
        const buildings = Array.from({ length: Math.min(60, Math.round(radius_m / 2)) }, () => nearby.buildings[0]!);
        const listed = buildings.slice(0, limit);
        const truncated = buildings.length > limit;
        return json({ lat, lon, radius_m, count: listed.length, truncated, buildings: listed });
      },
      town: (code, page, pageSize) => {
        const pageCount = Math.ceil(TOWN_BUILDINGS / pageSize);
        if (code !== KNOWN.town || page > pageCount) return null;
        const length = Math.min(pageSize, TOWN_BUILDINGS - (page - 1) * pageSize);
        const buildings = Array.from({ length }, () => summary);
        const about = { town: town.town, total: TOWN_BUILDINGS, page, page_size: pageSize, page_count: pageCount };
        return json({ ...about, buildings });
      },
      point: async (lat, lon, height_m) => {
        this.pointsAsked++;
        await this.pointReady;
        return { ...point, lat, lon, height_m };
      },
      towns: () => [town.town],
      bulk: (ward) => (ward === KNOWN.ward ? this.#bulk : null),
    };
  }
}
