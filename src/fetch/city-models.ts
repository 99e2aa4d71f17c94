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
/** The catalogue accepts at most this number of codes in a request. */
const MOST_CODES = 30;

/** An edition of a city, as the catalogue answers it. */
interface CatalogueCity {
  cityCode: string;
  year: number;
  spec: string;
  files: { bldg?: (CatalogueFile | null)[] };
}

/** A building file, as the catalogue answers it. Members may be missing. */
interface CatalogueFile {
  code?: string;
  url?: string;
  fileSize?: number;
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

/** The building files that the catalogue has for a request. */
interface CityModels {
  resources: Resource[];
  /** Codes of the cities with these files. */
  cities: string[];
  /** Those of which some files are left out, since their entries are not of the known form. */
  incomplete: ReadonlySet<string>;
  /** Files and cities that are left out, and why; a line each. */
  remarks: string[];
}

/**
 * The building files of cities (5 digits each) or of grid squares (8 digits each), from the catalogue.
 * @throws {FetchError} When the catalogue has none.
 */
export async function cityModelsOf(
  client: Client,
  publisher: Publisher,
  codes: readonly string[],
  edition: Edition,
): Promise<CityModels> {
  const areSquares = codes.every((code) => code.length > 5);
  const cities: CatalogueCity[] = [];
  for (let i = 0; i < codes.length; i += MOST_CODES) {
    // `m:` says that the codes are those of grid squares.
    const conditions = `${areSquares ? 'm:' : ''}${codes.slice(i, i + MOST_CODES).join(',')}`;
    cities.push(...(await askCatalogue(client, publisher, conditions)));
  }
  const { chosen, remarks } = chooseEditions(cities, edition);
  if (!areSquares) {
    for (const code of codes) {
      if (!chosen.some(({ cityCode }) => cityCode === code))
        remarks.push(`${code}: the catalogue has no city model of it; what was fetched before stays`);
    }
  }
  const { resources, incomplete } = resourcesOf(chosen, remarks);
  if (resources.length === 0) {
    const examples = codes.slice(0, 5);
    const url = (publisher.urls.files ?? '').replace('{conditions}', examples.join(','));
    const message = `${url}: no building files of ${examples.join(', ')}; see fetch --list, or take the published zip by --route zip`;
    throw new FetchError([message, ...remarks.slice(0, MOST_REASONS)].join('\n  '));
  }
  return { resources, cities: [...new Set(chosen.map(({ cityCode }) => cityCode))].sort(), incomplete, remarks };
}

/**
 * The editions that the catalogue has for some codes; none when it answers 404.
 * @param conditions codes with commas between them; `m:` before them says that they are those of grid squares
 * @throws {FetchError} When the answer does not have the documented form.
 */
async function askCatalogue(client: Client, publisher: Publisher, conditions: string): Promise<CatalogueCity[]> {
  const url = (publisher.urls.files ?? '').replace('{conditions}', conditions);
  const answer = (await readJson(client, publisher, url)) as { cities?: CatalogueCity[] } | null;
  if (answer === null) return [];
  if (!Array.isArray(answer.cities)) throw new FetchError(`${url}: expected a member "cities" with a list`);
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const isCity = (city: unknown): boolean =>
    isObject(city) && 'cityCode' in city && 'files' in city && isObject(city.files);
  const malformed = answer.cities.find((city) => !isCity(city));
  if (malformed !== undefined) {
    const text = JSON.stringify(malformed).slice(0, 60);
    throw new FetchError(`${url}: expected cities with "cityCode" and "files", found ${text}`);
  }
  return answer.cities;
}

/**
 * One edition of each city: the requested one, or the newest. An edition without building files is left out: it does not
 * take the place of an earlier one. The catalogue also has one model of all wards of Tokyo (13100), which is used only
 * when no ward has a model.
 */
function chooseEditions(
  cities: readonly CatalogueCity[],
  { year, spec }: Edition,
): { chosen: CatalogueCity[]; remarks: string[] } {
  const matching = cities.filter(
    (city) =>
      (year === null || Number(city.year) === year) && (spec === null || specOrder(city.spec) === specOrder(spec)),
  );
  const newest = new Map<string, string>();
  const isNewer = (city: CatalogueCity): boolean => {
    const best = newest.get(city.cityCode);
    return best === undefined || isOlderEdition(best, editionOf(city));
  };
  for (const city of matching) if (hasModels(city) && isNewer(city)) newest.set(city.cityCode, editionOf(city));
  const withoutModels = matching
    .filter((city) => !hasModels(city) && isNewer(city))
    .map((city) =>
      plainText(
        `${city.cityCode}: edition ${editionOf(city)} left out, since it lists no building file in the known form`,
      ),
    );
  // Several requests for squares of a city have the same edition in their answers.
  const remarks = [...new Set(withoutModels)];
  const hasWards = [...newest.keys()].some(isWardOfTokyo);
  if (hasWards && newest.has('13100')) {
    newest.delete('13100');
    remarks.push('13100: left out, since its wards have newer models of their own');
  }
  const chosen = matching.filter((city) => editionOf(city) === newest.get(city.cityCode));
  return { chosen, remarks };
}

/** True when an edition has at least one building file in the known form. */
const hasModels = (city: CatalogueCity): boolean =>
  buildingFiles(city).some((file) => isInKnownForm(city.cityCode, file));

const buildingFiles = ({ files }: CatalogueCity): CatalogueFile[] =>
  Array.isArray(files.bldg) ? files.bldg.map((file) => file ?? {}) : [];

const isInKnownForm = (cityCode: string, { code = '', url = '' }: CatalogueFile): boolean =>
  /^\d{5}$/.test(cityCode) && /^\d{6,11}$/.test(code) && URL.canParse(url);

/** True for the codes 13101 to 13123. */
export const isWardOfTokyo = (code: string): boolean => /^131(0[1-9]|1\d|2[0-3])$/.test(code);

/** The number of a specification, by which specifications are ordered: 3.2 for `第3.2版` and `3.2`, 4 for `v4`. */
const specOrder = (spec: string): number => Number(/\d+(\.\d+)?/.exec(spec)?.[0] ?? 0);

/** The name of an edition in the lock: `2023, specification 3.2`. */
export const editionText = (year: number, spec: number): string => `${Number(year)}, specification ${spec}`;

/** The name of a city's edition. */
const editionOf = ({ year, spec }: CatalogueCity): string => editionText(year, specOrder(spec));

/**
 * True when an edition is older than another one. Both are texts of `editionText`; without a specification the years are
 * compared.
 */
export function isOlderEdition(edition: string, other: string): boolean {
  const [[year = 0, spec], [otherYear = 0, otherSpec = 0]] = [numbersOf(edition), numbersOf(other)];
  return year < otherYear || (year === otherYear && spec !== undefined && spec < otherSpec);
}

/** The year and the specification in a text of `editionText`. */
const numbersOf = (text: string): number[] => (text.match(/[\d.]+/g) ?? []).map(Number);

/**
 * The codes of the requested cities.
 * @param areas codes of cities (5 digits) and prefectures (2 digits), and `all`. The catalogue tells the cities of the
 * last two
 * @throws {FetchError} When the catalogue lists no city of a prefecture.
 */
export async function citiesFor(client: Client, publisher: Publisher, areas: readonly string[]): Promise<string[]> {
  const isCity = (code: string): boolean => /^\d{5}$/.test(code);
  if (areas.every((area) => area.length === 5)) return [...areas];
  const catalogue = (await listCities(client, publisher)).map(({ code }) => code).filter(isCity);
  const codes = areas.flatMap((area) => {
    if (area.length === 5) return [area];
    const cities = area === 'all' ? catalogue : catalogue.filter((code) => code.startsWith(area));
    if (cities.length === 0) throw new FetchError(`${area}: the catalogue lists no city model of it; see fetch --list`);
    return cities;
  });
  return [...new Set(codes)].sort();
}

/**
 * Gives paths to city models below the inputs folder. They consist of codes: a publisher's file name never becomes a path.
 */
export class FileNames {
  readonly #counts = new Map<string, number>();

  /**
   * The path of the next file of a city and a grid square. The second file of the same square gets `-2`.
   * @param code of the grid square
   */
  next(city: string, code: string): string {
    const count = (this.#counts.get(`${city}/${code}`) ?? 0) + 1;
    this.#counts.set(`${city}/${code}`, count);
    return `citygml/${city}/${code}${count > 1 ? `-${count}` : ''}_bldg.gml`;
  }
}

/**
 * The building files of cities. A file that belongs to two cities is listed once.
 * @param remarks gets a line for each file that is left out
 */
function resourcesOf(
  cities: readonly CatalogueCity[],
  remarks: string[],
): Pick<CityModels, 'resources' | 'incomplete'> {
  const incomplete = new Set<string>();
  const names = new FileNames();
  const resources = new Map<string, Resource>();
  for (const city of cities) {
    const { cityCode } = city;
    for (const file of buildingFiles(city)) {
      const { code = '', url = '', fileSize = null } = file;
      if (!isInKnownForm(cityCode, file)) {
        incomplete.add(cityCode);
        remarks.push(
          plainText(`${cityCode} ${code}: left out, since its codes or its address are not of the known form`),
        );
      } else if (!resources.has(url)) {
        const expectedBytes = sizeOf(fileSize);
        const path = names.next(cityCode, code);
        const edition = editionOf(city);
        const [publisher, content] = ['plateau', 'citygml'] as const;
        resources.set(url, { path, url, publisher, content, expectedBytes, edition, keepEarlier: false });
      }
    }
  }
  return { resources: [...resources.values()], incomplete };
}

/** The size of a model that the catalogue states, bytes; null when it is not plausible. */
function sizeOf(stated: unknown): number | null {
  return typeof stated === 'number' && stated >= 0 && stated <= MOST_BYTES.citygml ? stated : null;
}

/**
 * The JSON at a URL; null for a 404.
 * @throws {FetchError} When the content is not JSON, or the status neither 200 nor 404.
 */
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
