import type { Operation } from '../contract/operation.ts';
import { percentDecoded } from '../http/percent-decoding.ts';
import { type ParameterReader, parameterReader } from './parameters.ts';

/** An operation, prepared for requests. */
export interface Route {
  operation: Operation;
  /** Under /api/: limited, authenticated, validated and charged. */
  isApi: boolean;
  readParameters: ParameterReader;
  /** Its members in a line of the access log. */
  logged: string;
}

function routeOf(operation: Operation): Route {
  const { id, path } = operation;
  const logged = `"operation":"${id}","path":"${path}",`;
  return { operation, isApi: isApiPath(path), readParameters: parameterReader(operation), logged };
}

/** Whether a path belongs to the interface, known or not. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api';
}

/** What a path leads to, with its percent-decoded parameters. */
export interface Found {
  route: Route;
  pathValues: Readonly<Record<string, string>>;
}

const NO_VALUES = {};

/**
 * Finds the operation of a path. A parameter is anything between two slashes, also nothing: its own rules judge it.
 * Null where there is no such path, or one that is not percent-encoded UTF-8.
 */
export function routeFinder(operations: readonly Operation[]): (path: string) => Found | null {
  const fixed = new Map<string, Found>();
  const templates: { start: string; pattern: RegExp; names: string[]; route: Route }[] = [];
  for (const operation of operations) {
    const route = routeOf(operation);
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    if (names.length === 0) fixed.set(operation.path, { route, pathValues: NO_VALUES });
    else templates.push({ start: operation.path.split('{', 1)[0]!, pattern: pathPattern(operation), names, route });
  }
  return (asked) => {
    const path = asked.includes('%') ? withoutNeedlessEscapes(asked) : asked;
    for (const { start, pattern, names, route } of templates) {
      const match = path.startsWith(start) ? pattern.exec(path) : null;
      if (match === null) continue;
      const pathValues: Record<string, string> = {};
      for (let i = 0; i < names.length; i++) {
        const value = percentDecoded(match[i + 1]!);
        if (value === null) return null;
        pathValues[names[i]!] = value;
      }
      return { route, pathValues };
    }
    return fixed.get(path) ?? null;
  };
}

/** A path template as a pattern whose groups are the parameters. */
function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]*)')}$`);
}

/** Characters that need no escape mean the same with one (RFC 3986, 6.2.2.2). */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}
