/** A box in whole units, edges included. */
interface UnitBox {
  west: number;
  north: number;
  east: number;
  south: number;
}

/** The part of a ring `[x, y, …]` (open) inside a box: cut at one side after the other. Empty where nothing is inside. */
export function clipRing(ring: readonly number[], { west, north, east, south }: UnitBox): number[] {
  let out = cut(ring, 0, west, 1);
  out = cut(out, 0, east, -1);
  out = cut(out, 1, north, 1);
  out = cut(out, 1, south, -1);
  return out.length < 6 ? [] : out;
}

/** What of the ring lies beyond `limit` on one axis, towards `sign`. */
function cut(ring: readonly number[], axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    const [here, there] = [sign * (ring[i + axis] - limit), sign * (ring[next + axis] - limit)];
    if (here >= 0) out.push(ring[i], ring[i + 1]);
    if (here < 0 === there < 0) continue;
    const share = here / (here - there);
    const other = 1 - axis;
    const crossing = Math.round(ring[i + other] + share * (ring[next + other] - ring[i + other]));
    out.push(...(axis === 0 ? [limit, crossing] : [crossing, limit]));
  }
  return out;
}
