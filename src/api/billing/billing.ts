import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { OPERATIONS } from '../../contract/operations.ts';
import { amountText, type PaymentMethod, type Pricing } from '../../contract/pricing.ts';
import type { SharedRedis } from '../../http/redis.ts';
import { memoryClaims, redisClaims } from './claim.ts';
import { Facilitator } from './facilitator.ts';
import { X402_VERSION } from './payment.ts';
import { PaymentMetrics } from './payment-metrics.ts';
import { PaymentProcessor } from './payment-processor.ts';
import { type PaymentTerms, requirementsOf } from './terms.ts';

/** Billing that is switched on. */
export interface Billing {
  terms: PaymentTerms;
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
  return { terms, processor, metrics: registry === null ? null : new PaymentMetrics(registry, claims) };
}

async function checkSupport(facilitator: Facilitator, { network }: PaymentTerms, log: Logger): Promise<void> {
  try {
    if (await facilitator.supports({ scheme: 'exact', network })) return;
    log.error({ network }, 'the facilitator does not support the network');
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the facilitator does not say what it supports');
  }
}

/** The prices. `terms` null: billing is off. */
export function pricing(terms: PaymentTerms | null): Pricing {
  const sold = OPERATIONS.filter(({ costUnits }) => costUnits > 0);
  return {
    billing: terms === null ? 'off' : 'x402',
    unit_price: terms === null ? null : `${amountText(terms.unitPrice, terms.assetDecimals)} ${terms.assetName}`,
    operations: sold.map(({ path, summary, costUnits, costPer }) => ({
      path,
      summary,
      cost_units: costUnits,
      ...(costPer !== undefined && { cost_per: costPer }),
      payment_methods: terms === null ? [] : [paymentMethod(terms, costUnits)],
    })),
  };
}

/** The way to pay for a number of cost units, as problems and the page of prices state it. */
export function paymentMethod(terms: PaymentTerms, costUnits: number): PaymentMethod {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = requirementsOf(terms, costUnits);
  return {
    type: 'x402',
    x402_version: X402_VERSION,
    scheme,
    network,
    asset,
    asset_name: extra.name,
    asset_version: extra.version,
    asset_decimals: terms.assetDecimals,
    amount,
    pay_to: payTo,
    max_timeout_seconds: maxTimeoutSeconds,
  };
}
