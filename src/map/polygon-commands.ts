import { PbfWriter } from 'pbf';

/** Commands of a vector tile's geometry (Mapbox Vector Tile 2.1, 4.3). */
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;

const command = (id: number, count: number): number => (id & 7) | (count << 3);
const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

/**
 * The geometry of polygons as the packed numbers of a feature. Rings are `[x, y, …]`, open, in whole units from the
 * tile's corner, the first of each polygon its outer one; they are turned as the format wants it. A ring without area
 * goes; of an outer one that has none a triangle of one unit stays, so that no building is lost.
 */
export function polygonCommands(polygons: readonly (readonly number[][])[]): Uint8Array {
  const out = new PbfWriter();
  let [x, y] = [0, 0];
  const write = (ring: readonly number[]): void => {
    const points = ring.length / 2;
    for (let i = 0; i < points; i++) {
      if (i === 0) out.writeVarint(command(MOVE_TO, 1));
      if (i === 1) out.writeVarint(command(LINE_TO, points - 1));
      out.writeVarint(zigzag(ring[2 * i] - x));
      out.writeVarint(zigzag(ring[2 * i + 1] - y));
      [x, y] = [ring[2 * i], ring[2 * i + 1]];
    }
    out.writeVarint(command(CLOSE_PATH, 1));
  };
  for (const [outer, ...holes] of polygons) {
    if (outer === undefined || outer.length === 0) continue;
    const area = doubleArea(outer);
    if (area === 0) write([outer[0], outer[1], outer[0] + 1, outer[1], outer[0], outer[1] + 1]);
    else write(area > 0 ? outer : turned(outer));
    if (area === 0) continue;
    for (const hole of holes) {
      const inside = doubleArea(hole);
      if (inside !== 0) write(inside < 0 ? hole : turned(hole));
    }
  }
  return out.finish();
}

/** Twice the area; positive where the ring is clockwise as drawn (y to the south). */
function doubleArea(ring: readonly number[]): number {
  let sum = 0;
  const [ox, oy] = [ring[0], ring[1]];
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i] - ox) * (ring[i + 3] - oy) - (ring[i + 2] - ox) * (ring[i + 1] - oy);
  }
  return sum;
}

function turned(ring: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i], ring[i + 1]);
  return out;
}
