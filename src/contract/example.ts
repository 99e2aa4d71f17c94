import type { TSchema } from 'typebox';

/** The keywords of JSON Schema that an example is made from. */
interface Keywords {
  type?: string;
  examples?: readonly unknown[];
  default?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
}

/**
 * A value that fits the schema, put together from the examples of its leaves. The elements of a list take one
 * example after the other, so that a list of months counts from 1 to 12. Optional members are left out.
 */
export function exampleOf(schema: TSchema, index = 0): unknown {
  const keywords = schema as Keywords;
  if (keywords.examples !== undefined) return keywords.examples[index % keywords.examples.length];
  if (keywords.default !== undefined) return keywords.default;
  if (keywords.enum !== undefined) return keywords.enum[0];
  if (keywords.anyOf !== undefined) return exampleOf(keywords.anyOf[0], index);
  if (keywords.properties !== undefined) {
    const members = Object.entries(keywords.properties).filter(([name]) => keywords.required?.includes(name));
    return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, index)]));
  }
  if (keywords.items !== undefined) {
    return Array.from({ length: keywords.minItems ?? 1 }, (_, i) => exampleOf(keywords.items!, i));
  }
  return {};
}
