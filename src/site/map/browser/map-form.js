/** @import { MapChoices, MapSettings } from './types.js' */

import { clockText, tellLanguage, tellValue } from './page.js';

/** The form beside the map. */
export const mapForm = () => /** @type {HTMLFormElement} */ (document.getElementById('map-choices'));

/** The slider of the time of day. */
const clockInput = () => /** @type {HTMLInputElement} */ (mapForm().elements.namedItem('clock'));

/**
 * The present values of the form.
 * @returns {MapChoices}
 */
export function chosen() {
  const data = new FormData(mapForm());
  /** @param {string} name */
  const text = (name) => String(data.get(name) ?? '');
  return {
    month: Number(text('month')),
    floor: /** @type {MapChoices['floor']} */ (text('floor')),
    face: /** @type {MapChoices['face']} */ (text('face')),
    relief: data.has('relief'),
    homes: data.has('homes'),
    clock: data.has('shadows') ? Number(clockInput().value) : null,
  };
}

/**
 * Writes the meaning of each slider's value beside it, and for screen readers.
 * @param {readonly string[]} months their names
 */
export function tellSliders(months) {
  const { month, clock } = chosen();
  clockInput().disabled = clock === null;
  tellValue(mapForm(), 'clock', clockText(Number(clockInput().value)));
  tellValue(mapForm(), 'month', months[month - 1] ?? '');
}

/**
 * The storey that the visitor chose on the page of a building before, for the link back to that page. Null for another
 * building than the one the URL picks, and after another floor is chosen on the map.
 * @param {MapChoices} choices
 * @param {MapSettings['pick']} pick
 * @param {string | null} id of a building
 */
export const storeyOf = ({ floor }, pick, id) => (pick?.id === id && pick.floor === floor ? pick.storey : null);

/**
 * The query of a URL with these choices, the picked thing and the case of care costs, without default values.
 * @param {MapChoices} choices
 * @param {Pick<MapSettings, 'first' | 'pick' | 'careCase'>} settings
 * @param {string | null} picked
 */
export function choicesQuery(choices, { first, pick, careCase }, picked = pick?.isKnown ? pick.id : null) {
  const { month, floor, face, relief, homes, clock } = choices;
  const query = new URLSearchParams();
  if (month !== first.month) query.set('month', String(month));
  if (floor !== first.floor) query.set('floor', floor);
  if (face !== first.face) query.set('face', face);
  if (relief) query.set('relief', '1');
  if (homes) query.set('homes', '1');
  if (clock !== null) query.set('clock', String(clock));
  if (picked !== null) query.set('pick', picked);
  const storey = picked === null ? null : storeyOf(choices, pick, picked);
  if (storey !== null) query.set('storey', String(storey.number));
  for (const [name, value] of careCase) query.set(name, value);
  return String(query);
}

/**
 * Writes the choices and the view to the URL, and to the link to the page in the other language.
 * @param {string} query as `choicesQuery` gives it
 * @param {string} hash
 */
export function tellAddress(query, hash = location.hash) {
  history.replaceState(history.state, '', `${location.pathname}${query === '' ? '' : `?${query}`}${hash}`);
  tellLanguage();
}
