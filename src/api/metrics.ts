import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ComputePool } from '../compute/pool.ts';
import type { SharedRedis } from '../http/redis.ts';
import type { Route } from '../site/route.ts';
import type { DatasetSlot } from './dataset-slot.ts';
import type { ClientClass } from './keys/api-key.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { DurationHistogram, LastHour, RequestCount, type RequestLabels } from './request-counts.ts';
import { routesFor } from './route-table.ts';

/** A request that has been answered. */
interface EndedRequest {
  /** Null: an unknown path. */
  route: Route | null;
  clientClass: ClientClass;
  status: number;
  costUnits: number;
  /** From its arrival until its answer was handed over. */
  seconds: number;
}

/** Figures of the computer. */
export type ComputeFigures = Pick<ComputePool<never>, 'counts' | 'deaths' | 'waiting' | 'running' | 'sceneBytes'>;

/** The figures of a process for which another one computes. */
export const NOTHING_COMPUTED: ComputeFigures = {
  counts: { done: 0, failed: 0, late: 0, abandoned: 0, refused: 0 },
  deaths: 0,
  waiting: 0,
  running: 0,
  sceneBytes: 0,
};

/** What is looked at when metrics are asked for. */
export interface MetricSources {
  slot: DatasetSlot;
  /** Null where limits are not shared. */
  redis: SharedRedis | null;
  /** Null where no keys are issued. */
  keys: KeyRing | null;
  log: { readonly dropped: number };
  unexpected: { readonly count: number };
  computer: ComputeFigures;
  machine: Machine;
  version: string;
}

/** What the process has of its machine. */
export interface Machine {
  /** Bytes free on the disk of the data folder; NaN where it cannot be found out. */
  freeBytes(): number;
  /** 1 where the last `hidamari refresh` of the data folder failed, 0 where it did not; NaN where there was none. */
  refreshFailed(): number;
  /** Bytes of memory that it may use: the limit of its control group, or all there is. */
  memoryBytes: number;
}

/**
 * Failures that are reported from the start, as 0: a series that began with its first failure would show no rise, and
 * an alert would miss it.
 */
function failureLabels(classes: readonly ClientClass[]): RequestLabels[] {
  const operations = ['unknown', ...routesFor(true).map(({ id }) => id)];
  const statuses = [500, 503];
  return operations.flatMap((operation) =>
    statuses.flatMap((status) => classes.map((client_class) => ({ operation, status, client_class }))),
  );
}

/**
 * The metrics that Prometheus reads. Labels are the operations of the table (`unknown` for everything else), statuses and client
 * classes: nothing that a client makes up becomes a label.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #broken;
  readonly #closedIdle;
  readonly #refusedMessages;
  /** By route (null: unknown path): a few for each. */
  readonly #counts = new Map<Route | null, RequestCount[]>();
  readonly #lastHour = new LastHour(Date.now);
  #inFlight = 0;

  /** Over 60 lines: a call for each metric, and no branches. */
  constructor({ slot, redis, keys, log, unexpected, computer, machine, version }: MetricSources) {
    const registers = [this.registry];
    const failures = failureLabels(keys === null ? ['anonymous'] : ['anonymous', 'key']);
    const all = (): RequestCount[] => [...this.#counts.values()].flat();
    new Counter({
      name: 'hidamari_requests_total',
      help: 'Requests answered.',
      labelNames: ['operation', 'status', 'client_class'],
      registers,
      collect() {
        this.reset();
        for (const labels of failures) this.inc({ ...labels }, 0);
        for (const { labels, requests } of all()) this.inc({ ...labels }, requests);
      },
    });
    new Counter({
      name: 'hidamari_cost_units_total',
      help: 'Cost units of the answers.',
      labelNames: ['operation', 'client_class'],
      registers,
      collect() {
        this.reset();
        for (const { labels, costUnits } of all()) {
          const { operation, client_class } = labels;
          if (costUnits > 0) this.inc({ operation, client_class }, costUnits);
        }
      },
    });
    new DurationHistogram(all, this.registry);
    new Counter({
      name: 'hidamari_rate_limited_total',
      help: 'Requests refused with 429.',
      labelNames: ['client_class'],
      registers,
      collect() {
        this.reset();
        for (const { labels, requests } of all()) {
          if (labels.status === 429) this.inc({ client_class: labels.client_class }, requests);
        }
      },
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
      help: 'Messages at /mcp of clients who had used up their requests.',
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
    gauge(registers, 'hidamari_data_free_bytes', 'Bytes free on the disk of the data folder.', () =>
      machine.freeBytes(),
    );
    gauge(
      registers,
      'hidamari_memory_limit_bytes',
      'Bytes of memory that the server may use: the limit of its control group, or all there is.',
      () => machine.memoryBytes,
    );
    new Gauge({
      name: 'hidamari_dataset_info',
      help: 'The dataset that is served; always 1.',
      labelNames: ['dataset_id', 'generated_at', 'version'],
      registers,
      collect() {
        const { dataset_id, generated_at } = slot.current.dataset.manifest;
        this.reset();
        this.set({ dataset_id, generated_at, version }, 1);
      },
    });
    gauge(
      registers,
      'hidamari_dataset_generated_timestamp_seconds',
      'When the dataset that is served was built, seconds since 1970.',
      () => Date.parse(slot.current.dataset.manifest.generated_at) / 1000,
    );
    gauge(
      registers,
      'hidamari_refresh_failed',
      '1 where the last refresh of the data folder failed, 0 where it did not, NaN where there was none.',
      () => machine.refreshFailed(),
    );
    gauge(registers, 'hidamari_dataset_bytes', 'Bytes of the dataset that is served.', () =>
      Object.values(slot.current.dataset.manifest.files).reduce((sum, { bytes }) => sum + bytes, 0),
    );
    gauge(
      registers,
      'hidamari_dataset_checked_bytes',
      'Of these, read and found right in the background.',
      () => slot.checkedBytes,
    );
    gauge(registers, 'hidamari_dataset_damaged', '1 while damage is known of the dataset that is served.', () =>
      slot.isDamaged ? 1 : 0,
    );
    counter(registers, 'hidamari_damaged_reads_total', 'Requests that met damage: 503.', () => slot.damagedReads);
    counter(
      registers,
      'hidamari_dataset_step_backs_total',
      'Damaged datasets that gave way to another.',
      () => slot.stepBacks,
    );
    if (redis !== null) {
      gauge(registers, 'hidamari_redis_up', '1 while Redis answers, 0 while this server counts alone.', () =>
        redis.up ? 1 : 0,
      );
      new Counter({
        name: 'hidamari_redis_failures_total',
        help: 'Commands to Redis that failed.',
        registers,
        collect() {
          this.reset();
          this.inc(redis.failures);
        },
      });
    }
    if (keys !== null) gauge(registers, 'hidamari_api_keys', 'API keys that work.', () => keys.size);
    collectDefaultMetrics({ register: this.registry });
  }

  /** A request has arrived. */
  began(): void {
    this.#inFlight++;
  }

  /** A request has been answered. */
  ended(request: EndedRequest): void {
    this.#inFlight--;
    this.#lastHour.add(request.status);
    this.#countOf(request).add(request.seconds, request.costUnits);
  }

  /** A connection was ended because of what came over it. */
  broke(): void {
    this.#broken.inc();
  }

  /** A connection on which nothing was asked was closed to make room. */
  madeRoom(): void {
    this.#closedIdle.inc();
  }

  /** Messages of an agent were refused before anything was asked. */
  refusedMessages(messages: number): void {
    this.#refusedMessages.inc(messages);
  }

  #countOf({ route, clientClass: client_class, status }: EndedRequest): RequestCount {
    const counts = this.#counts.get(route) ?? [];
    for (const count of counts) {
      if (count.labels.status === status && count.labels.client_class === client_class) return count;
    }
    const first = new RequestCount({ operation: route?.id ?? 'unknown', status, client_class });
    this.#counts.set(route, [...counts, first]);
    return first;
  }
}

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

/** What the log had no room for. */
export function countDroppedLines(registers: Registry[], log: MetricSources['log']): void {
  counter(registers, 'hidamari_log_lines_dropped_total', 'Lines for which the log had no room.', () => log.dropped);
}

/** What was thrown outside of any request. */
export function countUnexpected(registers: Registry[], unexpected: MetricSources['unexpected']): void {
  const help = 'Exceptions and rejections that no request could be told of; the log has each.';
  counter(registers, 'hidamari_unexpected_exceptions_total', help, () => unexpected.count);
}

/** What is computed on demand. */
export function countComputations(registers: Registry[], computer: ComputeFigures): void {
  new Counter({
    name: 'hidamari_computations_total',
    help: 'Answers computed on demand, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(computer.counts)) this.inc({ outcome }, count);
    },
  });
  const threads = 'Computing threads that hung or ended unasked; others take their places.';
  counter(registers, 'hidamari_thread_deaths_total', threads, () => computer.deaths);
  gauge(registers, 'hidamari_computations_waiting', 'Computations that wait for a thread.', () => computer.waiting);
  gauge(registers, 'hidamari_computations_running', 'Computations under way.', () => computer.running);
  const help = 'Memory in which threads that compute keep what they have read of the city.';
  gauge(registers, 'hidamari_scene_memory_bytes', help, () => computer.sceneBytes);
}

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
