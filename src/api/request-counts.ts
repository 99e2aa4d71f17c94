import type { Metric, MetricValue, Registry } from 'prom-client';
import type { ClientClass } from './keys/api-key.ts';

/** Bounds of the latency histogram, seconds: most answers take well under a millisecond. */
const LATENCY_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** What requests were of: a combination of labels. */
export interface RequestLabels {
  operation: string;
  status: number;
  client_class: ClientClass;
}

/**
 * The requests of one combination of labels, in plain numbers. prom-client would look its own up by a text that it makes
 * of the labels each time, three times for a request; so it is told the numbers only when somebody asks for them.
 */
export class RequestCount {
  readonly labels: RequestLabels;
  requests = 0;
  costUnits = 0;
  seconds = 0;
  /** Requests by the least bound that they kept; after the last, those that kept none. */
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

/** The latency histogram by operation, made of the counts when it is asked for. */
export class DurationHistogram {
  readonly name = 'hidamari_request_duration_seconds';
  readonly help = 'From the arrival of a request until its answer is handed over.';
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly labelNames = ['operation'];
  readonly #counts: () => Iterable<RequestCount>;

  constructor(counts: () => Iterable<RequestCount>, registry: Registry) {
    this.#counts = counts;
    // A registry asks its metrics for `get` and for these members, which the types of prom-client do not say.
    registry.registerMetric(this as unknown as Metric);
  }

  async get() {
    const byOperation = Map.groupBy(this.#counts(), ({ labels }) => labels.operation);
    const values = [...byOperation].flatMap(([operation, counts]) => this.#values(operation, counts));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  /** A sample for each bound, of all requests that kept it, then their sum and count. */
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
