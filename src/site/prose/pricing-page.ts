import { OPERATIONS } from '../../contract/operations.ts';
import type { PaymentMethod } from '../../contract/pricing.ts';
import { html } from '../markup.ts';
import { type PageAsk, type PageResult, textsOf } from '../view.ts';

/** What calls cost and how to pay. */
export function pricingPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { unit_price, operations } = ask.pricing;
  const lead = unit_price === null ? prose.pricingFree : prose.pricingPaid(unit_price);
  const rows = operations.map(({ path, summary, cost_units, payment_methods }) => {
    const [method] = payment_methods;
    const id = OPERATIONS.find((operation) => operation.path === path)?.id ?? '';
    const price =
      method?.amount === undefined
        ? prose.free
        : `${Number(method.amount) / 10 ** (method.asset_decimals ?? 0)} ${method.asset_name ?? ''}`;
    return html`<tr><th scope="row">${prose.operationNames[id] ?? summary}<small><code>${path}</code></small></th><td class="number" data-label="${prose.units}">${cost_units}</td><td class="number" data-label="${prose.price}">${price}</td></tr>`;
  });
  const [method] = operations.flatMap(({ payment_methods }) => payment_methods);
  return {
    kind: 'page',
    title: prose.pricingTitle,
    description: lead,
    main: html`<h1>${prose.pricingTitle}</h1><p class="answer">${lead}</p><table class="rows"><thead><tr><th scope="col">${prose.operation}</th><th scope="col" class="number">${prose.units}</th><th scope="col" class="number">${prose.price}</th></tr></thead><tbody>${rows}</tbody></table>${method === undefined ? '' : howToPay(prose.howToPay, method)}`,
  };
}

/** What a payer has to know before the first call; the 402 of each call says the same to programs. */
function howToPay(title: string, { network, asset, asset_name, pay_to, scheme }: PaymentMethod) {
  const facts = [
    ['x402', scheme],
    ['network', network],
    [asset_name ?? 'asset', asset],
    ['pay_to', pay_to],
    ['header', 'PAYMENT-SIGNATURE'],
  ];
  const rows = facts.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td><code>${value ?? ''}</code></td></tr>`,
  );
  return html`<h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><tbody>${rows}</tbody></table></div>`;
}
