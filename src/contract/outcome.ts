import type { ProblemName } from './problems.ts';

/** The result of a request to an operation or a page, before the reply is made. */
export type Outcome<Data, Demand> = Found<Data> | Absent | Compute<Demand> | Postponed<Data> | Refused;

/** The thing was found. */
export interface Found<Data> {
  kind: 'found';
  data: Data;
  /** Number of found things, when the price depends on it. */
  results?: number;
  /** Status of a temporarily incomplete answer. Such an answer is not cached. */
  temporaryStatus?: number;
  /** True when `data` is JSON that was made of several records. It is cached, unlike JSON that is only read. */
  isAssembled?: true;
}

/** The thing does not exist. */
export interface Absent {
  kind: 'absent';
  /** The `detail` of the 404, which names the cause; null when the path itself is unknown. */
  detail: string | null;
}

/** The answer has to be computed first: in another thread, and only after payment. */
export interface Compute<Demand> {
  kind: 'compute';
  demand: Demand;
}

/** Several answers, some of which have to be computed first, after payment. */
interface Postponed<Data> {
  kind: 'postponed';
  /** Number of answers, which determines the price. */
  results: number;
  /** Computes the answers and puts them together. */
  make(): Promise<Data>;
}

/** There is no answer. The reply is the named problem, with its status and this detail. */
export interface Refused {
  kind: 'refused';
  problem: ProblemName;
  detail: string;
}

export const found = <Data>(data: Data): Found<Data> => ({ kind: 'found', data });

export const absent = (detail: string | null = null): Absent => ({ kind: 'absent', detail });

/** The outcome `found` with data; `absent` when the data are null. */
export const foundOr = <Data>(data: Data | null, detail: () => string): Found<Data> | Absent =>
  data === null ? absent(detail()) : found(data);

export const compute = <Demand>(demand: Demand): Compute<Demand> => ({ kind: 'compute', demand });

export const refused = (problem: ProblemName, detail: string): Refused => ({ kind: 'refused', problem, detail });

/** True for a refusal, as opposed to computed data. */
export const isRefused = (value: object): value is Refused => 'kind' in value && value.kind === 'refused';
