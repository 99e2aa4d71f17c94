import type { BuildingFull } from '../../contract/operations/sunlight-building.ts';
import { isRefused, type Refused } from '../../contract/outcome.ts';
import { hoursClass, isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import { placePlan } from '../charts/plans.ts';
import { dayBars } from '../charts/sun-chart.ts';
import { minutesOf } from '../charts/svg.ts';
import { FLAT_ENTRY, MOST_FLATS } from '../compared.ts';
import { exampleBuilding } from '../example-urls.ts';
import { type Fragment, type Html, html, scrolling, selectField, unbroken, withBold } from '../markup.ts';
import { savedList } from '../parts.ts';
import { listed, type PageResult, pageLink, type SunlightAsk, sentenceGap, textsOf, withQuery } from '../view.ts';
import { legend, townLabel } from './building-tables.ts';
import { floorName, intervalText } from './building-words.ts';
import {
  asksForBalcony,
  type Choice,
  choiceQuery,
  dateField,
  fifteenth,
  MONTH_NUMBERS,
  type MonthSight,
  type ShownDay,
  shownDay,
  USUAL_BALCONY,
} from './choice.ts';
import { floorOn, sightOf } from './sight.ts';
import { surroundings } from './surroundings.ts';

/** How far from the first building others are offered on the plan, metres, and the limit of their number. */
const NEARBY = { radiusM: 130, most: 150 } as const;

/**
 * Flats are not ranked when their hours differ by at most this: the usual errors of a city model change half of the
 * values of first floors by this or more (docs/method.md, six wards of Tokyo). Minutes.
 */
const ABOUT_EQUAL_MIN = 5;

/** One column of the comparison. */
interface Compared {
  entry: string;
  building: BuildingFull;
  choice: Choice | null;
  /** The wall on the shown day; null: the building has no walls. */
  sun: Pick<MonthSight, 'direct_sun_hours' | 'sunlit_windows' | 'interval'> | null;
}

/** A flat without a column, because it does not exist or was not computed this time. */
interface NotCompared {
  reason: string;
  /** Why it was not computed; null when it does not exist or has no such floor or wall. */
  refusal: Refused | null;
}

/** The page with up to `MOST_FLATS` buildings or flats side by side. */
export async function comparePage(ask: SunlightAsk): Promise<PageResult> {
  const { sunlight } = textsOf(ask);
  const requested = [...new Set([...entriesIn(ask), ...listed(ask, 'add').map(entryIn)])];
  const entries = requested.slice(0, MOST_FLATS);
  const day = shownDay(ask);
  const results = await Promise.all(entries.map((entry) => comparedOf(ask, entry, day)));
  const compared = results.filter((one) => 'building' in one);
  const excluded = results.filter((one) => 'reason' in one);
  const refusal = excluded.find((one) => one.refusal !== null)?.refusal ?? null;
  const alerts = [
    ...(requested.length > entries.length ? [sunlight.compareFirst] : []),
    ...excluded.map(({ reason }) => reason),
  ];
  const [lead, comparison] =
    compared.length === 0
      ? [
          html`<p class="answer">${sunlight.compareLead}</p>`,
          html`<p>${sunlight.compareEmpty}</p>${waysToBuildings(ask)}`,
        ]
      : [sunniestLine(ask, compared, day), comparisonOf(ask, compared, day)];
  const saved = savedList(ask, 'flats', dayQuery(ask.query));
  const main = html`<h1>${sunlight.compareTitle}</h1>${lead}${undoLine(ask, entries)}
${alerts.map((text) => html`<p class="unknown" role="alert">${text}</p>`)}
${compared.length === 0 ? [saved, comparison] : [comparison, saved]}
${addForm(ask, compared)}`;
  return {
    kind: 'page',
    title: sunlight.compareTitle,
    description: sunlight.compareLead,
    main,
    scripts: ['picker.js'],
    isPersonal: entries.length > 0,
    ...(refusal !== null && { incomplete: { refusal, lacksAnswer: true } }),
  };
}

/** The entries of `b`. The form sends the wall of a flat as `:SW` behind its building and floor. */
const entriesIn = (ask: SunlightAsk): string[] =>
  listed(ask, 'b')
    .join()
    .replaceAll(',:', ':')
    .split(',')
    .filter((entry) => entry !== '');

/** A link that brings back the flat that was taken out last; null when none was. */
function undoLine(ask: SunlightAsk, entries: readonly string[]): Fragment {
  const removed = ask.query.get('removed');
  if (!removed || entries.includes(removed) || entries.length >= MOST_FLATS) return null;
  const { frame } = textsOf(ask);
  return html`<p class="note no-print" role="status">${frame.takenOut(entryName(ask, removed))}${sentenceGap({ frame })}<a href="${comparisonUrl(ask, [...entries, removed])}">${frame.saved.undo}</a></p>`;
}

/** The compared flats on the shown day, in the year, as JSON, and what stands around them. */
function comparisonOf(ask: SunlightAsk, compared: readonly Compared[], day: ShownDay): Html {
  const { frame, sunlight } = textsOf(ask);
  return html`${dayOfFlats(ask, compared, day)}
<details><summary>${sunlight.compareYear}</summary>${table(ask, compared)}</details>
<p class="no-print"><a href="${jsonLink(ask, compared)}">${frame.asJson}</a></p>${nearby(ask, compared, day)}`;
}

/** The form that adds a flat by its address or ID. */
function addForm(ask: SunlightAsk, compared: readonly Compared[]): Html {
  const { sunlight } = textsOf(ask);
  const day = dayQuery(ask.query).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const example = compared[0]?.building.building_id ?? exampleBuilding(ask.dataset) ?? '';
  return html`<details class="no-print"><summary>${sunlight.compareByAddress}</summary>
<form class="picker" method="get" action="${pageLink(ask, '/compare/')}">
<input type="hidden" name="b" value="${compared.map(({ entry }) => entry).join(',')}">${day}
<label class="whole">${sunlight.compareAdd}<input type="text" name="add" autocomplete="off"></label>
<button>${sunlight.compareButton}</button></form><p class="note">${unbroken(sunlight.compareHelp(example))}</p></details>`;
}

/**
 * The entry for what the user wrote into the add field: from the URL of a building's page, otherwise the text itself.
 */
function entryIn(text: string): string {
  const [, id, query] = /\/sunlight\/building\/(\d{5}-bldg-\d+)\/?(?:\?([^#]*))?/.exec(text) ?? [];
  if (id === undefined) return text;
  const choiceOfUrl = new URLSearchParams(query);
  return [id, choiceOfUrl.get('floor'), choiceOfUrl.get('face')].filter((part) => part !== null).join(':');
}

/** A sentence that names the flat with the most sun on the day, or several with about equal hours; null for a single flat. */
function sunniestLine(ask: SunlightAsk, compared: readonly Compared[], day: ShownDay): Fragment {
  const { frame, sunlight } = textsOf(ask);
  const called = namesOf(ask, compared);
  const flats = compared.flatMap(({ choice, sun }, i) =>
    choice === null || sun === null ? [] : [{ name: `${letterAt(i)}\u00a0${called[i]}`, sun }],
  );
  if (flats.length < 2) return null;
  const hours = ({ sun }: (typeof flats)[number]): number => sun.direct_sun_hours;
  const most = Math.max(...flats.map(hours));
  if (most === 0) return html`<p class="answer">${sunlight.compareNoSun(day.name)}</p>`;
  const isSunniest = (one: (typeof flats)[number]): boolean => (most - hours(one)) * 60 <= ABOUT_EQUAL_MIN;
  const sunniest = flats.filter(isSunniest);
  const names = sunniest.map(({ name }) => name);
  const [leastText, mostText] = [frame.hoursExact(Math.min(...sunniest.map(hours))), frame.hoursExact(most)];
  const sentence =
    leastText === mostText
      ? sunlight.compareSunniest(day.name, names, mostText)
      : sunlight.compareAboutEqual(day.name, names, names.length === flats.length, [
          leastText,
          mostText,
          ABOUT_EQUAL_MIN,
        ]);
  // Within the error of the model, a flat that is not named may have as much sun as one that is.
  const leastLikely = Math.min(...sunniest.map(({ sun }) => sun.interval?.p10_hours ?? Infinity));
  const mostLikely = ({ sun }: (typeof flats)[number]): number => sun.interval?.p90_hours ?? -Infinity;
  const mayChange = flats.some((one) => !isSunniest(one) && mostLikely(one) >= leastLikely);
  return html`<p class="answer">${withBold(sentence, [leastText, mostText])}${mayChange ? sunlight.compareWithinError : null}</p>`;
}

/** The hours of a flat on the shown day, with their interval; null without a result. */
function hoursLine(ask: SunlightAsk, { sun }: Compared): Fragment {
  const { frame, sunlight } = textsOf(ask);
  if (sun === null) return null;
  return html`<b>${unbroken(frame.hoursExact(sun.direct_sun_hours))}</b>${unbroken(intervalText(sunlight, sun.interval))} · `;
}

/**
 * An entry of the query (`<building ID>:<floor>:<wall>`) in words: the town of its building, its floor and its wall; the
 * entry itself if its building is unknown.
 */
function entryName(ask: SunlightAsk, entry: string): string {
  const [, id = '', floor, face] = FLAT_ENTRY.exec(entry) ?? [];
  const building = ask.sunlight.summary(id)?.toJSON();
  if (building === undefined) return entry;
  const { frame, sunlight } = textsOf(ask);
  const words = [townLabel(ask, building), floor && frame.floor(floor), face && sunlight.faceName(frame.faces[face])];
  return words.filter(Boolean).join(' ');
}

/** A flat in words: its town, floor and wall. */
function calledAs(ask: SunlightAsk, { building, choice }: Pick<Compared, 'building' | 'choice'>): string {
  const place = townLabel(ask, building);
  if (choice === null) return place;
  const { frame, sunlight } = textsOf(ask);
  return `${place} ${floorName(textsOf(ask), choice)} ${sunlight.faceName(frame.faces[choice.face.face])}`;
}

/** The flats in words; flats of different buildings that are called the same also have the height of their building. */
function namesOf(ask: SunlightAsk, compared: readonly Compared[]): string[] {
  const { frame } = textsOf(ask);
  const names = compared.map((one) => calledAs(ask, one));
  return compared.map(({ building }, i) => {
    const isAlike = compared.some(
      (other, j) => names[j] === names[i] && other.building.building_id !== building.building_id,
    );
    return isAlike ? frame.apart(names[i], heightText(ask, building)) : names[i];
  });
}

/** The height of a building in words. */
function heightText(ask: SunlightAsk, building: Compared['building']): string {
  const { frame, sunlight } = textsOf(ask);
  return isHeightUnknown(building) ? sunlight.shapeNoHeight : sunlight.heightOf(frame.metres(building.height_m));
}

/** The letter of a column. */
const letterAt = (i: number): string => 'ABCD'[i] ?? '';

/** The day and the balcony in the query. */
const dayQuery = (query: URLSearchParams): [string, string][] =>
  ['month', 'date', 'balcony'].flatMap((name): [string, string][] => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });

/** The URL of a comparison with the day and balcony of this one. */
const comparisonUrl = (ask: SunlightAsk, entries: readonly string[], more: [string, string][] = []): string =>
  withQuery(pageLink(ask, '/compare/'), [['b', entries.join(',')], ...dayQuery(ask.query), ...more]);

/**
 * A link to this comparison as JSON. With a balcony, each entry names the shown floor and wall, because only the
 * operation of one floor takes a balcony; buildings without walls are left out.
 */
function jsonLink(ask: SunlightAsk, compared: readonly Compared[]): string {
  const hasBalcony = asksForBalcony(ask.query);
  const entries = compared.flatMap(({ entry, building, choice }) => {
    if (!hasBalcony) return entry;
    return choice === null ? [] : `${building.building_id}:${choice.floor.floor}:${choice.face.face}`;
  });
  const query = { b: entries.join(','), ...(hasBalcony && { overhang: String(USUAL_BALCONY.overhangM) }) };
  return `${pageLink(ask, '/compare/index.json')}?${new URLSearchParams(query)}`;
}

/** Links to the map and the search, where buildings to compare are found. */
function waysToBuildings(ask: SunlightAsk): Html {
  const { prose } = textsOf(ask);
  return html`<p class="ways">${ask.dataset.map && html`<a class="button" href="${pageLink(ask, '/map/')}">${prose.openMap}</a>`} <a class="button" href="${pageLink(ask, '/search/')}">${prose.searchTitle}</a></p>`;
}

/** One day of each flat: the days one below the other, a description of each flat, and a form for floors and day. */
function dayOfFlats(ask: SunlightAsk, compared: readonly Compared[], day: ShownDay): Html {
  const { month } = day;
  const { frame, sunlight } = textsOf(ask);
  const bars = compared.map(({ sun }, i) => {
    const lit = (sun?.sunlit_windows ?? []).map(([from, to]) => [minutesOf(from), minutesOf(to)] as const);
    return { letter: letterAt(i), hours: sun === null ? '–' : frame.hoursUnit(sun.direct_sun_hours), lit };
  });
  const monthOptions = MONTH_NUMBERS.map((one) => [one, frame.month(one)] as const);
  const options = selectField('month', sunlight.monthLabel, monthOptions, month);
  const flats = compared.map((one, i) => flatSelects(ask, one, i));
  return html`<figure class="day">${dayBars(bars, { title: sunlight.compareDay(day.name), description: sunlight.compareDayDescription })}<figcaption>${sunlight.compareDayNote}</figcaption></figure>
<ul class="plain">${compared.map((one, i) => html`<li><b class="letter">${letterAt(i)}</b> ${flatLine(ask, one, compared, day)}</li>`)}</ul>
<form class="picker no-print" method="get" action="${pageLink(ask, '/compare/')}" aria-label="${sunlight.choose}">
${flats}${options}${dateField(ask, day.date, sunlight.dateInstead)}
<label class="whole"><span><input type="checkbox" name="balcony" value="1"${asksForBalcony(ask.query) ? html` checked` : null}> ${unbroken(sunlight.balconyLabel)}</span></label>
<button>${sunlight.show}</button></form>`;
}

/** The floors and the walls of a flat's building: `b=ID:floor` and, behind it, `b=:wall`. */
function flatSelects(ask: SunlightAsk, { building, choice, entry }: Compared, index: number): Html {
  const { frame, sunlight } = textsOf(ask);
  if (choice === null) return html`<input type="hidden" name="b" value="${entry}">`;
  const { floor, face } = choice;
  const entryOn = (storey: number): string => `${building.building_id}:${storey}`;
  const floors = Array.from({ length: building.storeys }, (_, i) => [entryOn(i + 1), frame.floor(i + 1)] as const);
  const walls = floor.faces.map((one) => [`:${one.face}`, sunlight.faceName(frame.faces[one.face])] as const);
  return html`${selectField('b', `${letterAt(index)} ${sunlight.floorLabel}`, floors, entryOn(floor.floor))}
${selectField('b', `${letterAt(index)} ${sunlight.faceLabel}`, walls, `:${face.face}`)}`;
}

/** A description of a flat, with links to its page and to a comparison without it. */
function flatLine(ask: SunlightAsk, one: Compared, all: readonly Compared[], { month, date }: ShownDay): Html {
  const { building, choice, entry } = one;
  const { frame } = textsOf(ask);
  const { building_id: id } = building;
  const otherEntries = all.flatMap((other) => (other.entry === entry ? [] : other.entry));
  const query =
    choice === null
      ? ''
      : choiceQuery({
          floor: choice.floor.floor,
          face: choice.face.face,
          month,
          balcony: choice.balcony,
          dates: date === null ? [] : [date],
        });
  return html`<a href="${pageLink(ask, `/sunlight/building/${id}/`)}${query}">${unbroken(calledAs(ask, one))}</a>
<span class="quiet">${hoursLine(ask, one)}${unbroken(heightText(ask, building))} · <span class="nowrap">${id}</span></span>
<a class="no-print remove" href="${comparisonUrl(ask, otherEntries, [['removed', entry]])}">${frame.takeOut}</a>`;
}

/** Buildings around the first one on a plan: a press adds one to the comparison. */
function nearby(ask: SunlightAsk, compared: readonly Compared[], { month }: ShownDay): Fragment {
  const { frame, sunlight } = textsOf(ask);
  const [first] = compared;
  if (first === undefined || compared.length >= MOST_FLATS) return null;
  const { lat, lon } = first.building;
  const letters = new Map(compared.map(({ building }, i) => [building.building_id, letterAt(i)]));
  const entries = compared.map(({ entry }) => entry);
  const buildings = surroundings(ask.sunlight, lat, lon, NEARBY).map((near) => {
    const one = { ...near, hours: ask.sunlight.hours(near.id, { month, floor: 'top', face: 'best' }) };
    const letter = letters.get(one.id);
    if (letter !== undefined) return { ...one, letter };
    const hours = one.hours === null ? frame.unknown : frame.hoursUnit(one.hours);
    const title = sunlight.compareNeighbour(
      one.isHeightKnown ? frame.metres(Math.round(one.heightM)) : null,
      frame.month(month),
      hours,
    );
    return { ...one, link: { href: comparisonUrl(ask, [...entries, entryLike(ask, first, one.id)]), title } };
  });
  const description = sunlight.compareNearDescription(fifteenth(textsOf(ask), month));
  const words = {
    title: sunlight.compareNear,
    description,
    north: sunlight.north,
    metres: frame.metres,
  };
  return html`<section class="no-print"><h2>${sunlight.compareNear}</h2><p class="note">${description}</p><figure class="small">${placePlan(buildings, words)}</figure>${legend(ask)}</section>`;
}

/**
 * The entry (`id`, `id:floor` or `id:floor:face`) by which a building is compared with a flat: with the floor and the
 * direction of the flat, as far as the building has them.
 */
function entryLike(ask: SunlightAsk, { choice }: Compared, id: string): string {
  const shape = ask.sunlight.shape(id, {});
  if (choice === null || shape === null) return id;
  const { floor, face } = choice;
  const entry = `${id}:${Math.min(floor.floor, shape.storeys)}`;
  return shape.towards(face.face) === null ? entry : `${entry}:${face.face}`;
}

/** One entry, `building` or `building:floor:face`, with its sun; or the reason why it cannot be compared. */
async function comparedOf(ask: SunlightAsk, entry: string, day: ShownDay): Promise<Compared | NotCompared> {
  const { frame, sunlight } = textsOf(ask);
  const [, id, floorText, face = null] = FLAT_ENTRY.exec(entry) ?? [];
  const building = id === undefined ? null : (ask.sunlight.full(id)?.toJSON() ?? null);
  if (building === null) return { reason: sunlight.unknownBuilding(entry), refusal: null };
  const floor = floorText === undefined ? null : Number(floorText);
  const sight = await sightOf(ask, building, {
    floor,
    face,
    month: null,
    receptor: null,
    balcony: asksForBalcony(ask.query),
  });
  // A text says why the floor or the wall of the entry cannot be shown.
  if (typeof sight === 'string') return { reason: `${entry}: ${sight}`, refusal: null };
  // The building has no walls.
  if (sight === null) return { entry, building, choice: null, sun: null };
  // The named floor could not be computed. An entry without a floor is shown by a stored one.
  if (sight.refusal && sight.lacksRequested && floor !== null) {
    const text = sunlight.notComputed(frame.floor(floor), sight.refusal);
    return { reason: `${entry}: ${text}`, refusal: sight.refusal };
  }
  const { choice } = sight;
  if (day.date === null) return { entry, building, choice, sun: choice.face.months.at(day.month - 1) ?? null };
  const onDay = await floorOn(
    ask,
    building.building_id,
    { ...choice, floor: choice.floor.floor, face: choice.face.face },
    [day.date],
  );
  if (isRefused(onDay))
    return { reason: `${entry}: ${sunlight.notComputed(frame.floor(choice.floor.floor), onDay)}`, refusal: onDay };
  return { entry, building, choice, sun: onDay.faces[0]?.day ?? null };
}

/** The sun of the compared flats in each month. */
function table(ask: SunlightAsk, compared: readonly Compared[]): Html {
  const { frame, sunlight } = textsOf(ask);
  const rows = MONTH_NUMBERS.map(
    (month) =>
      html`<tr><th scope="row">${frame.month(month)}</th>${compared.map(({ choice }) => {
        const answer = choice?.face.months[month - 1];
        return answer === undefined
          ? html`<td class="unknown">${frame.unknown}</td>`
          : html`<td class="h${hoursClass(answer.direct_sun_hours)}" data-hours="${answer.direct_sun_hours}"><b>${answer.direct_sun_hours.toFixed(2)}</b> <small>${answer.sunlit_windows.map((window) => window.join('–')).join(' ')}</small></td>`;
      })}</tr>`,
  );
  const flats = namesOf(ask, compared).map(
    (name, i) => html`<th scope="col">${letterAt(i)}<small>${name}</small></th>`,
  );
  const year = html`<table class="sheet compared n${compared.length}">
<caption>${asksForBalcony(ask.query) ? sunlight.balconyMeaning : sunlight.meaning}</caption>
<thead><tr><th scope="col">${sunlight.monthColumn}</th>${flats}</tr></thead>
<tbody>${rows}</tbody></table>`;
  return html`${legend(ask)}${scrolling(sunlight.compareTitle, year)}`;
}
