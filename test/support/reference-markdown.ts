import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from '../../src/contract/headers.ts';
import { neverGiven, type Operation, requestTarget } from '../../src/contract/operation.ts';
import type { Parameter } from '../../src/contract/parameter.ts';
import { commonValues, filled, TOKYO } from '../../src/contract/place.ts';
import { PROBLEM_KINDS, PROBLEM_NAMES } from '../../src/contract/problems.ts';

/** The tables of docs/api.md, made from the contract. A test compares them, and rewrites them on request. */
export function referenceMarkdown(operations: readonly Operation[]): string {
  const section = (title: string, half: Operation['half']) =>
    `## ${title}\n\n${operations
      .filter((operation) => operation.half === half)
      .map(describeOperation)
      .join('\n')}`;
  return [
    section('Sunlight', 'sunlight'),
    section('Care facilities', 'kaigo'),
    section('Search', 'search'),
    section('Descriptions, downloads, health', 'site'),
    `## Problems\n\n${problems()}`,
    `## Headers of answers\n\n${responseHeaders()}`,
    `## Headers of requests\n\n${requestHeaders()}`,
  ].join('\n');
}

function describeOperation(operation: Operation): string {
  const { path, summary, description, parameters, costUnits, costPer, examples } = operation;
  const urls = examples.map((example) => `- ${example.summary}: \`${requestTarget(operation, example.parameters)}\``);
  return [
    `### ${summary}\n`,
    `\`GET ${path}\`\n`,
    `${description}\n`,
    parameters.length === 0 ? '' : `${table(['parameter', 'in', 'value', 'meaning'], parameters.map(parameterRow))}\n`,
    `${costUnits > 0 ? `Costs ${costUnits} ${costUnits === 1 ? 'unit' : 'units'}${costPer === undefined ? '' : ' for each that is found'}${parameters.map(({ name, moreUnits }) => (moreUnits === undefined ? '' : `, ${moreUnits} more with \`${name}=true\``)).join('')}. ` : ''}${answersText(operation)}\n`,
    urls.length === 0 ? '' : `${urls.join('\n')}\n`,
  ]
    .filter(Boolean)
    .join('\n');
}

function answersText(operation: Operation): string {
  const never = neverGiven(operation);
  const given = operation.statuses.filter((status) => !never.includes(status));
  const list = `Answers ${given.join(', ')}.`;
  return never.length === 0 ? list : `${list} OpenAPI lists ${never.join(' and ')} too, as for every operation.`;
}

function parameterRow({
  name,
  in: place,
  required,
  schema,
  default: fallback,
  description,
  rule,
}: Parameter): string[] {
  const rules = schema as { type?: string; pattern?: string; enum?: string[]; minimum?: number; maximum?: number };
  const values = [
    required ? 'required' : `default ${fallback === undefined ? 'none' : `\`${fallback}\``}`,
    rules.enum === undefined ? rules.type : oneOfText(rules.enum),
    rules.pattern === undefined ? '' : `\`${rules.pattern}\``,
    rules.minimum === undefined
      ? ''
      : rules.maximum === undefined
        ? `from ${rules.minimum}`
        : `${rules.minimum} to ${rules.maximum}`,
    rule?.says ?? '',
  ];
  return [`\`${name}\``, place, values.filter(Boolean).join(', '), description];
}

const oneOfText = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(' ');

function problems(): string {
  const rows = PROBLEM_NAMES.map((name) => {
    const { status, when, remedy } = PROBLEM_KINDS[name];
    return [`\`${name}\``, String(status), when, remedy];
  });
  return `${table(['kind', 'status', 'when', 'what to do'], rows)}\n`;
}

function responseHeaders(): string {
  const rows = Object.entries<ResponseHeader>(RESPONSE_HEADERS).map(([name, { description, example, when }]) => [
    `\`${name}\``,
    when,
    description,
    `\`${filled(example, commonValues(TOKYO))}\``,
  ]);
  return `${table(['header', 'when', 'meaning', 'example'], rows)}\n`;
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
