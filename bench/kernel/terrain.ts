import { encodeTerrain } from '../../src/city/terrain-file.ts';
import { nearFacets, nearGround } from '../../src/terrain/near.ts';
import { amongHills, HILLS, hills, OKAYAMA } from '../../test/kernel/hills.ts';
import { sharedData } from '../../test/support/shared-data.ts';
import { farRows, houses, MINATO, meshRow, minato, minatoTown, raysRow } from './ground.ts';

/** Number of houses among the hills to compute and to check with rays. */
const HOUSES = 60;
/** Number of houses among the hills to compute on two meshes. */
const SPREAD = 400;

/**
 * Compares the kernel with one ray per minute, the near mesh with its grid, and the far list with all far triangles.
 * Prints the size of the ground on disk.
 */
export async function terrain(): Promise<void> {
  const path = sharedData(OKAYAMA);
  if (path === null) return;
  const elevation = hills(path);
  console.log('\nTerrain: houses among the hills of Okayama, one ray a minute on the same triangles');
  console.log(`  ${amongHills(elevation, HILLS, HOUSES)}`);
  const heights = nearGround(HILLS, elevation);
  if (heights === null) return;
  const facets = nearFacets(HILLS, heights);
  const { length } = encodeTerrain(facets);
  const triangles = facets.hidden.length;
  console.log(
    `  a grid square: ${triangles} triangles, ${length} bytes, ${(length / triangles).toFixed(1)} a triangle`,
  );
  const spread = houses(HILLS, elevation, SPREAD);
  const rows = [raysRow('Okayama', HILLS, elevation, spread), meshRow('Okayama', HILLS, elevation, spread)];
  const plain = await minato();
  if (plain !== null) {
    const town = await minatoTown(plain);
    rows.push(raysRow('Minato', MINATO, plain, town), meshRow('Minato', MINATO, plain, town));
  }
  console.table([...rows, ...farRows()]);
}
