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

/** Lowest zoom of the tiles of buildings, and the highest zooms of towns and of buildings. */
const BUILDINGS_FROM = 14;
const TOWN_TILES = { least: 8, most: 13 } as const;
const MOST_TILE_ZOOM = 15;
/** Pixels of a tile on the map. */
const TILE_PIXELS = 512;
/** Units of a tile along its edge. */
const TILE_UNITS = 4096;
/** Units of the drawing in a pixel: whole numbers keep coordinates short. */
const UNITS = 4;

/**
 * The map drawn by the server, from the tiles of the browser's map. It is used until the browser's map is ready, for
 * print, and without scripts.
 */
export function mapPicture(parts: PictureParts): Html {
  const { width, height } = parts.view;
  const [w, h] = [width * UNITS, height * UNITS];
  const isNear = parts.view.zoom >= (parts.buildingsFrom ?? BUILDINGS_FROM);
  const far = tilesOf(parts, Math.max(TOWN_TILES.least, Math.min(TOWN_TILES.most, Math.floor(parts.view.zoom))));
  const near = isNear ? tilesOf(parts, Math.min(MOST_TILE_ZOOM, Math.floor(parts.view.zoom))) : [];
  const landmarks = isNear ? near : far;
  // Far away towns are areas below the roads. Near, they are outlines below the buildings.
  const townLines = (tile: PlacedTile): Html =>
    withinTile(tile, [shapes([tile], 'towns', 'pic-town-line'), pickedTown(tile, parts)]);
  return html`<svg class="map-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${width}" height="${height}" aria-hidden="true">
<rect class="pic-ground" width="${w}" height="${h}"/>
${shapes(landmarks, 'parks', 'pic-park')}${shapes(landmarks, 'water', 'pic-water')}${isNear ? null : towns(far, parts)}
${shapes(landmarks, 'roads', 'pic-road')}${shapes(landmarks, 'rails', 'pic-rail')}
${isNear ? [far.map(townLines), buildings(near, parts)] : null}${names(far, landmarks, parts)}</svg>`;
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
  /** Points nearer than this to the previous one are left out, units. */
  least: number;
}

/** Corners of buildings stay. Edges of towns are smooth enough without these points. */
const LEAST = { buildings: 1, towns: 10 } as const;

/** The tiles of a zoom that the view touches. */
function tilesOf({ map, view }: PictureParts, z: number): PlacedTile[] {
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
        least: z < BUILDINGS_FROM ? LEAST.towns : LEAST.buildings,
      });
    }
  }
  return placed;
}

function* featuresOf({ layers }: PlacedTile, name: string): Generator<VectorTileFeature> {
  const layer = layers[name];
  for (let i = 0; i < (layer?.length ?? 0); i++) if (layer) yield layer.feature(i);
}

/** The outline of a feature as a path in whole units; empty outside the drawing. */
function pathOf(feature: VectorTileFeature, tile: PlacedTile): string {
  const isArea = feature.type === 3;
  let d = '';
  let [isLeft, isRight, isAbove, isBelow] = [true, true, true, true];
  for (const ring of feature.loadGeometry()) {
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (const [i, point] of ring.entries()) {
      const x = Math.round(tile.x + point.x * tile.scale);
      const y = Math.round(tile.y + point.y * tile.scale);
      if (x > 0) isLeft = false;
      if (x < tile.width) isRight = false;
      if (y > 0) isAbove = false;
      if (y < tile.height) isBelow = false;
      // The first point is always drawn: a comparison with NaN is false.
      if (Math.abs(x - lastX) + Math.abs(y - lastY) < tile.least) continue;
      // `z` closes a ring, so its repeated first point is not needed.
      if (isArea && i === ring.length - 1) continue;
      d += Number.isNaN(lastX) ? `M${x} ${y}l` : `${spaced(x - lastX, d)}${spaced(y - lastY, ' ')}`;
      [lastX, lastY] = [x, y];
    }
    if (isArea) d += 'z';
  }
  return isLeft || isRight || isAbove || isBelow ? '' : d;
}

/** A number of a path, after the text `before`. It needs no blank after a letter or before a minus sign. */
const spaced = (value: number, before: string): string =>
  value < 0 || before.endsWith('l') ? `${value}` : ` ${value}`;

/** All features of a layer, in one path. */
function shapes(tiles: readonly PlacedTile[], layer: string, className: string): Fragment {
  const areas = { 1: '', 2: '', 3: '' };
  for (const tile of tiles) {
    // Squares, which stand for unknown towns, are no places: they have colours, no outlines.
    const features = featuresOf(tile, layer).filter(({ properties }) => layer !== 'towns' || 'town_code' in properties);
    for (const feature of features) areas[feature.type as 1 | 2 | 3] += pathOf(feature, tile);
  }
  const path = (d: string, kind: string): Fragment =>
    d === '' ? null : html`<path class="${className} ${kind}" d="${d}"/>`;
  return [path(areas[3], 'area'), path(areas[2], 'line')];
}

/** The class of the whole hours by which the browser's map colours a feature. */
function classOf({ properties }: VectorTileFeature, choices: MapChoices): string {
  const hours = colouredBy(properties, choices).map((one) => one.hours);
  return hours.length === 0 ? 'unknown' : `h${hoursClass(Math.max(...hours))}`;
}

/** Towns in the colours of their means. Each tile shows its own part, without the edges at which it is cut. */
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

const mark = ({ picked }: PictureParts, id: unknown): string => (picked != null && picked === id ? ' picked' : '');

/** Means of fewer buildings are pale. */
const FEW = 20;

function withinTile({ x, y, scale }: PlacedTile, content: Fragment): Html {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const size = Math.ceil(scale * TILE_UNITS) + 1;
  return html`<svg x="${left}" y="${top}" width="${size}" height="${size}" viewBox="${left} ${top} ${size} ${size}">${content}</svg>`;
}

function buildings(tiles: readonly PlacedTile[], parts: PictureParts): Fragment {
  const drawn: Html[] = [];
  const signs: Html[] = [];
  /** Buildings without a link: one path for each colour. */
  const alike = new Map<string, string>();
  for (const tile of tiles) {
    for (const feature of featuresOf(tile, 'buildings')) {
      const d = pathOf(feature, tile);
      if (d === '') continue;
      const id = String(feature.properties.building_id);
      const isPale = parts.chosen != null && !parts.chosen.has(id);
      const colour = `pic-building ${isPale ? 'other' : classOf(feature, parts.choices)}`;
      if (isPale || parts.hrefOf('building', id) === null) alike.set(colour, (alike.get(colour) ?? '') + d);
      else {
        // The outline of the picked building is above those of its neighbours.
        const layer = parts.picked === id ? signs : drawn;
        layer.push(linked(parts, 'building', id, html`<path class="${colour}${mark(parts, id)}" d="${d}"/>`));
      }
      const sign = parts.badges?.get(id);
      if (sign !== undefined) signs.push(badgeAt(feature, tile, sign));
    }
  }
  return [[...alike].map(([colour, d]) => html`<path class="${colour}" d="${d}"/>`), drawn, signs];
}

/** A press follows the link. For keys and screen readers there is the list beside the picture. */
function linked({ hrefOf }: PictureParts, kind: 'building' | 'town', id: unknown, shape: Html): Html {
  const href = id === undefined ? null : hrefOf(kind, String(id));
  return href === null ? shape : html`<a href="${href}" tabindex="-1">${shape}</a>`;
}

function badgeAt(feature: VectorTileFeature, tile: PlacedTile, sign: string): Html {
  const [outer = []] = feature.loadGeometry();
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    outer.reduce((sum, point) => sum + of(point), 0) / outer.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)].map((value) => value * tile.scale);
  const [cx, cy] = [Math.round(tile.x + (x ?? 0)), Math.round(tile.y + (y ?? 0))];
  return html`<g class="badge"><circle cx="${cx}" cy="${cy}" r="${9 * UNITS}"/><text x="${cx}" y="${cy + 4.5 * UNITS}">${sign}</text></g>`;
}

/** Size of a letter, units. */
const LETTER = 13 * UNITS;

/** Names of stations and towns that do not cover each other. */
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
    const text = isLatin ? String(name_latin ?? name) : kind === 'stations' ? `${name}駅` : String(name);
    const [x, y] = [Math.round(tile.x + point.x * tile.scale), Math.round(tile.y + point.y * tile.scale)];
    const isPlaced = labels.place([[x, y]], [textWidth(text, LETTER), 1.4 * LETTER]) !== null;
    return isPlaced ? html`<text class="pic-name ${kind}" x="${x}" y="${y}">${text}</text>` : null;
  };
  return (view.zoom < 12 ? [] : ['stations', 'town_labels']).map((layer) =>
    (layer === 'stations' ? landmarks : far).map((tile) =>
      [...featuresOf(tile, layer)].map((feature) => label(feature, tile, layer)),
    ),
  );
}
