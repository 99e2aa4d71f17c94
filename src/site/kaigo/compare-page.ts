import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { invalid, listed, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';
import { caseForm, caseIn, caseLine } from './case.ts';
import { costCell } from './money.ts';
import { serviceName, serviceOrder } from './services.ts';

const MOST = 4;

/** Up to four facilities on one sheet of paper. */
export function careComparePage(ask: PageAsk): PageResult {
  const { care } = textsOf(ask);
  const ids = listed(ask, 'f', 'add');
  if (ids.length > MOST) return invalid(care.compareLead);
  const kaigo = ask.dataset.kaigo!;
  const wanted = caseIn(ask.query);
  const fault = kaigo.caseFault(wanted, null);
  if (fault !== null) return invalid(fault);
  const found = ids.map((id) => ({ id, facility: kaigo.facility(id, wanted)?.toJSON() ?? null }));
  const known = found.flatMap(({ facility }) => facility ?? []);
  const main = html`<h1>${care.compareTitle}</h1><p>${care.compareLead} ${care.print}</p>
${caseForm(ask, pageLink(ask, '/kaigo/compare/'), wanted, html`<input type="hidden" name="f" value="${known.map(({ facility_id }) => facility_id).join(',')}"><label>${care.compareAdd}<input type="text" name="add" autocomplete="off"></label>`)}
${caseLine(ask, wanted)}
<p class="note">${care.compareHelp}</p>
${found.map(({ id, facility }) => (facility === null ? html`<p class="unknown" role="alert">${care.unknownFacility(id)}</p>` : null))}
${known.length === 0 ? html`<p>${care.compareEmpty}</p>` : table(ask, known)}`;
  return { kind: 'page', title: care.compareTitle, description: care.compareLead, main, isPersonal: ids.length > 0 };
}

function table(ask: PageAsk, facilities: readonly Facility[]): Html {
  const texts = textsOf(ask);
  const { care, frame } = texts;
  const mains = facilities.map(
    ({ services }) => [...services].sort((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code))[0]!,
  );
  const row = (name: string, cells: readonly (Gap | null)[]): Html =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => (cell === null || cell === undefined ? html`<td class="unknown">${frame.unknown}</td>` : html`<td>${cell}</td>`))}</tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${care.compareTitle}"><table class="wide"><caption>${care.cost}</caption><thead><tr><th scope="col">${care.name}</th>${facilities.map(({ facility_id, name }) => html`<th scope="col"><a href="${pageLink(ask, `/kaigo/facility/${facility_id}/`)}">${name}</a></th>`)}</tr></thead>
<tbody><tr><th scope="row">${care.cost}</th>${mains.map(({ cost_estimate }) => costCell(texts, cost_estimate))}</tr>
${row(
  care.service,
  mains.map(({ service_code }) => serviceName(service_code, ask.language)),
)}
${row(
  care.ratio,
  mains.map(({ staffing }) => staffing?.users_per_care_staff?.toFixed(2) ?? null),
)}
${row(
  care.capacity,
  mains.map(({ capacity }) => capacity),
)}
${row(
  care.waiting,
  mains.map(({ waiting }) => waiting),
)}
${row(
  care.privateRooms,
  mains.map(({ rooms }) => rooms?.private ?? null),
)}
${row(
  care.opened,
  mains.map(({ opened_on }) => opened_on),
)}
${row(
  care.address,
  facilities.map(({ address }) => address),
)}
${row(
  care.phone,
  facilities.map(({ phone }) => phone),
)}
${row(
  care.corporation,
  facilities.map(({ corporation }) => corporation.name),
)}</tbody></table></div>`;
}
