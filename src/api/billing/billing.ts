import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { SharedRedis } from '../../http/redis.ts';
import { memoryClaims, type PaymentClaims, redisClaims } from './claim.ts';
import { Facilitator } from './facilitator.ts';
import { type Payment, readPayment } from './payment.ts';
import { PaymentMetrics } from './payment-metrics.ts';
import { PaymentProcessor } from './payment-processor.ts';
import type { PaymentTerms } from './terms.ts';

/** Billing, when it is switched on. */
export interface Billing {
  terms: PaymentTerms;
  /** Reads a PAYMENT-SIGNATURE header. @throws MalformedPayment */
  read(header: string): Payment;
  processor: PaymentProcessor;
  /** Null: metrics are off. */
  metrics: PaymentMetrics | null;
}

/** The parts of billing by x402. */
export interface BillingParts {
  terms: PaymentTerms;
  facilitator: { url: string; key: string | null; timeoutMs: number };
  /** Null: this server keeps its own record of payments. */
  redis: SharedRedis | null;
  /** Null: metrics are off. */
  registry: Registry | null;
  log: Logger;
}

/** Switches billing on. Problems are logged but do not stop the start. */
export function openBilling({ redis, log, ...parts }: BillingParts): Billing {
  if (redis === null) {
    log.warn('payments are remembered by this server alone: several servers need a Redis that they share (--redis)');
  }
  const now = Date.now;
  const claims = redis === null ? memoryClaims(now) : redisClaims(redis, now);
  const { facilitator, ...billing } = assembleBilling(parts, claims, now);
  void checkSupport(facilitator, parts.terms, log);
  return billing;
}

/** @param now milliseconds since 1970 */
export function assembleBilling(
  { terms, facilitator: { url, key, timeoutMs }, registry }: Pick<BillingParts, 'terms' | 'facilitator' | 'registry'>,
  claims: PaymentClaims,
  now: () => number,
): Billing & { facilitator: Facilitator } {
  const facilitator = new Facilitator(url, key, timeoutMs);
  return {
    terms,
    facilitator,
    read: readPayment,
    processor: new PaymentProcessor({ facilitator, claims, timeoutMs, now }),
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
