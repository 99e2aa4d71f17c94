/** What calls cost and how they are paid, as the operator has set it. */
export interface PaymentTerms {
  /** CAIP-2, of an EVM chain: `eip155:8453`. */
  network: string;
  /** Address of the token's contract; the token knows EIP-3009. */
  asset: string;
  /** Name and version of the token's EIP-712 domain: part of what payers sign. */
  assetName: string;
  assetVersion: string;
  /** Digits behind the point that people read amounts with. */
  assetDecimals: number;
  /** Address that is paid. */
  payTo: string;
  /** Price of one cost unit in the smallest unit of the asset. Integers only: money is never a float. */
  unitPrice: bigint;
  /** How long payers sign their payment to be valid, seconds. */
  validSeconds: number;
}

/** What one call has to be paid with (`PaymentRequirements`, x402 version 2, 5.1.2). */
export interface PaymentRequirements {
  scheme: 'exact';
  network: string;
  /** Whole number in the smallest unit of the asset. */
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: { assetTransferMethod: 'eip3009'; name: string; version: string };
}

/** What an answer of a number of cost units has to be paid with. */
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
