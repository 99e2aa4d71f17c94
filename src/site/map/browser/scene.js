/** @import { SceneBuilding, SceneData } from './types.js' */

import { CityScene } from './city-scene.js';
import { clockText, element, filled, tellLanguage, tellValue } from './page.js';
import { sunBetween } from './shadows.js';

/** The animation of a day: minutes of the day in a step, and time between two steps. */
const STEP_MINUTES = 10;
const FRAME_MS = 140;

/** The script of the page with the 3D scene: its choices, texts and table, and the scene if the device can draw one. */
class ScenePage {
  /** @type {SceneData} */
  #data = JSON.parse(element('scene-data').textContent ?? '');
  #form = /** @type {HTMLFormElement} */ (element('scene-choices'));
  /** @type {CityScene | null} */
  #city = null;
  /** @type {ReturnType<typeof setInterval> | null} */
  #playing = null;

  /** Draws the scene in place of the plan; without WebGL shows a note, and the plan stays. */
  start() {
    if (document.createElement('canvas').getContext('webgl2') === null) {
      element('scene-without').hidden = false;
      return;
    }
    const view = element('scene-view');
    view.hidden = false;
    this.#city = new CityScene(view, this.#data, {
      onTurn: (azimuthDeg) => {
        // The needle points to north on the screen.
        const needle = element('scene-needle');
        needle.style.rotate = `${180 - azimuthDeg}deg`;
        // Its letter stays upright.
        const letter = needle.querySelector('text');
        if (letter !== null) letter.style.rotate = `${azimuthDeg - 180}deg`;
      },
      onPick: (building) => this.#name(building),
    });
    view.querySelector('p')?.remove();
    for (const id of ['scene-plan', 'scene-show']) element(id).hidden = true;
    for (const id of ['scene-buttons', 'scene-play', 'scene-compass', 'scene-named']) element(id).hidden = false;
    this.#listen();
    this.#show();
    document.body.classList.add('map-ready');
  }

  /** Adds all event listeners. */
  #listen() {
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    this.#form.addEventListener('input', () => this.#show());
    // The sun of another date is not among the data of the page.
    this.#form.addEventListener('change', ({ target }) => {
      if (target === this.#input('date')) this.#form.submit();
      else if (target === this.#input('month')) this.#nameShaders();
    });
    element('scene-buttons').addEventListener('click', (event) => {
      const does = event.target instanceof HTMLElement ? event.target.dataset.does : undefined;
      if (does !== undefined) this.#city?.turn(does);
    });
    element('scene-compass').addEventListener('click', () => this.#city?.turn('north'));
    element('scene-play').addEventListener('click', () => this.#toggle());
  }

  /**
   * Names the pressed building, with a link to its page.
   * @param {SceneBuilding | null} building
   */
  #name(building) {
    const { words, buildingPath, chosen, ownPath } = this.#data;
    const place = element('scene-named');
    this.#city?.mark(building);
    if (building === null) {
      place.textContent = words.noBuilding;
      return;
    }
    const { id, letter, heightM, isHeightKnown } = building;
    const link = document.createElement('a');
    link.href = id === chosen ? ownPath : filled(buildingPath, id);
    link.textContent = words.details;
    const sign = letter === null ? '' : `${letter} `;
    const name = isHeightKnown ? filled(words.named, id, heightM.toFixed(0)) : filled(words.namedOnly, id);
    place.replaceChildren(`${sign}${name} `, link);
    this.#tellLinks();
  }

  /** Requests the page of the chosen month, and shows its list of shading buildings and their letters. */
  async #nameShaders() {
    const month = this.#input('month').value;
    const answer = await fetch(location.href).catch(() => null);
    const text = answer?.ok ? await answer.text() : '';
    const page = new DOMParser().parseFromString(text, 'text/html');
    const list = page.getElementById('scene-shaders');
    const data = page.getElementById('scene-data')?.textContent;
    // Refused, or another month was chosen meanwhile. The present list names its day.
    if (list === null || !data || month !== this.#input('month').value) return;
    const { buildings } = /** @type {SceneData} */ (JSON.parse(data));
    const letters = new Map(buildings.map(({ id, letter }) => [id, letter]));
    for (const building of this.#data.buildings) building.letter = letters.get(building.id) ?? null;
    this.#city?.letter(this.#data.buildings);
    element('scene-shaders').replaceChildren(...list.childNodes);
    this.#tellLinks();
  }

  /** A field of the form. @param {string} name */
  #input(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  /** Shows the shadows, the texts and the windows of the chosen month and time, and writes these into the URL. */
  #show() {
    const [month, clock] = [Number(this.#input('month').value), Number(this.#input('clock').value)];
    const { words, first, behindHills, sun: table } = this.#data;
    const sun = sunBetween(table.months[month - 1] ?? [], table.from, table.step, clock);
    const isBehind = behindHills[month - 1]?.includes(clock) ?? false;
    this.#city?.shine(isBehind ? null : sun);
    const time = clockText(clock);
    const name = words.days[month - 1] ?? '';
    tellValue(this.#form, 'month', name);
    tellValue(this.#form, 'clock', time);
    const direction = sun === null ? '' : (words.directions[Math.round(sun.azimuthDeg / 45) % 8] ?? '');
    const where = sun === null ? words.night : filled(words.sun, direction, String(Math.round(sun.altitudeDeg)));
    element('scene-when').textContent = filled(words.when, name, time) + where + (isBehind ? words.behind : '');
    for (const cell of document.querySelectorAll('td[data-windows]')) this.#describe(cell, month, clock);
    const query = new URLSearchParams(location.search);
    for (const name of ['month', 'clock']) query.delete(name);
    if (month !== first.month) query.set('month', String(month));
    if (clock !== first.clock) query.set('clock', String(clock));
    history.replaceState(history.state, '', `${location.pathname}${query.size === 0 ? '' : `?${query}`}`);
    tellLanguage();
    this.#tellLinks();
  }

  /** Gives all links to buildings the chosen month. */
  #tellLinks() {
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const links = document.querySelectorAll('main a[href*="/sunlight/building/"]');
    for (const link of links) {
      const query = new URLSearchParams(link.search);
      query.set('month', this.#input('month').value);
      link.search = String(query);
    }
  }

  /**
   * Says in a cell of the table whether its wall is sunlit at the chosen time. Its `data-windows` has the sunlit times of
   * each month: months are separated by `;`, times by blanks, and each is `from-to` in minutes after midnight.
   * @param {Element} cell
   * @param {number} month
   * @param {number} clock
   */
  #describe(cell, month, clock) {
    const windows = cell.getAttribute('data-windows')?.split(';')[month - 1]?.split(' ') ?? [];
    const isLit = windows.some((window) => {
      const [from, to] = window.split('-').map(Number);
      return window !== '' && clock >= (from ?? 0) && clock <= (to ?? 0);
    });
    cell.className = isLit ? 'lit' : 'shaded';
    cell.textContent = isLit ? this.#data.words.lit : this.#data.words.shaded;
  }

  /** Starts the animation of a day, or stops it. */
  #toggle() {
    const button = element('scene-play');
    // During the animation, screen readers are silent.
    element('scene-when').setAttribute('aria-live', this.#playing === null ? 'off' : 'polite');
    if (this.#playing === null) {
      button.textContent = this.#data.words.stop;
      this.#playing = setInterval(() => this.#step(), FRAME_MS);
    } else {
      clearInterval(this.#playing);
      this.#playing = null;
      button.textContent = this.#data.words.play;
    }
  }

  /** Shows the next time of the animation; after the last time of the day, the first one. */
  #step() {
    const clock = this.#input('clock');
    const next = Number(clock.value) + STEP_MINUTES;
    clock.value = next > Number(clock.max) ? clock.min : String(next);
    this.#show();
  }
}

new ScenePage().start();
