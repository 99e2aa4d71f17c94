import type { TSchema } from 'typebox';
import type { Box } from '../geo/grid-square.ts';
import { municipalityCheckDigit, WARD_PATTERN, WardCode } from './identifiers.ts';
import type { Section } from './operation.ts';
import { Type } from './schema.ts';

/** The area of the sunlight half, when it is not within the 23 wards of Tokyo. */
export interface Extent {
  /** With a margin around the grid squares that have buildings. */
  bbox: Box;
  /** 5-digit codes of its municipalities and wards, in order; at least one. */
  municipalities: string[];
}

/** Values by name, as written in a URL. */
export type Values = Readonly<Record<string, string>>;

/** The place whose data is served, with everything that the contract needs to know about it. */
export interface Place {
  isTokyo: boolean;
  /** Box of positions in requests. */
  bounds: Box;
  /** The schema of its ward codes. */
  wardCode: TSchema;
  /**
   * Values for the examples of each section; null when the server does not have it, so its operations have no
   * examples.
   */
  values: Readonly<Record<Section, Values | null>> & { readonly site: Values };
}

/** Values for the examples of headers and problems, which belong to no section. */
export const commonValues = ({ values }: Place): Values => values.sunlight ?? values.site;

/** Example values from a dataset. They replace the general ones. Null for a section that the dataset does not have. */
export type DatasetValues = Readonly<Partial<Record<Exclude<Section, 'site'>, Values | null>> & { site?: Values }>;

/** Values that are valid in every place. */
const VALUES_ANYWHERE = {
  facility_id: '1370100651',
  prefecture_code: '13',
  service_code: '510',
  face: 'S',
  dataset_id: '57ba4e2a56864b66',
};

/** Half the side of the footprint in the examples, degrees: about 10 m. */
const HALF_SIDE = 0.0001;

const TOKYO_BOUNDS: Box = { south: 35.4, west: 139.5, north: 35.9, east: 140 };

/** The place of the published contract: the 23 special wards of Tokyo. */
export const TOKYO: Place = tokyoWith({});

/** Tokyo, with example values from the dataset. */
export function tokyoWith(datasetValues: DatasetValues): Place {
  const values = {
    lat: '35.6812',
    lon: '139.7671',
    ward_code: '13101',
    ward_name: '千代田区',
    building_id: '13101-bldg-904',
    building_lat: '35.6811912',
    building_lon: '139.7671063',
    town_code: '13101001001',
    town_name: '丸の内一丁目',
    town_reading: 'まるのうち1ちょうめ',
    municipality_code: '131016',
    municipality_name: '千代田区',
    q: '神田司町',
    q_latin: 'Kanda',
  };
  const bounds = TOKYO_BOUNDS;
  return { isTokyo: true, bounds, wardCode: WardCode, values: valuesBySection(bounds, values, datasetValues) };
}

/**
 * A place that is not Tokyo.
 * @param datasetValues an example without a value here has a valid form, but its thing may not exist
 */
export function placeElsewhere({ bbox, municipalities }: Extent, datasetValues: DatasetValues): Place {
  const [code] = municipalities;
  /** The middle of two degrees, with four decimals. */
  const middle = (low: number, high: number): string => String(Math.round(((low + high) / 2) * 10_000) / 10_000);
  const values = {
    lat: middle(bbox.south, bbox.north),
    lon: middle(bbox.west, bbox.east),
    ward_code: code,
    ward_name: '中央区',
    building_id: `${code}-bldg-1`,
    town_code: `${code}001001`,
    town_name: '本町一丁目',
    town_reading: 'ほんちょう1ちょうめ',
    municipality_code: code + municipalityCheckDigit(code),
    municipality_name: '中央区',
    q: code,
    q_latin: code,
  };
  const wardCode = Type.String({
    pattern: '^\\d{5}$',
    description: 'Code of a municipality, or of a ward of a designated city: 5 digits.',
    examples: ['$ward_code'],
  });
  return { isTokyo: false, bounds: bbox, wardCode, values: valuesBySection(bbox, values, datasetValues) };
}

/** True for the code of one of the 23 wards. */
export const isTokyoWard = (code: string): boolean => new RegExp(WARD_PATTERN).test(code);

/** True when the bounds lie within those of Tokyo. */
export const isInTokyo = ({ south, west, north, east }: Box): boolean =>
  south >= TOKYO_BOUNDS.south && west >= TOKYO_BOUNDS.west && north <= TOKYO_BOUNDS.north && east <= TOKYO_BOUNDS.east;

/**
 * The example values of each section: the general ones, in part replaced by those of the dataset, and values that follow
 * from them, such as a ring. Null for a section that the dataset does not have.
 */
function valuesBySection({ south, north }: Box, generalValues: Values, bySection: DatasetValues): Place['values'] {
  const complete = (datasetValues: Values = {}): Values => {
    const values: Values = { ...VALUES_ANYWHERE, ...generalValues, ...datasetValues };
    const { building_id, ward_code, lat, lon } = values;
    // The position in the values of a dataset is that of its example building.
    const building_lat = datasetValues.lat ?? generalValues.building_lat ?? lat;
    const building_lon = datasetValues.lon ?? generalValues.building_lon ?? lon;
    return {
      ...values,
      building_lat,
      building_lon,
      ids: building_id,
      code: ward_code,
      ring: ringSouthOf(Number(building_lat), Number(building_lon)),
      lon_east: (Number(lon) + HALF_SIDE).toFixed(6),
      lat_north: (Number(lat) + HALF_SIDE).toFixed(6),
      south: String(south),
      north: String(north),
    };
  };
  const { sunlight, kaigo, search, site } = bySection;
  return {
    sunlight: sunlight === null ? null : complete(sunlight),
    kaigo: kaigo === null ? null : complete(kaigo),
    search: search === null ? null : complete(search),
    site: complete(site),
  };
}

/** A square of about 20 m whose north side is about 30 m south of a point, as a parameter: `lat,lon;lat,lon;…`. */
function ringSouthOf(lat: number, lon: number): string {
  const south = (lat - 5 * HALF_SIDE).toFixed(6);
  const north = (lat - 3 * HALF_SIDE).toFixed(6);
  const west = (lon - HALF_SIDE).toFixed(6);
  const east = (lon + HALF_SIDE).toFixed(6);
  return [`${south},${west}`, `${south},${east}`, `${north},${east}`, `${north},${west}`].join(';');
}

/**
 * An example with the values of a place. In the table of operations, `$name` stands for the value with that name.
 * @throws {Error} When a name has no value.
 */
export function filled(example: string, values: Values): string {
  return example.replace(/\$(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the example ${example}: there is no value ${name}`);
    return value;
  });
}

/** A parameter in an OpenAPI description. */
interface DescribedParameter {
  name: string;
  schema: { minimum?: number; maximum?: number; pattern?: string };
  example?: unknown;
}

/**
 * The place of a server, from its OpenAPI description: Tokyo when the description has no bounds, or when its ward codes
 * have the pattern of Tokyo's.
 */
export function placeFromOpenApi(document: object): Place {
  const { paths = {} } = document as { paths?: Record<string, { get?: { parameters?: DescribedParameter[] } }> };
  const parameters = Object.entries(paths).flatMap(([path, { get }]) =>
    path.startsWith('/api/v1/sunlight/') ? (get?.parameters ?? []) : [],
  );
  const examples = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]]));
  /** Values for the examples of the sunlight half. */
  const sunlight: Values = Object.fromEntries(examples);
  const [lat, lon, ward] = ['lat', 'lon', 'ward_code'].map((name) => parameters.find((one) => one.name === name));
  if (lat === undefined || lon === undefined || ward === undefined || ward.schema.pattern === WARD_PATTERN) {
    return tokyoWith({ sunlight });
  }
  const { minimum: south = -90, maximum: north = 90 } = lat.schema;
  const { minimum: west = -180, maximum: east = 180 } = lon.schema;
  // `placeElsewhere` takes only the first code, for its examples.
  const municipalities: Extent['municipalities'] = [sunlight.ward_code ?? ''];
  return placeElsewhere({ bbox: { south, west, north, east }, municipalities }, { sunlight });
}
