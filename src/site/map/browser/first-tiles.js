/** @import { MapSettings } from './types.js' */

/** Pixels of a tile in MapLibre. */
const TILE_PIXELS = 512;
/** The zooms of tiles of towns and of buildings. */
const [TOWNS, BUILDINGS] = [
  { least: 8, most: 13 },
  { least: 14, most: 15 },
];

/**
 * The addresses of the tiles that the first view of the map needs.
 * @param {Pick<MapSettings, 'tiles' | 'view'>} settings
 * @param {string} hash of the address: zoom, latitude and longitude where it has them
 * @param {number} width pixels
 * @param {number} height
 */
export function firstTiles({ tiles, view }, hash, width, height) {
  const [, asked, askedLat, askedLon] = /^#([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)/.exec(hash) ?? [];
  const first = matchMedia('(max-width: 48rem)').matches ? view.phoneZoom : view.zoom;
  const [zoom, lat, lon] = [Number(asked ?? first), Number(askedLat ?? view.lat), Number(askedLon ?? view.lon)];
  const sine = Math.sin((lat * Math.PI) / 180);
  const [x, y] = [lon / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
  /** @type {string[]} */
  const addresses = [];
  for (const { least, most } of [TOWNS, BUILDINGS]) {
    if (zoom < least) continue;
    const z = Math.min(most, Math.floor(zoom));
    const side = 2 ** z;
    // Half of the view, in tiles.
    const [halfWidth, halfHeight] = [width, height].map((pixels) => pixels / 2 / (TILE_PIXELS * 2 ** (zoom - z)));
    for (let row = Math.floor(y * side - (halfHeight ?? 0)); row < y * side + (halfHeight ?? 0); row++) {
      for (let column = Math.floor(x * side - (halfWidth ?? 0)); column < x * side + (halfWidth ?? 0); column++) {
        addresses.push(tiles.replace('{z}', `${z}`).replace('{x}', `${column}`).replace('{y}', `${row}`));
      }
    }
  }
  return addresses;
}
