/** @import { FaceHours, HomeSettings, MapChoices, MapSettings, NearBuilding, PanelWords, Picked } from './types.js' */

import { colouredBy, hoursOf } from './hours-style.js';

/**
 * @param {string} pattern
 * @param {string | number} value
 */
const filled = (pattern, value) => pattern.replace('{}', String(value));

/**
 * An element with texts and elements in it: text never becomes markup.
 * @template {keyof HTMLElementTagNameMap} Tag
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
 * What a picked building or town says for the choices at hand.
 * @param {Picked} picked
 * @param {MapChoices} choices
 * @param {Pick<MapSettings, 'words' | 'isLatin' | 'homes'>} settings
 * @returns {Node[]}
 */
export function figures(picked, choices, { words, isLatin, homes }) {
  const { kind, id, properties } = picked;
  if (kind === 'home') return home(picked, words, homes);
  const hours = hoursOf(properties, choices);
  const figures = table(hours, choices, words);
  if (kind === 'square')
    return [make('h2', words.square), make('p', filled(words.townMean, String(properties.n))), figures];
  if (kind === 'town') {
    const name = (isLatin ? properties.name_latin : undefined) ?? properties.name ?? id;
    const mean = make('p', filled(words.townMean, String(properties.n)));
    return [make('h2', String(name)), mean, make('p', link(filled(words.townPath, id), words.townDetails)), figures];
  }
  const { height_m: height } = properties;
  const about = height === undefined ? [] : [make('p', filled(words.height, Number(height)))];
  const page = filled(words.buildingPath, encodeURIComponent(id)) + buildingQuery(choices, hours);
  const more = link(page, words.details);
  more.className = 'button';
  return [make('h2', `${words.building} ${id}`), ...about, make('p', more), figures];
}

/**
 * A care home: its name, what it is, what a month costs.
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
 * The query by which the page of a building shows what the map shows; a face only where the building has it.
 * @param {MapChoices} choices
 * @param {readonly FaceHours[]} hours
 */
function buildingQuery({ month, floor, face }, hours) {
  const query = new URLSearchParams({ month: String(month), level: floor });
  if (hours.some((one) => one.face === face)) query.set('face', face);
  return `?${query}`;
}

/**
 * @param {FaceHours[]} hours
 * @param {MapChoices} choices
 * @param {PanelWords} words
 */
function table(hours, choices, words) {
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
  if (choices.face === 'best' || hours.some(({ face }) => face === choices.face || face === 'best')) return made;
  return make('div', make('p', words.noFace), made);
}

/**
 * The entries of the list: a button that picks the building on the map, its hours, a link to its page.
 * @param {readonly NearBuilding[]} near
 * @param {MapChoices} choices
 * @param {PanelWords} words
 */
export function listItems(near, choices, words) {
  return near.map(({ id, metres, properties }) => {
    const hours = hoursOf(properties, choices);
    const wanted = colouredBy(hours, choices);
    const value = wanted.length === 0 ? '–' : (words.hours[Math.max(...wanted.map((one) => one.hours))] ?? '–');
    const button = make('button', id);
    button.type = 'button';
    button.dataset.show = id;
    const page = link(filled(words.buildingPath, encodeURIComponent(id)), words.details);
    page.search = buildingQuery(choices, hours);
    page.className = 'visually-hidden';
    page.textContent = `${words.details} ${id}`;
    return make('li', button, make('span', value), make('span', filled(words.distance, Math.round(metres))), page);
  });
}
