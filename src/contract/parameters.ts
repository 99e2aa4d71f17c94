import Type, { type TSchema } from 'typebox';
import type { Parameter } from './parameter.ts';

/** Parameters that several operations share. */

/** Latitude and longitude of the point asked about; the half says which are within its data. */
export const position = (south: number, north: number, west: number, east: number) =>
  [
    {
      name: 'lat',
      in: 'query',
      required: true,
      schema: Type.Number({ minimum: south, maximum: north }),
      description: 'Latitude of the point, degrees (JGD2011 or WGS 84).',
      example: '35.6812',
    },
    {
      name: 'lon',
      in: 'query',
      required: true,
      schema: Type.Number({ minimum: west, maximum: east }),
      description: 'Longitude of the point, degrees.',
      example: '139.7671',
    },
  ] as const satisfies Parameter[];

/** Radius of a search around a point, metres. */
export const radius = <const Fallback extends number>(longest: number, fallback: Fallback) =>
  ({
    name: 'r',
    in: 'query',
    required: false,
    schema: Type.Number({ minimum: 1, maximum: longest }),
    default: fallback,
    description: 'Radius, metres.',
    example: String(fallback),
  }) as const satisfies Parameter;

export const page = {
  name: 'page',
  in: 'query',
  required: false,
  schema: Type.Integer({ minimum: 1 }),
  default: 1,
  description: 'Number of the page; past the last is 404.',
  example: '1',
} as const satisfies Parameter;

/** The code or ID that a path names. */
export const inPath = <const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
  description: string,
  example: string,
) => ({ name, in: 'path', required: true, schema, description, example }) as const satisfies Parameter;
