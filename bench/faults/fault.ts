/** What came of trying one kind of fault. */
interface FaultReport {
  fault: string;
  tried: number;
  /** Of these, how often something was lost: a wrong value, a wrong byte, a build or a server that did not come back. */
  lost: number;
  /** How the others ended, in words. */
  outcome: string;
  /** Longest time until all was well again, milliseconds; null where nothing had to recover. */
  recoveryMs: number | null;
}

/** How much of a fault is tried that has many parts. */
interface FaultOptions {
  /** How many requests, and the number of the first. */
  requests: number;
  from: number;
}

/** Tries one kind of fault in an empty folder of its own. `dataset` is a whole dataset that must stay as it is. */
export type Fault = (folder: string, dataset: string, seed: number, options: FaultOptions) => Promise<FaultReport>;
