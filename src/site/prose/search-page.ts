import { editDistance, slipsWithin } from '../../contract/edit-distance.ts';
import { memoized } from '../../contract/memoized.ts';
import { MOST_PLACES } from '../../contract/operations/search.ts';
import type { Found, Place } from '../../dataset/search.ts';
import { STATION_NEAR_KM } from '../../dataset/stations.ts';
import { splitTownName } from '../../geo/chome.ts';
import { KM_PER_DEGREE, type LatLon, RADIANS } from '../../geo/degree.ts';
import { LocalPlane } from '../../geo/plane.ts';
import { fold, isLatin, latinName } from '../../search/romaji.ts';
import { lookUps, MUNICIPALITY_END, postalCodeIn, spellings, termsOf, withoutKana } from '../../search/terms.ts';
import { FLAT_ENTRY } from '../compared.ts';
import { lackingText } from '../kaigo/lacking.ts';
import { tablesOf } from '../kaigo/near-page.ts';
import { COMMON_HOMES, HOMES, nearPath, serviceName, serviceOrder } from '../kaigo/services.ts';
import { wardMapLink } from '../map/map-page.ts';
import { type Fragment, type Html, html, isolated } from '../markup.ts';
import {
  hasTowns,
  latinWard,
  namesInLists,
  prefectureNamed,
  readable,
  townNamed,
  townOfEachWard,
  type Ward,
  wardNamed,
  wardsOf,
} from '../names.ts';
import { ignoredNote, isUnknownStation, searchForm } from '../parts.ts';
import { outlineOf } from '../sunlight/building-tables.ts';
import { type PageAsk, type PageResult, pageLink, textsOf, withQuery } from '../view.ts';
import { type AskedServices, askedServices } from './asked-services.ts';

const NOTHING_FOUND: Found = { places: [], ignored: null };

/** The results of a search. */
export function searchPage(ask: PageAsk): PageResult {
  const { prose, frame } = textsOf(ask);
  const q = (ask.query.get('q') ?? '').trim();
  const found = (q !== '' && ask.dataset.search?.find(q, null, MOST_PLACES)) || NOTHING_FOUND;
  // A query that places fit as a whole is not taken for a misspelt service.
  const canGuess = !fitsWhole(found);
  const services = q === '' || ask.dataset.kaigo === null ? null : askedServices(q, canGuess);
  const title = q === '' ? prose.searchTitle : prose.searchFor(q);
  const label = frame.searchLabel(ask.dataset.manifest.halves);
  const main = html`<h1>${isolated(title, [q])}</h1>
${searchForm(ask, 'page-q', label, q)}
${q === '' ? html`<p>${prose.searchEmpty(label)}</p>${coverage(ask)}` : results(ask, q, found, services)}`;
  return { kind: 'page', title, description: prose.searchEmpty(label), main, isPersonal: true, hasSearch: true };
}

/**
 * The results of a search: the care services that the query names, with homes around the place that it names; then the
 * places found. When there is neither, why, and what to do instead.
 * @param services the care services that the query names; null: none
 */
function results(
  ask: PageAsk,
  q: string,
  found: Pick<Found, 'places' | 'ignored'>,
  services: AskedServices | null,
): Html {
  const offered = services === null ? null : servicesNear(ask, services, fitsWhole(found));
  // 神田の特養: the services around 神田 are the answer. A place that fits only a part of the query is none, nor is a place
  // for a query with a sum or a care level, because no name has these.
  const isByPart = found.ignored !== null || (services?.maxYen ?? services?.careLevel ?? null) !== null;
  if (offered !== null && (isByPart || found.places.length === 0)) return html`${offered}`;
  return found.places.length === 0
    ? noResults(ask, q)
    : html`${offered}${placesFound(ask, q, found, services !== null)}`;
}

/**
 * The places found. From above: a note when the first place is outside the data; notes about ignored words; similar
 * names; the places.
 * @param namesServices true: the query names care services too, so that the page has named lacking lists already
 */
function placesFound(ask: PageAsk, q: string, found: Pick<Found, 'places' | 'ignored'>, namesServices: boolean): Html {
  const { ignored } = found;
  const around = namesServices ? [] : municipalityAround(ask, q, found.places);
  const places = [...around, ...found.places];
  const towns = places.flatMap(({ kind, id, name, reading, ward_code }) =>
    kind === 'town' && ward_code !== null ? [{ town_code: id, name, reading, ward_code }] : [],
  );
  const names = namesInLists(ask, towns);
  const notes = namesServices ? [ignoredNote(ask, q, found)] : resultNotes(ask, q, { places, ignored });
  const [first] = places;
  // With a municipality around, the query is an address in it: the note names the municipality alone.
  const outside =
    first !== undefined && isOutside(ask, places)
      ? html`${outsideNote(ask, around.length > 0 ? first.name : q, first)}${coverage(ask)}`
      : null;
  // Only the municipality was found. The ignored words may be a misspelt town in it.
  const similar = ignored !== null && first?.kind === 'municipality' ? similarNames(ask, ignored) : null;
  return html`${outside}
${notes.map((note) => (note === null ? null : html`<p role="status">${note}</p>`))}${similar}
<ul class="plain">${places.map((place) => (place.kind === 'municipality' ? municipality(ask, place, !namesServices) : line(ask, place, names)))}</ul>`;
}

/** Why nothing was found, names similar to the query, and where to search instead. */
function noResults(ask: PageAsk, q: string): Html {
  const { prose } = textsOf(ask);
  // No place was found, so no station.
  const reason = isUnknownStation(q, []) ? prose.searchNoStation : reasonOfNone(ask, q);
  return html`<p role="status">${reason}</p>${similarNames(ask, q)}${coverage(ask)}${elsewhere(ask)}`;
}

/** What the results of a search for places do not cover: ignored words, blocks, and towns that the data lack. */
function resultNotes(ask: PageAsk, q: string, found: Pick<Found, 'places' | 'ignored'>): Fragment[] {
  const { prose } = textsOf(ask);
  const ignored = ignoredNote(ask, q, found);
  // Homes may have the words only in their address: the town that is meant is not among the results.
  const hasOnlyAddresses = found.places.every(
    ({ kind, name }) => kind === 'facility' && !fold(name).startsWith(fold(q)),
  );
  return [
    ignored,
    ignored === null && hasLeftOutBlock(q, found.places) ? prose.searchNoBlocks : null,
    lacksTowns(ask) && hasOnlyAddresses ? prose.searchNoTowns : null,
  ];
}

/** True when places fit the whole query. */
const fitsWhole = ({ places, ignored }: Pick<Found, 'places' | 'ignored'>): boolean =>
  places.length > 0 && ignored === null;

/** Why nothing was found. */
function reasonOfNone(ask: PageAsk, q: string): string {
  const { prose } = textsOf(ask);
  if (postalCodeIn(q) !== null) return prose.searchNoPostalCode;
  // The ID of a building that is not in the data.
  if (FLAT_ENTRY.test(q.normalize('NFKC'))) return prose.searchNoBuilding;
  return lacksTowns(ask) ? prose.searchNoTowns : prose.searchNone;
}

/**
 * True when a query in Japanese names a block, as 神田神保町1-3 does, and only towns were found: it has more numbers than the
 * name of the town.
 */
function hasLeftOutBlock(q: string, places: readonly Place[]): boolean {
  const first = places.find(({ kind }) => kind !== 'facility');
  if (first?.kind !== 'town' || isLatin(q)) return false;
  const [asWritten, next] = lookUps(q);
  // The first look-up is the query as written. With a block, the second is without it (神田神保町1-), and ignores no word.
  if (asWritten === undefined || next === undefined || next.ignored !== null) return false;
  const numbersIn = (text: string): number => fold(text).match(/\d+/g)?.length ?? 0;
  return asWritten.texts.every((text) => numbersIn(text) > numbersIn(first.name));
}

/** A municipality that was found, as a ward with buildings; undefined when the data has no building of it. */
function wardOf({ dataset }: PageAsk, { ward_code, id }: Place): Pick<Ward, 'code' | 'hasTowns'> | undefined {
  // The ID of a municipality begins with the code of its ward.
  const ward = townOfEachWard(dataset)
    .entries()
    .find(([code]) => code === (ward_code ?? id.slice(0, code.length)));
  return ward && { code: ward[0], hasTowns: ward[1] !== null };
}

/**
 * The municipality at the beginning of a query for which only offices were found: 世田谷区 of 世田谷区太子堂4-1. None when the
 * data has buildings of the municipality, or when the name of an office begins with it.
 */
function municipalityAround(ask: PageAsk, q: string, places: readonly Place[]): Place[] {
  if (places.length === 0 || places.some(({ kind }) => kind !== 'facility')) return [];
  // A name may have 市 inside it (四日市市), so the longest beginning is tried first.
  for (const { index: nameEnd } of [...q.matchAll(MUNICIPALITY_END)].reverse()) {
    const name = q.slice(0, nameEnd);
    const found = ask.dataset.search?.find(name, 'municipality', 1) ?? NOTHING_FOUND;
    const beginsOffice = places.some((office) => fold(office.name).startsWith(fold(name)));
    if (fitsWhole(found) && isOutside(ask, found.places) && !beginsOffice) return [...found.places];
  }
  return [];
}

/** True when the data has no building of the results: none of the first one, and of a designated city none of its wards. */
function isOutside(ask: PageAsk, [first]: readonly Place[]): boolean {
  if (ask.dataset.sunlight === null || first?.kind !== 'municipality' || wardOf(ask, first) !== undefined) return false;
  // The name of such a ward begins with that of its city: 横浜市中区.
  const prefecture = first.id.slice(0, 2);
  const nameOf = (code: string): string => ask.dataset.search?.municipality(code)?.name ?? '';
  const wards = townOfEachWard(ask.dataset).keys();
  return !wards.some((code) => code.startsWith(prefecture) && nameOf(code).startsWith(first.name));
}

/** True when the data has buildings, but no towns. */
const lacksTowns = (ask: PageAsk): boolean => ask.dataset.sunlight !== null && !hasTowns(ask);

/** A ward of the data that is farther away from a place is no help there, km. */
const NEAREST_WARD_KM = 50;

/**
 * Says that a place is outside the data, and names the nearest ward. A municipality that only begins with the query may
 * not be meant: 上野 is not 上野原市. Then the data may lack the place because it has no towns.
 */
function outsideNote(ask: PageAsk, q: string, place: Place): Html {
  const { prose } = textsOf(ask);
  const texts = spellings(q);
  // A term by `part` is not the whole name.
  const isMeant = termsOf(place, place.kind).some(({ text, by }) => by !== 'part' && texts.includes(text));
  if (!isMeant) {
    const sentence = lacksTowns(ask) ? prose.searchNoTowns : prose.outsideSun(q);
    return html`<p role="status">${isolated(sentence, [q])}</p>`;
  }
  const nearest = nearestWard(ask, place);
  const link =
    nearest &&
    html` <a href="${pageLink(ask, `/sunlight/${nearest.code}/`)}">${prose.nearestWard(wardNamed(ask, nearest.code, nearest.name))}</a>`;
  return html`<p role="status">${isolated(prose.outsideSun(place.name), [place.name])}${link}</p>`;
}

/** The ward of the data that is nearest to a place, within `NEAREST_WARD_KM`; undefined when there is none. */
function nearestWard(ask: PageAsk, { lat, lon }: Place) {
  const scale = Math.cos((lat ?? 0) * RADIANS);
  const kmTo = (code: string): number => {
    const ward = ask.dataset.search?.municipality(code);
    if (ward?.lat == null || ward.lon === null || lat === null || lon === null) return Number.POSITIVE_INFINITY;
    return KM_PER_DEGREE * Math.hypot(ward.lat - lat, (ward.lon - lon) * scale);
  };
  const wards = wardsOf(ask).map((ward) => ({ ...ward, km: kmTo(ward.code) }));
  return wards.filter(({ km }) => km <= NEAREST_WARD_KM).sort((a, b) => a.km - b.km)[0];
}

/** Limit of the towns for the search of similar names, which compares the query with each of them. */
const MOST_TOWNS = 20_000;
const MOST_MEANT = 5;
/** Letters of a query from which it may be a part of a name: of one in kanji, of one in kana or Latin letters. */
const INSIDE_FROM = { kanji: 3, other: 5 } as const;

/** Links that search for names similar to the query. Towns are named without their chome, unless the query has a number. */
function similarNames(ask: PageAsk, q: string): Fragment {
  const query = fold(q.replace(/駅$/u, ''));
  const areTooMany = (ask.dataset.sunlight?.towns().length ?? 0) > MOST_TOWNS;
  if (query.length < 2 || query.length > 30 || areTooMany) return null;
  const { towns, municipalities } = comparedNames(ask.dataset);
  const rateOf = ratingBy(query);
  const hasNumber = /\d/.test(query);
  const rated = [
    ...towns.map(({ name, reading, base, forms }) => {
      const read = isLatin(q) ? forms.latin : forms.reading;
      const spelling = mayBeginName(q, name, reading) ? OTHER_SPELLING : NOT_SIMILAR;
      const rate = Math.min(rateOf(forms.name), rateOf(read), spelling);
      return { name: hasNumber ? name : base, rate };
    }),
    ...municipalities.map(({ name, form }) => ({ name, rate: rateOf(form) })),
  ];
  const similar = rated.filter(({ rate }) => rate < NOT_SIMILAR);
  similar.sort((a, b) => a.rate - b.rate || a.name.length - b.name.length);
  const words = [...new Set(similar.map(({ name }) => name))].slice(0, MOST_MEANT);
  if (words.length === 0) return null;
  const { prose } = textsOf(ask);
  return html`<p>${prose.searchMeant} ${words.map((word) => html`<a class="button" href="${pageLink(ask, `/search/?${new URLSearchParams({ q: word })}`)}">${word}</a> `)}</p>`;
}

/**
 * The rate of a name is the number of wrong letters of a query that is like its beginning, or one of these. Names with a
 * low rate come first.
 */
const OTHER_SPELLING = 0.5;
const INSIDE_NAME = 1.5;
const LONGER_THAN_NAME = 2.5;
const NOT_SIMILAR = Number.POSITIVE_INFINITY;

/** A name as queries are compared with it. */
interface ComparedForm {
  /** The whole name. */
  folded: string;
  /** The name without its chome. */
  base: string;
}

const comparedForm = (name: string): ComparedForm => ({ folded: fold(name), base: fold(splitTownName(name).base) });

/** The names of towns and municipalities with their forms, made once for a dataset because that takes long. */
const comparedNames = memoized(({ sunlight, kaigo }: PageAsk['dataset']) => ({
  towns: (sunlight?.towns() ?? []).flatMap(({ name, reading }) => {
    if (name === null) return [];
    const latin = reading === null ? '' : (latinName(reading) ?? '');
    const forms = { name: comparedForm(name), reading: comparedForm(reading ?? ''), latin: comparedForm(latin) };
    return [{ name, reading, base: splitTownName(name).base, forms }];
  }),
  municipalities: (kaigo?.municipalities() ?? []).map(({ name }) => ({ name, form: comparedForm(name) })),
}));

/**
 * Makes a function that rates how similar names are to a query:
 * - the query is like the beginning of the name: the number of its wrong letters, at most one, of six letters or more
 * two;
 * - it is like a part inside the name: `INSIDE_NAME`;
 * - it begins with the name without its chome: `LONGER_THAN_NAME`;
 * - otherwise: `NOT_SIMILAR`.
 */
function ratingBy(query: string): (form: ComparedForm) => number {
  const allowed = query.length >= 6 ? 2 : 1;
  const insideFrom = /\p{Script=Han}/u.test(query) ? INSIDE_FROM.kanji : INSIDE_FROM.other;
  return ({ folded, base }) => {
    // Of two letters one may be wrong, but none be missing.
    if (query.length === 2) return base.length === 2 && editDistance(folded.slice(0, 2), query) === 1 ? 1 : NOT_SIMILAR;
    // The query may lack the end of a name: ginnza is similar to Ginza 1-chome. It may have a letter too many or too
    // few, so it is compared with beginnings of three lengths.
    const atStart = Math.min(...[-1, 0, 1].map((more) => editDistance(folded.slice(0, query.length + more), query)));
    if (atStart <= allowed) return atStart;
    if (query.length >= insideFrom && slipsWithin(folded, query) <= 1) return INSIDE_NAME;
    // A building is named after its town: 六本木ひるず.
    return base.length >= 2 && query.startsWith(base) ? LONGER_THAN_NAME : NOT_SIMILAR;
  };
}

/** Limit of the parts in kana of a query in part in kanji, because each makes the comparison slower. */
const MOST_KANA_PARTS = 2;

/**
 * True when a query that is only in part in kanji (日本ばし, 神田じんぼう町), or lacks kana (霞関), may be the beginning of a name.
 * The kana must be in the reading, and stand for one letter or more of the name: for 日本ばし, a name begins with 日本 and
 * one more letter, as 日本橋 does.
 */
function mayBeginName(q: string, name: string, reading: string | null): boolean {
  const written = q.normalize('NFKC');
  const kana = written.match(/\p{Script=Hiragana}+/gu) ?? [];
  if (!/\p{Script=Han}/u.test(written) || kana.length > MOST_KANA_PARTS) return false;
  if (kana.length === 0) return withoutKana(name).startsWith(written);
  // Signs of the query stand for any letter: as they are, they could be read as parts of the pattern.
  const parts = written.split(/\p{Script=Hiragana}+/u).map((part) => part.replace(/[^\p{L}\p{N}]/gu, '.'));
  return kana.every((part) => reading?.includes(part)) && new RegExp(`^${parts.join('.+')}`, 'u').test(name);
}

/** Limit of the named wards. For more, only their number is shown. */
const MOST_WARDS = 24;

/** The area of the data, shown when nothing is found. */
function coverage(ask: PageAsk): Fragment {
  const { prose, frame } = textsOf(ask);
  const wards = wardsOf(ask);
  if (wards.length === 0) return null;
  const link = ({ code, name }: { code: string; name: string }): Html =>
    html`<a href="${pageLink(ask, `/sunlight/${code}/`)}">${wardNamed(ask, code, name)}</a>`;
  const separator = frame.list(['', '']);
  const links = wards.slice(0, MOST_WARDS).map((ward, i) => html`${i === 0 ? null : separator}${link(ward)}`);
  return html`<p>${prose.coverageSun} ${links}${wards.length > MOST_WARDS ? html` <a href="${pageLink(ask, '/sunlight/')}">${prose.coverageMore(wards.length)}</a>` : null}</p>`;
}

/** Further links when nothing is found. */
function elsewhere(ask: PageAsk): Html {
  const { prose } = textsOf(ask);
  const { sunlight, map, kaigo } = ask.dataset;
  const button = (path: string, name: string): Html =>
    html`<a class="button" href="${pageLink(ask, path)}">${name}</a> `;
  return html`<p>${prose.searchElse}</p><p class="ways">${map && button('/map/', prose.openMap)}${sunlight && button('/sunlight/', prose.browseTowns(hasTowns(ask)))}${kaigo && button('/kaigo/', prose.browseCare)}</p>`;
}

/**
 * The requested services, by the requested place:
 * - in a municipality: links to its tables;
 * - at another place: links to what is around it; null when the place has no position;
 * - not found, but places fit the whole query: null, because these are shown;
 * - not found, or not requested: a field for a place.
 * @param fitsPlaces true: places fit the whole query, as a home with a service in its name does
 */
function servicesNear(ask: PageAsk, asked: AskedServices, fitsPlaces: boolean): Fragment {
  const { codes, maxYen, careLevel, isCheapest, isGuess } = asked;
  const { prose, care } = textsOf(ask);
  const sort = isCheapest ? 'cost' : null;
  const wishes = Object.entries({ max_yen: maxYen, care_level: careLevel, sort }).flatMap(
    ([name, value]): [string, string][] => (value === null ? [] : [[name, value]]),
  );
  const names =
    codes.length > MOST_NAMES ? care.nearHomes : codes.map((code) => serviceName(code, ask.language)).join('・');
  const guess = isGuess ? html`<p role="status">${prose.searchGuess(names)}</p>` : null;
  const { place, found } = placeAmong(ask, asked.place);
  const [where] = found.places;
  if (where === undefined && place !== '' && fitsPlaces) return null;
  // Of a place that was not found, all words are ignored.
  const allWords = place === '' ? null : place;
  const ignored = where === undefined ? allWords : found.ignored;
  const notes = html`${guess}${ignored === null ? null : html`<p role="status">${isolated(prose.searchIgnored(ignored), [ignored])}</p>`}`;
  if (where === undefined) return html`${notes}${servicesAnywhere(ask, names)}`;
  if (where.kind === 'municipality' && where.municipality_code !== null) {
    const { municipality_code: code } = where;
    const links = tablesOf(ask, code, codes, wishes);
    const called = wardNamed(ask, code, where.name);
    return html`${notes}<section class="card"><h2>${care.tableTitle(called, names)}</h2>${links.length === 0 ? noService(ask, code, codes) : html`<p class="chips">${links}</p>${lackingNote(ask, code, codes)}`}</section>`;
  }
  return where.lat === null ? null : html`${notes}${servicesAround(ask, { codes, names, place, where, wishes })}`;
}

/** A place has at most so many words when words before it are ignored, because each try is a search. */
const MOST_PLACE_WORDS = 4;

/**
 * The place in the rest of a query, without its services and wishes, and what the search finds for it. When the search
 * finds nothing for the whole rest, or only an office that fits some of its words, the words before a place are
 * ignored: 親の of 親の特養 新宿区.
 */
function placeAmong(ask: PageAsk, written: string): { place: string; found: Found } {
  const find = (text: string): Found =>
    (text !== '' && ask.dataset.search?.find(text, null, MOST_PLACES)) || NOTHING_FOUND;
  const isPlace = ({ places: [first] }: Found): boolean => first !== undefined && first.kind !== 'facility';
  const whole = find(written);
  const words = written.split(' ');
  if (fitsWhole(whole) || isPlace(whole)) return { place: written, found: whole };
  for (let from = Math.max(1, words.length - MOST_PLACE_WORDS); from < words.length; from++) {
    const place = words.slice(from).join(' ');
    const found = find(place);
    // All of the remaining words must be the place.
    if (fitsWhole(found) && isPlace(found))
      return { place, found: { ...found, ignored: words.slice(0, from).join(' ') } };
  }
  return { place: written, found: whole };
}

/** Services without a place: a field that asks for one. */
function servicesAnywhere(ask: PageAsk, names: string): Html {
  const { prose } = textsOf(ask);
  const [first] = names.split('・');
  return html`<section class="card"><h2>${names}</h2><p>${prose.searchWhere}</p>
${searchForm(ask, 'where', prose.searchWhere, `${first} `)}
<p class="ways"><a class="button" href="${pageLink(ask, '/kaigo/')}">${prose.browseCare}</a></p></section>`;
}

/** Services around a place. */
interface ServicesAround {
  codes: readonly string[];
  names: string;
  /** The place as written. */
  place: string;
  /** The first place that was found for it. */
  where: Place;
  /** Names and values of the case, the affordable sum and the order, for the links. */
  wishes: [string, string][];
}

/** Links to the homes around a place that offer some services, and to the tables of these services in its ward. */
function servicesAround(ask: PageAsk, { codes, names, place, where, wishes }: ServicesAround): Html {
  const { prose, care } = textsOf(ask);
  // Several towns may begin with the word: 神田.
  const isTown = where.kind === 'town' && fold(where.name) === fold(place);
  const called = isTown ? readable(ask, where.name, where.reading) : place;
  const homes = codes.filter((code) => HOMES.includes(code));
  const { municipality_code: ward } = where;
  const tables = ward === null ? [] : tablesOf(ask, ward, codes, wishes);
  const wardName = ask.dataset.search?.municipality(ward ?? '')?.name ?? '';
  const nearLink = (text: string, service: [string, string][]): Html =>
    html`<a class="button" href="${withQuery(pageLink(ask, '/kaigo/near/'), [['q', place], ...service, ...wishes])}">${text}</a> `;
  const near =
    homes.length > MOST_NAMES
      ? [nearLink(care.nearLink, [])]
      : homes.map((code) => nearLink(care.nearService(serviceName(code, ask.language)), [['service', code]]));
  const nearLine = near.length === 0 ? null : html`<p class="ways">${near}</p>`;
  const tablesLine =
    tables.length === 0
      ? null
      : html`<p class="chips"><span class="quiet">${wardNamed(ask, ward ?? '', wardName)}</span> ${tables}</p>`;
  const lacking = ward === null ? null : lackingNote(ask, ward, codes);
  const hasNone = nearLine === null && tablesLine === null;
  const ways = hasNone ? noService(ask, ward, codes) : html`${nearLine}${tablesLine}${lacking}`;
  return html`<section class="card"><h2>${isolated(prose.searchNear(called, names), [called])}</h2>${ways}</section>`;
}

/** Says of which of the requested services the data lacks the list; null when it lacks none. */
function lackingNote(ask: PageAsk, municipality: string, codes: readonly string[]): Fragment {
  const text = lackingText(ask, municipality, codes.length > MOST_NAMES ? COMMON_HOMES : codes);
  return text === null ? null : html`<p class="note">${text}</p>`;
}

/** Says why there is no table of the requested services in a municipality, and links to the services that it has. */
function noService(ask: PageAsk, municipality: string | null, codes: readonly string[]): Html {
  const { prose, care } = textsOf(ask);
  const lacking = municipality === null ? null : lackingNote(ask, municipality, codes);
  const path = municipality === null ? '/kaigo/' : servicesPath(municipality);
  return html`${lacking ?? html`<p>${care.empty}</p>`}<p class="ways"><a class="button" href="${pageLink(ask, path)}">${prose.wardServices}</a></p>`;
}

/** The list of the services in a municipality. */
const servicesPath = (code: string): string => `/kaigo/${code.slice(0, 2)}/?municipality=${code}#m${code}`;

/** Limit of the services that are named one by one. */
const MOST_NAMES = 4;

/** Kinds of places around which people look for homes. */
const AROUND: readonly string[] = ['address', 'town', 'building', 'station'];

/**
 * A result: its name, its kind and area, and links to the map and to homes around it.
 * @param towns names of the towns among the results, by code
 */
function line(ask: PageAsk, place: Place, towns: ReadonlyMap<string, string>): Html {
  const { kind, id, name, reading, page, lat, lon } = place;
  const called =
    kind === 'station' ? readable(ask, name, reading?.replace(/えき$/, '') ?? null) : (towns.get(id) ?? name);
  const details = [kindOf(ask, place), ...whereabouts(ask, place)].filter((text) => text !== null && text !== '');
  const hasMap = ask.dataset.map !== null && (kind === 'town' || kind === 'building');
  const hasNear = ask.dataset.kaigo !== null && lat !== null && lon !== null && AROUND.includes(kind);
  const { care } = textsOf(ask);
  const mark = kind === 'building' && ask.dataset.sunlight ? outlineOf(ask, id) : null;
  const detailsHtml = details.map((detail, i) => html`${i === 0 ? null : ' · '}<bdi>${detail}</bdi>`);
  const link = (path: string, text: string): Html => html` <a href="${pageLink(ask, path)}">${text}</a>`;
  const links = [
    hasMap ? link(`/map/?pick=${id}`, care.mapLink) : null,
    ...(kind === 'station' && lat !== null && lon !== null ? stationLinks(ask, { lat, lon }) : []),
    hasNear ? link(nearPath(lat, lon), care.nearLink) : null,
  ];
  return html`<li>${mark}<a href="${pageLink(ask, page)}"><bdi>${called}</bdi></a><br><span class="quiet">${detailsHtml}</span>${links.some((one) => one !== null) ? html`<br><span class="found-ways">${links}</span>` : null}</li>`;
}

/** Links from a station to the map around it, and to the sun of the nearest town. */
function stationLinks(ask: PageAsk, { lat, lon }: LatLon): Html[] {
  const { care, prose } = textsOf(ask);
  const towns = ask.dataset.sunlight?.towns() ?? [];
  const town = new LocalPlane(lat, lon).nearest(towns, 1000 * STATION_NEAR_KM)?.place;
  if (town === undefined) return [];
  const position = new URLSearchParams({ lat: String(lat), lon: String(lon) });
  const link = (path: string, text: string): Html => html` <a href="${pageLink(ask, path)}">${text}</a>`;
  return [
    ...(ask.dataset.map === null ? [] : [link(`/map/?${position}`, care.mapLink)]),
    link(`/sunlight/town/${town.town_code}/`, prose.sunOfTown(townNamed(ask, town.town_code, town.name))),
  ];
}

/**
 * The kind of a place; for a facility its main service, because not every one is a home: some only rent out equipment.
 */
function kindOf(ask: PageAsk, { kind, id }: Place): string {
  const { prose } = textsOf(ask);
  const services = kind === 'facility' ? (ask.dataset.kaigo?.facility(id)?.toJSON().services ?? []) : [];
  const [main] = services.map(({ service_code }) => service_code).toSorted((a, b) => serviceOrder(a) - serviceOrder(b));
  return main === undefined ? (prose.searchKinds[kind] ?? kind) : serviceName(main, ask.language);
}

/**
 * A ward or city with links to its sun, its map, its homes by kind, and its other services.
 * @param tellsLacking true: names the lists of homes that the data lacks; false: the page has named them already
 */
function municipality(ask: PageAsk, place: Place, tellsLacking: boolean): Html {
  const { prose, frame } = textsOf(ask);
  const { id, name, municipality_code: code, lat, lon } = place;
  const ward = wardOf(ask, place);
  const details = [kindOf(ask, place), ...whereabouts(ask, place)].filter(
    (text): text is string => text !== null && text !== '',
  );
  const chip = (path: string, text: string): Html => html`<a href="${pageLink(ask, path)}">${text}</a> `;
  const map =
    ask.dataset.map === null || lat === null || lon === null
      ? null
      : html`<a href="${wardMapLink(ask, { lat, lon })}">${prose.wardMap}</a> `;
  const homes = code === null ? [] : tablesOf(ask, code, HOMES);
  const allServices = code === null ? [] : tablesOf(ask, code, null);
  const otherServices = allServices.length - homes.length;
  return html`<li class="found-ward"><b>${wardNamed(ask, id, name)}</b> <span class="quiet">${frame.list(details)}</span>
${ward === undefined ? null : html`<p class="chips">${chip(`/sunlight/${ward.code}/`, prose.wardSun(ward.hasTowns))}${map}</p>`}
${homes.length === 0 && otherServices === 0 ? null : html`<p class="chips"><span class="quiet">${homes.length === 0 ? null : prose.wardHomes}</span>${homes}</p>`}${tellsLacking ? lackingNote(ask, code ?? id, HOMES) : null}
${otherServices === 0 || code === null ? null : html`<p class="chips">${chip(servicesPath(code), prose.wardServices)}</p>`}</li>`;
}

/**
 * What tells a place from others of its name, as texts to show one after the other; null: nothing to show.
 * - In Japanese: its area and its reading.
 * - In English, of a municipality, or of a place without one: its prefecture.
 * - In English, of a town: its ward. Of another place: the reading of a facility, the ward, and the town or area.
 */
function whereabouts(
  ask: PageAsk,
  { kind, id, name, reading, address, ward_code, municipality_code }: Place,
): (string | null)[] {
  // The address of a town ends with its name, which is already shown.
  const where = address?.endsWith(name) ? address.slice(0, -name.length) : address;
  if (ask.language === 'ja') return [where, reading];
  const code = ward_code ?? municipality_code;
  // The address of a municipality is the prefecture and its name. Places without a municipality have no more.
  if (code === null || kind === 'municipality') return [where && prefectureNamed(ask, id, where)];
  if (kind === 'town') return [wardNamed(ask, code, where ?? '')];
  const town = kind === 'building' ? (ask.dataset.sunlight?.summary(id)?.toJSON() ?? null) : null;
  return [
    kind === 'facility' && reading !== null ? latinName(reading) : null,
    latinWard(ask, code),
    town === null || town.town_code === null ? where : townNamed(ask, town.town_code, town.town_name),
  ];
}
