import { encodeTerrain } from '../../src/city/terrain-file.ts';
import { nearFacets, nearHeights } from '../../src/terrain/near.ts';
import { amongHills, HILLS, hills, OKAYAMA } from '../../test/kernel/hills.ts';
import { sharedData } from '../../test/support/shared-data.ts';

/** Houses among the hills that are computed and cast. */
const HOUSES = 60;

/** Compares the kernel with a ray a minute among hills, on the same triangles, and tells what the ground takes on disk. */
export async function terrain(): Promise<void> {
  const path = sharedData(OKAYAMA);
  if (path === null) return;
  const elevation = hills(path);
  console.log('\nTerrain: houses among the hills of Okayama, one ray a minute on the same triangles');
  console.log(`  ${amongHills(elevation, HILLS, HOUSES)}`);
  const heights = nearHeights(HILLS, elevation);
  if (heights === null) return;
  const facets = nearFacets(HILLS, heights);
  const { length } = encodeTerrain(facets);
  const triangles = facets.hidden.length;
  console.log(
    `  a grid square: ${triangles} triangles, ${length} bytes, ${(length / triangles).toFixed(1)} a triangle`,
  );
}
