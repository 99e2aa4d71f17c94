import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DatasetSlot } from './dataset-slot.ts';
import type { Exchange } from './exchange.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { SharedRedis } from './redis.ts';
import { costOf, type Reply } from './reply.ts';

/** What is looked at when metrics are asked for. */
export interface MetricSources {
  slot: DatasetSlot;
  /** Null where limits are not shared. */
  redis: SharedRedis | null;
  /** Null where no keys are issued. */
  keys: KeyRing | null;
  version: string;
}

/** Bounds of the latency histogram, seconds: most answers take well under a millisecond. */
const LATENCY_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/**
 * What Prometheus is told. Labels are the operations of the table (`unknown` for everything else), statuses and client
 * classes: nothing that a client makes up becomes a label.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests;
  readonly #cost;
  readonly #duration;
  readonly #limited;
  readonly #broken;
  /** Counters of a combination of labels, found once. */
  readonly #children = new Map<string, (seconds: number, cost: number) => void>();
  #inFlight = 0;

  constructor({ slot, redis, keys, version }: MetricSources) {
    const registers = [this.registry];
    this.#requests = new Counter({
      name: 'hidamari_requests_total',
      help: 'Requests answered.',
      labelNames: ['operation', 'status', 'client_class'],
      registers,
    });
    this.#cost = new Counter({
      name: 'hidamari_cost_units_total',
      help: 'Cost units of the answers.',
      labelNames: ['operation', 'client_class'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'hidamari_request_duration_seconds',
      help: 'From the arrival of a request until its answer is handed over.',
      labelNames: ['operation'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
    this.#limited = new Counter({
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
    gauge(registers, 'hidamari_requests_in_flight', 'Requests that are being answered.', () => this.#inFlight);
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
  ended(exchange: Exchange, reply: Reply, seconds: number): void {
    this.#inFlight--;
    const operation = exchange.route?.operation.id ?? 'unknown';
    const clientClass = exchange.client?.class ?? 'anonymous';
    const labels = `${operation} ${reply.status} ${clientClass}`;
    let count = this.#children.get(labels);
    if (count === undefined) {
      count = this.#childOf(operation, reply.status, clientClass);
      this.#children.set(labels, count);
    }
    count(seconds, costOf(exchange, reply));
  }

  /** A connection was ended because of what came over it. */
  broke(): void {
    this.#broken.inc();
  }

  #childOf(operation: string, status: number, client_class: string): (seconds: number, cost: number) => void {
    const requests = this.#requests.labels({ operation, status, client_class });
    const units = this.#cost.labels({ operation, client_class });
    const duration = this.#duration.labels({ operation });
    const limited = status === 429 ? this.#limited.labels({ client_class }) : null;
    return (seconds, cost) => {
      requests.inc();
      if (cost > 0) units.inc(cost);
      duration.observe(seconds);
      limited?.inc();
    };
  }
}

function gauge(registers: Registry[], name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(value());
    },
  });
}
