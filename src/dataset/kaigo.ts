import type { Facility } from '../contract/operations/kaigo-facility.ts';
import type { MunicipalityList } from '../contract/operations/kaigo-municipalities.ts';
import type { MunicipalityTable } from '../contract/operations/kaigo-municipality.ts';
import type { FacilitiesNear, NearbyFacility } from '../contract/operations/kaigo-near.ts';
import { LocalPlane } from '../geo/local-plane.ts';
import type { ComparisonSort } from '../kaigo/comparison.ts';
import { geodesicMetres } from '../kaigo/geodesic.ts';
import { homesFirst, SERVICES, serviceOf } from '../kaigo/services.ts';
import { type BulkFile, bulkFile } from './bulk.ts';
import type { DatasetFiles } from './files.ts';
import { JsonBytes } from './json-bytes.ts';
import { rowOfFacility } from './kaigo-answer.ts';
import { KaigoStore } from './kaigo-store.ts';
import { kaigoBulkName, type MunicipalityMeta } from './kaigo-store-format.ts';
import { pagesOf } from './pages.ts';

/** Metres of a degree of latitude, at least, and of a degree of longitude at the equator: a box of them is never too small. */
const DEGREE_METRES = 110_500;

/** What the care half answers. `null`: there is no such thing. */
export interface KaigoAnswers {
  facility(facilityId: string): JsonBytes<Facility> | null;
  /** One page (from 1) of a table; null for a municipality that is not in the data or a page past the last. */
  municipality(
    code: string,
    service: string,
    sort: ComparisonSort,
    page: number,
    pageSize: number,
  ): JsonBytes<MunicipalityTable> | null;
  /** Number of pages of a table; null for a municipality that is not in the data. */
  municipalityPages(code: string, service: string, pageSize: number): number | null;
  near(lat: number, lon: number, radiusM: number, service: string | null, limit: number): FacilitiesNear;
  municipalities(): MunicipalityList;
  bulk(prefectureCode: string): BulkFile | null;
}

/** Opens the care half of a dataset. Throws when one of its files cannot be read. */
export async function openKaigo(files: DatasetFiles): Promise<KaigoAnswers> {
  const { folder, manifest } = files;
  const store = await KaigoStore.open(files);
  const municipalities = store.municipalities.map(({ first_table: _, ...shown }) => shown);

  return {
    facility(facilityId) {
      const facility = store.facilityNumber(facilityId);
      return facility < 0 ? null : JsonBytes.of(store.facility(facility));
    },

    municipality(code, service, sort, page, pageSize) {
      const place = store.municipality(code);
      if (place === undefined) return null;
      const total = facilitiesWith(place, service);
      const pageCount = pagesOf(total, pageSize);
      if (page > pageCount) return null;
      const { municipality_code, name, prefecture_code, prefecture } = place;
      const head = {
        municipality: { municipality_code, name, prefecture_code, prefecture },
        service: { service_code: service, name: serviceOf(service)?.name ?? service },
        sort,
        total,
        page,
        page_size: pageSize,
        page_count: pageCount,
      };
      const rows = store.rows(place, service, sort, (page - 1) * pageSize, pageSize);
      const opening = `${JSON.stringify(head).slice(0, -1)},"facilities":[`;
      return JsonBytes.of(Buffer.concat([Buffer.from(opening), rows, Buffer.from(']}')]));
    },

    municipalityPages(code, service, pageSize) {
      const place = store.municipality(code);
      return place === undefined ? null : pagesOf(facilitiesWith(place, service), pageSize);
    },

    near(lat, lon, radiusM, service, limit) {
      const found = pointsWithin(store, lat, lon, radiusM, service, limit);
      const facilities = found.slice(0, limit).map(({ facility, distance }): NearbyFacility => {
        const answer = JSON.parse(store.facility(facility).toString()) as Facility;
        const main = answer.services.map(({ service_code }) => service_code).sort(homesFirst)[0];
        const shown = answer.services.find(({ service_code }) => service_code === (service ?? main))!;
        const others = answer.services.filter((one) => one !== shown);
        return {
          distance_m: distance,
          ...rowOfFacility(answer, shown),
          service_codes: [shown, ...others].map(({ service_code }) => service_code),
        };
      });
      return {
        lat,
        lon,
        radius_m: radiusM,
        count: facilities.length,
        truncated: found.length > limit,
        facilities,
      };
    },

    municipalities: () => municipalities,

    bulk: (prefectureCode) => bulkFile(folder, manifest, kaigoBulkName(prefectureCode)),
  };
}

function facilitiesWith({ services }: MunicipalityMeta, service: string): number {
  return services.find(({ service_code }) => service_code === service)?.facilities ?? 0;
}

/** Distances are told, and ordered, to 0.1 m. */
const told = (metres: number): number => Math.round(metres * 10) / 10;

/** The plane around a point is good to a millimetre within some kilometres, and distances are rounded: this is ample. */
const PLANE_ERROR_M = 0.1;

/**
 * The facilities within a radius (that offer a service, unless null), nearest first by the distance as it is told,
 * ties by ID: `most` of them and one more if there are. The plane around the point picks the candidates, the ellipsoid decides.
 */
function pointsWithin(
  store: KaigoStore,
  lat: number,
  lon: number,
  radiusM: number,
  service: string | null,
  most: number,
): { facility: number; distance: number }[] {
  const reachLat = radiusM / DEGREE_METRES;
  // Towards the pole a degree of longitude shrinks: the far edge of the box decides.
  const reachLon = reachLat / Math.cos(((Math.abs(lat) + reachLat) * Math.PI) / 180);
  const bit = 2 ** SERVICES.findIndex(({ service_code }) => service_code === service);
  const plane = new LocalPlane(lat, lon);
  const candidates = store
    .pointsIn(lon - reachLon, lat - reachLat, lon + reachLon, lat + reachLat)
    .filter(({ services }) => service === null || Math.floor(services / bit) % 2 === 1)
    .map((point) => ({ point, about: Math.hypot(plane.x(point.lat, point.lon), plane.y(point.lat)) }))
    .filter(({ about }) => about <= radiusM + PLANE_ERROR_M)
    .sort((a, b) => a.about - b.about);
  const found: { facility: number; distance: number }[] = [];
  let enough = Infinity;
  for (const { point, about } of candidates) {
    if (about > enough) break;
    const distance = geodesicMetres({ lat, lon }, point);
    if (distance > radiusM) continue;
    found.push({ facility: point.facility, distance: told(distance) });
    if (found.length === most + 1) enough = about + 2 * PLANE_ERROR_M;
  }
  // Facilities are numbered in order of ID.
  found.sort((a, b) => a.distance - b.distance || a.facility - b.facility);
  return found.slice(0, most + 1);
}
