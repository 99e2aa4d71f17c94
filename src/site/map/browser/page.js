/**
 * An element of the page by its ID.
 * @param {string} id
 * @returns {HTMLElement}
 * @throws {Error} When the page has no element with the ID.
 */
export function element(id) {
  const place = document.getElementById(id);
  if (place === null) throw new Error(`the page has no element ${id}`);
  return place;
}

/** The key under which `here.js` stores the position of the device, and the event for a new one. */
export const HERE = 'hidamari-here';

/**
 * The position of the device as `here.js` stores it, `lat lon`; empty when the visitor did not ask for it. Null when the
 * browser blocks storage.
 */
export function storedHere() {
  try {
    return sessionStorage.getItem(HERE) ?? '';
  } catch {
    return null;
  }
}

/**
 * A text with a value in place of each `{}`.
 * @param {string} text
 * @param {(string | number)[]} values
 */
export const filled = (text, ...values) =>
  values.reduce((/** @type {string} */ all, value) => all.replace('{}', String(value)), text);

/** A time of day. @param {number} minute after midnight */
export const clockText = (minute) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/**
 * Writes the meaning of a slider's value beside it, and for screen readers.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 */
export function tellValue(form, name, value) {
  element(`${name}-shown`).textContent = value;
  form.querySelector(`input[name=${name}]`)?.setAttribute('aria-valuetext', value);
}

/** Says whether the device is offline. */
export function tellOffline() {
  element('map-offline').hidden = navigator.onLine;
}

/**
 * Says whether a view is outside the data.
 * @param {[west: number, south: number, east: number, north: number]} bounds of the data
 * @param {{ west: number, south: number, east: number, north: number }} view
 */
export function tellOutside([west, south, east, north], view) {
  element('map-outside').hidden = view.east >= west && view.west <= east && view.north >= south && view.south <= north;
}

/** Gives the link to the page in the other language the query and the hash of the present URL. */
export function tellLanguage() {
  const link = document.querySelector('header nav a[hreflang]');
  if (!(link instanceof HTMLAnchorElement)) return;
  link.search = location.search;
  link.hash = location.hash;
}
