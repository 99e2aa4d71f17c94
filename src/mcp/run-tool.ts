import type { Operation } from '../contract/operation.ts';
import { fillPath, type Parameter } from '../contract/parameter.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Answer, Ask } from './ask.ts';
import { comparison, fit, hintFor, shape } from './shape.ts';
import { argumentName, argumentsOf, type Comparison, type Tool } from './tools.ts';

/** The result of a call: structured content, the same as text, and a receipt. */
interface ToolResult {
  isError: boolean;
  structured: Record<string, unknown>;
  text: string;
  /** Receipt of a payment (x402); null when nothing was paid. */
  receipt: unknown;
}

/** Limit of a result, as a value and as text together, bytes: the whole answer stays within 8 kB. */
const MOST_BYTES = 7900;

/**
 * Runs a tool: sends its requests to the API and combines the answers for an agent.
 * @param payment of x402, as it came with the call; null: none
 */
export async function runTool(tool: Tool, call: unknown, ask: Ask, payment: unknown): Promise<ToolResult> {
  const args = readArguments(tool, call);
  if (typeof args === 'string') return refusal(args);
  const paymentHeader = payment === null ? null : Buffer.from(JSON.stringify(payment)).toString('base64');
  const calls = tool.comparison === null ? [args] : oneByOne(tool.comparison, args);
  if (calls.length > 1 && payment !== null) return refusal(paidOneByOne(tool));
  let spent = 0;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const answers = await askEach(tool, calls, ask, paymentHeader);
    if ('isError' in answers) return answers;
    const { results, notFound } = answers;
    if (results.length === 0 && notFound[0] !== undefined) return problem(notFound[0].answer);
    spent += results.reduce((sum, { meta }) => sum + meta.cost_units, 0);
    // Answers of two datasets cannot be compared: ask again. What was spent stays spent.
    if (new Set(results.map(({ meta }) => meta.dataset_id)).size > 1) continue;
    return combined(tool, results, args, { spent, missingIds: notFound.map(({ id }) => id) });
  }
  return problem({ status: 503, headers: new Map(), body: JSON.stringify(DATA_CHANGED) });
}

/** Attempts of a comparison when the server moves to a new dataset: all answers must come from the same dataset. */
const MOST_ATTEMPTS = 2;
const DATA_CHANGED = { title: 'Unavailable', detail: 'The data changed during the comparison: call again.' };

/** An answer with data. */
interface Result {
  operation: Operation;
  answer: Answer;
  /** The metadata of the answer. */
  meta: { dataset_id: string; cost_units: number };
}

/**
 * Sends the calls one after another. Returns the answers and, in a comparison, the things that were not found. The
 * first call that fails for another reason ends it: then its refusal is returned.
 */
async function askEach(
  tool: Tool,
  calls: readonly Arguments[],
  ask: Ask,
  payment: string | null,
): Promise<{ results: Result[]; notFound: { id: unknown; answer: Answer }[] } | ToolResult> {
  const results: Result[] = [];
  const notFound: { id: unknown; answer: Answer }[] = [];
  for (const values of calls) {
    const operation = chooseOperation(tool, values);
    // A text says why no operation fits.
    if (typeof operation === 'string') return refusal(operation);
    const answer = await ask({ target: targetOf(operation, values), payment });
    if (answer.status === 402 && calls.length > 1) return refusal(paidOneByOne(tool));
    if (answer.status === 404 && tool.comparison !== null)
      notFound.push({ id: values[tool.comparison.parameter], answer });
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
function oneByOne({ argument, parameter }: Comparison, args: Arguments): Arguments[] {
  const { [argument]: ids, ...rest } = args;
  return [...new Set(ids as string[])].map((id) => ({ ...rest, [parameter]: id }));
}

/**
 * Chooses the operation that fits the arguments: all its required parameters are given, and it takes all given
 * arguments. Returns a refusal as a text when none fits.
 */
function chooseOperation(tool: Tool, args: Arguments): Operation | string {
  const { name, operations } = tool;
  const complete = operations.filter((operation) => missingParameters(operation, args).length === 0);
  if (complete.length === 0) {
    const ways = operations.map((operation) =>
      missingParameters(operation, {})
        .map((parameter) => argumentName(operation, parameter))
        .join(' and '),
    );
    return `${name} needs ${[...new Set(ways)].join(', or ')}. find_place finds codes and positions by name.`;
  }
  const fitting = complete.filter((operation) => notTaken(tool, operation, args).length === 0);
  if (fitting.length === 0) return `${name}: ${whyNoneTakesAll(tool, complete, args)}`;
  // Only `building_sun` has two operations with the same parameters: a short one, and a full one.
  const needsFull = args.detail === 'full' || args.month !== undefined || args.face !== undefined;
  return fitting.find(({ id }) => id.endsWith('-full') === needsFull) ?? fitting[0];
}

/** The required parameters of an operation that the arguments do not give. */
const missingParameters = (operation: Operation, args: Arguments): Parameter[] =>
  operation.parameters.filter(
    (parameter) => parameter.required && args[argumentName(operation, parameter)] === undefined,
  );

/** The given arguments that some operation of a tool takes. Others, such as `limit`, belong to the tool. */
const givenToOperations = (tool: Tool, args: Arguments): string[] =>
  Object.keys(args).filter((argument) =>
    tool.operations.some((operation) => argumentsOf(tool, operation).includes(argument)),
  );

/** The given arguments that other operations take, but not this one. */
const notTaken = (tool: Tool, operation: Operation, args: Arguments): string[] =>
  givenToOperations(tool, args).filter((argument) => !argumentsOf(tool, operation).includes(argument));

/**
 * Explains why no operation that could be called takes all arguments: an argument belongs to an operation that needs
 * more arguments, or arguments exclude each other.
 * @param complete operations whose required parameters are all given; at least one
 */
function whyNoneTakesAll(tool: Tool, complete: readonly Operation[], args: Arguments): string {
  const notTakenBy = (operation: Operation): string[] => notTaken(tool, operation, args);
  const [excess = []] = complete.map(notTakenBy).toSorted((a, b) => a.length - b.length);
  const takesAll = tool.operations.find((operation) => notTakenBy(operation).length === 0);
  if (takesAll !== undefined) {
    const examples = missingParameters(takesAll, args).map(
      (parameter) => `${argumentName(takesAll, parameter)} (such as ${parameter.example})`,
    );
    return `${excess.join(' and ')} needs ${examples.join(' and ')}, too.`;
  }
  const others = givenToOperations(tool, args).filter((argument) => !excess.includes(argument));
  return `${excess.join(' and ')} cannot be given together with ${others.join(' and ')}: leave one or the other away.`;
}

/** The path and query of a call. */
function targetOf(operation: Operation, args: Arguments): string {
  const values: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = args[argumentName(operation, parameter)];
    if (value !== undefined) values[parameter.name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  return fillPath(operation.path, values);
}

/**
 * Combines the answers into one result.
 * @param spent cost units of all answers
 * @param missingIds the things of a comparison that were not found
 */
function combined(
  tool: Tool,
  results: readonly Result[],
  args: Arguments,
  { spent, missingIds }: { spent: number; missingIds: readonly unknown[] },
): ToolResult {
  const parsed = results.map(({ operation, answer }) => ({ operation, ...JSON.parse(answer.body) }));
  const [first] = parsed;
  const allData = parsed.map(({ data }) => data);
  const data =
    tool.comparison === null
      ? shape(first.operation, first.data, args)
      : { ...comparison(first.operation, allData, tool.comparison.leaveOut), not_found: missingIds };
  const hint = hintFor(tool, first.data);
  if (hint !== null && data) Object.assign(data, { hint });
  const { attribution: credit, data_through } = first.meta;
  const value = { data, data_through, credit, cost_units: spent };
  // By the name, because `compare_buildings` is a single call: its `comparison` is null.
  const comparesItems = tool.name.startsWith('compare_');
  const text = fit(value, MOST_BYTES, { mayDropItems: !comparesItems });
  if (text === null) {
    return refusal('The answer is too long for an agent: narrow it (building_sun: month and face), or ask for fewer.');
  }
  const receipt = results
    .map(({ answer }) => answer.headers.get('payment-response'))
    .find((header) => header !== undefined);
  return {
    isError: false,
    structured: JSON.parse(text),
    text,
    receipt: receipt === undefined ? null : decoded(receipt),
  };
}

/** The result for an answer of the API without data. A 402 has the form of x402. */
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

/** The members of a problem; none when the body is not JSON. */
function parsedProblem(body: string): { title?: string; detail?: string; errors?: unknown } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

/** The result for arguments that cannot be used. */
const refusal = (detail: string): ToolResult => ({
  isError: true,
  structured: { title: 'Invalid parameter', status: 400, detail },
  text: detail,
  receipt: null,
});

/** The JSON in the base64 of a header of x402. */
const decoded = (header: string): Record<string, unknown> => JSON.parse(Buffer.from(header, 'base64').toString());
