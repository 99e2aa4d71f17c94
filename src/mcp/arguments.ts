import { municipalityCheckDigit } from '../contract/identifiers.ts';
import { expectedText, type ParameterRules, rulesOf } from '../contract/parameter.ts';
import { Violations } from '../contract/violations.ts';
import { isTooDeep } from './messages.ts';
import { numberMeant, textsMeant } from './spelling.ts';
import { serviceNames, type Tool } from './tools.ts';

/** Arguments of a call, checked against the schema of the tool. */
export type Arguments = Readonly<Record<string, unknown>>;

type Read = { value: unknown } | { expected: string };

/** Arguments whose values `find_place` finds. */
const FOUND_BY_NAME = /^(lat|lon|(building|facility)_ids?|(municipality|town|ward)_code)$/;
const LONGEST_ECHO = 80;

/**
 * The arguments of a call as its tool takes them. What is meant beyond doubt is taken: a number in quotation marks or with its
 * unit, a code written as a number, a list with commas, other widths, capitals and blanks, a municipality by its other code.
 * @returns else what is wrong, with what would be right
 */
export function readArguments(tool: Tool, call: unknown): Arguments | string {
  const { name, inputSchema, examples } = tool;
  const given = membersOf(call);
  if (given === null) return `${name} takes its arguments as an object${exampleCall(tool)}, not as ${quoted(call)}.`;
  const known: Record<string, ParameterRules> = Object.fromEntries(
    Object.entries(inputSchema.properties).map(([argument, schema]) => [argument, rulesOf(schema)]),
  );
  const values: Record<string, unknown> = {};
  const wrong = new Violations();
  const unread: string[] = [];
  for (const [argument, value] of Object.entries(given)) {
    if (value === null) continue;
    const rules = Object.hasOwn(known, argument) ? known[argument] : undefined;
    if (rules === undefined) {
      const say = () => `${quoted(argument)} is no argument of ${name}; ${meant(argument, Object.keys(known))}.`;
      wrong.add(argument.slice(0, LONGEST_ECHO), say);
      continue;
    }
    const read = readValue(argument, rules, withOtherCode(argument, value));
    if ('value' in read) values[argument] = read.value;
    else {
      wrong.add(
        argument,
        () => `${argument} must be ${read.expected}${suchAs(argument, examples)}, but is ${quoted(value)}.`,
      );
      unread.push(argument);
    }
  }
  for (const argument of inputSchema.required ?? []) {
    const rules = known[argument];
    if (rules === undefined || argument in values || unread.includes(argument)) continue;
    wrong.add(argument, () => `${name} needs ${argument}: ${listText(rules)}${suchAs(argument, examples)}.`);
    unread.push(argument);
  }
  if (wrong.isEmpty) return values;
  const hints: string[] = [];
  if (unread.some((argument) => FOUND_BY_NAME.test(argument)))
    hints.push('find_place finds codes, IDs and positions by name.');
  if (unread.includes('service_code')) hints.push(`Services: ${serviceNames(null)}.`);
  return [String(wrong), ...hints].join(' ');
}

/** The members of an object, also of one written as text, as some models do; none where there is nothing, null for anything else. */
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

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > LONGEST_ECHO ? `${text.slice(0, LONGEST_ECHO)}…` : text;
};

/** Arguments are JSON: of lists the words about commas are left out. */
function listText(rules: ParameterRules): string {
  const { items, minItems = 0, maxItems } = rules;
  if (items === undefined) return expectedText(rules);
  return `a list of ${minItems} to ${maxItems} texts, each ${expectedText(items)}`;
}

/** Municipalities and wards have the same code, the one with its check digit and the other without. */
function withOtherCode(argument: string, value: unknown): unknown {
  const code = String(value).normalize('NFKC').trim();
  if (argument === 'municipality_code' && /^\d{5}$/.test(code)) {
    // A JSON number loses its leading zero: 12203 may be 市川市 without its check digit, or 012203, 士別市.
    const mayLackZero = typeof value === 'number' && municipalityCheckDigit(`0${code}`) === code[4];
    return mayLackZero ? value : code + municipalityCheckDigit(code);
  }
  const hasCheckDigit = /^\d{6}$/.test(code) && municipalityCheckDigit(code) === code[5];
  return argument === 'ward_code' && hasCheckDigit ? code.slice(0, 5) : value;
}

function readValue(argument: string, rules: ParameterRules, value: unknown): Read {
  const expected = listText(rules);
  if (rules.items !== undefined) return readList(argument, rules, rules.items, value);
  if (rules.type === 'number' || rules.type === 'integer') {
    const number = typeof value === 'string' ? numberMeant(argument, value) : value;
    return typeof number === 'number' && isWithin(rules, number) ? { value: number } : { expected };
  }
  if (typeof value !== 'string' && typeof value !== 'number') return { expected };
  for (const text of textsMeant(argument, String(value))) if (fits(rules, text)) return { value: text };
  return { expected };
}

function readList(argument: string, rules: ParameterRules, items: ParameterRules, value: unknown): Read {
  const expected = listText(rules);
  const { minItems = 0, maxItems = Infinity } = rules;
  const list = typeof value === 'string' ? value.split(/[,，、]/).map((item) => item.trim()) : value;
  if (!Array.isArray(list) || list.length < minItems || list.length > maxItems) return { expected };
  const read = list.map((item) => readValue(argument, items, item));
  const values = read.flatMap((one) => ('value' in one ? [one.value] : []));
  return values.length === list.length ? { value: values } : { expected };
}

function isWithin(
  { type, minimum = -Infinity, maximum = Infinity, multipleOf = 0 }: ParameterRules,
  number: number,
): boolean {
  if (!Number.isFinite(number) || (type === 'integer' && !Number.isInteger(number))) return false;
  return number >= minimum && number <= maximum && (multipleOf === 0 || number % multipleOf === 0);
}

function fits({ pattern, enum: words, minLength = 0, maxLength = Infinity }: ParameterRules, text: string): boolean {
  if (words !== undefined && !words.includes(text)) return false;
  return (
    (pattern === undefined || new RegExp(pattern).test(text)) && text.length >= minLength && text.length <= maxLength
  );
}

/** The argument that was probably meant: one that begins with the same word, or as what was written. */
function meant(written: string, known: readonly string[]): string {
  const [word = ''] = written.toLowerCase().split('_');
  const near =
    known.find((name) => name.split('_')[0] === word) ??
    known.find((name) => name.startsWith(word) || (name.length >= 3 && word.startsWith(name)));
  return near === undefined ? `it takes ${known.join(', ')}` : `did you mean ${near}`;
}
