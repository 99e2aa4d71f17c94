import { type Gap, type Html, html } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import type { CostEstimate } from './answers.ts';

/** A range of yen as text. */
export const yenRange = ({ care }: Texts, { low, high }: { low: number; high: number }): string =>
  care.range(care.yen(low), care.yen(high));

/** The same, no number of it broken over lines. */
function yenCell({ care }: Texts, { low, high }: { low: number; high: number }): Html {
  const piece = (text: string): Html => html`<span class="nowrap">${text}</span>`;
  return low === high
    ? piece(care.yen(low))
    : html`${piece(care.yen(low) + care.rangeMark)}<wbr>${piece(care.yen(high))}`;
}

type Bill = NonNullable<CostEstimate['monthly_yen']>;

/** What is left to pay for a month after refunds. */
export const monthlyOf = ({ after_refund, monthly_yen }: CostEstimate): Bill | null => after_refund ?? monthly_yen;

/** A table cell with what is left to pay for a month, its typical value and the bill before refunds, or why there is none. */
export function costCell(texts: Texts, estimate: CostEstimate): Html {
  const { care } = texts;
  const { reason, monthly_yen: bill } = estimate;
  const monthly = monthlyOf(estimate);
  if (monthly === null || bill === null) {
    return html`<td class="number unknown" data-label="${care.costShort}">${care.unknownCost}${reason === null ? null : html`<small>${care.reason[reason] ?? reason}</small>`}</td>`;
  }
  const isLess = monthly.low < bill.low || monthly.high < bill.high;
  return html`<td class="number" data-label="${care.costShort}" data-low="${monthly.low}" data-high="${monthly.high}"><b>${yenCell(texts, monthly)}</b><small>${care.typical(care.yen(monthly.typical))}${isLess ? html`<br>${care.beforeRefund(yenRange(texts, bill))}` : null}</small></td>`;
}

/** What a figure rests on and leaves out, in one line. */
export function groundsOf({ care, frame }: Texts, estimate: CostEstimate): Gap {
  const { basis, confidence, price_list, excludes } = estimate;
  const parts = [
    basis === null ? null : (care.basis[basis] ?? basis),
    confidence === null ? null : (care.confidence[confidence] ?? confidence),
    care.priceList(price_list),
  ].filter((part) => part !== null);
  // The refund is in the figures that are shown, those after refunds.
  const missing = excludes.filter((name) => estimate.after_refund === null || name !== 'high_cost_refund');
  const left = frame.list(missing.map((name) => care.excludeNames[name] ?? name));
  return html`<p class="note">${frame.list(parts)}${left === '' ? null : html`<br>${care.excludes}: ${left}`}</p>`;
}
