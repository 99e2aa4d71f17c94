/** @import { ExpressionSpecification, FilterSpecification, GeoJSONSource } from 'maplibre-gl' */
/** @import { PictureView } from './picture-view.js' */
/** @import { Caster, Drawn, NearBuilding, Picked, MapSettings, Sun } from './types.js' */

import { Map as MapView, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import { Ground } from './ground.js';
import { Homes } from './homes.js';
import {
  ABOVE_NAMES,
  BUILDINGS_FROM,
  FLAT_LAYERS,
  HATCH,
  HOMES_LAYERS,
  HOURS_LAYERS,
  hatch,
  homeLayers,
  hoursColour,
  hoursFilters,
  mapStyle,
  nameLayers,
  RELIEF_LAYERS,
  townsUntil,
} from './layers.js';
import { choicesQuery, chosen, mapForm, tellAddress, tellSliders } from './map-form.js';
import { metresTo, nearestBuildings, polygonsOf } from './nearest.js';
import { clockText, element, filled, HERE, storedHere, tellLanguage, tellOffline, tellOutside } from './page.js';
import { figures, listItems, whenText } from './panel.js';
import { SCALE_PIXELS } from './picture-view.js';
import { groundShadows, roofOf, sunBetween } from './shadows.js';

const SHADOWS_FROM_ZOOM = 15;
/** Shortest time between two checks whether the dataset of this page is still served, milliseconds. */
const ASK_AGAIN_MS = 60_000;
/** Largest distance from the middle of the map to a building that keys pick there, metres. */
const BESIDE_M = 30;
/** Largest distance from a finger to the building that it picks, pixels: a finger covers as much. */
const BESIDE_PIXELS = 22;
/**
 * Largest distance from a finger to the pin of a care home, pixels. It is small, so that buildings near a pin can be
 * picked.
 */
const BESIDE_HOME = 8;
/** Distance from the border of a town within which the map does not name the town of a building, metres. */
const NEAR_BORDER_M = 3;
const BUILDING_LAYERS = [...RELIEF_LAYERS, 'building-areas', 'building-edges'];

/** The map, its panel and the list beside it. */
export class SunMap {
  #settings;
  #map;
  /** @type {Homes | null} */
  #homes = null;
  /** @type {Ground | null} */
  #ground = null;
  #choices = chosen();
  /** Shown until the map is drawn. */
  #picture;
  #isDrawn = false;
  /** Resolves when the map has drawn its first view. @type {Promise<unknown>} */
  #loaded;
  /** @type {Picked | null} */
  #picked = null;
  /** The thing that the URL picks, until its tile is loaded. @type {string | null} */
  #wanted;
  #isDark = matchMedia('(prefers-color-scheme: dark)');
  /** Time of the last check of the dataset. */
  #askedAt = Date.now();

  /**
   * @param {MapSettings} settings
   * @param {PictureView | null} picture whose view is in the hash of the address, once it was moved
   */
  constructor(settings, picture) {
    this.#settings = settings;
    this.#picture = picture;
    this.#wanted = settings.pick?.isKnown ? settings.pick.id : null;
    setWorkerUrl(settings.worker);
    const { lon, lat, zoom, phoneZoom } = settings.view;
    this.#map = new MapView({
      container: 'map',
      style: mapStyle(settings, this.#choices, this.#isDark.matches),
      center: [lon, lat],
      zoom: matchMedia('(max-width: 48rem)').matches ? phoneZoom : zoom,
      minZoom: 8,
      maxZoom: 19,
      hash: true,
      pitch: this.#choices.relief ? 55 : 0,
      localIdeographFontFamily: settings.font,
      validateStyle: false, // It is our own style, and validating it takes long.
      locale: settings.words.controls,
      attributionControl: false, // The page itself shows the credit before anything is drawn.
      fadeDuration: 0,
      refreshExpiredTiles: false, // Tiles never change under their URL.
      renderWorldCopies: false,
    });
    this.#loaded = this.#map.once('load');
  }

  /** The second part of the start. A phone answers to a finger between the two. */
  begin() {
    const { ground, homes, isLatin } = this.#settings;
    this.#map.addControl(new NavigationControl({ visualizePitch: true }), 'top-right');
    // Within the legend: on the map it would cover buildings.
    element('map-scale').replaceChildren(new ScaleControl({ unit: 'metric', maxWidth: SCALE_PIXELS }).onAdd(this.#map));
    this.#ground =
      ground &&
      new Ground(ground, () => {
        this.#shadowsOf = null;
        this.#drawShadows();
      });
    const layers = () => homeLayers(this.#settings, this.#isDark.matches);
    this.#homes = homes && new Homes(this.#map, homes, isLatin, layers);
    this.#listen();
  }

  /** Adds all event listeners. */
  #listen() {
    mapForm().addEventListener('input', () => this.#choose());
    this.#map.on('click', ({ point }) => this.#pickAt([point.x, point.y]));
    this.#map.getCanvas().addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#pickMiddle();
    });
    this.#map.getCanvas().setAttribute('aria-label', this.#settings.words.map);
    this.#map.on('idle', () => this.#settled());
    this.#map.on('moveend', () => {
      tellLanguage();
      this.#tellOutside();
    });
    this.#map.on('movestart', () => this.#askForDataset());
    this.#map.on('error', tellOffline);
    this.#map.setMissingStyleImageResolver((id) => {
      if (id === HATCH) this.#map.addImage(HATCH, hatch(this.#isDark.matches), { pixelRatio: 2 });
    });
    this.#isDark.addEventListener('change', ({ matches }) => {
      if (this.#map.hasImage(HATCH)) this.#map.updateImage(HATCH, hatch(matches));
      // Only the colours differ: a new style would load every tile again.
      const { layers } = mapStyle(this.#settings, this.#choices, matches);
      for (const { id, paint = {} } of [
        ...layers,
        ...nameLayers(this.#settings, matches),
        ...homeLayers(this.#settings, matches),
      ]) {
        if (this.#map.getLayer(id) === undefined) continue;
        for (const [name, value] of /** @type {[Parameters<MapView['setPaintProperty']>[1], any][]} */ (
          Object.entries(paint)
        )) {
          this.#map.setPaintProperty(id, name, value);
        }
      }
    });
    addEventListener(HERE, () => this.#drawHere());
    element('map-back').addEventListener('click', () => this.#map.fitBounds(this.#settings.bounds, { animate: false }));
    addEventListener('beforeprint', () => this.#preparePrint());
    this.#tellOutside();
    if (this.#settings.pick?.isKnown === false) this.#tellPicked(this.#settings.words.pickGone);
    element('map-reload').addEventListener('click', () => location.reload());
    if (this.#picture !== null) {
      this.#picture.onMove = ({ lat, lon, zoom }) => this.#map.jumpTo({ center: [lon, lat], zoom });
    }
    this.#loaded.then(() => {
      this.#outline();
      this.#drawHere();
      this.#takeOver();
    });
    element('map-near').addEventListener('click', (event) => {
      const id = event.target instanceof HTMLElement ? event.target.dataset.show : undefined;
      if (id !== undefined) this.#show(id);
    });
  }

  /** Replaces the picture when no finger moves it. */
  #takeOver() {
    if (this.#picture?.isHeld) {
      addEventListener('pointerup', () => setTimeout(() => this.#takeOver()), { once: true });
      return;
    }
    this.#picture?.remove();
    this.#picture = null;
    // What was pressed on the picture meanwhile.
    const { pick } = this.#settings;
    if (pick?.isKnown && pick.id !== this.#picked?.id) this.#wanted = pick.id;
    document.body.classList.replace('map-loads', 'map-ready');
    this.#isDrawn = true;
    performance.mark('map-ready');
    setTimeout(() => {
      // All at once: each addition would read the tiles again.
      for (const layer of nameLayers(this.#settings, this.#isDark.matches)) this.#map.addLayer(layer, ABOVE_NAMES);
      if (this.#choices.homes) this.#homes?.show(true);
    });
  }

  /**
   * Shows a message when the dataset of this page is no longer served: a missing tile looks like a place without
   * buildings.
   */
  async #askForDataset() {
    if (Date.now() - this.#askedAt < ASK_AGAIN_MS) return;
    this.#askedAt = Date.now();
    const tile = this.#settings.tiles.replace(/\{[zxy]\}/g, '0');
    const answer = await fetch(tile, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
    if (answer?.status === 404) element('map-renewed').hidden = false;
  }

  /** A dot at the device's position, after it was requested. */
  #drawHere() {
    const [lat, lon] = (storedHere() ?? '').split(' ').map(Number);
    if (lat === undefined || lon === undefined) return;
    const source = /** @type {GeoJSONSource | undefined} */ (this.#map.getSource('here'));
    source?.setData({ type: 'Point', coordinates: [lon, lat] });
  }

  /** Says whether the view is outside the data. */
  #tellOutside() {
    const view = this.#map.getBounds();
    const [west, south, east, north] = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
    tellOutside(this.#settings.bounds, { west, south, east, north });
  }

  /** Shows the map for the present choices of the form. */
  #choose() {
    const before = this.#choices;
    this.#choices = chosen();
    const colour = hoursColour(this.#settings, this.#choices);
    for (const [layer, property] of HOURS_LAYERS) this.#map.setPaintProperty(layer, property, colour);
    for (const [layer, filter] of Object.entries(hoursFilters(this.#choices))) this.#map.setFilter(layer, filter);
    this.#map.setLayerZoomRange('town-areas', 0, townsUntil(this.#choices));
    this.#tellAddress();
    if (this.#isDrawn && before.homes !== this.#choices.homes) this.#homes?.show(this.#choices.homes);
    if (before.relief !== this.#choices.relief) this.#setRelief(this.#choices.relief);
    tellSliders(this.#settings.words.months);
    this.#drawShadows();
    this.#tellPicked();
    this.#tellNear();
  }

  /** Writes the choices and the picked thing to the URL. */
  #tellAddress() {
    // A home or a square has no outline, so the URL does not name it.
    const isNamed = this.#picked?.kind === 'building' || this.#picked?.kind === 'town';
    const id = isNamed ? (this.#picked?.id ?? null) : this.#wanted;
    tellAddress(choicesQuery(this.#choices, this.#settings, id));
  }

  /** Paper gets the present picture, its description, and the URL of this view. */
  #preparePrint() {
    const picture = /** @type {HTMLCanvasElement} */ (element('map-print'));
    this.#map.redraw();
    const drawn = this.#map.getCanvas();
    Object.assign(picture, { width: drawn.width, height: drawn.height });
    picture.getContext('2d')?.drawImage(drawn, 0, 0);
    picture.hidden = false;
    element('map-choice').textContent = this.#choiceText();
    const address = document.querySelector('footer .print-only');
    if (address !== null) address.textContent = location.href;
  }

  /** A description of the map, in words. */
  #choiceText() {
    const { face, clock } = this.#choices;
    const { best, faces, choice, shadowsAt } = this.#settings.words;
    const shown = filled(
      choice,
      whenText(this.#choices, this.#settings.words),
      (face === 'best' ? best : faces[face]) ?? '',
    );
    return clock === null ? shown : shown + filled(shadowsAt, clockText(clock));
  }

  /** Shows the buildings in relief from the side, or flat from above. @param {boolean} relief */
  #setRelief(relief) {
    for (const layer of FLAT_LAYERS) {
      this.#map.setLayoutProperty(layer, 'visibility', relief ? 'none' : 'visible');
    }
    for (const layer of RELIEF_LAYERS) {
      this.#map.setLayoutProperty(layer, 'visibility', relief ? 'visible' : 'none');
    }
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map.easeTo({ pitch: relief ? 55 : 0, duration: still ? 0 : 500 });
  }

  /** Updates the list, the picked thing and the shadows when the map has come to rest. */
  #settled() {
    const view = String(this.#map.getBounds());
    if (view !== this.#settledOn) {
      this.#settledOn = view;
      this.#casters = null;
      this.#shadowsOf = null;
      this.#near = this.#findNear();
      this.#tellNear();
    }
    if (this.#wanted === null) this.#outline();
    else this.#pickWanted();
    this.#drawShadows();
  }

  /** Picks the thing in the URL, after its tile is loaded. */
  #pickWanted() {
    const id = this.#wanted ?? '';
    const [feature] = [...this.#featuresOf('buildings', id), ...this.#featuresOf('towns', id)];
    if (feature !== undefined) this.#pick(feature);
  }

  /**
   * The features of a source with an ID, in the tiles that are loaded.
   * @param {'buildings' | 'towns'} source
   * @param {string} id
   */
  #featuresOf(source, id) {
    /** @type {FilterSpecification} */
    const filter = ['==', ['get', source === 'buildings' ? 'building_id' : 'town_code'], id];
    return this.#map.querySourceFeatures(source, { sourceLayer: source, filter });
  }

  /** The view for which the list was made. */
  #settledOn = '';
  /** The nearest buildings; null when the zoom is too low. @type {NearBuilding[] | null} */
  #near = null;
  /** The buildings that throw shadows in the view; null until they are needed. @type {Caster[] | null} */
  #casters = null;

  /**
   * Time, month and view for which the shadows were last drawn; empty: none are drawn; null: they must be drawn again.
   * @type {string | null}
   */
  #shadowsOf = '';

  /** Draws the shadows in view, unless nothing has changed. */
  #drawShadows() {
    const { clock, month } = this.#choices;
    const isShown = clock !== null && this.#map.getZoom() >= SHADOWS_FROM_ZOOM && this.#map.isStyleLoaded();
    const key = isShown ? `${clock}/${month}/${this.#map.getBounds()}` : '';
    if (key === this.#shadowsOf) return;
    this.#shadowsOf = key;
    const { from, step, months } = this.#settings.sun;
    const sun = clock === null ? null : sunBetween(months[month - 1] ?? [], from, step, clock);
    const source = /** @type {GeoJSONSource} */ (this.#map.getSource('shadows'));
    source.setData({ type: 'MultiPolygon', coordinates: isShown && sun !== null ? this.#shadowsInView(sun) : [] });
  }

  /**
   * The shadows of buildings and hills.
   * @param {Sun} sun
   */
  #shadowsInView(sun) {
    const { clock, month } = this.#choices;
    const [west = 0, south = 0, east = 0, north = 0] = this.#map.getBounds().toArray().flat();
    const view = { west, south, east, north };
    const casters = this.#castersInView();
    if (this.#ground === null) return groundShadows(casters, sun, view);
    this.#ground.load(view);
    const ofHills = this.#ground.hillShadows(month, clock ?? 0, view);
    return [...groundShadows(casters, sun, view, this.#ground.shown), ...ofHills];
  }

  /** The buildings that throw shadows in the view. While the map moves they change all the time. @returns {Caster[]} */
  #castersInView() {
    if (String(this.#map.getBounds()) !== this.#settledOn) return this.#findCasters();
    this.#casters ??= this.#findCasters();
    return this.#casters;
  }

  /** The buildings in the loaded tiles, each once, although it may be in several tiles. @returns {Caster[]} */
  #findCasters() {
    /** @type {Map<unknown, Caster>} */
    const casters = new Map();
    for (const feature of this.#map.querySourceFeatures('buildings', { sourceLayer: 'buildings' })) {
      const polygons = polygonsOf(feature.geometry);
      const { building_id: id, height_m: heightM = 0, roof } = feature.properties;
      casters.set(id, { id: String(id), heightM: Number(heightM), polygons, roof: roofOf(roof) });
    }
    return [...casters.values()];
  }

  /** Picks what is at a point of the view. @param {[x: number, y: number]} point */
  #pickAt(point) {
    this.#pick(this.#drawnAt(point));
  }

  /** Picks the building in the middle, or one beside it: keys move the map in steps, and may end on a street. */
  #pickMiddle() {
    const { clientWidth, clientHeight } = this.#map.getCanvas();
    const [nearest = null] = this.#findNear() ?? [];
    const beside = nearest !== null && nearest.metres <= BESIDE_M ? nearest : null;
    this.#pick(this.#drawnAt([clientWidth / 2, clientHeight / 2]) ?? beside);
  }

  /**
   * What is at a point of the view: a home, otherwise the building there, otherwise the nearest building beside it,
   * otherwise the town; null when there is none of these.
   * @param {[x: number, y: number]} point
   * @returns {Drawn | null}
   */
  #drawnAt([x, y]) {
    const home = this.#homeAt([x, y]);
    if (home !== null) return home;
    const [exact] = this.#map.queryRenderedFeatures([x, y], { layers: BUILDING_LAYERS });
    if (exact !== undefined) return exact;
    const { lng, lat } = this.#map.unproject([x, y]);
    /** @type {(dx: number, dy: number) => [number, number]} */
    const beside = (dx, dy) => [x + dx, y + dy];
    const around = this.#map.queryRenderedFeatures(
      [beside(-BESIDE_PIXELS, -BESIDE_PIXELS), beside(BESIDE_PIXELS, BESIDE_PIXELS)],
      { layers: BUILDING_LAYERS },
    );
    const edge = this.#map.unproject(beside(BESIDE_PIXELS, 0));
    const most = metresTo({ type: 'Point', coordinates: [edge.lng, edge.lat] }, { lng, lat });
    const [nearest] = around
      .map((feature) => ({ feature, metres: metresTo(feature.geometry, { lng, lat }) }))
      .sort((a, b) => a.metres - b.metres);
    if (nearest !== undefined && nearest.metres <= most) return nearest.feature;
    return this.#map.queryRenderedFeatures([x, y], { layers: ['town-areas'] })[0] ?? null;
  }

  /**
   * The pin of a care home at a point of the view, or beside it.
   * @param {[x: number, y: number]} point
   * @returns {Drawn | null}
   */
  #homeAt([x, y]) {
    if (!this.#choices.homes || this.#map.getLayer('home-pins') === undefined) return null;
    /** @type {[[number, number], [number, number]]} */
    const around = [
      [x - BESIDE_HOME, y - BESIDE_HOME],
      [x + BESIDE_HOME, y + BESIDE_HOME],
    ];
    return this.#map.queryRenderedFeatures(around, { layers: [...HOMES_LAYERS] })[0] ?? null;
  }

  /**
   * Picks a feature: outlines it and shows its figures. Null: nothing is picked.
   * @param {Pick<Drawn, 'properties'> & Partial<Drawn> | null} feature
   */
  #pick(feature) {
    this.#picked = feature === null ? null : pickedOf(feature);
    this.#wanted = null;
    this.#outline();
    this.#tellAddress();
    this.#tellPicked(feature === null ? this.#settings.words.nothing : undefined);
  }

  /**
   * Outlines the picked thing, or the town in the URL until its tile is loaded. Buildings and squares are drawn from a
   * source of their own, because a tile shows only its own part of an outline. Without the tile of a building its last
   * outline stays.
   */
  #outline() {
    const { kind, id, geometry } = this.#picked ?? { kind: 'town', id: this.#wanted ?? '' };
    const shape = kind === 'building' ? this.#featuresOf('buildings', id)[0]?.geometry : (geometry ?? null);
    const source = /** @type {GeoJSONSource | undefined} */ (this.#map.getSource('picked'));
    if (shape !== undefined) source?.setData(shape ?? { type: 'MultiPolygon', coordinates: [] });
    const town = kind === 'town' ? id : '';
    // The code of a whole town begins those of its chome. Squares, which stand for unknown towns, have none.
    /** @type {ExpressionSpecification} */
    const code = ['slice', ['to-string', ['get', 'town_code']], 0, Math.max(1, town.length)];
    this.#map.setFilter('picked-town', ['all', ['has', 'town_code'], ['==', code, town]]);
  }

  /**
   * The town of a building, by its properties. Null without towns, and near a border: the edges of towns on the map are
   * not exact.
   * @param {string} id of a building
   */
  #townOf(id) {
    const [feature] = this.#featuresOf('buildings', id);
    const corner = feature && cornerOf(feature);
    if (corner === undefined) return null;
    const [lng, lat] = corner;
    /** @type {FilterSpecification} */
    const filter = ['has', 'town_code'];
    const near = this.#map
      .querySourceFeatures('towns', { sourceLayer: 'towns', filter })
      .filter(({ geometry }) => metresTo(geometry, { lng, lat }) <= NEAR_BORDER_M);
    const [town, ...others] = new Map(near.map(({ properties }) => [properties.town_code, properties])).values();
    return town === undefined || others.length > 0 ? null : town;
  }

  /** Shows the figures of the picked thing in the panel, or a text instead. @param {string} [instead] */
  #tellPicked(instead) {
    const place = element('map-picked');
    const picked = this.#picked;
    if (instead !== undefined) place.replaceChildren(instead);
    else if (picked !== null) {
      const town = picked.kind === 'building' ? this.#townOf(picked.id) : null;
      place.replaceChildren(...figures(picked, town, this.#choices, this.#settings));
    }
  }

  /**
   * Picks a building of the list and brings it to the middle.
   * @param {string} id
   */
  #show(id) {
    const [feature] = this.#featuresOf('buildings', id);
    if (feature === undefined) return;
    const corner = cornerOf(feature);
    if (corner !== undefined) this.#map.panTo(corner);
    this.#pick(feature);
  }

  /**
   * The buildings nearest to the middle of the view; null when the zoom is too low.
   * @returns {NearBuilding[] | null}
   */
  #findNear() {
    if (this.#map.getZoom() < BUILDINGS_FROM) return null;
    return nearestBuildings(
      this.#map.querySourceFeatures('buildings', { sourceLayer: 'buildings' }),
      this.#map.getCenter(),
    );
  }

  /** Writes the nearest buildings into the list. */
  #tellNear() {
    const { words } = this.#settings;
    element('map-near-note').textContent = this.#near === null ? words.nearZoom : '';
    element('map-near').replaceChildren(...listItems(this.#near ?? [], this.#choices, this.#settings));
  }
}

/** A corner of a building: longitude and latitude, degrees. @type {(feature: Pick<Drawn, 'geometry'>) => [number, number] | undefined} */
const cornerOf = ({ geometry }) => polygonsOf(geometry)[0]?.[0]?.[0];

/**
 * The picked thing from its feature: only a home has `id`, only a building `building_id`, and a town has `town_code`.
 * @param {Pick<Drawn, 'properties'> & Partial<Drawn>} feature
 * @returns {Picked}
 */
function pickedOf({ properties, geometry }) {
  const { building_id, town_code, id } = properties;
  if (id !== undefined) return { kind: 'home', id: String(id), properties };
  if (building_id !== undefined) return { kind: 'building', id: String(building_id), properties };
  return town_code === undefined
    ? { kind: 'square', id: '', properties, geometry }
    : { kind: 'town', id: String(town_code), properties };
}
