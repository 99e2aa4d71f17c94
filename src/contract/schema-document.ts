import type { Static, TObject, TSchema } from 'typebox';
import type { Contract } from './contract.ts';
import type { Operation } from './operation.ts';
import { count, type Keywords, Text, Type } from './schema.ts';

/** Version of the interface, as in the path. */
export const API_VERSION = 'v1';

/** The licence of every answer. */
export const DATA_LICENSE = 'CC-BY-4.0';

const Source = Type.Object(
  {
    name: Text('Name of the source.', 'Project PLATEAU'),
    url: Type.String({ description: 'Where it is published.', examples: ['https://www.mlit.go.jp/plateau/'] }),
    attribution: Text('The credit that it asks for.', '国土交通省 Project PLATEAUのデータを加工して作成'),
    date: Type.Union([Type.String({ format: 'date', examples: ['2025-03-31'] }), Type.Null()], {
      description: 'Date of the newest of it that was used. Null: it carries none.',
    }),
  },
  { title: 'Source', description: 'A published source of the data.' },
);

/** The second member of every envelope. */
export const Meta = Type.Object(
  {
    generated_at: Type.String({
      format: 'date-time',
      description: 'When the dataset was built (RFC 3339); never the time of the request.',
      examples: ['2026-01-01T00:00:00Z'],
    }),
    data_through: Type.Union([Type.String({ format: 'date', examples: ['2025-03-31'] }), Type.Null()], {
      description: 'Date of the newest source behind this answer. Null: the sources carry no dates.',
    }),
    source: Type.Array(Source, { description: 'The published sources of the data.' }),
    inputs_url: Type.String({
      format: 'uri',
      description: 'The files of these sources that were read: address, edition, SHA-256 and time of each.',
      examples: ['https://hidamari.example/inputs.json'],
    }),
    license: Text('SPDX identifier of the licence of the data.', DATA_LICENSE),
    schema_url: Type.String({
      format: 'uri',
      description: 'JSON Schema of this whole answer.',
      examples: ['https://hidamari.example/schemas/sunlight-building.json'],
    }),
    api_version: Text('Version of the interface.', API_VERSION),
    cost_units: count('What this answer costs.'),
    dataset_id: Text('Identifies the dataset; it changes with the data.', '0f3a9c'),
    attribution: Text(
      'The credit to print with the data, in one line.',
      '国土交通省 Project PLATEAUのデータを加工して作成 (CC BY 4.0)',
    ),
  },
  { title: 'Meta', description: 'Where the data comes from and what the answer costs.' },
);
export type Meta = Static<typeof Meta>;

/** Name of the schema of a page's text in JSON. */
export const PAGE_SCHEMA = 'page';

const PageText = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'The page.', examples: ['https://hidamari.example/method/'] }),
    language: Text('ja or en.', 'ja'),
    title: Text('Its title.', '計算方法'),
    description: Text('What it is about, in one sentence.', '計算方法'),
    text: Text('What it says, without drawings and forms.', '計算方法'),
  },
  { title: 'PageText', description: 'What a page for people says, where it shows no answer of an operation.' },
);

/** The schema of a whole answer in an envelope. */
function envelopeOf(data: TSchema): TSchema {
  return Type.Object({ data, meta: Meta });
}

/** The schema of a whole GeoJSON answer: `meta` is a foreign member (RFC 7946, 6.1). */
function withMeta(schema: TObject): TObject {
  return Type.Object({ ...schema.properties, meta: Meta });
}

type Json = Record<string, unknown>;

/**
 * A schema in which every named schema (one with a `title`), also the whole one, is replaced by a reference.
 * @param prefix of the references: `#/$defs/` or `#/components/schemas/`
 * @param named receives the schemas by name, each before those that it contains
 */
export function splitNamedSchemas(schema: TSchema, prefix: string, named: Map<string, Json>): Json {
  const withReferences = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withReferences);
    if (typeof value !== 'object' || value === null) return value;
    const name = (value as Json).title;
    // A member of an answer can also have the name `title`. Its value is an object.
    const isNamedSchema = typeof name === 'string' && ('type' in value || 'anyOf' in value);
    if (!isNamedSchema) return membersOf(value);
    if (!named.has(name)) {
      // The entry is made first, so that it stands before those of the schemas that it contains.
      named.set(name, {});
      named.set(name, membersOf(value));
    }
    return { $ref: `${prefix}${name}` };
  };
  const membersOf = (value: object): Json =>
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences(member)]));
  return withReferences(schema) as Json;
}

/** The schema of a whole 200 answer; null when the answer is not JSON. */
export function answerSchema({ answer }: Operation): TSchema | null {
  if (answer.form === 'envelope') return envelopeOf(answer.data);
  if (answer.form === 'geojson') return withMeta(answer.schema);
  return answer.form === 'json' ? answer.schema : null;
}

/** All schemas that are served under `/schemas/`, by name. Documents of plain JSON, such as OpenAPI, have none. */
export function publishedSchemas({ operations, problem }: Contract): Map<string, TSchema> {
  const schemas = new Map<string, TSchema>();
  for (const operation of operations) {
    const schema = answerSchema(operation);
    if (schema !== null && operation.answer.form !== 'json') schemas.set(operation.id, schema);
  }
  return schemas.set('problem', problem).set(PAGE_SCHEMA, envelopeOf(PageText));
}

/** The URL of a served schema. */
export function schemaUrl(siteUrl: string, name: string): string {
  return `${siteUrl}/schemas/${name}.json`;
}

/** A schema as it is served: self-contained, draft 2020-12. */
export function schemaDocument(name: string, schema: TSchema, siteUrl: string): Json {
  const definitions = new Map<string, Json>();
  const root = splitNamedSchemas(schema, '#/$defs/', definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl(siteUrl, name),
    ...root,
    $defs: Object.fromEntries(definitions),
  };
}

/**
 * A valid value of a schema, made of the examples of its leaves. Optional members are left out.
 * @param index which of several examples a leaf takes. The elements of a list take them in turn, so that a list of
 *   months counts from 1 to 12.
 */
export function exampleOf(schema: TSchema, index = 0): unknown {
  const keywords: Keywords = schema;
  if (keywords.examples !== undefined) return keywords.examples[index % keywords.examples.length];
  if (keywords.default !== undefined) return keywords.default;
  if (keywords.enum !== undefined) return keywords.enum[0];
  if (keywords.anyOf !== undefined) return exampleOf(keywords.anyOf[0], index);
  if (keywords.properties !== undefined) {
    const members = Object.entries(keywords.properties).filter(([name]) => keywords.required?.includes(name));
    return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, index)]));
  }
  const { items } = keywords;
  if (items !== undefined) {
    return Array.from({ length: keywords.minItems ?? 1 }, (_, i) => exampleOf(items, i));
  }
  return {};
}
