import type { Demand, DemandAnswers } from '../../compute/on-demand/on-demand.ts';
import { type Contract, TOKYO_CONTRACT } from '../../contract/contract.ts';
import { keptBy } from '../../contract/kept-by.ts';
import type { AnswerOf, Half, Operation } from '../../contract/operation.ts';
import type { Absent, Compute, Found, Outcome } from '../../contract/outcome.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import type { Pricing } from '../../contract/pricing.ts';
import type { Violations } from '../../contract/violations.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { KaigoAnswers } from '../../dataset/kaigo.ts';
import type { SearchAnswers } from '../../dataset/search.ts';
import type { SunlightAnswers } from '../../dataset/sunlight.ts';
import type { JsonBytes } from '../../formats/json-bytes.ts';
import { contractOf } from '../../site/example-urls.ts';
import type { BaseMap, PageCompute } from '../../site/page.ts';
import type { BulkOffers } from '../bulk-files.ts';
import { type ParameterReader, parameterReader } from '../parameters.ts';

/** What a handler can use besides the values of its parameters and the half of the dataset that it reads. */
export interface Context {
  readonly dataset: Dataset;
  /** Of the request, as it was asked for. */
  readonly path: string;
  readonly service: {
    /** Without a slash at the end. */
    readonly siteUrl: string;
    /** True from the moment that shutting down begins. */
    readonly draining: boolean;
    /** Whether damage is known of the dataset. */
    readonly slot: { readonly isDamaged: boolean };
    /** Where download URLs lead. */
    readonly offers: BulkOffers;
    readonly pricing: Pricing;
    /** Another map below ours; none where it is absent. */
    readonly baseMap?: BaseMap | null;
  };
  /** What pages compute with. */
  readonly compute: PageCompute;
}

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
  | (O extends { alwaysFinds: true } ? never : Absent);

/** Answers an operation: the values of its parameters, the half of the dataset that it reads, and the rest. */
type Handler<O extends Operation> = (
  values: ValuesOf<O['parameters']>,
  answers: AnswersOf[O['half']],
  context: Context,
) => OutcomeOf<O> | Promise<OutcomeOf<O>>;

/** What comes of a call: its data are of any form. */
export type CallOutcome = Outcome<unknown, Demand>;

/** One request of an operation with the values of its parameters. */
export interface Call {
  /** What is asked for, however it was written: the operation and its values in the order of the table. */
  readonly key: string;
  /** Whether it says something about a person: it is not kept, nor may anybody else keep it. */
  readonly isPrivate: boolean;
  /** What its answer costs beyond the operation, in cost units. */
  readonly moreUnits?: number;
  /** Headers of its answer alone, name and value in turn. */
  readonly headers?: readonly string[];
  /** What comes of it; a promise only where something has to be waited for. */
  find(context: Context): CallOutcome | Promise<CallOutcome>;
}

/** A row of the contract with its handler, for those to whom one operation is like another. */
export interface Implementation<Id extends string = string> {
  readonly operation: Operation & { readonly id: Id };
  /** Whether the half that it reads is loaded. */
  isAvailable(dataset: Dataset): boolean;
  /** What a request's parameters come to; their bounds are those of the dataset, and so are examples in what is said of wrong ones. */
  read(path: Readonly<Record<string, string>>, query: string, dataset: Dataset | null): Call | Violations;
}

/** Joins a row of the contract with its handler. */
export function implement<const O extends Operation>(operation: O, handler: Handler<O>): Implementation<O['id']> {
  type Reader = ParameterReader<O['parameters']>;
  const readerOf = keptBy(({ operations }: Contract): Reader => {
    const { parameters } = operations.find(({ id }) => id === operation.id) ?? operation;
    return parameterReader(parameters);
  });
  return {
    operation,
    isAvailable: (dataset) => answersOf(dataset, operation.half) !== null,
    read(path, query, dataset) {
      const reader = readerOf(contractBehind(dataset));
      const { values, violations } = reader.read(path, query);
      return violations ?? new BoundCall(operation, handler, reader, values);
    },
  };
}

/** The contract for a dataset; that of Tokyo where there is none. */
export const contractBehind = (dataset: Dataset | null): Contract =>
  dataset === null ? TOKYO_CONTRACT : contractOf(dataset);

class BoundCall<O extends Operation> implements Call {
  readonly #operation: O;
  readonly #handler: Handler<O>;
  readonly #values: ValuesOf<O['parameters']>;
  readonly #reader: ParameterReader<O['parameters']>;
  #key: string | null = null;

  constructor(
    operation: O,
    handler: Handler<O>,
    reader: ParameterReader<O['parameters']>,
    values: ValuesOf<O['parameters']>,
  ) {
    this.#operation = operation;
    this.#handler = handler;
    this.#reader = reader;
    this.#values = values;
  }

  get key(): string {
    this.#key ??= this.#operation.id + this.#reader.keyOf(this.#values);
    return this.#key;
  }

  get isPrivate(): boolean {
    return this.#reader.isPrivate(this.#values);
  }

  get moreUnits(): number {
    const values: Readonly<Record<string, unknown>> = this.#values;
    const { parameters } = this.#operation;
    return parameters.reduce((sum, { name, moreUnits = 0 }) => sum + (values[name] === true ? moreUnits : 0), 0);
  }

  find(context: Context): CallOutcome | Promise<CallOutcome> {
    const answers = answersOf<O['half']>(context.dataset, this.#operation.half);
    if (answers === null) throw new Error(`the ${this.#operation.half} half is not loaded`);
    return this.#handler(this.#values, answers, context);
  }
}

const HALVES: { readonly [H in Half]: (dataset: Dataset) => AnswersOf[H] | null } = {
  sunlight: ({ sunlight }) => sunlight,
  kaigo: ({ kaigo }) => kaigo,
  search: ({ search }) => search,
  site: (dataset) => dataset,
};

function answersOf<H extends Half>(dataset: Dataset, half: H): AnswersOf[H] | null {
  return HALVES[half](dataset);
}

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
