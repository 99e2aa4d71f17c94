import { html } from '../markup.ts';
import { type PageAsk, type PageResult, textsOf } from '../view.ts';

/** What calls cost and how to pay. */
export function pricingPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const { unit_price, operations } = ask.pricing;
  const lead = unit_price === null ? prose.pricingFree : prose.pricingPaid(unit_price);
  const rows = operations.map(({ path, summary, cost_units, payment_methods }) => {
    const [method] = payment_methods;
    const price =
      method?.amount === undefined
        ? prose.free
        : `${Number(method.amount) / 10 ** (method.asset_decimals ?? 0)} ${method.asset_name ?? ''}`;
    return html`<tr><th scope="row"><span lang="en">${summary}</span><small><code>${path}</code></small></th><td class="number">${cost_units}</td><td class="number">${price}</td></tr>`;
  });
  return {
    kind: 'page',
    title: prose.pricingTitle,
    description: lead,
    main: html`<h1>${prose.pricingTitle}</h1><p class="answer">${lead}</p><div class="scroll" tabindex="0" role="region" aria-label="${prose.pricingTitle}"><table><thead><tr><th scope="col">${prose.operation}</th><th scope="col" class="number">${prose.units}</th><th scope="col" class="number">${prose.price}</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  };
}
