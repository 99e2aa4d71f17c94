import { type Case, leftToPay, mayUseRoom, ROOMS } from '../../contract/kaigo-cost.ts';
import type { FacilitiesNear } from '../../contract/operations/kaigo-near.ts';
import { MOST_TESTED } from '../../dataset/kaigo.ts';
import type { Place } from '../../dataset/search.ts';
import { fold } from '../../search/romaji.ts';
import { type Fragment, type Html, html, isolated, selectField, unbroken } from '../markup.ts';
import { hasTowns, latinWard, readable, townNamed, wardNamed } from '../names.ts';
import { ignoredNote, isUnknownStation, orderLink } from '../parts.ts';
import type { Texts } from '../texts/texts.ts';
import {
  invalid,
  type KaigoAsk,
  type PageAsk,
  type PageResult,
  pageLink,
  sentenceGap,
  textsOf,
  withQuery,
} from '../view.ts';
import {
  careCrumb,
  caseAndResults,
  caseFaultText,
  caseForm,
  caseIn,
  caseLine,
  filterIn,
  hidden,
  NEAR_SORTS,
  otherRoomNote,
  queryWithoutOtherRoom,
  RADII,
  tablePath,
  wrongNumbers,
} from './case.ts';
import { lackingText } from './lacking.ts';
import { cheapestLine, comparable, excludedOf, groundsOf, isInsuredPart, paidTogether, sameCostText } from './money.ts';
import { homesPlan } from './place.ts';
import { COMMON_HOMES, ENDED, HOMES, serviceName, serviceOrder } from './services.ts';
import { homeRow, homeTable, knownColumns, unknownColumns } from './table-page.ts';

/** The radius without a request, metres. */
const FIRST_RADIUS = 2000;
/** Limit of the shown facilities. */
const MOST = 50;

/** Homes around a place with their costs, the nearest first, within the affordable sum. */
export function careNearPage(asked: KaigoAsk): PageResult {
  const { care, prose } = textsOf(asked);
  const service = asked.query.get('service') ?? 'homes';
  const isOfAll = service === 'homes';
  const ask = isOfAll ? asked : { ...asked, query: queryWithoutOtherRoom(asked, service) };
  if (ask.query.has('lat') !== ask.query.has('lon')) return invalid(prose.bothCoordinates);
  const about = { kind: 'page', title: care.nearTitle, description: care.nearLead, crumbs: [careCrumb(ask)] } as const;
  const where = placeAsked(ask);
  if (where === null) return { ...about, main: placeQuestion(ask), isPersonal: Boolean(ask.query.get('q')) };
  const fault = caseFaultText(ask);
  if (fault !== null) return invalid(fault);
  const roomNote = isOfAll ? null : otherRoomNote(asked, service);
  return { ...about, main: nearContent(ask, where, isOfAll ? HOMES : [service], roomNote), isPersonal: true };
}

/** The form that asks for a place; when a query was not understood, the reason. */
function placeQuestion(ask: KaigoAsk): Html {
  const { care, prose } = textsOf(ask);
  const query = ask.query.get('q') ?? '';
  // No place was found for the query, so no station.
  const reason = isUnknownStation(query, []) ? prose.searchNoStation : care.nearUnknownPlace(query, hasTowns(ask));
  const problem = query === '' ? null : html`<p class="unknown" role="alert">${isolated(reason, [query])}</p>`;
  return html`<h1>${care.nearTitle}</h1><p class="answer">${care.nearLead}</p>${problem}${nearForm(ask, null)}`;
}

type Row = FacilitiesNear['facilities'][number];

/** The homes around a place. */
interface NearHomes {
  /** All homes with the services asked for, at any cost, nearest first. */
  all: FacilitiesNear;
  /** Those whose services are for the level of the case. */
  suitable: readonly Row[];
  /** The suitable ones within the sum asked for (without a sum all of them), in the order asked for. */
  affordable: readonly Row[];
  /** True when `affordable` is in order of cost, false when the nearest is first. */
  isByCost: boolean;
}

/** Finds the homes around a place. */
function homesAround(ask: KaigoAsk, { lat, lon }: AskedPlace, services: readonly string[]): NearHomes {
  const { maxYen } = filterIn(ask.query);
  const nearWithin = (limit: number | null): FacilitiesNear =>
    ask.kaigo.near(lat, lon, radiusIn(ask), services, MOST_TESTED, caseIn(ask.query), limit).toJSON();
  const all = nearWithin(null);
  const suitable = all.facilities.filter(takesLevel);
  // With a limit, the costs of a home are those of a room within it, so the homes are asked for again.
  const affordable =
    maxYen === null
      ? suitable
      : nearWithin(maxYen).facilities.filter((row) => takesLevel(row) && wholeCost(row) !== null);
  const isByCost = all.comparable_cost && ask.query.get('sort') === 'cost';
  return { all, suitable, affordable: isByCost ? affordable.toSorted(byCost) : affordable, isByCost };
}

/** The homes around a place: the answer in words, the form, a plan, the list, and what the list leaves out. */
function nearContent(ask: KaigoAsk, where: AskedPlace, services: readonly string[], roomNote: Fragment): Html {
  const { care } = textsOf(ask);
  const homes = homesAround(ask, where, services);
  const { all, affordable, isByCost } = homes;
  const isNone = affordable.length === 0;
  // The first `MOST` are shown: first a table of those with a whole bill, then one of the others.
  const shown = wholeFirst(affordable.slice(0, MOST));
  const wrong = wrongNumbers(ask);
  const order = all.comparable_cost
    ? sortLinks(ask, isByCost)
    : html`<p class="note">${care.sort} ${care.sorts[NEAR_SORTS[0]]}</p>`;
  const more = affordable.length > MOST ? care.nearMore(MOST, isByCost) : null;
  const notes = [more, ...notesOn(ask, homes, services)].filter((note) => note !== null);
  return html`<h1>${care.nearTitle}</h1><p class="quiet"><bdi>${where.name ?? positionLabel(ask, where.lat, where.lon)}</bdi></p>${where.note === null ? null : html`<p role="status">${where.note}</p>`}${otherPlaces(ask, where, services)}
<p class="answer">${answerOf(ask, homes)}</p>${isNone ? moreHomes(ask, radiusIn(ask)) : null}
${caseLine(ask, caseIn(ask.query))}${roomNote}${wrong}
${nearForm(ask, where, isNone || wrong !== null)}
${homesPlan(ask, shown, where, { figure: 'typical', service: services === HOMES ? null : (services[0] ?? null) })}
${isNone ? null : html`${order}${list(ask, shown)}`}
${notes.map((note) => html`<p class="note">${unbroken(note)}</p>`)}`;
}

/**
 * Notes on a list of homes around a place: which homes and services it leaves out, what its costs are, and what the data
 * does not know.
 */
function notesOn(ask: KaigoAsk, { all, suitable }: NearHomes, services: readonly string[]): (string | null)[] {
  const { care, frame } = textsOf(ask);
  const { maxYen } = filterIn(ask.query);
  const notForLevel = all.facilities.length - suitable.length;
  const withoutCost = maxYen === null ? 0 : suitable.filter((row) => wholeCost(row) === null).length;
  return [
    notForLevel === 0 ? null : care.nearNotForLevel(care.careLevelOption(caseIn(ask.query).careLevel), notForLevel),
    maxYen === null ? null : care.roomWithin('typical', caseIn(ask.query).aid === 'public_assistance'),
    withoutCost === 0 ? null : care.nearPartOnly(withoutCost),
    lackingNear(ask, all, services),
    frame.sentences(care.nearUnknown, care.careDate(ask.dataset.manifest.halves.kaigo?.data_through ?? null)),
  ];
}

/**
 * Which services a list around a place lacks, in words; null when it lacks none. They are those that the data lack in
 * the prefecture of a listed home; when none is listed, of the nearest home.
 */
function lackingNear(ask: KaigoAsk, near: FacilitiesNear, services: readonly string[]): string | null {
  // `compared_with` has a row for each prefecture of the listed homes.
  const prefectureOf = ({ compared_with: [first] }: FacilitiesNear): string | undefined => first?.prefecture_code;
  const nearest = () => ask.kaigo.near(near.lat, near.lon, Math.max(...RADII), HOMES, 1).toJSON();
  const prefecture = prefectureOf(near) ?? prefectureOf(nearest());
  return prefecture === undefined ? null : lackingText(ask, prefecture, services === HOMES ? COMMON_HOMES : services);
}

/** The monthly costs with usual additions; null when unknown, or without rent and food. */
const wholeCost = ({ cost_estimate: estimate }: Row): number | null =>
  excludedOf(estimate).length > 0 ? null : (paidTogether(estimate)?.typical ?? null);

/** Homes with a whole bill before the others: a part of a bill does not stand before a whole one, as if it was cheaper. */
const wholeFirst = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(wholeCost(a) === null) - Number(wholeCost(b) === null));

/** The monthly costs in each kind of room that the case may use; none when `wholeCost` is null. */
const costsInRooms = (row: Row, careCase: Case): number[] => {
  const cost = wholeCost(row);
  if (cost === null) return [];
  const { room: main, other_rooms: others } = row.cost_estimate;
  const inOthers = others.map((other) => ({ room: other.room, yen: leftToPay(other)?.typical ?? Infinity }));
  return [{ room: main, yen: cost }, ...inOthers].flatMap(({ room, yen }) => (mayUseRoom(careCase, room) ? yen : []));
};

/** False for a home whose services are not for the level of the case. */
const takesLevel = ({ cost_estimate: { reason } }: Row): boolean => reason !== 'not_for_support_level';

/** Compares the monthly costs of two homes; homes without one come last. */
const byCost = (a: Row, b: Row): number => (wholeCost(a) ?? Number.MAX_VALUE) - (wholeCost(b) ?? Number.MAX_VALUE);

/** Links that sort the list. */
function sortLinks(ask: KaigoAsk, isByCost: boolean): Html {
  const { care } = textsOf(ask);
  const others = [...ask.query].filter(([name]) => name !== 'sort');
  const links = NEAR_SORTS.map((sort) =>
    orderLink(
      withQuery(pageLink(ask, '/kaigo/near/'), [...others, ['sort', sort]]),
      care.sorts[sort] ?? sort,
      (sort === 'cost') === isByCost,
    ),
  );
  return html`<p class="no-print">${care.sort} <span class="chips">${links}</span></p>`;
}

/**
 * Sorts the rows that share the lowest cost: the shortest waiting list first, then the nearest. Their names then state
 * the length of the waiting list. The other rows follow in their order.
 */
function withTiesSorted(ask: KaigoAsk, rows: readonly Row[]): Row[] {
  const { care } = textsOf(ask);
  const least = Math.min(...rows.map((row) => wholeCost(row) ?? Infinity));
  const cheapest = rows.filter((row) => wholeCost(row) === least);
  if (cheapest.length < 2) return [...rows];
  const waiting = (row: Row): number | null =>
    ask.kaigo
      .facility(row.facility_id)
      ?.toJSON()
      .services.find((service) => service.waiting !== null)?.waiting ?? null;
  const sorted = cheapest
    .map((row) => ({ row, waiting: waiting(row) }))
    .toSorted((a, b) => (a.waiting ?? Infinity) - (b.waiting ?? Infinity))
    .map(({ row, waiting: n }) => (n === null ? row : { ...row, name: care.nearWaiting(row.name, n) }));
  return [...sorted, ...rows.filter((row) => wholeCost(row) !== least)];
}

/**
 * The answer in words: the number of homes, then the cheapest affordable one or why it cannot be named. When none is
 * affordable, the least cost of the others.
 */
function answerOf(ask: KaigoAsk, homes: NearHomes): Fragment {
  const { all, suitable, affordable } = homes;
  const texts = textsOf(ask);
  const { care, frame, sunlight } = texts;
  if (suitable.length === 0) return care.nearNone(sunlight.careDistance(radiusIn(ask)));
  const count = countText(ask, homes);
  if (affordable.length === 0) {
    const least = Math.min(...suitable.flatMap((row) => costsInRooms(row, caseIn(ask.query))));
    return unbroken(
      least === Infinity ? count : frame.sentences(count, care.nearLeast(yenText(texts, suitable, least))),
    );
  }
  // When all costs come from the national prices, they do not tell which home is the cheapest.
  const noCheapest = all.comparable_cost ? null : whyNoCheapest(texts, suitable);
  if (noCheapest !== null) return unbroken(frame.sentences(count, noCheapest));
  const priced = affordable.filter((row) => wholeCost(row) !== null);
  const named = withTiesSorted(ask, priced).map(({ name, cost_estimate: estimate }) => ({ name, estimate }));
  const cheapest = cheapestLine(texts, named, 'typical');
  return html`${unbroken(count)}${cheapest === null ? null : html`${sentenceGap({ frame })}${cheapest}`}`;
}

/** The number of homes in the radius and, if the reader asks for a sum, how many of them cost no more. */
function countText(ask: KaigoAsk, { suitable, affordable }: NearHomes): string {
  const texts = textsOf(ask);
  const { care, sunlight } = texts;
  const { maxYen } = filterIn(ask.query);
  const distance = sunlight.careDistance(radiusIn(ask));
  const service = ask.query.get('service') ?? 'homes';
  const kind = service === 'homes' ? null : serviceName(service, ask.language);
  if (maxYen === null) return care.nearCount(distance, kind, suitable.length);
  return care.nearWithin(distance, kind, suitable.length, yenText(texts, suitable, maxYen), affordable.length);
}

/** A sum a month, for two persons when the estimates are those of a couple. */
function yenText({ care }: Texts, homes: readonly Row[], yen: number): string {
  const isOfTwo = homes.some((row) => row.cost_estimate.couple !== undefined);
  return isOfTwo ? care.yenOfTwo(care.yen(yen)) : care.yen(yen);
}

/**
 * A sentence that says why none of some homes can be called the cheapest. Call it only when their comparable costs do
 * not differ. Null for a single home, and when no costs are known.
 */
function whyNoCheapest(texts: Texts, homes: readonly Row[]): string | null {
  const estimates = homes.map((row) => row.cost_estimate);
  const known = comparable(estimates);
  if (homes.length < 2 || known.length === 0) return null;
  // No statement holds for whole bills and for shares of insured care alike.
  const areAlike = new Set(estimates.map(isInsuredPart)).size === 1;
  return areAlike ? sameCostText(texts, known) : texts.care.notComparable;
}

/**
 * The form with place, service, sum and case.
 * @param where null: there is no place yet
 * @param isOpen true: the reader has to change something
 */
export function nearForm(ask: KaigoAsk, where: AskedPlace | null, isOpen = false): Fragment {
  const { care, frame, sunlight } = textsOf(ask);
  const service = ask.query.get('service') ?? 'homes';
  const place =
    where?.name === null
      ? html`<input type="hidden" name="lat" value="${where.lat}"><input type="hidden" name="lon" value="${where.lon}">`
      : html`<label class="whole">${care.nearPlace(hasTowns(ask))}<input name="q" type="search" autocomplete="off" maxlength="100" required placeholder="${care.nearPlaceExample(hasTowns(ask))}" value="${ask.query.get('q') ?? ''}"></label>`;
  const services = HOMES.filter((code) => !ENDED.includes(code) || code === service);
  const named = services.map((code) => [code, serviceName(code, ask.language)] as const);
  const radii = RADII.map((metres) => [metres, sunlight.careDistance(metres)] as const);
  const first = html`${place}${selectField('service', care.service, [['homes', care.nearHomes], ...named], service, 'whole')}
<label>${care.nearMaxYen}<input name="max_yen" size="8" maxlength="30" placeholder="${care.sumExample}" value="${ask.query.get('max_yen') ?? ''}"></label>${selectField('r', care.nearRadius, radii, radiusIn(ask))}`;
  const rooms = service === 'homes' ? ROOMS : ask.kaigo.rooms(service);
  const parts = { rooms, first, submit: frame.search, isOpen, isMainContent: where === null };
  return caseForm(ask, pageLink(ask, '/kaigo/near/'), caseIn(ask.query), parts);
}

/** The requested radius, metres. */
const radiusIn = ({ query }: PageAsk): number => Number(query.get('r') ?? FIRST_RADIUS);

/**
 * The tables of homes with a whole bill and of the others, in the form that compares the chosen ones. Each home is
 * numbered and has its distance.
 * @param rows in the order of `wholeFirst`
 */
function list(ask: KaigoAsk, rows: readonly Row[]): Html {
  const texts = textsOf(ask);
  const { care, sunlight } = texts;
  const columns = knownColumns(rows);
  const lines = rows.map((row, i) =>
    homeRow(ask, row, columns, {
      number: i + 1,
      about: `${sunlight.careDistance(row.distance_m)} · ${serviceName(row.service_codes[0] ?? '', ask.language)}`,
      figure: 'typical',
    }),
  );
  // `groundsOf`, which says what the costs rest on, takes at least one estimate.
  const [first, ...others] = rows.map((row) => row.cost_estimate);
  const whole = rows.filter((row) => wholeCost(row) !== null).length;
  const groups = [
    { name: care.nearWhole(whole), homes: lines.slice(0, whole) },
    { name: care.nearPart(lines.length - whole), homes: lines.slice(whole) },
  ].filter(({ homes }) => homes.length > 0);
  const tables = groups.map(({ name, homes }) =>
    groups.length === 1
      ? homeTable(ask, care.nearTitle, homes, columns)
      : html`<h2>${unbroken(name)}</h2>${homeTable(ask, name, homes, columns)}`,
  );
  return html`${first === undefined ? null : groundsOf(texts, [first, ...others])}
<form method="get" action="${pageLink(ask, '/kaigo/compare/')}">${hidden(caseAndResults(ask.query))}
<p class="bar no-print"><button>${care.compareChosen}</button> <span class="quiet">${care.compareLead}</span></p>
${tables}</form>${unknownColumns(texts, columns)}`;
}

/** A position gets the name of the town of the nearest building within this distance, metres. */
const TOWN_WITHIN_M = 300;

/** The coordinates of a position. The town of the nearest building stands before them, when it is near and known. */
function positionLabel(ask: PageAsk, lat: number, lon: number): string {
  const [nearest] = ask.dataset.sunlight?.near(lat, lon, TOWN_WITHIN_M, 1).toJSON().buildings ?? [];
  const coordinates = `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
  if (nearest === undefined || nearest.town_code === null || nearest.town_name === null) return coordinates;
  return `${townNamed(ask, nearest.town_code, nearest.town_name)} · ${coordinates}`;
}

/** The place around which homes are listed. */
export interface AskedPlace {
  lat: number;
  lon: number;
  /** The place found by name; null when the query gives a position. */
  name: string | null;
  /** Other places with the same name. */
  others: readonly Place[];
  /** The code of the municipality that the place is; null: it is another kind of place. */
  municipality: string | null;
  /** Says that the place was found by a part of the query only; null: by all of it. */
  note: Fragment;
}

/** Limits of the places that are searched by a name, and of the other towns that are offered. */
const MOST_ALIKE = 20;
const MOST_OTHERS = 4;

/**
 * The place that the query gives by its position or by a name; null when neither gives a place. The common beginning of
 * several towns' names, such as 神田, gives the middle of these towns.
 */
export function placeAsked(ask: KaigoAsk): AskedPlace | null {
  const [lat, lon, q] = ['lat', 'lon', 'q'].map((name) => ask.query.get(name));
  if (lat && lon) return { lat: Number(lat), lon: Number(lon), name: null, others: [], municipality: null, note: null };
  if (!q) return null;
  const found = ask.dataset.search?.find(q, null, MOST_ALIKE) ?? { places: [], ignored: null };
  const places = found.places.filter((one) => one.lat !== null);
  const note = ignoredNote(ask, q, found);
  const [first, ...others] = places;
  if (first === undefined || first.lat === null || first.lon === null) return null;
  // The query may be a part of the name, its beginning: then all towns that begin so are meant.
  const isExact = first.kind !== 'town' || fold(first.name) === fold(q);
  const towns = places.filter(({ kind }) => kind === 'town');
  const mean = (axis: 'lat' | 'lon'): number => towns.reduce((sum, town) => sum + (town[axis] ?? 0), 0) / towns.length;
  if (!isExact && towns.length > 1) {
    return {
      lat: mean('lat'),
      lon: mean('lon'),
      name: textsOf(ask).care.nearMiddle(commonStart(towns.map((town) => town.name)) || q),
      others: places,
      municipality: null,
      note,
    };
  }
  const asked = { lat: first.lat, lon: first.lon, name: placeLabel(ask, first), note };
  if (first.kind === 'municipality')
    return { ...asked, others: namesakes(ask, q, first), municipality: first.municipality_code };
  return { ...asked, others: first.kind === 'town' ? others : [], municipality: null };
}

/** The name of a municipality, that of a ward without its city: 北区 of 札幌市北区. */
const ownName = ({ name }: Place): string => name.replace(/^.+市(?=.+区$)/u, '');

/** The other municipalities that a query finds by the name of the first. */
const namesakes = (ask: KaigoAsk, query: string, first: Place): readonly Place[] =>
  (ask.dataset.search?.find(query, 'municipality', MOST_ALIKE).places ?? []).filter(
    (other) => other.id !== first.id && other.lat !== null && ownName(other) === ownName(first),
  );

/** The letters with which all names begin. */
function commonStart([first = '', ...others]: readonly string[]): string {
  const letters = [...first];
  const end = letters.findIndex((letter, i) => others.some((name) => [...name][i] !== letter));
  return end === -1 ? first : letters.slice(0, end).join('');
}

/**
 * A place for readers of the page. In Japanese: its address, which ends with the name of a municipality or town; for a
 * station its ward (the address of a station) and its name. In English: for a municipality its name in Latin letters
 * and its address; for a town or station its name and its ward in Latin letters; for another place its address.
 */
function placeLabel(ask: KaigoAsk, { kind, id, name, reading, address, ward_code }: Place): string {
  const whole = address ?? name;
  if (ask.language === 'ja') return kind === 'station' && address !== null ? `${address}の${name}` : whole;
  if (kind === 'municipality') return wardNamed(ask, id, whole);
  if (kind === 'town' || kind === 'station') {
    const ward = ward_code === null ? null : latinWard(ask, ward_code);
    return [readable(ask, name, reading), ...(ward === null ? [] : [ward])].join(', ');
  }
  return whole;
}

/** Links to the homes around other places with the name; for a municipality, also links to its tables of the services. */
function otherPlaces(ask: KaigoAsk, { name, others, municipality }: AskedPlace, services: readonly string[]): Fragment {
  const { care } = textsOf(ask);
  const tables = municipality === null ? [] : tablesOf(ask, municipality, services);
  const kept = [...ask.query].filter(([one]) => !['q', 'lat', 'lon'].includes(one));
  const link = ([label, { kind, address, lat, lon }]: [string, Place]): Html => {
    // By its name, the page also has the tables of a municipality.
    const place: [string, string][] =
      kind === 'municipality' && address !== null
        ? [['q', address]]
        : [
            ['lat', String(lat)],
            ['lon', String(lon)],
          ];
    return html`<a href="${withQuery(pageLink(ask, '/kaigo/near/'), [...kept, ...place])}"><bdi>${label}</bdi></a> `;
  };
  // Of several places with one label, such as the parts of a town, the first.
  const labelled = new Map(others.toReversed().map((place) => [placeLabel(ask, place), place]));
  const links = [...labelled].toReversed().map(link);
  const line = (lead: string, chips: readonly Html[]): Fragment =>
    chips.length === 0 ? null : html`<p class="chips no-print"><span class="quiet">${lead}</span>${chips}</p>`;
  return [
    line(care.nearInside(name ?? ''), tables),
    line(care.nearOthers, municipality === null ? links.slice(0, MOST_OTHERS) : links),
  ];
}

/** Links to more homes where none costs at most the chosen sum: farther away, and at any cost. */
function moreHomes(ask: KaigoAsk, radius: number): Fragment {
  const { care, sunlight } = textsOf(ask);
  const link = (name: string, values: [string, string][], text: string): Html => {
    const query = [...ask.query].filter(([one]) => one !== name);
    return html`<a href="${withQuery(pageLink(ask, '/kaigo/near/'), [...query, ...values])}">${text}</a> `;
  };
  const farthest = RADII[RADII.length - 1];
  const farther =
    radius < farthest && link('r', [['r', String(farthest)]], care.nearFarther(sunlight.careDistance(farthest)));
  const anyCost = ask.query.get('max_yen') && link('max_yen', [], care.nearAnyCost);
  return html`<p class="chips no-print">${farther}${anyCost}</p>`;
}

/**
 * Links to the tables of some services in a municipality, those that have facilities, for the case of the page.
 * @param codes of the services; null: all
 * @param filters names and values of filters of the tables
 */
export function tablesOf(
  ask: PageAsk,
  code: string,
  codes: readonly string[] | null,
  filters: [string, string][] = [],
): Html[] {
  const place = ask.dataset.kaigo?.municipalities().find((one) => one.municipality_code === code);
  return (place?.services ?? [])
    .filter(({ service_code, facilities }) => facilities > 0 && (codes === null || codes.includes(service_code)))
    .toSorted((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code))
    .map(
      ({ service_code, facilities }) =>
        html`<a href="${pageLink(ask, tablePath(ask, code, service_code, filters))}">${serviceName(service_code, ask.language)} <small>${textsOf(ask).care.facilitiesCount(facilities)}</small></a> `,
    );
}
