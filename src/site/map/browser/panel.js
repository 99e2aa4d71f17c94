/** @import { HomeSettings, MapChoices, MapSettings, NearBuilding, PanelWords, Picked, Properties } from './types.js' */

import { colouredBy, hoursOf, shownFace } from './hours-style.js';
import { storeyOf } from './map-form.js';
import { filled } from './page.js';

/**
 * An element with texts and elements in it. Text never becomes markup. @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {...(string | Node)} content
 */
function make(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

/**
 * @param {string} path
 * @param {string} text
 */
function link(path, text) {
  const made = make('a', text);
  made.href = path;
  return made;
}

/**
 * The figures of a picked building or town for the present choices.
 * @param {Picked} picked
 * @param {MapChoices} choices
 * @param {Pick<MapSettings, 'words' | 'isLatin' | 'homes' | 'pick'>} settings
 * @returns {Node[]}
 */
export function figures(picked, choices, { words, isLatin, homes, pick }) {
  const { kind, id, properties } = picked;
  if (kind === 'home') return home(picked, words, homes);
  const figures = table(properties, choices, words);
  if (kind === 'square')
    return [make('h2', words.square), make('p', filled(words.townMean, String(properties.n))), figures];
  if (kind === 'town') {
    const name = (isLatin ? properties.name_latin : undefined) ?? properties.name ?? id;
    const mean = make('p', filled(words.townMean, String(properties.n)));
    return [make('h2', String(name)), mean, make('p', link(filled(words.townPath, id), words.townDetails)), figures];
  }
  const { height_m: height } = properties;
  const about = height === undefined ? [] : [make('p', filled(words.height, Number(height)))];
  const query = buildingQuery(choices, properties, storeyOf(choices, pick, id));
  const page = filled(words.buildingPath, encodeURIComponent(id)) + query;
  const more = link(page, words.details);
  more.className = 'button';
  return [make('h2', `${words.building} ${id}`), ...about, make('p', more), figures];
}

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
 * The query of a building's page for the choices of the map. Without a floor, its `face` is a direction: that page finds the
 * same wall as the map.
 * @param {MapChoices} choices
 * @param {Properties} properties
 * @param {number | null} storey that was chosen before
 */
function buildingQuery(choices, properties, storey) {
  const { month, floor, face } = choices;
  const query = new URLSearchParams({ month: String(month) });
  if (storey === null) query.set('level', floor);
  else query.set('floor', String(storey));
  if (face !== 'best' && shownFace(properties, choices) !== null) query.set('face', face);
  return `?${query}`;
}

/**
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
  const made = make('table', make('tbody', ...rows));
  const shown = shownFace(properties, choices);
  if (shown === choices.face || hours.some(({ face }) => face === 'best')) return made;
  const text = shown === null ? words.noFaceNear : filled(words.noFace, words.faces[shown] ?? shown);
  return make('div', make('p', text), made);
}

/**
 * The entries of the list: a button that picks the building on the map, its hours, a link to its page.
 * @param {readonly NearBuilding[]} near
 * @param {MapChoices} choices
 * @param {Pick<MapSettings, 'words' | 'pick'>} settings
 */
export function listItems(near, choices, { words, pick }) {
  return near.map(({ id, metres, properties }) => {
    const wanted = colouredBy(properties, choices);
    const value = wanted.length === 0 ? '–' : (words.hours[Math.max(...wanted.map((one) => one.hours))] ?? '–');
    const button = make('button', id);
    button.type = 'button';
    button.dataset.show = id;
    const page = link(filled(words.buildingPath, encodeURIComponent(id)), words.details);
    page.search = buildingQuery(choices, properties, storeyOf(choices, pick, id));
    page.className = 'visually-hidden';
    page.textContent = `${words.details} ${id}`;
    return make('li', button, make('span', value), make('span', filled(words.distance, Math.round(metres))), page);
  });
}
