import type { Facility } from '../contract/operations/kaigo-facility.ts';
import { type ComparisonRow, STORED_SORTS } from '../contract/operations/kaigo-municipality.ts';
import { JsonWriter } from '../formats/json-bytes.ts';
import { type ComparisonSort, comparator } from '../kaigo/comparison.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { kaigoBulkName } from './kaigo.ts';
import { rowOfFacility, sortKeysOf } from './kaigo-answer.ts';
import { KAIGO_RECORDS, KaigoStore, type MunicipalityMeta } from './kaigo-store.ts';

/**
 * Decodes every record of the care store, and adds what it finds to `verification`. It checks that
 * - each facility is found by its ID and at its positions, and its rows in the comparison tables have its values;
 * - each comparison table has in every order the same rows, sorted, of facilities that offer its service;
 * - the services of each prefecture are as many as the rows of its bulk file.
 */
export async function verifyKaigo(files: DatasetFiles, verification: Verification): Promise<void> {
  const store = await KaigoStore.open(files);
  const differences: string[] = [];
  const services = verifyFacilities(store, verification, differences);
  let tables = 0;
  for (const municipality of store.municipalities) {
    for (const { service_code, facilities } of municipality.services) {
      tables++;
      verifyTable(store, municipality, service_code, facilities, services, differences);
    }
  }
  Object.assign(verification.checked, { facilities: store.facilityCount, comparisons: tables });
  addDifferences(verification, KAIGO_RECORDS, differences);
}

/**
 * Compares every facility with its rows and its positions, and counts the services of each prefecture.
 * @returns the service codes of each facility, by ID
 */
function verifyFacilities(store: KaigoStore, verification: Verification, differences: string[]): Map<string, string[]> {
  const services = new Map<string, string[]>();
  const byPrefecture = new Map<string, number>();
  const prefectureOf = prefecturesOfRows(store);
  let positions = 0;
  for (let i = 0; i < store.facilityCount; i++) {
    const id = store.facilityId(i);
    const facility = parsedRecord<Facility>(store.facility(i), `facility ${id}`, differences);
    if (facility === null) continue;
    const { facility_id, prefecture_code } = facility;
    if (facility_id !== id) differences.push(`facility ${id}: its record is that of ${facility_id}`);
    if (store.facilityNumber(id) !== i) differences.push(`facility ${id}: is not found by its ID`);
    services.set(
      id,
      facility.services.map(({ service_code }) => service_code),
    );
    for (const [nth, row] of store.facilityRows(i).entries()) {
      const prefecture = prefectureOf.get(row) ?? prefecture_code;
      byPrefecture.set(prefecture, (byPrefecture.get(prefecture) ?? 0) + 1);
      const service = facility.services[nth];
      const expected = service && JSON.stringify(rowOfFacility(facility, service));
      if (store.row(row).toString() !== expected)
        differences.push(`facility ${id}: its row of service ${store.rowService(row)} differs from it`);
    }
    const byPosition = new Map(facility.services.map((service) => [`${service.lat}, ${service.lon}`, service]));
    for (const [position, { lat, lon }] of byPosition) {
      if (lat === null || lon === null) continue;
      positions++;
      if (!store.pointsIn(lon, lat, lon, lat).some((point) => point.facility === i)) {
        differences.push(`facility ${id}: is not found at ${position}`);
      }
    }
  }
  if (positions !== store.pointCount) {
    differences.push(`${store.pointCount} positions can be searched, the facilities have ${positions}`);
  }
  for (const [prefecture, count] of byPrefecture) {
    const name = kaigoBulkName(prefecture);
    const rows = verification.manifest.files[name]?.rows;
    if (rows !== count) differences.push(`${name}: has ${rows ?? 'no'} rows, the store ${count} services`);
  }
  return services;
}

/** The prefecture of each row of a comparison table. A row of no municipality is in none. */
function prefecturesOfRows(store: KaigoStore): Map<number, string> {
  const prefectures = new Map<number, string>();
  for (const municipality of store.municipalities) {
    for (const { service_code } of municipality.services) {
      const rows = store.rowNumbers(municipality, service_code, 'id');
      for (const row of rows) prefectures.set(row, municipality.prefecture_code);
    }
  }
  return prefectures;
}

/** Checks that a comparison table has its rows, of facilities that offer the service, in every order. */
function verifyTable(
  store: KaigoStore,
  municipality: MunicipalityMeta,
  service: string,
  expectedRows: number,
  servicesByFacility: ReadonlyMap<string, readonly string[]>,
  differences: string[],
): void {
  const table = `municipality ${municipality.municipality_code}, service ${service}`;
  const rowsIn = (sort: ComparisonSort): Buffer => {
    const writer = new JsonWriter();
    writer.text('[');
    store.writeRows(writer, store.rowNumbers(municipality, service, sort));
    writer.text(']');
    return writer.copy();
  };
  const rows = parsedRecord<ComparisonRow[]>(rowsIn('id'), table, differences);
  if (rows === null) return;
  if (rows.length !== expectedRows) differences.push(`${table}: has ${rows.length} rows, not ${expectedRows}`);
  for (const { facility_id } of rows) {
    if (!servicesByFacility.get(facility_id)?.includes(service))
      differences.push(`${table}: ${facility_id} does not offer it`);
  }
  const keys = rows.map(sortKeysOf);
  for (const sort of STORED_SORTS) {
    const expected = keys.toSorted(comparator(sort)).map(({ id }) => id);
    if (idsIn(rowsIn(sort).toString()).join() !== expected.join())
      differences.push(`${table}: is not in order of ${sort}`);
  }
}

/** The value of a JSON record; null when it cannot be parsed, which is reported. */
function parsedRecord<T>(bytes: Buffer, what: string, differences: string[]): T | null {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch (error) {
    differences.push(`${what}: its record cannot be decoded: ${(error as Error).message}`);
    return null;
  }
}

/** The facility IDs of rows, in their order. A quote inside a value is escaped, so no value can look like a member. */
const idsIn = (rows: string): string[] => [...rows.matchAll(/\{"facility_id":"([^"]{10})"/g)].map(([, id]) => id);
