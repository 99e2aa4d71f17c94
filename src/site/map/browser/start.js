/** @import { MapSettings } from './types.js' */

// Makes the picture on the page movable. MapLibre is large, so it is loaded later and replaces the picture.

import { chosen, mapForm, tellSliders } from './map-form.js';
import { element, HERE, storedHere, tellLanguage, tellOffline } from './page.js';
import { PictureView } from './picture-view.js';
import { firstTiles } from './tiles.js';

/** @type {MapSettings} */
const settings = JSON.parse(element('map-data').textContent ?? '');
// A worker needs the absolute URL. Its tiles are under the same host name as the page.
settings.tiles = location.origin + settings.tiles;
const isPhone = matchMedia('(max-width: 48rem)').matches;
const credit = document.getElementById('map-credit');
if (credit instanceof HTMLDetailsElement) credit.open = !isPhone;

mapForm().addEventListener('submit', (event) => event.preventDefault());
mapForm().addEventListener('input', () => tellSliders(settings.words.months));
tellSliders(settings.words.months);
tellLanguage();
for (const change of ['online', 'offline']) addEventListener(change, tellOffline);

const place = document.getElementById('map-picture');
// The position of the device stays on the device: `here.js` puts it only into the hash. Without storage any hash may be it.
const here = storedHere();
const isHere = location.hash !== '' && here !== '' && location.hash.endsWith((here ?? '').replace(' ', '/'));
const picture = place === null ? null : new PictureView(place, settings, isPhone, !isHere && !settings.isStatic);
performance.mark('map-movable');

/** True when the device can draw the map. */
const hasWebGl = () => document.createElement('canvas').getContext('webgl2') !== null;

/** Waits until the page has been drawn and nothing else is waiting. @type {() => Promise<void>} */
const whenIdle = () =>
  new Promise((resolve) => {
    const wait = () =>
      'requestIdleCallback' in window ? requestIdleCallback(() => resolve(), { timeout: 500 }) : setTimeout(resolve);
    if (document.readyState === 'complete') wait();
    else addEventListener('load', wait, { once: true });
  });

/**
 * Waits until the picture no longer suffices, because MapLibre has 400 kB. On a phone this is when the visitor moves the
 * picture or changes a choice. It is at once on a wide screen, which shows more than the picture, and for relief,
 * shadows, homes and the dot of the device, which the picture does not have.
 * @returns {Promise<void>}
 */
async function whenWanted() {
  const { relief, homes, clock } = chosen();
  const isDrawn = place?.querySelector('svg') != null;
  if (!isPhone || picture === null || isHere || !isDrawn || relief || homes || clock !== null) return;
  await new Promise((resolve) => {
    picture.onMove = resolve;
    mapForm().addEventListener('input', resolve, { once: true });
    addEventListener(HERE, resolve, { once: true });
  });
}

/**
 * Loads a file of the map. Resolves when it is loaded or has failed.
 * @param {string} rel
 * @param {string} href
 * @returns {Promise<void>}
 */
function loaded(rel, href) {
  const link = Object.assign(document.createElement('link'), { rel, href });
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}

/** Loads MapLibre and begins its map, above the picture. */
async function loadMap() {
  document.body.classList.add('map-loads');
  /** @param {string} name */
  const file = (name) => new URL(name, import.meta.url).href;
  const isStyled = loaded('stylesheet', file('maplibre-gl.css'));
  await Promise.all(settings.modules.map((name) => loaded('modulepreload', file(name))));
  // MapLibre would load these files one after the other; requested here, they are in the browser's cache by then.
  for (const address of [settings.worker, ...firstTiles(settings, isPhone, element('map'))])
    fetch(address).catch(() => {});
  const [{ SunMap }] = await Promise.all([import('./main.js'), isStyled]);
  await whenIdle();
  // MapLibre begins with the view of the address.
  picture?.tellAddress();
  const map = new SunMap(settings, picture);
  setTimeout(() => map.begin());
}

await whenIdle();
await whenWanted();
if (hasWebGl()) {
  await loadMap().catch((error) => {
    // The picture stays in use: offline nothing can be loaded.
    document.body.classList.remove('map-loads');
    if (navigator.onLine) throw error;
  });
} else {
  if (picture !== null) picture.onMove = null;
  document.querySelector('.map-page')?.classList.add('without');
  element('map-without').hidden = false;
}
