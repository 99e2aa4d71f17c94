import { randomUUID } from 'node:crypto';
import type { SettleResponse } from '@x402/core/types';
import { type Claim, ClaimsUnavailable, type PaymentClaims, type Standing, standingOf } from './claim.ts';
import { type Facilitator, FacilitatorFailure } from './facilitator.ts';
import { mismatch, type Payment, paymentIdentity, paymentPurpose, untimely } from './payment.ts';
import { encodeHeader, type PaymentRequirements } from './terms.ts';

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
  verified: boolean;
}

/** Why a payment is not accepted. */
export type Refusal =
  /** The payment is wrong. `response`: PAYMENT-RESPONSE, when the facilitator refused to settle. */
  | { outcome: 'refused'; fault: PaymentFault; detail: string; response: string | null }
  /** Something that the service needs has failed. `cause` is for the log. */
  | { outcome: 'unavailable'; reason: UnavailableReason; detail: string; cause: string | null; mayBeCharged: boolean };

/** The fault of a payment. */
export type PaymentFault =
  /** It does not fit the terms of this call. */
  | 'terms'
  /** Its authorization is not valid now, or is valid for too long. */
  | 'time'
  /** The facilitator finds it invalid. */
  | 'invalid'
  /** The facilitator verified it but refuses to settle it. */
  | 'unsettled'
  /** Its answer was already given. */
  | 'used'
  /** It has been used for another request. */
  | 'elsewhere';

/** Why a valid payment cannot be taken now. */
export type UnavailableReason =
  | 'facilitator'
  /** The store of claims cannot be reached. */
  | 'claims'
  /** Another copy of the request is being answered. */
  | 'busy'
  /** The client has gone away. */
  | 'client';

type Admission = { outcome: 'admitted'; ticket: Ticket } | Refusal;

/** `response`: PAYMENT-RESPONSE. */
type Collection = { outcome: 'paid'; transaction: string; response: string } | Refusal;

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
export class PaymentProcessor {
  readonly #parts: PaymentProcessorParts;

  constructor(parts: PaymentProcessorParts) {
    this.#parts = parts;
  }

  /** The longest time to verify and settle a payment, milliseconds. */
  get longestMs(): number {
    return 2 * this.#parts.timeoutMs;
  }

  /** Checks whether the payment fits the call and is valid. Charges nothing. */
  async admit(payment: Payment, requirements: PaymentRequirements, resourceUrl: string): Promise<Admission> {
    const { facilitator, claims, now } = this.#parts;
    const wrong = mismatch(payment, requirements, resourceUrl);
    if (wrong !== null) return refused('terms', wrong);
    const [id, purpose] = [paymentIdentity(payment, requirements), paymentPurpose(payment, resourceUrl)];
    const ticket: Ticket = { payment, requirements, resourceUrl, id, purpose, verified: false };
    try {
      const standing = standingOf(await claims.read(id), purpose, now());
      if (standing === 'open') return { outcome: 'admitted', ticket };
      if (standing !== 'new') return refusedByClaim(standing);
      const late = untimely(payment, now());
      if (late !== null) return refused('time', late);
      const objection = await facilitator.verify(payment, requirements, resourceUrl);
      if (objection !== null) return refused('invalid', `the facilitator finds it invalid (${objection})`);
      return { outcome: 'admitted', ticket: { ...ticket, verified: true } };
    } catch (error) {
      return unavailableBecauseOf(error, false);
    }
  }

  /**
   * Takes the payment.
   * @param isGone true when the client has gone; then the claim stays open for it
   */
  async collect(ticket: Ticket, isGone: () => boolean): Promise<Collection> {
    let claim: Claim | Exclude<Standing, 'open' | 'new'>;
    try {
      claim = await this.#claim(ticket);
    } catch (error) {
      return unavailableBecauseOf(error, !ticket.verified);
    }
    if (typeof claim === 'string') return refusedByClaim(claim);
    try {
      return await this.#settle(ticket, claim, isGone);
    } catch (error) {
      await this.#leaveOpen(ticket, claim);
      return unavailableBecauseOf(error, true);
    }
  }

  /** Claims the payment for this attempt; otherwise returns why it cannot be claimed. */
  async #claim({ id, purpose, verified }: Ticket): Promise<Claim | Exclude<Standing, 'open' | 'new'>> {
    const { claims, now, timeoutMs } = this.#parts;
    for (;;) {
      const before = await claims.read(id);
      const standing = standingOf(before, purpose, now());
      // The claim was open before and has been removed: another request is using it.
      if (standing === 'new' && !verified) return 'busy';
      if (standing !== 'new' && standing !== 'open') return standing;
      const until = now() + timeoutMs + LEASE_MARGIN_MS;
      const transaction = before?.transaction ?? null;
      const claim: Claim = { purpose, state: 'settling', holder: randomUUID(), until, transaction };
      if (await claims.swap(id, before, claim)) return claim;
    }
  }

  async #settle(ticket: Ticket, claim: Claim, isGone: () => boolean): Promise<Collection> {
    const { facilitator, claims } = this.#parts;
    const { payment, requirements, resourceUrl, id } = ticket;
    const payer = payment.payload.authorization.from;
    let { transaction } = claim;
    if (transaction === null) {
      const settlement = await facilitator.settle(payment, requirements, resourceUrl);
      if (settlement.outcome === 'refused') return this.#release(ticket, claim, settlement.reason);
      transaction = settlement.transaction;
    }
    const gone = isGone();
    const after: Claim = { ...claim, state: gone ? 'open' : 'spent', transaction };
    // After the lease another attempt may have claimed the payment. Then that attempt answers.
    if (!(await claims.swap(id, claim, after))) return refusedByClaim('busy');
    if (gone) return unavailable('client', MAY_BE_CHARGED, 'the client has gone', true);
    const { network } = requirements;
    const response = encodeHeader({ success: true, transaction, network, payer } satisfies SettleResponse);
    return { outcome: 'paid', transaction, response };
  }

  /**
   * The facilitator refuses to settle. A claim that was open before stays open, because the facilitator may know more
   * later.
   */
  async #release(ticket: Ticket, claim: Claim, reason: string): Promise<Refusal> {
    const { payment, requirements, id, verified } = ticket;
    if (verified) await this.#parts.claims.swap(id, claim, null);
    else await this.#leaveOpen(ticket, claim);
    const doubt = verified
      ? ''
      : ', and the outcome of an earlier attempt is not known: look it up before you pay again';
    const { network } = requirements;
    const payer = payment.payload.authorization.from;
    const settlement: SettleResponse = { success: false, errorReason: reason, transaction: '', network, payer };
    const response = encodeHeader(settlement);
    return refused('unsettled', `the facilitator does not settle it (${reason})${doubt}`, response);
  }

  /** If this fails, the end of the lease has the same effect. */
  async #leaveOpen({ id }: Ticket, claim: Claim): Promise<void> {
    await this.#parts.claims.swap(id, claim, { ...claim, state: 'open' }).catch(() => false);
  }
}

function refused(fault: PaymentFault, why: string, response: string | null = null): Refusal {
  return { outcome: 'refused', fault, detail: `The payment does not pay for this call: ${why}.`, response };
}

function unavailable(reason: UnavailableReason, detail: string, cause: string | null, mayBeCharged: boolean): Refusal {
  return { outcome: 'unavailable', reason, detail, cause, mayBeCharged };
}

function refusedByClaim(standing: Exclude<Standing, 'open' | 'new'>): Refusal {
  if (standing === 'spent') return refused('used', 'it has been used, and its answer was given');
  if (standing === 'elsewhere') return refused('elsewhere', 'it has been used for another request');
  return unavailable('busy', BUSY, null, false);
}

const BUSY = 'Another copy of this request is being answered with the same payment.';
const NOT_CHARGED = 'Nothing was charged: send the request with the same payment again later.';
const MAY_BE_CHARGED =
  'The payment may have been taken. Do not pay again: send the same request with the same payment again, and it is ' +
  'answered as soon as the payment is known to be settled.';

/** @throws the error itself if it is unexpected */
function unavailableBecauseOf(error: unknown, mayBeCharged: boolean): Refusal {
  const isFacilitator = error instanceof FacilitatorFailure;
  if (!isFacilitator && !(error instanceof ClaimsUnavailable)) throw error;
  const what = isFacilitator
    ? 'The payment facilitator does not answer as it should.'
    : 'The record of payments cannot be reached.';
  const detail = `${what} ${mayBeCharged ? MAY_BE_CHARGED : NOT_CHARGED}`;
  return unavailable(isFacilitator ? 'facilitator' : 'claims', detail, error.message, mayBeCharged);
}
