import type { TSchema } from 'typebox';
import { WardCode } from './identifiers.ts';
import { type AnswerForm, examplesOf, type Operation, SECTIONS, type Section } from './operation.ts';
import { OPERATION_TABLE } from './operations.ts';
import type { Parameter } from './parameter.ts';
import { commonValues, filled, type Place, TOKYO, type Values } from './place.ts';
import { Problem } from './problems.ts';

/** The contract for one place, with its bounds, codes and examples. */
export interface Contract {
  place: Place;
  /** The order is that of the documentation. */
  operations: readonly Operation[];
  /** The schema of every error answer. */
  problem: TSchema;
}

/** Makes the contract of a place. */
export function contractFor(place: Place): Contract {
  return {
    place,
    operations: OPERATION_TABLE.map((operation) => operationFor(operation, place)),
    problem: schemaFor(Problem, place, commonValues(place)),
  };
}

/** An operation with the bounds, codes and examples of a place. */
function operationFor(operation: Operation, place: Place): Operation {
  const { section, answer, parameters } = operation;
  const values = place.values[section];
  if (values === null) return withoutData(operation, place);
  return {
    ...operation,
    parameters: parameters.map((parameter) => parameterFor(parameter, section, place, values)),
    answer: answerWith(answer, (schema) => schemaFor(schema, place, values)),
    examples: examplesOf(operation).map((example) => exampleFor(example, values)),
  };
}

/**
 * An operation whose section the server lacks. Its description says so, and it has no examples because it always
 * answers 503.
 */
function withoutData(operation: Operation, place: Place): Operation {
  const { section, description, answer, parameters } = operation;
  const whyNoData = SECTIONS[section].whyNoData;
  const values = commonValues(place);
  const noExamples = null;
  return {
    ...operation,
    whyNoData,
    description: `${whyNoData} The answer is 503. ${description}`,
    parameters: parameters.map((parameter) => parameterFor(parameter, section, place, values)),
    answer: answerWith(answer, (schema) => schemaFor(schema, place, noExamples)),
    examples: [],
  };
}

/** The parameters of a page or a file for a place. They have its codes and examples, but not its bounds. */
export const pageParametersFor = (parameters: readonly Parameter[], place: Place): Parameter[] =>
  parameters.map((parameter) => parameterFor(parameter, 'site', place, commonValues(place)));

/**
 * A parameter for a place. Positions of the sunlight half lie within its bounds; care facilities can be anywhere in
 * Japan.
 */
function parameterFor(parameter: Parameter, section: Section, place: Place, values: Values): Parameter {
  const { name, example } = parameter;
  const { south, west, north, east } = place.bounds;
  const schema = schemaFor(parameter.schema, place, values);
  const withExample = { ...parameter, schema, example: filled(example, values) };
  if (section !== 'sunlight') return withExample;
  if (name === 'lat') return { ...withExample, schema: { ...schema, minimum: south, maximum: north } };
  if (name === 'lon') return { ...withExample, schema: { ...schema, minimum: west, maximum: east } };
  return withExample;
}

/** The form of an answer with its schema changed; a form without a schema as it is. */
function answerWith(answer: AnswerForm, change: <S extends TSchema>(schema: S) => S): AnswerForm {
  if (answer.form === 'envelope') return { ...answer, data: change(answer.data) };
  return answer.form === 'geojson' ? { ...answer, schema: change(answer.schema) } : answer;
}

/** An example request with its `$names` filled in. */
const exampleFor = (example: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, filled(value, values)]));

/** The schema with the codes and examples of the place. Without values it has no examples. */
export function schemaFor<S extends TSchema>(schema: S, place: Place, values: Values | null): S {
  const walk = (node: unknown): unknown => {
    // The general schema of ward codes gives way to the one of the place.
    if (node === WardCode && place.wardCode !== WardCode) return walk(place.wardCode);
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const isText = 'type' in node && node.type === 'string';
    const members = Object.entries(node).flatMap(([key, member]) => {
      if (key !== 'examples' || !Array.isArray(member)) return [[key, walk(member)]];
      return values === null ? [] : [[key, exampleValue(member, isText, values)]];
    });
    return Object.fromEntries(members);
  };
  // Only examples and codes differ, so the type stays the same.
  return walk(schema) as S;
}

/** An example with its `$names` filled in. A whole `$name` becomes a number unless the schema is that of a text. */
function exampleValue(example: unknown, isText: boolean, values: Values): unknown {
  if (Array.isArray(example)) return example.map((one) => exampleValue(one, isText, values));
  if (typeof example !== 'string') return example;
  const value = filled(example, values);
  return !isText && example.startsWith('$') && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** The published contract is that of Tokyo. */
export const TOKYO_CONTRACT: Contract = contractFor(TOKYO);
