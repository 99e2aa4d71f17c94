import { amountText, type PaymentMethod, type Pricing } from '../contract/pricing.ts';
import { escapeHtml, HTML, HTML_HEADERS, htmlPage } from './html.ts';
import { page } from './page.ts';

/** What calls cost and how to pay; `pricing_url` of a 402 points here. It is free, whatever calls cost. */
export const pricingPage = page({
  id: 'pricing',
  path: '/pricing/',
  parameters: [],
  mediaType: HTML,
  cache: 'no-store',
  headers: HTML_HEADERS,
  render: (_, { pricing }) => pricingHtml(pricing),
});

function pricingHtml({ operations, unit_price }: Pricing): string {
  const method = operations[0]?.payment_methods[0];
  const rows = operations.map(({ summary, path, cost_units, payment_methods: [way] }) => {
    const cells = [escapeHtml(summary), `<code>${path}</code>`, cost_units, way === undefined ? 'free' : amountOf(way)];
    return `<tr><td>${cells.join('</td><td>')}</td></tr>`;
  });
  const price = method === undefined ? 'Price' : escapeHtml(method.asset_name ?? '');
  const head = `<tr><th>Operation</th><th>Path</th><th>Cost units</th><th>${price}</th></tr>`;
  return htmlPage(
    'Prices',
    `<h1>Prices</h1>${method === undefined ? FREE : howToPay(method, unit_price)}<table>${head}${rows.join('\n')}</table>` +
      '<p>Everything else is free: pages, lists, descriptions, downloads, HEAD and OPTIONS, and every answer that is no ' +
      'success. <a href="index.json">This page as JSON</a></p>',
  );
}

const FREE = '<p>Billing is off: every call is free. Calls are counted in cost units all the same.</p>';

const amountOf = ({ amount = '0', asset_decimals = 0 }: PaymentMethod): string =>
  amountText(BigInt(amount), asset_decimals);

function howToPay({ network, asset, pay_to }: PaymentMethod, unitPrice: string | null): string {
  const facts = [
    ['Network', network],
    ['Asset', asset],
    ['Paid to', pay_to],
    ['One cost unit', unitPrice],
  ].map(([name, value]) => `<li>${name}: <code>${escapeHtml(value ?? '')}</code>`);
  return (
    '<p>Calls are paid one by one with <a href="https://www.x402.org/">x402</a>, version 2. No account is needed.</p>' +
    '<ol><li>Send the request. The answer is 402, and its header <code>PAYMENT-REQUIRED</code> says what it costs.' +
    '<li>Sign a transfer of exactly that amount (scheme <code>exact</code>, EIP-3009) and send the request again with it ' +
    'in the header <code>PAYMENT-SIGNATURE</code>. Clients of x402 do so by themselves.' +
    '<li>The answer comes once the payment is settled; its header <code>PAYMENT-RESPONSE</code> names the transaction.' +
    `</ol><p>A payment buys one answer of one request. When the answer is 503, send the same request with the same payment again.</p><ul>${facts.join('')}</ul>`
  );
}
