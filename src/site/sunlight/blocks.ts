import { DEGREE_M } from '../../geo/degree.ts';
import type { PageAsk } from '../view.ts';

/** A block of a town (街区) and its position, degrees. */
export interface TownBlock {
  number: string;
  lat: number;
  lon: number;
}

/** A building farther than this from the points of all blocks is assigned to none, metres. */
const MOST_M = 100;

/** The blocks of a town; none when the dataset has no address registry. */
export const blocksOf = (
  { dataset }: PageAsk,
  { name, ward_code }: { name: string | null; ward_code: string },
): readonly TownBlock[] => (name === null ? [] : (dataset.search?.blocks(name, ward_code) ?? []));

/** The number of the block whose point is nearest to a place. The registry has points of blocks, not their edges. */
export function blockNear(blocks: readonly TownBlock[], { lat, lon }: { lat: number; lon: number }): string | null {
  const lonM = DEGREE_M * Math.cos((lat * Math.PI) / 180);
  let [nearest, least]: [string | null, number] = [null, MOST_M];
  for (const block of blocks) {
    const metres = Math.hypot((block.lat - lat) * DEGREE_M, (block.lon - lon) * lonM);
    if (metres < least) [nearest, least] = [block.number, metres];
  }
  return nearest;
}
