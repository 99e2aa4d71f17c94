import type { Operation } from '../contract/operation.ts';
import { type ParameterReader, parameterReader } from './parameters.ts';

/** An operation, prepared for requests. */
export interface Route {
  operation: Operation;
  /** Under /api/: limited, authenticated, validated and charged. */
  isApi: boolean;
  readParameters: ParameterReader;
}

export function routeOf(operation: Operation): Route {
  return { operation, isApi: isApiPath(operation.path), readParameters: parameterReader(operation) };
}

/** Whether a path belongs to the interface, known or not. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api';
}

/** The template in the notation of Fastify's router: `/building/{id}` is `/building/:id`. */
export function routerPath(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}
