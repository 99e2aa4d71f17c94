import { type Case, type CaseAnswer, type CostEstimate, type Room, STANDARD_CASE } from '../contract/kaigo-cost.ts';
import type { ComparedWith } from '../contract/kaigo-facility.ts';
import type { Facility } from '../contract/operations/kaigo-facility.ts';
import type {
  ComparisonRow,
  MunicipalityList,
  MunicipalityTable,
  Sort,
} from '../contract/operations/kaigo-municipality.ts';
import type { FacilitiesNear } from '../contract/operations/kaigo-near.ts';
import { pagesOf } from '../contract/parameter.ts';
import { JsonBytes, JsonWriter } from '../formats/json-bytes.ts';
import { LEAST_METRES_PER_LAT, RADIANS } from '../geo/degree.ts';
import { LocalPlane } from '../geo/plane.ts';
import { oneDecimal } from '../geo/rounding.ts';
import { type CaseFault, careLevelOf, isStandardCase, supportLevelOf } from '../kaigo/case.ts';
import { comparedWith } from '../kaigo/comparison.ts';
import type { CapClass } from '../kaigo/fee-table.ts';
import { geodesicMetres } from '../kaigo/position.ts';
import { type FeeInLists, feeInLists } from '../kaigo/published-fees.ts';
import { homesFirst, officialServiceName } from '../kaigo/services.ts';
import { type BulkFile, bulkFile, type DatasetFiles } from '../snapshot/dataset-files.ts';
import { KaigoStore, type MunicipalityMeta, serviceBit } from './kaigo-store.ts';
import {
  KaigoCases,
  mustEstimate,
  NO_FILTER,
  type QualityBound,
  RequestedTable,
  type RowFilter,
  rowsDiffer,
  STANDARD_REQUEST,
  type TableRequest,
} from './kaigo-table.ts';

/** A Parquet file of the care half, relative to the dataset's folder. */
export const kaigoBulkName = (prefectureCode: string): string => `bulk/kaigo/${prefectureCode}.parquet`;

export type { CaseFault };
export { NO_FILTER, type QualityBound, type RowFilter, STANDARD_REQUEST, type TableRequest };

/** The answers of the care half. */
export type KaigoAnswers = Pick<DatasetKaigo, keyof DatasetKaigo>;

/** The care half of a dataset, answered from its store. `null`: there is no such thing. */
export class DatasetKaigo {
  readonly #files: DatasetFiles;
  readonly #store: KaigoStore;
  readonly #cases: KaigoCases;
  readonly #municipalities: MunicipalityList;
  readonly #json = new JsonWriter();

  private constructor(files: DatasetFiles, store: KaigoStore) {
    this.#files = files;
    this.#store = store;
    this.#cases = new KaigoCases(store.pricing);
    this.#municipalities = store.municipalities.map(({ first_table: _, around: __, ...answer }) => answer);
  }

  /** @throws Error when one of its files cannot be read. */
  static async open(files: DatasetFiles): Promise<DatasetKaigo> {
    return new DatasetKaigo(files, await KaigoStore.open(files));
  }

  facility(facilityId: string, careCase: Case = STANDARD_CASE): JsonBytes<Facility> | null {
    const number = this.#store.facilityNumber(facilityId);
    if (number < 0) return null;
    if (isStandardCase(careCase)) return new JsonBytes(this.#store.facility(number));
    return new JsonBytes(Buffer.from(JSON.stringify(facilityInCase(this.#store, this.#cases, number, careCase))));
  }

  /** One page (from 1) of a table; null for a municipality that is not in the data or a page past the last. */
  municipality(
    code: string,
    service: string,
    sort: Sort,
    page: number,
    pageSize: number,
    request: TableRequest = STANDARD_REQUEST,
  ): JsonBytes<MunicipalityTable> | null {
    const municipality = this.#store.municipality(code);
    if (municipality === undefined) return null;
    const table = this.#table(municipality, service, sort, request);
    const total = table.rows.length;
    const pageCount = pagesOf(total, pageSize);
    if (page > pageCount) return null;
    const { municipality_code, name, prefecture_code, prefecture } = municipality;
    const head = {
      municipality: { municipality_code, name, prefecture_code, prefecture },
      service: { service_code: service, name: officialServiceName(service) },
      sort,
      case: caseAnswer(request.case),
      around: aroundOf(this.#store, municipality, service),
      compared_with: comparedInCase(comparedWith(this.#store.compared, service, prefecture_code), request.case),
      comparable_cost: table.isComparable(),
      total,
      page,
      page_size: pageSize,
      page_count: pageCount,
    };
    this.#beginAnswer(head);
    table.write(this.#json, table.rows.subarray((page - 1) * pageSize, page * pageSize));
    return this.#endAnswer(pageCount);
  }

  /** Number of pages of a table; null for a municipality that is not in the data. */
  municipalityPages(code: string, service: string, pageSize: number, request: TableRequest): number | null {
    const municipality = this.#store.municipality(code);
    if (municipality === undefined) return null;
    return pagesOf(this.#table(municipality, service, 'id', request).rows.length, pageSize);
  }

  /** The rows of a whole table; null for a municipality that is not in the data. */
  rows(code: string, service: string, sort: Sort, request: TableRequest = STANDARD_REQUEST): ComparisonRow[] | null {
    const municipality = this.#store.municipality(code);
    if (municipality === undefined) return null;
    const table = this.#table(municipality, service, sort, request);
    // Rows are stored as JSON.
    this.#json.begin();
    table.write(this.#json, table.rows);
    return new JsonBytes<ComparisonRow[]>(this.#json.copy()).toJSON();
  }

  /**
   * The facilities around a point, nearest first.
   * @param wantedServices of which a facility must offer one; null for any
   * @param limit the most facilities in the answer
   * @param maxYen the most that may be left to pay in a typical month in one of the rooms, yen; it is tested for the
   * nearest `MOST_TESTED` facilities only
   */
  near(
    lat: number,
    lon: number,
    radiusM: number,
    wantedServices: string | readonly string[] | null,
    limit: number,
    careCase: Case = STANDARD_CASE,
    maxYen: number | null = null,
  ): JsonBytes<FacilitiesNear> {
    const store = this.#store;
    const services = typeof wantedServices === 'string' ? [wantedServices] : wantedServices;
    const mostTested = maxYen === null ? limit : MOST_TESTED;
    const points = pointsWithin(store, lat, lon, radiusM, services, mostTested);
    const costLimit = maxYen === null ? null : { maxYen, figure: 'typical' as const };
    const costs = this.#cases.costs(careCase, costLimit);
    const passing = points
      .slice(0, mostTested)
      .map((point) => nearbyFacility(store, point, services))
      // `leftToPay` is null for a home without a room within `maxYen`.
      .filter(({ row }) => maxYen === null || costs.leftToPay(store.rowFacts(row)) !== null);
    const facilities = passing.slice(0, limit);
    const estimateOf = mustEstimate(careCase, costLimit) ? (row: number) => costs.estimate(store.rowFacts(row)) : null;
    const rows = facilities.map(({ row }) => row);
    // A row is about the first of the services (`nearbyFacility`).
    const comparedPairs = new Set(facilities.map(({ prefecture, codes }) => `${codes[0]} ${prefecture}`));
    const head = {
      lat,
      lon,
      radius_m: radiusM,
      case: caseAnswer(careCase),
      count: facilities.length,
      // There may be more: untested ones, or ones above the limit.
      truncated: points.length > mostTested || passing.length > limit,
      comparable_cost: rowsDiffer(store, rows, estimateOf),
      compared_with: [...comparedPairs].sort().map((pair) => {
        const [service_code = '', prefecture_code = ''] = pair.split(' ');
        const compared = comparedWith(store.compared, service_code, prefecture_code);
        return { service_code, prefecture_code, ...comparedInCase(compared, careCase) };
      }),
    };
    this.#beginAnswer(head);
    this.#writeNearby(facilities, estimateOf);
    return this.#endAnswer();
  }

  /** Writes facilities around a point as a JSON array: each is its row, with its distance and its services. */
  #writeNearby(facilities: readonly NearbyFacility[], estimateOf: ((row: number) => CostEstimate) | null): void {
    const json = this.#json;
    json.text('[');
    for (const [i, { row, distance, codes }] of facilities.entries()) {
      json.text(`${i === 0 ? '' : ','}{"distance_m":${distance}`);
      const rowStart = json.length;
      this.#store.writeRow(json, row, estimateOf?.(row));
      // The braces of the row become commas, so that its members are members of this object.
      const rowLength = json.length - rowStart;
      json.replaceFromEnd(rowLength, ',');
      json.replaceFromEnd(1, ',');
      json.text(`"service_codes":${JSON.stringify(codes)}}`);
    }
    json.text(']');
  }

  /** Why a case is not possible, in general or for a service; null when it is. */
  caseFault(careCase: Case, service: string | null): CaseFault | null {
    return this.#cases.fault(careCase, service);
  }

  /** The kinds of room that the price of a service depends on. */
  rooms(service: string): readonly Room[] {
    return this.#cases.rooms(service);
  }

  /**
   * The amount of the price lists that a rejected published fee equals, such as the limit of an income stage; null when
   * it equals none.
   */
  feeInLists(service: string, field: string, text: string): FeeInLists | null {
    const { fees, as_of } = this.#store.pricing;
    return feeInLists(fees, as_of, service, field, text);
  }

  /** The yearly caps on medical and care costs together that a case can have, the highest first. */
  combinedCaps(careCase: Case): CapClass[] {
    return this.#cases.combinedCaps(careCase);
  }

  municipalities(): MunicipalityList {
    return this.#municipalities;
  }

  /** The number of facilities of each prefecture, by its code. A facility counts once, in the prefecture of its address. */
  facilitiesByPrefecture(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (let facility = 0; facility < this.#store.facilityCount; facility++) {
      const code = this.#store.facilityPrefecture(facility);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    return counts;
  }

  bulk(prefectureCode: string): BulkFile | null {
    return bulkFile(this.#files, kaigoBulkName(prefectureCode));
  }

  /** Begins an answer whose last member is the list of facilities: the list replaces the closing brace of the head. */
  #beginAnswer(head: object): void {
    this.#json.begin();
    this.#json.text(`${JSON.stringify(head).slice(0, -1)},"facilities":`);
  }

  /**
   * Ends the answer, and copies it.
   * @param pages of the list of which the answer is one page ({@link JsonBytes.pages})
   */
  #endAnswer<Answer>(pages?: number): JsonBytes<Answer> {
    this.#json.text('}');
    return new JsonBytes(this.#json.copy(), pages);
  }

  #table(municipality: MunicipalityMeta, service: string, sort: Sort, request: TableRequest): RequestedTable {
    return new RequestedTable(this.#store, this.#cases, municipality, service, sort, request);
  }
}

/** A case as the answer states it. */
function caseAnswer({ careLevel, copaymentPercent, income, room, aid, partnerLevel }: Case): CaseAnswer {
  return {
    care_level: careLevelOf(careLevel),
    support_level: supportLevelOf(careLevel),
    copayment_percent: copaymentPercent,
    income,
    room,
    aid,
    partner_care_level: partnerLevel === null ? null : careLevelOf(partnerLevel),
    partner_support_level: partnerLevel === null ? null : supportLevelOf(partnerLevel),
  };
}

/** The values to compare with. The costs are those of the standard case, so another case has none. */
function comparedInCase(compared: ComparedWith, careCase: Case): ComparedWith {
  return isStandardCase(careCase) ? compared : { ...compared, cost: null };
}

/** A facility with the estimates of a case. */
function facilityInCase(store: KaigoStore, cases: KaigoCases, facility: number, careCase: Case): Facility {
  const answer = JSON.parse(store.facility(facility).toString()) as Facility;
  // The table rows of the services, in the order of the services.
  const serviceRows = store.facilityRows(facility);
  const noLimit = null;
  const costs = cases.costs(careCase, noLimit);
  const services = answer.services.map((service, i) => ({
    ...service,
    cost_estimate: costs.estimate(store.rowFacts(serviceRows[i])),
    compared_with: comparedInCase(service.compared_with, careCase),
  }));
  return { ...answer, services };
}

/**
 * The municipalities around one that have facilities with a service, nearest first, and the number of these facilities.
 */
function aroundOf(store: KaigoStore, municipality: MunicipalityMeta, service: string): MunicipalityTable['around'] {
  return municipality.around.flatMap(([number, distance]) => {
    // `!`: neighbours are numbers of municipalities of the store.
    const other = store.municipalities[number]!;
    const facilities = facilitiesWith(other, service);
    if (facilities === 0) return [];
    const { municipality_code, name } = other;
    return [{ municipality_code, name, distance_m: distance, facilities }];
  });
}

/** Number of facilities of a municipality that offer a service. */
function facilitiesWith({ services }: MunicipalityMeta, service: string): number {
  return services.find(({ service_code }) => service_code === service)?.facilities ?? 0;
}

/** Limit of the facilities around a point whose costs are tested. */
export const MOST_TESTED = 500;

/** A generous bound of the plane's errors: within some kilometres they are a millimetre. */
const PLANE_ERROR_M = 0.1;

/** A facility within a radius, at one of its positions. */
interface PlacedFacility {
  /** Number of the facility. */
  facility: number;
  /** To this position, metres. */
  distance: number;
  /** Whether the facility offers a service at this position. */
  offersHere(service: string): boolean;
}

/** The row that stands for a facility near a point, and the codes of all its services, that of the row first. */
interface NearbyFacility {
  row: number;
  /** To the position of the facility, metres. */
  distance: number;
  codes: string[];
  /** The code of its prefecture. */
  prefecture: string;
}

/** A facility near a point with the row of the service that is offered there. */
function nearbyFacility(
  store: KaigoStore,
  { facility, distance, offersHere }: PlacedFacility,
  services: readonly string[] | null,
): NearbyFacility {
  const offered = Array.from(store.facilityRows(facility), (row) => ({ row, code: store.rowService(row) }));
  // The first requested service that is offered at the point; without a request, the main service.
  const mainCode = services?.find(offersHere) ?? offered.map(({ code }) => code).sort(homesFirst)[0];
  const main = offered.find(({ code }) => code === mainCode);
  if (main === undefined) throw new Error(`facility ${store.facilityId(facility)} offers nothing`);
  const codes = [main, ...offered.filter((one) => one !== main)].map(({ code }) => code);
  return { row: main.row, distance, codes, prefecture: store.facilityPrefecture(facility) };
}

/**
 * The facilities within a radius, nearest first by the rounded distance, ties by ID: at most `most`, and one more that
 * tells that there are more. A facility counts at the nearest of its points with a requested service; without a request,
 * at its main point. The plane around the point selects the candidates; the ellipsoid decides.
 */
function pointsWithin(
  store: KaigoStore,
  lat: number,
  lon: number,
  radiusM: number,
  services: readonly string[] | null,
  most: number,
): PlacedFacility[] {
  const reachLat = radiusM / LEAST_METRES_PER_LAT;
  // Towards the pole a degree of longitude shrinks: the far edge of the box decides.
  const reachLon = reachLat / Math.cos((Math.abs(lat) + reachLat) * RADIANS);
  const plane = new LocalPlane(lat, lon);
  const candidates = store
    .pointsIn(lon - reachLon, lat - reachLat, lon + reachLon, lat + reachLat)
    .map((point) => ({
      ...point,
      // `services` has a bit for each service that the facility offers at this point (`serviceBit`).
      offersHere: (service: string) => Math.floor(point.services / serviceBit(service)) % 2 === 1,
    }))
    .filter(({ isMain, offersHere }) => services?.some(offersHere) ?? isMain)
    .map((point) => ({ point, planeDistance: Math.hypot(plane.x(point.lat, point.lon), plane.y(point.lat)) }))
    .filter(({ planeDistance }) => planeDistance <= radiusM + PLANE_ERROR_M)
    .sort((a, b) => a.planeDistance - b.planeDistance);
  const nearest = new Map<number, PlacedFacility>();
  // When there are enough facilities, a candidate can still be nearer than the last one only if it is hardly farther in
  // the plane: by less than the errors of both plane distances.
  let bound = Infinity;
  for (const { point, planeDistance } of candidates) {
    if (planeDistance > bound) break;
    const distance = geodesicMetres({ lat, lon }, point);
    if (distance > radiusM) continue;
    const nearer = nearest.get(point.facility);
    if (nearer !== undefined && nearer.distance <= distance) continue;
    nearest.set(point.facility, {
      facility: point.facility,
      distance: oneDecimal(distance),
      offersHere: point.offersHere,
    });
    if (nearest.size === most + 1) bound = planeDistance + 2 * PLANE_ERROR_M;
  }
  // Facilities are numbered in order of ID.
  const sorted = [...nearest.values()].sort((a, b) => a.distance - b.distance || a.facility - b.facility);
  return sorted.slice(0, most + 1);
}
