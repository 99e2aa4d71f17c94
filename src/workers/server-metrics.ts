import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import {
  type ComputeFigures,
  countComputations,
  countDroppedLines,
  counter,
  countUnexpected,
  gauge,
} from '../api/metrics.ts';

/** Adds the metrics of the primary process to a registry: its workers, computing, its log. */
export function addPrimaryMetrics(
  registry: Registry,
  sources: {
    primary: { deaths: number; size: number };
    computer: ComputeFigures;
    log: { dropped: number };
    unexpected: { count: number };
  },
): void {
  const { primary, computer, log, unexpected } = sources;
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  gauge(registers, 'hidamari_workers', 'Processes that answer, with --workers.', () => primary.size);
  counter(
    registers,
    'hidamari_worker_deaths_total',
    'Workers that ended unasked; another took the place of each.',
    () => primary.deaths,
  );
  countComputations(registers, computer);
  countDroppedLines(registers, log);
  countUnexpected(registers, unexpected);
}

/** The JSON of a metric in prom-client. */
type MetricJson = MetricObjectWithValues<MetricValue<string>>;

/** The metrics whose values of several workers are not added up, and how they become one. */
const AGGREGATORS: Readonly<Record<string, 'max' | 'min'>> = {
  hidamari_dataset_info: 'max',
  hidamari_dataset_generated_timestamp_seconds: 'min',
  hidamari_dataset_current_timestamp_seconds: 'min',
  hidamari_refresh_failed: 'max',
  hidamari_dataset_bytes: 'max',
  hidamari_dataset_checked_bytes: 'max',
  hidamari_dataset_damaged: 'max',
  hidamari_dataset_step_backs_total: 'max',
  hidamari_data_free_bytes: 'min',
  hidamari_memory_limit_bytes: 'min',
  hidamari_redis_up: 'min',
  hidamari_api_keys: 'max',
  hidamari_payments_pending: 'max',
};

/** Metrics of a process: they are not aggregated, and get the label `worker`. */
const OF_PROCESS = /^(process|nodejs)_/;

/** The metrics of all workers and of the primary, as those of one server. */
export class ServerMetrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #primary: Registry;
  readonly #askWorkers: () => Promise<Map<number, readonly MetricJson[]>>;
  /** The last metrics of each worker. */
  readonly #ofWorkers = new Map<number, readonly MetricJson[]>();
  /** The sum of the counters of workers that have ended. Without it the counters of the server would fall. */
  #ofEnded: MetricJson[] = [];

  /**
   * @param primary metrics of the primary
   * @param askWorkers gives the metrics of the workers, by number
   */
  constructor(primary: Registry, askWorkers: () => Promise<Map<number, readonly object[]>>) {
    this.#primary = primary;
    this.#askWorkers = askWorkers as () => Promise<Map<number, readonly MetricJson[]>>;
  }

  /** The metrics in the text format of Prometheus. */
  async metrics(): Promise<string> {
    // The last metrics stay for a worker that does not answer now, and for `ended`.
    for (const [worker, metrics] of await this.#askWorkers()) this.#ofWorkers.set(worker, metrics);
    const ofPrimary = (await this.#primary.getMetricsAsJSON()) as MetricJson[];
    const ofWorkers = [...this.#ofWorkers].map(([worker, metrics]) =>
      metrics.map((metric) => aggregatable(metric, String(worker))),
    );
    const all = [ofPrimary.map((metric) => aggregatable(metric, 'primary')), this.#ofEnded, ...ofWorkers];
    return AggregatorRegistry.aggregate(all).metrics();
  }

  /** Keeps the counters of a worker that has ended. */
  async ended(worker: number): Promise<void> {
    const metrics = this.#ofWorkers.get(worker) ?? [];
    this.#ofWorkers.delete(worker);
    const counters = metrics
      .filter(({ name, type }) => !OF_PROCESS.test(name) && ['counter', 'histogram'].includes(String(type)))
      .map((metric) => aggregatable(metric, String(worker)));
    this.#ofEnded = (await AggregatorRegistry.aggregate([this.#ofEnded, counters]).getMetricsAsJSON()) as MetricJson[];
  }
}

/**
 * A metric with its aggregator. One that describes a process (its memory, its event loop) gets the label `worker`, so
 * that it stays separate.
 */
function aggregatable(metric: MetricJson, worker: string): MetricJson {
  const { name } = metric;
  if (!OF_PROCESS.test(name)) return { ...metric, aggregator: AGGREGATORS[name] ?? 'sum' };
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
  return { ...metric, values, aggregator: 'sum' };
}
