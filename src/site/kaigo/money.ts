import { type Gap, type Html, html } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import type { CostEstimate } from './answers.ts';

/** A range of yen as text. */
export const yenRange = ({ care }: Texts, { low, high }: { low: number; high: number }): string =>
  care.range(care.yen(low), care.yen(high));

/** What a month costs: what is left to pay after refunds where that is known. */
export const monthlyOf = ({ monthly_yen }: CostEstimate): { low: number; high: number } | null => monthly_yen;

/** A table cell with the cost of a month, or why there is none. */
export function costCell(texts: Texts, estimate: CostEstimate): Html {
  const monthly = monthlyOf(estimate);
  if (monthly === null) {
    const { reason } = estimate;
    return html`<td class="number unknown">${texts.care.unknownCost}${reason === null ? null : html`<small>${texts.care.reason[reason] ?? reason}</small>`}</td>`;
  }
  return html`<td class="number" data-low="${monthly.low}" data-high="${monthly.high}"><b>${yenRange(texts, monthly)}</b></td>`;
}

/** What a figure rests on and leaves out, in one line. */
export function groundsOf({ care }: Texts, estimate: CostEstimate): Gap {
  const { basis, confidence, price_list, excludes } = estimate;
  const parts = [
    basis === null ? null : (care.basis[basis] ?? basis),
    confidence === null ? null : (care.confidence[confidence] ?? confidence),
    care.priceList(price_list),
  ].filter((part) => part !== null);
  const left = excludes.map((name) => care.excludeNames[name] ?? name).join('・');
  return html`<p class="note">${parts.join('・')}${left === '' ? null : html`<br>${care.excludes}: ${left}`}</p>`;
}
