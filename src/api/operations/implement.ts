import type { Demand, DemandAnswers } from '../../compute/on-demand/on-demand.ts';
import type { AnswerOf, Half, Operation } from '../../contract/operation.ts';
import type { Absent, Compute, Found, Refused } from '../../contract/outcome.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { KaigoAnswers } from '../../dataset/kaigo.ts';
import type { SearchAnswers } from '../../dataset/search.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import type { JsonBytes } from '../../formats/json-bytes.ts';
import { type Context, type Route, routeOf } from '../../site/route.ts';
import { isApiPath } from '../routes.ts';

/** What a handler reads: its half of the dataset, or the whole of it where the operation belongs to neither. */
interface AnswersOf {
  sunlight: SunlightAnswers;
  kaigo: KaigoAnswers;
  search: SearchAnswers;
  site: Dataset;
}

type Data<O extends Operation> = AnswerOf<O> | JsonBytes<AnswerOf<O>>;

/** The demand whose answer is that of an operation. */
type DemandFor<Answer> = {
  [Kind in keyof DemandAnswers]: DemandAnswers[Kind] extends Answer ? Extract<Demand, { kind: Kind }> : never;
}[keyof DemandAnswers];

/** What may come of an operation: follows from its row of the contract. */
type OutcomeOf<O extends Operation> =
  | (O extends { isComputed: true }
      ? Compute<DemandFor<AnswerOf<O>>>
      : O extends { costPer: 'result' }
        ? Found<Data<O>> & { results: number }
        : Found<Data<O>>)
  | Refused
  | (O extends { alwaysFinds: true } ? never : Absent);

/** Answers an operation: the values of its parameters, the half of the dataset that it reads, and the rest. */
type Handler<O extends Operation> = (
  values: ValuesOf<O['parameters']>,
  answers: AnswersOf[O['half']],
  context: Context,
) => OutcomeOf<O> | Promise<OutcomeOf<O>>;

/** Joins a row of the contract with its handler. */
export function implement<const O extends Operation>(operation: O, handler: Handler<O>): Route & { id: O['id'] } {
  const { id, path, half, parameters, answer, summary, costUnits, cache, deprecated, optional = false } = operation;
  return routeOf({
    id,
    path,
    kind: isApiPath(path) ? 'api' : 'document',
    half,
    parameters,
    answer,
    summary,
    costUnits,
    cache,
    deprecated,
    isOptional: optional,
    find(values, context) {
      const answers = answersOf(context.dataset, half);
      if (answers === null) throw new Error(`the ${half} half is not loaded`);
      // The values were read by the parameters of the row, and the answers are those of its half.
      return handler(values as ValuesOf<O['parameters']>, answers as AnswersOf[O['half']], context);
    },
  });
}

/** What a route that reads a half can ask of a dataset; null where the half is not loaded. */
export const answersOf = (dataset: Dataset, half: Half): AnswersOf[Half] | null =>
  half === 'site' ? dataset : dataset[half];

/** Most results of a search around a point. */
export const NEAR_LIMIT = 50;

/** Results on a page of a list. */
export const PAGE_SIZE = 100;

/**
 * The `detail` of a 404 of a list that is given page by page.
 * @param pages number of its pages; null when there is no such list.
 */
export function absentPage(what: string, pages: number | null, page: number): string {
  if (pages === null) return `There is no ${what} in this dataset.`;
  return `The list of ${what} has ${pages === 1 ? 'one page' : `${pages} pages`}: there is no page ${page}.`;
}
