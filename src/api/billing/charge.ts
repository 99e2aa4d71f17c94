import type { Operation } from '../../contract/operation.ts';
import type { PaymentMethod } from '../../contract/pricing.ts';
import { answer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Cashier, Refusal } from './cashier.ts';
import { encodeHeader, MalformedPayment, readPayment, X402_VERSION } from './payment.ts';
import type { PaymentMetrics } from './payment-metrics.ts';
import { type PaymentTerms, requirementsOf } from './terms.ts';

/** Billing that is switched on. */
export interface Billing {
  terms: PaymentTerms;
  cashier: Cashier;
  /** Null: nobody asks for them. */
  metrics: PaymentMetrics | null;
}

/** HEAD is free, like everything that is no answer. */
const isFree = ({ isSold, request }: Exchange): boolean => !isSold || request.method === 'HEAD';

/** Reads the payment that came along, if any. What is in the header counts only where calls have to be paid. */
export function takePayment(exchange: Exchange): Reply | null {
  const header = exchange.request.headers['payment-signature'] as string | undefined;
  if (isFree(exchange) || header === undefined) return null;
  try {
    exchange.payment = readPayment(header);
    return null;
  } catch (error) {
    if (!(error instanceof MalformedPayment)) throw error;
    exchange.service.billing!.metrics?.refused('malformed');
    const detail = `PAYMENT-SIGNATURE must be the base64 of a payment as JSON (x402 version ${X402_VERSION}), but ${error.message}.`;
    return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'PAYMENT-SIGNATURE', detail }] });
  }
}

/**
 * Asks for a payment, or takes it and answers. The answer is made before the money moves, so that nobody pays for a
 * failure of ours.
 */
export function charge(exchange: Exchange): Reply | null | Promise<Reply> {
  if (isFree(exchange)) return null;
  const billing = exchange.service.billing!;
  if (exchange.payment !== null) return sell(exchange, billing);
  billing.metrics?.asked(exchange.route!.operation);
  return demand(exchange, 'This call has to be paid, and no payment came with it.');
}

async function sell(exchange: Exchange, { terms, cashier, metrics }: Billing): Promise<Reply> {
  const { operation } = exchange.route!;
  const requirements = requirementsOf(terms, operation);
  // The connection may be silent for as long as the facilitator may take, on top of what it may otherwise.
  exchange.request.socket.setTimeout(exchange.service.patienceMs + cashier.longestMs);
  const admission = await cashier.admit(exchange.payment!, requirements, resourceUrl(exchange));
  if (admission.outcome !== 'admitted') return turnDown(exchange, admission);
  const goods = await answer(exchange);
  const collection = await cashier.collect(admission.ticket, () => exchange.response.destroyed);
  if (collection.outcome !== 'paid') return turnDown(exchange, collection);
  metrics?.settled(operation);
  exchange.service.log.info({ ...logged(exchange), transaction: collection.transaction }, 'payment taken');
  goods.headers.push('PAYMENT-RESPONSE', collection.response);
  return goods;
}

function turnDown(exchange: Exchange, refusal: Refusal): Reply {
  const { metrics } = exchange.service.billing!;
  if (refusal.outcome === 'refused') {
    metrics?.refused(refusal.fault);
    return demand(exchange, refusal.detail, refusal.response);
  }
  const { hitch, detail, cause, mayBeCharged } = refusal;
  metrics?.hindered(hitch);
  if (mayBeCharged) exchange.service.log.error({ ...logged(exchange), cause }, 'payment open');
  else if (cause !== null) exchange.service.log.warn({ ...logged(exchange), cause }, 'payment not taken');
  return refuse(exchange, 'unavailable', detail);
}

/** What finds a payment again, on the chain and in the log. */
function logged({ id, payment }: Exchange) {
  const { from, nonce, value } = payment!.payload.authorization;
  return { request_id: id, payer: from, nonce, amount: value };
}

/** 402, in the words of our problems and in those of x402. */
function demand(exchange: Exchange, detail: string, response: string | null = null): Reply {
  const { service, route } = exchange;
  const { terms } = service.billing!;
  const { operation } = route!;
  const required = {
    x402Version: X402_VERSION,
    error: detail,
    resource: { url: resourceUrl(exchange), description: operation.summary, mimeType: 'application/json' },
    accepts: [requirementsOf(terms, operation)],
    extensions: {},
  };
  const reply = refuse(exchange, 'payment-required', detail, {
    payment_methods: [paymentMethod(terms, operation)],
    pricing_url: `${service.siteUrl}/pricing/`,
  });
  reply.headers.push('PAYMENT-REQUIRED', encodeHeader(required));
  if (response !== null) reply.headers.push('PAYMENT-RESPONSE', response);
  return reply;
}

/** What is paid for: the URL as it was asked for, seen from outside. */
const resourceUrl = ({ service, url }: Exchange): string => service.siteUrl + url;

/** The way to pay for an operation, as problems and the page of prices state it. */
export function paymentMethod(terms: PaymentTerms, operation: Operation): PaymentMethod {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = requirementsOf(terms, operation);
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
