import type { Metric, MetricValue, Registry } from 'prom-client';
import type { ClientClass } from './keys/api-key.ts';

/** Bounds of the latency histogram, seconds: most answers take well under a millisecond. */
const LATENCY_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** A combination of labels. */
export interface RequestLabels {
  operation: string;
  status: number;
  client_class: ClientClass;
}

/**
 * Counts the requests of one combination of labels. prom-client would make a text of the labels three times for every
 * request. So it gets the numbers only when metrics are read.
 */
export class RequestCount {
  readonly labels: RequestLabels;
  requests = 0;
  costUnits = 0;
  seconds = 0;
  /** Number of requests by the lowest bound above their time. The last element has those above all bounds. */
  readonly buckets = new Float64Array(LATENCY_BUCKETS.length + 1);

  constructor(labels: RequestLabels) {
    this.labels = labels;
  }

  add(seconds: number, costUnits: number): void {
    this.requests++;
    this.costUnits += costUnits;
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < LATENCY_BUCKETS.length && seconds > LATENCY_BUCKETS[bucket]) bucket++;
    this.buckets[bucket]++;
  }
}

/** The latency histogram by operation. It is built from the counts when metrics are read. */
export class DurationHistogram {
  readonly name = 'hidamari_request_duration_seconds';
  readonly help = 'From the arrival of a request until its answer is handed over.';
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly labelNames = ['operation'];
  readonly #counts: () => Iterable<RequestCount>;

  constructor(counts: () => Iterable<RequestCount>, registry: Registry) {
    this.#counts = counts;
    // A registry reads `get` and these members, although the types of prom-client do not say so.
    registry.registerMetric(this as unknown as Metric);
  }

  async get() {
    const byOperation = Map.groupBy(this.#counts(), ({ labels }) => labels.operation);
    const values = [...byOperation].flatMap(([operation, counts]) => this.#values(operation, counts));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  /** For each bound the number of requests below it, then the sum and the count. */
  #values(operation: string, counts: RequestCount[]) {
    const of = (figure: (count: RequestCount) => number): number => counts.reduce((sum, one) => sum + figure(one), 0);
    let kept = 0;
    const samples: (MetricValue<string> & { metricName: string })[] = [...LATENCY_BUCKETS, '+Inf'].map((le, i) => {
      kept += of(({ buckets }) => buckets[i]);
      return { metricName: `${this.name}_bucket`, labels: { le, operation }, value: kept };
    });
    samples.push({ metricName: `${this.name}_sum`, labels: { operation }, value: of(({ seconds }) => seconds) });
    samples.push({ metricName: `${this.name}_count`, labels: { operation }, value: kept });
    return samples;
  }
}

const MINUTES = 60;

/** 501 counts as a refusal: the operator has not switched the operation on, and nothing failed. */
export const isRefusal = (status: number): boolean => (status >= 400 && status < 500) || status === 501;

/** Counts the refusals and failures of the last hour, by whole minutes: the current one and the 59 before. */
export class LastHour {
  readonly #now: () => number;
  /** A ring with 60 places. Each place has its minute since 1970. */
  readonly #minutes = new Float64Array(MINUTES);
  readonly #refused = new Float64Array(MINUTES);
  readonly #failed = new Float64Array(MINUTES);

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(status: number): void {
    if (status < 400) return;
    const minute = Math.floor(this.#now() / 60_000);
    const place = minute % MINUTES;
    if (this.#minutes[place] !== minute) {
      this.#minutes[place] = minute;
      this.#refused[place] = 0;
      this.#failed[place] = 0;
    }
    (isRefusal(status) ? this.#refused : this.#failed)[place]++;
  }

  get refused(): number {
    return this.#sum(this.#refused);
  }

  get failed(): number {
    return this.#sum(this.#failed);
  }

  #sum(counts: Float64Array): number {
    const minute = Math.floor(this.#now() / 60_000);
    const isRecent = (place: number) => this.#minutes[place] <= minute && this.#minutes[place] > minute - MINUTES;
    return counts.reduce((sum, count, place) => (isRecent(place) ? sum + count : sum), 0);
  }
}
