import type { Case } from '../../contract/kaigo-cost.ts';
import type { BuildingsNear } from '../../contract/operations/sunlight-position.ts';
import { type BuildingSummary, HOURS_CLASSES, isHeightUnknown } from '../../contract/sunlight-shapes.ts';
import { type SunlightAnswers, townOf } from '../../dataset/sunlight.ts';
import { DIRECTIONS } from '../../geo/compass.ts';
import type { LatLon } from '../../geo/degree.ts';
import { JAPAN } from '../../geo/grid-square.ts';
import { oneDecimal } from '../../geo/rounding.ts';
import { type DayPath, dayPaths, sunAt } from '../../solar/day-path.ts';
import { MAP_STYLE } from '../frame/assets.ts';
import { caseIn, caseLink, caseQuery, caseText, hasCase, hidden } from '../kaigo/case.ts';
import { HOMES, serviceName } from '../kaigo/services.ts';
import { type Fragment, type Html, html, option, raw, unbroken, webAddress } from '../markup.ts';
import { hasTowns, townNamed, wardNamed, wardsOf } from '../names.ts';
import { HOURS_SCALE } from '../scale.ts';
import { floorAt, MONTH_NUMBERS } from '../sunlight/choice.ts';
import { longWallTowards } from '../sunlight/sight.ts';
import { markOf } from '../sunlight/surroundings.ts';
import { meanSun } from '../sunlight/town-sun.ts';
import {
  fileLink,
  invalid,
  type PageAsk,
  type PageResult,
  pageLink,
  sentenceGap,
  textsOf,
  withQuery,
} from '../view.ts';
import type { MapPick, PanelWords } from './browser/types.d.ts';
import { PINS_ZOOM } from './care-pins.ts';
import { choicesIn, FIRST_CHOICES, FLOORS, type MapChoices } from './choices.ts';
import { GROUND_ZOOM, MAP_ASSETS } from './map-files.ts';
import { hoursOfTown, mapPicture } from './picture.ts';

/** Rows of the table of the sun, in minutes after midnight: every ten minutes from 4:00 to 20:00. */
const SUN = { from: 240, step: 10, to: 1200 } as const;
const UNKNOWN_FILL = '#8e8a84';
const FONT = "'Hiragino Sans','Noto Sans CJK JP','Noto Sans JP','Yu Gothic UI',sans-serif";

/** Limit of the wards that a message names when the view is outside the data. */
const MOST_WARDS = 6;

/** How far from the view's middle the buildings of the list beside the map are, and the limit of their number. */
const NEAR = { radiusM: 200, most: 50 } as const;
/**
 * First zooms: of a requested place or building, of a requested town, and of the whole district without a request. A
 * phone shows a requested place one zoom nearer, so that a building is as large as a finger.
 */
const ZOOMS = { place: 17, town: 16, wholeTown: 15, phoneNearer: 1, district: 13.3 } as const;
const PICKED_BUILDING = /^\d{5}-bldg-\d+$/;

/** A position with the zoom at which it is shown. */
type ZoomedPlace = LatLon & { zoom: number };

/** The first view of a map, and what lies in it. */
interface MapPlace {
  /** The box around the data, degrees. */
  bounds: [west: number, south: number, east: number, north: number];
  view: ZoomedPlace & { phoneZoom: number };
  pick: MapPick | null;
  /** Up to 50 buildings, the nearest first. */
  near: BuildingsNear['buildings'];
}

/** The page of the map. */
export function mapPage(ask: PageAsk): PageResult {
  const t = textsOf(ask).map;
  const choices = choicesIn(ask.query);
  const place = mapPlace(ask);
  if (place === null) return invalid(textsOf(ask).prose.bothCoordinates);
  return {
    kind: 'page',
    title: t.title,
    description: t.description,
    main: mapHtml(ask, choices, place),
    isPersonal: ask.query.has('lat'),
    scripts: ['here.js'],
  };
}

/** The first view and what lies in it; null when the query has only one of `lat` and `lon`. */
function mapPlace(ask: PageAsk): MapPlace | null {
  const { dataset, query } = ask;
  if (query.has('lat') !== query.has('lon')) return null;
  const bounds = dataset.map?.bounds ?? [JAPAN.west, JAPAN.south, JAPAN.east, JAPAN.north];
  const pickedId = query.get('pick') || null;
  const picked = pickedId === null ? null : pickedPlace(dataset, pickedId);
  const { floor } = choicesIn(query);
  const view = firstView(query, picked, bounds, dataset.map?.leastZoom ?? 0);
  return {
    bounds,
    view,
    near: dataset.sunlight?.near(view.lat, view.lon, NEAR.radiusM, NEAR.most).toJSON().buildings ?? [],
    pick:
      pickedId === null
        ? null
        : { id: pickedId, isKnown: picked !== null, floor, storey: storeyIn(ask, pickedId, floor) },
  };
}

/**
 * The storey that was chosen on the page of a building, and a note that the map shows the hours of another one: the map
 * has only those of the lowest, the middle and the top floor. Null when it shows the hours of the chosen storey, or the
 * building has no such storey.
 */
function storeyIn(ask: PageAsk, id: string, floor: MapChoices['floor']): MapPick['storey'] {
  const { query, dataset } = ask;
  const building = query.has('storey') ? dataset.sunlight?.full(id)?.toJSON() : undefined;
  const shown = building === undefined ? null : floorAt(building, floor);
  const chosen = Number(query.get('storey'));
  if (building === undefined || shown === null || shown === chosen || chosen > building.storeys) return null;
  const { frame, map: t } = textsOf(ask);
  const chosenName = frame.floor(chosen);
  return { number: chosen, note: t.otherStorey(frame.floor(shown), chosenName), details: t.storeyDetails(chosenName) };
}

/**
 * The first view: around `lat` and `lon` of the query, otherwise around the picked thing, otherwise around the middle of
 * the data.
 * @param leastZoom the lowest zoom that the data have
 */
function firstView(
  query: URLSearchParams,
  picked: ZoomedPlace | null,
  [west, south, east, north]: MapPlace['bounds'],
  leastZoom: number,
): MapPlace['view'] {
  if (query.has('lat')) {
    const view = viewOf({ lat: Number(query.get('lat')), lon: Number(query.get('lon')), zoom: ZOOMS.place });
    const zoom = Number(query.get('zoom'));
    return query.has('zoom') ? { ...view, zoom, phoneZoom: zoom } : view;
  }
  if (picked !== null) return viewOf(picked);
  const zoom = Math.max(ZOOMS.district, leastZoom);
  return { lat: (south + north) / 2, lon: (west + east) / 2, zoom, phoneZoom: zoom };
}

/** A first view of a place: one zoom nearer on a phone. */
const viewOf = ({ lat, lon, zoom }: ZoomedPlace): MapPlace['view'] => ({
  lat,
  lon,
  zoom,
  phoneZoom: zoom + ZOOMS.phoneNearer,
});

/** A link to the map where a town is. The page of an export cannot read a query, so its link has no picked town. */
export const mapLink = (ask: PageAsk, town: LatLon & { town_code: string }): string =>
  pageLink(ask, ask.isStatic ? `/map/#${ZOOMS.town}/${town.lat}/${town.lon}` : `/map/?pick=${town.town_code}`);

/** A link to the map of a ward around its middle. */
export const wardMapLink = (ask: PageAsk, { lat, lon }: LatLon): string => pageLink(ask, `/map/#13/${lat}/${lon}`);

/**
 * A link to the map with the care homes around a place. It keeps the case; in an export, whose map cannot read a query,
 * it leads to the place alone.
 * @param service of the shown homes; null: all homes
 */
export function homesMapLink(
  ask: PageAsk,
  { lat, lon }: LatLon,
  zoom: number = ZOOMS.place,
  service: string | null = null,
): string {
  if (ask.isStatic) return pageLink(ask, `/map/#${zoom}/${lat}/${lon}`);
  return withQuery(pageLink(ask, '/map/'), [
    ['homes', '1'],
    ['lat', String(lat)],
    ['lon', String(lon)],
    ['zoom', String(zoom)],
    ...serviceQuery(service),
    ...caseQuery(ask.query),
  ]);
}

/** The position of a building or a town by its ID, and its first zoom; null when the data does not have it. */
function pickedPlace({ sunlight }: PageAsk['dataset'], id: string): ZoomedPlace | null {
  if (!PICKED_BUILDING.test(id)) {
    const town = townOf(sunlight, id);
    if (town === undefined) return null;
    // The list has towns by chome. A town that is found, but not in the list, has several chome.
    const isWhole = !sunlight?.towns().some(({ town_code }) => town_code === id);
    return { lat: town.lat, lon: town.lon, zoom: isWhole ? ZOOMS.wholeTown : ZOOMS.town };
  }
  const building = sunlight?.summary(id)?.toJSON();
  return building === undefined ? null : { lat: building.lat, lon: building.lon, zoom: ZOOMS.place };
}

/** The content of the page. The scripts read their settings from its `map-data`. */
function mapHtml(ask: PageAsk, choices: MapChoices, place: MapPlace): Html {
  const t = textsOf(ask).map;
  const settings = JSON.stringify(settingsOf(ask, place)).replaceAll('<', '\\u003c');
  const scripts = fileLink(ask, MAP_ASSETS.folder);
  return html`<style>${raw(MAP_STYLE)}</style>
<div class="map-page">
<h1 class="visually-hidden">${t.heading}</h1>
<p id="map-choice" class="print-only">${choiceText(ask, choices)}</p>
<div class="map-area"><div id="map"></div><canvas id="map-print" aria-hidden="true" hidden></canvas>${firstPicture(ask, choices, place)}<div class="crosshair" aria-hidden="true"></div>
<div class="map-notes"><p class="map-note map-loading">${t.loading}</p>
<p id="map-outside" class="map-note" role="status" hidden>${t.outside(coveredWards(ask))} <button id="map-back" type="button">${t.backToData}</button></p></div>
<div class="map-foot">${legend(ask)}
<details class="map-credit" id="map-credit" open><summary>${t.credit}</summary>${creditOf(ask)}</details></div></div>
<section class="map-panel" aria-label="${t.panel}">
<noscript><p class="map-note">${t.noScript}</p></noscript>
<p id="map-without" class="map-note" role="status" hidden>${t.noWebgl}</p>
<p id="map-renewed" class="map-note" role="alert" hidden>${t.renewed} <button id="map-reload" type="button">${t.reload}</button></p>
<p id="map-offline" class="map-note" role="status" hidden>${t.offline}</p>
${choicesForm(ask, choices, place)}
${scaleNotes(ask)}
<details class="map-list" open><summary>${t.near}</summary>
<p id="map-near-note">${choiceText(ask, choices)}</p>
<ol id="map-near">${servedList(ask, choices, place)}</ol></details>
<p class="quiet">${t.excluded}${sentenceGap(textsOf(ask))}<a href="${pageLink(ask, '/sunlight/')}">${t.list}</a></p>
</section>
</div>
<script type="application/json" id="map-data">${raw(settings)}</script>
<script type="module" src="${scripts}start.js"></script>
${MAP_ASSETS.modules('start.js').map((name) => html`<link rel="modulepreload" href="${scripts}${name}">`)}`;
}

/**
 * Size of the first picture, pixels; a wider screen shows empty ground around it. Below the zoom `buildingsFrom` it has
 * no buildings, below `linksFrom` they are no links: with so many of them the page would be too long.
 */
const PICTURE = { width: 1000, height: 700, buildingsFrom: 15, linksFrom: 16 } as const;

/** The first view as a picture. It is shown until the scripts are loaded. Its buildings and towns are links. */
function firstPicture(ask: PageAsk, choices: MapChoices, { view, pick }: MapPlace): Fragment {
  const { map } = ask.dataset;
  if (map === null) return null;
  const picture = mapPicture({
    map,
    choices,
    isLatin: ask.language === 'en',
    view: { ...view, ...PICTURE },
    buildingsFrom: PICTURE.buildingsFrom,
    picked: pick?.id ?? null,
    hrefOf: (kind, id) => {
      if (kind === 'town') return pageLink(ask, `/sunlight/town/${id}/`);
      return view.zoom < PICTURE.linksFrom ? null : pageLink(ask, buildingPath(id, choices, pick));
    },
  });
  // On a phone, the style enlarges a `nearer` picture to the zoom with which the map begins there.
  return html`<div id="map-picture" class="map-first${view.phoneZoom > view.zoom ? ' nearer' : ''}">${picture}</div>`;
}

/** The month, floor and face in words. */
function choiceText(ask: PageAsk, { month, floor, face }: MapChoices): string {
  const { map: t, frame } = textsOf(ask);
  return t.choice(t.when(frame.month(month), t.floors[floor] ?? floor), face === 'best' ? t.best : frame.faces[face]);
}

/** The picked building or town, or a note that nothing is picked or known. */
function pickedHtml(ask: PageAsk, choices: MapChoices, { pick, view }: MapPlace): Html {
  const { map: t } = textsOf(ask);
  const { sunlight } = ask.dataset;
  if (pick === null || sunlight === null) return html`<p>${t.pick(hasTowns(ask))}</p>`;
  if (!pick.isKnown) return html`<p>${t.pickGone}</p>`;
  const building = sunlight.summary(pick.id)?.toJSON();
  const { name, facts, hours, notes, path, linkText } =
    building === undefined
      ? pickedTown(ask, sunlight, choices, pick.id, view)
      : pickedBuilding(ask, sunlight, choices, building, pick);
  const hoursLine = hours && html`<p>${choiceText(ask, choices)} ${unbroken(hours)}</p>`;
  return html`<h2>${name}</h2>${facts.length === 0 ? null : html`<p>${facts.join(' · ')}</p>`}${hoursLine}${notes.map((note) => html`<p>${note}</p>`)}<p><a class="button" href="${pageLink(ask, path)}">${linkText}</a></p>`;
}

/** What is said of the picked thing. */
interface Picked {
  name: string;
  facts: readonly string[];
  /** Its sun for the choices; null when it is unknown. */
  hours: string | null;
  notes: readonly string[];
  /** The path of its page, and the text of the link there. */
  path: string;
  linkText: string;
}

/**
 * The picked building. Notes say when it lacks the chosen face; when another storey than the shown one was chosen, a note
 * and the link name it.
 */
function pickedBuilding(
  ask: PageAsk,
  sunlight: SunlightAnswers,
  choices: MapChoices,
  { building_id: id, town_code, town_name, height_m, quality }: BuildingSummary,
  pick: MapPick,
): Picked {
  const { map: t, frame, sunlight: words } = textsOf(ask);
  const hours = sunlight.hours(id, choices);
  return {
    name: town_code === null ? t.building : words.heading(townNamed(ask, town_code, town_name)),
    facts: [isHeightUnknown({ quality }) ? words.shapeNoHeight : t.height(String(height_m)), id],
    hours: hours === null ? null : frame.hoursExact(hours),
    notes: [missingFace(ask, sunlight, choices, id), pick.storey?.note ?? null].filter((note) => note !== null),
    path: buildingPath(id, choices, pick),
    linkText: pick.storey?.details ?? t.details,
  };
}

/** Says which face stands for the chosen one when the building lacks it, or that it has none; null: it has the face. */
function missingFace(ask: PageAsk, sunlight: SunlightAnswers, { face }: MapChoices, id: string): string | null {
  const { map: t, frame } = textsOf(ask);
  const building = sunlight.full(id)?.toJSON();
  if (!building?.faces.some(({ headline }) => headline)) return t.noWalls;
  if (face === 'best') return null;
  const shown = longWallTowards(building, face);
  if (shown === null) return t.noFaceNear;
  return shown.face === face ? null : t.noFace.replace('{}', frame.faces[shown.face]);
}

/** The picked town. */
function pickedTown(
  ask: PageAsk,
  sunlight: SunlightAnswers,
  choices: MapChoices,
  code: string,
  view: MapPlace['view'],
): Picked {
  const { map: t } = textsOf(ask);
  return {
    name: townNamed(ask, code, townOf(sunlight, code)?.name ?? null),
    facts: [],
    hours: townHoursText(ask, choices, code, view),
    notes: [],
    path: `/sunlight/town/${code}/`,
    linkText: t.townDetails,
  };
}

/**
 * The mean hours of a town for the choices; null when they are unknown. For the first choices they are exact. For others
 * they are the whole hours by which the map colours the town. A name that stands for several chome has their range.
 */
function townHoursText(ask: PageAsk, choices: MapChoices, code: string, view: MapPlace['view']): string | null {
  const { map: t, frame } = textsOf(ask);
  const { map, sunlight } = ask.dataset;
  const { month, floor, face } = FIRST_CHOICES;
  const mean = sunlight && meanSun(sunlight, code);
  if (mean === null || map === null) return null;
  if (choices.month === month && choices.floor === floor && choices.face === face)
    return frame.hoursExact(mean.december_top_hours);
  const hours = hoursOfTown({ map, choices, view: { ...view, ...PICTURE } }, code);
  // The colour of 3 stands for 3 to 4 hours.
  return hours.length === 0 ? null : t.hours(Math.min(...hours), Math.max(...hours) + 1);
}

/**
 * The path of a building's page with the choices of the map. The picked building keeps the storey that was chosen on its
 * page, in place of the lowest, middle or top floor. `face` is a direction: the page shows the wall nearest to it.
 */
function buildingPath(id: string, { month, floor, face }: MapChoices, pick: MapPlace['pick']): string {
  const storey = pick?.id === id ? pick.storey : null;
  const level = storey === null ? `level=${floor}` : `floor=${storey.number}`;
  return `/sunlight/building/${id}/?month=${month}&${level}${face === 'best' ? '' : `&face=${face}`}`;
}

/**
 * The form with the choices beside the map. The picked thing is in the middle of it: month, floor and face are above on
 * the first screen of a phone, and the rest is below.
 */
function choicesForm(ask: PageAsk, choices: MapChoices, place: MapPlace): Html {
  const { month, floor, face, relief, homes, clock } = choices;
  const { map: t, frame } = textsOf(ask);
  const checked = (isOn: boolean): Html => raw(isOn ? ' checked' : '');
  return html`<form id="map-choices" class="map-choices" method="get">
<h2 class="visually-hidden">${t.choices}</h2>
<label class="map-wide"><span>${t.month}</span><input type="range" name="month" min="1" max="12" value="${month}" aria-valuetext="${frame.month(month)}"><output id="month-shown">${frame.month(month)}</output></label>
<label><span>${t.floor}</span><select name="floor">${FLOORS.map((name) => option(name, t.floors[name], name === floor))}</select></label>
<label><span>${t.face}</span><select name="face">${option('best', t.best, face === 'best')}${DIRECTIONS.map((name) => option(name, t.faceName(frame.faces[name]), name === face))}</select></label>
<div id="map-picked" class="map-picked" aria-live="polite">${pickedHtml(ask, choices, place)}</div>
<label class="tick"><input type="checkbox" name="relief" value="1"${checked(relief)}> ${t.relief}</label>
<label class="tick"><input type="checkbox" name="shadows" value="1"${checked(clock !== null)}> ${t.shadows}</label>
<label class="map-wide"><span>${t.clock}</span><input type="range" name="clock" min="240" max="1200" step="10" value="${clock ?? 720}"${raw(clock === null ? ' disabled' : '')}><output id="clock-shown"></output></label>
<p class="quiet map-wide">${hasGround(ask) ? t.shadowsOnGround : t.shadowsFrom}</p>
${ask.dataset.kaigo === null ? null : html`<label class="tick map-wide"><input type="checkbox" name="homes" value="1"${checked(homes)}> ${t.homes}</label><p class="quiet map-wide">${homesLead(ask)}</p>`}
<p class="map-wide">${hereButton(ask)}</p>
${hidden(homesQuery(ask))}<noscript><button>${t.show}</button></noscript>
</form>`;
}

/** The case of the prices of homes; null: the standard case, because none is chosen or the chosen one is not possible. */
function pricedCase({ dataset, query }: PageAsk): Case | null {
  const careCase = caseIn(query);
  return hasCase(query) && dataset.kaigo?.caseFault(careCase, null) === null ? careCase : null;
}

/** The part of the query about the only service of the shown homes; null: all homes. */
const serviceQuery = (service: string | null): [string, string][] => (service === null ? [] : [['service', service]]);

/** The part of the query about homes: the service, and the case. */
const homesQuery = ({ query }: PageAsk): [string, string][] => [
  ...serviceQuery(query.get('service')),
  ...caseQuery(query),
];

/** Says which homes are shown, with a link to all, and for which case their prices are. */
function homesLead(ask: PageAsk): Html {
  const careCase = pricedCase(ask);
  const { map: t, frame } = textsOf(ask);
  const stated = careCase === null ? t.homesStandard : caseText(textsOf(ask), careCase);
  const about = frame.sentences(t.homesLead, stated, t.homesChange);
  const service = ask.query.get('service');
  if (service === null) return html`${about}`;
  const all = [...ask.query].filter(([name]) => name !== 'service');
  return html`${t.homesOnly(serviceName(service, ask.language))} <a href="${withQuery(pageLink(ask, '/map/'), all)}">${t.homesAll}</a><br>${about}`;
}

/** The colours of the hours. */
function legend(ask: PageAsk): Html {
  const t = textsOf(ask).map;
  return html`<figure class="map-legend"><figcaption>${t.legend}<span id="map-scale"></span></figcaption>
<ol>${HOURS_SCALE.map(({ label }, i) => html`<li><span class="swatch h${i}"></span>${label}</li>`)}<li><span class="swatch unknown"></span>${t.unknown}</li></ol></figure>`;
}

/** The meaning of pale colours and of zooms. */
function scaleNotes(ask: PageAsk): Html {
  const { map: t } = textsOf(ask);
  return html`<p class="quiet">${hasTowns(ask) ? [t.few, t.stop, t.townsUntil] : t.squares}</p>`;
}

/**
 * The names of the wards that the map covers, at most `MOST_WARDS` of them. A ward without a name has only its code, which
 * says little here, so it is left out.
 */
function coveredWards(ask: PageAsk): string {
  const { frame, map: t } = textsOf(ask);
  const wards = wardsOf(ask).filter(({ code, name }) => name !== code);
  const shown = wards.slice(0, MOST_WARDS).map(({ code, name }) => wardNamed(ask, code, name));
  return wards.length > MOST_WARDS ? t.andMore(frame.list(shown)) : frame.list(shown);
}

/** The list for browsers without a map: the buildings nearest to the place in the URL. */
function servedList(ask: PageAsk, choices: MapChoices, place: MapPlace): Html[] {
  const { map: t, frame, sunlight: words } = textsOf(ask);
  const { sunlight } = ask.dataset;
  return place.near.map(({ building_id, distance_m, height_m, quality }) => {
    const height = isHeightUnknown({ quality }) ? words.shapeNoHeight : t.height(String(height_m));
    const hours = sunlight?.hours(building_id, choices) ?? null;
    const shape = sunlight && markOf(sunlight, building_id, hours);
    return html`<li><a href="${pageLink(ask, buildingPath(building_id, choices, place.pick))}">${shape}${height}</a> <small>${building_id}</small> <span>${hours === null ? '–' : frame.hoursUnit(hours)}</span> <span>${t.distance(Math.round(distance_m))}</span></li>`;
  });
}

/** True when there are tiles of the ground. They are computed, so an export has none. */
const hasGround = ({ dataset, isStatic }: PageAsk): boolean => !isStatic && (dataset.sunlight?.hasTerrain ?? false);

/** The settings and texts that the script of the map needs. */
function settingsOf(ask: PageAsk, { view, bounds, pick }: MapPlace): object {
  const { dataset } = ask;
  const [west, south, east, north] = bounds;
  const paths = dayPaths((south + north) / 2, (west + east) / 2);
  // The tiles of the homes refuse an impossible case; without a case they have prices of the standard case.
  const pinQuery = pricedCase(ask) === null ? serviceQuery(ask.query.get('service')) : homesQuery(ask);
  const tiles = (name: string): string => fileLink(ask, `/tiles/${dataset.manifest.dataset_id}/${name}`);
  return {
    isStatic: ask.isStatic,
    worker: `${fileLink(ask, MAP_ASSETS.folder)}maplibre-gl-worker.mjs`,
    tiles: tiles('{z}/{x}/{y}.mvt'),
    homes:
      dataset.kaigo === null
        ? null
        : {
            tiles: withQuery(tiles('homes/{x}/{y}.json'), pinQuery),
            zoom: PINS_ZOOM,
            services: Object.fromEntries(HOMES.map((code) => [code, serviceName(code, ask.language)])),
            path: caseLink(ask, '/kaigo/facility/{}/'),
          },
    ground: hasGround(ask) ? { tiles: tiles('ground/{x}/{y}.json'), zoom: GROUND_ZOOM } : null,
    bounds,
    colours: { scale: HOURS_SCALE.map(({ fill }) => fill), classes: HOURS_CLASSES, unknown: UNKNOWN_FILL },
    below: ask.baseMap && { tiles: ask.baseMap.tiles, maxzoom: ask.baseMap.maxzoom },
    font: FONT,
    isLatin: ask.language === 'en',
    modules: MAP_ASSETS.modules('main.js').map((name) => fileLink(ask, MAP_ASSETS.folder) + name),
    first: FIRST_CHOICES,
    // The address of the map keeps the chosen case, even an impossible one.
    careCase: homesQuery(ask),
    view,
    pick,
    words: panelWords(ask),
    sun: { from: SUN.from, step: SUN.step, months: paths.map(sunRows) },
  };
}

/** The words of the panel; `{}` stands for a value that the script knows. */
function panelWords(ask: PageAsk): PanelWords {
  const { map: t, frame, sunlight } = textsOf(ask);
  return {
    map: t.map,
    controls: t.controls,
    months: MONTH_NUMBERS.map(frame.month),
    floors: t.floors,
    when: t.when('{}', '{}'),
    choice: t.choice('{}', '{}'),
    shadowsAt: t.shadowsAt('{}'),
    faces: frame.faces,
    best: t.best,
    building: t.building,
    buildingIn: sunlight.heading('{}'),
    square: t.square,
    height: t.height('{}'),
    // A day in Japan has less than 16 hours of sun.
    hours: Array.from({ length: 16 }, (_, hours) => t.hours(hours, hours + 1)),
    noWalls: t.noWalls,
    noFace: t.noFace,
    noFaceNear: t.noFaceNear,
    details: t.details,
    homeDetails: t.homeDetails,
    homeCost: t.homeCost('{}', pricedCase(ask) === null),
    homeCostUnknown: t.homeCostUnknown,
    townDetails: t.townDetails,
    townMean: t.townMeanOf,
    nothing: t.nothing,
    pickGone: t.pickGone,
    nearZoom: t.nearZoom,
    distance: t.distanceOf,
    buildingPath: pageLink(ask, '/sunlight/building/{}/'),
    townPath: pageLink(ask, '/sunlight/town/{}/'),
  };
}

/** The credit of the data, shown at every zoom. */
function creditOf({ dataset: { manifest }, baseMap }: PageAsk): Html {
  const dataCredit = manifest.halves.sunlight?.attribution ?? '';
  if (baseMap === null) return html`${dataCredit}`;
  // The operator may end the credit of the base map with its address.
  const [, name, address = null] = /^(.*?\S)\s+(https?:\/\/\S+)$/.exec(baseMap.credit) ?? [null, baseMap.credit];
  const url = webAddress(address);
  return html`${dataCredit} | ${url === null ? baseMap.credit : html`<a href="${url}">${name}</a>`}`;
}

/** The sun's directions on a day for the table `SUN`, in degrees to a tenth. */
function sunRows(path: DayPath): [azimuth: number, altitude: number][] {
  const rows: [number, number][] = [];
  for (let minute: number = SUN.from; minute <= SUN.to; minute += SUN.step) {
    const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
    rows.push([oneDecimal(azimuthDeg), oneDecimal(altitudeDeg)]);
  }
  return rows;
}

/** The button that shows the position of the device. The script `here.js` shows the button when it can be used. */
export function hereButton(ask: PageAsk): Html {
  const { here, hereFailed } = textsOf(ask).map;
  return html`<button id="here" type="button" data-map="${pageLink(ask, '/map/')}" hidden>${here}</button><span id="here-failed" role="alert" hidden>${hereFailed}</span>`;
}
