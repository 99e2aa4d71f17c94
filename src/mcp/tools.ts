import type { TObject, TSchema } from 'typebox';
import { SERVICE_NAMES, ServiceCode } from '../contract/identifiers.ts';
import { type Operation, TOOL_NAMES, type ToolName } from '../contract/operation.ts';
import { DATASET_ID, type Parameter } from '../contract/parameter.ts';
import { Type } from '../contract/schema.ts';
import { DIRECTIONS } from '../geo/compass.ts';

/** The texts of a tool, which an agent reads before it calls the tool. The results explain members and units. */
interface ToolText {
  title: string;
  description: string;
}

/** The most common services, which the tool names. The refusal of a wrong one lists all with their codes. */
const COMMON_SERVICES = ['510', '520', '331', '320', '210', '150', '110', '130'];

const commonServices = (): string =>
  SERVICE_NAMES.filter(([code]) => COMMON_SERVICES.includes(code))
    .map(([, , name]) => name.toLowerCase())
    .join(', ');

const TEXTS: Readonly<Record<ToolName, ToolText>> = {
  find_place: {
    title: 'Find a place by name',
    description:
      'Towns, municipalities, care facilities and buildings by name, with the codes and positions for the other tools. Start here.',
  },
  find_buildings: {
    title: 'Find buildings',
    description:
      'Buildings around a point (lat, lon) or of a town (town_code), with December and mean hours of direct sun a day.',
  },
  building_sun: {
    title: "A building's sun",
    description:
      'Hours of direct sun a day (clear sky, no trees or balconies; mean of the wall). detail=full: first, middle and top floor by face and month, and the neighbours that take the sun; floor: any floor, on the 15th of each month or a date. month or face narrow it.',
  },
  compare_buildings: {
    title: 'Compare buildings',
    description: 'Key figures of two to four buildings.',
  },
  find_care_facilities: {
    title: 'Find care facilities',
    description: `Care facilities in a municipality (municipality_code, service_code) or around a point (lat, lon). Costs are not the whole bill: see basis. Services: ${commonServices()}, …`,
  },
  care_facility: {
    title: 'One care facility',
    description: 'Rooms, staff, capacity, corporation and cost estimate step by step of one facility (10 characters).',
  },
  compare_care_facilities: {
    title: 'Compare care facilities',
    description: 'Two to four facilities side by side for one case. Costs a call for each.',
  },
  bulk_download: {
    title: 'Bulk download',
    description:
      'A signed URL (one hour) of a Parquet file: all buildings of a ward or all facilities of a prefecture.',
  },
};

/** A tool: its texts, its operations, and its arguments as JSON Schema. */
export interface Tool extends ToolText {
  name: ToolName;
  /** A call uses the operation whose parameters fit the arguments. */
  operations: readonly Operation[];
  /** How the tool compares several things with one call for each; null for other tools. */
  comparison: Comparison | null;
  inputSchema: TObject;
  /** A valid value for each argument. */
  examples: ReadonlyMap<string, string>;
}

/** Number of things in a comparison. */
const COMPARED_ITEMS = { minItems: 2, maxItems: 4 };

/** How a tool calls the operation of another tool for each of several things. */
export interface Comparison {
  /** The other tool. */
  toolName: ToolName;
  /** The argument with the list, and the parameter that takes one item of it. */
  argument: string;
  parameter: string;
  /** Members to leave out, in addition to those of the other tool. */
  leaveOut: readonly string[];
}

const COMPARISONS: Partial<Record<ToolName, Comparison>> = {
  compare_care_facilities: {
    toolName: 'care_facility',
    argument: 'facility_ids',
    parameter: 'facility_id',
    leaveOut: (
      'prefecture municipality location lat lon phone url corporation open_days open_days_note vacancies_on waiting_on occupancy ' +
      'care_levels medical_acceptance staff_joined staff_left experienced_percent inspected_on shared_beds staff_total care_staff ' +
      'nurses users_from quality reductions additions by_care_level price_list excludes care_level copayment_percent income room'
    ).split(' '),
  },
};

/** Default of `limit`. */
export const DEFAULT_LIMIT = 5;
const MOST_RESULTS = 20;

const LIMIT = Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_RESULTS, default: DEFAULT_LIMIT }));

/** Arguments that select a part of a building's sun. Only `face` is also a parameter of the API. */
const NARROWING = {
  detail: Type.Optional(Type.Enum(['short', 'full'], { type: 'string', default: 'short' })),
  month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
  face: Type.Optional(Type.Enum([...DIRECTIONS], { type: 'string' })),
};

/** The tools for these operations, in the order of their names. */
export function toolsOf(operations: readonly Operation[]): readonly Tool[] {
  return TOOL_NAMES.flatMap((name) => {
    const comparison = COMPARISONS[name] ?? null;
    // A comparison calls the first operation of another tool, once for each thing.
    const toolName = comparison?.toolName ?? name;
    const toolOperations = operations.filter(({ tool }) => tool?.name === toolName);
    if (toolOperations.length === 0) return [];
    const called = comparison === null ? toolOperations : toolOperations.slice(0, 1);
    const inputSchema = inputSchemaOf(name, called, comparison);
    const examples = examplesOf(called, comparison);
    return [{ name, ...TEXTS[name], operations: called, comparison, inputSchema, examples }];
  });
}

/** A valid value for each argument of a tool, by name. */
function examplesOf(operations: readonly Operation[], comparison: Tool['comparison']): Map<string, string> {
  const answered = operations.filter(({ whyNoData }) => whyNoData === undefined);
  const ofParameters = answered.flatMap((operation) =>
    operation.parameters.map((parameter) => [argumentName(operation, parameter), parameter.example] as const),
  );
  // Arguments of tools that not every operation has as parameters.
  const ofTools = [
    ['limit', '5'],
    ['month', '12'],
    ['face', 'S'],
  ] as const;
  const examples = new Map<string, string>([...ofParameters, ...ofTools]);
  const exampleOfItem = comparison === null ? undefined : examples.get(comparison.parameter);
  if (comparison !== null && exampleOfItem !== undefined) examples.set(comparison.argument, exampleOfItem);
  return examples;
}

/** The name of a parameter for agents. */
export function argumentName({ tool }: Operation, { name }: Parameter): string {
  return tool?.arguments?.[name] ?? name;
}

/** The arguments of a tool: those of its operations, `limit` for a list, and those that narrow a result. */
function inputSchemaOf(name: ToolName, operations: readonly Operation[], comparison: Tool['comparison']): TObject {
  const members: Record<string, TSchema> = {};
  for (const operation of operations) {
    for (const parameter of operation.parameters) {
      const argument = argumentName(operation, parameter);
      if (argument === comparison?.parameter) {
        members[comparison.argument] = listOf(parameter.schema);
        continue;
      }
      if (!isOffered(operation, parameter)) continue;
      const isNeeded = operations.every((other) =>
        other.parameters.some((candidate) => candidate.required && argumentName(other, candidate) === argument),
      );
      const schema = argumentSchema(name, argument, parameter);
      members[argument] ??= isNeeded ? schema : Type.Optional(schema);
    }
  }
  if (operations.some(({ tool }) => tool?.list !== undefined)) members.limit = LIMIT;
  if (name === 'building_sun') Object.assign(members, NARROWING);
  return Type.Object(members, { additionalProperties: false });
}

/**
 * The schema of an argument that is a parameter of an operation. Operations of a tool that share an argument have the
 * same schema for it, except for `service_code`: one takes a service, the other several.
 */
function argumentSchema(tool: ToolName, argument: string, parameter: Parameter): TSchema {
  const schema = withoutTexts(argument === 'service_code' ? ServiceCode : parameter.schema);
  // The operation takes from one building to 50.
  return tool === 'compare_buildings' ? { ...schema, ...COMPARED_ITEMS } : schema;
}

/** The arguments that a tool takes when it calls an operation. */
export function argumentsOf({ name }: Tool, operation: Operation): string[] {
  const offered = operation.parameters.filter((parameter) => isOffered(operation, parameter));
  const narrowing = name === 'building_sun' ? Object.keys(NARROWING) : [];
  return [...offered.map((parameter) => argumentName(operation, parameter)), ...narrowing];
}

/**
 * True when agents can set a parameter. The tool has its own `limit` for lists, and calls always use the newest
 * dataset.
 */
function isOffered({ tool }: Operation, { name }: Parameter): boolean {
  return name !== 'limit' && name !== DATASET_ID && !tool?.without?.includes(name);
}

/** The list of the compared things. */
const listOf = (schema: TSchema): TSchema => Type.Array(withoutTexts(schema), COMPARED_ITEMS);

/**
 * The schema of an argument without its texts (descriptions, examples, titles) and without types that follow from an
 * enumeration. Arguments are checked against it. They are texts, numbers or lists, so no member can have one of these
 * names.
 */
function withoutTexts(schema: TSchema): TSchema {
  const shortened = (name: string, value: unknown): unknown => {
    if (['description', 'examples', 'title'].includes(name)) return undefined;
    return typeof value === 'object' && value !== null && 'enum' in value ? { ...value, type: undefined } : value;
  };
  return JSON.parse(JSON.stringify(schema, shortened));
}

/** One line for each argument. All tools together must stay within 8 kB, so a line has a few words. */
const LINES: Readonly<Record<string, string>> = {
  query: 'Name, reading, address or ID',
  kind: 'Only this kind',
  limit: 'Most results',
  lat: 'Degrees',
  lon: 'Degrees',
  radius_m: 'Metres',
  town_code: 'From find_place',
  page: 'Of the list',
  building_id: 'From find_buildings',
  building_ids: 'From find_buildings',
  floor: 'Any floor',
  face: 'Side of the building',
  date: 'With floor',
  month: 'With times of day',
  detail: 'How much',
  municipality_code: 'Code or name',
  service_code: 'Code or name',
  sort: 'Order',
  care_level: '要介護',
  support_level: '要支援',
  copayment: '10, 20 or 30 %',
  income: 'Stage',
  room: 'Kind of room',
  max_yen: 'Most yen a month',
  min_capacity: 'Fewest places',
  open_on: 'Open then',
  at_least: 'figure:value',
  at_most: 'figure:value',
  name: 'Part of the name',
  facility_id: 'Office number',
  facility_ids: 'Office numbers',
  ward_code: 'Code or name',
  prefecture_code: 'Code',
};

/**
 * The arguments of a tool as an agent reads them: the bounds of each and a line about it. Patterns of codes are left
 * out, because names and other spellings are accepted too. The refusal of a wrong argument says what is expected.
 */
export function listedSchema({ inputSchema: { properties, required } }: Tool): object {
  const listed = Object.entries(properties).map(([name, schema]) => {
    const plain = JSON.parse(JSON.stringify(schema, (key, value) => (UNLISTED.has(key) ? undefined : value)));
    return [name, { ...plain, description: LINES[name] }];
  });
  return { type: 'object', properties: Object.fromEntries(listed), required };
}

/** Keywords that an agent does not need. */
const UNLISTED = new Set(['pattern', 'minLength', 'maxLength', 'multipleOf']);
