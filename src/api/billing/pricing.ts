import { OPERATIONS } from '../../contract/operations.ts';
import type { Pricing } from '../../contract/pricing.ts';
import { escapeHtml, htmlPage } from '../html.ts';
import { paymentMethod } from './charge.ts';
import { amountText, type PaymentTerms, priceOf } from './terms.ts';

/** The prices. `terms` null: billing is off. */
export function pricing(terms: PaymentTerms | null): Pricing {
  const sold = OPERATIONS.filter(({ costUnits }) => costUnits > 0);
  return {
    billing: terms === null ? 'off' : 'x402',
    unit_price: terms === null ? null : `${amountText(terms.unitPrice, terms.assetDecimals)} ${terms.assetName}`,
    operations: sold.map((operation) => ({
      path: operation.path,
      summary: operation.summary,
      cost_units: operation.costUnits,
      payment_methods: terms === null ? [] : [paymentMethod(terms, operation)],
    })),
  };
}

/** The same as a page for people. */
export function pricingHtml(terms: PaymentTerms | null): string {
  const rows = OPERATIONS.filter(({ costUnits }) => costUnits > 0).map((operation) => {
    const price = terms === null ? 'free' : amountText(priceOf(terms, operation), terms.assetDecimals);
    const cells = [escapeHtml(operation.summary), `<code>${operation.path}</code>`, operation.costUnits, price];
    return `<tr><td>${cells.join('</td><td>')}</td></tr>`;
  });
  const head = `<tr><th>Operation</th><th>Path</th><th>Cost units</th><th>${terms === null ? 'Price' : escapeHtml(terms.assetName)}</th></tr>`;
  return htmlPage(
    'Prices',
    `<h1>Prices</h1>${terms === null ? FREE : howToPay(terms)}<table>${head}${rows.join('\n')}</table>` +
      '<p>Everything else is free: pages, lists, descriptions, downloads, HEAD and OPTIONS, and every answer that is no ' +
      'success. <a href="index.json">This page as JSON</a></p>',
  );
}

const FREE = '<p>Billing is off: every call is free. Calls are counted in cost units all the same.</p>';

function howToPay(terms: PaymentTerms): string {
  const price = `${amountText(terms.unitPrice, terms.assetDecimals)} ${terms.assetName}`;
  const facts = [
    ['Network', terms.network],
    ['Asset', terms.asset],
    ['Paid to', terms.payTo],
    ['One cost unit', price],
  ].map(([name, value]) => `<li>${name}: <code>${escapeHtml(value!)}</code>`);
  return (
    '<p>Calls are paid one by one with <a href="https://www.x402.org/">x402</a>, version 2. No account is needed.</p>' +
    '<ol><li>Send the request. The answer is 402, and its header <code>PAYMENT-REQUIRED</code> says what it costs.' +
    '<li>Sign a transfer of exactly that amount (scheme <code>exact</code>, EIP-3009) and send the request again with it ' +
    'in the header <code>PAYMENT-SIGNATURE</code>. Clients of x402 do so by themselves.' +
    '<li>The answer comes once the payment is settled; its header <code>PAYMENT-RESPONSE</code> names the transaction.' +
    `</ol><p>A payment buys one answer of one request. When the answer is 503, send the same request with the same payment again.</p><ul>${facts.join('')}</ul>`
  );
}
