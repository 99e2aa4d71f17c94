import { gunzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { hoursClass } from '../../contract/sunlight-shapes.ts';
import type { MapAnswers } from '../../dataset/map.ts';
import { worldX, worldY } from '../../geo/web-tile.ts';
import { Labels, textWidth } from '../charts/svg.ts';
import { type Fragment, type Html, html } from '../markup.ts';
import { colouredBy } from './browser/hours-style.js';
import type { MapChoices } from './choices.ts';

/** A view of the map, in pixels of its zoom. */
interface PictureView {
  lat: number;
  lon: number;
  zoom: number;
  width: number;
  height: number;
}

/** The input of a picture of the map. */
interface PictureParts {
  map: MapAnswers;
  view: PictureView;
  choices: MapChoices;
  /** True shows the names of towns in Latin letters. */
  isLatin: boolean;
  /** The link of a building or a town, by its ID; null: none. */
  hrefOf: (kind: 'building' | 'town', id: string) => string | null;
  /** The lowest zoom with buildings. Below it towns are drawn. */
  buildingsFrom?: number;
  /** Emphasized buildings; all others are pale. Null: all are equal. */
  chosen?: ReadonlySet<string> | null;
  /** The ID of the outlined building or town; null: none. */
  picked?: string | null;
  /** Signs on buildings, by ID. */
  badges?: ReadonlyMap<string, string>;
}

/** Zooms of the tiles: those of buildings from 14 to 15, those of towns from 8 to 13. */
const BUILDINGS_FROM = 14;
const MOST_TILE_ZOOM = 15;
const TOWN_TILES = { least: 8, most: 13 } as const;
/** Pixels of a tile on the map. */
const TILE_PIXELS = 512;
/** Units of a tile along its edge. */
const TILE_UNITS = 4096;
/** Units of the drawing in a pixel: whole numbers keep coordinates short. */
const UNITS = 4;

/**
 * A view of the map as a drawing, made by the server from the same tiles as the browser's map. It stands on the page
 * until the browser's map is ready, for print, and without scripts.
 */
export function mapPicture(parts: PictureParts): Html {
  const { width, height } = parts.view;
  const [w, h] = [width * UNITS, height * UNITS];
  const isNear = parts.view.zoom >= (parts.buildingsFrom ?? BUILDINGS_FROM);
  // `far`: the tiles of towns. `near`: those of buildings. Both have parks, water, roads and railways.
  const far = townTilesOf(parts);
  const near = isNear ? tilesOf(parts, Math.min(MOST_TILE_ZOOM, Math.floor(parts.view.zoom))) : [];
  const landmarks = isNear ? near : far;
  // Far away towns are areas below the roads. Near, they are outlines below the buildings.
  const townLines = (tile: PlacedTile): Html =>
    withinTile(tile, [shapes([tile], 'towns', 'pic-town-line'), pickedTown(tile, parts)]);
  return html`<svg class="map-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${width}" height="${height}" aria-hidden="true">
${HATCH}<rect class="pic-ground" width="${w}" height="${h}"/>
${shapes(landmarks, 'parks', 'pic-park')}${shapes(landmarks, 'water', 'pic-water')}${isNear ? null : towns(far, parts)}
${shapes(landmarks, 'roads', 'pic-road')}${shapes(landmarks, 'rails', 'pic-rail')}
${isNear ? [far.map(townLines), buildings(near, parts)] : null}${names(far, landmarks, parts)}</svg>`;
}

/** The pattern of unknown hours, as legends show it. */
const HATCH = html`<defs><pattern id="pic-hatch" width="${5 * UNITS}" height="${5 * UNITS}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="pic-hatch-ground" width="100%" height="100%"/><rect class="pic-hatch-line" width="${UNITS}" height="100%"/></pattern></defs>`;

/** The tiles of towns that the view touches. */
const townTilesOf = (parts: Pick<PictureParts, 'map' | 'view'>): PlacedTile[] =>
  tilesOf(parts, Math.max(TOWN_TILES.least, Math.min(TOWN_TILES.most, Math.floor(parts.view.zoom))));

/**
 * The whole hours by which the map colours a town; of a whole town those of each of its chome in the view. Empty when
 * they are unknown.
 */
export function hoursOfTown(parts: Pick<PictureParts, 'map' | 'view' | 'choices'>, code: string): number[] {
  const areas = townTilesOf(parts).flatMap((tile) => [...featuresOf(tile, 'towns')]);
  const ofTown = areas.filter(({ properties }) => String(properties.town_code ?? '').startsWith(code));
  return ofTown.flatMap(({ properties }) => {
    const hours = colouredBy(properties, parts.choices).map((one) => one.hours);
    // As on the map: those of its sunniest shown face.
    return hours.length === 0 ? [] : Math.max(...hours);
  });
}

/** A tile with the position of its corner in the drawing. */
interface PlacedTile {
  layers: Record<string, VectorTileLayer>;
  x: number;
  y: number;
  /** Units of the drawing in a unit of the tile. */
  scale: number;
  width: number;
  height: number;
  /** A point nearer than this to the drawn point before it is left out, units of the drawing. */
  leastStep: number;
}

/** Values of `leastStep`: all corners of buildings stay; edges of towns look smooth without near points. */
const LEAST_STEP = { buildings: 1, towns: 10 } as const;

/** The tiles of a zoom that the view touches. */
function tilesOf({ map, view }: Pick<PictureParts, 'map' | 'view'>, z: number): PlacedTile[] {
  const side = TILE_PIXELS * 2 ** view.zoom;
  const [left, top] = [worldX(view.lon) * side - view.width / 2, worldY(view.lat) * side - view.height / 2];
  const size = side / 2 ** z;
  const placed: PlacedTile[] = [];
  for (let y = Math.floor(top / size); y * size < top + view.height; y++) {
    for (let x = Math.floor(left / size); x * size < left + view.width; x++) {
      const packed = map.tile(z, x, y);
      if (packed === null) continue;
      placed.push({
        layers: new VectorTile(new PbfReader(gunzipSync(packed))).layers,
        x: (x * size - left) * UNITS,
        y: (y * size - top) * UNITS,
        scale: (size * UNITS) / TILE_UNITS,
        width: view.width * UNITS,
        height: view.height * UNITS,
        leastStep: z < BUILDINGS_FROM ? LEAST_STEP.towns : LEAST_STEP.buildings,
      });
    }
  }
  return placed;
}

/** The features of a tile's layer; none when the tile does not have the layer. */
function* featuresOf({ layers }: PlacedTile, name: string): Generator<VectorTileFeature> {
  const layer = layers[name];
  for (let i = 0; i < (layer?.length ?? 0); i++) if (layer) yield layer.feature(i);
}

/**
 * The outline of a feature as path data in whole units: for each ring `M` and its first point, then `l` and the step to
 * each next drawn point. Empty when the feature is outside the drawing.
 */
function pathOf(feature: VectorTileFeature, tile: PlacedTile): string {
  const isArea = feature.type === AREA;
  let d = '';
  // True while all points are on that side of the drawing.
  let [isLeft, isRight, isAbove, isBelow] = [true, true, true, true];
  for (const ring of feature.loadGeometry()) {
    let start = '';
    let steps = '';
    let [lastX, lastY] = [0, 0];
    for (const [i, point] of ring.entries()) {
      const x = Math.round(tile.x + point.x * tile.scale);
      const y = Math.round(tile.y + point.y * tile.scale);
      if (x > 0) isLeft = false;
      if (x < tile.width) isRight = false;
      if (y > 0) isAbove = false;
      if (y < tile.height) isBelow = false;
      const isNear = Math.abs(x - lastX) + Math.abs(y - lastY) < tile.leastStep;
      // `z` closes a ring, so its last point, which repeats the first, is not needed.
      const isRepeated = isArea && i === ring.length - 1;
      if (i === 0) start = `M${x} ${y}l`;
      else if (isNear || isRepeated) continue;
      else steps += `${steps === '' ? x - lastX : spaced(x - lastX)}${spaced(y - lastY)}`;
      [lastX, lastY] = [x, y];
    }
    // A ring that shrinks to one point is not drawn.
    if (steps !== '') d += `${start}${steps}${isArea ? 'z' : ''}`;
  }
  return isLeft || isRight || isAbove || isBelow ? '' : d;
}

/** Kinds of features as vector tiles number them: lines and areas. */
const [LINE, AREA] = [2, 3] as const;

/** A number as it follows another one in path data: after a blank, unless its minus sign separates them. */
const spaced = (value: number): string => (value < 0 ? `${value}` : ` ${value}`);

/** The areas of a layer as one path, and its lines as another. */
function shapes(tiles: readonly PlacedTile[], layer: string, className: string): Fragment {
  // Squares, which stand for unknown towns, are no places: `towns` colours them, but they have no outlines.
  const isPlace = ({ properties }: VectorTileFeature): boolean => layer !== 'towns' || 'town_code' in properties;
  const path = (type: typeof LINE | typeof AREA, kind: string): Fragment => {
    const isDrawn = (feature: VectorTileFeature): boolean => feature.type === type && isPlace(feature);
    const outlines = tiles.flatMap((tile) =>
      [...featuresOf(tile, layer)].filter(isDrawn).map((feature) => pathOf(feature, tile)),
    );
    const d = outlines.join('');
    return d === '' ? null : html`<path class="${className} ${kind}" d="${d}"/>`;
  };
  return [path(AREA, 'area'), path(LINE, 'line')];
}

/**
 * The style class of a feature's colour, by the same hours as on the browser's map: those of its sunniest shown face.
 */
function classOf({ properties }: VectorTileFeature, choices: MapChoices): string {
  const hours = colouredBy(properties, choices).map((one) => one.hours);
  return hours.length === 0 ? 'unknown' : `h${hoursClass(Math.max(...hours))}`;
}

/** Towns in the colours of their mean hours. Each tile shows its own part, without the edges at which it is cut. */
function towns(tiles: readonly PlacedTile[], parts: PictureParts): Fragment {
  return tiles.map((tile) => {
    const areas = [...featuresOf(tile, 'towns')].map((feature) => {
      const d = pathOf(feature, tile);
      if (d === '') return null;
      const { town_code: code, n } = feature.properties;
      const few = Number(n) < FEW ? ' few' : '';
      const colour = classOf(feature, parts.choices);
      return linked(parts, 'town', code, html`<path class="pic-town ${colour}${few}${mark(parts, code)}" d="${d}"/>`);
    });
    return withinTile(tile, areas);
  });
}

/** The outline of a picked town, of a whole town that of its chome. */
const pickedTown = (tile: PlacedTile, { picked = null }: PictureParts): Fragment =>
  picked === null
    ? null
    : [...featuresOf(tile, 'towns')]
        .filter(({ properties }) => String(properties.town_code).startsWith(picked))
        .map((feature) => html`<path class="pic-town-line picked" d="${pathOf(feature, tile)}"/>`);

/** The style class of the picked building or town, with a blank before it; empty for others. */
const mark = ({ picked }: PictureParts, id: unknown): string => (picked != null && picked === id ? ' picked' : '');

/** A town with fewer buildings has a pale colour, because its mean says little. */
const FEW = 20;

/** Content that is cut off at the edges of a tile. */
function withinTile({ x, y, scale }: PlacedTile, content: Fragment): Html {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  // Rounding down moved the corner by up to one pixel.
  const size = Math.ceil(scale * TILE_UNITS) + 1;
  // An inner `svg` cuts off what is outside it. Its viewBox keeps the coordinates of the picture.
  return html`<svg x="${left}" y="${top}" width="${size}" height="${size}" viewBox="${left} ${top} ${size} ${size}">${content}</svg>`;
}

/** The buildings in their colours. Above them are the picked building and the badges. */
function buildings(tiles: readonly PlacedTile[], parts: PictureParts): Fragment {
  const linkedBuildings: Html[] = [];
  const top: Html[] = [];
  /** Buildings without a link: the path data of all of a colour, by its class. */
  const unlinked = new Map<string, string>();
  for (const tile of tiles) {
    for (const feature of featuresOf(tile, 'buildings')) {
      const d = pathOf(feature, tile);
      if (d === '') continue;
      const id = String(feature.properties.building_id);
      const isPale = parts.chosen != null && !parts.chosen.has(id);
      const colour = `pic-building ${isPale ? 'other' : classOf(feature, parts.choices)}`;
      const isPicked = parts.picked === id;
      if (!isPicked && (isPale || parts.hrefOf('building', id) === null))
        unlinked.set(colour, (unlinked.get(colour) ?? '') + d);
      else {
        // The outline of the picked building is above those of its neighbours.
        const layer = isPicked ? top : linkedBuildings;
        layer.push(linked(parts, 'building', id, html`<path class="${colour}${mark(parts, id)}" d="${d}"/>`));
      }
      const sign = parts.badges?.get(id);
      if (sign !== undefined) top.push(badgeAt(feature, tile, sign));
    }
  }
  return [[...unlinked].map(([colour, d]) => html`<path class="${colour}" d="${d}"/>`), linkedBuildings, top];
}

/**
 * A shape as a link to the page of a building or a town; without a page the shape alone. A press follows the link. For
 * keys and screen readers there is the list beside the picture.
 */
function linked({ hrefOf }: PictureParts, kind: 'building' | 'town', id: unknown, shape: Html): Html {
  const href = id === undefined ? null : hrefOf(kind, String(id));
  return href === null ? shape : html`<a href="${href}" tabindex="-1">${shape}</a>`;
}

/** A badge with a letter or number in the middle of a building's corners. */
function badgeAt(feature: VectorTileFeature, tile: PlacedTile, sign: string): Html {
  const [outer = []] = feature.loadGeometry();
  const mean = (axis: 'x' | 'y'): number => outer.reduce((sum, point) => sum + point[axis], 0) / outer.length;
  const [cx, cy] = [Math.round(tile.x + mean('x') * tile.scale), Math.round(tile.y + mean('y') * tile.scale)];
  return html`<g class="badge"><circle cx="${cx}" cy="${cy}" r="${9 * UNITS}"/><text x="${cx}" y="${cy + 4.5 * UNITS}">${sign}</text></g>`;
}

/** Size of a letter, units. */
const LETTER = 13 * UNITS;
/** Lowest zoom with names of towns. Below it wards have names. */
const TOWN_NAMES_FROM = 12;

/**
 * The names of stations and towns, or of wards. A name that would cover another one is left out; the names of stations
 * are placed first.
 * @param far the tiles of a low zoom, which have the names of towns
 */
function names(
  far: readonly PlacedTile[],
  landmarks: readonly PlacedTile[],
  { view, isLatin }: PictureParts,
): Fragment {
  const labels = new Labels(view.width * UNITS, view.height * UNITS);
  const label = (feature: VectorTileFeature, tile: PlacedTile, kind: string): Fragment => {
    const { name, name_latin } = feature.properties;
    const [[point] = []] = feature.loadGeometry();
    if (point === undefined || name === undefined) return null;
    // Names of stations come without 駅 (station).
    const nameInJapanese = kind === 'stations' ? `${name}駅` : String(name);
    const text = isLatin ? String(name_latin ?? name) : nameInJapanese;
    const [x, y] = [Math.round(tile.x + point.x * tile.scale), Math.round(tile.y + point.y * tile.scale)];
    const isPlaced = labels.place([[x, y]], [textWidth(text, LETTER), 1.4 * LETTER]) !== null;
    return isPlaced ? html`<text class="pic-name ${kind}" x="${x}" y="${y}">${text}</text>` : null;
  };
  const labelsOf = (tiles: readonly PlacedTile[], layer: string): Fragment =>
    tiles.map((tile) => [...featuresOf(tile, layer)].map((feature) => label(feature, tile, layer)));
  if (view.zoom < TOWN_NAMES_FROM) return labelsOf(far, 'ward_labels');
  return [labelsOf(landmarks, 'stations'), labelsOf(far, 'town_labels')];
}
