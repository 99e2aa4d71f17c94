import { routesFor } from '../../../src/api/route-table.ts';
import type { Parameter } from '../../../src/contract/parameter.ts';
import { type Keywords, keywordsOf } from '../../../src/contract/schema.ts';
import type { Route } from '../../../src/site/route.ts';
import type { Draw } from './draw.ts';
import { changed, oddText, strangeName } from './odd-texts.ts';

/** Values of a dataset, by the name of the parameter. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Every route of the service: operations, pages, other formats of pages, drawings, tiles and files. */
export const ROUTES: readonly Route[] = routesFor({ hasPages: true });

/** How to choose the value of a parameter. */
type Filling = 'valid' | 'borderline' | 'odd';

/** The target of a route with valid values. Each optional parameter is present half of the time. */
export function validTarget(route: Route, values: Values, draw: Draw): string {
  return targetOf(route, values, draw, () => 'valid');
}

/** The target of a route with a mix of valid values, values at the limit, and odd values. */
export function strangeTarget(route: Route, values: Values, draw: Draw): string {
  const share = draw.of([0.2, 0.5, 1]);
  const fill = (): Filling => (draw.is(share) ? draw.of(['borderline', 'odd']) : 'valid');
  const target = targetOf(route, values, draw, fill);
  if (draw.is(0.15)) return changed(target, draw);
  if (draw.is(0.1)) return withMoreParameters(target, draw);
  return target;
}

function targetOf(route: Route, values: Values, draw: Draw, fill: () => Filling): string {
  const query: string[] = [];
  const inPath: Record<string, string> = {};
  for (const parameter of route.parameters) {
    const text = (): string => textFor(parameter, fill(), values, draw);
    if (parameter.in === 'path') inPath[parameter.name] = text();
    else if (parameter.required || draw.is(0.5)) query.push(`${parameter.name}=${text()}`);
  }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? oddText(draw));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function textFor(parameter: Parameter, filling: Filling, values: Values, draw: Draw): string {
  if (filling === 'odd') return oddText(draw);
  const rules = keywordsOf(parameter.schema);
  if (filling === 'borderline') return encodeURIComponent(borderline(rules, draw));
  const known = values[parameter.name] ?? [];
  if (known.length > 0) return encodeURIComponent(draw.of(known));
  return encodeURIComponent(inRange(rules, draw) ?? parameter.example);
}

/** A value that the rules allow; null when they have a pattern without a known example. */
function inRange(rules: Keywords, draw: Draw): string | null {
  const { type, enum: words, minimum = 0, maximum = 100, items, maxItems = 3 } = rules;
  if (words !== undefined) return draw.of(words);
  if (items !== undefined) {
    const members = Array.from({ length: draw.from(1, Math.min(maxItems, 5)) }, () => inRange(items, draw));
    return members.some((member) => member === null) ? null : members.join();
  }
  if (type === 'boolean') return draw.of(['true', 'false']);
  if (type === 'integer') return String(draw.from(minimum, Math.min(maximum, minimum + 20)));
  if (type === 'number') return (minimum + ((maximum - minimum) * draw.below(1001)) / 1000).toFixed(4);
  return null;
}

/** A value at the limit of the rules, or one step beyond. */
function borderline({ type, minimum, maximum, enum: words, maxLength, maxItems, items }: Keywords, draw: Draw): string {
  if (type === 'integer' || type === 'number') {
    const step = type === 'integer' ? 1 : 1e-9;
    const edges = [minimum ?? 0, maximum ?? Number.MAX_SAFE_INTEGER];
    return draw
      .of(edges.flatMap((edge) => [edge - step, edge, edge + step, -edge]))
      .toFixed(type === 'integer' ? 0 : 9);
  }
  if (words !== undefined) return draw.of([...words, ...words.map((word) => String(word).toUpperCase()), words.join()]);
  if (items !== undefined) return ','.repeat(draw.of([0, 1, maxItems ?? 10, (maxItems ?? 10) - 1]));
  return draw
    .of(['あ', 'a', '0', '🏠'])
    .repeat(draw.of([1, (maxLength ?? 64) - 1, maxLength ?? 64, (maxLength ?? 64) + 1]));
}

/** A target with many more parameters: repeated, unknown, or without a value. */
function withMoreParameters(target: string, draw: Draw): string {
  const count = draw.of([1, 2, 10, 100, 1000]);
  const own = target.split('?')[1]?.split('&')[0];
  const one = (i: number): string =>
    draw.of([`${strangeName(draw)}=${i}`, `p${i}`, `p${i}=${i}`, own ?? `=${i}`, `&`, `%70${i}=%ff`]);
  const sign = target.includes('?') ? '&' : '?';
  return (target + sign + Array.from({ length: count }, (_, i) => one(i)).join('&')).slice(0, 12_000);
}
