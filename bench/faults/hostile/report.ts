/** The result of the clients. */
export interface Report {
  requests: number;
  shots: number;
  /** Counts by kind of shot. */
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  passing: number;
  /** Each line begins with the number of its shot. */
  wrong: string[];
  longestRefusal: number;
  /** The slowest shots of each kind, milliseconds. */
  slowest: Record<string, { shot: number; ms: number }>;
}

/** A report to which results are added. */
export const emptyReport = (): Report => ({
  requests: 0,
  shots: 0,
  kinds: {},
  statuses: {},
  passing: 0,
  wrong: [],
  longestRefusal: 0,
  slowest: {},
});
