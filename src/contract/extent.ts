import type { TSchema } from 'typebox';
import { Latitude, Longitude } from './fields.ts';
import { BuildingId, TownCode, WARD_PATTERN, WardCode } from './identifiers.ts';
import type { AnswerForm, Half, Operation, RequestExample } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { Type } from './schema.ts';
import { exampleOf } from './schema-document.ts';

/** What the sunlight half of a dataset covers, where that is not within the 23 wards of Tokyo. */
export interface Extent {
  /** Degrees; with a margin around the grid squares that hold buildings. */
  bbox: { south: number; west: number; north: number; east: number };
  /** 5-digit codes of its municipalities and wards, in order; at least one. */
  municipalities: string[];
}

/** Latitude and longitude of Tokyo's contract, degrees: a dataset within has no extent of its own. */
export const TOKYO = { south: 35.4, west: 139.5, north: 35.9, east: 140 };

/** Whether a code is that of one of the 23 wards. */
export const isTokyoWard = (code: string): boolean => new RegExp(WARD_PATTERN).test(code);

/** Values that work in the dataset at hand, by half and name of the parameter. */
export type OwnExamples = Readonly<Partial<Record<Half, Readonly<Record<string, string>>>>>;

/**
 * The operations as they are for a dataset of this extent; null: within Tokyo, where they are as they stand.
 * @param own takes the place of the examples
 */
export function operationsIn(
  operations: readonly Operation[],
  extent: Extent | null,
  own: OwnExamples = {},
): readonly Operation[] {
  if (extent === null && Object.keys(own).length === 0) return operations;
  return operations.map((operation) => operationIn(operation, extent, own[operation.half]));
}

/** One operation for a dataset of this extent: bounds, codes and examples follow it. */
export function operationIn<O extends Operation>(
  operation: O,
  extent: Extent | null,
  own: Readonly<Record<string, string>> = {},
): O {
  const { half, answer, parameters } = operation;
  const place = half === 'sunlight' || half === 'search' ? extent : null;
  const examples = { ...(place && examplesOf(place)), ...own };
  return {
    ...operation,
    parameters: parameters.map((parameter) =>
      place === null
        ? { ...parameter, example: examples[parameter.name] ?? parameter.example }
        : parameterIn(parameter, place, examples),
    ),
    answer: place === null ? answer : answerIn(answer, place, examples),
    examples: operation.examples.map((example) => exampleIn(example, examples)),
  };
}

function answerIn(answer: AnswerForm, extent: Extent, examples: Readonly<Record<string, string>>): AnswerForm {
  if (answer.form === 'envelope') return { ...answer, data: schemaIn(answer.data, extent, examples) };
  return answer.form === 'geojson' ? { ...answer, schema: schemaIn(answer.schema, extent, examples) } : answer;
}

/** Values of parameters that lie in the extent. Towns and buildings there are not known here: their form is shown. */
function examplesOf({ bbox, municipalities }: Extent): Readonly<Record<string, string>> {
  const [municipality] = municipalities;
  const middle = (low: number, high: number): string => String(Math.round((low + high) * 5000) / 10_000);
  return {
    lat: middle(bbox.south, bbox.north),
    lon: middle(bbox.west, bbox.east),
    ward_code: municipality,
    building_id: `${municipality}-bldg-1`,
    ids: `${municipality}-bldg-1`,
    q: municipality,
    town_code: `${municipality}001001`,
  };
}

function parameterIn(parameter: Parameter, extent: Extent, examples: Readonly<Record<string, string>>): Parameter {
  const { name } = parameter;
  const { south, west, north, east } = extent.bbox;
  const example = examples[name] ?? parameter.example;
  if (name === 'lat') return { ...parameter, example, schema: Type.Number({ minimum: south, maximum: north }) };
  if (name === 'lon') return { ...parameter, example, schema: Type.Number({ minimum: west, maximum: east }) };
  return { ...parameter, example, schema: schemaIn(parameter.schema, extent, examples) };
}

function exampleIn(
  { summary, parameters }: RequestExample,
  examples: Readonly<Record<string, string>>,
): RequestExample {
  const values = Object.entries(parameters).map(([name, value]) => [name, examples[name] ?? value]);
  return { summary, parameters: Object.fromEntries(values) };
}

/** Codes of Tokyo in examples, by the parameter whose example takes their place; what holds another stands before it. */
const TOKYO_CODES: readonly [tokyo: string, name: string][] = [
  [String(exampleOf(BuildingId)), 'building_id'],
  [String(exampleOf(TownCode)), 'town_code'],
  [String(exampleOf(WardCode)), 'ward_code'],
];

/** Names of Tokyo in examples, and names that many a city has. */
const TOKYO_NAMES: Readonly<Record<string, string>> = {
  千代田区: '中央区',
  丸の内一丁目: '本町一丁目',
  まるのうち1ちょうめ: 'ほんちょう1ちょうめ',
};

/** An example with names that suit anywhere, and with codes and positions of the extent where it has those of Tokyo. */
function exampleElsewhere(value: unknown, examples: Readonly<Record<string, string>>): unknown {
  const [lat, lon] = [Number(exampleOf(Latitude)), Number(exampleOf(Longitude))];
  const moved = (degrees: number, from: number, to: string): number => Number((degrees - from + Number(to)).toFixed(6));
  if (value === lat) return Number(examples.lat);
  if (value === lon) return Number(examples.lon);
  if (typeof value === 'string') {
    return TOKYO_CODES.reduce(
      (text, [tokyo, name]) => text.replace(new RegExp(`(?<!\\d)${tokyo}(?!\\d)`, 'g'), examples[name]),
      TOKYO_NAMES[value] ?? value,
    );
  }
  if (!Array.isArray(value)) return value;
  const [x, y] = value;
  const isPosition = x >= TOKYO.west && x <= TOKYO.east && y >= TOKYO.south && y <= TOKYO.north;
  if (isPosition) return [moved(x, lon, examples.lon), moved(y, lat, examples.lat)];
  return value.map((member) => exampleElsewhere(member, examples));
}

/** The same schema with codes of any municipality where it has those of the 23 wards, and with other examples. */
function schemaIn<S extends TSchema>(
  schema: S,
  { municipalities }: Extent,
  examples: Readonly<Record<string, string>>,
): S {
  const wide = {
    ...WardCode,
    pattern: '^\\d{5}$',
    description: 'Code of a municipality, or of a ward of a designated city: 5 digits.',
    examples: [municipalities[0]],
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    if ('pattern' in value && value.pattern === WARD_PATTERN) return wide;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === 'examples' && Array.isArray(member)
          ? member.map((example) => exampleElsewhere(example, examples))
          : walk(member),
      ]),
    );
  };
  return walk(schema) as S;
}

interface DescribedParameter {
  name: string;
  schema: { minimum?: number; maximum?: number; pattern?: string };
  example: unknown;
}

/** The extent that an OpenAPI description of the interface was made for. */
export function extentDescribed(document: object): Extent | null {
  const { paths = {} } = document as { paths?: Record<string, { get?: { parameters?: DescribedParameter[] } }> };
  const all = Object.values(paths).flatMap(({ get }) => get?.parameters ?? []);
  const [lat, lon, ward] = ['lat', 'lon', 'ward_code'].map((name) => all.find((one) => one.name === name));
  if (lat === undefined || lon === undefined || ward === undefined || ward.schema.pattern === WARD_PATTERN) return null;
  const { minimum: south = -90, maximum: north = 90 } = lat.schema;
  const { minimum: west = -180, maximum: east = 180 } = lon.schema;
  return { bbox: { south, west, north, east }, municipalities: [String(ward.example)] };
}
