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

/** What a handler reads: its half of the dataset, or the whole dataset when the operation belongs to no half. */
interface AnswersOf {
  sunlight: SunlightAnswers;
  kaigo: KaigoAnswers;
  search: SearchAnswers;
  site: Dataset;
}

/** The data of an answer, or their JSON as bytes. */
type Data<O extends Operation> = AnswerOf<O> | JsonBytes<AnswerOf<O>>;

/** The demand whose answer is the answer of the operation. */
type DemandFor<Answer> = {
  [Kind in keyof DemandAnswers]: DemandAnswers[Kind] extends Answer ? Extract<Demand, { kind: Kind }> : never;
}[keyof DemandAnswers];

/** The possible outcomes of an operation, by its row of the contract. */
type OutcomeOf<O extends Operation> =
  | (O extends { isComputed: true }
      ? Compute<DemandFor<AnswerOf<O>>>
      : O extends { costPer: 'result' }
        ? Found<Data<O>> & { results: number }
        : Found<Data<O>>)
  | Refused
  | (O extends { alwaysFinds: true } ? never : Absent);

/**
 * The function that answers an operation.
 * @param values of its parameters
 * @param answers of the half that it reads
 */
type Handler<O extends Operation> = (
  values: ValuesOf<O['parameters']>,
  answers: AnswersOf[O['half']],
  context: Context,
) => OutcomeOf<O> | Promise<OutcomeOf<O>>;

/** Makes a route of a row of the contract and its handler. */
export function implement<const O extends Operation>(operation: O, handler: Handler<O>): Route & { id: O['id'] } {
  const { half } = operation;
  return routeOf({
    ...operation,
    kind: isApiPath(operation.path) ? 'api' : 'document',
    find(values, context) {
      const answers = answersOf(context.dataset, half);
      if (answers === null) throw new Error(`the ${half} half is not loaded`);
      // The values have the types of the row's parameters, and the answers those of its half.
      return handler(values as ValuesOf<O['parameters']>, answers as AnswersOf[O['half']], context);
    },
  });
}

/** The answers of a half of a dataset; null when the half is not loaded. */
export const answersOf = (dataset: Dataset, half: Half): AnswersOf[Half] | null =>
  half === 'site' ? dataset : dataset[half];

/** Most results of a search around a point. */
export const NEAR_LIMIT = 50;

/**
 * The `detail` of a 404 of a list with pages.
 * @param what the list is of, such as `town 131010010`
 * @param pages number of its pages; null when there is no such list
 */
export function absentPage(what: string, pages: number | null, page: number): string {
  if (pages === null) return `There is no ${what} in this dataset.`;
  return `The list of ${what} has ${pages === 1 ? 'one page' : `${pages} pages`}: there is no page ${page}.`;
}
