import type { Demand, DemandAnswers } from '../../compute/on-demand/on-demand.ts';
import type { AnswerOf, Operation, Section } from '../../contract/operation.ts';
import type { Absent, Compute, Found, Refused } from '../../contract/outcome.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { KaigoAnswers } from '../../dataset/kaigo.ts';
import type { SearchAnswers } from '../../dataset/search.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import type { JsonBytes } from '../../formats/json-bytes.ts';
import { type Context, type Route, routeOf } from '../../site/route.ts';
import { isApiPath } from '../routes.ts';

/** What a handler reads: its section of the dataset; the whole dataset in the section `site`. */
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
 * @param answers of the section that it reads
 */
type Handler<O extends Operation> = (
  values: ValuesOf<O['parameters']>,
  answers: AnswersOf[O['section']],
  context: Context,
) => OutcomeOf<O> | Promise<OutcomeOf<O>>;

/** Makes a route of a row of the contract and its handler. */
export function implement<const O extends Operation>(operation: O, handler: Handler<O>): Route & { id: O['id'] } {
  const { section } = operation;
  return routeOf({
    ...operation,
    kind: isApiPath(operation.path) ? 'api' : 'document',
    find(values, context) {
      const answers = answersOf(context.dataset, section);
      if (answers === null) throw new Error(`the section ${section} is not loaded`);
      // The values have the types of the row's parameters, and the answers those of its section.
      return handler(values as ValuesOf<O['parameters']>, answers as AnswersOf[O['section']], context);
    },
  });
}

/** The answers of a section of a dataset; null when it is not loaded. */
export const answersOf = (dataset: Dataset, section: Section): AnswersOf[Section] | null =>
  section === 'site' ? dataset : dataset[section];

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
