import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from '../../src/contract/headers.ts';
import { neverGiven, type Operation, requestTarget, statusesOf } from '../../src/contract/operation.ts';
import type { Parameter } from '../../src/contract/parameter.ts';
import { PROBLEM_KINDS, PROBLEM_NAMES } from '../../src/contract/problems.ts';

/** The heading of the table of parameters that several operations have, and its anchor. */
const SHARED_HEADING = 'Shared parameters';
const SHARED_ANCHOR = '#shared-parameters';

/** The tables of docs/api.md, made from the contract. A test compares them, and rewrites them on request. */
export function referenceMarkdown(operations: readonly Operation[]): string {
  const shared = sharedRows(operations);
  const section = (title: string, half: Operation['half']) =>
    `## ${title}\n\n${operations
      .filter((operation) => operation.half === half)
      .map((operation) => describeOperation(operation, shared))
      .join('\n')}`;
  return [
    `## ${SHARED_HEADING}\n\n${table(PARAMETER_HEADING, [...shared.values()])}\n`,
    section('Sunlight', 'sunlight'),
    section('Care facilities', 'kaigo'),
    section('Search', 'search'),
    section('Descriptions, downloads, health', 'site'),
    `## Problems\n\n${problems()}`,
    `## Headers of answers\n\n${responseHeaders()}`,
    `## Headers of requests\n\n${requestHeaders()}`,
  ].join('\n');
}

/** The rows that stand in several operations with the same text, by that text, in the order of the first use. */
function sharedRows(operations: readonly Operation[]): Map<string, string[]> {
  const rows = operations.flatMap(({ parameters }) => parameters.map(parameterRow));
  const uses = Map.groupBy(rows, String);
  return new Map(
    [...uses].flatMap(([key, [row, ...others]]) => (row && others.length > 0 ? [[key, row] as const] : [])),
  );
}

function describeOperation(operation: Operation, shared: ReadonlyMap<string, unknown>): string {
  const { path, summary, description, parameters, examples } = operation;
  const urls = examples.map((example) => `- ${example.summary}: \`${requestTarget(operation, example.parameters)}\``);
  const { own = [], common = [] } = Object.groupBy(parameters.map(parameterRow), (row) =>
    shared.has(String(row)) ? 'common' : 'own',
  );
  const names = common.map(([name]) => name).join(', ');
  return [
    `### ${summary}\n`,
    `\`GET ${path}\`\n`,
    `${description}\n`,
    own.length === 0 ? '' : `${table(PARAMETER_HEADING, own)}\n`,
    common.length === 0 ? '' : `${own.length === 0 ? 'Takes' : 'Also takes'} [shared](${SHARED_ANCHOR}) ${names}.\n`,
    `${[costText(operation), answersText(operation)].filter(Boolean).join(' ')}\n`,
    urls.length === 0 ? '' : `${urls.join('\n')}\n`,
  ]
    .filter((part) => part.trim() !== '')
    .join('\n');
}

function costText({ costUnits, costPer, parameters }: Operation): string {
  if (costUnits === 0) return '';
  const each = costPer === undefined ? '' : ' for each that is found';
  const more = parameters.flatMap(({ name, moreUnits }) =>
    moreUnits === undefined ? [] : `, ${moreUnits} more with \`${name}=true\``,
  );
  return `Costs ${costUnits} ${costUnits === 1 ? 'unit' : 'units'}${each}${more.join('')}.`;
}

/** The statuses of most operations under /api/. The text above the tables states them. */
const USUAL = [200, 304, 400, 401, 402, 404, 429, 500, 503];

/** Of an operation that costs, how its statuses differ from the usual ones; of others, the statuses. */
function answersText(operation: Operation): string {
  const never = neverGiven(operation);
  const given = statusesOf(operation).filter((status) => !never.includes(status));
  if (operation.costUnits === 0) return `Answers ${given.join(', ')}.`;
  const missing = USUAL.filter((status) => !given.includes(status));
  const further = given.filter((status) => !USUAL.some((usual) => usual === status));
  return [
    missing.length === 0 ? '' : `Never ${missing.join(' or ')}.`,
    further.length === 0 ? '' : `Also ${further.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const PARAMETER_HEADING = ['parameter', 'value', 'meaning'];

function parameterRow({ name, required, schema, default: fallback, description, rule }: Parameter): string[] {
  const rules = schema as { type?: string; pattern?: string; enum?: string[]; minimum?: number; maximum?: number };
  const values = [
    required ? 'required' : fallback === undefined ? '' : `default \`${fallback}\``,
    rules.enum === undefined ? rules.type : oneOfText(rules.enum),
    rules.pattern === undefined ? '' : `\`${rules.pattern}\``,
    rules.minimum === undefined
      ? ''
      : rules.maximum === undefined
        ? `from ${rules.minimum}`
        : `${rules.minimum} to ${rules.maximum}`,
    rule?.says ?? '',
  ];
  return [`\`${name}\``, values.filter(Boolean).join(', '), description];
}

const oneOfText = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(' ');

function problems(): string {
  const rows = PROBLEM_NAMES.map((name) => {
    const { status, when } = PROBLEM_KINDS[name];
    return [`\`${name}\``, String(status), when];
  });
  return `${table(['kind', 'status', 'when'], rows)}\n`;
}

function responseHeaders(): string {
  const rows = Object.entries<ResponseHeader>(RESPONSE_HEADERS).map(([name, { description, when }]) => [
    `\`${name}\``,
    when,
    description,
  ]);
  return `${table(['header', 'when', 'meaning'], rows)}\n`;
}

function requestHeaders(): string {
  const rows = Object.entries(REQUEST_HEADERS).map(([name, meaning]) => [`\`${name}\``, meaning]);
  return `${table(['header', 'meaning'], rows)}\n`;
}

/** A Markdown table; `|` in cells is escaped. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}
