/** @import { HomeSettings, MapChoices, MapSettings, NearBuilding, PanelWords, Picked, Properties, Ring } from './types.js' */

import { colouredBy, hoursOf, shownFace } from './hours-style.js';
import { storeyOf } from './map-form.js';
import { MARK, markScale } from './nearest.js';
import { filled } from './page.js';
import { METRES_PER_DEGREE } from './tiles.js';

/**
 * An element with texts and elements in it. Text never becomes markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {...(string | Node)} content
 */
function make(tag, ...content) {
  const parent = document.createElement(tag);
  parent.append(...content);
  return parent;
}

/**
 * A link to a path.
 * @param {string} path
 * @param {string} text
 */
function link(path, text) {
  const anchor = make('a', text);
  anchor.href = path;
  return anchor;
}

/**
 * The month and the floor of the choices, in words.
 * @param {MapChoices} choices
 * @param {Pick<PanelWords, 'when' | 'months' | 'floors'>} words
 */
export const whenText = ({ month, floor }, { when, months, floors }) =>
  filled(when, months[month - 1] ?? '', floors[floor] ?? '');

/**
 * The content of the panel for a picked thing (a building, a town, a square of buildings or a home): its name, its
 * figures for the present choices, and a link to its page.
 * @param {Picked} picked
 * @param {Properties | null} town of a building; null: not known
 * @param {MapChoices} choices
 * @param {Pick<MapSettings, 'words' | 'isLatin' | 'homes' | 'pick'>} settings
 * @returns {Node[]}
 */
export function figures(picked, town, choices, { words, isLatin, homes, pick }) {
  const { kind, id, properties } = picked;
  if (kind === 'home') return home(picked, words, homes);
  const hours = table(properties, choices, words);
  if (kind === 'square')
    return [make('h2', words.square), make('p', filled(words.townMean, String(properties.n))), hours];
  if (kind === 'town') {
    const mean = make('p', filled(words.townMean, String(properties.n)));
    return [
      make('h2', townName(properties, isLatin)),
      mean,
      make('p', link(filled(words.townPath, id), words.townDetails)),
      hours,
    ];
  }
  const { height_m: height } = properties;
  const name = town === null ? words.building : filled(words.buildingIn, townName(town, isLatin));
  const facts = [...(height === undefined ? [] : [filled(words.height, Number(height))]), id];
  const storey = storeyOf(choices, pick, id);
  const page = filled(words.buildingPath, encodeURIComponent(id)) + buildingQuery(choices, properties, storey);
  const more = link(page, storey?.details ?? words.details);
  more.className = 'button';
  const note = storey === null ? [] : [make('p', storey.note)];
  return [make('h2', name), make('p', facts.join(' · ')), ...note, make('p', more), hours];
}

/**
 * The name of a town; its code when it has no name.
 * @param {Properties} properties
 * @param {boolean} isLatin
 */
const townName = ({ name_latin, name, town_code }, isLatin) => String((isLatin && name_latin) || (name ?? town_code));

/**
 * A care home: its name, its service, its monthly costs.
 * @param {Picked} picked
 * @param {PanelWords} words
 * @param {HomeSettings | null} homes
 * @returns {Node[]}
 */
function home({ id, properties }, words, homes) {
  const { yen, name, service } = properties;
  const cost = typeof yen === 'number' ? filled(words.homeCost, yen.toLocaleString('ja-JP')) : words.homeCostUnknown;
  const more = link(filled(homes?.path ?? '', id), words.homeDetails);
  more.className = 'button';
  const heading = make('h2', make('bdi', String(name)));
  return [heading, make('p', homes?.services[String(service)] ?? ''), make('p', cost), make('p', more)];
}

/**
 * The query of a building's page for the choices of the map. Its `face` is a direction: the page shows the wall nearest
 * to it, as the map does.
 * @param {MapChoices} choices
 * @param {Properties} properties
 * @param {ReturnType<typeof storeyOf>} storey
 */
function buildingQuery(choices, properties, storey) {
  const { month, floor, face } = choices;
  const query = new URLSearchParams({ month: String(month) });
  if (storey === null) query.set('level', floor);
  else query.set('floor', String(storey.number));
  if (face !== 'best' && shownFace(properties, choices) !== null) query.set('face', face);
  return `?${query}`;
}

/**
 * The hours of each face as a table under the month and the floor, the sunniest ones emphasized. Above it a note says
 * when the chosen face is missing.
 * @param {Properties} properties
 * @param {MapChoices} choices
 * @param {PanelWords} words
 */
function table(properties, choices, words) {
  const hours = hoursOf(properties, choices);
  if (hours.length === 0) return make('p', words.noWalls);
  const most = Math.max(...hours.map((one) => one.hours));
  const rows = hours.map((one) => {
    const name = one.face === 'best' ? words.best : (words.faces[one.face] ?? one.face);
    const row = make('tr', make('th', name), make('td', words.hours[one.hours] ?? ''));
    row.firstElementChild?.setAttribute('scope', 'row');
    if (one.hours === most) row.className = 'most';
    return row;
  });
  const hoursTable = make('table', make('caption', whenText(choices, words)), make('tbody', ...rows));
  const shown = shownFace(properties, choices);
  if (shown === choices.face || hours.some(({ face }) => face === 'best')) return hoursTable;
  const note = shown === null ? words.noFaceNear : filled(words.noFace, words.faces[shown] ?? shown);
  return make('div', make('p', note), hoursTable);
}

/**
 * The colour of hours; null: they are unknown.
 * @param {number | null} hours
 * @param {MapSettings['colours']} colours
 */
const colourOf = (hours, { scale, classes, unknown }) =>
  (hours === null ? null : scale[classes.findLastIndex((from) => from <= hours)]) ?? unknown;

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The outline of a building as a small mark, north up, as the list of the page has it before this script.
 * @param {Ring[][]} polygons
 * @param {string} fill
 */
function outlineMark(polygons, fill) {
  const corners = polygons.flat(2);
  const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)];
  const perLon = METRES_PER_DEGREE * Math.cos((south * Math.PI) / 180);
  const scale = markScale((east - west) * perLon, (north - south) * METRES_PER_DEGREE);
  const middle = MARK.side / 2;
  /** @type {(corner: readonly [number, number]) => string} */
  const point = ([lon, lat]) => {
    const x = middle + (lon - (west + east) / 2) * perLon * scale;
    const y = middle - (lat - (south + north) / 2) * METRES_PER_DEGREE * scale;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('fill-rule', 'evenodd');
  path.setAttribute(
    'd',
    polygons
      .flat()
      .map((ring) => `M${ring.map(point).join('L')}z`)
      .join(''),
  );
  path.setAttribute('fill', fill);
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({
    class: 'outline-mark',
    width: MARK.side,
    height: MARK.side,
    'aria-hidden': 'true',
  }))
    svg.setAttribute(name, `${value}`);
  svg.append(path);
  return svg;
}

/**
 * The entries of the list: a button that picks the building on the map, its hours, a link to its page.
 * @param {readonly NearBuilding[]} near
 * @param {MapChoices} choices
 * @param {Pick<MapSettings, 'words' | 'pick' | 'colours'>} settings
 */
export function listItems(near, choices, { words, pick, colours }) {
  return near.map(({ id, metres, polygons, properties }) => {
    const coloured = colouredBy(properties, choices);
    const hours = coloured.length === 0 ? null : Math.max(...coloured.map((one) => one.hours));
    const value = hours === null ? '–' : (words.hours[hours] ?? '–');
    const { height_m: height } = properties;
    const mark = outlineMark(polygons, colourOf(hours, colours));
    const button = make('button', mark, height === undefined ? words.building : filled(words.height, Number(height)));
    button.type = 'button';
    button.dataset.show = id;
    const page = link(filled(words.buildingPath, encodeURIComponent(id)), words.details);
    page.search = buildingQuery(choices, properties, storeyOf(choices, pick, id));
    page.className = 'visually-hidden';
    page.textContent = `${words.details} ${id}`;
    return make(
      'li',
      button,
      make('small', id),
      make('span', value),
      make('span', filled(words.distance, Math.round(metres))),
      page,
    );
  });
}
