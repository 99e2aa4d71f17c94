import type { PaymentRequired } from '@x402/core/types';
import { answer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Billing } from './billing.ts';
import type { Payment } from './payment.ts';
import { encodeHeader, MalformedPayment, NotPaid, paymentMethod, requirementsOf, X402_VERSION } from './terms.ts';

/** The billing of a request that has to be paid; otherwise null. HEAD is free. */
function billingOf({ isSold, costUnits, method, service }: Exchange): Billing | null {
  return isSold && costUnits > 0 && method !== 'HEAD' ? service.billing : null;
}

/**
 * Reads the payment of a request into `exchange.payment`. Ignores the header when nothing has to be paid.
 * @returns the refusal of a malformed payment; otherwise null
 */
export function takePayment(exchange: Exchange): Reply | null {
  const header = exchange.request.headers['payment-signature'];
  const billing = billingOf(exchange);
  if (billing === null || header === undefined) return null;
  try {
    exchange.payment = billing.read(String(header));
    return null;
  } catch (error) {
    if (!(error instanceof MalformedPayment)) throw error;
    billing.metrics?.refused('malformed');
    const form = `the base64 of a payment as JSON (x402 version ${X402_VERSION})`;
    const detail = `PAYMENT-SIGNATURE must be ${form}, but ${error.message}.`;
    return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'PAYMENT-SIGNATURE', detail }] });
  }
}

/**
 * Requests a payment; or, when the request has one, takes it and answers. The answer is made before the payment is
 * settled, so that no client pays for a failure of the server.
 * @returns null when nothing has to be paid
 */
export function charge(exchange: Exchange): Reply | null | Promise<Reply> {
  const billing = billingOf(exchange);
  if (billing === null) return null;
  if (exchange.payment !== null) return sell(exchange, billing, exchange.payment);
  billing.metrics?.asked(exchange.route.id);
  return demandPayment(exchange, billing, 'This call has to be paid, and no payment came with it.');
}

/** Answers a request and takes its payment; without a valid payment, refuses it. */
async function sell(exchange: Exchange, billing: Billing, payment: Payment): Promise<Reply> {
  const { terms, processor, metrics } = billing;
  const requirements = requirementsOf(terms, exchange.costUnits);
  // The connection may be idle longer while the facilitator works.
  exchange.request.socket.setTimeout(exchange.service.patienceMs + processor.longestMs);
  try {
    const ticket = await processor.admit(payment, requirements, resourceUrl(exchange));
    const reply = await answer(exchange);
    const { transaction, response } = await processor.collect(ticket, () => exchange.response.destroyed);
    metrics?.settled(exchange.route.id);
    exchange.service.log.info({ ...paymentFacts(exchange, payment), transaction }, 'payment taken');
    reply.headers.push('PAYMENT-RESPONSE', response);
    return reply;
  } catch (error) {
    if (error instanceof NotPaid) return refusePayment(exchange, billing, payment, error);
    throw error;
  }
}

/** The refusal of a payment: a 402, or a 503 when the payment cannot be taken now. */
function refusePayment(exchange: Exchange, billing: Billing, payment: Payment, { refusal }: NotPaid): Reply {
  const { metrics } = billing;
  if (refusal.outcome === 'refused') {
    metrics?.refused(refusal.fault);
    return demandPayment(exchange, billing, refusal.detail, refusal.response);
  }
  const { reason, detail, cause, mayBeCharged } = refusal;
  metrics?.unavailable(reason);
  // An error, because somebody has to look whether the payer has paid without an answer.
  if (mayBeCharged) exchange.service.log.error({ ...paymentFacts(exchange, payment), cause }, 'payment open');
  else if (cause !== null)
    exchange.service.log.warn({ ...paymentFacts(exchange, payment), cause }, 'payment not taken');
  return refuse(exchange, 'unavailable', detail);
}

/** The facts that identify a payment in the log and on the blockchain. */
function paymentFacts({ id }: Exchange, { payload }: Payment) {
  const { from, nonce, value } = payload.authorization;
  return { request_id: id, payer: from, nonce, amount: value };
}

/**
 * A 402: our problem document and the header of x402.
 * @param receipt PAYMENT-RESPONSE of a payment that was not settled; null when none was tried
 */
function demandPayment(exchange: Exchange, { terms }: Billing, detail: string, receipt: string | null = null): Reply {
  const { service, costUnits, route } = exchange;
  const required = {
    x402Version: X402_VERSION,
    error: detail,
    resource: { url: resourceUrl(exchange), description: route.summary, mimeType: 'application/json' },
    accepts: [requirementsOf(terms, costUnits)],
    extensions: {},
  } satisfies PaymentRequired;
  const reply = refuse(exchange, 'payment-required', detail, {
    payment_methods: [paymentMethod(terms, costUnits)],
    pricing_url: `${service.siteUrl}/pricing/`,
  });
  reply.headers.push('PAYMENT-REQUIRED', encodeHeader(required));
  if (receipt !== null) reply.headers.push('PAYMENT-RESPONSE', receipt);
  return reply;
}

/** The resource that is paid for: the public URL of the request. */
const resourceUrl = ({ service, url }: Exchange): string => service.siteUrl + url;
