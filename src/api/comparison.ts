import type { Demand } from '../compute/on-demand/on-demand.ts';
import type { Contract } from '../contract/contract.ts';
import { isRefused } from '../contract/outcome.ts';
import { filled } from '../contract/place.ts';
import { PROBLEM_KINDS, Violations } from '../contract/problems.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { type Context, type Route, routeOf, unitsOf, type Values } from '../site/route.ts';
import type { ComparisonTwin } from '../site/view.ts';
import { metaOf } from '../snapshot/meta.ts';
import { RefusedError } from './errors.ts';
import { readerOf } from './routes.ts';
import { quote } from './suggest.ts';

/** One compared thing: its entry in the request, its operation, and the values of the parameters. */
interface Item {
  entry: string;
  route: Route;
  values: Values;
}

/** What is known of one thing: its data, the demand that computes them, or why the thing does not exist. */
type ItemResult =
  | { entry: string; route: Route; costUnits: number; data: unknown; demand?: Demand }
  | { entry: string; absent: string };

/**
 * The twin of a page that compares: it answers several operations as one. Its cost is the sum of theirs, and nothing is
 * computed before payment. For a thing that does not exist the answer has a problem instead, which costs nothing.
 */
export function comparisonRoute(twin: ComparisonTwin, operationRoute: (operationId: string) => Route): Route {
  const { id, path, section, parameter } = twin;
  const { name } = parameter;
  return routeOf({
    id,
    path,
    kind: 'comparison',
    section,
    parameters: [parameter],
    answer: { form: 'other', mediaType: 'application/json' },
    summary: id,
    costUnits: 1,
    // The value of the only parameter is the list of the items.
    read(query, contract) {
      const items = readItems(twin, operationRoute, query, contract);
      return items instanceof Violations ? items : { [name]: items };
    },
    // Looks up every item first, so that the cost is known before anything is computed.
    async find(values, context) {
      const items: ItemResult[] = [];
      for (const item of values[name] as Item[]) items.push(await findItem(item, context));
      const cost = items.reduce((sum, item) => sum + ('absent' in item ? 0 : item.costUnits), 0);
      return {
        kind: 'postponed',
        // A postponed answer costs `results` times the `costUnits` of its route, which are 1 here: so it costs `cost`.
        results: cost,
        make: async () => answerText(await computeItems(items, context), cost, context),
      };
    },
  });
}

/**
 * Reads the entries of a request. Each is read like a request to its operation, together with the other parameters of
 * the query, which apply to all entries.
 */
function readItems(
  { section, parameter, most, callOf }: ComparisonTwin,
  operationRoute: (operationId: string) => Route,
  query: string,
  contract: Contract,
): Item[] | Violations {
  const { name } = parameter;
  const example = filled(parameter.example, contract.place.values[section] ?? {});
  const violation = (detail: string): Violations => Violations.of({ parameter: name, detail });
  const common = new URLSearchParams(query);
  const words = common.getAll(name).flatMap((value) => value.split(/[\s,]+/));
  common.delete(name);
  const entries = [...new Set(words)].filter((word) => word !== '');
  if (entries.length === 0) return violation(`${name} is missing: what to compare, such as ${example}.`);
  if (entries.length > most) return violation(`${name} names ${entries.length}; at most ${most} are compared.`);
  const items: Item[] = [];
  for (const entry of entries) {
    const call = callOf(entry);
    if (call === null) return violation(`${quote(entry)} is not of the form ${example}.`);
    const route = operationRoute(call.operationId);
    const itemQuery = String(new URLSearchParams([...common, ...call.query]));
    const readElsewhere = [name];
    const values = readerOf(route, contract, readElsewhere)(Object.fromEntries(call.path), itemQuery);
    if (values instanceof Violations) return values;
    items.push({ entry, route, values });
  }
  return items;
}

/** The JSON of the answer: for each item the answer of its operation, or a problem. */
function answerText(results: readonly ItemResult[], costUnits: number, { dataset, siteUrl }: Context): string {
  const { manifest } = dataset;
  const { dataset_id, generated_at } = manifest;
  const { status, title } = PROBLEM_KINDS['not-found'];
  const parts = results.map((result) => {
    const { entry } = result;
    if ('absent' in result) return { entry, problem: { status, title, detail: result.absent } };
    return { entry, answer: { data: result.data, meta: metaOf(manifest, result.route, siteUrl, result.costUnits) } };
  });
  return JSON.stringify({ data: { parts }, meta: { dataset_id, generated_at, cost_units: costUnits } });
}

/** Finds the data of an item, or the demand that computes them. */
async function findItem({ entry, route, values }: Item, context: Context): Promise<ItemResult> {
  const outcome = await route.find(values, context);
  if (outcome.kind === 'absent') return { entry, absent: outcome.detail ?? '' };
  const item = { entry, route, costUnits: unitsOf(route, values) };
  if (outcome.kind === 'compute') return { ...item, data: null, demand: outcome.demand };
  if (outcome.kind !== 'found') throw new Error(`${route.id} cannot be compared`);
  const { data } = outcome;
  return { ...item, data: data instanceof JsonBytes ? data.toJSON() : data };
}

/**
 * The results, with the data of all demands, which are computed at the same time with one deadline.
 * @throws RefusedError when the queue is full, the computation takes too long, or the client has reached its limit
 */
function computeItems(results: readonly ItemResult[], context: Context): Promise<ItemResult[]> {
  return Promise.all(
    results.map(async (result) => {
      if ('absent' in result || result.demand === undefined) return result;
      const data = await context.compute(result.demand);
      if (isRefused(data)) throw new RefusedError(data.problem, data.detail);
      return { ...result, data };
    }),
  );
}
