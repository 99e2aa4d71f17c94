import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { SharedRedis } from '../../http/redis.ts';
import { memoryClaims, redisClaims } from './claim.ts';
import { Facilitator } from './facilitator.ts';
import { type Payment, readPayment } from './payment.ts';
import { PaymentMetrics } from './payment-metrics.ts';
import { PaymentProcessor } from './payment-processor.ts';
import type { PaymentTerms } from './terms.ts';

/** Billing that is switched on. */
export interface Billing {
  terms: PaymentTerms;
  /** Reads a PAYMENT-SIGNATURE header. @throws MalformedPayment */
  read(header: string): Payment;
  processor: PaymentProcessor;
  /** Null: nobody asks for them. */
  metrics: PaymentMetrics | null;
}

/** What billing by x402 stands on. */
export interface BillingParts {
  terms: PaymentTerms;
  facilitator: { url: string; key: string | null; timeoutMs: number };
  /** Null: payments are remembered by this server alone. */
  redis: SharedRedis | null;
  /** Where metrics go; null: nobody asks for them. */
  registry: Registry | null;
  log: Logger;
}

/** Switches billing on. What looks wrong is logged; it does not keep the server from starting. */
export function openBilling({ terms, facilitator, redis, registry, log }: BillingParts): Billing {
  const { url, key, timeoutMs } = facilitator;
  const asked = new Facilitator(url, key, timeoutMs);
  if (redis === null) {
    log.warn('payments are remembered by this server alone: several servers need a Redis that they share (--redis)');
  }
  void checkSupport(asked, terms, log);
  const claims = redis === null ? memoryClaims(Date.now) : redisClaims(redis, Date.now);
  const processor = new PaymentProcessor({ facilitator: asked, claims, timeoutMs, now: Date.now });
  return {
    terms,
    read: readPayment,
    processor,
    metrics: registry === null ? null : new PaymentMetrics(registry, claims),
  };
}

async function checkSupport(facilitator: Facilitator, { network }: PaymentTerms, log: Logger): Promise<void> {
  try {
    if (await facilitator.supports({ scheme: 'exact', network })) return;
    log.error({ network }, 'the facilitator does not support the network');
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the facilitator does not say what it supports');
  }
}
