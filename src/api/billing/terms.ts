import type { PaymentRequirements as AnyRequirements } from '@x402/core/types';
import { OPERATIONS } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/parameter.ts';
import { amountText, type PaymentMethod, type Pricing } from '../../contract/pricing.ts';

/** The version of x402. */
export const X402_VERSION = 2;

/** A header is not a valid payment; the message says why. */
export class MalformedPayment extends Error {}

/** The faults of a payment. */
export const PAYMENT_FAULTS = [
  // It does not fit the terms of this call.
  'terms',
  // Its authorization is not valid now, or is valid for too long.
  'time',
  // The facilitator finds it invalid.
  'invalid',
  // The facilitator verified it but refuses to settle it.
  'unsettled',
  // Its answer was already given.
  'used',
  // It has been used for another request.
  'elsewhere',
] as const;
export type PaymentFault = (typeof PAYMENT_FAULTS)[number];

/** Why a valid payment cannot be taken now. */
export const UNAVAILABLE_REASONS = [
  'facilitator',
  // The store of claims cannot be reached.
  'claims',
  // Another copy of the request is being answered.
  'busy',
  // The client has gone away.
  'client',
] as const;

/** Why a payment is not accepted. */
type Refusal =
  /** The payment is wrong. `response`: PAYMENT-RESPONSE, when the facilitator refused to settle. */
  { outcome: 'refused'; fault: PaymentFault; detail: string; response: string | null } | UnavailableRefusal;

/** The payment may be right, but cannot be taken now. */
export interface UnavailableRefusal {
  outcome: 'unavailable';
  reason: (typeof UNAVAILABLE_REASONS)[number];
  detail: string;
  /** For the log; null: nothing has failed. */
  cause: string | null;
  mayBeCharged: boolean;
}

/** A payment is not accepted. */
export class NotPaid extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** Encodes a value for a header of x402: base64 of its JSON. */
export function encodeHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Prices and the way to pay, as the operator set them. */
export interface PaymentTerms {
  /** CAIP-2, of an EVM chain: `eip155:8453`. */
  network: `eip155:${string}`;
  /** Address of the token's contract. The token supports EIP-3009. */
  asset: string;
  /** Name and version of the token's EIP-712 domain. Payers sign them. */
  assetName: string;
  assetVersion: string;
  /** Decimal digits of an amount. */
  assetDecimals: number;
  /** Address of the payee. */
  payTo: string;
  /** Price of one cost unit in the smallest unit of the asset. Always an integer. */
  unitPrice: bigint;
  /** How long a signed payment should be valid, seconds. */
  validSeconds: number;
}

/** The payment that a call needs. */
export interface PaymentRequirements extends AnyRequirements {
  scheme: 'exact';
  extra: { assetTransferMethod: 'eip3009'; name: string; version: string };
}

/** The payment for an answer with this cost. */
export function requirementsOf(terms: PaymentTerms, costUnits: number): PaymentRequirements {
  return {
    scheme: 'exact',
    network: terms.network,
    amount: (terms.unitPrice * BigInt(costUnits)).toString(),
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: terms.validSeconds,
    extra: { assetTransferMethod: 'eip3009', name: terms.assetName, version: terms.assetVersion },
  };
}

/**
 * The price list.
 * @param terms null: billing is off
 */
export function pricing(terms: PaymentTerms | null): Pricing {
  const sold = OPERATIONS.filter(({ costUnits }) => costUnits > 0);
  return {
    billing: terms === null ? 'off' : 'x402',
    unit_price: terms === null ? null : `${amountText(terms.unitPrice, terms.assetDecimals)} ${terms.assetName}`,
    operations: sold.map(({ path, summary, costUnits, costPer, parameters }) => ({
      path,
      summary,
      cost_units: costUnits,
      ...(costPer !== undefined && { cost_per: costPer }),
      ...costOptions(parameters),
      payment_methods: terms === null ? [] : [paymentMethod(terms, costUnits)],
    })),
  };
}

/** Parameters that add to the price of a call. */
function costOptions(parameters: readonly Parameter[]): Pick<Pricing['operations'][number], 'cost_options'> {
  const options = parameters.flatMap(({ name, moreUnits }) =>
    moreUnits === undefined ? [] : { parameter: name, more_cost_units: moreUnits },
  );
  return options.length === 0 ? {} : { cost_options: options };
}

/** The way to pay for a number of cost units, for problems and the price list. */
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
