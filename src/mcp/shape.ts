import { SERVICE_NAMES } from '../contract/identifiers.ts';
import type { Operation } from '../contract/operation.ts';
import { type Facility, type FacilityService, SELDOM_PUBLISHED } from '../contract/operations/kaigo-facility.ts';
import type { BuildingFull } from '../contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../contract/operations/sunlight-building-floor.ts';
import { isHeightUnknown, type Method, type MonthSunlight } from '../contract/sunlight-shapes.ts';
import type { Arguments } from './arguments.ts';
import { DEFAULT_LIMIT, type Tool } from './tools.ts';

/**
 * `data` of an answer for an agent: only the floor, month or wall that it asked for, without members that it does not
 * need, and with lists cut to `limit`.
 */
export function shape(operation: Operation, data: unknown, args: Arguments): unknown {
  const needed = without(narrowed(operation, data, args), new Set(operation.tool?.leaveOut));
  // The name of the member with the list of results.
  const list = operation.tool?.list;
  if (list === undefined) return needed;
  return cut(needed as Record<string, unknown>, list, Number(args.limit ?? DEFAULT_LIMIT));
}

/**
 * Facilities side by side, each with one service: the first of `SERVICE_NAMES` that all of them have, otherwise the first
 * that it has itself. Also gives the case of the estimates.
 * @param leaveOut members to leave out, in addition to those of the operation
 */
export function comparison(operation: Operation, facilities: readonly Facility[], leaveOut: readonly string[]): object {
  const codes = SERVICE_NAMES.map(([code]) => code);
  const common = codes.find((code) => facilities.every(({ services }) => services.some(isOf(code))));
  const unneeded = new Set([...(operation.tool?.leaveOut ?? []), ...leaveOut]);
  const compared = facilities.map(({ services, ...about }) => {
    const code = common ?? codes.find((one) => services.some(isOf(one)));
    const service = code === undefined ? undefined : services.find(isOf(code));
    const others = services.filter((other) => other !== service).map(({ service_code }) => service_code);
    return without({ ...about, ...(service && withTypicalParts(service)), other_services: others }, unneeded);
  });
  const { care_level, copayment_percent, income, room } = facilities[0]?.services[0]?.cost_estimate.scenario ?? {};
  return { case: { care_level, copayment_percent, income, room }, compared };
}

/** Makes the test whether a service has a code. */
const isOf =
  (code: string) =>
  ({ service_code }: FacilityService): boolean =>
    service_code === code;

/** A service whose estimate has only the typical yen of each known part. `care` includes the additions. */
function withTypicalParts({ cost_estimate: { parts, ...estimate }, ...service }: FacilityService): object {
  const known = Object.entries(parts ?? {}).filter(([name, yen]) => name !== 'additions' && yen !== null);
  const typical = known.map(([name, yen]) => [name, yen?.typical]);
  return { ...service, cost_estimate: { ...estimate, typical_parts: Object.fromEntries(typical) } };
}

/** Members that are left out when they are null: there is nothing to add, or few facilities publish it. */
const REMARKS = new Set(['note', 'reason', 'ignored', 'hazards', ...Object.keys(SELDOM_PUBLISHED)]);

/** Advice for a name that is not found. */
const BY_POSITION = 'With a position you know, call find_buildings or find_care_facilities (lat, lon, radius_m).';

/** Advice when a list is empty, or when only a part of the words was found; null when none is needed. */
export function hintFor(
  { name }: Pick<Tool, 'name'>,
  { count, total, ignored = null }: { count?: number; total?: number; ignored?: string | null },
): string | null {
  if (name === 'find_place' && ignored !== null)
    return (
      `Found without ${JSON.stringify(ignored)}, which fits nothing here. ` +
      `Shops are not in the data, and stations only with landmarks. ${BY_POSITION}`
    );
  if (total === 0 && name === 'find_care_facilities')
    return 'Nothing in this table: no facility passes the filters, or the data has no list of the service (data_through is null).';
  if (count !== 0) return null;
  if (name === 'find_place')
    return (
      'Nothing has that name. Write a town without its block number (神田司町, not 神田司町2丁目), ' +
      'a municipality, a facility or an ID; shops are not in the data, and stations only with landmarks. ' +
      BY_POSITION
    );
  if (name === 'find_buildings' || name === 'find_care_facilities')
    return 'Nothing there: widen radius_m, or the data does not reach this place (find_place finds what it covers).';
  return null;
}

/** A copy of the value without the members of these names, and without `REMARKS` that are null, at any depth. */
function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const isNeeded = ([name, member]: [string, unknown]): boolean =>
    !names.has(name) && (member !== null || !REMARKS.has(name));
  const needed = Object.entries(withKnownHeight(value)).filter(isNeeded);
  return Object.fromEntries(needed.map(([name, member]) => [name, without(member, names)]));
}

/** A building without the 3 m that stand for an unknown height; any other value as it is. `quality`, which says so, is left out. */
function withKnownHeight(value: { quality?: Partial<BuildingFull['quality']> | null }): object {
  if (!isHeightUnknown({ quality: value.quality ?? {} })) return value;
  return { ...value, height_m: null, height_note: 'Not measured: 3 m were assumed for hours and storeys.' };
}

/** The first items of a list, and the number of the others. */
function cut(data: Record<string, unknown>, list: string, limit: number): Record<string, unknown> {
  const items = data[list];
  if (!Array.isArray(items) || items.length <= limit) return data;
  return { ...data, [list]: items.slice(0, limit), not_shown: items.length - limit };
}

/** The requested part of an answer that would be too long for an agent; any other answer as it is. */
function narrowed({ id }: Operation, data: unknown, args: Arguments): unknown {
  if (id === 'sunlight-building-full') return narrowedBuilding(data as BuildingFull, args);
  return id === 'sunlight-building-floor' ? narrowedFloor(data as BuildingFloor, args) : data;
}

/** Most shading sources in an answer; the first take most sun. */
const MOST_SOURCES = 3;

/** The three floor classes of each face, or of the requested face. */
function narrowedBuilding(
  { faces, shading_sources, method, ...summary }: BuildingFull,
  { month, face }: Arguments,
): unknown {
  const requested = faces.filter((wall) => face === undefined || wall.face === face);
  const faceList = faces.map((wall) => wall.face).join(', ') || 'none';
  const hasNoFace = face !== undefined && requested.length === 0;
  return {
    ...summary,
    ...(hasNoFace && { hint: `The building has no face ${face}; it has ${faceList}.` }),
    faces: requested.map(({ floors, ...wall }) => ({
      ...wall,
      floors: Object.entries(floors).map(([floor_class, { floor, height_m, months }]) => ({
        floor_class,
        floor,
        height_m,
        ...hoursOf(months, month),
      })),
    })),
    shading_sources: shading_sources.slice(0, MOST_SOURCES),
    days: daysOf(method),
  };
}

/**
 * One floor: with a date its faces have the `days` of the answer, otherwise the hours of a month or of all months. The
 * `day` of a face is left out, because it repeats the only one of `days`. The member `days` of the floor says in words
 * which days the hours are of.
 */
function narrowedFloor(
  { faces, shading_sources, method, ...about }: BuildingFloor,
  { month, date }: Arguments,
): unknown {
  return {
    ...about,
    faces: faces.map(({ months, days, day: _, ...wall }) => ({
      ...wall,
      ...(months === null ? { days } : hoursOf(months, month)),
    })),
    shading_sources: shading_sources.slice(0, MOST_SOURCES),
    days: date === undefined ? daysOf(method) : `${date}, ${method.time_zone}`,
  };
}

/** Twelve numbers of hours. With a month: the hours and sunlit windows of that month. */
function hoursOf(months: readonly MonthSunlight[], month: unknown): object {
  return month === undefined
    ? { direct_sun_hours_by_month: months.map(({ direct_sun_hours }) => direct_sun_hours) }
    : { month: months.find((ofMonth) => ofMonth.month === month) };
}

const daysOf = ({ day_of_month, reference_year, time_zone }: Method): string =>
  `the ${day_of_month}th of each month of ${reference_year}, ${time_zone}`;

/** Bytes of a result in an answer. It occurs twice: as a value, and as text with escaped quotation marks. */
const bytesOf = (text: string): number => Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));

/**
 * Shortens a result to a number of bytes. It removes items of the longest list, if that is allowed.
 * @returns the JSON of the value; null when it does not fit
 */
export function fit(
  value: Record<string, unknown>,
  mostBytes: number,
  { mayDropItems }: { mayDropItems: boolean },
): string | null {
  let shortened: Record<string, unknown> | null = value;
  while (shortened !== null) {
    const text = JSON.stringify(shortened);
    if (bytesOf(text) <= mostBytes) return text;
    shortened = mayDropItems ? withoutLastItem(shortened) : null;
  }
  return null;
}

/**
 * A result without the last item of the list with the longest JSON; null without a list, or when it has only one item.
 */
function withoutLastItem(value: Record<string, unknown>): Record<string, unknown> | null {
  const data = value.data as Record<string, unknown>;
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [longest] = lists.sort(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length);
  if (longest === undefined || longest[1].length <= 1) return null;
  const [name, items] = longest;
  const notShown = Number(data.not_shown ?? 0) + 1;
  return { ...value, data: { ...data, [name]: items.slice(0, -1), not_shown: notShown } };
}
