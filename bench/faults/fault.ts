/** The result of trying one kind of fault. */
interface FaultReport {
  fault: string;
  tried: number;
  /** Number of losses: a wrong value, a wrong byte, or a build or server that did not recover. */
  lost: number;
  /** Describes the other results. */
  outcome: string;
  /** Longest recovery time, milliseconds; null when nothing had to recover. */
  recoveryMs: number | null;
}

/** How many requests to send for a fault that consists of many requests. */
interface FaultOptions {
  /** Number of requests, and the index of the first. */
  requests: number;
  from: number;
}

/** Tries one kind of fault in an empty folder of its own. `dataset` is a complete dataset that must not change. */
export type Fault = (folder: string, dataset: string, seed: number, options: FaultOptions) => Promise<FaultReport>;
