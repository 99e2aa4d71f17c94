import type { TSchema } from 'typebox';
import { Latitude, Longitude } from './fields.ts';
import {
  BuildingId,
  FacilityId,
  MunicipalityCode,
  municipalityCheckDigit,
  TownCode,
  WARD_PATTERN,
  WardCode,
} from './identifiers.ts';
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

/** Values that work in the dataset at hand, by half and name of the parameter; null where it lacks the half. */
export type OwnExamples = Readonly<Partial<Record<Half, Values | null>>>;

type Values = Readonly<Record<string, string>>;

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
export function operationIn<O extends Operation>(operation: O, extent: Extent | null, own: Values | null = {}): O {
  const { half, answer, parameters } = operation;
  if (own === null) return withoutData(operation);
  const place = half === 'sunlight' || half === 'search' ? extent : null;
  const examples = { ...(place && examplesOf(place)), ...own };
  return {
    ...operation,
    parameters: parameters.map((parameter) =>
      place === null
        ? { ...parameter, example: examples[parameter.name] ?? parameter.example }
        : parameterIn(parameter, place, examples),
    ),
    answer:
      extent === null ? answer : answerWith(answer, (schema) => schemaIn(schema, { ...examplesOf(extent), ...own })),
    examples: operation.examples.map((example) => exampleIn(example, examples)),
  };
}

/** What a server is told to lack, by the half. */
const LACKING: Partial<Record<Half, string>> = {
  sunlight: 'This server has no data of sunlight.',
  kaigo: 'This server has no care data.',
  search: 'This server has no index of names.',
};

/** One operation that finds no data here: it says so and has no examples, since none would be answered. */
function withoutData<O extends Operation>(operation: O): O {
  const missing = LACKING[operation.half];
  if (missing === undefined) return operation;
  const description = `${missing} The answer is 503. ${operation.description}`;
  return { ...operation, missing, description, answer: answerWith(operation.answer, withoutExamples), examples: [] };
}

function answerWith(answer: AnswerForm, change: <S extends TSchema>(schema: S) => S): AnswerForm {
  if (answer.form === 'envelope') return { ...answer, data: change(answer.data) };
  return answer.form === 'geojson' ? { ...answer, schema: change(answer.schema) } : answer;
}

const withoutExamples = <S extends TSchema>(schema: S): S =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'examples' && Array.isArray(value) ? undefined : value)));

/** Values of parameters that lie in the extent. Towns and buildings there are not known here: their form is shown. */
function examplesOf({ bbox, municipalities }: Extent): { [name: string]: string } {
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
    municipality_code: municipality + municipalityCheckDigit(municipality),
    ...{ south: String(bbox.south), north: String(bbox.north) },
  };
}

function parameterIn(parameter: Parameter, extent: Extent, examples: Values): Parameter {
  const { name } = parameter;
  const { south, west, north, east } = extent.bbox;
  const example = examples[name] ?? parameter.example;
  if (name === 'lat') return { ...parameter, example, schema: Type.Number({ minimum: south, maximum: north }) };
  if (name === 'lon') return { ...parameter, example, schema: Type.Number({ minimum: west, maximum: east }) };
  return { ...parameter, example, schema: schemaIn(parameter.schema, examples) };
}

function exampleIn({ summary, parameters }: RequestExample, examples: Values): RequestExample {
  const values = Object.entries(parameters).map(([name, value]) => [name, examples[name] ?? value]);
  return { summary, parameters: Object.fromEntries(values) };
}

/** Codes and degrees of Tokyo in examples, by the parameter whose example takes their place; what holds another stands before it. */
const TOKYO_TEXTS: readonly [tokyo: RegExp, name: string][] = [
  [String(exampleOf(BuildingId)), 'building_id'],
  [String(exampleOf(TownCode)), 'town_code'],
  ['131010300', 'town_code'],
  [String(exampleOf(MunicipalityCode)), 'municipality_code'],
  [String(exampleOf(FacilityId)), 'facility_id'],
  [String(exampleOf(WardCode)), 'ward_code'],
  ['35.6812', 'lat'],
  ['139.7671', 'lon'],
  ['139.7', 'lon'],
  [String(TOKYO.south), 'south'],
  [String(TOKYO.north), 'north'],
].map(([tokyo, name]) => [new RegExp(`(?<!\\d|\\d\\.)${tokyo.replace('.', '\\.')}(?!\\.?\\d)`, 'g'), name]);

/** A text of the contract for a dataset of this extent: codes and degrees of Tokyo in it are those of the extent. */
export function textIn(text: string, extent: Extent | null, own: Values | null = null): string {
  return extent === null ? text : textElsewhere(text, { ...examplesOf(extent), ...own });
}

const textElsewhere = (text: string, examples: Values): string =>
  TOKYO_TEXTS.reduce((done, [tokyo, name]) => done.replace(tokyo, (found) => examples[name] ?? found), text);

/** Names of Tokyo in examples, and names that many a city has. */
const TOKYO_NAMES: Values = {
  千代田区: '中央区',
  丸の内一丁目: '本町一丁目',
  まるのうち1ちょうめ: 'ほんちょう1ちょうめ',
};

/** An example with names that suit anywhere, and with codes and positions of the extent where it has those of Tokyo. */
function exampleElsewhere(value: unknown, examples: Values): unknown {
  const [lat, lon] = [Number(exampleOf(Latitude)), Number(exampleOf(Longitude))];
  const moved = (degrees: number, from: number, to: string): number => Number((degrees - from + Number(to)).toFixed(6));
  if (value === lat) return Number(examples.lat);
  if (value === lon) return Number(examples.lon);
  if (typeof value === 'string') return textElsewhere(TOKYO_NAMES[value] ?? value, examples);
  if (!Array.isArray(value)) return value;
  const [x, y] = value;
  const isPosition = x >= TOKYO.west && x <= TOKYO.east && y >= TOKYO.south && y <= TOKYO.north;
  if (isPosition) return [moved(x, lon, examples.lon), moved(y, lat, examples.lat)];
  return value.map((member) => exampleElsewhere(member, examples));
}

/** The same schema for a dataset of this extent; null: within Tokyo, where it stays as it is. */
export const schemaFor = <S extends TSchema>(schema: S, extent: Extent | null, own: Values | null = null): S =>
  extent === null ? schema : schemaIn(schema, { ...examplesOf(extent), ...own });

/** The same schema with codes of any municipality where it has those of the 23 wards, and with other examples. */
function schemaIn<S extends TSchema>(schema: S, examples: Values): S {
  const wide = {
    ...WardCode,
    pattern: '^\\d{5}$',
    description: 'Code of a municipality, or of a ward of a designated city: 5 digits.',
    examples: [examples.ward_code],
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
