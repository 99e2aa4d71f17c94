import { OPERATIONS } from '../../contract/operations.ts';
import { amountText, type PaymentMethod, type Pricing } from '../../contract/pricing.ts';
import { X402_VERSION } from './payment.ts';
import { type PaymentTerms, requirementsOf } from './terms.ts';

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
