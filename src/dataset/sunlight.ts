import { basename } from 'node:path';
import { TERRAIN_INDEX } from '../city/terrain-squares.ts';
import type { MultiPolygon } from '../contract/geojson.ts';
import type { BuildingFull, SeveralBuildings } from '../contract/operations/sunlight-building.ts';
import type { BuildingsNear } from '../contract/operations/sunlight-position.ts';
import {
  SUN_SORTS,
  type SunSort,
  type Town,
  type TownBuildings,
  type TownList,
  type WardBuildings,
} from '../contract/operations/sunlight-towns.ts';
import { pagesOf } from '../contract/parameter.ts';
import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { JsonBytes, JsonWriter } from '../formats/json-bytes.ts';
import { DIRECTIONS, type Direction, faceTowards } from '../geo/compass.ts';
import { methodOf, multiPolygonOf } from '../record/answers.ts';
import { decodeBody, decodeHead, decodeRecord } from '../record/codec.ts';
import { type BulkFile, bulkFile, type DatasetFiles } from '../snapshot/dataset-files.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { FLOOR_CLASSES, type FloorClass, MONTHS } from '../sunlight/result.ts';
import { haveRoom, type StatedShape, shapeAsStated } from '../sunlight/storeys.ts';
import { headlineFaces, hoursOfMinutes } from '../sunlight/summary.ts';
import { NearSearch } from './near.ts';
import { CityShapes, type GroundShape, type StandingShape } from './shapes.ts';
import { writeFull, writeSummary, writeSummaryMembers } from './sunlight-json.ts';
import { type ListedIds, SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';
import {
  type BuildingHours,
  parseTownSun,
  TOWN_SUN_FILE,
  TOWNS_FILE,
  TownDirectory,
  type TownSun,
} from './town-directory.ts';

export type { BuildingHours, StatedShape, TownSun };

/** A Parquet file of the sunlight half, relative to the dataset's folder. */
export const sunlightBulkName = (wardCode: string): string => `bulk/sunlight/${wardCode}.parquet`;

/** The code in the name of a bulk file. */
export const wardOfBulk = (name: string): string => basename(name, '.parquet');

/** The number of buildings of each ward in a dataset, by code. */
export const buildingsByWard = ({ files }: Pick<Manifest, 'files'>): Map<string, number> =>
  new Map(
    Object.entries(files).flatMap(([name, { rows = 0 }]) => {
      const ward = wardOfBulk(name);
      return name === sunlightBulkName(ward) ? [[ward, rows] as const] : [];
    }),
  );

/** The facts about a building that on-demand computations need. */
export interface BuildingShape {
  storeys: number;
  /** From its base to its top, metres. */
  heightM: number;
  /** False when the given storeys do not fit into that height. */
  storeysFit: boolean;
  /** Its faces, clockwise from north, with their receptors on a floor. */
  faces: readonly ShapeFace[];
  /** The face in a direction, or a long face that replaces it; null when none is near enough. */
  towards(direction: Direction): ShapeFace | null;
}

/** The month, the stored floor and the face of some hours. */
interface HoursChoice {
  /** 1–12. */
  month: number;
  floor: FloorClass;
  face: 'best' | Direction;
}

interface ShapeFace {
  face: Direction;
  azimuthDeg: number;
  /** Number on a floor. */
  receptors: number;
}

/** The answers of the sunlight half. */
export type SunlightAnswers = Pick<DatasetSunlight, keyof DatasetSunlight>;

/** A town by its code, or a whole town with chome; undefined when the data does not have it. */
export const townOf = (sunlight: SunlightAnswers | null, code: string): Town | undefined =>
  // The town stands on each page of its buildings: a page of one building is the shortest.
  sunlight?.town(code, 1, 1)?.toJSON().town;

/** The sunlight half of a dataset, answered from its store. `null` means that the thing does not exist. */
export class DatasetSunlight {
  readonly #files: DatasetFiles;
  readonly #towns: TownDirectory;
  readonly #townSun: readonly TownSun[];
  readonly #store: SunlightStore;
  readonly #search: NearSearch;
  readonly #shapes: CityShapes;
  /** True when the dataset was built with elevation. */
  readonly hasTerrain: boolean;
  /** The JSON of the method. */
  readonly #method: Buffer;
  readonly #json = new JsonWriter();

  private constructor(files: DatasetFiles, towns: TownDirectory, townSun: readonly TownSun[]) {
    this.#files = files;
    this.#towns = towns;
    this.#townSun = townSun;
    this.#store = new SunlightStore(files.open(SUNLIGHT_STORE));
    this.#search = new NearSearch(this.#store);
    this.#shapes = new CityShapes(files);
    this.hasTerrain = TERRAIN_INDEX in files.manifest.files;
    this.#method = Buffer.from(JSON.stringify(methodOf(files.manifest)));
  }

  /** @throws Error when one of its files cannot be read */
  static async open(files: DatasetFiles): Promise<DatasetSunlight> {
    const [towns, townSun] = await Promise.all([files.read(TOWNS_FILE), files.read(TOWN_SUN_FILE)]);
    return new DatasetSunlight(files, TownDirectory.parse(towns), parseTownSun(townSun));
  }

  /** The ground around a point; null without elevation. */
  groundAround(lat: number, lon: number, reachM: number): GroundShape | null {
    return this.#shapes.groundAround(lat, lon, reachM);
  }

  /** The shapes in which the buildings around a point stand and shade, by ID. */
  shapesAround(lat: number, lon: number, radiusM: number): ReadonlyMap<string, StandingShape> {
    return this.#shapes.around(lat, lon, radiusM);
  }

  /** The summary of a building; null when there is no such building. */
  summary(buildingId: string): JsonBytes<BuildingSummary> | null {
    const isThere = this.#store.look(buildingId, (_, packedSummary) => {
      this.#json.begin();
      writeSummary(this.#json, packedSummary);
      return true;
    });
    return isThere ? this.#answer() : null;
  }

  /** Several summaries in the requested order, and the number of buildings found. */
  summaries(buildingIds: readonly string[]): { answer: JsonBytes<SeveralBuildings>; found: number } {
    const isStored = (id: string): boolean => this.#store.look(id, () => true) ?? false;
    const { stored = [], missing = [] } = Object.groupBy(buildingIds, (id) => (isStored(id) ? 'stored' : 'missing'));
    this.#json.begin();
    this.#json.text(`{"count":${stored.length},"buildings":`);
    this.#writeSummaries(stored);
    this.#json.text(`,"not_found":${JSON.stringify(missing)}}`);
    return { answer: this.#answer<SeveralBuildings>(), found: stored.length };
  }

  /** The whole answer about a building; null when there is no such building. */
  full(buildingId: string): JsonBytes<BuildingFull> | null {
    const isThere = this.#store.look(buildingId, (recordBytes, packedSummary) => {
      this.#json.begin();
      writeFull(this.#json, packedSummary, decodeRecord(buildingId, recordBytes), this.#method);
      return true;
    });
    return isThere ? this.#answer() : null;
  }

  /** The IDs with this prefix, in order. */
  idsBeginning(prefix: string, most: number): string[] {
    return this.#store
      .records(prefix)
      .take(most)
      .map(({ buildingId }) => buildingId)
      .toArray();
  }

  /** The published footprint after repair. */
  footprint(buildingId: string): MultiPolygon | null {
    return this.#store.look(buildingId, (record) => multiPolygonOf(decodeHead(buildingId, record).footprints)) ?? null;
  }

  near(lat: number, lon: number, radiusM: number, limit: number): JsonBytes<BuildingsNear> {
    const { found, truncated } = this.#search.find(lat, lon, radiusM, limit);
    this.#json.begin();
    this.#json.text(
      `{"lat":${lat},"lon":${lon},"radius_m":${radiusM},"count":${found.length},"truncated":${truncated}`,
    );
    for (const [i, { distanceM, bytes, start, end }] of found.entries()) {
      this.#json.text(i === 0 ? ',"buildings":[{"distance_m":' : ',{"distance_m":');
      this.#json.hundredths(Math.round(distanceM * 100));
      writeSummaryMembers(this.#json, bytes, start, end);
    }
    this.#json.text(found.length === 0 ? ',"buildings":[]}' : ']}');
    return this.#answer();
  }

  /** One page (from 1) of a town's buildings; null for an unknown town or a page after the last. */
  town(townCode: string, page: number, pageSize: number): JsonBytes<TownBuildings> | null {
    const town = this.#towns.get(townCode);
    if (!town) return null;
    const listed = this.#store.townBuildings(townCode, (page - 1) * pageSize, pageSize);
    return this.#page({ town }, listed, page, pageSize);
  }

  /** One page (from 1) of a ward's buildings, most sun first; null without buildings or after the last page. */
  ward(wardCode: string, sort: SunSort, page: number, pageSize: number): JsonBytes<WardBuildings> | null {
    const listed = this.#store.wardBuildings(wardCode, sort, (page - 1) * pageSize, pageSize);
    return listed.total === 0 ? null : this.#page({ ward_code: wardCode, sort }, listed, page, pageSize);
  }

  /** Number of pages of `ward`; null without buildings. */
  wardPages(wardCode: string, pageSize: number): number | null {
    const { total } = this.#store.wardBuildings(wardCode, SUN_SORTS[0], 0, 0);
    return total === 0 ? null : pagesOf(total, pageSize);
  }

  /** Number of pages of `town`; null for an unknown town. */
  townPages(townCode: string, pageSize: number): number | null {
    return this.#towns.get(townCode) === null
      ? null
      : pagesOf(this.#store.townBuildings(townCode, 0, 0).total, pageSize);
  }

  /** Storeys and faces of a building. `stated` overrides the storeys and the height of the model. */
  shape(buildingId: string, stated: StatedShape = {}): BuildingShape | null {
    const bytes = this.#store.record(buildingId);
    if (!bytes) return null;
    const storedFaces = decodeBody(bytes).faces;
    // Headline faces have enough wall to count for their whole building.
    const isHeadline = headlineFaces(storedFaces.map(({ wallLengthM }) => wallLengthM));
    const faces = storedFaces.map(
      ({ face, azimuthDeg, receptors }): ShapeFace => ({ face: DIRECTIONS[face], azimuthDeg, receptors }),
    );
    const headlines = faces.filter((_, i) => isHeadline[i]);
    const { storeys, heightM, storeysFrom } = shapeAsStated(decodeHead(buildingId, bytes), stated);
    return {
      storeys,
      heightM,
      storeysFit: storeysFrom !== 'stated' || haveRoom(storeys, heightM),
      faces,
      towards: (direction) => faces.find(({ face }) => face === direction) ?? faceTowards(direction, headlines),
    };
  }

  /**
   * Hours of direct sun of a building on the 15th of a month (1–12), on a stored floor: of its best face, or of the face
   * nearest to a direction, as the map colours it. Only faces that are long enough count (`headlineFaces`). Null when there
   * is no such face.
   */
  hours(buildingId: string, { month, floor, face }: HoursChoice): number | null {
    const bytes = this.#store.record(buildingId);
    if (!bytes) return null;
    const storedFaces = decodeBody(bytes).faces;
    const isHeadline = headlineFaces(storedFaces.map(({ wallLengthM }) => wallLengthM));
    const countedFaces = storedFaces.filter((_, i) => isHeadline[i]);
    const chosen = face === 'best' ? countedFaces : [faceTowards(face, countedFaces)].filter((one) => one !== null);
    if (chosen.length === 0) return null;
    const index = FLOOR_CLASSES.indexOf(floor) * MONTHS + month - 1;
    return hoursOfMinutes(Math.max(...chosen.map(({ sunMinutes }) => sunMinutes[index])));
  }

  towns(): TownList {
    return this.#towns.list;
  }

  /** The sun of the towns with buildings, in order of code. */
  townSun(): readonly TownSun[] {
    return this.#townSun;
  }

  /** The Parquet file of a ward; null when the dataset has no buildings of the ward. */
  bulk(wardCode: string): BulkFile | null {
    return bulkFile(this.#files, sunlightBulkName(wardCode));
  }

  /**
   * A page of a list as JSON: the members of `about` (what the list is of), the number of the page, and its buildings.
   * Null after the last page.
   */
  #page<Value>(about: object, { total, ids }: ListedIds, page: number, pageSize: number): JsonBytes<Value> | null {
    const pageCount = pagesOf(total, pageSize);
    if (page > pageCount) return null;
    const head = JSON.stringify({ ...about, total, page, page_size: pageSize, page_count: pageCount });
    this.#json.begin();
    // The list replaces the closing brace of the head.
    this.#json.text(`${head.slice(0, -1)},"buildings":`);
    this.#writeSummaries(ids);
    this.#json.text('}');
    return this.#answer(pageCount);
  }

  /** Writes the summaries of stored buildings as a JSON array. */
  #writeSummaries(buildingIds: readonly string[]): void {
    this.#json.text('[');
    for (const [i, id] of buildingIds.entries()) {
      if (i > 0) this.#json.text(',');
      this.#store.look(id, (_, packed) => writeSummary(this.#json, packed));
    }
    this.#json.text(']');
  }

  /** A copy of the written bytes. The next answer overwrites them. */
  #answer<Value>(pages: number | null = null): JsonBytes<Value> {
    return new JsonBytes(this.#json.copy(), pages);
  }
}
