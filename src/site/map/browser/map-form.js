/** @import { MapChoices } from './types.js' */

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

/** @param {number} minute after midnight */
export function clockText(minute) {
  /** @param {number} value */
  const two = (value) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/**
 * Writes the meaning of each slider's value beside it, and for screen readers.
 * @param {readonly string[]} months their names
 */
export function tellSliders(months) {
  const { month, clock } = chosen();
  clockInput().disabled = clock === null;
  const said = { clock: clockText(Number(clockInput().value)), month: months[month - 1] ?? '' };
  for (const [name, text] of Object.entries(said)) {
    const output = document.getElementById(`${name}-shown`);
    if (output !== null) output.textContent = text;
    mapForm().querySelector(`input[name=${name}]`)?.setAttribute('aria-valuetext', text);
  }
}
