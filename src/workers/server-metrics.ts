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

/** The metrics of the primary process: its workers, computing, its log. */
export function ownMetrics(
  registry: Registry,
  of: {
    primary: { deaths: number; size: number };
    computer: ComputeFigures;
    log: { dropped: number };
    unexpected: { count: number };
  },
): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  gauge(registers, 'hidamari_workers', 'Processes that answer, with --workers.', () => of.primary.size);
  counter(
    registers,
    'hidamari_worker_deaths_total',
    'Workers that ended unasked; another took the place of each.',
    () => of.primary.deaths,
  );
  countComputations(registers, of.computer);
  countDroppedLines(registers, of.log);
  countUnexpected(registers, of.unexpected);
}

/** The JSON of a metric in prom-client. */
type MetricJson = MetricObjectWithValues<MetricValue<string>>;

/** How the values of workers become one, where they are not added up. */
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
  readonly #own: Registry;
  readonly #ask: () => Promise<Map<number, readonly MetricJson[]>>;
  /** The last metrics of each worker. */
  readonly #last = new Map<number, readonly MetricJson[]>();
  /** Counters of workers that have ended, so that the sums do not fall. */
  #past: MetricJson[] = [];

  /**
   * @param own metrics of the primary
   * @param ask gives the metrics of the workers, by number
   */
  constructor(own: Registry, ask: () => Promise<Map<number, readonly object[]>>) {
    this.#own = own;
    this.#ask = ask as () => Promise<Map<number, readonly MetricJson[]>>;
  }

  /** In the text format of Prometheus. */
  async metrics(): Promise<string> {
    for (const [worker, said] of await this.#ask()) this.#last.set(worker, said);
    const own = (await this.#own.getMetricsAsJSON()) as MetricJson[];
    const workers = [...this.#last].map(([worker, said]) => said.map((metric) => prepared(metric, String(worker))));
    const all = [own.map((metric) => prepared(metric, 'primary')), this.#past, ...workers];
    return AggregatorRegistry.aggregate(all).metrics();
  }

  /** Keeps the counters of a worker that has ended. */
  async ended(worker: number): Promise<void> {
    const said = this.#last.get(worker) ?? [];
    this.#last.delete(worker);
    const counted = said
      .filter(({ name, type }) => !OF_PROCESS.test(name) && ['counter', 'histogram'].includes(String(type)))
      .map((metric) => prepared(metric, String(worker)));
    this.#past = (await AggregatorRegistry.aggregate([this.#past, counted]).getMetricsAsJSON()) as MetricJson[];
  }
}

function prepared(metric: MetricJson, worker: string): MetricJson {
  const { name } = metric;
  if (!OF_PROCESS.test(name)) return { ...metric, aggregator: AGGREGATORS[name] ?? 'sum' };
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
  return { ...metric, values, aggregator: 'sum' };
}
