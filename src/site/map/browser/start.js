/** @import { MapSettings } from './types.js' */

// Loads the map behind the picture that the page comes with: MapLibre is long, and nobody waits for it to see where things are.

import { firstTiles } from './first-tiles.js';

// The server does not know the view behind `#`: its picture is of another place.
if (location.hash.length > 1) document.getElementById('map-picture')?.remove();

const style = document.createElement('link');
style.rel = 'stylesheet';
style.href = new URL('maplibre-gl.css', import.meta.url).href;
const isStyled = new Promise((resolve) => {
  style.addEventListener('load', resolve);
  style.addEventListener('error', resolve);
});
document.head.append(style);

/** What the map asks for one after the other once it runs is asked for while MapLibre is read. */
function fetchAhead() {
  const area = document.getElementById('map');
  /** @type {MapSettings} */
  const settings = JSON.parse(document.getElementById('map-data')?.textContent ?? '');
  const tiles = area === null ? [] : firstTiles(settings, location.hash, area.clientWidth, area.clientHeight);
  for (const address of [settings.worker, ...tiles]) fetch(address).catch(() => {});
}
const library = document.querySelector('link[href$="/maplibre-gl.mjs"]');
if (!(library instanceof HTMLLinkElement) || performance.getEntriesByName(library.href).length > 0) fetchAhead();
else library.addEventListener('load', fetchAhead);

const [{ start }] = await Promise.all([import('./main.js'), isStyled]);
start();
