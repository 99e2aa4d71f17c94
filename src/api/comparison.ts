import type { Demand } from '../compute/on-demand/on-demand.ts';
import { isRefused } from '../contract/outcome.ts';
import { filled } from '../contract/place.ts';
import { PROBLEM_KINDS } from '../contract/problems.ts';
import { Violations } from '../contract/violations.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { Body } from '../http/body.ts';
import type { ComparisonTwin } from '../site/view.ts';
import { RefusedLate } from './handler-errors.ts';
import { type Call, type Context, contractBehind, type Implementation } from './operations/implementation.ts';
import type { Route } from './routes.ts';
import type { Serving } from './serving.ts';
import { quote } from './suggest.ts';

/** One thing that is compared: how it was named, and the call that answers for it. */
interface Part {
  entry: string;
  implementation: Implementation;
  call: Call;
}

/** What came of one of them: its data, the demand that gives it, or why it is not there. */
type PartFound =
  | { entry: string; implementation: Implementation; costUnits: number; data: unknown; demand?: Demand }
  | { entry: string; absent: string };

/**
 * The answers of several operations as one, at the twin of a page that compares: it is counted and paid as all of them
 * together, and nothing is computed before. A thing that is not there is a problem in its place and costs nothing.
 */
export function comparisonRoute(
  { id, path, half, parameter, most, partOf }: ComparisonTwin,
  implementationOf: (operationId: string) => Implementation,
): Route {
  const { name } = parameter;
  const exampleIn = (dataset: Dataset | null): string =>
    filled(parameter.example, contractBehind(dataset).place.values[half] ?? {});
  const entriesIn = (query: string, dataset: Dataset | null): string[] | { wrong: string } => {
    const words = new URLSearchParams(query).getAll(name).flatMap((value) => value.split(/[\s,]+/));
    const entries = [...new Set(words)].filter((word) => word !== '');
    if (entries.length === 0) return { wrong: `${name} is missing: what to compare, such as ${exampleIn(dataset)}.` };
    return entries.length > most
      ? { wrong: `${name} names ${entries.length}; at most ${most} are compared.` }
      : entries;
  };
  const partIn = (entry: string, rest: string, dataset: Dataset | null): Part | Violations => {
    const part = partOf(entry);
    if (part === null)
      return Violations.of({ parameter: name, detail: `${quote(entry)} is not of the form ${exampleIn(dataset)}.` });
    const implementation = implementationOf(part.operationId);
    const query = new URLSearchParams(rest);
    for (const [key, value] of part.query) query.append(key, value);
    const call = implementation.read(Object.fromEntries(part.path), String(query), dataset);
    return call instanceof Violations ? call : { entry, implementation, call };
  };
  return {
    id,
    path,
    logged: `"operation":"${id}","path":"${path}",`,
    hasPrivate: true,
    takesDatasetId: false,
    isTile: false,
    isCostly: false,
    summary: id,
    kind: 'comparison',
    parameters: [parameter],
    costUnits: 1,
    isOptional: false,
    mediaType: 'application/json',
    cache: 'public',
    headers: [],
    deprecation: [],
    missingHalf: (dataset) => (dataset[half] === null ? half : null),
    read(_, query, dataset) {
      const entries = entriesIn(query, dataset);
      if (!Array.isArray(entries)) return Violations.of({ parameter: name, detail: entries.wrong });
      const rest = new URLSearchParams(query);
      rest.delete(name);
      const parts: Part[] = [];
      for (const entry of entries) {
        const part = partIn(entry, String(rest), dataset);
        if (part instanceof Violations) return part;
        parts.push(part);
      }
      return comparison(id, parts);
    },
    bodyOf: (found, serving, costUnits) => comparisonBody(found as PartFound[], serving, costUnits),
  };
}

function comparisonBody(found: readonly PartFound[], serving: Serving, costUnits: number): Body {
  const { dataset_id, generated_at } = serving.dataset.manifest;
  const { status, title } = PROBLEM_KINDS['not-found'];
  const parts = found.map((part) =>
    'absent' in part
      ? { entry: part.entry, problem: { status, title, detail: part.absent } }
      : {
          entry: part.entry,
          answer: { data: part.data, meta: serving.metaOf(part.implementation.operation, part.costUnits) },
        },
  );
  return Body.of(JSON.stringify({ data: { parts }, meta: { dataset_id, generated_at, cost_units: costUnits } }));
}

function comparison(id: string, parts: readonly Part[]): Call {
  return {
    key: `${id}${parts.map(({ call }) => `/${call.key}`).join('')}`,
    isPrivate: true,
    async find(context) {
      const found: PartFound[] = [];
      for (const part of parts) found.push(await findPart(part, context));
      const units = found.map((one) => ('absent' in one ? 0 : one.costUnits));
      const cost = units.reduce((sum, unit) => sum + unit, 0);
      return { kind: 'postponed', results: cost, make: () => computeParts(found, context) };
    },
  };
}

async function findPart({ entry, implementation, call }: Part, context: Context): Promise<PartFound> {
  const outcome = await call.find(context);
  if (outcome.kind === 'absent') return { entry, absent: outcome.detail };
  const about = { entry, implementation, costUnits: implementation.operation.costUnits + (call.moreUnits ?? 0) };
  if (outcome.kind === 'compute') return { ...about, data: null, demand: outcome.demand };
  if (outcome.kind !== 'found') throw new Error(`${implementation.operation.id} cannot be compared`);
  const { data } = outcome;
  // The next answer is written over it.
  return { ...about, data: data instanceof JsonBytes ? data.toJSON() : data };
}

/**
 * All parts, side by side: they have one deadline.
 * @throws RefusedLate where what has to be computed finds no place, takes too long, or is too much for the client
 */
function computeParts(found: readonly PartFound[], context: Context): Promise<PartFound[]> {
  return Promise.all(
    found.map(async (part) => {
      if ('absent' in part || part.demand === undefined) return part;
      const data = await context.compute(part.demand);
      if (isRefused(data)) throw new RefusedLate(data);
      return { ...part, data };
    }),
  );
}
