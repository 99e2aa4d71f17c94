import {
  SUN_SORTS,
  type SunSort,
  type TownBuildings,
  type TownList,
} from '../../contract/operations/sunlight-towns.ts';
import { PAGE_SIZE } from '../../contract/parameter.ts';
import { type BuildingSummary, hoursClass, isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import { type BuildingHours, buildingsByWard, type TownSun } from '../../dataset/sunlight.ts';
import { directionOf } from '../../geo/compass.ts';
import { type LatLon, RADIANS } from '../../geo/degree.ts';
import { azimuthDeg, LocalPlane } from '../../geo/plane.ts';
import { histogram } from '../charts/distributions.ts';
import { FIRST_CHOICES } from '../map/choices.ts';
import { mapLink, wardMapLink } from '../map/map-page.ts';
import { mapPicture } from '../map/picture.ts';
import { type Fragment, type Html, html, scrolling, unbroken, withBold, withMarked } from '../markup.ts';
import { fromStation, namesInLists, wardNamed, wardsOf, wardWithoutTowns } from '../names.ts';
import { orderLink, otherDatasetNote, paging } from '../parts.ts';
import { type Column, numberColumn, table } from '../table.ts';
import { notFound, type PageResult, pageLink, type SunlightAsk, sentenceGap, textsOf } from '../view.ts';
import { careNearby, legend } from './building-tables.ts';
import { blockNear, blocksOf, markOf } from './surroundings.ts';
import { type MeanSun, meanSun } from './town-sun.ts';

/** The means of towns with fewer buildings are drawn pale. */
const FEW = 20;

/** A row of a list: a ward or a town. */
interface Row {
  name: string;
  reading: string | null;
  path: string;
  /** Null when no building was computed. */
  sun: MeanSun | null;
}

/** The page of all wards with their mean hours. */
export function wardsPage(ask: SunlightAsk): PageResult {
  const { sunlight } = textsOf(ask);
  const wards = wardsOf(ask).filter(({ hasTowns }) => hasTowns);
  const rows = wards.map(({ code, name }) => ({
    name: wardNamed(ask, code, name),
    reading: null,
    path: `/sunlight/${code}/`,
    sun: meanSun(ask.sunlight, code),
  }));
  const main = html`<h1>${sunlight.wardsTitle}</h1><p>${sunlight.wardsLead}</p><p class="note">${sunlight.meaning}</p>
${rows.length === 0 ? null : sortedTable(ask, sunlight.ward, rows, '/sunlight/')}${otherWards(ask, new Set(wards.map(({ code }) => code)))}`;
  return { kind: 'page', title: sunlight.wardsTitle, description: sunlight.wardsLead, main };
}

/** Links to the wards that have buildings but no towns. */
function otherWards(ask: SunlightAsk, withTowns: ReadonlySet<string>): Fragment {
  const { sunlight } = textsOf(ask);
  const others = [...buildingsByWard(ask.dataset.manifest)].filter(([code]) => !withTowns.has(code));
  if (others.length === 0) return null;
  const links = others.map(
    ([code, buildings]) =>
      html`<a href="${pageLink(ask, `/sunlight/${code}/`)}">${wardWithoutTowns(ask, code)} <small>${sunlight.buildingCount(buildings)}</small></a> `,
  );
  return html`<p>${sunlight.noTowns}</p><p class="chips">${links}</p>`;
}

/** The towns of a ward and their mean hours; of a ward without towns, its buildings. */
export function wardPage(ask: SunlightAsk): PageResult {
  const { frame, sunlight } = textsOf(ask);
  const code = ask.values.ward;
  // By reading; towns without one come last.
  const towns = ask.sunlight
    .towns()
    .filter(({ ward_code }) => ward_code === code)
    .sort((a, b) => Number(a.reading === null) - Number(b.reading === null) || byReading(a.reading, b.reading));
  if (towns.length === 0) return buildingsOfWard(ask, code);
  const ward = wardNamed(ask, code, wardsOf(ask).find((one) => one.code === code)?.name ?? code);
  const rows = rowsOf(ask, towns);
  const { lat = null, lon = null } = ask.dataset.search?.municipality(code) ?? {};
  const map =
    ask.dataset.map === null || lat === null || lon === null
      ? null
      : html`<p class="chips no-print"><a href="${wardMapLink(ask, { lat, lon })}">${sunlight.linkMap}</a></p>`;
  const main = html`<h1>${unbroken(sunlight.wardTitle(ward))}</h1>${sunniestLine(ask, ward, rows)}${map}<p>${unbroken(sunlight.wardLead(ward))}</p><p class="note">${unbroken(frame.sentences(sunlight.meaning, sunlight.fewBuildings))}</p>${sortedTable(ask, sunlight.town, rows, `/sunlight/${code}/`, towns[0].reading === null ? null : sunlight.byReading)}`;
  return {
    kind: 'page',
    title: sunlight.wardTitle(ward),
    description: sunlight.wardLead(ward),
    crumbs: [{ name: frame.sunlight, path: '/sunlight/' }],
    main,
  };
}

const READINGS = new Intl.Collator('ja', { numeric: true });
const byReading = (a: string | null, b: string | null): number => READINGS.compare(a ?? '', b ?? '');

/** Towns as rows of a list; the reading has its own line on Japanese pages only. */
function rowsOf(ask: SunlightAsk, towns: TownList): Row[] {
  const means = new Map(ask.sunlight.townSun().map((town) => [town.town_code, town]));
  const names = namesInLists(ask, towns);
  return towns.map(({ town_code, reading }) => ({
    name: names.get(town_code) ?? town_code,
    reading: ask.language === 'ja' ? reading : null,
    path: `/sunlight/town/${town_code}/`,
    sun: means.get(town_code) ?? null,
  }));
}

/** Number of towns that the answer of a ward names. */
const MOST_NAMED = 3;

/**
 * The sunniest towns of a ward, in a sentence. Towns with few buildings are left out; null when fewer than `MOST_NAMED`
 * remain.
 */
function sunniestLine(ask: SunlightAsk, ward: string, rows: readonly Row[]): Fragment {
  const { frame, sunlight } = textsOf(ask);
  const hours = ({ sun }: Row): number => sun?.december_top_hours ?? 0;
  const best = rows
    .filter(({ sun }) => sun !== null && sun.buildings >= FEW)
    .toSorted((a, b) => hours(b) - hours(a))
    .slice(0, MOST_NAMED);
  if (best.length < MOST_NAMED) return null;
  const names = best.map((row) => sunlight.namedHours(row.name, frame.hoursUnit(hours(row))));
  const sentence = sunlight.wardSunniest(ward, frame.list(names));
  // The name of the ward may contain that of a town: it is passed over first.
  const linked = withMarked(sentence, [ward, ...best.map(({ name }) => name)], (part) => {
    const row = best.find(({ name }) => name === part);
    return row === undefined ? html`${part}` : html`<a href="${pageLink(ask, row.path)}">${part}</a>`;
  });
  return html`<p class="answer">${linked}</p>`;
}

/** The buildings of a ward whose towns are not in the data, page by page, most sun first. */
function buildingsOfWard(ask: SunlightAsk, code: string): PageResult {
  const { frame, sunlight } = textsOf(ask);
  const sort = sortOf(ask) ?? SUN_SORTS[0];
  const listed = ask.sunlight.ward(code, sort, Number(ask.query.get('page') ?? 1), PAGE_SIZE)?.toJSON();
  if (listed === undefined) return notFound(sunlight.noWard(code));
  const { buildings, total } = listed;
  const ward = wardWithoutTowns(ask, code);
  const path = pageLink(ask, `/sunlight/${code}/`);
  const lead = sunlight.wardBuildingsLead(total);
  const orders = ask.isStatic ? null : orderLinks(ask, path, SUN_SORTS, sort);
  const main = html`<h1>${unbroken(sunlight.wardBuildingsTitle(ward))}</h1>
<p>${unbroken(lead)}</p><p class="note">${sunlight.meaning}</p>
${legend(ask)}${wardMap(ask, buildings)}
<h2>${sunlight.listBySun}</h2>${otherDatasetNote(ask, path)}${orders}${scrolling(sunlight.listBySun, buildingTable(ask, buildings, null, sort))}
${ask.isStatic ? restNote(ask, listed) : paging(ask, listed, path, [['sort', sort]])}`;
  return {
    kind: 'page',
    title: sunlight.wardBuildingsTitle(ward),
    description: lead,
    crumbs: [{ name: frame.sunlight, path: '/sunlight/' }],
    main,
  };
}

/** The order that the query asks for; null: none. */
const sortOf = ({ query }: SunlightAsk): SunSort | null => SUN_SORTS.find((sort) => sort === query.get('sort')) ?? null;

/** The name of each mean, as the heading of its column. */
function meanNames(ask: SunlightAsk): Record<SunSort, string> {
  const { sunlight } = textsOf(ask);
  return {
    december_top_hours: sunlight.decemberTop,
    december_first_hours: sunlight.decemberFirst,
    annual_hours: sunlight.annual,
  };
}

/**
 * A list with links that sort it: in the given order, or by a column with the most sun first.
 * @param first name of the column with wards or towns
 * @param order name of the given order; null: that of the codes
 */
function sortedTable(
  ask: SunlightAsk,
  first: string,
  rows: readonly Row[],
  path: string,
  order: string | null = null,
): Html {
  const { sunlight } = textsOf(ask);
  const sort = sortOf(ask);
  // The mean of a few buildings says little about a town: such towns come last.
  const fewLast = ({ sun }: Row): number => (sun === null || sun.buildings < FEW ? 1 : 0);
  const sorted =
    sort === null
      ? rows
      : rows.toSorted((a, b) => fewLast(a) - fewLast(b) || (b.sun?.[sort] ?? -1) - (a.sun?.[sort] ?? -1));
  const orders = orderLinks(ask, pageLink(ask, path), [null, ...SUN_SORTS], sort, order ?? sunlight.byCode);
  return html`${legend(ask)}${ask.isStatic ? null : orders}
${scrolling(first, meansTable(ask, first, sorted, sort))}`;
}

/**
 * Links that sort a list.
 * @param orders null: the order of a list that the reader has not sorted
 * @param unsortedName name of that order
 */
function orderLinks(
  ask: SunlightAsk,
  path: string,
  orders: readonly (SunSort | null)[],
  present: SunSort | null,
  unsortedName = '',
): Html {
  const names = meanNames(ask);
  const links = orders.map((sort) =>
    orderLink(
      sort === null ? path : `${path}?sort=${sort}`,
      sort === null ? unsortedName : names[sort],
      sort === present,
    ),
  );
  return html`<p class="no-print">${textsOf(ask).sunlight.sortBy} <span class="chips">${links}</span></p>`;
}

/**
 * Wards or towns with their mean hours.
 * @param first name of their column
 * @param sort the column by which they are sorted; null: none
 */
function meansTable(ask: SunlightAsk, first: string, rows: readonly Row[], sort: SunSort | null): Html {
  const { frame, sunlight } = textsOf(ask);
  const names = meanNames(ask);
  return table<Row>(
    { label: first },
    `sheet list n${SUN_SORTS.length + 1}`,
    [
      {
        name: first,
        content: ({ path, name, reading }) =>
          html`<a href="${pageLink(ask, path)}">${name}</a>${reading === null ? null : html`<small>${reading}</small>`}`,
      },
      ...SUN_SORTS.map((mean) => ({
        ...numberColumn<Row>(names[mean], ({ sun }) => sun?.[mean].toFixed(2) ?? frame.unknown),
        isSorted: mean === sort,
        cellClass: ({ sun }: Row) => (sun === null ? 'unknown' : hoursClasses(sun, mean)),
      })),
      numberColumn(sunlight.buildings, ({ sun }) => (sun?.buildings ?? 0).toLocaleString('en')),
    ],
    rows,
  );
}

/** The colour of a mean; that of few buildings is paler. */
const hoursClasses = (sun: NonNullable<Row['sun']>, mean: SunSort): string =>
  `h${hoursClass(sun[mean])}${sun.buildings < FEW ? ' few' : ''}`;

/** A town: the distribution of its hours, its best and darkest buildings, and all of them page by page. */
export function townPage(ask: SunlightAsk): PageResult {
  const { frame, sunlight } = textsOf(ask);
  const code = ask.values.town_code;
  const page = Number(ask.query.get('page') ?? 1);
  const townList = ask.sunlight.town(code, page, PAGE_SIZE)?.toJSON();
  if (townList === undefined) return notFound(sunlight.noTown(code));
  const { town } = townList;
  const name = namesInLists(ask, [town]).get(code) ?? code;
  const ward = wardNamed(ask, town.ward_code, town.ward_name);
  // A name that stands for several chome has no sun of its own (null). Its `mean` is that of the chome.
  const sun = ask.sunlight.townSun().find(({ town_code }) => town_code === code) ?? null;
  const mean = meanSun(ask.sunlight, code);
  const hours = mean === null ? [] : [mean.december_top_hours, mean.december_first_hours].map(frame.hoursExact);
  const withoutMean = townList.total === 0 ? sunlight.townEmpty : '';
  const sentence = mean === null ? withoutMean : sunlight.townSentence(mean.buildings, hours[0], hours[1]);
  return {
    kind: 'page',
    title: sunlight.townTitle(name, ward),
    description: sentence === '' ? sunlight.wardsLead : sentence,
    crumbs: [
      { name: frame.sunlight, path: '/sunlight/' },
      { name: ward, path: `/sunlight/${town.ward_code}/` },
    ],
    main: html`<h1>${unbroken(name)}<small>${ask.language === 'ja' ? (town.reading ?? '') : ''} ${unbroken(ward)}</small></h1>
${sentence === '' ? null : html`<p class="answer">${withBold(sentence, hours)}</p>`}${townList.total === 0 ? null : html`<p class="note">${sunlight.meaning}</p>`}
${ask.dataset.map && html`<p class="chips no-print"><a href="${mapLink(ask, town)}">${sunlight.linkMap}</a></p>`}
${townList.total === 0 ? null : townMap(ask, code, sun)}${sun === null ? chomeTable(ask, code) : spread(ask, sun, town)}
${townList.total === 0 ? null : list(ask, townList)}${careNearby(ask, town)}`,
  };
}

/** The chome of a whole town and their mean hours; nothing for another town. */
function chomeTable(ask: SunlightAsk, code: string): Fragment {
  const { sunlight } = textsOf(ask);
  const chome = ask.sunlight.towns().filter(({ town_code }) => town_code !== code && town_code.startsWith(code));
  if (chome.length === 0) return null;
  const cells = meansTable(ask, sunlight.town, rowsOf(ask, chome), null);
  return html`<h2>${sunlight.towns}</h2>${scrolling(sunlight.towns, cells)}`;
}

/** Size of the map of a town, and its zooms. At a higher zoom single houses would fill it. */
const TOWN_MAP = { width: 760, height: 520, least: 14, most: 17.5 } as const;
/** The same of a ward without towns: at these zooms the map has squares with means in their place. */
const WARD_MAP = { width: 760, height: 520, least: 10, most: 13.5 } as const;
/** Limit of the emphasized buildings on a town's map. The others of a larger town are pale. */
const MOST_SHOWN = 2000;

/**
 * The buildings of a town from above in the colours of their sun, each a link to its page. Numbers mark the sunniest of
 * the list.
 */
function townMap(ask: SunlightAsk, code: string, sun: TownSun | null): Fragment {
  const { map } = ask.dataset;
  const buildings = ask.sunlight.town(code, 1, MOST_SHOWN)?.toJSON().buildings ?? [];
  if (map === null || buildings.length === 0) return null;
  const { sunlight } = textsOf(ask);
  const picture = mapPicture({
    map,
    choices: FIRST_CHOICES,
    isLatin: ask.language === 'en',
    view: viewOf(buildings, TOWN_MAP),
    hrefOf: (kind, id) => pageLink(ask, `/sunlight/${kind}/${id}/`),
    chosen: new Set(buildings.map(({ building_id }) => building_id)),
    badges: new Map(sun?.brightest.map(({ building_id }, i) => [building_id, String(i + 1)])),
  });
  return html`<h2>${sunlight.townMap}</h2><figure class="town-map">${picture}<figcaption>${sunlight.townMapNote}${sun && sunlight.townMapNumbers}</figcaption></figure>${legend(ask)}`;
}

/** The view of the map that shows all places, between the zooms. */
function viewOf(places: readonly LatLon[], size: typeof TOWN_MAP | typeof WARD_MAP) {
  const range = (axis: 'lat' | 'lon'): [least: number, most: number] => {
    const values = places.map((one) => one[axis]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[south, north], [west, east]] = [range('lat'), range('lon')];
  const [lat, lon] = [(south + north) / 2, (west + east) / 2];
  const { width, height, least, most } = size;
  // Shares of the world's width, with 0.0008 degrees for the walls of the outermost buildings. At zoom 0 the world is
  // 512 pixels wide.
  const wide = (east - west + 0.0008) / 360;
  const high = (north - south + 0.0008) / 360 / Math.cos(lat * RADIANS);
  const zoom = Math.min(most, Math.max(least, Math.log2(Math.min(width / wide, height / high) / 512)));
  return { lat, lon, zoom, width, height };
}

/** The map of a ward without towns: squares in the colours of their means. A press opens the map there. */
function wardMap(ask: SunlightAsk, buildings: readonly LatLon[]): Fragment {
  const { map } = ask.dataset;
  if (map === null) return null;
  const { frame, sunlight } = textsOf(ask);
  const view = viewOf(buildings, WARD_MAP);
  const picture = mapPicture({
    map,
    choices: FIRST_CHOICES,
    isLatin: ask.language === 'en',
    view,
    hrefOf: () => null,
  });
  const there = pageLink(ask, `/map/#${view.zoom.toFixed(2)}/${view.lat.toFixed(5)}/${view.lon.toFixed(5)}`);
  return html`<h2>${sunlight.wardMap}</h2><figure class="town-map"><a href="${there}" aria-label="${sunlight.linkMap}">${picture}</a><figcaption>${sunlight.wardMapNote}${sentenceGap({ frame })}<a class="no-print" href="${there}">${sunlight.linkMap}</a></figcaption></figure>`;
}

/** The distribution of the hours in a town, and its sunniest and least sunny buildings. */
function spread(ask: SunlightAsk, sun: TownSun, town: TownBuildings['town']): Html {
  const { sunlight, frame } = textsOf(ask);
  const whereIs = whereaboutsIn(ask, town);
  const words = {
    title: sunlight.distribution,
    description: sunlight.distributionAxis,
    axis: sunlight.distributionAxis,
  };
  const rank = ({ building_id, hours }: BuildingHours): Html => {
    const building = ask.sunlight.summary(building_id)?.toJSON();
    const name = building === undefined ? building_id : listedBuilding(ask, building, whereIs(building));
    return html`<li><b class="nowrap">${frame.hoursExact(hours)}</b> ${name}</li>`;
  };
  const ranks = (name: string, buildings: readonly BuildingHours[]): Html =>
    html`<section><h2>${name}</h2><ol class="buildings">${buildings.map(rank)}</ol></section>`;
  return html`<div class="columns"><section><h2>${sunlight.distribution}</h2><figure>${histogram(sun.classes, words)}</figure></section>
<div class="columns">${ranks(sunlight.brightest, sun.brightest)}${ranks(sunlight.darkest, sun.darkest)}</div></div>`;
}

/** A page of the list of a town's buildings. */
function list(ask: SunlightAsk, listed: TownBuildings): Html {
  const { buildings, town } = listed;
  const { sunlight } = textsOf(ask);
  const path = pageLink(ask, `/sunlight/town/${town.town_code}/`);
  return html`<h2>${sunlight.listHeading}</h2>${otherDatasetNote(ask, path)}${legend(ask)}
${scrolling(sunlight.listHeading, buildingTable(ask, buildings, town))}
${ask.isStatic ? restNote(ask, listed) : paging(ask, listed, path, [])}`;
}

/** An export has the first page of the list; the buildings of the others are on the map of the town. */
const restNote = (ask: SunlightAsk, { buildings, total }: Pick<TownBuildings, 'buildings' | 'total'>): Fragment =>
  buildings.length === total
    ? null
    : html`<p class="note">${textsOf(ask).sunlight.listRest(buildings.length, total)}</p>`;

/**
 * A building of a list as one recognizes it: outline, height and storeys as a link, where it stands, and last its ID.
 * @param where it stands
 */
function listedBuilding(ask: SunlightAsk, building: BuildingSummary, where: readonly string[]): Html {
  const { building_id: id, december_top_best: top, height_m, storeys, storeys_estimated } = building;
  const { frame, sunlight } = textsOf(ask);
  const floors = sunlight.storeysInList(storeys, storeys_estimated);
  // Storeys are estimated from the height: without a height, the estimate is left out.
  const unknown = storeys_estimated ? [sunlight.shapeNoHeight] : [sunlight.shapeNoHeight, floors];
  const shape = isHeightUnknown(building) ? unknown : [sunlight.shapeHeight(height_m.toFixed(0)), floors];
  const link = html`<a href="${pageLink(ask, `/sunlight/building/${id}/`)}">${unbroken(frame.list(shape))}</a>`;
  return html`${markOf(ask.sunlight, id, top?.direct_sun_hours)}${link}<small>${unbroken([...where, id].join(' · '))}</small>`;
}

/**
 * Makes a function that says where a building stands: its block and the way from a station, as far as they are known;
 * without a station the way from the middle of its town.
 * @param town null: not known
 */
function whereaboutsIn(ask: SunlightAsk, town: TownBuildings['town'] | null): (building: LatLon) => string[] {
  const { frame, sunlight } = textsOf(ask);
  const blocks = town === null ? [] : blocksOf(ask, town);
  const plane = town && new LocalPlane(town.lat, town.lon);
  /** The way from the middle of the town; null in the middle itself. */
  const fromMiddle = ({ lat, lon }: LatLon): string | null => {
    if (plane === null) return null;
    const [east, north] = [plane.x(lat, lon), plane.y(lat)];
    const metres = Math.round(Math.hypot(east, north) / 10) * 10;
    return metres === 0 ? null : sunlight.fromMiddle(frame.faces[directionOf(azimuthDeg(east, north))], metres);
  };
  return (building) => {
    const block = blockNear(blocks, building);
    const numbered = block === null ? null : sunlight.nearBlock(block);
    return [numbered, fromStation(ask, building) ?? fromMiddle(building)].filter((text) => text !== null);
  };
}

/**
 * A table of buildings with their hours.
 * @param town in which all of them stand; null: not known
 * @param sort the hours by which they are sorted; null: by ID
 */
function buildingTable(
  ask: SunlightAsk,
  buildings: readonly BuildingSummary[],
  town: TownBuildings['town'] | null,
  sort: SunSort | null = null,
): Html {
  const { frame, sunlight } = textsOf(ask);
  type Hours = { hours: number | null | undefined; face?: string | undefined };
  const names = meanNames(ask);
  const whereIs = whereaboutsIn(ask, town);
  const hoursColumn = (column: SunSort, hoursOf: (building: BuildingSummary) => Hours): Column<BuildingSummary> => ({
    ...numberColumn(names[column], (building) => {
      const { hours, face } = hoursOf(building);
      if (hours == null) return frame.unknown;
      return html`${hours.toFixed(2)}${face === undefined ? null : html` <small>${frame.faces[face]}</small>`}`;
    }),
    isSorted: column === sort,
    cellClass: (building) => {
      const { hours } = hoursOf(building);
      return hours == null ? 'unknown' : `h${hoursClass(hours)}`;
    },
  });
  return table<BuildingSummary>(
    { label: sunlight.listHeading },
    'sheet list buildings n3',
    [
      {
        name: sunlight.building,
        content: (building) => listedBuilding(ask, building, whereIs(building)),
      },
      hoursColumn('december_top_hours', ({ december_top_best: top }) => ({
        hours: top?.direct_sun_hours,
        face: top?.face,
      })),
      hoursColumn('december_first_hours', ({ december_first_south: first }) => ({
        hours: first?.direct_sun_hours,
        face: first?.face,
      })),
      hoursColumn('annual_hours', ({ annual_mean_hours }) => ({ hours: annual_mean_hours })),
    ],
    buildings,
  );
}
