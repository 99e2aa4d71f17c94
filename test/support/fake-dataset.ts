import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demand } from '../../src/compute/on-demand/on-demand.ts';
import { FacilityId } from '../../src/contract/identifiers.ts';
import { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { MunicipalityList, MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import { FacilitiesNear } from '../../src/contract/operations/kaigo-near.ts';
import { SearchResults } from '../../src/contract/operations/search.ts';
import { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import { BuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import { BuildingRoof } from '../../src/contract/operations/sunlight-building-roof.ts';
import { BuildingSky } from '../../src/contract/operations/sunlight-building-sky.ts';
import { BuildingsNear, PointSunlight } from '../../src/contract/operations/sunlight-position.ts';
import { ShadowStudy } from '../../src/contract/operations/sunlight-shadow.ts';
import { TownBuildings } from '../../src/contract/operations/sunlight-towns.ts';
import { WhatIf } from '../../src/contract/operations/sunlight-what-if.ts';
import { BuildingSummary } from '../../src/contract/sunlight-shapes.ts';
import type { Dataset } from '../../src/dataset/dataset.ts';
import type { KaigoAnswers } from '../../src/dataset/kaigo.ts';
import type { SearchAnswers } from '../../src/dataset/search.ts';
import type { SunlightAnswers } from '../../src/dataset/sunlight.ts';
import { CheckedFile } from '../../src/formats/checked-file.ts';
import { JsonBytes } from '../../src/formats/json-bytes.ts';
import type { BulkFile } from '../../src/snapshot/dataset-files.ts';
import type { HalfManifest, Manifest } from '../../src/snapshot/manifest.ts';
import { tokyoExample } from './example.ts';

/** The content of the fake dataset: the examples of the contract. */
export const KNOWN = {
  building: '13101-bldg-904',
  town: '13101001001',
  ward: '13101',
  facility: '1370100651',
  municipality: '131016',
  prefecture: '13',
};

/** Number of buildings in the known town: two full pages and a third with one. */
const TOWN_BUILDINGS = 201;

const HALF: HalfManifest = {
  data_through: '2025-03-31',
  sources: [
    { name: 'Project PLATEAU', url: 'https://example.org/plateau', attribution: 'PLATEAU を加工して作成', date: null },
  ],
  attribution: 'PLATEAU を加工して作成 (CC BY 4.0)',
  counts: {},
};

/** A footprint of about ten metres. */
const SQUARE: [lon: number, lat: number][] = [
  [139.7671, 35.6812],
  [139.7672, 35.6812],
  [139.7672, 35.6813],
  [139.7671, 35.6813],
  [139.7671, 35.6812],
];

const { page_url: _page, api_url: _api, ...found } = tokyoExample(SearchResults).places[0]!;
/** The result of every search. */
const PLACE = {
  ...found,
  page: `/sunlight/building/${KNOWN.building}/`,
  api: `/api/v1/sunlight/building/${KNOWN.building}`,
};

function json<Value>(value: Value, pages: number | null = null): JsonBytes<Value> {
  return new JsonBytes(Buffer.from(JSON.stringify(value)), pages);
}

const noFile = (name: string): never => {
  throw new Error(`${name}: the fake has no files`);
};

/** A dataset in memory with one building, one town and one ward, for tests of the layers above datasets. */
export class FakeDataset implements Dataset {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly files = { open: noFile, read: noFile };
  sunlight: SunlightAnswers | null;
  kaigo: KaigoAnswers | null;
  map: Dataset['map'] = null;
  search: SearchAnswers | null = {
    find: (query) => ({ places: query === '' || query === 'nowhere' ? [] : [PLACE], ignored: null }),
    municipality: () => null,
    blocks: () => [],
  };
  stations: Dataset['stations'] = [];
  closed = false;
  /** Number of computations. */
  pointsAsked = 0;
  /** Set to delay computations. */
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
      inputs: [],
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

  /** The result that a thread would compute. */
  async compute(demand: Demand): Promise<object> {
    this.pointsAsked++;
    await this.pointReady;
    if (demand.kind === 'point') {
      const { lat, lon, heightM: height_m } = demand;
      return { ...tokyoExample(PointSunlight), lat, lon, height_m };
    }
    if (demand.kind === 'sky') return tokyoExample(BuildingSky);
    if (demand.kind === 'what-if') return tokyoExample(WhatIf);
    if (demand.kind === 'roof') return tokyoExample(BuildingRoof);
    if (demand.kind === 'shadow') return tokyoExample(ShadowStudy);
    if (demand.kind === 'ground') return { heights: [], sunny: [] };
    return { ...tokyoExample(BuildingFloor), floor: demand.floor };
  }

  /** Writes a bulk file of `bytes` to the folder. */
  addBulk(content: Buffer): void {
    const path = join(this.folder, 'bulk.parquet');
    writeFileSync(path, content);
    const sha256 = hash('sha256', content);
    this.#bulk = {
      name: 'bulk.parquet',
      path,
      rows: 7,
      bytes: content.length,
      sha256,
      open: () => CheckedFile.asItIs(path),
    };
  }

  #bulk: BulkFile | null = null;

  #kaigo(): KaigoAnswers {
    const table = tokyoExample(MunicipalityTable);
    const nearby = tokyoExample(FacilitiesNear);
    return {
      facility: (id) =>
        id === KNOWN.facility || id === tokyoExample(FacilityId) ? json(tokyoExample(Facility)) : null,
      municipality: (code, service, sort, page, pageSize) => {
        if (code !== KNOWN.municipality || page > 1) return null;
        return json({ ...table, service: { service_code: service, name: '介護' }, sort, page, page_size: pageSize });
      },
      rows: (code) => (code === KNOWN.municipality ? table.facilities : null),
      rooms: () => [],
      caseFault: () => null,
      feeInLists: () => null,
      combinedCaps: () => [],
      municipalityPages: (code) => (code === KNOWN.municipality ? 1 : null),
      near: (lat, lon, radius_m) => json({ ...nearby, lat, lon, radius_m }),
      municipalities: () => tokyoExample(MunicipalityList),
      facilitiesByPrefecture: () => new Map(),
      bulk: (prefecture) => (prefecture === KNOWN.prefecture ? this.#bulk : null),
    };
  }

  #sunlight(): SunlightAnswers {
    const summary = tokyoExample(BuildingSummary);
    const full = tokyoExample(BuildingFull);
    const nearby = tokyoExample(BuildingsNear);
    const town = tokyoExample(TownBuildings);
    const known = (id: string): boolean => id === KNOWN.building;
    return {
      hasTerrain: false,
      summary: (id) => (known(id) ? json(summary) : null),
      summaries(ids) {
        const buildings = ids.filter(known).map(() => summary);
        const not_found = ids.filter((id) => !known(id));
        return { answer: json({ count: buildings.length, buildings, not_found }), found: buildings.length };
      },
      full: (id) => (known(id) ? json(full) : null),
      idsBeginning: () => [],
      shapesAround: () => new Map(),
      groundAround: () => null,
      footprint: (id) => (known(id) ? { type: 'MultiPolygon', coordinates: [[SQUARE]] } : null),
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
        return json({ ...about, buildings }, pageCount);
      },
      ward: (ward_code, sort, page, page_size) =>
        ward_code === KNOWN.ward && page === 1
          ? json({ ward_code, sort, total: 1, page, page_size, page_count: 1, buildings: [summary] })
          : null,
      wardPages: (code) => (code === KNOWN.ward ? 1 : null),
      townPages: (code, pageSize) => (code === KNOWN.town ? Math.ceil(TOWN_BUILDINGS / pageSize) : null),
      shape: (id) => {
        const faces = [{ face: 'S', azimuthDeg: 180, receptors: 3 }] as const;
        const towards = (direction: string) => faces.find(({ face }) => face === direction) ?? null;
        const shape = { storeys: 9, heightM: 27, storeysFit: true };
        return known(id) ? { ...shape, faces, towards } : null;
      },
      hours: (id) => (known(id) ? (summary.december_top_best?.direct_sun_hours ?? null) : null),
      towns: () => [town.town],
      townSun: () => [],
      bulk: (ward) => (ward === KNOWN.ward ? this.#bulk : null),
    };
  }
}
