import type { TSchema } from 'typebox';
import { envelopeOf } from './envelope.ts';
import type { Operation } from './operation.ts';
import { Problem } from './problems.ts';

type Json = Record<string, unknown>;

/**
 * The schema with every named part (one that has a `title`) replaced by a reference, and the parts by name.
 * @param prefix where the parts will stand: `#/$defs/` or `#/components/schemas/`.
 */
export function splitNamedParts(schema: TSchema, prefix: string, parts: Map<string, Json>): Json {
  const walk = (value: unknown, isRoot: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, false));
    if (typeof value !== 'object' || value === null) return value;
    const name = (value as Json).title;
    const isSchema = typeof name === 'string' && ('type' in value || 'anyOf' in value);
    if (isSchema && !isRoot) {
      if (!parts.has(name)) {
        parts.set(name, {});
        parts.set(name, walk(value, true) as Json);
      }
      return { $ref: `${prefix}${name}` };
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, false)]));
  };
  return walk(schema, false) as Json;
}

/** The schema of a whole 200 answer, or null where it is not JSON. */
export function answerSchema({ answer }: Operation): TSchema | null {
  if (answer.form === 'envelope') return envelopeOf(answer.data);
  return answer.form === 'json' ? answer.schema : null;
}

/** Every schema that is served under `/schemas/`, by name. */
export function publishedSchemas(operations: readonly Operation[]): Map<string, TSchema> {
  const schemas = new Map<string, TSchema>();
  for (const operation of operations) {
    if (operation.answer.form === 'envelope') schemas.set(operation.id, envelopeOf(operation.answer.data));
  }
  return schemas.set('problem', Problem);
}

/** Where the schema of an answer is served. */
export function schemaUrl(siteUrl: string, name: string): string {
  return `${siteUrl}/schemas/${name}.json`;
}

/** A schema as it is served: complete in itself, draft 2020-12. */
export function schemaDocument(name: string, schema: TSchema, siteUrl: string): Json {
  const parts = new Map<string, Json>();
  const root = splitNamedParts(schema, '#/$defs/', parts);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl(siteUrl, name),
    ...root,
    $defs: Object.fromEntries(parts),
  };
}
