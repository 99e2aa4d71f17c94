/** @import { FaceHours, MapChoices, MapSettings, NearBuilding, PanelWords, Picked } from './types.js' */

import { hoursOf } from './hours-style.js';

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
 * @param {Pick<MapSettings, 'words' | 'isLatin'>} settings
 * @returns {Node[]}
 */
export function figures(picked, choices, { words, isLatin }) {
  const { kind, id, properties } = picked;
  const isTown = kind === 'town';
  const name = (isLatin ? properties.name_latin : undefined) ?? properties.name ?? id;
  const title = make('h2', isTown ? String(name) : `${words.building} ${id}`);
  /** @type {Node[]} */
  const about = [];
  if (isTown) about.push(make('p', filled(words.townMean, String(properties.n))));
  else if (properties.height_m !== undefined) about.push(make('p', filled(words.height, Number(properties.height_m))));
  const query = `?month=${choices.month}${choices.face === 'best' ? '' : `&face=${choices.face}`}`;
  const more = isTown
    ? link(filled(words.townPath, id), words.townDetails)
    : link(filled(words.buildingPath, encodeURIComponent(id)) + query, words.details);
  return [title, ...about, make('p', more), table(hoursOf(properties, choices), choices, words)];
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
    const wanted = choices.face === 'best' ? hours : hours.filter(({ face }) => face === choices.face);
    const value = wanted.length === 0 ? '–' : (words.hours[Math.max(...wanted.map((one) => one.hours))] ?? '–');
    const button = make('button', id);
    button.type = 'button';
    button.dataset.show = id;
    const page = link(filled(words.buildingPath, encodeURIComponent(id)), words.details);
    page.className = 'visually-hidden';
    page.textContent = `${words.details} ${id}`;
    return make('li', button, make('span', value), make('span', filled(words.distance, Math.round(metres))), page);
  });
}
