import { ROOMS } from '../../contract/kaigo-cost.ts';
import type { FacilitiesNear } from '../../contract/operations/kaigo-near.ts';
import type { Place } from '../../dataset/search.ts';
import { fold } from '../../search/romaji.ts';
import { type Gap, type Html, html, isolated } from '../markup.ts';
import { townNamed } from '../names.ts';
import { invalid, type KaigoAsk, type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';
import { caseForm, caseIn, caseLine, caseQuery, faultSaid, filterIn, RADII, wrongNumbers } from './case.ts';
import { homesPlan } from './homes-plan.ts';
import { cheapestLine, comparable, excludedOf, groundsOf, isInsuredPart, monthlyOf, sameCostSaid } from './money.ts';
import { HOMES, serviceName } from './services.ts';
import { homeRow, homeTable, knownColumns, unknownColumns } from './table-page.ts';

const FIRST_RADIUS = 2000;
/** Limit of the shown facilities. */
const MOST = 50;
/** Limit of the tested facilities, so that too expensive ones leave room for others. */
const LOOKED_AT = 500;

/** Homes around a place with their costs, the nearest first, within the affordable sum. */
export function careNearPage(ask: KaigoAsk): PageResult {
  const { care, frame } = textsOf(ask);
  if ((ask.query.get('lat') === null) !== (ask.query.get('lon') === null)) {
    return invalid('lat and lon belong together: give both or none.');
  }
  const crumbs = [{ name: frame.kaigo, path: '/kaigo/' }];
  const about = { kind: 'page', title: care.nearTitle, description: care.nearLead, crumbs } as const;
  const wanted = caseIn(ask.query);
  const where = placeAsked(ask);
  if (where === null) {
    const asked = ask.query.get('q') ?? '';
    return {
      ...about,
      main: html`<h1>${care.nearTitle}</h1><p class="answer">${care.nearLead}</p>${asked === '' ? null : html`<p class="unknown" role="alert">${isolated(care.nearUnknownPlace(asked), [asked])}</p>`}${placeForm(ask)}`,
      isPersonal: asked !== '',
    };
  }
  const { lat, lon } = where;
  const service = ask.query.get('service') ?? 'homes';
  const fault = ask.kaigo.caseFault(wanted, service === 'homes' ? null : service);
  if (fault !== null) return invalid(faultSaid(ask, fault));
  const radius = Number(ask.query.get('r') ?? FIRST_RADIUS);
  const { maxYen } = filterIn(ask.query);
  const services = service === 'homes' ? HOMES : [service];
  const near = ask.kaigo.near(lat, lon, radius, services, LOOKED_AT, wanted).toJSON();
  const found = near.facilities;
  const within = maxYen === null ? found : found.filter((row) => (wholeCost(row) ?? Infinity) <= maxYen);
  const unknown = maxYen === null ? 0 : found.filter((row) => wholeCost(row) === null).length;
  const main = html`<h1>${care.nearTitle}</h1><p class="quiet"><bdi>${where.name ?? placeOf(ask, lat, lon)}</bdi></p>${otherPlaces(ask, where)}
<p class="answer">${answerOf(ask, radius, near, within, maxYen)}</p>
${caseLine(ask, wanted)}${caseForm(ask, pageLink(ask, '/kaigo/near/'), wanted, { rooms: service === 'homes' ? ROOMS : ask.kaigo.rooms(service), more: fields(ask, { where, radius, service }) })}${wrongNumbers(ask)}
${homesPlan(ask, within.slice(0, MOST), where)}
${within.length === 0 ? null : list(ask, within.slice(0, MOST))}
${within.length > MOST ? html`<p class="note">${care.nearMore(MOST)}</p>` : null}${unknown === 0 ? null : html`<p class="note">${care.nearPartOnly(unknown)}</p>`}<p class="note">${care.nearUnknown} ${care.careDate(ask.dataset.manifest.halves.kaigo?.data_through ?? null)}</p>`;
  return { ...about, main, isPersonal: true };
}

type Row = FacilitiesNear['facilities'][number];

/** The monthly costs with usual additions; null when unknown, or without rent and food. */
const wholeCost = ({ cost_estimate: estimate }: Row): number | null =>
  excludedOf(estimate).length > 0 ? null : (monthlyOf(estimate)?.typical ?? null);

/**
 * Of the homes with the same lowest cost, those with the shortest waiting list first, each with that list; then by
 * distance.
 */
function tiesInOrder(ask: KaigoAsk, rows: readonly Row[]): Row[] {
  const { care } = textsOf(ask);
  const least = Math.min(...rows.map((row) => wholeCost(row) ?? Infinity));
  const cheapest = rows.filter((row) => wholeCost(row) === least);
  if (cheapest.length < 2) return [...rows];
  const waiting = (row: Row): number | null =>
    ask.kaigo
      .facility(row.facility_id)
      ?.toJSON()
      .services.find((service) => service.waiting !== null)?.waiting ?? null;
  const told = cheapest
    .map((row) => ({ row, waiting: waiting(row) }))
    .toSorted((a, b) => (a.waiting ?? Infinity) - (b.waiting ?? Infinity))
    .map(({ row, waiting: n }) => (n === null ? row : { ...row, name: care.nearWaiting(row.name, n) }));
  return [...told, ...rows.filter((row) => wholeCost(row) !== least)];
}

/** The number of homes, the number of affordable ones, and the cheapest of these. */
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
  const [first] = comparable(found.map((row) => row.cost_estimate));
  if (found.length > 1 && !comparable_cost && first !== undefined) {
    // Whole bills and the insured part only: no statement holds for both.
    const areAlike = new Set(found.map((row) => isInsuredPart(row.cost_estimate))).size === 1;
    return `${count} ${areAlike ? sameCostSaid(texts, first) : care.comparisonIsGuide}`;
  }
  const homes = tiesInOrder(ask, known).map(({ name, cost_estimate: estimate }) => ({ name, estimate }));
  const cheapest = cheapestLine(texts, homes, 'typical');
  return cheapest === null ? count : html`${count} ${cheapest}`;
}

function fields(ask: KaigoAsk, now: { where: AskedPlace; radius: number; service: string }): Html {
  const { care, sunlight } = textsOf(ask);
  const option = (value: string | number, name: string, chosen: string | number): Html =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${name}</option>`;
  const { where } = now;
  const place =
    where.name === null
      ? html`<input type="hidden" name="lat" value="${where.lat}"><input type="hidden" name="lon" value="${where.lon}">`
      : html`<label class="whole">${care.nearPlace}<input name="q" maxlength="100" value="${ask.query.get('q') ?? ''}"></label>`;
  return html`${place}
<label>${care.nearRadius}<select name="r">${RADII.map((metres) => option(metres, sunlight.careDistance(metres), now.radius))}</select></label>
<label>${care.service}<select name="service">${option('homes', care.nearHomes, now.service)}${HOMES.map((code) => option(code, serviceName(code, ask.language), now.service))}</select></label>
<label>${care.nearMaxYen}<input name="max_yen" size="8" maxlength="30" placeholder="${care.sumExample}" value="${ask.query.get('max_yen') ?? ''}"></label>`;
}

function list(ask: KaigoAsk, rows: readonly Row[]): Html {
  const texts = textsOf(ask);
  const { care, sunlight } = texts;
  const columns = knownColumns(rows);
  const lines = rows.map((row, i) =>
    homeRow(
      ask,
      row,
      columns,
      `${i + 1}. ${sunlight.careDistance(row.distance_m)} · ${serviceName(row.service_codes[0] ?? '', ask.language)}`,
    ),
  );
  const [first, ...others] = rows.map((row) => row.cost_estimate);
  return html`${first === undefined ? null : groundsOf(texts, [first, ...others])}
<form method="get" action="${pageLink(ask, '/kaigo/compare/')}">${caseQuery(ask.query).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="bar no-print"><button>${care.compareChosen}</button> <span class="quiet">${care.compareLead}</span></p>
${homeTable(ask, care.nearTitle, lines, columns)}</form>${unknownColumns(texts, columns)}`;
}

/** The town of the nearest building, if the city model covers the place. */
function placeOf(ask: PageAsk, lat: number, lon: number): string {
  const [nearest] = ask.dataset.sunlight?.near(lat, lon, 300, 1).toJSON().buildings ?? [];
  const at = `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
  if (nearest === undefined || nearest.town_code === null || nearest.town_name === null) return at;
  return `${townNamed(ask, nearest.town_code, nearest.town_name)} · ${at}`;
}

/** The place around which homes are listed. */
interface AskedPlace {
  lat: number;
  lon: number;
  /** The place found by name; null when the query gives a position. */
  name: string | null;
  /** Other places with the same name. */
  others: readonly Place[];
}

const MOST_ALIKE = 20;
const MOST_OTHERS = 4;

/** By position, or by the written name; null when neither gives a place. */
function placeAsked(ask: KaigoAsk): AskedPlace | null {
  const [lat, lon, q] = ['lat', 'lon', 'q'].map((name) => ask.query.get(name));
  if (lat && lon) return { lat: Number(lat), lon: Number(lon), name: null, others: [] };
  if (!q) return null;
  const found = (ask.dataset.search?.find(q, null, MOST_ALIKE).places ?? []).filter((one) => one.lat !== null);
  const [first, ...others] = found;
  if (first === undefined || first.lat === null || first.lon === null) return null;
  const isExact = first.kind !== 'town' || fold(first.name) === fold(q);
  const towns = found.filter(({ kind }) => kind === 'town');
  // For the common beginning of several names, such as 神田, the middle of these places.
  const middle = (of: (town: Place) => number | null): number =>
    towns.reduce((sum, town) => sum + (of(town) ?? 0), 0) / towns.length;
  if (!isExact && towns.length > 1) {
    return {
      lat: middle(({ lat }) => lat),
      lon: middle(({ lon }) => lon),
      name: textsOf(ask).care.nearMiddle(q),
      others: found,
    };
  }
  const name = first.address ?? first.name;
  return { lat: first.lat, lon: first.lon, name, others: first.kind === 'town' ? others : [] };
}

/** Other places with the name, each a link to their homes. */
function otherPlaces(ask: KaigoAsk, { others }: AskedPlace): Gap {
  if (others.length === 0) return null;
  const { care } = textsOf(ask);
  const link = ({ name, address, lat, lon }: Place): Html => {
    const query = new URLSearchParams([...caseQuery(ask.query), ['lat', String(lat)], ['lon', String(lon)]]);
    return html`<a href="${pageLink(ask, '/kaigo/near/')}?${String(query)}"><bdi>${address ?? name}</bdi></a> `;
  };
  return html`<p class="chips no-print"><span class="quiet">${care.nearOthers}</span>${others.slice(0, MOST_OTHERS).map(link)}</p>`;
}

/** The first step: a form for place and case. */
export function placeForm(ask: KaigoAsk): Html {
  const { care } = textsOf(ask);
  const field = html`<label class="whole">${care.nearPlace}<input name="q" type="search" autocomplete="off" maxlength="100" required placeholder="${care.nearPlaceExample}" value="${ask.query.get('q') ?? ''}"></label>`;
  return caseForm(ask, pageLink(ask, '/kaigo/near/'), caseIn(ask.query), { first: field });
}
