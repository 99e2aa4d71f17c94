import { randomUUID } from 'node:crypto';
import type { SettleResponse } from '@x402/core/types';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { OPERATIONS } from '../../contract/operations.ts';
import type { SharedRedis } from '../../http/redis.ts';
import {
  type Claim,
  ClaimsUnavailable,
  memoryClaims,
  type PaymentClaims,
  redisClaims,
  type Standing,
  standingOf,
} from './claim.ts';
import { Facilitator, FacilitatorFailure } from './facilitator.ts';
import { mismatch, type Payment, paymentIdentity, paymentPurpose, readPayment, timeFaultOf } from './payment.ts';
import {
  encodeHeader,
  NotPaid,
  PAYMENT_FAULTS,
  type PaymentFault,
  type PaymentRequirements,
  type PaymentTerms,
  UNAVAILABLE_REASONS,
  type UnavailableRefusal,
} from './terms.ts';

/** Billing, when it is switched on. */
export interface Billing {
  terms: PaymentTerms;
  /**
   * Reads a PAYMENT-SIGNATURE header.
   * @throws MalformedPayment when it does not have the form of a payment of x402
   */
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

/**
 * Makes billing that keeps its claims in `claims`. Also gives its facilitator.
 * @param now milliseconds since 1970
 */
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

/** Logs a problem when the facilitator does not support the network, or does not answer. */
async function checkSupport(facilitator: Facilitator, { network }: PaymentTerms, log: Logger): Promise<void> {
  try {
    if (await facilitator.supports({ scheme: 'exact', network })) return;
    log.error({ network }, 'the facilitator does not support the network');
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the facilitator does not say what it supports');
  }
}

/** A payment that can be taken. */
interface Ticket {
  payment: Payment;
  requirements: PaymentRequirements;
  resourceUrl: string;
  id: string;
  purpose: string;
  /**
   * True when the facilitator has just verified the payment. False when it did so at an earlier attempt, which is still
   * open.
   */
  wasVerifiedNow: boolean;
}

/** A claim is held longer than the facilitator may take, by this time. A running server releases it before. */
const LEASE_MARGIN_MS = 30_000;

interface PaymentProcessorParts {
  facilitator: Facilitator;
  claims: PaymentClaims;
  /** How long the facilitator may take. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Takes payments. Each is verified, claimed, settled and spent, in this order. An answer is sent only for a payment
 * that this request has spent, so that no answer is free. When the result of settling is unknown, the claim stays open
 * for the same request, so that no client pays twice.
 */
class PaymentProcessor {
  readonly #parts: PaymentProcessorParts;

  constructor(parts: PaymentProcessorParts) {
    this.#parts = parts;
  }

  /** The longest time to verify and settle a payment, milliseconds. */
  get longestMs(): number {
    return 2 * this.#parts.timeoutMs;
  }

  /**
   * Checks whether the payment fits the call and is valid. Charges nothing.
   * @throws NotPaid when it does not fit, is not valid or is used already; also when the claims cannot be read or the
   * facilitator does not answer
   */
  async admit(payment: Payment, requirements: PaymentRequirements, resourceUrl: string): Promise<Ticket> {
    const { facilitator, claims, now } = this.#parts;
    const difference = mismatch(payment, requirements, resourceUrl);
    if (difference !== null) throw refused('terms', difference);
    const id = paymentIdentity(payment, requirements);
    const purpose = paymentPurpose(payment, resourceUrl);
    const ticket: Ticket = { payment, requirements, resourceUrl, id, purpose, wasVerifiedNow: false };
    try {
      const standing = standingOf(await claims.read(id), purpose, now());
      // An earlier attempt of the same request got no answer. The facilitator verified the payment then.
      if (standing === 'open') return ticket;
      if (standing !== 'new') throw refusedByClaim(standing);
      const timeFault = timeFaultOf(payment, now());
      if (timeFault !== null) throw refused('time', timeFault);
      const objection = await facilitator.verify(payment, requirements, resourceUrl);
      if (objection !== null) throw refused('invalid', `the facilitator finds it invalid (${objection})`);
      return { ...ticket, wasVerifiedNow: true };
    } catch (error) {
      throw refusalFor(error, { mayBeCharged: false });
    }
  }

  /**
   * Takes the payment.
   * @param isGone true when the client has gone; then the claim stays open for it
   * @returns the transaction, and the value of PAYMENT-RESPONSE
   * @throws NotPaid when the payment is refused or in use, its result is unknown, or the client has gone
   */
  async collect(ticket: Ticket, isGone: () => boolean): Promise<{ transaction: string; response: string }> {
    // An earlier attempt may have taken a payment that was verified then, not now.
    const claim = await this.#claim(ticket).catch((error) => {
      throw refusalFor(error, { mayBeCharged: !ticket.wasVerifiedNow });
    });
    try {
      return await this.#settle(ticket, claim, isGone);
    } catch (error) {
      // For a payment that was not taken, `#settle` has changed the claim already.
      if (!(error instanceof NotPaid)) await this.#leaveOpen(ticket, claim);
      throw refusalFor(error, { mayBeCharged: true });
    }
  }

  /**
   * Claims the payment for this attempt. Reads the claim again when another attempt has changed it meanwhile.
   * @throws NotPaid when another request has the payment
   * @throws ClaimsUnavailable when the store of claims cannot be reached
   */
  async #claim({ id, purpose, wasVerifiedNow }: Ticket): Promise<Claim> {
    const { claims, now, timeoutMs } = this.#parts;
    for (;;) {
      const storedClaim = await claims.read(id);
      const standing = standingOf(storedClaim, purpose, now());
      // When the payment was admitted, an earlier attempt had an open claim, so this one did not verify it. That claim
      // is gone now. The client must try again, and then the payment is verified.
      if (standing === 'new' && !wasVerifiedNow) throw refusedByClaim('busy');
      if (standing !== 'new' && standing !== 'open') throw refusedByClaim(standing);
      const until = now() + timeoutMs + LEASE_MARGIN_MS;
      const transaction = storedClaim?.transaction ?? null;
      const claim: Claim = { purpose, state: 'settling', holder: randomUUID(), until, transaction };
      if (await claims.swap(id, storedClaim, claim)) return claim;
    }
  }

  /**
   * Settles a claimed payment, unless an earlier attempt did, and marks the claim as spent. When the client has gone, the
   * claim stays open: the client's next attempt gets the answer for this payment.
   * @throws NotPaid when it was refused, another attempt took it over, or the client has gone
   * @throws FacilitatorFailure or ClaimsUnavailable when the result is unknown
   */
  async #settle(
    ticket: Ticket,
    claim: Claim,
    isGone: () => boolean,
  ): Promise<{ transaction: string; response: string }> {
    const { facilitator, claims } = this.#parts;
    const { payment, requirements, resourceUrl, id } = ticket;
    let { transaction } = claim;
    if (transaction === null) {
      const settlement = await facilitator.settle(payment, requirements, resourceUrl);
      if (settlement.outcome === 'refused') throw await this.#refusalOfSettlement(ticket, claim, settlement.reason);
      transaction = settlement.transaction;
    }
    const hasClientGone = isGone();
    const after: Claim = { ...claim, state: hasClientGone ? 'open' : 'spent', transaction };
    // After the lease another attempt may have claimed the payment. Then that attempt answers.
    if (!(await claims.swap(id, claim, after))) throw refusedByClaim('busy');
    if (hasClientGone) {
      const cause = 'the client has gone';
      throw unavailable({ reason: 'client', detail: MAY_BE_CHARGED, cause, mayBeCharged: true });
    }
    return { transaction, response: receipt(ticket, { success: true, transaction }) };
  }

  /**
   * The refusal of a payment that the facilitator does not settle. When this request verified the payment, its claim is
   * removed. Otherwise an earlier attempt made the claim, and its outcome is not known: the claim stays open.
   */
  async #refusalOfSettlement(ticket: Ticket, claim: Claim, errorReason: string): Promise<NotPaid> {
    const { id, wasVerifiedNow } = ticket;
    if (wasVerifiedNow) await this.#parts.claims.swap(id, claim, null);
    else await this.#leaveOpen(ticket, claim);
    const doubt = wasVerifiedNow
      ? ''
      : ', and the outcome of an earlier attempt is not known: look it up before you pay again';
    const response = receipt(ticket, { success: false, errorReason, transaction: '' });
    return refused('unsettled', `the facilitator does not settle it (${errorReason})${doubt}`, response);
  }

  /** Marks the claim as open. If this fails, the end of the lease has the same effect. */
  async #leaveOpen({ id }: Ticket, claim: Claim): Promise<void> {
    await this.#parts.claims.swap(id, claim, { ...claim, state: 'open' }).catch(() => false);
  }
}

/** The value of PAYMENT-RESPONSE. */
function receipt({ payment, requirements }: Ticket, result: Omit<SettleResponse, 'network' | 'payer'>): string {
  const { network } = requirements;
  return encodeHeader({ ...result, network, payer: payment.payload.authorization.from } satisfies SettleResponse);
}

/** The 402 for a payment with a fault; `why` is a clause of its text. */
function refused(fault: PaymentFault, why: string, response: string | null = null): NotPaid {
  return new NotPaid({
    outcome: 'refused',
    fault,
    detail: `The payment does not pay for this call: ${why}.`,
    response,
  });
}

/** The 503 for a payment that may be right, but cannot be taken now. */
const unavailable = (refusal: Omit<UnavailableRefusal, 'outcome'>): NotPaid =>
  new NotPaid({ outcome: 'unavailable', ...refusal });

/** The refusal of a payment whose claim shows that another request has it, or has used it. */
function refusedByClaim(standing: Exclude<Standing, 'open' | 'new'>): NotPaid {
  if (standing === 'spent') return refused('used', 'it has been used, and its answer was given');
  if (standing === 'elsewhere') return refused('elsewhere', 'it has been used for another request');
  return unavailable({ reason: 'busy', detail: BUSY, cause: null, mayBeCharged: false });
}

const BUSY = 'Another copy of this request is being answered with the same payment.';
const NOT_CHARGED = 'Nothing was charged: send the request with the same payment again later.';
const MAY_BE_CHARGED =
  'The payment may have been taken. Do not pay again: send the same request with the same payment again, and it is ' +
  'answered as soon as the payment is known to be settled.';

/** The refusal for an error of the facilitator or of the claims; any other error as it is. */
function refusalFor(error: unknown, { mayBeCharged }: { mayBeCharged: boolean }): unknown {
  const advice = mayBeCharged ? MAY_BE_CHARGED : NOT_CHARGED;
  if (error instanceof FacilitatorFailure) {
    const detail = `The payment facilitator does not answer as it should. ${advice}`;
    return unavailable({ reason: 'facilitator', detail, cause: error.message, mayBeCharged });
  }
  if (error instanceof ClaimsUnavailable) {
    const detail = `The record of payments cannot be reached. ${advice}`;
    return unavailable({ reason: 'claims', detail, cause: error.message, mayBeCharged });
  }
  return error;
}

/** The metrics of payments. All series exist from the start, so that the first event is visible as a rise. */
class PaymentMetrics {
  readonly #registers: Registry[];
  readonly asked;
  readonly settled;
  readonly refused;
  readonly unavailable;

  constructor(registry: Registry, claims: PaymentClaims) {
    this.#registers = [registry];
    const sold = OPERATIONS.filter(({ costUnits }) => costUnits > 0).map(({ id }) => id);
    this.asked = this.#counter('asked', 'Calls that brought no payment: 402.', 'operation', sold);
    this.settled = this.#counter(
      'settled',
      'Payments that were settled and have bought an answer: 200.',
      'operation',
      sold,
    );
    this.refused = this.#counter(
      'refused',
      'Payments that buy nothing: 402, or 400 where they are malformed.',
      'reason',
      ['malformed', ...PAYMENT_FAULTS],
    );
    this.unavailable = this.#counter(
      'unavailable',
      'Payments that could not be taken now, or of which it is not known: 503.',
      'reason',
      UNAVAILABLE_REASONS,
    );
    new Gauge({
      name: 'hidamari_payments_pending',
      help: 'Payments being settled, and open ones: outcome unknown or answer not given. NaN while Redis is away.',
      labelNames: ['state'],
      registers: this.#registers,
      async collect() {
        // NaN: while Redis is away, the numbers are not known.
        const unknown = { settling: Number.NaN, open: Number.NaN };
        const { settling, open } = await claims.pending().catch(() => unknown);
        this.set({ state: 'settling' }, settling);
        this.set({ state: 'open' }, open);
      },
    });
  }

  /** Returns a function that counts one event with a value of the label. */
  #counter<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value) => void {
    const counter = new Counter({
      name: `hidamari_payments_${name}_total`,
      help,
      labelNames: [label],
      registers: this.#registers,
    });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value) => counter.inc({ [label]: value });
  }
}
