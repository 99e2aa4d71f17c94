import { type Casters, type ShadowVector, WALL } from './casters.ts';

/** Number of bisections of a minute for the instant at which a shadow begins or ends. */
const BISECTIONS = 8;

/**
 * Minutes of shadow at any point of the plane, by rays to the sun. Each minute is tested for a wall in between, and a
 * change is found to a quarter of a second. Use it for few points: its time grows with the number of walls.
 */
export function exactMinutes(
  { prismWalls, roofEdges }: Casters,
  from: number,
  to: number,
  shadowAt: (minute: number) => ShadowVector,
): (x: number, y: number) => number {
  const walls = Float64Array.from(prismWalls.concat(roofEdges));
  const steps = Math.ceil(to - from);
  const instants = Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
  const shadows = instants.map(shadowAt);
  return (x, y) => {
    let minutes = 0;
    let was = isShaded(walls, x, y, shadows[0]);
    for (let i = 0; i < steps; i++) {
      const is = isShaded(walls, x, y, shadows[i + 1]);
      const [start, end] = [instants[i], instants[i + 1]];
      if (was && is) minutes += end - start;
      if (was !== is) {
        const change = changeBetween(start, end, (minute) => isShaded(walls, x, y, shadowAt(minute)) === was);
        minutes += was ? change - start : end - change;
      }
      was = is;
    }
    return minutes;
  };
}

function changeBetween(start: number, end: number, isBefore: (minute: number) => boolean): number {
  let [low, high] = [start, end];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** True when the ray from a point to the sun meets a wall below its top. */
function isShaded(walls: Float64Array, x: number, y: number, { east, north }: ShadowVector): boolean {
  for (let i = 0; i < walls.length; i += WALL) {
    const [px, py] = [x - walls[i], y - walls[i + 1]];
    const [dx, dy] = [walls[i + 3] - walls[i], walls[i + 4] - walls[i + 1]];
    const cross = east * dy - north * dx;
    // Position on the wall where the ray meets it, and the ray's height above the plane there.
    const along = (py * east - px * north) / cross;
    const height = (px * dy - py * dx) / cross;
    if (along >= 0 && along <= 1 && height >= 0 && height <= walls[i + 2] + along * (walls[i + 5] - walls[i + 2]))
      return true;
  }
  return false;
}
