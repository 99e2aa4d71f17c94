/** @import { MapChoices } from './types.js' */

import { clockText, tellValue } from './page.js';

/** The form beside the map. */
export const mapForm = () => /** @type {HTMLFormElement} */ (document.getElementById('map-choices'));

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
 * The query of a URL with these choices and the picked thing, without default values.
 * @param {MapChoices} choices
 * @param {MapChoices} first
 * @param {string | null} pick
 */
export function choicesQuery({ month, floor, face, relief, homes, clock }, first, pick) {
  const query = new URLSearchParams();
  if (month !== first.month) query.set('month', String(month));
  if (floor !== first.floor) query.set('floor', floor);
  if (face !== first.face) query.set('face', face);
  if (relief) query.set('relief', '1');
  if (homes) query.set('homes', '1');
  if (clock !== null) query.set('clock', String(clock));
  if (pick !== null) query.set('pick', pick);
  return String(query);
}
