import { type Operation, requestTarget } from '../contract/operation.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Answer, Ask } from './ask.ts';
import { fit, hintOn, shape, sideBySide } from './shape.ts';
import { argumentName, argumentsOf, type Comparison, type Tool } from './tools.ts';

/** The result of a call: structured content, the same as text, and a receipt. */
interface ToolResult {
  isError: boolean;
  structured: Record<string, unknown>;
  text: string;
  /** Receipt of a payment (x402); null when nothing was paid. */
  receipt: unknown;
}

/** Limit of a result, as a value and as text together: the whole answer stays within 8 kB. */
const MOST_BYTES = 7900;

/**
 * Runs a tool: sends its requests to the API and combines the answers for an agent.
 * @param payment of x402, as it came with the call; null: none
 */
export async function runTool(tool: Tool, call: unknown, ask: Ask, payment: unknown): Promise<ToolResult> {
  const given = readArguments(tool, call);
  if (typeof given === 'string') return refusal(given);
  const signature = payment === null ? null : Buffer.from(JSON.stringify(payment)).toString('base64');
  const calls = tool.each === null ? [given] : oneByOne(tool.each, given);
  if (calls.length > 1 && payment !== null) return refusal(paidOneByOne(tool));
  let spent = 0;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const asked = await askEach(tool, calls, ask, signature);
    if ('isError' in asked) return asked;
    const { results, notFound } = asked;
    if (results.length === 0 && notFound[0] !== undefined) return problem(notFound[0].answer);
    spent += results.reduce((sum, { meta }) => sum + meta.cost_units, 0);
    if (new Set(results.map(({ meta }) => meta.dataset_id)).size > 1) continue;
    return together(tool, results, given, { spent, missing: { not_found: notFound.map(({ id }) => id) } });
  }
  return problem({ status: 503, headers: new Map(), body: JSON.stringify(DATA_CHANGED) });
}

/** Attempts of a comparison when the server moves to a new dataset: all parts must come from the same dataset. */
const MOST_ATTEMPTS = 2;
const DATA_CHANGED = { title: 'Unavailable', detail: 'The data changed during the comparison: call again.' };

interface Result {
  operation: Operation;
  answer: Answer;
  /** The metadata of the answer. */
  meta: { dataset_id: string; cost_units: number };
}

/** The answers to some calls, and the calls that were not found; or the result of a failed call. */
async function askEach(
  tool: Tool,
  calls: readonly Arguments[],
  ask: Ask,
  payment: string | null,
): Promise<{ results: Result[]; notFound: { id: unknown; answer: Answer }[] } | ToolResult> {
  const results: Result[] = [];
  const notFound: { id: unknown; answer: Answer }[] = [];
  for (const values of calls) {
    const operation = choose(tool, values);
    if (typeof operation === 'string') return refusal(operation);
    const answer = await ask({ target: targetOf(operation, values), payment });
    if (answer.status === 402 && calls.length > 1) return refusal(paidOneByOne(tool));
    if (answer.status === 404 && tool.each !== null) notFound.push({ id: values[tool.each.parameter], answer });
    else if (answer.status !== 200) return problem(answer);
    else results.push({ operation, answer, meta: JSON.parse(answer.body).meta });
  }
  return { results, notFound };
}

/**
 * The refusal of a payment for a comparison. A payment is for one call of the API, so it would pay for the first only.
 */
const paidOneByOne = ({ name, operations }: Tool): string =>
  `${name} is several calls, and a payment pays for one: call ${operations[0]?.tool?.name} for each of them.`;

/** One call for each compared thing, without duplicates. */
function oneByOne({ argument, parameter }: Comparison, given: Arguments): Arguments[] {
  const { [argument]: ids, ...rest } = given;
  return [...new Set(ids as string[])].map((id) => ({ ...rest, [parameter]: id }));
}

/**
 * Chooses the operation that fits the arguments: all its required parameters are given, and it takes all given
 * arguments. Returns a text when none fits.
 */
function choose(tool: Tool, given: Arguments): Operation | string {
  const { name, operations } = tool;
  const fitting = operations.filter((operation) =>
    operation.parameters.every((one) => !one.required || given[argumentName(operation, one)] !== undefined),
  );
  if (fitting.length === 0) {
    const ways = operations.map((operation) => {
      const needed = operation.parameters.filter(({ required }) => required);
      return needed.map((one) => argumentName(operation, one)).join(' and ');
    });
    return `${name} needs ${[...new Set(ways)].join(', or ')}. find_place finds codes and positions by name.`;
  }
  const conflict = conflictIn(tool, fitting, given);
  if (conflict !== null) return `${name}: ${conflict}`;
  const isFull = given.detail === 'full' || given.month !== undefined || given.face !== undefined;
  const known = (operation: Operation): number =>
    operation.parameters.filter((one) => given[argumentName(operation, one)] !== undefined).length;
  const best = Math.max(...fitting.map(known));
  const same = fitting.filter((operation) => known(operation) === best);
  return same.find(({ id }) => id.endsWith('-full') === isFull) ?? same[0] ?? fitting[0] ?? `${name} cannot be called.`;
}

/**
 * Explains why no operation takes all arguments: an argument belongs to an operation that needs more arguments, or
 * arguments exclude each other. Null when one operation takes all of them.
 */
function conflictIn(tool: Tool, fitting: readonly Operation[], given: Arguments): string | null {
  const asked = Object.keys(given).filter((argument) =>
    tool.operations.some((operation) => argumentsOf(tool, operation).includes(argument)),
  );
  const leftBy = (operation: Operation): string[] =>
    asked.filter((argument) => !argumentsOf(tool, operation).includes(argument));
  const least = fitting.map(leftBy).toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (least.length === 0) return null;
  const meant = tool.operations.find((operation) => leftBy(operation).length === 0);
  if (meant !== undefined) {
    const needed = meant.parameters.filter((one) => one.required && given[argumentName(meant, one)] === undefined);
    const examples = needed.map((one) => `${argumentName(meant, one)} (such as ${one.example})`);
    return `${least.join(' and ')} needs ${examples.join(' and ')}, too.`;
  }
  const others = asked.filter((argument) => !least.includes(argument));
  return `${least.join(' and ')} cannot be given together with ${others.join(' and ')}: leave one or the other away.`;
}

function targetOf(operation: Operation, given: Arguments): string {
  const values: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = given[argumentName(operation, parameter)];
    if (value !== undefined) values[parameter.name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  return requestTarget(operation, values);
}

/**
 * Combines the answers into one result.
 * @param spent cost units of all answers
 * @param missing the members of a comparison about things that were not found
 */
function together(
  tool: Tool,
  results: readonly Result[],
  given: Arguments,
  { spent, missing }: { spent: number; missing: object },
): ToolResult {
  const parsed = results.map(({ operation, answer }) => ({ operation, ...JSON.parse(answer.body) }));
  const [first] = parsed;
  const facilities = parsed.map(({ data }) => data);
  const data =
    tool.each === null
      ? shape(first.operation, first.data, given)
      : { ...sideBySide(first.operation, facilities, tool.each.leaveOut), ...missing };
  Object.assign(data ?? {}, hintOn(tool, first.data));
  const { attribution, data_through } = first.meta;
  const value = {
    data,
    data_through,
    credit: attribution,
    cost_units: spent,
  };
  const text = fit(value, MOST_BYTES, !tool.name.startsWith('compare_'));
  if (text === null) {
    return refusal('The answer is too long for an agent: narrow it (building_sun: month and face), or ask for fewer.');
  }
  const receipt = results.map(({ answer }) => answer.headers.get('payment-response')).find((one) => one !== undefined);
  return {
    isError: false,
    structured: JSON.parse(text),
    text,
    receipt: receipt === undefined ? null : decoded(receipt),
  };
}

/** The result for a problem of the API. A 402 has the form of x402. */
function problem({ status, headers, body }: Answer): ToolResult {
  const demand = headers.get('payment-required');
  if (status === 402 && demand !== undefined) {
    return { isError: true, structured: decoded(demand), text: JSON.stringify(decoded(demand)), receipt: null };
  }
  // `errors` only repeats `detail`, so it is left out.
  const { title = 'No answer', detail = `Status ${status}.`, errors: _, ...rest } = parsedProblem(body);
  const wait = headers.get('retry-after');
  const text = `${title}: ${detail}${wait === undefined ? '' : ` Try again in ${wait} seconds.`}`;
  return { isError: true, structured: { title, detail, ...rest, status }, text, receipt: null };
}

function parsedProblem(body: string): { title?: string; detail?: string; errors?: unknown } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

const refusal = (detail: string): ToolResult => ({
  isError: true,
  structured: { title: 'Invalid parameter', status: 400, detail },
  text: detail,
  receipt: null,
});

const decoded = (header: string): Record<string, unknown> => JSON.parse(Buffer.from(header, 'base64').toString());
