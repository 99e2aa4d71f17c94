import { type Contract, contractFor } from '../contract/contract.ts';
import type { Landing } from '../contract/documents.ts';
import { memoized } from '../contract/memoized.ts';
import { examplesOf, type Operation } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { fillPath } from '../contract/parameter.ts';
import { type DatasetValues, placeElsewhere, tokyoWith } from '../contract/place.ts';
import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { type Dataset, extentOf, isTokyo } from '../dataset/dataset.ts';
import { type SunlightAnswers, townOf } from '../dataset/sunlight.ts';
import { serviceOrder } from './kaigo/services.ts';

/** An example URL and its description. */
interface ExampleUrl {
  summary: string;
  url: string;
}

/** URLs that work with this dataset: the parameters name its first building, town or facility. */
function exampleUrls(dataset: Dataset, siteUrl: string): ExampleUrl[] {
  const values = exampleValues(dataset);
  // Of the operations of the site, only the OpenAPI document is listed. Each other operation is listed when the dataset
  // has its data, unless the operator has to switch it on.
  const operations = OPERATIONS.filter(({ id, section, isOptional }) => {
    return section === 'site' ? id === 'openapi' : !isOptional && dataset[section] !== null;
  });
  return operations.flatMap((operation) => {
    const target = targetWith(operation, values[operation.section]);
    return target === null ? [] : [{ summary: operation.summary, url: siteUrl + target }];
  });
}

/** Values of the parameters of each half: the first building, town or facility. */
export const exampleValues = (dataset: Dataset): Record<Operation['section'], Record<string, string>> => ({
  sunlight: sunlightValues(dataset),
  kaigo: kaigoValues(dataset),
  search: searchValues(dataset),
  site: {},
});

/** The contract for the place of a dataset, with examples from the dataset. */
export const contractOf = memoized((dataset: Dataset): Contract => {
  const extent = extentOf(dataset);
  const values = datasetValues(dataset);
  return contractFor(extent === null ? tokyoWith(values) : placeElsewhere(extent, values));
});

/** Values of the dataset for examples; null for a missing half. */
function datasetValues(dataset: Dataset): DatasetValues {
  const { dataset_id } = dataset.manifest;
  const { sunlight, kaigo, search } = readableValues(dataset);
  return {
    sunlight: dataset.sunlight === null ? null : { dataset_id, ...sunlight },
    kaigo: dataset.kaigo === null ? null : { dataset_id, ...kaigo },
    // The examples of a search also name a building and a town: they take the values of sunlight too.
    search: dataset.search === null ? null : { dataset_id, ...sunlight, ...search },
    site: { dataset_id, ...sunlight },
  };
}

/** The values for examples; empty when the dataset cannot be read, because answers work without examples too. */
function readableValues(dataset: Dataset): ReturnType<typeof exampleValues> {
  try {
    return exampleValues(dataset);
  } catch {
    return { sunlight: {}, kaigo: {}, search: {}, site: {} };
  }
}

/** ID of the first building of the dataset; null without buildings. */
export const exampleBuilding = ({ sunlight }: Dataset): string | null => sunlight?.idsBeginning('', 1)[0] ?? null;

/**
 * The path and query of an operation with its required parameters. Null when one of them has no value in this dataset.
 */
function targetWith(operation: Operation, values: Readonly<Record<string, string>>): string | null {
  const required = operation.parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  // When one of several parameters is needed, the first example names one.
  const names = required.length > 0 ? required : Object.keys(examplesOf(operation)[0] ?? {});
  if (names.some((name) => values[name] === undefined)) return null;
  return fillPath(operation.path, Object.fromEntries(names.map((name) => [name, values[name]])));
}

/** Example values of the first town with buildings, and of its first building; without towns of the first building. */
function sunlightValues(dataset: Dataset): Record<string, string> {
  const { sunlight } = dataset;
  if (sunlight === null) return {};
  for (const { town_code } of sunlight.towns()) {
    const { town, buildings = [] } = sunlight.town(town_code, 1, 1)?.toJSON() ?? {};
    const [building] = buildings;
    if (town === undefined || building === undefined) continue;
    const { name, reading, ward_name } = town;
    const names = { ...(name && { town_name: name }), ...(reading && { town_reading: reading }), ward_name };
    return { town_code, ...names, ...valuesOfBuilding(sunlight, building) };
  }
  const building = sunlight.summary(exampleBuilding(dataset) ?? '')?.toJSON();
  return building === undefined ? {} : valuesOfBuilding(sunlight, building);
}

/** The values of a building: its ID, ward and place, and its south wall, otherwise its first one. */
function valuesOfBuilding(sunlight: SunlightAnswers, building: BuildingSummary): Record<string, string> {
  const { building_id, ward_code, lat, lon } = building;
  const faces = (sunlight.shape(building_id)?.faces ?? []).map(({ face }) => face);
  const face = faces.includes('S') ? 'S' : (faces[0] ?? 'S');
  return { building_id, ids: building_id, ward_code, lat: String(lat), lon: String(lon), face };
}

/** A query that finds something: the name of the first ward, of the first municipality, or the ID of a building. */
function searchValues(dataset: Dataset): Record<string, string> {
  const { sunlight, kaigo } = dataset;
  const code = sunlight?.towns()[0]?.town_code;
  const name = code === undefined ? undefined : townOf(sunlight, code)?.ward_name;
  const q = name ?? kaigo?.municipalities()[0]?.name ?? exampleBuilding(dataset) ?? undefined;
  // The contract has a second example of a query, for Latin letters: here both find the same.
  return q === undefined ? {} : { q, q_latin: q };
}

/**
 * The first municipality, a service in it (if possible a home), and its first facility with a position; when none has a
 * position, its first facility.
 */
function kaigoValues({ kaigo }: Dataset): Record<string, string> {
  const entry = kaigo?.municipalities().find(({ services }) => services.length > 0);
  const codes = entry?.services.map(({ service_code }) => service_code) ?? [];
  const [service_code] = codes.sort((a, b) => serviceOrder(a) - serviceOrder(b));
  if (kaigo === null || entry === undefined || service_code === undefined) return {};
  const { municipality_code, prefecture_code } = entry;
  const page = kaigo.municipality(municipality_code, service_code, 'id', 1, 100)?.toJSON();
  const facility = page?.facilities.find(({ lat }) => lat !== null) ?? page?.facilities[0];
  const values: Record<string, string> = { municipality_code, prefecture_code, service_code };
  if (facility !== undefined) values.facility_id = facility.facility_id;
  if (facility?.lat != null) Object.assign(values, { lat: String(facility.lat), lon: String(facility.lon) });
  return values;
}

/** The site in one sentence. */
const about = (inTokyo: boolean): string =>
  `Direct sun on ${inTokyo ? 'the buildings of Tokyo' : 'buildings'}, wall by wall and floor by floor, and care facilities compared.`;

/** The content of the landing page and its JSON. */
export function landing(dataset: Dataset, siteUrl: string): Landing {
  // The link stands there even when all calls are free, because a cached page cannot depend on a setting.
  const prices = { summary: 'What calls cost and how to pay', url: `${siteUrl}/pricing/` };
  return {
    name: 'Hidamari',
    description: about(isTokyo(dataset)),
    urls: [...exampleUrls(dataset, siteUrl), prices],
  };
}
