import { type Gap, type Html, html } from '../markup.ts';
import { type PageAsk, textsOf } from '../view.ts';
import type { CostEstimate, FacilityService } from './answers.ts';

type Bill = NonNullable<CostEstimate['monthly_yen']>;

/** What a month is made of, step by step, to what is left after refunds. */
export function bill(ask: PageAsk, { cost_estimate, service_name }: FacilityService): Gap {
  const { care, frame } = textsOf(ask);
  const { parts, monthly_yen: monthly, after_refund: after, reductions } = cost_estimate;
  const isLess = after !== null && monthly !== null && (after.low < monthly.low || after.high < monthly.high);
  if (parts === null || monthly === null) return html`<p class="unknown">${frame.unknown}</p>`;
  const row = (name: string, range: Bill, sign = '', isSum = false): Html => {
    const cell = (yen: number): Html =>
      html`<td class="number">${isSum ? html`<b>${care.yen(yen)}</b>` : `${sign}${care.yen(yen)}`}</td>`;
    return html`<tr><th scope="row">${name}</th>${[range.low, range.typical, range.high].map(cell)}</tr>`;
  };
  const { additions, ...summands } = parts;
  const { cap_yen: cap = null, ...steps } = reductions ?? {};
  const lessened = Object.entries(steps).flatMap(([name, range]) =>
    range === null ? [] : [row(care.reductions[name] ?? name, range, '−')],
  );
  const notes = [`${care.parts.additions}: ${care.range(care.yen(additions.low), care.yen(additions.high))}`];
  if (cap !== null) notes.push(care.cap(care.yen(cap)));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${service_name}: ${care.steps}"><table class="sheet n3"><thead><tr><th scope="col">${care.part}</th><th scope="col" class="number">${care.low}</th><th scope="col" class="number">${care.typicalColumn}</th><th scope="col" class="number">${care.high}</th></tr></thead><tbody>
${Object.entries(summands).map(([name, range]) => (range === null ? null : row(care.parts[name] ?? name, range)))}
${row(care.total, monthly, '', true)}${lessened}${isLess ? row(care.afterTotal, after, '', true) : null}</tbody></table></div>
<p class="note">${frame.list(notes)}</p>`;
}

/** The bill by care level, a table. */
export function levels(ask: PageAsk, { cost_estimate }: FacilityService): Gap {
  const { care } = textsOf(ask);
  const { by_care_level } = cost_estimate;
  if (by_care_level === null) return null;
  return html`<table aria-label="${care.byLevel}"><thead><tr><th scope="col">${care.careLevel}</th><th scope="col" class="number">${care.low}</th><th scope="col" class="number">${care.high}</th></tr></thead><tbody>${by_care_level.map(({ care_level, low, high }) => html`<tr><th scope="row">${care.careLevelOption(care_level)}</th><td class="number">${care.yen(low)}</td><td class="number">${care.yen(high)}</td></tr>`)}</tbody></table>`;
}
