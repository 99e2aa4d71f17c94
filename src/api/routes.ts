import type { Operation } from '../contract/operation.ts';
import { type ParameterReader, parameterReader } from './parameters.ts';
import { didYouMean } from './suggest.ts';

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

/** Finds the path that was probably meant: the same with or without a slash at the end, or a slip of the pen away. */
export function pathSuggester(operations: readonly Operation[]): (path: string) => string | null {
  const patterns = operations.map(
    ({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  const fixed = operations.map(({ path }) => path).filter((path) => path !== '/' && !path.includes('{'));
  return (path) => {
    const stem = path.replace(/\/+$/, '');
    const turned = [stem, `${stem}/`].find(
      (other) => other !== path && patterns.some((pattern) => pattern.test(other)),
    );
    return turned ?? didYouMean(stem, fixed);
  };
}
