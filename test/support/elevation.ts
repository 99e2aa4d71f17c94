import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box } from '../../src/geo/grid-square.ts';

const SIDE = 256;

/** Writes elevation tiles in text, as 国土地理院 publishes them, over a box: the height of each cell at its centre. */
export async function writeTiles(
  folder: string,
  z: number,
  { south, west, north, east }: Box,
  heightAt: (lat: number, lon: number) => number,
): Promise<void> {
  const [left, right] = [west, east].map((lon) => Math.floor(((lon + 180) / 360) * 2 ** z));
  const [top, bottom] = [north, south].map((lat) => Math.floor(rowOf(lat) * 2 ** z));
  for (let x = left!; x <= right!; x++) {
    await mkdir(join(folder, String(z), String(x)), { recursive: true });
    for (let y = top!; y <= bottom!; y++) {
      const rows = Array.from({ length: SIDE }, (_, row) => {
        const lat = latitudeOf((y + (row + 0.5) / SIDE) / 2 ** z);
        return Array.from({ length: SIDE }, (_, column) => {
          const lon = ((x + (column + 0.5) / SIDE) / 2 ** z) * 360 - 180;
          const height = heightAt(lat, lon);
          return Number.isNaN(height) ? 'e' : height.toFixed(2);
        }).join(',');
      });
      await writeFile(join(folder, String(z), String(x), `${y}.txt`), `${rows.join('\n')}\n`);
    }
  }
}

/** Share of the way from the north of Web Mercator to its south. */
const rowOf = (lat: number): number => (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
const latitudeOf = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI;
