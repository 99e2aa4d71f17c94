/** @import { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl' */
/** @import { MapChoices, StyleParts } from './types.js' */

import { colourExpression } from './hours-style.js';

/** From this zoom on buildings are drawn, before it towns. */
export const BUILDINGS_FROM = 14;
/** From this zoom on single buildings can be picked by their faces. */
const DETAIL_FROM = 15;

const GROUND = '#f4f1ea';
const SHADE = '#d6cfc2';
const INK = '#26221c';

/**
 * The whole style for the first choices; later ones change paint properties only.
 * @param {StyleParts} parts
 * @param {MapChoices} choices
 * @returns {StyleSpecification}
 */
export function mapStyle(parts, choices) {
  const { tiles, bounds, below } = parts;
  const vector = { type: /** @type {const} */ ('vector'), tiles: [tiles] };
  /** @type {Record<string, SourceSpecification>} */
  const sources = {
    towns: { ...vector, minzoom: 8, maxzoom: 13 },
    buildings: { ...vector, bounds, minzoom: BUILDINGS_FROM, maxzoom: DETAIL_FROM },
    shadows: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0 },
  };
  if (below !== null) {
    sources.below = { type: 'raster', tiles: [below.tiles], tileSize: 256, maxzoom: below.maxzoom };
  }
  return { version: 8, sources, layers: layers(parts, choices) };
}

/**
 * The colour of hours in a layer of `fill-color` or `fill-extrusion-color`.
 * @param {StyleParts} parts
 * @param {MapChoices} choices
 */
export const hoursColour = ({ colours }, choices) =>
  /** @type {ExpressionSpecification} */ (colourExpression(choices, colours));

/**
 * The zoom up to which towns are coloured: buildings of the first zoom do not know their single faces.
 * @param {MapChoices} choices
 */
export const townsUntil = ({ face }) => (face === 'best' ? BUILDINGS_FROM : DETAIL_FROM);

/** Layers that are painted by hours, with the property that says so. */
export const HOURS_LAYERS = /** @type {const} */ ([
  ['town-areas', 'fill-color'],
  ['building-areas', 'fill-color'],
  ['building-edges', 'fill-color'],
  ['building-reliefs', 'fill-extrusion-color'],
]);

/**
 * @param {StyleParts} parts
 * @param {MapChoices} choices
 * @returns {LayerSpecification[]}
 */
function layers(parts, choices) {
  const colour = hoursColour(parts, choices);
  const { below, font, isLatin } = parts;
  /** @type {LayerSpecification[]} */
  const under = [{ id: 'ground', type: 'background', paint: { 'background-color': GROUND } }];
  if (below !== null) under.push({ id: 'below', type: 'raster', source: 'below' });
  /** @type {(id: string, layer: string) => LayerSpecification} */
  const drawn = (id, layer) => ({
    id,
    type: 'fill',
    source: 'buildings',
    'source-layer': layer,
    layout: { visibility: choices.relief ? 'none' : 'visible' },
    paint: { 'fill-color': colour, 'fill-outline-color': 'rgba(60,48,40,0.45)' },
  });
  return [
    ...under,
    {
      id: 'town-areas',
      type: 'fill',
      source: 'towns',
      'source-layer': 'towns',
      maxzoom: townsUntil(choices),
      paint: {
        'fill-color': colour,
        'fill-opacity': ['case', ['<', ['get', 'n'], 20], 0.35, below === null ? 0.92 : 0.7],
      },
    },
    {
      id: 'shadows',
      type: 'fill',
      source: 'shadows',
      paint: { 'fill-color': SHADE, 'fill-antialias': false, 'fill-opacity': below === null ? 1 : 0.45 },
    },
    {
      id: 'town-lines',
      type: 'line',
      source: 'towns',
      'source-layer': 'towns',
      paint: {
        'line-color': ['step', ['zoom'], '#fffdf7', BUILDINGS_FROM, '#a89c88'],
        'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.4, 13, 1.2, 17, 1.6],
        'line-dasharray': ['step', ['zoom'], ['literal', [1, 0]], BUILDINGS_FROM, ['literal', [3, 2]]],
      },
    },
    drawn('building-areas', 'buildings'),
    drawn('building-edges', 'edges'),
    {
      id: 'building-reliefs',
      type: 'fill-extrusion',
      source: 'buildings',
      'source-layer': 'buildings',
      layout: { visibility: choices.relief ? 'visible' : 'none' },
      paint: {
        'fill-extrusion-color': colour,
        'fill-extrusion-height': ['coalesce', ['get', 'height_m'], 0],
        'fill-extrusion-vertical-gradient': true,
      },
    },
    ...picked(),
    names(font, isLatin),
  ];
}

/**
 * Outlines of what is picked: first nothing.
 * @returns {LayerSpecification[]}
 */
function picked() {
  /** @type {(id: string, source: string, layer: string, colour: string, width: number) => LayerSpecification} */
  const line = (id, source, layer, colour, width) => ({
    id,
    type: 'line',
    source,
    'source-layer': layer,
    filter: ['==', ['get', 'building_id'], ''],
    paint: { 'line-color': colour, 'line-width': width },
  });
  return [
    line('picked-building-halo', 'buildings', 'buildings', '#ffffff', 6),
    line('picked-building', 'buildings', 'buildings', '#0b57d0', 3),
    line('picked-town', 'towns', 'towns', '#0b57d0', 3),
  ];
}

/**
 * @param {string} font
 * @param {boolean} isLatin
 * @returns {LayerSpecification}
 */
function names(font, isLatin) {
  return {
    id: 'town-names',
    type: 'symbol',
    source: 'towns',
    'source-layer': 'town_labels',
    minzoom: 12,
    layout: {
      'text-field': isLatin ? ['coalesce', ['get', 'name_latin'], ['get', 'name']] : ['get', 'name'],
      'text-font': [font],
      'text-size': ['interpolate', ['linear'], ['zoom'], 12, 11, 16, 15],
      'text-max-width': 8,
      'text-padding': 6,
      'symbol-sort-key': ['-', 0, ['get', 'n']],
    },
    paint: { 'text-color': INK, 'text-halo-color': 'rgba(255,253,247,0.92)', 'text-halo-width': 1.6 },
  };
}
