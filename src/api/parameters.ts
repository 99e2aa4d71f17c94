import { expectedText, type Parameter, type ParameterValue } from '../contract/parameter.ts';
import { Violations } from '../contract/problems.ts';
import { type Keywords, keywordsOf } from '../contract/schema.ts';
import { isDay } from '../formats/day.ts';
import type { Values } from '../site/route.ts';
import { didYouMean, percentDecoded, quote, shorten } from './suggest.ts';

/** Percent-decoded path parameters by name. */
export type PathValues = Readonly<Record<string, string>>;

/**
 * Converts the text of a parameter to its value; for a wrong text it says what is expected. `found` says what the text
 * is, where the text itself would not explain the fault.
 */
type Convert = (text: string) => { value: ParameterValue } | { expected: string; found?: string | undefined };

/** A parameter with its converter, made once for all requests. */
interface ParameterReader {
  parameter: Parameter;
  /** What its text must be, for people. */
  expected: string;
  convert: Convert;
}

/** Values by the name of the parameter; they are added while a request is read. */
type NewValues = Record<string, ParameterValue>;

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;
const PLAIN_INTEGER = /^-?\d+$/;

/**
 * Makes the function that reads a list of parameters from a request. It fills in defaults, leaves out absent
 * parameters, and reports all violations at once.
 *
 * Numbers must have plain decimal notation with ASCII digits. `1e3`, `0x10`, `+5`, `.5`, `NaN`, full-width digits and
 * blanks are refused, because languages read them differently.
 * @param isForm true for pages: unknown and empty query parameters are ignored, as forms need it
 * @param others names that the caller removes from the query first; the refusal of an unknown name lists them too
 */
export function parameterReader(
  parameters: readonly Parameter[],
  { isForm, others = [] }: { isForm: boolean; others?: readonly string[] },
): (path: PathValues, query: string) => Values | Violations {
  const readers = parameters.map(readerOf);
  const pathReaders = readers.filter(({ parameter }) => parameter.in === 'path');
  const queryReaders = readers.filter(({ parameter }) => parameter.in === 'query');
  const queryNames = [...others, ...queryReaders.map(({ parameter }) => parameter.name)];
  const allNames = new Set(queryReaders.flatMap(({ parameter: { name, alsoNamed = [] } }) => [name, ...alsoNamed]));

  return (path, query) => {
    const values: NewValues = {};
    const violations = new Violations();
    for (const reader of pathReaders) readText(reader, path[reader.parameter.name] ?? '', values, violations);
    const textsByName = splitQuery(query, (name) => !isForm || allNames.has(name), violations);
    if (isForm) dropEmpty(textsByName);
    for (const reader of queryReaders)
      readFromQuery(reader, textsOf(reader.parameter, textsByName), values, violations);
    for (const name of textsByName.keys()) {
      if (!allNames.has(name)) violations.add(shorten(name), () => unknownParameter(name, queryNames));
    }
    return violations.isEmpty ? values : violations;
  };
}

/** Removes parameters without a text: a form sends all its fields, and empty ones mean that nothing was entered. */
function dropEmpty(textsByName: Map<string, string[]>): void {
  for (const [name, texts] of textsByName) if (texts.every((text) => text === '')) textsByName.delete(name);
}

/** A text that identifies the values, in the order of the list and in characters that an ETag may have. */
export const valuesKey = (parameters: readonly Parameter[], values: Values): string =>
  parameters.reduce((key, { name }) => `${key}/${keyPart(values[name])}`, '');

/** True when a personal value was given. */
export const isPersonal = (parameters: readonly Parameter[], values: Values): boolean =>
  parameters.some(({ name, isPrivate }) => isPrivate && values[name] !== undefined);

/** Texts that `encodeURIComponent` does not change. The pattern is faster than the call. */
const PLAIN = /^[\w.-]*$/;

/** The text of one value in `valuesKey`. */
function keyPart(value: unknown): string {
  if (value === undefined) return '';
  const text = String(value);
  return PLAIN.test(text) ? text : encodeURIComponent(text);
}

/** The texts of a parameter under all its names; undefined when the query has none of them. */
function textsOf(
  { name, alsoNamed }: Parameter,
  textsByName: ReadonlyMap<string, string[]>,
): readonly string[] | undefined {
  if (alsoNamed === undefined) return textsByName.get(name);
  const texts = [name, ...alsoNamed].flatMap((spelling) => textsByName.get(spelling) ?? []);
  return texts.length === 0 ? undefined : texts;
}

/**
 * Reads a query parameter from its texts into `values`, or adds a violation.
 * @param texts all texts that the query has for it; empty: they could not be decoded, which is a violation already;
 * undefined: it is absent
 */
function readFromQuery(
  reader: ParameterReader,
  texts: readonly string[] | undefined,
  values: NewValues,
  violations: Violations,
): void {
  const { name, required, default: fallback } = reader.parameter;
  if (texts === undefined) {
    if (fallback !== undefined) values[name] = fallback;
    else if (required) violations.add(name, () => `${name} is required: ${reader.expected}.`);
  } else if (texts.length > 1 && reader.parameter.repeats) {
    readText(reader, texts.filter((text) => text !== '').join(','), values, violations);
  } else if (texts.length > 1) {
    const isList = keywordsOf(reader.parameter.schema).items !== undefined;
    const how = isList ? `once, with commas: ${name}=${shorten(texts.join(','))}` : 'once';
    violations.add(name, () => `${name} is given ${texts.length} times; give it ${how}.`);
  } else if (texts[0] !== undefined) readText(reader, texts[0], values, violations);
}

/** Reads a parameter that has one text into `values`, or adds a violation: what the text must be, and what it is. */
function readText(
  { parameter, expected, convert }: ParameterReader,
  text: string,
  values: NewValues,
  violations: Violations,
): void {
  const { name } = parameter;
  if (text === '') {
    violations.add(name, () => `${name} must be ${expected}, but is empty.`);
    return;
  }
  const result = convert(text);
  if ('value' in result) values[name] = result.value;
  else violations.add(name, () => `${name} must be ${result.expected}, but ${result.found ?? `is ${quote(text)}`}.`);
}

/** The reader of a parameter, made of the rules of its schema. */
function readerOf(parameter: Parameter): ParameterReader {
  const rules = keywordsOf(parameter.schema);
  const expected = `${expectedText(rules)}, such as ${parameter.example}`;
  return { parameter, expected, convert: withRule(parameter, converter(rules, expected)) };
}

/** The converter, followed by the rule of the parameter: a condition that its JSON Schema cannot state. */
function withRule({ rule }: Parameter, convert: Convert): Convert {
  if (rule === undefined) return convert;
  return (text) => {
    const result = convert(text);
    return 'value' in result && !rule.holds(text) ? { expected: rule.says, found: rule.found?.(text) } : result;
  };
}

/** The converter for the rules of a schema. */
function converter(rules: Keywords, expected: string): Convert {
  const { type, format } = rules;
  if (rules.items !== undefined) return listConverter(rules, rules.items, expected);
  if (type === 'boolean') {
    return (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : { expected });
  }
  if (format === 'date') return (text) => (isDay(text) ? { value: text } : { expected });
  return type === 'string' ? textConverter(rules, expected) : numberConverter(rules, expected);
}

/**
 * The converter of a list with commas.
 * @param items the rules of each member
 */
function listConverter({ maxItems = Infinity }: Keywords, items: Keywords, expected: string): Convert {
  const convert = converter(items, expected);
  return (text) => {
    const members = text.split(',').map((member) => (member === '' ? { expected } : convert(member)));
    const values = members.flatMap((member) => ('value' in member ? member.value : []));
    return values.length === members.length && values.length <= maxItems ? { value: values } : { expected };
  };
}

/** The converter of a text; checks its pattern, its words and its length. */
function textConverter(
  { pattern, enum: words, minLength = 0, maxLength = Infinity }: Keywords,
  expected: string,
): Convert {
  const regex = pattern === undefined ? null : new RegExp(pattern);
  return (text) => {
    const fits = (words?.includes(text) ?? true) && (regex?.test(text) ?? true);
    return fits && text.length >= minLength && text.length <= maxLength ? { value: text } : { expected };
  };
}

/** The converter of a number; checks its notation, its bounds and its step. */
function numberConverter({ type, minimum, maximum, multipleOf = 0 }: Keywords, expected: string): Convert {
  const notation = type === 'integer' ? PLAIN_INTEGER : PLAIN_DECIMAL;
  const lowest = minimum ?? -Number.MAX_VALUE;
  const highest = maximum ?? Number.MAX_VALUE;
  return (text) => {
    if (!notation.test(text)) return { expected };
    const value = Number(text) + 0; // −0 becomes 0
    const isStep = multipleOf === 0 || value % multipleOf === 0;
    return isStep && value >= lowest && value <= highest ? { value } : { expected };
  };
}

/**
 * Splits a query into texts by name, percent-decoded, with `+` as a blank. A text that cannot be decoded is a violation
 * and gives an empty list.
 * @param isWanted true for the names to read
 */
function splitQuery(query: string, isWanted: (name: string) => boolean, violations: Violations): Map<string, string[]> {
  const textsByName = new Map<string, string[]>();
  if (query === '') return textsByName;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (!isWanted(name ?? pair)) continue;
    const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === null || text === null) {
      const parameter = shorten(name ?? pair.slice(0, Math.max(0, equals)));
      violations.add(parameter, () => `${quote(pair)} is not percent-encoded UTF-8.`);
      if (name !== null) textsByName.set(name, []); // so that it is not also reported as missing
      continue;
    }
    const texts = textsByName.get(name);
    if (texts === undefined) textsByName.set(name, [text]);
    else texts.push(text);
  }
  return textsByName;
}

/** A text of a query, decoded; null when it is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  return percentDecoded(text.replaceAll('+', ' '));
}

/** The detail of the violation by a name that is not one of `names`. */
function unknownParameter(name: string, names: readonly string[]): string {
  const suggestion = didYouMean(name, names);
  const list = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`;
  const hint = suggestion === null ? `${list}.` : `did you mean ${suggestion}?`;
  return `${quote(name)} is not a query parameter of this operation; ${hint}`;
}
