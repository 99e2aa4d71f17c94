/**
 * @import { ExpressionSpecification, FillExtrusionLayerSpecification, LayerSpecification, LineLayerSpecification, SourceSpecification,
 * StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl'
 */
/** @import { MapChoices, StyleParts } from './types.js' */

import { colourExpression, unknownExpression } from './hours-style.js';

/** From this zoom on buildings are drawn, below it towns. */
export const BUILDINGS_FROM = 14;
/** From this zoom on the faces of single buildings are known. */
const DETAIL_FROM = 15;
/** Up to this zoom wards have names, above it towns. */
const TOWN_NAMES_FROM = 12;
const PARK_NAMES_FROM = 15;

/**
 * Colours besides the scale of hours. No ground is as pale or as dark as an end of the scale, and outlines separate
 * buildings from it.
 */
const THEMES = {
  light: {
    ground: '#d3dae0',
    shade: '#b3bac1',
    ink: '#1f2327',
    halo: 'rgba(255,255,255,0.9)',
    outline: 'rgba(45,38,33,0.75)',
    towns: '#ffffff',
    townsBelow: '#8b95a0',
    water: '#9cc4e0',
    park: '#bcd6b4',
    parkInk: '#1f5a2a',
    road: '#f7f8f9',
    roadEdge: '#aab4bd',
    rail: '#4c545c',
    picked: '#0b57d0',
    pickedHalo: '#ffffff',
    here: '#0b57d0',
    hatch: [
      [255, 255, 255],
      [200, 198, 195],
    ],
    home: '#a3195b',
  },
  dark: {
    ground: '#262b30',
    shade: '#14171a',
    ink: '#f3f1ec',
    halo: 'rgba(20,22,25,0.9)',
    outline: 'rgba(226,228,234,0.55)',
    towns: '#11151a',
    townsBelow: '#7d8790',
    water: '#1e4a68',
    park: '#2c4630',
    parkInk: '#a8dcae',
    road: '#424950',
    roadEdge: '#1a1e22',
    rail: '#a3abb3',
    picked: '#8ab8ff',
    pickedHalo: '#0b0d10',
    here: '#8ab8ff',
    hatch: [
      [34, 32, 28],
      [84, 80, 72],
    ],
    home: '#ff8fc0',
  },
};

/** @typedef {(typeof THEMES)['light']} Theme */

/**
 * The whole style for the first choices; later ones change paint properties only.
 * @param {StyleParts} parts
 * @param {MapChoices} choices
 * @param {boolean} isDark
 * @returns {StyleSpecification}
 */
export function mapStyle(parts, choices, isDark) {
  const { tiles, bounds, below } = parts;
  const vector = { type: /** @type {const} */ ('vector'), tiles: [tiles] };
  /** @type {GeoJSON.FeatureCollection} */
  const empty = { type: 'FeatureCollection', features: [] };
  /** @type {Record<string, SourceSpecification>} */
  const sources = {
    towns: { ...vector, minzoom: 8, maxzoom: 13 },
    buildings: { ...vector, bounds, minzoom: BUILDINGS_FROM, maxzoom: DETAIL_FROM },
    shadows: { type: 'geojson', data: empty, tolerance: 0 },
    picked: { type: 'geojson', data: empty, tolerance: 0 },
    here: { type: 'geojson', data: empty },
    homes: { type: 'geojson', data: empty },
  };
  if (below !== null) {
    sources.below = { type: 'raster', tiles: [below.tiles], tileSize: 256, maxzoom: below.maxzoom };
  }
  return { version: 8, sources, layers: layers(parts, choices, isDark ? THEMES.dark : THEMES.light) };
}

/**
 * The colour of hours in a layer of `fill-color` or `fill-extrusion-color`.
 * @param {StyleParts} parts
 * @param {MapChoices} choices
 */
export const hoursColour = ({ colours }, choices) =>
  /** @type {ExpressionSpecification} */ (colourExpression(choices, colours));

/**
 * The zoom up to which towns are coloured: at the first zoom of buildings their faces are unknown.
 * @param {MapChoices} choices
 */
export const townsUntil = ({ face }) => (face === 'best' ? BUILDINGS_FROM : DETAIL_FROM);

/**
 * The filters of layers by whether the hours of their features are unknown. On a flat map the hatch covers a colour; in
 * relief a building is in one layer only.
 * @param {MapChoices} choices
 */
export function hoursFilters(choices) {
  const isUnknown = /** @type {ExpressionSpecification} */ (unknownExpression(choices));
  /** @type {ExpressionSpecification} */
  const isKnown = ['!', isUnknown];
  return {
    'unknown-areas': isUnknown,
    'unknown-edges': isUnknown,
    'unknown-reliefs': isUnknown,
    'building-reliefs': isKnown,
  };
}

/** The layers of buildings on a flat map and in relief. Buildings with unknown hours are hatched as in legends. */
export const FLAT_LAYERS = /** @type {const} */ ([
  'building-areas',
  'building-edges',
  'unknown-areas',
  'unknown-edges',
]);
export const RELIEF_LAYERS = /** @type {const} */ (['building-reliefs', 'unknown-reliefs']);

/** The image of the hatch. */
export const HATCH = 'hatch';
const HATCH_PIXELS = 14;
const HATCH_LINE_PIXELS = 3;

/**
 * The pixels of the hatch, for screens with two pixels in one of CSS.
 * @param {boolean} isDark
 */
export function hatch(isDark) {
  const [ground, line] = (isDark ? THEMES.dark : THEMES.light).hatch;
  const data = new Uint8Array(4 * HATCH_PIXELS ** 2);
  for (let i = 0; i < HATCH_PIXELS ** 2; i++) {
    const isLine = (i + Math.floor(i / HATCH_PIXELS)) % HATCH_PIXELS < HATCH_LINE_PIXELS;
    data.set([...(isLine ? line : ground), 255], 4 * i);
  }
  return { width: HATCH_PIXELS, height: HATCH_PIXELS, data };
}

/** Layers that are coloured by hours, with the property of the colour. */
export const HOURS_LAYERS = /** @type {const} */ ([
  ['town-areas', 'fill-color'],
  ['building-areas', 'fill-color'],
  ['building-edges', 'fill-color'],
  ['building-reliefs', 'fill-extrusion-color'],
]);

/**
 * All layers that the map has at its start, from the lowest to the highest.
 * @param {StyleParts} parts
 * @param {MapChoices} choices
 * @param {Theme} theme
 * @returns {LayerSpecification[]}
 */
function layers(parts, choices, theme) {
  const colour = hoursColour(parts, choices);
  const { below } = parts;
  /** @type {LayerSpecification[]} */
  const under = [{ id: 'ground', type: 'background', paint: { 'background-color': theme.ground } }];
  if (below !== null) under.push({ id: 'below', type: 'raster', source: 'below' });
  /** @type {(id: string, layer: string) => LayerSpecification} */
  const drawn = (id, layer) => ({
    id,
    type: 'fill',
    source: 'buildings',
    'source-layer': layer,
    layout: { visibility: choices.relief ? 'none' : 'visible' },
    paint: { 'fill-color': colour, 'fill-outline-color': theme.outline },
  });
  /** @type {(id: 'unknown-areas' | 'unknown-edges', layer: string) => LayerSpecification} */
  const hatched = (id, layer) => ({
    id,
    type: 'fill',
    source: 'buildings',
    'source-layer': layer,
    filter: hoursFilters(choices)[id],
    layout: { visibility: choices.relief ? 'none' : 'visible' },
    paint: { 'fill-pattern': HATCH },
  });
  /** @type {(id: (typeof RELIEF_LAYERS)[number], paint: FillExtrusionLayerSpecification['paint']) => LayerSpecification} */
  const relief = (id, paint) => ({
    id,
    type: 'fill-extrusion',
    source: 'buildings',
    'source-layer': 'buildings',
    filter: hoursFilters(choices)[id],
    layout: { visibility: choices.relief ? 'visible' : 'none' },
    paint: {
      ...paint,
      'fill-extrusion-height': ['coalesce', ['get', 'height_m'], 0],
      'fill-extrusion-vertical-gradient': true,
    },
  });
  return [
    ...under,
    ...(below === null ? LANDMARK_SOURCES.flatMap((source) => landmarkAreas(source, theme)) : []),
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
      paint: { 'fill-color': theme.shade, 'fill-antialias': false, 'fill-opacity': below === null ? 1 : 0.45 },
    },
    townLines('town-lines', { 'line-color': theme.towns }, 0, BUILDINGS_FROM),
    {
      ...townLines('town-edges', { 'line-color': theme.townsBelow, 'line-dasharray': [3, 2] }, BUILDINGS_FROM, 24),
      // Squares, which stand for unknown towns, are no places.
      filter: ['has', 'town_code'],
    },
    ...(below === null ? LANDMARK_SOURCES.flatMap((source) => landmarkLines(source, theme)) : []),
    drawn('building-areas', 'buildings'),
    drawn('building-edges', 'edges'),
    hatched('unknown-areas', 'buildings'),
    hatched('unknown-edges', 'edges'),
    relief('building-reliefs', { 'fill-extrusion-color': colour }),
    relief('unknown-reliefs', { 'fill-extrusion-pattern': HATCH }),
    ...picked(theme),
    {
      id: 'here',
      type: 'circle',
      source: 'here',
      paint: {
        'circle-radius': 8,
        'circle-color': theme.here,
        'circle-stroke-color': theme.pickedHalo,
        'circle-stroke-width': 3,
      },
    },
  ];
}

/**
 * The edges of towns. Dashed edges are a layer of their own, because the graphics card draws them with another program.
 * @param {string} id
 * @param {LineLayerSpecification['paint']} paint
 * @param {number} minzoom
 * @param {number} maxzoom
 * @returns {LineLayerSpecification}
 */
function townLines(id, paint, minzoom, maxzoom) {
  return {
    id,
    type: 'line',
    source: 'towns',
    'source-layer': 'towns',
    minzoom,
    maxzoom,
    paint: { ...paint, 'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.4, 13, 1.2, 17, 1.6] },
  };
}

/** The sources of landmarks: the tiles of towns up to a zoom, above it those of buildings. */
const LANDMARK_SOURCES = /** @type {const} */ (['towns', 'buildings']);
/** @typedef {(typeof LANDMARK_SOURCES)[number]} LandmarkSource */

/**
 * The members that all layers of a landmark have.
 * @type {(id: string, source: LandmarkSource, layer: string) => { id: string, source: string, 'source-layer': string, minzoom: number, maxzoom: number }}
 */
const landmark = (id, source, layer) => ({
  id: `${id}-${source}`,
  source,
  'source-layer': layer,
  minzoom: source === 'towns' ? 0 : BUILDINGS_FROM,
  maxzoom: source === 'towns' ? BUILDINGS_FROM : 24,
});

/**
 * Water, parks and the areas of roads, for a map with landmarks.
 * @param {LandmarkSource} source
 * @param {Theme} theme
 * @returns {LayerSpecification[]}
 */
function landmarkAreas(source, theme) {
  /** Rivers and roads may be lines: a fill would close them. @type {(id: string, layer: string, colour: string) => LayerSpecification} */
  const area = (id, layer, colour) => ({
    ...landmark(id, source, layer),
    type: 'fill',
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': colour },
  });
  return [
    area('parks', 'parks', theme.park),
    area('water', 'water', theme.water),
    area('road-areas', 'roads', theme.road),
  ];
}

/**
 * Rivers, roads and railways as lines, above the colours of towns.
 * @param {LandmarkSource} source
 * @param {Theme} theme
 * @returns {LayerSpecification[]}
 */
function landmarkLines(source, theme) {
  const isLine = /** @type {ExpressionSpecification} */ (['==', ['geometry-type'], 'LineString']);
  /** @type {(id: string, layer: string, colour: string, least: number, most: number) => LineLayerSpecification} */
  const line = (id, layer, colour, least, most) => ({
    ...landmark(id, source, layer),
    type: 'line',
    filter: isLine,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': colour, 'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 10, least, 18, most] },
  });
  return [
    line('rivers', 'water', theme.water, 0.8, 12),
    {
      ...landmark('roads', source, 'roads'),
      type: 'line',
      filter: isLine,
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: {
        'line-color': theme.road,
        // The width of the road in metres at this zoom, if known; otherwise that of a lane.
        'line-width': [
          'interpolate',
          ['exponential', 2],
          ['zoom'],
          13,
          ['*', ['coalesce', ['get', 'width_m'], 5], 0.1],
          19,
          ['*', ['coalesce', ['get', 'width_m'], 5], 6.4],
        ],
      },
    },
    line('rails', 'rails', theme.rail, 1, 5),
    {
      ...line('rail-sleepers', 'rails', theme.road, 0.5, 3),
      paint: {
        'line-color': theme.road,
        'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 10, 0.4, 18, 3],
        'line-dasharray': [3, 3],
      },
    },
  ];
}

/**
 * The layers for the outline of the picked thing. Nothing is picked at the start.
 * @param {Theme} theme
 * @returns {LayerSpecification[]}
 */
function picked(theme) {
  /** @type {(id: string, colour: string, width: number) => LineLayerSpecification} */
  const line = (id, colour, width) => ({
    id,
    type: 'line',
    source: 'picked',
    paint: { 'line-color': colour, 'line-width': width },
  });
  return [
    line('picked-halo', theme.pickedHalo, 7),
    line('picked', theme.picked, 4),
    {
      ...line('picked-town', theme.picked, 3),
      source: 'towns',
      'source-layer': 'towns',
      filter: ['==', ['get', 'town_code'], ''],
    },
  ];
}

/** The layers of care homes. */
export const HOMES_LAYERS = /** @type {const} */ (['home-pins', 'home-prices']);

/**
 * Care homes as pins with their prices above everything else. A price may be hidden by others, a pin never.
 * @param {StyleParts} parts
 * @param {boolean} isDark
 * @returns {LayerSpecification[]}
 */
export function homeLayers({ font }, isDark) {
  const theme = isDark ? THEMES.dark : THEMES.light;
  return [
    {
      id: 'home-pins',
      type: 'circle',
      source: 'homes',
      minzoom: 12,
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 12, 4, 15, 8],
        'circle-color': theme.home,
        'circle-stroke-color': theme.pickedHalo,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'home-prices',
      type: 'symbol',
      source: 'homes',
      minzoom: 13,
      layout: {
        // Close up there is room for the name.
        'text-field': ['step', ['zoom'], ['get', 'label'], 17, ['concat', ['get', 'name'], '\n', ['get', 'label']]],
        'text-font': [font],
        'text-size': 14,
        'text-padding': 2,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 0.8,
        'text-justify': 'auto',
        'symbol-sort-key': ['coalesce', ['get', 'yen'], 1e7],
      },
      paint: { 'text-color': theme.ink, 'text-halo-color': theme.halo, 'text-halo-width': 2 },
    },
  ];
}

/** Names are inserted before this layer, so that the dot of the device is above them. */
export const ABOVE_NAMES = 'here';

/**
 * Names of wards, towns, stations and parks. They are added after the map is drawn, because drawing their letters takes
 * long on a phone.
 * @param {StyleParts} parts
 * @param {boolean} isDark
 * @returns {LayerSpecification[]}
 */
export function nameLayers({ font, isLatin, below }, isDark) {
  const theme = isDark ? THEMES.dark : THEMES.light;
  const own = /** @type {ExpressionSpecification} */ (
    isLatin ? ['coalesce', ['get', 'name_latin'], ['get', 'name']] : ['get', 'name']
  );
  /**
   * @type {(id: string, source: LandmarkSource, layer: string, zooms: { minzoom: number, maxzoom: number }, sizes:
   * [number, number, number, number], more?: SymbolLayerSpecification['layout']) => SymbolLayerSpecification}
   */
  const called = (id, source, layer, zooms, sizes, more = {}) => ({
    id,
    type: 'symbol',
    source,
    'source-layer': layer,
    ...zooms,
    layout: {
      'text-field': own,
      'text-font': [font],
      'text-size': ['interpolate', ['linear'], ['zoom'], ...sizes],
      'text-max-width': 8,
      'text-padding': 6,
      'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'n'], 0]],
      ...more,
    },
    paint: {
      'text-color': layer === 'parks' ? theme.parkInk : theme.ink,
      'text-halo-color': theme.halo,
      'text-halo-width': 1.6,
    },
  });
  const landmarks = LANDMARK_SOURCES.flatMap((source) => {
    const { minzoom: least, maxzoom } = landmark('', source, '');
    const minzoom = Math.max(TOWN_NAMES_FROM, least);
    /** @type {LayerSpecification} */
    const dots = {
      ...landmark('station-dots', source, 'stations'),
      type: 'circle',
      minzoom,
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 12, 2.5, 17, 6],
        'circle-color': theme.road,
        'circle-stroke-color': theme.rail,
        'circle-stroke-width': 2,
      },
    };
    const parks = { minzoom: Math.max(PARK_NAMES_FROM, minzoom), maxzoom };
    const station = called(`station-names-${source}`, source, 'stations', { minzoom, maxzoom }, [12, 11, 17, 16], {
      'text-field': isLatin ? own : ['concat', ['get', 'name'], '駅'],
      'text-offset': [0, 0.9],
      'text-anchor': 'top',
      'text-max-width': 10,
      // Keeps the names of other places away from the dot above the name.
      'text-padding': 14,
    });
    // Parks have names where buildings are drawn.
    const park = called(`park-names-${source}`, source, 'parks', parks, [15, 12, 18, 13]);
    return source === 'buildings' ? [dots, park, station] : [dots, station];
  });
  return [
    called('ward-names', 'towns', 'ward_labels', { minzoom: 0, maxzoom: TOWN_NAMES_FROM }, [8, 12, 12, 20]),
    called('town-names', 'towns', 'town_labels', { minzoom: TOWN_NAMES_FROM, maxzoom: 24 }, [12, 11, 16, 15]),
    ...(below === null ? landmarks : []),
  ];
}
