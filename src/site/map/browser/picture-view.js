/** @import { MapSettings } from './types.js' */

import { choicesQuery, chosen, mapForm, tellAddress } from './map-form.js';
import { element, HERE, tellOutside } from './page.js';
import { hashView, latAt, lonAt, METRES_PER_DEGREE, TILE_PIXELS, VIEW_ZOOMS, worldX, worldY } from './tiles.js';

/** A place on the Mercator world, 0 to 1, and a zoom. @typedef {{ x: number, y: number, zoom: number }} View */

/** A press that moves no farther is not a drag, pixels. */
const STILL_PIXELS = 5;
/** Distances from a press at which a building is searched, pixels, the nearest first; and the number of directions. */
const BESIDE_PIXELS = [6, 12, 17, 22];
const BESIDE_TURNS = 12;
/** Zooms by which a press on a shape without a link comes nearer: there buildings are links. */
const NEARER = 2;
/** A picture that is stretched by more zooms is drawn again. */
const MOST_STRETCH = 0.6;
/** Largest width of the scale bar, pixels. */
export const SCALE_PIXELS = 80;
/** Time without movement after which a picture is drawn again, milliseconds. */
const STILL_MS = 250;

/** Pixels of an edge of the Mercator world at a zoom. @type {(zoom: number) => number} */
const sideAt = (zoom) => TILE_PIXELS * 2 ** zoom;

/**
 * A view in the Mercator world from its place in degrees.
 * @param {{ lat: number, lon: number, zoom: number }} place
 * @returns {View}
 */
const viewOf = ({ lat, lon, zoom }) => ({ x: worldX(lon), y: worldY(lat), zoom });

/** The place of a view in degrees, with its zoom. @param {View} view */
const placeOf = ({ x, y, zoom }) => ({ lat: latAt(y), lon: lonAt(x), zoom });

/**
 * The picture of the server as a map: a drag moves it, two fingers and the wheel zoom it. When the view leaves the
 * picture or a choice changes, the server draws a new one. It is used until MapLibre is ready, and always without
 * WebGL.
 */
export class PictureView {
  #place;
  #settings;
  /** The view at the middle of the picture. */
  #drawn;
  #drawnChoices;
  #view;
  #first;
  /** The position of each pointer. @type {Map<number, { x: number, y: number }>} */
  #fingers = new Map();
  /** Distance that the fingers have moved since the first touch, pixels. */
  #moved = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Number of the last requested picture. */
  #asked = 0;
  #end = new AbortController();
  /** False once the view is the position of the device: no picture of it is asked for, since that would send it. */
  #mayAsk;
  #zoomButtons;
  #scale = Object.assign(document.createElement('div'), { className: 'map-bar' });
  /**
   * Called with the view after each move.
   * @type {((view: { lat: number, lon: number, zoom: number }) => void) | null}
   */
  onMove = null;

  /**
   * @param {HTMLElement} place holds the picture
   * @param {Pick<MapSettings, 'view' | 'bounds' | 'first' | 'pick' | 'careCase' | 'words'>} settings
   * @param {boolean} isPhone
   * @param {boolean} mayAsk false where no server draws pictures, or the view of the address is the position of the device, which is not sent
   */
  constructor(place, settings, isPhone, mayAsk) {
    this.#place = place;
    this.#settings = settings;
    this.#mayAsk = mayAsk;
    const { view } = settings;
    this.#drawn = viewOf(view);
    this.#drawnChoices = choicesQuery(chosen(), settings);
    const asked = hashView(location.hash);
    this.#view = viewOf(asked ?? { ...view, zoom: isPhone ? view.phoneZoom : view.zoom });
    this.#first = this.#view;
    this.#zoomButtons = this.#addZoomButtons();
    element('map-scale').append(this.#scale);
    this.#listen();
    this.#show();
    if (asked !== null && mayAsk) this.#redraw(this.#drawnChoices);
    else if (asked !== null) place.querySelector('svg')?.remove();
  }

  /** True while a finger is on the picture. */
  get isHeld() {
    return this.#fingers.size > 0;
  }

  /** Gives the place to the map. */
  remove() {
    clearTimeout(this.#timer);
    this.#end.abort();
    this.#zoomButtons.remove();
    this.#scale.remove();
    this.#place.remove();
  }

  /** Adds all event listeners. They end with the view. */
  #listen() {
    const { signal } = this.#end;
    const place = this.#place;
    place.addEventListener('pointerdown', (event) => this.#touch(event), { signal });
    place.addEventListener('pointermove', (event) => this.#drag(event), { signal });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      place.addEventListener(end, ({ pointerId }) => this.#fingers.delete(pointerId), { signal });
    }
    // A drag that ends on a building is not a press on it.
    place.addEventListener(
      'click',
      (event) => {
        if (this.#moved > STILL_PIXELS) event.preventDefault();
        else if (event.target instanceof Element) this.#press(event, event.target);
      },
      { signal, capture: true },
    );
    place.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
    place.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.#zoomAt(event, -event.deltaY / 300);
      },
      { signal, passive: false },
    );
    mapForm().addEventListener('input', () => this.#later(), { signal });
    element('map-back').addEventListener('click', () => this.#backToData(), { signal });
    addEventListener(
      HERE,
      () => {
        this.#mayAsk = false;
        const here = hashView(location.hash);
        if (here !== null) this.#view = viewOf(here);
        this.#show();
      },
      { signal },
    );
  }

  /** Begins a touch. @param {PointerEvent} event */
  #touch({ pointerId, clientX, clientY }) {
    if (this.#fingers.size === 0) this.#moved = 0;
    this.#fingers.set(pointerId, { x: clientX, y: clientY });
  }

  /** Moves the picture with one finger; zooms it with two. @param {PointerEvent} event */
  #drag({ pointerId, clientX, clientY }) {
    const finger = this.#fingers.get(pointerId);
    if (finger === undefined) return;
    const [dx, dy] = [clientX - finger.x, clientY - finger.y];
    const other = [...this.#fingers].find(([id]) => id !== pointerId)?.[1];
    this.#moved += Math.hypot(dx, dy);
    if (this.#moved > STILL_PIXELS) this.#place.setPointerCapture(pointerId);
    if (other === undefined) {
      const side = sideAt(this.#view.zoom);
      this.#view = { ...this.#view, x: this.#view.x - dx / side, y: this.#view.y - dy / side };
      this.#changed();
    } else {
      /** Distance of a point from the other finger, pixels. @type {(one: { x: number, y: number }) => number} */
      const spread = (one) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
      const middle = { clientX: (clientX + other.x) / 2, clientY: (clientY + other.y) / 2 };
      this.#zoomAt(middle, Math.log2(spread({ x: clientX, y: clientY }) / spread(finger)));
    }
    Object.assign(finger, { x: clientX, y: clientY });
  }

  /**
   * Picks what is pressed. Far away buildings are no links, and a press on one comes nearer. A press with a key opens the
   * link in another tab.
   * @param {MouseEvent} press
   * @param {Element} target what was pressed
   */
  #press(press, target) {
    if (press.ctrlKey || press.metaKey || press.shiftKey) return;
    const link = target.closest('a') ?? this.#linkBeside(press);
    if (link instanceof SVGAElement) this.#pick(link, press);
    else if (target.matches('.pic-building, .pic-town')) this.#zoomAt(press, NEARER);
  }

  /**
   * The nearest link to a point: a finger covers more than a small building.
   * @param {{ clientX: number, clientY: number }} point
   */
  #linkBeside({ clientX, clientY }) {
    for (const radius of BESIDE_PIXELS) {
      for (let turn = 0; turn < BESIDE_TURNS; turn++) {
        const angle = (2 * Math.PI * turn) / BESIDE_TURNS;
        const [x, y] = [clientX + radius * Math.cos(angle), clientY + radius * Math.sin(angle)];
        const link = document.elementFromPoint(x, y)?.closest('#map-picture a');
        if (link instanceof SVGAElement) return link;
      }
    }
    return null;
  }

  /**
   * Picks the building or the town of a link, as a press on MapLibre's map does: the server's page has its figures, else
   * MapLibre is loaded. The link is followed where there is neither.
   * @param {SVGAElement} link to `…/{id}/`
   * @param {MouseEvent} press
   */
  #pick(link, press) {
    if (!this.#mayAsk && this.onMove === null) return;
    press.preventDefault();
    const id =
      link.href.baseVal
        .replace(/\/(\?.*)?$/, '')
        .split('/')
        .at(-1) ?? '';
    const { pick } = this.#settings;
    if (pick?.id !== id) this.#settings.pick = { id, isKnown: true, floor: chosen().floor, storey: null };
    this.#place.querySelector('.picked')?.classList.remove('picked');
    link.firstElementChild?.classList.add('picked');
    this.tellAddress();
    if (this.#mayAsk) this.#redraw(choicesQuery(chosen(), this.#settings));
    else this.onMove?.(placeOf(this.#view));
  }

  /**
   * Zooms about a point of the screen: this point of the map stays where it is.
   * @param {{ clientX: number, clientY: number }} point
   * @param {number} by zooms; negative: farther away
   */
  #zoomAt({ clientX, clientY }, by) {
    const { left, top, width, height } = this.#place.getBoundingClientRect();
    const [right, down] = [clientX - left - width / 2, clientY - top - height / 2];
    const { x, y, zoom } = this.#view;
    const next = Math.min(VIEW_ZOOMS.most, Math.max(VIEW_ZOOMS.least, zoom + by));
    const shift = 1 / sideAt(zoom) - 1 / sideAt(next);
    this.#view = { x: x + right * shift, y: y + down * shift, zoom: next };
    this.#changed();
  }

  /** Zoom buttons at the place of MapLibre's, for users with one finger. */
  #addZoomButtons() {
    const group = document.createElement('div');
    group.className = 'map-zoom';
    for (const [sign, name, by] of /** @type {const} */ ([
      ['+', 'ZoomIn', 1],
      ['−', 'ZoomOut', -1],
    ])) {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: sign });
      button.setAttribute('aria-label', this.#settings.words.controls[`NavigationControl.${name}`] ?? sign);
      button.addEventListener('click', () => {
        const { left, top, width, height } = this.#place.getBoundingClientRect();
        this.#zoomAt({ clientX: left + width / 2, clientY: top + height / 2 }, by);
      });
      group.append(button);
    }
    this.#place.after(group);
    return group;
  }

  /** Shows a changed view, and tells the map about it. */
  #changed() {
    this.#show();
    this.onMove?.(placeOf(this.#view));
    this.#later();
  }

  /** Settles when nothing has moved for `STILL_MS`. */
  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), STILL_MS);
  }

  /** Writes the choices to the URL, and the view after a move. */
  tellAddress() {
    const { lat, lon, zoom } = placeOf(this.#view);
    // The choices replace a position in the query.
    const isTold = this.#view !== this.#first || /[?&]lat=/.test(location.search);
    const hash = isTold ? `#${zoom.toFixed(2)}/${lat.toFixed(5)}/${lon.toFixed(5)}` : location.hash;
    tellAddress(choicesQuery(chosen(), this.#settings), hash);
  }

  /** Requests a new picture when nothing moves any more and the present one is not sufficient. */
  #settle() {
    this.tellAddress();
    const choices = choicesQuery(chosen(), this.#settings);
    if (this.#mayAsk && (!this.#coversView() || choices !== this.#drawnChoices)) this.#redraw(choices);
  }

  /** Moves and stretches the present picture to where it belongs in the view. */
  #show() {
    this.#tellOutside();
    this.#tellScale();
    const picture = this.#place.querySelector('svg');
    if (picture === null) return;
    const side = sideAt(this.#view.zoom);
    const [right, down] = [(this.#drawn.x - this.#view.x) * side, (this.#drawn.y - this.#view.y) * side];
    picture.style.translate = `calc(-50% + ${right}px) calc(-50% + ${down}px)`;
    picture.style.scale = String(2 ** (this.#view.zoom - this.#drawn.zoom));
  }

  /** Says whether the view is outside the data. */
  #tellOutside() {
    const { width, height } = this.#place.getBoundingClientRect();
    const { x, y, zoom } = this.#view;
    const [across, down] = [width / 2 / sideAt(zoom), height / 2 / sideAt(zoom)];
    const view = { west: lonAt(x - across), south: latAt(y + down), east: lonAt(x + across), north: latAt(y - down) };
    tellOutside(this.#settings.bounds, view);
  }

  /** Draws the scale bar: a round number of metres. */
  #tellScale() {
    const { y, zoom } = this.#view;
    const metresPerPixel = (360 * METRES_PER_DEGREE * Math.cos((latAt(y) * Math.PI) / 180)) / sideAt(zoom);
    const most = SCALE_PIXELS * metresPerPixel;
    const ten = 10 ** Math.floor(Math.log10(most));
    const metres = ten * ([5, 2].find((times) => times * ten <= most) ?? 1);
    this.#scale.style.width = `${metres / metresPerPixel}px`;
    this.#scale.textContent = metres < 1000 ? `${metres} m` : `${metres / 1000} km`;
  }

  /** Shows all of the data. */
  #backToData() {
    const [west, south, east, north] = this.#settings.bounds;
    const box = [worldX(west), worldX(east), worldY(north), worldY(south)];
    const { width, height } = this.#place.getBoundingClientRect();
    const zoom = Math.log2(Math.min(width / (box[1] - box[0]), height / (box[3] - box[2])) / TILE_PIXELS);
    this.#view = { x: (box[0] + box[1]) / 2, y: (box[2] + box[3]) / 2, zoom: Math.max(VIEW_ZOOMS.least, zoom) };
    this.#changed();
  }

  /** True when the picture covers the view and is not stretched too much. */
  #coversView() {
    const picture = this.#place.querySelector('svg');
    if (picture === null) return false;
    const [view, drawn] = [this.#place.getBoundingClientRect(), picture.getBoundingClientRect()];
    const isWithin =
      drawn.left <= view.left && drawn.right >= view.right && drawn.top <= view.top && drawn.bottom >= view.bottom;
    return isWithin && Math.abs(this.#view.zoom - this.#drawn.zoom) <= MOST_STRETCH;
  }

  /**
   * Requests a picture of the view: the page at this place has the picture, the list of buildings and the picked one.
   * @param {string} choices
   */
  async #redraw(choices) {
    const asked = ++this.#asked;
    const view = this.#view;
    const { lat, lon, zoom } = placeOf(view);
    const query = new URLSearchParams(choices);
    for (const [name, value] of Object.entries({ lat: lat.toFixed(5), lon: lon.toFixed(5), zoom: zoom.toFixed(2) })) {
      query.set(name, value);
    }
    const answer = await fetch(`${location.pathname}?${query}`, { signal: this.#end.signal }).catch(() => null);
    if (answer === null || !answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const picture = page.querySelector('#map-picture svg');
    if (picture === null || asked !== this.#asked || this.#end.signal.aborted) return;
    [this.#drawn, this.#drawnChoices] = [view, choices];
    this.#place.classList.remove('nearer');
    this.#place.replaceChildren(document.adoptNode(picture));
    this.#show();
    for (const id of ['map-picked', 'map-near-note', 'map-near']) {
      const [shown, drawn] = [element(id), page.getElementById(id)];
      // Screen readers read a replaced part again.
      if (drawn !== null && drawn.innerHTML !== shown.innerHTML) shown.replaceChildren(...drawn.childNodes);
    }
  }
}
