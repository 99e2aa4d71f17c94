import type { TObject, TSchema } from 'typebox';
import { type Operation, TOOL_NAMES, type ToolName } from '../contract/operation.ts';
import { DATASET_ID, type Parameter } from '../contract/parameter.ts';
import { Type } from '../contract/schema.ts';

/** What an agent reads of a tool before it calls it. Members and units stand in the results themselves. */
interface ToolText {
  title: string;
  description: string;
}

const TEXTS: Readonly<Record<ToolName, ToolText>> = {
  find_place: {
    title: 'Find a place by name',
    description:
      'Towns, municipalities, care facilities and building IDs by name, reading (kana, romaji), address or ID. Gives the codes and positions that the other tools take. Start here.',
  },
  find_buildings: {
    title: 'Find buildings',
    description:
      'Buildings around a point (lat, lon, radius_m up to 300) or of a town (town_code), each with its December and mean hours of direct sun a day. Give lat and lon, or town_code.',
  },
  building_sun: {
    title: "A building's sun",
    description:
      'Hours of direct sun a day (clear sky, no trees or balconies; mean of the wall). detail=short: key figures; detail=full: by face, floor and month, and the neighbours that take the sun; month or face narrow it and add the windows of time.',
  },
  compare_buildings: {
    title: 'Compare buildings',
    description: 'The key figures of two to four buildings side by side. Costs one unit for each that is there.',
  },
  find_care_facilities: {
    title: 'Find care facilities',
    description:
      'Care facilities of a service (510 special nursing home, 331 private home, 320 group home, …) in a municipality (municipality_code, service_code; sort=cost|staff|opened) or around a point (lat, lon, radius_m). Costs are yen for 30 days and not the whole bill: see basis.',
  },
  care_facility: {
    title: 'One care facility',
    description: 'Rooms, staff, capacity, corporation and cost estimate step by step of one facility (10 characters).',
  },
  compare_care_facilities: {
    title: 'Compare care facilities',
    description: 'Two to four facilities side by side. Costs one call for each.',
  },
  bulk_download: {
    title: 'Bulk download',
    description:
      'A signed URL (one hour) of a Parquet file: all buildings of a ward (ward_code) or all facilities of a prefecture (prefecture_code).',
  },
};

/** A tool: its texts, the operations behind it, and its arguments as JSON Schema. */
export interface Tool extends ToolText {
  name: ToolName;
  /** The first whose required parameters are all given is asked. */
  operations: readonly Operation[];
  /** The argument that lists what is compared, and the parameter that each of them is; null for other tools. */
  each: { argument: string; parameter: string } | null;
  inputSchema: TObject;
  /** A value that works, by argument. */
  examples: ReadonlyMap<string, string>;
}

/** How many things are compared side by side. */
const COMPARED_ITEMS = { minItems: 2, maxItems: 4 };

/** What a thing is asked by that is compared one call at a time. */
const COMPARED: Partial<Record<ToolName, { of: ToolName; argument: string; parameter: string }>> = {
  compare_care_facilities: { of: 'care_facility', argument: 'facility_ids', parameter: 'facility_id' },
};

/** Results that a list gives when `limit` does not say. */
export const DEFAULT_LIMIT = 5;
const MOST_RESULTS = 20;

const LIMIT = Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_RESULTS, default: DEFAULT_LIMIT }));

/** Arguments that narrow `full` to what was asked: they are no parameters of the interface. */
const NARROWING = {
  detail: Type.Optional(Type.Enum(['short', 'full'], { type: 'string', default: 'short' })),
  month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
  face: Type.Optional(Type.Enum(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'], { type: 'string' })),
};

/** Every tool that has one of the operations behind it, in the order of the names. */
export function toolsOf(operations: readonly Operation[]): readonly Tool[] {
  return TOOL_NAMES.flatMap((name) => {
    const compared = COMPARED[name];
    const own = operations.filter(({ tool }) => tool?.name === (compared?.of ?? name));
    if (own.length === 0) return [];
    const single = compared === undefined ? own : own.slice(0, 1);
    const each = compared === undefined ? null : { argument: compared.argument, parameter: compared.parameter };
    const inputSchema = inputSchemaOf(name, single, each);
    return [{ name, ...TEXTS[name], operations: single, each, inputSchema, examples: examplesOf(single, each) }];
  });
}

function examplesOf(operations: readonly Operation[], each: Tool['each']): Map<string, string> {
  const all = operations.flatMap((operation) =>
    operation.parameters.map((one) => [argumentName(operation, one), one.example] as const),
  );
  const examples = new Map([...all, ['limit', '5'], ['month', '12'], ['face', 'S']]);
  if (each !== null) examples.set(each.argument, examples.get(each.parameter) ?? '');
  return examples;
}

/** What an agent calls a parameter. */
export function argumentName({ tool }: Operation, { name }: Parameter): string {
  return tool?.arguments?.[name] ?? name;
}

function inputSchemaOf(name: ToolName, operations: readonly Operation[], each: Tool['each']): TObject {
  const members: Record<string, TSchema> = {};
  for (const operation of operations) {
    for (const parameter of operation.parameters) {
      const argument = argumentName(operation, parameter);
      if (each !== null && argument === each.parameter) members[each.argument] = listOf(parameter.schema);
      if (argument === 'limit' || argument === each?.parameter || argument === DATASET_ID) continue;
      const isNeeded = operations.every((other) =>
        other.parameters.some((one) => one.required && argumentName(other, one) === argument),
      );
      const schema =
        name === 'compare_buildings' ? { ...bare(parameter.schema), ...COMPARED_ITEMS } : bare(parameter.schema);
      members[argument] ??= isNeeded ? schema : Type.Optional(schema);
    }
  }
  if (operations.some(({ tool }) => tool?.list !== undefined)) members.limit = LIMIT;
  if (name === 'building_sun') Object.assign(members, NARROWING);
  return Type.Object(members, { additionalProperties: false });
}

const listOf = (schema: TSchema): TSchema => Type.Array(bare(schema), COMPARED_ITEMS);

/** The schema without its prose: an agent learns names and bounds, the problem of a wrong call says the rest. */
function bare(schema: TSchema): TSchema {
  const isProse = (name: string): boolean => ['description', 'examples', 'title'].includes(name);
  return JSON.parse(JSON.stringify(schema, (name, value) => (isProse(name) ? undefined : value)));
}
