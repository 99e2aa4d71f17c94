import { type Client, FetchError, MOST_PAGE_BYTES, plainText } from './client.ts';
import { MOST_BYTES, type Publisher, type Resource } from './publishers.ts';

/** The requested edition of a city's model: by default the newest year, then the newest specification. */
export interface Edition {
  year: number | null;
  spec: string | null;
}

/** A city in the catalogue. */
export interface City {
  code: string;
  name: string;
  year: number;
  spec: string;
  /** Bytes of the zip of the whole city, all themes; null when the catalogue does not say. */
  bytes: number | null;
}

/** Limit of lines that explain why no file of the catalogue is left. */
const MOST_REASONS = 5;
/** Limit of the catalogue. */
const MOST_MESHES = 30;

interface CatalogueCity {
  cityCode: string;
  year: number;
  spec: string;
  files: { bldg?: { code: string; url: string; fileSize?: number }[] };
}

/** Every edition of every city, in order of code, then year and specification. */
export async function listCities(client: Client, publisher: Publisher): Promise<City[]> {
  const url = publisher.urls.list ?? '';
  const { citygml } = (await readJson(client, publisher, url)) as { citygml?: Record<string, unknown>[] };
  if (!Array.isArray(citygml) || citygml.some((row) => typeof row !== 'object' || row === null))
    throw new FetchError(`${url}: expected a member "citygml" with the list of cities`);
  const cities = citygml.map((row) => ({
    code: plainText(String(row.city_code)),
    name: plainText(`${row.pref ?? ''}${row.city ?? ''}`),
    year: Number(row.year),
    spec: plainText(String(row.spec ?? '')),
    bytes: typeof row.file_size === 'number' ? row.file_size : null,
  }));
  return cities.sort(
    (a, b) => a.code.localeCompare(b.code) || a.year - b.year || specOrder(a.spec) - specOrder(b.spec),
  );
}

interface CityModels {
  resources: Resource[];
  /** Codes of the cities with these files. */
  cities: string[];
  /** Left-out files with reasons, a line each. */
  remarks: string[];
}

/**
 * The building files of cities (5 digits each) or of grid squares (8 digits each), from the catalogue.
 * @throws FetchError when the catalogue has none
 */
export async function cityModelsOf(
  client: Client,
  publisher: Publisher,
  codes: readonly string[],
  edition: Edition,
): Promise<CityModels> {
  const byMesh = codes.every((code) => code.length > 5);
  const found: CatalogueCity[] = [];
  for (let i = 0; i < codes.length; i += MOST_MESHES) {
    const conditions = `${byMesh ? 'm:' : ''}${codes.slice(i, i + MOST_MESHES).join(',')}`;
    found.push(...(await askCatalogue(client, publisher, conditions)));
  }
  const { chosen, remarks } = chooseEditions(found, edition);
  if (!byMesh) {
    for (const code of codes) {
      if (!chosen.some(({ cityCode }) => cityCode === code))
        remarks.push(`${code}: the catalogue has no city model of it; what was fetched before stays`);
    }
  }
  const resources = resourcesOf(chosen, remarks);
  if (resources.length === 0) {
    const url = (publisher.urls.files ?? '').replace('{conditions}', codes.slice(0, 5).join(','));
    const none = `${url}: no building files of ${codes.slice(0, 5).join(', ')}; see fetch --list`;
    throw new FetchError([none, ...remarks.slice(0, MOST_REASONS)].join('\n  '));
  }
  return { resources, cities: [...new Set(chosen.map(({ cityCode }) => cityCode))].sort(), remarks };
}

async function askCatalogue(client: Client, publisher: Publisher, conditions: string): Promise<CatalogueCity[]> {
  const url = (publisher.urls.files ?? '').replace('{conditions}', conditions);
  const answer = (await readJson(client, publisher, url)) as { cities?: CatalogueCity[] } | null;
  if (answer === null) return [];
  if (!Array.isArray(answer.cities)) throw new FetchError(`${url}: expected a member "cities" with a list`);
  const isCity = (city: unknown): boolean =>
    typeof city === 'object' && city !== null && 'cityCode' in city && 'files' in city;
  const other = answer.cities.find((city) => !isCity(city) || typeof city.files !== 'object' || city.files === null);
  if (other !== undefined) {
    throw new FetchError(
      `${url}: expected cities with "cityCode" and "files", found ${JSON.stringify(other).slice(0, 60)}`,
    );
  }
  return answer.cities;
}

/** One edition of each city. The edition of all wards of Tokyo (13100) is used only when no ward has its own. */
function chooseEditions(
  cities: readonly CatalogueCity[],
  { year, spec }: Edition,
): { chosen: CatalogueCity[]; remarks: string[] } {
  const wanted = cities.filter(
    (city) =>
      (year === null || Number(city.year) === year) && (spec === null || specOrder(city.spec) === specOrder(spec)),
  );
  const newest = new Map<string, { year: number; spec: number }>();
  for (const city of wanted) {
    const best = newest.get(city.cityCode);
    const [y, s] = [Number(city.year), specOrder(city.spec)];
    if (!best || y > best.year || (y === best.year && s > best.spec)) newest.set(city.cityCode, { year: y, spec: s });
  }
  const hasWards = [...newest.keys()].some((code) => /^131(0[1-9]|1\d|2[0-3])$/.test(code));
  const remarks: string[] = [];
  if (hasWards && newest.has('13100')) {
    newest.delete('13100');
    remarks.push('13100: left out, since its wards have newer models of their own');
  }
  const chosen = wanted.filter((city) => {
    const best = newest.get(city.cityCode);
    return best !== undefined && Number(city.year) === best.year && specOrder(city.spec) === best.spec;
  });
  return { chosen, remarks };
}

/** `第3.2版`, `3.2`, `v4`: the number in it. */
const specOrder = (spec: string): number => Number(/\d+(\.\d+)?/.exec(spec)?.[0] ?? 0);

/** The name of an edition in the lock: `2023, specification 3.2`. */
export const editionText = (year: number, spec: number): string => `${Number(year)}, specification ${spec}`;

/**
 * The codes of the requested cities. Codes of cities stay; prefectures (2 digits) and `all` are expanded by the
 * catalogue.
 * @throws FetchError when the catalogue has none for a prefecture
 */
export async function citiesFor(client: Client, publisher: Publisher, asked: readonly string[]): Promise<string[]> {
  if (asked.every((code) => code.length === 5)) return [...asked];
  const codesListed = (await listCities(client, publisher)).map(({ code }) => code);
  const listed = [...new Set(codesListed)].filter((code) => /^\d{5}$/.test(code));
  const codes = asked.flatMap((one) => {
    const own = one === 'all' ? listed : one.length === 2 ? listed.filter((code) => code.startsWith(one)) : [one];
    if (own.length === 0) throw new FetchError(`${one}: the catalogue lists no city model of it; see fetch --list`);
    return own;
  });
  return [...new Set(codes)].sort();
}

/**
 * Names of city models below the inputs folder. They consist of codes: a publisher's file name never becomes a path.
 */
export class FileNames {
  readonly #seen = new Map<string, number>();

  /** A name that no other file has, also when a city has several files for a grid square. */
  next(city: string, code: string): string {
    const count = (this.#seen.get(`${city}/${code}`) ?? 0) + 1;
    this.#seen.set(`${city}/${code}`, count);
    return `citygml/${city}/${code}${count > 1 ? `-${count}` : ''}_bldg.gml`;
  }
}

/** The files of cities, each once. */
function resourcesOf(cities: readonly CatalogueCity[], remarks: string[]): Resource[] {
  const names = new FileNames();
  const resources = new Map<string, Resource>();
  for (const { cityCode, year, spec, files } of cities) {
    for (const file of Array.isArray(files.bldg) ? files.bldg : []) {
      const { code = '', url = '', fileSize = null } = file ?? {};
      if (!/^\d{5}$/.test(cityCode) || !/^\d{6,11}$/.test(code) || !URL.canParse(url)) {
        remarks.push(
          plainText(`${cityCode} ${code}: left out, since its codes or its address are not of the known form`),
        );
      } else if (!resources.has(url)) {
        const expectedBytes = sizeOf(fileSize);
        const path = names.next(cityCode, code);
        const edition = editionText(year, specOrder(spec));
        const file: Pick<Resource, 'publisher' | 'content'> = { publisher: 'plateau', content: 'citygml' };
        resources.set(url, { path, url, ...file, expectedBytes, edition, keepEarlier: false });
      }
    }
  }
  return [...resources.values()];
}

/** A plausible size of a model, or null. */
function sizeOf(said: unknown): number | null {
  return typeof said === 'number' && said >= 0 && said <= MOST_BYTES.citygml ? said : null;
}

/** JSON from a URL; null for a 404. */
export async function readJson(client: Client, publisher: Publisher, url: string): Promise<unknown> {
  const { response, body } = await client.whole(url, publisher.hosts, MOST_PAGE_BYTES);
  const text = body.toString();
  if (response.status === 404) return null;
  if (response.status !== 200) throw new FetchError(`${url}: status ${response.status}, expected 200`);
  try {
    return JSON.parse(text);
  } catch {
    throw new FetchError(`${url}: expected JSON, found ${JSON.stringify(text.slice(0, 60))}`);
  }
}
