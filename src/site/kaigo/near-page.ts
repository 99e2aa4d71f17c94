import { ROOMS } from '../../contract/kaigo-cost.ts';
import type { FacilitiesNear } from '../../contract/operations/kaigo-near.ts';
import { type Gap, type Html, html } from '../markup.ts';
import { townNamed } from '../names.ts';
import { invalid, type KaigoAsk, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';
import { caseForm, caseIn, caseLine, caseQuery, faultSaid, filterIn, RADII } from './case.ts';
import { cheapestLine, excludedOf, groundsOf, monthlyOf } from './money.ts';
import { HOMES, serviceName } from './services.ts';
import { homeRow, homeTable } from './table-page.ts';

const FIRST_RADIUS = 2000;
/** Facilities that are shown, at most. */
const MOST = 50;
/** Facilities that are looked at, so that those which cost too much leave room for others. */
const LOOKED_AT = 500;

/** Homes around a place by what they cost, the nearest first: those that cost no more than one can pay. */
export function careNearPage(ask: KaigoAsk): PageResult {
  const { care, frame } = textsOf(ask);
  const [lat, lon] = [ask.query.get('lat'), ask.query.get('lon')];
  if ((lat === null) !== (lon === null)) return invalid('lat and lon belong together: give both or none.');
  const crumbs = [{ name: frame.kaigo, path: '/kaigo/' }];
  const about = { kind: 'page', title: care.nearTitle, description: care.nearLead, crumbs } as const;
  if (lat === null || lon === null) {
    return {
      ...about,
      main: html`<h1>${care.nearTitle}</h1><p class="answer">${care.nearLead}</p><p>${care.nearHow}</p>${searchForm(ask)}`,
    };
  }
  const wanted = caseIn(ask.query);
  const service = ask.query.get('service') ?? 'homes';
  const fault = ask.kaigo.caseFault(wanted, service === 'homes' ? null : service);
  if (fault !== null) return invalid(faultSaid(ask, fault));
  const radius = Number(ask.query.get('r') ?? FIRST_RADIUS);
  const { maxYen } = filterIn(ask.query);
  const services = service === 'homes' ? HOMES : [service];
  const near = ask.kaigo.near(Number(lat), Number(lon), radius, services, LOOKED_AT, wanted);
  const found = near.facilities;
  const within = maxYen === null ? found : found.filter((row) => (wholeCost(row) ?? Infinity) <= maxYen);
  const unknown = maxYen === null ? 0 : found.filter((row) => wholeCost(row) === null).length;
  const main = html`<h1>${care.nearTitle}</h1><p class="quiet">${placeOf(ask, Number(lat), Number(lon))}</p>
<p class="answer">${answerOf(ask, radius, near, within, maxYen)}</p>
${caseLine(ask, wanted)}${caseForm(ask, pageLink(ask, '/kaigo/near/'), wanted, { rooms: service === 'homes' ? ROOMS : ask.kaigo.rooms(service), more: fields(ask, { lat, lon, radius, service, maxYen }) })}
${within.length === 0 ? null : list(ask, within.slice(0, MOST))}
${within.length > MOST ? html`<p class="note">${care.nearMore(MOST)}</p>` : null}${unknown === 0 ? null : html`<p class="note">${care.nearPartOnly(unknown)}</p>`}<p class="note">${care.nearUnknown} ${care.careDate(ask.dataset.manifest.halves.kaigo?.data_through ?? null)}</p>`;
  return { ...about, main, isPersonal: true };
}

type Row = FacilitiesNear['facilities'][number];

/** What a month costs with usual additions; null where it is not known, or without rent and food. */
const wholeCost = ({ cost_estimate: estimate }: Row): number | null =>
  excludedOf(estimate).length > 0 ? null : (monthlyOf(estimate)?.typical ?? null);

/** How many there are, how many of them one can pay, and which of these costs least. */
function answerOf(
  ask: KaigoAsk,
  radius: number,
  { facilities: found, comparable_cost }: FacilitiesNear,
  within: readonly Row[],
  maxYen: number | null,
): Gap {
  const texts = textsOf(ask);
  const { care, sunlight } = texts;
  const distance = sunlight.careDistance(radius);
  if (found.length === 0) return care.nearNone(distance);
  const known = within.filter((row) => wholeCost(row) !== null);
  const count =
    maxYen === null
      ? care.nearCount(distance, found.length)
      : care.nearWithin(distance, found.length, care.yen(maxYen), within.length);
  if (found.length > 1 && !comparable_cost) return `${count} ${care.nationalPrice}`;
  const homes = known.map(({ name, cost_estimate: estimate }) => ({ name, estimate }));
  const cheapest = cheapestLine(texts, homes, 'typical');
  return cheapest === null ? count : html`${count} ${cheapest}`;
}

function fields(
  ask: KaigoAsk,
  now: { lat: string; lon: string; radius: number; service: string; maxYen: number | null },
): Html {
  const { care, sunlight } = textsOf(ask);
  const option = (value: string | number, name: string, chosen: string | number): Html =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${name}</option>`;
  return html`<input type="hidden" name="lat" value="${now.lat}"><input type="hidden" name="lon" value="${now.lon}">
<label>${care.nearRadius}<select name="r">${RADII.map((metres) => option(metres, sunlight.careDistance(metres), now.radius))}</select></label>
<label>${care.service}<select name="service">${option('homes', care.nearHomes, now.service)}${HOMES.map((code) => option(code, serviceName(code, ask.language), now.service))}</select></label>
<label>${care.nearMaxYen}<input name="max_yen" inputmode="numeric" pattern="[0-9]*" size="8" value="${now.maxYen ?? ''}"></label>`;
}

function list(ask: KaigoAsk, rows: readonly Row[]): Html {
  const texts = textsOf(ask);
  const { care, sunlight } = texts;
  const lines = rows.map((row) =>
    homeRow(
      ask,
      row,
      `${sunlight.careDistance(row.distance_m)} · ${serviceName(row.service_codes[0] ?? '', ask.language)}`,
    ),
  );
  const [first, ...others] = rows.map((row) => row.cost_estimate);
  return html`${first === undefined ? null : groundsOf(texts, [first, ...others])}
<form method="get" action="${pageLink(ask, '/kaigo/compare/')}">${caseQuery(ask.query).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="bar no-print"><button>${care.compareChosen}</button> <span class="quiet">${care.compareLead}</span></p>
${homeTable(ask, care.nearTitle, lines)}</form>`;
}

/** The town of the nearest building, where the city model covers the place. */
function placeOf(ask: PageAsk, lat: number, lon: number): string {
  const [nearest] = ask.dataset.sunlight?.near(lat, lon, 300, 1).toJSON().buildings ?? [];
  const at = `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
  if (nearest === undefined || nearest.town_code === null || nearest.town_name === null) return at;
  return `${townNamed(ask, nearest.town_code, nearest.town_name)} · ${at}`;
}

function searchForm(ask: PageAsk): Html {
  const { frame } = textsOf(ask);
  const label = frame.searchLabel(ask.dataset);
  return html`<form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${frame.search}"><label class="visually-hidden" for="near-q">${label}</label><input id="near-q" name="q" type="search" autocomplete="off" maxlength="100" placeholder="${label}"><button>${frame.search}</button></form>`;
}
