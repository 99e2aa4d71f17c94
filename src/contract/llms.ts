import { SERVICE_NAMES } from './identifiers.ts';
import { examplesOf, type Operation, SECTIONS } from './operation.ts';
import { DATASET_ID, fillPath, type Parameter } from './parameter.ts';
import { PROBLEM_KINDS, PROBLEM_NAMES } from './problems.ts';
import { keywordsOf } from './schema.ts';
import { answerSchema, exampleOf } from './schema-document.ts';

/**
 * The beginning of both texts: Markdown for language models (https://llmstxt.org/), a title and a summary in a quote.
 */
const HEAD = `# Hidamari

> Hours and windows of direct sun for every building of a 3D city model of Japan, and comparisons of care facilities by cost
> and staff, from public records. Read-only HTTP API without keys: GET, JSON.

Every 200 answer is \`{data, meta}\`; every failure is a problem (RFC 9457). Unknown values are null, never 0. Hours are those of
a clear sky, on walls, without trees and balconies. Print \`meta.attribution\` with the data. After 429 wait as many seconds as
\`Retry-After\` says.
`;

/** The sections with operations about data. */
const DATA_SECTIONS = ['sunlight', 'kaigo', 'search'] as const;

/** The short text lists the allowed words of a parameter when it has at most this number. */
const MOST_WORDS = 14;

/** The service codes in one line. */
const SERVICE_CODES = `\n\`service_code\`: ${SERVICE_NAMES.map(([code, , name]) => `${code} ${name}`).join(', ')}.\n`;

/** The short text: one line with the address of each operation. */
export function llmsText(operations: readonly Operation[], siteUrl: string): string {
  const sections = DATA_SECTIONS.map((section) => {
    const lines = operations
      .filter((operation) => operation.section === section)
      .map((operation) => `- ${lineOf(operation, siteUrl)}`);
    return `## ${SECTIONS[section].title}\n\n${lines.join('\n')}\n${section === 'kaigo' ? SERVICE_CODES : ''}`;
  });
  const links = [
    `- [Everything in one text](${siteUrl}/llms-full.txt): parameters, answers and problems`,
    `- [OpenAPI 3.1](${siteUrl}/openapi.json): the same for programs`,
    `- [Prices](${siteUrl}/pricing/index.json): what calls cost`,
    `- [Method](${siteUrl}/en/method/): how the hours of sun are found, and what they leave out`,
  ];
  const agents =
    `Assistants with the Model Context Protocol call \`${siteUrl}/mcp\`, ` +
    'unless the operator has switched that off.\n';
  return [HEAD, ...sections, `## More\n\n${links.join('\n')}\n`, agents].join('\n');
}

/** An operation in one line: its summary as a link to an example, its path, its cost and its query. */
function lineOf(operation: Operation, siteUrl: string): string {
  const { summary, path, whyNoData } = operation;
  if (whyNoData !== undefined) return `${summary}: \`GET ${path}\`. ${whyNoData}`;
  const call = `\`GET ${path}\`, ${costText(operation)}${queryText(operation)}`;
  return `[${summary}](${siteUrl}${exampleTarget(operation)}): ${call}`;
}

/** The long text: every operation with its parameters and an example of its `data`, and every problem. */
export function llmsFullText(operations: readonly Operation[], siteUrl: string): string {
  const sections = DATA_SECTIONS.flatMap((section) => [
    `## ${SECTIONS[section].title}\n`,
    ...operations.filter((operation) => operation.section === section).map((operation) => describe(operation, siteUrl)),
  ]);
  const problems = PROBLEM_NAMES.map((name) => {
    const { status, when, remedy } = PROBLEM_KINDS[name];
    return `- ${status} \`${name}\`: ${when} ${remedy}`;
  });
  return [HEAD, ...sections, `## Problems\n\n${problems.join('\n')}\n`].join('\n');
}

/** A section about an operation; without examples when the server lacks its data. */
function describe(operation: Operation, siteUrl: string): string {
  const { path, summary, description, parameters, whyNoData } = operation;
  const lines = parameters.map((parameter) => {
    const { name, in: position, description: meaning, example } = parameter;
    const exampleText = whyNoData === undefined ? ` Example: \`${example}\`` : '';
    return `- \`${name}\` (${position}, ${presenceText(parameter)}): ${meaning}${exampleText}`;
  });
  const schema = answerSchema(operation);
  const example = schema === null || whyNoData !== undefined ? null : (exampleOf(schema) as { data?: unknown });
  return [
    `### ${summary}\n`,
    `\`GET ${path}\`, ${costText(operation)}. ${description}\n`,
    ...(lines.length > 0 ? [`${lines.join('\n')}\n`] : []),
    ...(whyNoData === undefined ? [`Try: ${siteUrl}${exampleTarget(operation)}\n`] : []),
    ...(example === null ? [] : [`\`\`\`json\n${JSON.stringify(example.data ?? example)}\n\`\`\`\n`]),
  ].join('\n');
}

/** Whether a parameter must be given; if not, its default. */
function presenceText({ required, default: fallback }: Parameter): string {
  if (required) return 'required';
  return fallback === undefined ? 'optional' : `default \`${fallback}\``;
}

/** The path and query of the first example. */
const exampleTarget = (operation: Operation): string => fillPath(operation.path, examplesOf(operation)[0] ?? {});

/** The names of the query parameters, with their allowed words when these are few. */
function queryText({ parameters }: Operation): string {
  const queryParameters = parameters.filter(({ name, in: position }) => position === 'query' && name !== DATASET_ID);
  if (queryParameters.length === 0) return '';
  const names = queryParameters.map(({ name, required, schema }) => {
    const { enum: words = [] } = keywordsOf(schema);
    const choice = words.length > 0 && words.length <= MOST_WORDS ? ` (${words.join(', ')})` : '';
    return `\`${name}\`${required ? ' (required)' : ''}${choice}`;
  });
  return `; query: ${names.join(', ')}`;
}

/** What a call costs, in words. */
function costText({ costUnits, costPer, parameters }: Operation): string {
  if (costUnits === 0) return 'free';
  const units = `${costUnits} ${costUnits === 1 ? 'unit' : 'units'}`;
  const options = parameters.flatMap(({ name, moreUnits }) =>
    moreUnits === undefined ? [] : `${moreUnits} more with ${name}=true`,
  );
  return [costPer === undefined ? units : `${units} for each that is found`, ...options].join(', ');
}
