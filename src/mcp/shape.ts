import type { Operation } from '../contract/operation.ts';
import type { BuildingFull } from '../contract/operations/sunlight-building.ts';
import type { Arguments } from './arguments.ts';
import { DEFAULT_LIMIT } from './tools.ts';

type Json = unknown;

/** `data` of an answer as an agent gets it: without what it does not need, lists cut to `limit`. */
export function shape(operation: Operation, data: Json, given: Arguments): Json {
  const chosen = operation.id === 'sunlight-building-full' ? narrowed(data as BuildingFull, given) : data;
  const leaveOut = new Set(operation.tool?.leaveOut);
  const kept = without(chosen, leaveOut);
  const list = operation.tool?.list;
  return list === undefined ? kept : cut(kept as Record<string, Json>, list, Number(given.limit ?? DEFAULT_LIMIT));
}

/** The value without some members, at any depth. */
function without(value: Json, names: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, names)]));
}

/** The first of a list, and how many more there are. */
function cut(data: Record<string, Json>, list: string, limit: number): Record<string, Json> {
  const items = data[list];
  if (!Array.isArray(items) || items.length <= limit) return data;
  return { ...data, [list]: items.slice(0, limit), not_shown: items.length - limit };
}

/**
 * The year as twelve hours for each face and floor; with `month` or `face`, the windows of time too. The whole would be
 * more than an agent can read.
 */
function narrowed({ faces, shading_sources, method, ...summary }: BuildingFull, { month, face }: Arguments): Json {
  const chosen = faces.filter((one) => face === undefined || one.face === face);
  const isOneMonth = month !== undefined;
  return {
    ...summary,
    faces: chosen.map(({ floors, ...wall }) => ({
      ...wall,
      floors: Object.entries(floors).map(([floor_class, { floor, height_m, months }]) => ({
        ...{ floor_class, floor, height_m },
        ...(isOneMonth
          ? { month: months.find((one) => one.month === month) }
          : { direct_sun_hours_by_month: months.map(({ direct_sun_hours }) => direct_sun_hours) }),
      })),
    })),
    shading_sources: shading_sources.slice(0, 3),
    days: `the ${method.day_of_month}th of each month of ${method.reference_year}, ${method.time_zone}`,
  };
}

/** What a result takes in an answer: once as a value, and once as text, whose quotation marks are escaped there. */
const bytesOf = (text: string): number => Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));

/**
 * The result within a number of bytes: items of its longest list go until it fits.
 * @returns the value as JSON, or null when it cannot be made to fit
 */
export function fit(value: Record<string, Json>, mostBytes: number): string | null {
  for (let left = value; ; ) {
    const text = JSON.stringify(left);
    if (bytesOf(text) <= mostBytes) return text;
    const shorter = shortened(left);
    if (shorter === null) return null;
    left = shorter;
  }
}

function shortened(value: Record<string, Json>): Record<string, Json> | null {
  const data = value.data as Record<string, Json>;
  const lists = Object.entries(data).filter((entry): entry is [string, Json[]] => Array.isArray(entry[1]));
  const longest = lists.sort(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
  if (longest === undefined || longest[1].length <= 1) return null;
  const [name, items] = longest;
  const notShown = Number(data.not_shown ?? 0) + 1;
  return { ...value, data: { ...data, [name]: items.slice(0, -1), not_shown: notShown } };
}
