import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ComputePool } from '../compute/pool.ts';
import type { SharedRedis } from '../http/redis.ts';
import type { Route } from '../site/route.ts';
import type { ClientClass, KeyRing } from './keys.ts';
import { LastHour } from './last-hour.ts';
import { routesFor } from './route-table.ts';
import type { ServedDatasets } from './served-datasets.ts';

/** An answered request. */
interface EndedRequest {
  /** Null: an unknown path. */
  route: Route | null;
  clientClass: ClientClass;
  status: number;
  costUnits: number;
  /** From its arrival until its answer was handed to the system. */
  seconds: number;
}

/** Figures of the compute threads. */
export type ComputeFigures = Pick<ComputePool<never>, 'counts' | 'deaths' | 'waiting' | 'running' | 'sceneBytes'>;

/** The figures of a worker. The primary computes for it. */
export const NOTHING_COMPUTED: ComputeFigures = {
  counts: { done: 0, failed: 0, late: 0, abandoned: 0, refused: 0 },
  deaths: 0,
  waiting: 0,
  running: 0,
  sceneBytes: 0,
};

/** Where the metrics come from. */
export interface MetricSources {
  datasets: ServedDatasets;
  /** Null when limits are not shared. */
  redis: SharedRedis | null;
  /** Null when there are no keys. */
  keys: KeyRing | null;
  log: { readonly dropped: number };
  unexpected: { readonly count: number };
  computer: ComputeFigures;
  machine: Machine;
  version: string;
}

/** Figures of the machine. */
export interface Machine {
  /** Free bytes on the disk of the data folder; NaN when unknown. */
  freeBytes(): number;
  /** The last `hidamari refresh` of the data folder; null when there was none. */
  lastRefresh(): LastRefresh | null;
  /** Bytes of memory that the process may use: the limit of its control group, or all memory. */
  memoryBytes: number;
}

/** What the report of a refresh says. */
export interface LastRefresh {
  hasFailed: boolean;
  /** The dataset of the newest inputs; null when the refresh failed before its build. */
  datasetId: string | null;
  /** RFC 3339. */
  endedAt: string;
}

/** Bounds of the latency histogram, seconds: most answers take well under a millisecond. */
const LATENCY_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/**
 * The metrics for Prometheus. Labels are the IDs of routes (`unknown` for any other path), statuses and classes of
 * clients, so clients cannot create labels.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests;
  readonly #costUnits;
  readonly #seconds;
  readonly #rateLimited;
  readonly #broken;
  readonly #closedIdle;
  readonly #refusedMessages;
  readonly #lastHour = new LastHour(Date.now);
  #inFlight = 0;

  /** Over 60 lines: one metric after another. */
  constructor({ datasets, redis, keys, log, unexpected, computer, machine, version }: MetricSources) {
    const registers = [this.registry];
    this.#requests = new Counter({
      name: 'hidamari_requests_total',
      help: 'Requests answered.',
      labelNames: ['operation', 'status', 'client_class'],
      registers,
    });
    startFailureSeries(this.#requests, keys === null ? ['anonymous'] : ['anonymous', 'key']);
    this.#costUnits = new Counter({
      name: 'hidamari_cost_units_total',
      help: 'Cost units of the answers.',
      labelNames: ['operation', 'client_class'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'hidamari_request_duration_seconds',
      help: 'From the arrival of a request until its answer is handed over.',
      labelNames: ['operation'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
    this.#rateLimited = new Counter({
      name: 'hidamari_rate_limited_total',
      help: 'Requests refused with 429.',
      labelNames: ['client_class'],
      registers,
    });
    this.#broken = new Counter({
      name: 'hidamari_broken_requests_total',
      help: 'Connections ended because what came was no request.',
      registers,
    });
    this.#closedIdle = new Counter({
      name: 'hidamari_idle_connections_closed_total',
      help: 'Connections without a request under way, closed to make room for others.',
      registers,
    });
    this.#refusedMessages = new Counter({
      name: 'hidamari_agent_messages_refused_total',
      help: 'Messages at /mcp that the rate limit refused.',
      registers,
    });
    gauge(registers, 'hidamari_requests_in_flight', 'Requests that are being answered.', () => this.#inFlight);
    gauge(
      registers,
      'hidamari_last_hour_refused',
      'Answers of the last 60 minutes with a status from 400 to 499, or 501.',
      () => this.#lastHour.refused,
    );
    gauge(
      registers,
      'hidamari_last_hour_failed',
      'Answers of the last 60 minutes with a status from 500 on, but 501.',
      () => this.#lastHour.failed,
    );
    countDroppedLines(registers, log);
    countUnexpected(registers, unexpected);
    countComputations(registers, computer);
    measureMachine(registers, machine);
    measureDataset(registers, datasets, version);
    measureAge(registers, datasets, machine);
    if (redis !== null) {
      gauge(registers, 'hidamari_redis_up', '1 while Redis answers, 0 while this server counts alone.', () =>
        redis.up ? 1 : 0,
      );
      counter(registers, 'hidamari_redis_failures_total', 'Commands to Redis that failed.', () => redis.failures);
    }
    if (keys !== null) gauge(registers, 'hidamari_api_keys', 'API keys that work.', () => keys.size);
    collectDefaultMetrics({ register: this.registry });
  }

  /** A request has arrived. */
  began(): void {
    this.#inFlight++;
  }

  /** A request has been answered. */
  ended({ route, clientClass: client_class, status, costUnits, seconds }: EndedRequest): void {
    this.#inFlight--;
    this.#lastHour.add(status);
    const operation = route?.id ?? 'unknown';
    this.#requests.inc({ operation, status, client_class });
    if (costUnits > 0) this.#costUnits.inc({ operation, client_class }, costUnits);
    this.#seconds.observe({ operation }, seconds);
    if (status === 429) this.#rateLimited.inc({ client_class });
  }

  /** A connection was closed because it sent no HTTP request. */
  countBroken(): void {
    this.#broken.inc();
  }

  /** An idle connection was closed to make room. */
  madeRoom(): void {
    this.#closedIdle.inc();
  }

  /** Messages of an agent were refused by the rate limit. */
  refusedMessages(messages: number): void {
    this.#refusedMessages.inc(messages);
  }
}

/**
 * Starts the series of 500 and 503 of each operation with 0. An alert cannot see a rise in a series that begins with
 * its first failure.
 */
function startFailureSeries(requests: Counter, classes: readonly ClientClass[]): void {
  for (const operation of ['unknown', ...routesFor({ hasPages: true }).map(({ id }) => id)]) {
    for (const status of [500, 503]) {
      for (const client_class of classes) requests.inc({ operation, status, client_class }, 0);
    }
  }
}

/** Registers the gauges of the disk, the memory and the last refresh. */
function measureMachine(registers: Registry[], machine: Machine): void {
  gauge(registers, 'hidamari_data_free_bytes', 'Bytes free on the disk of the data folder.', () => machine.freeBytes());
  gauge(
    registers,
    'hidamari_memory_limit_bytes',
    'Bytes of memory that the server may use: the limit of its control group, or all there is.',
    () => machine.memoryBytes,
  );
  gauge(
    registers,
    'hidamari_refresh_failed',
    '1 where the last refresh of the data folder failed, 0 where it did not, NaN where there was none.',
    () => Number(machine.lastRefresh()?.hasFailed ?? Number.NaN),
  );
}

/**
 * Registers the gauge of how old the data is. A refresh without changes leaves the dataset as it is, but it is not old.
 */
function measureAge(registers: Registry[], datasets: ServedDatasets, machine: Machine): void {
  gauge(
    registers,
    'hidamari_dataset_current_timestamp_seconds',
    'When the dataset that is served was built, or when a refresh found it unchanged, seconds since 1970.',
    () => {
      const { dataset_id, generated_at } = datasets.current.dataset.manifest;
      const refresh = machine.lastRefresh();
      const isConfirmed = refresh !== null && !refresh.hasFailed && refresh.datasetId === dataset_id;
      return Date.parse(isConfirmed ? refresh.endedAt : generated_at) / 1000;
    },
  );
}

/** Registers the gauges of the dataset that is served. */
function measureDataset(registers: Registry[], datasets: ServedDatasets, version: string): void {
  new Gauge({
    name: 'hidamari_dataset_info',
    help: 'The dataset that is served; always 1.',
    labelNames: ['dataset_id', 'generated_at', 'version'],
    registers,
    collect() {
      const { dataset_id, generated_at } = datasets.current.dataset.manifest;
      this.reset();
      this.set({ dataset_id, generated_at, version }, 1);
    },
  });
  gauge(
    registers,
    'hidamari_dataset_generated_timestamp_seconds',
    'When the dataset that is served was built, seconds since 1970.',
    () => Date.parse(datasets.current.dataset.manifest.generated_at) / 1000,
  );
  gauge(registers, 'hidamari_dataset_bytes', 'Bytes of the dataset that is served.', () =>
    Object.values(datasets.current.dataset.manifest.files).reduce((sum, { bytes }) => sum + bytes, 0),
  );
  gauge(
    registers,
    'hidamari_dataset_checked_bytes',
    'Bytes of the dataset that is served, read and found right in the background.',
    () => datasets.checkedBytes,
  );
  gauge(registers, 'hidamari_dataset_damaged', '1 while damage is known of the dataset that is served.', () =>
    datasets.isDamaged ? 1 : 0,
  );
  counter(registers, 'hidamari_damaged_reads_total', 'Requests that met damage: 503.', () => datasets.damagedReads);
  counter(
    registers,
    'hidamari_dataset_step_backs_total',
    'Damaged datasets that gave way to another.',
    () => datasets.stepBacks,
  );
}

/** Registers the counter of lines that the log has dropped. */
export function countDroppedLines(registers: Registry[], log: MetricSources['log']): void {
  counter(registers, 'hidamari_log_lines_dropped_total', 'Lines for which the log had no room.', () => log.dropped);
}

/** Registers the counter of exceptions outside the steps of a request. */
export function countUnexpected(registers: Registry[], unexpected: MetricSources['unexpected']): void {
  const help = 'Exceptions and rejections outside of requests; each is in the log.';
  counter(registers, 'hidamari_unexpected_exceptions_total', help, () => unexpected.count);
}

/** Registers the metrics of computations on demand. */
export function countComputations(registers: Registry[], computer: ComputeFigures): void {
  new Counter({
    name: 'hidamari_computations_total',
    help: 'Answers computed on demand and at the warm-up, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(computer.counts)) this.inc({ outcome }, count);
    },
  });
  const threads = 'Computing threads that hung or ended by themselves; each was replaced.';
  counter(registers, 'hidamari_thread_deaths_total', threads, () => computer.deaths);
  gauge(registers, 'hidamari_computations_waiting', 'Computations that wait for a thread.', () => computer.waiting);
  gauge(registers, 'hidamari_computations_running', 'Computations under way.', () => computer.running);
  const help = 'Memory in which threads that compute keep what they have read of the city.';
  gauge(registers, 'hidamari_scene_memory_bytes', help, () => computer.sceneBytes);
}

/** Registers a gauge whose value is asked when metrics are read. */
export function gauge(registers: Registry[], name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(value());
    },
  });
}

/** Registers a counter whose value is asked when metrics are read. */
export function counter(registers: Registry[], name: string, help: string, value: () => number): void {
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(value());
    },
  });
}
