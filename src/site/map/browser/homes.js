/** @import { GeoJSONSource, LayerSpecification, Map as MapView } from 'maplibre-gl' */
/** @import { HomeSettings } from './types.js' */

import { tilesIn, worldX, worldY } from './tiles.js';

/** Below this zoom pins would cover the map. */
const SHOWN_FROM = 12;

/** The care homes in view with their prices. Their tiles are loaded when homes are first shown. */
export class Homes {
  #map;
  #settings;
  #isLatin;
  #layers;
  /** Homes of each tile; null while it is loaded. @type {Map<string, GeoJSON.Feature[] | null>} */
  #tiles = new Map();
  #isShown = false;

  /**
   * @param {MapView} map
   * @param {HomeSettings} settings
   * @param {boolean} isLatin
   * @param {() => LayerSpecification[]} layers makes the layers when homes are first shown
   */
  constructor(map, settings, isLatin, layers) {
    this.#map = map;
    this.#settings = settings;
    this.#isLatin = isLatin;
    this.#layers = layers;
    map.on('moveend', () => this.#load());
  }

  /**
   * Shows or hides the homes.
   * @param {boolean} isShown
   */
  show(isShown) {
    this.#isShown = isShown;
    for (const layer of this.#layers()) {
      if (this.#map.getLayer(layer.id) === undefined) this.#map.addLayer(layer);
      this.#map.setLayoutProperty(layer.id, 'visibility', isShown ? 'visible' : 'none');
    }
    this.#load();
  }

  /** Loads the tiles in view that are not there yet. */
  #load() {
    if (!this.#isShown || this.#map.getZoom() < SHOWN_FROM) return;
    const { tiles, zoom } = this.#settings;
    const view = this.#map.getBounds();
    const [west, east] = [worldX(view.getWest()), worldX(view.getEast())];
    const [north, south] = [worldY(view.getNorth()), worldY(view.getSouth())];
    for (const address of tilesIn(tiles, zoom, { west, east, north, south })) {
      if (!this.#tiles.has(address)) this.#loadTile(address);
    }
  }

  /**
   * Loads a tile and shows its homes, besides those of all other tiles.
   * @param {string} address
   */
  async #loadTile(address) {
    this.#tiles.set(address, null);
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`${answer.status}`);
      const { features } = /** @type {GeoJSON.FeatureCollection} */ (await answer.json());
      this.#tiles.set(
        address,
        features.map((one) => this.#labelled(one)),
      );
    } catch {
      // The next move of the map requests it again.
      this.#tiles.delete(address);
      return;
    }
    const features = [...this.#tiles.values()].flatMap((one) => one ?? []);
    /** @type {GeoJSONSource | undefined} */ (this.#map.getSource('homes'))?.setData({
      type: 'FeatureCollection',
      features,
    });
  }

  /**
   * A home with its price as a short `label`, 15.2万 or ¥152k; the label is empty when the price is unknown.
   * @param {GeoJSON.Feature} feature
   * @returns {GeoJSON.Feature}
   */
  #labelled(feature) {
    const yen = /** @type {number | null} */ (feature.properties?.yen ?? null);
    const label = yen === null ? '' : this.#shortYen(yen);
    return { ...feature, properties: { ...feature.properties, label } };
  }

  /** @param {number} yen */
  #shortYen(yen) {
    return this.#isLatin ? `¥${Math.round(yen / 1000)}k` : `${(yen / 10_000).toFixed(1)}万`;
  }
}
