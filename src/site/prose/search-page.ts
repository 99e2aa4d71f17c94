import { editDistance } from '../../contract/edit-distance.ts';
import { MOST_PLACES } from '../../contract/operations/search.ts';
import type { Found, Place } from '../../dataset/search.ts';
import { fold, isLatin, latinName } from '../../search/romaji.ts';
import { lookUps } from '../../search/terms.ts';
import { HOMES, nearPath, serviceName, serviceOrder } from '../kaigo/services.ts';
import { type Gap, type Html, html, isolated } from '../markup.ts';
import { latinWard, prefectureNamed, readable, townNamed, wardNamed, wardsOf } from '../names.ts';
import { outlineOf } from '../sunlight/building-tables.ts';
import { type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';
import { type AskedServices, askedServices } from './asked-services.ts';

const NOTHING_FOUND: Found = { places: [], ignored: null };

/** The results of a search. */
export function searchPage(ask: PageAsk): PageResult {
  const { prose, frame } = textsOf(ask);
  const q = (ask.query.get('q') ?? '').trim();
  const found = (q !== '' && ask.dataset.search?.find(q, null, MOST_PLACES)) || NOTHING_FOUND;
  const places = wardFirst(q, found.places);
  const services = q === '' || ask.dataset.kaigo === null ? null : askedServices(q, places.length === 0);
  const title = q === '' ? prose.searchTitle : prose.searchFor(q);
  const label = frame.searchLabel(ask.dataset);
  const main = html`<h1>${isolated(title, [q])}</h1>
<form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${prose.searchTitle}"><label class="visually-hidden" for="page-q">${label}</label><input id="page-q" name="q" type="search" value="${q}" autocomplete="off" maxlength="100" placeholder="${label}"><button>${frame.search}</button></form>
${q === '' ? html`<p>${prose.searchEmpty(label)}</p>${coverage(ask)}` : results(ask, q, { places, ignored: found.ignored }, services)}`;
  return { kind: 'page', title, description: prose.searchEmpty(label), main, isPersonal: true, hasSearch: true };
}

/** Puts the ward first: 新宿 means the ward, not the town of that name. */
function wardFirst(q: string, places: readonly Place[]): Place[] {
  const asked = fold(q);
  const isMeant = ({ kind, name, reading }: Place): boolean =>
    kind === 'municipality' &&
    [name, reading ?? ''].some((text) => fold(text.replace(/[区市町村]$|く$/u, '')) === asked);
  return [...places.filter(isMeant), ...places.filter((place) => !isMeant(place))];
}

function results(
  ask: PageAsk,
  q: string,
  { places, ignored }: Pick<Found, 'places' | 'ignored'>,
  services: AskedServices | null,
): Html {
  const { prose } = textsOf(ask);
  const offered = services === null ? null : servicesNear(ask, services);
  if (places.length === 0 && offered === null) {
    return html`<p role="status">${prose.searchNone}</p>${meant(ask, q)}${coverage(ask)}${elsewhere(ask)}`;
  }
  const notes = [
    // With services above, the ignored name needs no message.
    ignored === null || services !== null ? null : isolated(prose.searchIgnored(ignored), [ignored]),
    hasLeftOutBlock(q, places) ? prose.searchNoBlocks : null,
  ];
  return html`${offered}${isOutside(ask, places) ? nearestWard(ask, places[0]) : null}${notes.map((note) => (note === null ? null : html`<p role="status">${note}</p>`))}<ul class="plain">${places.map((hit) => line(ask, hit))}</ul>${isOutside(ask, places) ? coverage(ask) : null}`;
}

/** True when the query names a block, as 神田神保町1-3 does, and only towns were found. */
function hasLeftOutBlock(q: string, places: readonly Place[]): boolean {
  const [whole, upToChome] = lookUps(q);
  const [first] = places;
  if (first?.kind !== 'town' || whole === undefined || upToChome === undefined || upToChome.ignored !== null)
    return false;
  const written = whole.texts.map(fold);
  return !isLatin(q) && written.some((text) => /\d/.test(text.slice(fold(first.name).length)));
}

/** True when the data has no building of the results. */
const isOutside = ({ dataset }: PageAsk, [first]: readonly Place[]): boolean =>
  dataset.sunlight !== null && first?.kind === 'municipality' && first.ward_code === null;

/** For a place outside the data: that it is outside, and the nearest ward where the position of the place is known. */
function nearestWard(ask: PageAsk, place: Place | undefined): Gap {
  if (place === undefined) return null;
  const { prose } = textsOf(ask);
  const { lat, lon } = place;
  const outside = isolated(prose.outsideSun(place.name), [place.name]);
  if (lat === null || lon === null) return html`<p role="status">${outside}</p>`;
  const scale = Math.cos((lat * Math.PI) / 180);
  const towns = ask.dataset.sunlight?.towns() ?? [];
  const away = (town: { lat: number; lon: number }): number => Math.hypot(town.lat - lat, (town.lon - lon) * scale);
  const nearest = towns.reduce((best, town) => (away(town) < away(best) ? town : best), towns[0]);
  if (nearest === undefined) return null;
  const ward = wardsOf(ask).find(({ code }) => code === nearest.ward_code);
  const called = wardNamed(ask, nearest.ward_code, ward?.name ?? nearest.ward_code);
  return html`<p role="status">${outside} <a href="${pageLink(ask, `/sunlight/${nearest.ward_code}/`)}">${prose.nearestWard(called)}</a></p>`;
}

/** Limit of the towns for the search of similar names. */
const MOST_TOWNS = 20_000;
const MOST_MEANT = 5;

function meant(ask: PageAsk, q: string): Gap {
  const { dataset } = ask;
  const asked = fold(q);
  const towns = dataset.sunlight?.towns() ?? [];
  if (asked.length < 3 || asked.length > 30 || towns.length > MOST_TOWNS) return null;
  const allowed = asked.length >= 6 ? 2 : 1;
  const near = (text: string | null): number => {
    const folded = fold(text ?? '').slice(0, asked.length + 1);
    return Math.abs(folded.length - asked.length) > allowed ? allowed + 1 : editDistance(folded, asked);
  };
  const names = [
    ...towns.map(({ name, reading }) => ({ name, slips: Math.min(near(name), near(reading)) })),
    ...(dataset.kaigo?.municipalities() ?? []).map(({ name }) => ({ name, slips: near(name) })),
  ];
  const found = names.filter(({ slips }) => slips <= allowed).sort((a, b) => a.slips - b.slips);
  const words = [...new Set(found.flatMap(({ name }) => name ?? []))].slice(0, MOST_MEANT);
  if (words.length === 0) return null;
  const { prose } = textsOf(ask);
  return html`<p>${prose.searchMeant} ${words.map((word) => html`<a class="button" href="${pageLink(ask, `/search/?${new URLSearchParams({ q: word })}`)}">${word}</a> `)}</p>`;
}

/** Limit of the named wards. For more, only their number is shown. */
const MOST_WARDS = 24;

/** The area of the data, shown when nothing is found. */
function coverage(ask: PageAsk): Gap {
  const { prose, frame } = textsOf(ask);
  const wards = wardsOf(ask);
  if (wards.length === 0) return null;
  const link = ({ code, name }: { code: string; name: string }): Html =>
    html`<a href="${pageLink(ask, `/sunlight/${code}/`)}">${wardNamed(ask, code, name)}</a>`;
  const shown = wards
    .slice(0, MOST_WARDS)
    .map((ward, i) => html`${i === 0 ? null : frame.list(['', ''])}${link(ward)}`);
  return html`<p>${prose.coverageSun} ${shown}${wards.length > MOST_WARDS ? html` <a href="${pageLink(ask, '/sunlight/')}">${prose.coverageMore(wards.length)}</a>` : null}</p>`;
}

/** Further links when nothing is found. */
function elsewhere(ask: PageAsk): Html {
  const { prose } = textsOf(ask);
  const { sunlight, map, kaigo } = ask.dataset;
  const button = (path: string, name: string): Html =>
    html`<a class="button" href="${pageLink(ask, path)}">${name}</a> `;
  return html`<p>${prose.searchElse}</p><p class="ways">${map && button('/map/', prose.openMap)}${sunlight && button('/sunlight/', prose.browseTowns)}${kaigo && button('/kaigo/', prose.browseCare)}</p>`;
}

/** The requested services at the requested place; null when the place is not found. */
function servicesNear(ask: PageAsk, { codes, place, isGuess }: AskedServices): Gap {
  const { prose, care } = textsOf(ask);
  const names =
    codes.length > MOST_NAMES ? care.nearHomes : codes.map((code) => serviceName(code, ask.language)).join('・');
  const guess = isGuess ? html`<p role="status">${prose.searchGuess(names)}</p>` : null;
  const [service = ''] = codes;
  if (place === '') {
    const [first] = names.split('・');
    return html`${guess}<section class="card"><h2>${names}</h2><p>${prose.searchWhere}</p><form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${prose.searchWhere}"><label class="visually-hidden" for="where">${prose.searchWhere}</label><input id="where" name="q" type="search" value="${first} " autocomplete="off" maxlength="100" placeholder="${prose.searchWhereExample(names)}"><button>${textsOf(ask).frame.search}</button></form><p class="ways"><a class="button" href="${pageLink(ask, '/kaigo/')}">${prose.browseCare}</a></p></section>`;
  }
  const [where] = ask.dataset.search?.find(place, null, 1).places ?? [];
  if (where === undefined) return null;
  if (where.kind === 'municipality' && where.municipality_code !== null) {
    const { municipality_code: code } = where;
    const links = tablesOf(ask, code, codes);
    const called = wardNamed(ask, code, where.name);
    return html`${guess}<section class="card"><h2>${care.tableTitle(called, names)}</h2>${links.length === 0 ? html`<p>${care.empty}</p>` : html`<p class="chips">${links}</p>`}</section>`;
  }
  const { lat, lon } = where;
  if (lat === null || lon === null) return null;
  const called = where.kind === 'town' ? readable(ask, where.name, where.reading) : where.name;
  const asked = codes.length === 1 && HOMES.includes(service) ? `&service=${service}` : '';
  const ward = where.municipality_code === null ? [] : tablesOf(ask, where.municipality_code, codes);
  const near = codes.some((code) => HOMES.includes(code))
    ? html`<a class="button" href="${pageLink(ask, nearPath(lat, lon))}${asked}">${care.nearLink}</a>`
    : null;
  return html`${guess}<section class="card"><h2>${isolated(prose.searchNear(called, names), [called])}</h2><p class="ways">${near}${ward}</p></section>`;
}

/** Limit of the services that are named one by one. */
const MOST_NAMES = 4;

/** Links to the tables of some services in a municipality, those that have facilities. */
function tablesOf(ask: PageAsk, code: string, codes: readonly string[] | null): Html[] {
  const place = ask.dataset.kaigo?.municipalities().find((one) => one.municipality_code === code);
  return (place?.services ?? [])
    .filter(({ service_code, facilities }) => facilities > 0 && (codes === null || codes.includes(service_code)))
    .toSorted((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code))
    .map(
      ({ service_code, facilities }) =>
        html`<a href="${pageLink(ask, `/kaigo/${code}/${service_code}/`)}">${serviceName(service_code, ask.language)} <small>${textsOf(ask).care.facilitiesCount(facilities)}</small></a> `,
    );
}

/** Kinds of places around which people look for homes. */
const AROUND: readonly string[] = ['address', 'town', 'building', 'station'];

function line(ask: PageAsk, place: Place): Html {
  const { kind, id, name, reading, page, lat, lon } = place;
  if (kind === 'municipality') return municipality(ask, place);
  const called = ['town', 'station'].includes(kind) ? readable(ask, name, reading?.replace(/えき$/, '') ?? null) : name;
  const details = [kindOf(ask, place), ...whereabouts(ask, place)].filter((text) => text !== null && text !== '');
  const hasMap = ask.dataset.map !== null && (kind === 'town' || kind === 'building');
  const hasNear = ask.dataset.kaigo !== null && lat !== null && lon !== null && AROUND.includes(kind);
  const { care } = textsOf(ask);
  const mark = kind === 'building' && ask.dataset.sunlight ? outlineOf(ask, id) : null;
  return html`<li>${mark}<a href="${pageLink(ask, page)}"><bdi>${called}</bdi></a><br><span class="quiet">${details.map((detail, i) => html`${i === 0 ? null : ' · '}<bdi>${detail}</bdi>`)}</span>${hasMap ? html`&nbsp;· <a class="nowrap" href="${pageLink(ask, `/map/?pick=${id}`)}">${care.mapLink}</a>` : null}${hasNear ? html`&nbsp;· <a class="nowrap" href="${pageLink(ask, nearPath(lat, lon))}">${care.nearLink}</a>` : null}</li>`;
}

/** The kind of a place; for an office its service, because a rental of beds is not a care home. */
function kindOf(ask: PageAsk, { kind, id }: Place): string {
  const { prose } = textsOf(ask);
  const services = kind === 'facility' ? (ask.dataset.kaigo?.facility(id)?.toJSON().services ?? []) : [];
  const [main] = services.map(({ service_code }) => service_code).toSorted((a, b) => serviceOrder(a) - serviceOrder(b));
  return main === undefined ? (prose.searchKinds[kind] ?? kind) : serviceName(main, ask.language);
}

/** A ward or city with three links: its sun, its map, its homes by kind. */
function municipality(ask: PageAsk, place: Place): Html {
  const { prose, frame } = textsOf(ask);
  const { id, name, ward_code: ward, municipality_code: code, lat, lon } = place;
  const details = [kindOf(ask, place), ...whereabouts(ask, place)].filter(
    (text): text is string => text !== null && text !== '',
  );
  const chip = (path: string, text: string): Html => html`<a href="${pageLink(ask, path)}">${text}</a> `;
  const map =
    ask.dataset.map === null || lat === null || lon === null ? null : chip(`/map/#13/${lat}/${lon}`, prose.wardMap);
  const homes = code === null ? [] : tablesOf(ask, code, HOMES);
  const others = code === null ? 0 : tablesOf(ask, code, null).length - homes.length;
  return html`<li class="found-ward"><b>${wardNamed(ask, id, name)}</b> <span class="quiet">${frame.list(details)}</span>
${ward === null ? null : html`<p class="chips">${chip(`/sunlight/${ward}/`, prose.wardSun)}${map}</p>`}
${homes.length === 0 && others === 0 ? null : html`<p class="chips"><span class="quiet">${homes.length === 0 ? null : prose.wardHomes}</span>${homes}</p>`}
${others === 0 || code === null ? null : html`<p class="chips">${chip(`/kaigo/?prefecture=${code.slice(0, 2)}&municipality=${code}#m${code}`, prose.wardServices)}</p>`}</li>`;
}

/** The area of a place in readable form; in Japanese also its reading. */
function whereabouts(
  ask: PageAsk,
  { kind, id, name, reading, address, ward_code, municipality_code }: Place,
): (string | null)[] {
  // The address of a town ends with its name, which is already shown.
  const where = address?.endsWith(name) ? address.slice(0, -name.length) : address;
  if (ask.language === 'ja') return [where, reading];
  const code = ward_code ?? municipality_code;
  if (code === null || kind === 'municipality') return [where && prefectureNamed(ask, id, where)];
  if (kind === 'town') return [wardNamed(ask, code, where ?? '')];
  const town = kind === 'building' ? (ask.dataset.sunlight?.summary(id)?.toJSON() ?? null) : null;
  return [
    kind === 'facility' && reading !== null ? latinName(reading) : null,
    latinWard(ask, code),
    town === null || town.town_code === null ? where : townNamed(ask, town.town_code, town.town_name),
  ];
}
