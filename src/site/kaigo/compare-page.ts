import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { invalid, type KaigoAsk, listed, type PageResult, pageLink, textsOf } from '../view.ts';
import type { FacilityService } from './answers.ts';
import { caseForm, caseIn, caseLine, caseQuery, faultSaid } from './case.ts';
import { costCell, monthlyOf } from './money.ts';
import { serviceName, serviceOrder } from './services.ts';

const MOST = 4;

/** Up to four facilities on one sheet of paper. */
export function careComparePage(ask: KaigoAsk): PageResult {
  const { care } = textsOf(ask);
  const asked = [...new Set(listed(ask, 'f', 'add'))];
  const ids = asked.slice(0, MOST);
  const kaigo = ask.kaigo;
  const wanted = caseIn(ask.query);
  const fault = kaigo.caseFault(wanted, null);
  if (fault !== null) return invalid(faultSaid(ask, fault));
  const found = ids.map((id) => ({ id, facility: kaigo.facility(id, wanted)?.toJSON() ?? null }));
  const known = found.flatMap(({ facility }) => facility ?? []);
  const main = html`<h1>${care.compareTitle}</h1><p class="no-print">${care.compareLead}</p>
${caseForm(ask, pageLink(ask, '/kaigo/compare/'), wanted, html`<input type="hidden" name="f" value="${known.map(({ facility_id }) => facility_id).join(',')}"><label>${care.compareAdd}<input type="text" name="add" autocomplete="off"></label>`)}
${caseLine(ask, wanted)}
${asked.length > ids.length ? html`<p class="unknown" role="alert">${care.compareFirst}</p>` : null}
${found.map(({ id, facility }) => (facility === null ? html`<p class="unknown" role="alert">${care.unknownFacility(id)}</p>` : null))}
${known.length === 0 ? html`<p>${care.compareEmpty}</p>` : html`${cheapestLine(ask, known)}${table(ask, known)}`}
<p class="note">${care.compareHelp} ${care.print}</p>`;
  return { kind: 'page', title: care.compareTitle, description: care.compareLead, main, isPersonal: ids.length > 0 };
}

/** The service that people look for first. */
const mainService = ({ services }: Facility): FacilityService =>
  services.toSorted((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code))[0];

/** Which costs least with usual additions; where the figures cover different things, that none can be named. */
function cheapestLine(ask: KaigoAsk, facilities: readonly Facility[]): Gap {
  const { care } = textsOf(ask);
  const costs = facilities.flatMap((facility) => {
    const { cost_estimate: estimate } = mainService(facility);
    const typical = monthlyOf(estimate)?.typical;
    const isPart = estimate.basis === 'insured_part_only';
    return typical === undefined ? [] : [{ name: facility.name, typical, isPart }];
  });
  if (costs.length < 2) return null;
  if (new Set(costs.map(({ isPart }) => isPart)).size > 1) return html`<p class="answer">${care.notComparable}</p>`;
  const least = Math.min(...costs.map(({ typical }) => typical));
  const names = costs.filter(({ typical }) => typical === least).map(({ name }) => name);
  return html`<p class="answer">${care.cheapest(names.join(ask.language === 'ja' ? '・' : ', '), care.yen(least))}</p>`;
}

function table(ask: KaigoAsk, facilities: readonly Facility[]): Html {
  const texts = textsOf(ask);
  const { care, frame } = texts;
  const mains = facilities.map(mainService);
  const row = (name: string, cells: readonly (Gap | null)[]): Html =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => (cell === null || cell === undefined ? html`<td class="unknown">${frame.unknown}</td>` : html`<td>${cell}</td>`))}</tr>`;
  const own = new URLSearchParams(caseQuery(ask.query));
  const link = (id: string): string => `${pageLink(ask, `/kaigo/facility/${id}/`)}${own.size === 0 ? '' : `?${own}`}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${care.compareTitle}"><table class="sheet n${facilities.length}"><thead><tr><th scope="col">${care.name}</th>${facilities.map(({ facility_id, name }) => html`<th scope="col"><a href="${link(facility_id)}">${name}</a></th>`)}</tr></thead>
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
