/** @import { MapSettings } from './types.js' */

/** Pixels of a tile in MapLibre. */
export const TILE_PIXELS = 512;
/** The zooms of tiles of towns and of buildings. */
const ZOOMS = [
  { least: 8, most: 13 },
  { least: 14, most: 15 },
];

/** Metres in a degree at the equator, 1/360 of `EQUATOR_M` of `src/geo/web-tile.ts`: scripts cannot import that file. */
export const METRES_PER_DEGREE = 111_320;

/** Position on the Mercator world, 0 to 1 from west to east. @param {number} lon */
export const worldX = (lon) => lon / 360 + 0.5;

/** Position on the Mercator world, 0 to 1 from north to south. @param {number} lat */
export function worldY(lat) {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The longitude of a position on the Mercator world, degrees. @param {number} x */
export const lonAt = (x) => 360 * (x - 0.5);

/** The latitude of a position on the Mercator world, degrees. @param {number} y */
export const latAt = (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/**
 * The addresses of the tiles of a zoom that meet a box of the Mercator world.
 * @param {string} template with `{z}`, `{x}` and `{y}`
 * @param {number} z
 * @param {{ west: number, north: number, east: number, south: number }} box
 */
export function tilesIn(template, z, { west, north, east, south }) {
  const side = 2 ** z;
  /** @type {string[]} */
  const addresses = [];
  for (let y = Math.floor(north * side); y < south * side; y++) {
    for (let x = Math.floor(west * side); x < east * side; x++) {
      addresses.push(template.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`));
    }
  }
  return addresses;
}

/** The zooms of the map. */
export const VIEW_ZOOMS = { least: 8, most: 19 };

/**
 * The view in the hash of the address, at a zoom of the map; null where there is none, or no place on earth.
 * @param {string} hash
 */
export function hashView(hash) {
  const [, ...texts] = /^#([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)/.exec(hash) ?? [];
  const [zoom = Number.NaN, lat = Number.NaN, lon = Number.NaN] = texts.map(Number);
  if (!(zoom >= 0 && Math.abs(lat) < 90 && Math.abs(lon) <= 180)) return null;
  return { zoom: Math.min(VIEW_ZOOMS.most, Math.max(VIEW_ZOOMS.least, zoom)), lat, lon };
}

/**
 * The addresses of the tiles that the first view of the map needs.
 * @param {Pick<MapSettings, 'tiles' | 'view'>} settings
 * @param {boolean} isPhone
 * @param {{ clientWidth: number, clientHeight: number }} area
 */
export function firstTiles({ tiles, view }, isPhone, { clientWidth, clientHeight }) {
  const { zoom, lat, lon } = hashView(location.hash) ?? { ...view, zoom: isPhone ? view.phoneZoom : view.zoom };
  const [x, y] = [worldX(lon), worldY(lat)];
  // Half of the view, in the world.
  const [across, down] = [clientWidth, clientHeight].map((pixels) => pixels / 2 / (TILE_PIXELS * 2 ** zoom));
  const box = { west: x - across, east: x + across, north: y - down, south: y + down };
  return ZOOMS.filter(({ least }) => zoom >= least).flatMap(({ most }) =>
    tilesIn(tiles, Math.min(most, Math.floor(zoom)), box),
  );
}
