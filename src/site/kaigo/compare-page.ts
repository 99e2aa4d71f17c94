import { type CostEstimate, comparableCost, costsDiffer } from '../../contract/kaigo-cost.ts';
import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import type { Place } from '../../dataset/search.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { MOST_HOMES } from '../compared.ts';
import { type Fragment, type Html, html, isolated, phoneNumber, scrolling } from '../markup.ts';
import { kanaOf } from '../names.ts';
import { savedList } from '../parts.ts';
import type { Texts } from '../texts/texts.ts';
import { invalid, type KaigoAsk, listed, type PageResult, pageLink, textsOf, withQuery } from '../view.ts';
import {
  caseAndResults,
  caseFaultText,
  caseForm,
  caseIn,
  caseInApi,
  caseLine,
  crumbsFromSearch,
  hidden,
  homePath,
  RESULT_FIELD_NAMES,
  resultsQuery,
  roomsAt,
  searchQuery,
  tablePath,
} from './case.ts';
import {
  cheapestLine,
  costCell,
  costNames,
  excludedOf,
  type FacilityService,
  leftOutOf,
  monthlyOf,
  sameCostText,
} from './money.ts';
import { type AskedPlace, placeAsked } from './near-page.ts';
import { addressOf, municipalityOf } from './place.ts';
import { serviceName, serviceOrder } from './services.ts';
import { countedOf } from './table-page.ts';

/** Limit of the homes that a name finds. */
const MOST_FOUND = 8;

/** The page that compares up to `MOST_HOMES` facilities, on one sheet of paper. */
export function careComparePage(ask: KaigoAsk): PageResult {
  const { care } = textsOf(ask);
  const { addedId, unclear: unclearName } = addition(ask);
  const requestedIds = [...new Set([...listed(ask, 'f'), ...(addedId === null ? [] : [addedId])])];
  const ids = requestedIds.slice(0, MOST_HOMES);
  const kaigo = ask.kaigo;
  const careCase = caseIn(ask.query);
  const fault = caseFaultText(ask);
  if (fault !== null) return invalid(fault);
  const lookUps = ids.map((id) => ({ id, facility: kaigo.facility(id, careCase)?.toJSON() ?? null }));
  const facilities = lookUps.flatMap(({ facility }) => facility ?? []);
  const knownIds = facilities.map(({ facility_id }) => facility_id);
  const action = pageLink(ask, '/kaigo/compare/');
  const chosen = html`<input type="hidden" name="f" value="${knownIds.join(',')}">`;
  const saved = savedList(ask, 'homes', caseAndResults(ask.query));
  const isEmpty = facilities.length === 0;
  const rooms = isEmpty ? {} : { rooms: roomsAt(ask.kaigo, facilities) };
  const formParts = { first: hidden(resultsQuery(ask.query)), more: chosen, ...rooms };
  const main = html`<h1>${care.compareTitle}</h1><p class="no-print">${care.compareLead}</p>
${answerOf(ask, facilities)}
${caseLine(ask, careCase)}${caseForm(ask, action, careCase, formParts)}
${unclearName === null ? null : whichLine(ask, knownIds, unclearName)}
${requestedIds.length > ids.length ? html`<p class="unknown" role="alert">${care.compareFirst}</p>` : null}
${lookUps.map(({ id, facility }) => (facility === null ? html`<p class="unknown" role="alert">${care.unknownFacility(id)}</p>` : null))}
${isEmpty ? [saved, html`<p>${care.compareEmpty}</p>`] : table(ask, facilities)}
<form class="picker no-print" method="get" action="${action}">${chosen}${hidden(caseAndResults(ask.query))}
<label class="whole">${care.compareAdd}<input type="text" name="add" autocomplete="off" required maxlength="100"></label><button>${care.add}</button></form>
${isEmpty ? null : [moreLine(ask, facilities), jsonLink(ask, knownIds)]}
<p class="note no-print">${care.compareHelp}</p>${isEmpty ? null : saved}`;
  return {
    kind: 'page',
    title: care.compareTitle,
    description: care.compareLead,
    crumbs: crumbsFromSearch(ask),
    main,
    notPrinted: RESULT_FIELD_NAMES,
    isPersonal: ids.length > 0,
  };
}

/** What the add field names. Both are null when the field is empty. */
interface Addition {
  /** The office number in it, such as in the URL of a page, or that of the only home with this name. */
  addedId: string | null;
  /** A name of several homes or of none, and these homes: the page asks which is meant. */
  unclear: { name: string; places: readonly Place[] } | null;
}

/** The ID of a facility (its office number), alone or inside a text such as a URL. */
const FACILITY_ID = /(?<![0-9A-Z])\d{2}[0-9A-Z]\d{7}(?![0-9A-Z])/;

/** The facility that the add field names: by its ID anywhere in the text, otherwise by its name. */
function addition({ query, dataset }: KaigoAsk): Addition {
  const name = (query.get('add') ?? '').trim();
  if (name === '') return { addedId: null, unclear: null };
  const [id] = FACILITY_ID.exec(name.normalize('NFKC').toUpperCase()) ?? [];
  if (id !== undefined) return { addedId: id, unclear: null };
  const places = dataset.search?.find(name, 'facility', MOST_FOUND).places ?? [];
  return places.length === 1 ? { addedId: places[0].id, unclear: null } : { addedId: null, unclear: { name, places } };
}

/** The URL of the comparison of some facilities for the chosen case. */
const comparison = (ask: KaigoAsk, ids: readonly string[]): string =>
  `${pageLink(ask, '/kaigo/compare/')}?${new URLSearchParams([['f', ids.join(',')], ...caseAndResults(ask.query)])}`;

/** A link to the comparison as JSON. */
function jsonLink(ask: KaigoAsk, ids: readonly string[]): Html {
  const url = withQuery(pageLink(ask, '/kaigo/compare/index.json'), [['f', ids.join(',')], ...caseInApi(ask.query)]);
  return html`<p class="no-print"><a href="${url}">${textsOf(ask).frame.asJson}</a></p>`;
}

/** The homes that a name in the add field could mean, each a link that adds it; or a note that there is none. */
function whichLine(
  ask: KaigoAsk,
  ids: readonly string[],
  { name, places }: { name: string; places: readonly Place[] },
): Html {
  const { care } = textsOf(ask);
  if (places.length === 0) return html`<p class="unknown" role="alert">${isolated(care.compareNone(name), [name])}</p>`;
  const items = places.map(
    (place) =>
      html`<li><a href="${comparison(ask, [...ids, place.id])}"><bdi>${place.name}</bdi></a> <span class="quiet"><bdi>${place.address ?? ''}</bdi></span></li>`,
  );
  return html`<p role="alert">${isolated(care.compareWhich(name), [name])}</p><ul class="plain">${items}</ul>`;
}

/**
 * A link to a list in which other homes can be ticked: that of the last home's municipality and service. Null when no
 * more homes can be compared, and when the last home's municipality is unknown.
 */
function moreLine(ask: KaigoAsk, facilities: readonly Facility[]): Fragment {
  const { care } = textsOf(ask);
  const last = facilities.at(-1);
  if (facilities.length >= MOST_HOMES || last === undefined || last.municipality_code === null) return null;
  const { service_code: service } = mainService(last);
  const place = municipalityOf(ask, last);
  const list = pageLink(ask, tablePath(ask, last.municipality_code, service));
  const name = care.tableTitle(place, serviceName(service, ask.language));
  return html`<p class="no-print">${care.compareMore} <a href="${list}">${name}</a></p>`;
}

/** The service of a facility that comes first in the order of services: homes come before other services. */
const mainService = ({ services }: Facility): FacilityService =>
  services.toSorted((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code))[0];

/**
 * A sentence that names the cheapest home with usual additions, or says why none can be named. Null for fewer than two
 * homes with known costs.
 */
function answerOf(ask: KaigoAsk, facilities: readonly Facility[]): Fragment {
  const texts = textsOf(ask);
  const homes = facilities.flatMap((facility) => {
    const { service_code: service, cost_estimate: estimate } = mainService(facility);
    return monthlyOf(estimate) === null ? [] : [{ name: facility.name, service, estimate }];
  });
  if (homes.length < 2) return null;
  const sentence = cheapestOrWhyNot(texts, homes);
  return sentence === null ? null : html`<p class="answer">${sentence}</p>`;
}

/** Which of at least two homes is the cheapest, or why none can be named; null when there is nothing to say. */
function cheapestOrWhyNot(
  texts: Texts,
  homes: readonly { name: string; service: string; estimate: CostEstimate }[],
): Fragment {
  const estimates = homes.map(({ estimate }) => estimate);
  const leaveOutTheSame = new Set(estimates.map((estimate) => excludedOf(estimate).join())).size === 1;
  if (!leaveOutTheSame) return texts.care.notComparable;
  // `costsDiffer` compares costs of one service only: of several services it is false, whatever they cost.
  const areOfOneService = new Set(homes.map(({ service }) => service)).size === 1;
  const costs = homes.map(({ service, estimate }) => comparableCost(service, estimate));
  if (areOfOneService && !costsDiffer(costs)) return sameCostText(texts, estimates);
  return cheapestLine(texts, homes, 'typical');
}

/** The row of the distances from the place of the search from which the visitor came. */
function distanceRow(
  { care, frame, sunlight }: Texts,
  { name, lat, lon }: AskedPlace,
): [name: string, cell: (home: Facility) => Fragment] {
  const plane = new LocalPlane(lat, lon);
  const heading = name === null ? care.distance : frame.apart(care.distance, name);
  return [
    heading,
    (home) =>
      home.lat === null || home.lon === null
        ? null
        : sunlight.careDistance(Math.hypot(plane.x(home.lat, home.lon), plane.y(home.lat))),
  ];
}

/** The table of the comparison: a column for each home. */
function table(ask: KaigoAsk, facilities: readonly Facility[]): Html {
  const texts = textsOf(ask);
  const { care, frame } = texts;
  const mains = facilities.map(mainService);
  const tableCell = (content: Fragment): Html =>
    content === null ? html`<td class="unknown">${frame.unknown}</td>` : html`<td>${content}</td>`;
  const row = (name: string, contents: readonly Fragment[]): Html =>
    html`<tr><th scope="row">${name}</th>${contents.map(tableCell)}</tr>`;
  const without = (id: string): string =>
    comparison(
      ask,
      facilities.flatMap(({ facility_id }) => (facility_id === id ? [] : [facility_id])),
    );
  const headings = facilities.map(
    ({ facility_id: id, name, name_kana }) =>
      html`<th scope="col"><a href="${pageLink(ask, homePath(ask, id))}"><bdi>${name}</bdi></a>${ask.language === 'en' ? html`<small>${kanaOf(ask, { name, name_kana })}</small>` : null}<a class="no-print remove" href="${without(id)}">${frame.takeOut}</a></th>`,
  );
  const ratio = ({ staffing }: FacilityService): Fragment =>
    staffing?.users_per_care_staff == null
      ? null
      : html`${care.ratioValue(staffing.users_per_care_staff.toFixed(2))}<br><small>${frame.list(countedOf(texts, staffing))}</small>`;
  const ofService: [name: string, cell: (service: FacilityService) => Fragment][] = [
    [care.service, ({ service_code }) => serviceName(service_code, ask.language)],
    [care.excludes, ({ cost_estimate }) => frame.list(costNames(texts, leftOutOf(cost_estimate)))],
    [care.ratio, ratio],
    [care.capacity, ({ capacity }) => (capacity === null ? null : care.people(capacity))],
    [care.waiting, ({ waiting }) => (waiting === null ? null : care.people(waiting))],
    [care.privateRooms, ({ rooms }) => (rooms?.private == null ? null : care.roomsCount(rooms.private))],
    [care.opened, ({ opened_on }) => opened_on && html`<span class="nowrap">${opened_on}</span>`],
  ];
  const from = searchQuery(ask.query).length === 0 ? null : placeAsked(ask);
  const ofHome: [name: string, cell: (home: Facility) => Fragment][] = [
    ...(from === null ? [] : [distanceRow(texts, from)]),
    [care.address, (facility) => html`<bdi>${addressOf(facility)}</bdi>`],
    [care.phone, ({ phone }) => phone && phoneNumber(phone)],
    [care.corporation, ({ corporation: { name } }) => name && html`<bdi>${name}</bdi>`],
  ];
  const sheet = html`<table class="sheet compared n${facilities.length}" aria-label="${care.compareTitle}">
<thead><tr><th scope="col">${care.name}</th>${headings}</tr></thead>
<tbody><tr><th scope="row">${care.cost}</th>${mains.map(({ cost_estimate }) => costCell(texts, cost_estimate, 'typical'))}</tr>
${ofService.map(([name, cell]) => row(name, mains.map(cell)))}
${ofHome.map(([name, cell]) => row(name, facilities.map(cell)))}</tbody></table>`;
  return scrolling(care.compareTitle, sheet);
}
