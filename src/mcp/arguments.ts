import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { TSchema } from 'typebox';
import { SERVICES } from '../contract/identifiers.ts';
import { keptBy } from '../contract/kept-by.ts';
import { expectedText, type ParameterRules, rulesOf } from '../contract/parameter.ts';
import { Violations } from '../contract/violations.ts';
import { isTooDeep } from './messages.ts';
import { argumentCalled, municipalitiesByName, normalized } from './spelling.ts';
import type { Tool } from './tools.ts';

/** Arguments of a call that fit the schema of the tool. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments whose values `find_place` can find. */
const FOUND_BY_NAME = /^(lat|lon|(building|facility)_ids?|(municipality|town|ward)_code)$/;
const LONGEST_ECHO = 80;
/** Most municipalities that a refusal names. */
const MOST_CANDIDATES = 5;

/**
 * Reads the arguments of a call. Each value is first normalized (`spelling.ts`), then checked against its schema.
 * @returns the arguments; or, as a text, what is wrong and what is expected
 */
export function readArguments(tool: Tool, call: unknown): Arguments | string {
  const { name, inputSchema, examples } = tool;
  const { properties, required = [] } = inputSchema;
  const given = membersOf(call);
  if (given === null) return `${name} takes its arguments as an object${exampleCall(tool)}, not as ${quoted(call)}.`;
  const values: Record<string, unknown> = {};
  const wrong = new Violations();
  const unread: string[] = [];
  for (const [written, value] of Object.entries(given)) {
    if (value === null) continue;
    const argument = argumentCalled(written, properties);
    if (argument !== written && (given[argument] ?? null) !== null) {
      wrong.add(argument, () => `${argument} is given twice, also as ${quoted(written)}.`);
      continue;
    }
    if (!Object.hasOwn(properties, argument)) {
      const say = () =>
        `${quoted(argument)} is no argument of ${name}; ${suggestion(argument, Object.keys(properties))}.`;
      wrong.add(argument.slice(0, LONGEST_ECHO), say);
      continue;
    }
    const rules = rulesOf(properties[argument]);
    const read = normalized(argument, rules, value);
    if (validatorOf(tool)(argument, read)) {
      values[argument] = read;
      continue;
    }
    const expected = `${expectedOf(rules)}${suchAs(argument, examples)}`;
    wrong.add(
      argument,
      () => `${argument} must be ${expected}, but is ${quoted(value)}.${candidates(argument, value)}`,
    );
    unread.push(argument);
  }
  for (const argument of required) {
    if (argument in values || unread.includes(argument)) continue;
    const expected = `${expectedOf(rulesOf(properties[argument]))}${suchAs(argument, examples)}`;
    wrong.add(argument, () => `${name} needs ${argument}: ${expected}.`);
    unread.push(argument);
  }
  if (wrong.isEmpty) return values;
  const hints: string[] = [];
  if (unread.some((argument) => FOUND_BY_NAME.test(argument)))
    hints.push('find_place finds codes, IDs and positions by name.');
  if (unread.includes('service_code'))
    hints.push(`Services: ${SERVICES.map(([code, , name]) => `${code} ${name.toLowerCase()}`).join(', ')}.`);
  return [String(wrong), ...hints].join(' ');
}

/** Checks a value against the schema of an argument. Compiled schemas are kept as long as the tool. */
const validatorOf = keptBy(({ inputSchema }: Tool) => {
  const validator = new AjvJsonSchemaValidator();
  const ofSchema = keptBy((schema: TSchema) => validator.getValidator(schema));
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

function exampleCall({ inputSchema, examples }: Tool): string {
  const [name = ''] = inputSchema.required ?? Object.keys(inputSchema.properties);
  const example = examples.get(name);
  return example === undefined ? '' : `, such as ${JSON.stringify({ [name]: example })}`;
}

function suchAs(argument: string, examples: ReadonlyMap<string, string>): string {
  const example = examples.get(argument);
  return example === undefined ? '' : `, such as ${example}`;
}

/** The municipalities that an ambiguous name can mean. */
function candidates(argument: string, value: unknown): string {
  if (!/^(municipality|ward)_code$/.test(argument) || typeof value !== 'string' || value.length > LONGEST_ECHO)
    return '';
  const names = municipalitiesByName(value).map(({ code, name }) => `${name} (${code})`);
  return names.length === 0 ? '' : ` It may be ${names.slice(0, MOST_CANDIDATES).join(', ')}.`;
}

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > LONGEST_ECHO ? `${text.slice(0, LONGEST_ECHO)}…` : text;
};

/** The expected value of an argument. Arguments are JSON, so lists have no commas in a text. */
function expectedOf(rules: ParameterRules): string {
  const { items, minItems = 0, maxItems } = rules;
  if (items === undefined) return expectedText(rules);
  return `a list of ${minItems} to ${maxItems} texts, each ${expectedText(items)}`;
}

/** The argument that was probably meant: it begins with the same word, or with the written text. */
function suggestion(written: string, known: readonly string[]): string {
  const [word = ''] = written.toLowerCase().split('_');
  const near =
    known.find((name) => name.split('_')[0] === word) ??
    known.find((name) => name.startsWith(word) || (name.length >= 3 && word.startsWith(name)));
  return near === undefined ? `it takes ${known.join(', ')}` : `did you mean ${near}`;
}
