import type { ProblemName } from './problems.ts';

/** What comes of a request to an operation or a page, before anything is sent. */
export type Outcome<Data, Demand> = Found<Data> | Absent | Compute<Demand> | Postponed<Data> | Refused;

/** An answer. */
export interface Found<Data> {
  kind: 'found';
  data: Data;
  /** How many things were found, where the price follows from their number. */
  results?: number;
  /** Status of an answer that shows less than it could at another time; such an answer is not cached. */
  passingStatus?: number;
}

/** There is no such thing. */
export interface Absent {
  kind: 'absent';
  /** The `detail` of the 404: names its one cause; null where the path itself leads nowhere. */
  detail: string | null;
}

/** An answer that exists but has to be computed first: on a thread of its own, and only once it is paid. */
export interface Compute<Demand> {
  kind: 'compute';
  demand: Demand;
}

/** Several answers that exist, some of which have to be computed first: only once they are paid. */
interface Postponed<Data> {
  kind: 'postponed';
  /** How many answers there are: the price follows from their number. */
  results: number;
  make(): Promise<Data>;
}

/** Why there is no answer now: becomes a problem, with its status. */
export interface Refused {
  kind: 'refused';
  problem: ProblemName;
  detail: string;
}

export const found = <Data>(data: Data): Found<Data> => ({ kind: 'found', data });

export const absent = (detail: string | null = null): Absent => ({ kind: 'absent', detail });

/** What was found, or the absence of it where that is null. */
export const foundOr = <Data>(data: Data | null, detail: () => string): Found<Data> | Absent =>
  data === null ? absent(detail()) : found(data);

export const compute = <Demand>(demand: Demand): Compute<Demand> => ({ kind: 'compute', demand });

export const refused = (problem: ProblemName, detail: string): Refused => ({ kind: 'refused', problem, detail });

/** Whether something computed was refused. */
export const isRefused = (value: object): value is Refused => 'kind' in value && value.kind === 'refused';
