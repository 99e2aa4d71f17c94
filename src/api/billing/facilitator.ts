import type { VerifyRequest } from '@x402/core/types';
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { ask, BodyTooLongError, boundedBody, reasonOf } from '../../http/ask.ts';
import type { Payment } from './payment.ts';
import { type PaymentRequirements, X402_VERSION } from './terms.ts';

/** `VerifyResponse` (x402 version 2, 5.4). */
const Verification = Type.Object({
  isValid: Type.Boolean(),
  invalidReason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  payer: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** `SettlementResponse` (x402 version 2, 5.3); `amount` came later. */
const SettlementAnswer = Type.Object({
  success: Type.Boolean(),
  errorReason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  payer: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  transaction: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  network: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  amount: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
type SettlementAnswer = Static<typeof SettlementAnswer>;

const Supported = Type.Object({
  kinds: Type.Array(Type.Object({ x402Version: Type.Number(), scheme: Type.String(), network: Type.String() })),
});

/** Why the facilitator considers a payment invalid; null when it is valid. */
type Objection = string | null;

/** The result of settling a payment. */
type Settlement =
  | { outcome: 'settled'; transaction: string }
  /** Nothing was charged. */
  | { outcome: 'refused'; reason: string };

/** The facilitator gave no valid answer, so it is unknown what it did. */
export class FacilitatorFailure extends Error {}

/** The longest valid answer, bytes. */
const LARGEST_ANSWER = 65_536;

const TRANSACTION = /^0x[0-9a-fA-F]{64}$/;

/** Reasons that leave the result open: a failure of the facilitator, or a transaction that is not confirmed yet. */
const UNDECIDED = new Set(['unexpected_verify_error', 'unexpected_settle_error', 'settlement_pending']);

/** The HTTP client of a facilitator (x402 version 2, 7). It accepts an answer only if it fits the request. */
export class Facilitator {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;

  /**
   * @param url without a slash at the end
   * @param key sent as a bearer token; null: none
   * @param timeoutMs for one request with its whole answer
   */
  constructor(url: string, key: string | null, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    if (key !== null) this.#headers.Authorization = `Bearer ${key}`;
  }

  /**
   * Asks whether a payment is valid for a call. Charges nothing.
   * @returns why it is not valid; null when it is
   * @throws FacilitatorFailure when it is not known: there is no valid answer, or the facilitator could not find out
   */
  async verify(payment: Payment, requirements: PaymentRequirements, resourceUrl: string): Promise<Objection> {
    const { status, body } = await this.#ask('verify', submission(payment, requirements, resourceUrl));
    const { isValid, invalidReason, payer } = checked(Verification, body, status);
    const reason = cleanReason(invalidReason);
    if (!isValid) {
      if (status < 500 && !UNDECIDED.has(reason)) return reason;
      throw new FacilitatorFailure(`it could not verify (${status}, ${reason})`);
    }
    if (status !== 200) throw new FacilitatorFailure(`it calls a payment valid with status ${status}`);
    checkPayer(payer, payment);
    return null;
  }

  /**
   * Asks the facilitator to take the payment.
   * @throws FacilitatorFailure when it is unknown whether it was taken
   */
  async settle(payment: Payment, requirements: PaymentRequirements, resourceUrl: string): Promise<Settlement> {
    const { status, body } = await this.#ask('settle', submission(payment, requirements, resourceUrl));
    const answer = checked(SettlementAnswer, body, status);
    if (answer.success) return { outcome: 'settled', transaction: checkSettled(answer, status, payment, requirements) };
    const reason = cleanReason(answer.errorReason);
    if (answer.transaction) throw new FacilitatorFailure(`it names a transaction and a failure (${reason})`);
    if (status >= 500 || UNDECIDED.has(reason)) throw new FacilitatorFailure(`it has not settled yet (${reason})`);
    return { outcome: 'refused', reason };
  }

  /**
   * True when the facilitator supports the scheme and the network.
   * @throws FacilitatorFailure when there is no valid answer
   */
  async supports({ scheme, network }: Pick<PaymentRequirements, 'scheme' | 'network'>): Promise<boolean> {
    const { status, body } = await this.#ask('supported');
    const { kinds } = checked(Supported, body, status);
    return kinds.some(
      (kind) => kind.x402Version === X402_VERSION && kind.scheme === scheme && kind.network === network,
    );
  }

  /**
   * Sends a request and reads its answer as JSON. The timeout covers the whole answer, even one that never ends.
   * @throws FacilitatorFailure when there is no answer in time, or it is too long or not JSON
   */
  async #ask(
    path: 'verify' | 'settle' | 'supported',
    content?: VerifyRequest,
  ): Promise<{ status: number; body: unknown }> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await ask(`${this.#url}/${path}`, {
        method: content === undefined ? 'GET' : 'POST',
        headers: this.#headers,
        body: content === undefined ? null : JSON.stringify(content),
        signal,
      });
      return { status: response.status, body: JSON.parse(String(await boundedBody(response, LARGEST_ANSWER))) };
    } catch (error) {
      if (signal.aborted) throw new FacilitatorFailure(`it has not answered within ${this.#timeoutMs} ms`);
      throw new FacilitatorFailure(describeFailure(error as Error));
    }
  }
}

/** A payment for the facilitator: only the members that were checked here. */
function submission({ payload }: Payment, accepted: PaymentRequirements, resourceUrl: string): VerifyRequest {
  const { signature, authorization } = payload;
  const paymentPayload = {
    x402Version: X402_VERSION,
    resource: { url: resourceUrl },
    accepted,
    payload: { signature, authorization },
  };
  return { x402Version: X402_VERSION, paymentPayload, paymentRequirements: accepted };
}

/** Why there is no answer. */
function describeFailure(error: Error): string {
  if (error instanceof BodyTooLongError) return `its answer is longer than ${LARGEST_ANSWER} bytes`;
  if (error instanceof SyntaxError) return 'its answer is not JSON';
  return `it could not be asked: ${reasonOf(error)}`;
}

/**
 * The body of an answer, checked against its schema.
 * @throws FacilitatorFailure when it does not fit the schema
 */
function checked<T extends TSchema>(schema: T, body: unknown, status: number): Static<T> {
  if (Value.Check(schema, body)) return body as Static<T>;
  throw new FacilitatorFailure(`its answer (status ${status}) is not of the form that x402 states`);
}

/** The reason of a refusal, if it is a plain identifier: clients see it. */
function cleanReason(reason: string | null | undefined): string {
  return reason && /^[\w.:-]{1,100}$/.test(reason) ? reason : 'no_reason_given';
}

/** @throws FacilitatorFailure when the answer names another payer than the payment */
function checkPayer(payer: string | null | undefined, { payload: { authorization } }: Payment): void {
  if (payer && payer.toLowerCase() !== authorization.from.toLowerCase()) {
    throw new FacilitatorFailure('it names another payer');
  }
}

/**
 * The transaction of a settlement that fits the payment.
 * @throws FacilitatorFailure when it does not fit
 */
function checkSettled(
  { transaction, network, amount, payer }: SettlementAnswer,
  status: number,
  payment: Payment,
  requirements: PaymentRequirements,
): string {
  if (status !== 200) throw new FacilitatorFailure(`it calls a payment settled with status ${status}`);
  if (!transaction || !TRANSACTION.test(transaction)) {
    throw new FacilitatorFailure('it calls a payment settled and names no transaction');
  }
  if (network !== requirements.network) throw new FacilitatorFailure('it has settled on another network');
  if (amount && amount !== requirements.amount) throw new FacilitatorFailure('it has settled another amount');
  checkPayer(payer, payment);
  return transaction;
}
