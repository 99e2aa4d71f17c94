import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { TSchema } from 'typebox';
import { SERVICE_NAMES } from '../contract/identifiers.ts';
import { memoized } from '../contract/memoized.ts';
import { expectedText } from '../contract/parameter.ts';
import { Violations } from '../contract/problems.ts';
import { keywordsOf } from '../contract/schema.ts';
import { isTooDeep } from './messages.ts';
import { argumentNamed, municipalitiesByName, normalized } from './spelling.ts';
import type { Tool } from './tools.ts';

/** Arguments of a call that fit the schema of the tool. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments whose values the tool `find_place` can find. */
const FIND_PLACE_GIVES = /^(lat|lon|(building|facility)_ids?|(municipality|town|ward)_code)$/;
/** Longest text of a call that a refusal repeats, characters. */
const LONGEST_ECHO = 80;
/** Most municipalities that a refusal names. */
const MOST_CANDIDATES = 5;

/**
 * Reads the arguments of a call. Each value is first normalized (`spelling.ts`), then checked against its schema.
 * @returns the arguments; or, as a text, what is wrong and what is expected
 */
export function readArguments(tool: Tool, call: unknown): Arguments | string {
  const { name, inputSchema } = tool;
  const { properties, required = [] } = inputSchema;
  const members = membersOf(call);
  if (members === null) return `${name} takes its arguments as an object${exampleCall(tool)}, not as ${quoted(call)}.`;
  const values: Record<string, unknown> = {};
  const violations = new Violations();
  /** Arguments of the tool whose values are wrong or missing. */
  const unread = new Set<string>();
  for (const [written, value] of Object.entries(members)) {
    // Models write null for an argument that they leave out.
    if (value === null) continue;
    const argument = argumentNamed(written, properties);
    if (argument !== written && (members[argument] ?? null) !== null) {
      violations.add(argument, () => `${argument} is given twice, also as ${quoted(written)}.`);
    } else if (!Object.hasOwn(properties, argument)) {
      violations.add(
        argument.slice(0, LONGEST_ECHO),
        () => `${quoted(argument)} is no argument of ${name}; ${suggestion(argument, Object.keys(properties))}.`,
      );
    } else {
      const normalizedValue = normalized(argument, keywordsOf(properties[argument]), value);
      if (validatorOf(tool)(argument, normalizedValue)) values[argument] = normalizedValue;
      else {
        violations.add(argument, () => wrongValue(tool, argument, value));
        unread.add(argument);
      }
    }
  }
  for (const argument of required) {
    if (argument in values || unread.has(argument)) continue;
    violations.add(argument, () => `${name} needs ${argument}: ${expectedValue(tool, argument)}.`);
    unread.add(argument);
  }
  return violations.isEmpty ? values : [String(violations), ...hintsFor(unread)].join(' ');
}

/** What is wrong with the value of an argument, and what is expected. */
function wrongValue(tool: Tool, argument: string, value: unknown): string {
  const expected = expectedValue(tool, argument);
  return `${argument} must be ${expected}, but is ${quoted(value)}.${municipalityHint(argument, value)}`;
}

/** Sentences that help to find the values of wrong and missing arguments. */
function hintsFor(unread: ReadonlySet<string>): string[] {
  const hints: string[] = [];
  if ([...unread].some((argument) => FIND_PLACE_GIVES.test(argument)))
    hints.push('find_place finds codes, IDs and positions by name.');
  if (unread.has('service_code'))
    hints.push(`Services: ${SERVICE_NAMES.map(([code, , name]) => `${code} ${name.toLowerCase()}`).join(', ')}.`);
  return hints;
}

/** Checks a value against the schema of an argument. Compiled schemas are kept as long as the tool. */
const validatorOf = memoized(({ inputSchema }: Tool) => {
  const validator = new AjvJsonSchemaValidator();
  const ofSchema = memoized((schema: TSchema) => validator.getValidator(schema));
  return (argument: string, value: unknown): boolean => ofSchema(inputSchema.properties[argument])(value).valid;
});

/**
 * The members of an object. Also accepts an object written as text, as some models do. No arguments are an empty
 * object; null for anything else.
 */
function membersOf(call: unknown): Record<string, unknown> | null {
  if (call === undefined || call === null) return {};
  if (typeof call === 'object' && !Array.isArray(call)) return call as Record<string, unknown>;
  if (typeof call !== 'string' || !/^\s*\{/.test(call)) return null;
  try {
    const members: Record<string, unknown> = JSON.parse(call);
    return isTooDeep(members) ? null : members;
  } catch {
    return null;
  }
}

/** An example of the arguments of a tool; empty when it has none. */
function exampleCall({ inputSchema, examples }: Tool): string {
  const [name = ''] = inputSchema.required ?? Object.keys(inputSchema.properties);
  const example = examples.get(name);
  return example === undefined ? '' : `, such as ${JSON.stringify({ [name]: example })}`;
}

/** The expected value of an argument, with an example. Arguments are JSON, so lists have no commas in a text. */
function expectedValue({ inputSchema, examples }: Tool, argument: string): string {
  const rules = keywordsOf(inputSchema.properties[argument]);
  const { items, minItems = 0, maxItems } = rules;
  const expected =
    items === undefined
      ? expectedText(rules)
      : `a list of ${minItems} to ${maxItems} texts, each ${expectedText(items)}`;
  const example = examples.get(argument);
  return example === undefined ? expected : `${expected}, such as ${example}`;
}

/** A sentence with the municipalities that an ambiguous name can mean; empty when there are none. */
function municipalityHint(argument: string, value: unknown): string {
  if (!/^(municipality|ward)_code$/.test(argument) || typeof value !== 'string' || value.length > LONGEST_ECHO)
    return '';
  const names = municipalitiesByName(value).map(({ code, name }) => `${name} (${code})`);
  return names.length === 0 ? '' : ` It may be ${names.slice(0, MOST_CANDIDATES).join(', ')}.`;
}

/** A value as JSON, cut to `LONGEST_ECHO`. */
const quoted = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > LONGEST_ECHO ? `${text.slice(0, LONGEST_ECHO)}…` : text;
};

/**
 * Suggests the argument that was probably meant: one whose first word is that of the written name; else one that begins
 * like it. Without such an argument, lists all.
 */
function suggestion(written: string, names: readonly string[]): string {
  const [word = ''] = written.toLowerCase().split('_');
  const meant =
    names.find((name) => name.split('_')[0] === word) ??
    names.find((name) => name.startsWith(word) || (name.length >= 3 && word.startsWith(name)));
  return meant === undefined ? `it takes ${names.join(', ')}` : `did you mean ${meant}`;
}
