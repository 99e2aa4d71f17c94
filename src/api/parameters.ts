import type { Operation, Parameter } from '../contract/operation.ts';
import type { Violation } from '../contract/problems.ts';
import { percentDecoded } from '../http/percent-decoding.ts';
import { quote, shorten } from './echo.ts';
import { didYouMean } from './suggest.ts';

/** Values by parameter name: defaults filled in, absent ones left out. */
export type Values = Readonly<Record<string, string | number>>;

/** What a request's parameters come to. */
export type Reading = { values: Values; violations: null } | { values: null; violations: Violation[] };

/** Reads the parameters of one operation. */
export type ParameterReader = (path: Readonly<Record<string, string>>, query: string) => Reading;

/** The keywords of JSON Schema that parameters use. */
interface Rules {
  type: 'string' | 'number' | 'integer';
  pattern?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  default?: string | number;
}

type Convert = (text: string) => { value: string | number } | { expected: string };

interface Slot {
  parameter: Parameter;
  fallback: string | number | undefined;
  expected: string;
  convert: Convert;
}

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;
const WHOLE = /^-?\d+$/;

/**
 * Makes the reader of an operation's parameters from the table.
 *
 * Numbers are read in plain decimal notation with ASCII digits only: `1e3`, `0x10`, `+5`, `.5`, `NaN`, full-width
 * digits and blanks are refused, since what they mean differs from language to language. Every violation is reported,
 * not only the first.
 */
export function parameterReader(operation: Operation): ParameterReader {
  const slots = operation.parameters.map(slotOf);
  const inPath = slots.filter(({ parameter }) => parameter.in === 'path');
  const inQuery = slots.filter(({ parameter }) => parameter.in === 'query');
  const queryNames = inQuery.map(({ parameter }) => parameter.name);

  return (path, query) => {
    const violations: Violation[] = [];
    const values: Record<string, string | number> = {};
    for (const slot of inPath) take(slot, path[slot.parameter.name] ?? '', values, violations);
    const given = splitQuery(query, violations);
    for (const slot of inQuery) {
      const { name, required } = slot.parameter;
      const texts = given.get(name);
      if (texts === undefined) {
        if (slot.fallback !== undefined) values[name] = slot.fallback;
        else if (required) violations.push({ parameter: name, detail: `${name} is required: ${slot.expected}.` });
      } else if (texts.length > 1) {
        violations.push({ parameter: name, detail: `${name} is given ${texts.length} times; give it once.` });
      } else if (texts.length === 1) take(slot, texts[0]!, values, violations);
    }
    for (const name of given.keys()) {
      if (!queryNames.includes(name)) violations.push(unknownParameter(name, queryNames));
    }
    return violations.length > 0 ? { values: null, violations } : { values, violations: null };
  };
}

function take({ parameter, expected, convert }: Slot, text: string, values: Record<string, unknown>, out: Violation[]) {
  const { name } = parameter;
  const result = text === '' ? { expected } : convert(text);
  if ('value' in result) values[name] = result.value;
  else {
    const found = text === '' ? 'is empty' : `is ${quote(text)}`;
    out.push({ parameter: name, detail: `${name} must be ${result.expected}, but ${found}.` });
  }
}

function slotOf(parameter: Parameter): Slot {
  const rules = parameter.schema as unknown as Rules;
  const expected = `${describe(rules)}, such as ${parameter.example}`;
  return { parameter, fallback: rules.default, expected, convert: withRule(parameter, converter(rules, expected)) };
}

/** The rule of the parameter that JSON Schema cannot state is asked of what the schema lets through. */
function withRule({ rule }: Parameter, convert: Convert): Convert {
  if (rule === undefined) return convert;
  return (text) => {
    const result = convert(text);
    return 'value' in result && !rule.holds(text) ? { expected: rule.says } : result;
  };
}

function describe({ type, pattern, enum: words, minimum, maximum }: Rules): string {
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (pattern !== undefined) return `text that matches ${pattern}`;
  const kind = type === 'integer' ? 'a whole number' : type === 'number' ? 'a plain decimal number' : 'text';
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum !== undefined ? `${kind} of at least ${minimum}` : kind;
}

function converter({ type, pattern, enum: words, minimum, maximum }: Rules, expected: string): Convert {
  if (type === 'string') {
    const regex = pattern === undefined ? null : new RegExp(pattern);
    const fits = (text: string) => (words?.includes(text) ?? true) && (regex?.test(text) ?? true);
    return (text) => (fits(text) ? { value: text } : { expected });
  }
  const notation = type === 'integer' ? WHOLE : PLAIN_DECIMAL;
  const lowest = minimum ?? -Number.MAX_VALUE;
  const highest = maximum ?? Number.MAX_VALUE;
  return (text) => {
    if (!notation.test(text)) return { expected };
    const value = Number(text) + 0; // −0 becomes 0
    return value >= lowest && value <= highest ? { value } : { expected };
  };
}

/** Texts by name, percent-decoded, `+` as a blank; what cannot be decoded is a violation and leaves an empty list. */
function splitQuery(query: string, violations: Violation[]): Map<string, string[]> {
  const given = new Map<string, string[]>();
  if (query === '') return given;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === null || text === null) {
      const parameter = shorten(name ?? pair.slice(0, Math.max(0, equals)));
      violations.push({ parameter, detail: `${quote(pair)} is not percent-encoded UTF-8.` });
      if (name !== null) given.set(name, []); // given, though there is nothing to read
      continue;
    }
    const texts = given.get(name);
    if (texts === undefined) given.set(name, [text]);
    else texts.push(text);
  }
  return given;
}

function decode(text: string): string | null {
  return percentDecoded(text.replaceAll('+', ' '));
}

function unknownParameter(name: string, known: readonly string[]): Violation {
  const meant = didYouMean(name, known);
  const list = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  const hint = meant === null ? `${list}.` : `did you mean ${meant}?`;
  return { parameter: shorten(name), detail: `${quote(name)} is not a query parameter of this operation; ${hint}` };
}
