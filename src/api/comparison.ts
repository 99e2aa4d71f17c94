import type { Demand } from '../compute/on-demand/on-demand.ts';
import type { Contract } from '../contract/contract.ts';
import { isRefused } from '../contract/outcome.ts';
import { filled } from '../contract/place.ts';
import { PROBLEM_KINDS } from '../contract/problems.ts';
import { Violations } from '../contract/violations.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { type Context, type Route, routeOf, unitsOf, type Values } from '../site/route.ts';
import type { ComparisonTwin } from '../site/view.ts';
import { metaOf } from '../snapshot/meta.ts';
import { RefusedError } from './errors.ts';
import { readValues } from './routes.ts';
import { quote } from './suggest.ts';

/** One compared thing: its name in the request, its operation, and the values of the parameters. */
interface Part {
  entry: string;
  route: Route;
  values: Values;
}

/** The result for one thing: its data, the demand that computes it, or why it does not exist. */
type PartFound =
  | { entry: string; route: Route; costUnits: number; data: unknown; demand?: Demand }
  | { entry: string; absent: string };

/**
 * Answers several operations as one, beside a page that compares. It is counted and paid as the sum of them, and
 * nothing is computed before payment. A thing that does not exist becomes a problem in its place and costs nothing.
 */
export function comparisonRoute(twin: ComparisonTwin, operationRoute: (operationId: string) => Route): Route {
  const { id, path, half, parameter } = twin;
  const { name } = parameter;
  return routeOf({
    id,
    path,
    kind: 'comparison',
    half,
    parameters: [parameter],
    answer: { form: 'other', mediaType: 'application/json' },
    summary: id,
    costUnits: 1,
    // The value of the only parameter is the list of the requests to the single operations.
    read(query, contract) {
      const parts = readParts(twin, operationRoute, query, contract);
      return parts instanceof Violations ? parts : { [name]: parts };
    },
    async find(values, context) {
      const found: PartFound[] = [];
      for (const part of values[name] as Part[]) found.push(await findPart(part, context));
      const cost = found.reduce((sum, one) => sum + ('absent' in one ? 0 : one.costUnits), 0);
      return {
        kind: 'postponed',
        results: cost,
        make: async () => textOf(await computeParts(found, context), cost, context),
      };
    },
  });
}

/**
 * Reads the compared things. Each is read like a request of its own operation, together with the parameters that all
 * share.
 */
function readParts(
  { half, parameter, most, partOf }: ComparisonTwin,
  operationRoute: (operationId: string) => Route,
  query: string,
  contract: Contract,
): Part[] | Violations {
  const { name } = parameter;
  const example = filled(parameter.example, contract.place.values[half] ?? {});
  const wrong = (detail: string): Violations => Violations.of({ parameter: name, detail });
  const common = new URLSearchParams(query);
  const words = common.getAll(name).flatMap((value) => value.split(/[\s,]+/));
  common.delete(name);
  const entries = [...new Set(words)].filter((word) => word !== '');
  if (entries.length === 0) return wrong(`${name} is missing: what to compare, such as ${example}.`);
  if (entries.length > most) return wrong(`${name} names ${entries.length}; at most ${most} are compared.`);
  const parts: Part[] = [];
  for (const entry of entries) {
    const call = partOf(entry);
    if (call === null) return wrong(`${quote(entry)} is not of the form ${example}.`);
    const route = operationRoute(call.operationId);
    const own = new URLSearchParams([...common, ...call.query]);
    const values = readValues(route, Object.fromEntries(call.path), String(own), contract);
    if (values instanceof Violations) return values;
    parts.push({ entry, route, values });
  }
  return parts;
}

function textOf(found: readonly PartFound[], costUnits: number, { dataset, siteUrl }: Context): string {
  const { manifest } = dataset;
  const { dataset_id, generated_at } = manifest;
  const { status, title } = PROBLEM_KINDS['not-found'];
  const parts = found.map((part) =>
    'absent' in part
      ? { entry: part.entry, problem: { status, title, detail: part.absent } }
      : {
          entry: part.entry,
          answer: { data: part.data, meta: metaOf(manifest, part.route, siteUrl, part.costUnits) },
        },
  );
  return JSON.stringify({ data: { parts }, meta: { dataset_id, generated_at, cost_units: costUnits } });
}

async function findPart({ entry, route, values }: Part, context: Context): Promise<PartFound> {
  const outcome = await route.find(values, context);
  if (outcome.kind === 'absent') return { entry, absent: outcome.detail ?? '' };
  const about = { entry, route, costUnits: unitsOf(route, values) };
  if (outcome.kind === 'compute') return { ...about, data: null, demand: outcome.demand };
  if (outcome.kind !== 'found') throw new Error(`${route.id} cannot be compared`);
  const { data } = outcome;
  return { ...about, data: data instanceof JsonBytes ? data.toJSON() : data };
}

/**
 * Computes all parts at the same time, with one deadline.
 * @throws RefusedError when the queue is full, the computation takes too long, or the client has reached its limit
 */
function computeParts(found: readonly PartFound[], context: Context): Promise<PartFound[]> {
  return Promise.all(
    found.map(async (part) => {
      if ('absent' in part || part.demand === undefined) return part;
      const data = await context.compute(part.demand);
      if (isRefused(data)) throw new RefusedError(data.problem, data.detail);
      return { ...part, data };
    }),
  );
}
