import { pointInRing, representativePoint, signedArea } from '../geo/polygon.ts';
import { type RepairKind, simpleRings } from './simple-rings.ts';

/** What was changed or left out of a footprint. */
export interface Repair {
  kind: RepairKind;
  /** Number of the ring in its footprint; 0 is the outer one. */
  ring: number;
  /** Points concerned, or rings for `self_crossing` (made), `no_area` and `hole_outside` (left out). */
  count: number;
}

interface CleanRing {
  /** `[x, y, …]`, open, from the published start. Outer rings counter-clockwise, holes clockwise. */
  xy: number[];
  /** Does it run against the published direction? */
  reversed: boolean;
}

/** A prism's floor plan: outer ring, then holes. */
export type CleanPrism = CleanRing[];

/*
 * Footprints as published hold repeated points, spikes, crossing rings and worse. Here they become rings that the
 * rest may trust: at least three points, every edge longer than a millimetre, no crossing, area, and the outside
 * on the right hand. What was changed or left out is handed back as a value; nothing throws.
 */

/**
 * One footprint (plane metres; outer ring, then holes) → the prisms it stands for, usually one; several where the
 * outer ring crosses itself, none where it has no area.
 */
export function repairFootprint(rings: readonly number[][]): { prisms: CleanPrism[]; repairs: Repair[] } {
  const repairs: Repair[] = [];
  const prisms: CleanPrism[] = [];
  const holes: { xy: number[]; ring: number }[] = [];
  for (let ring = 0; ring < rings.length; ring++) {
    const loops = simpleRings(rings[ring], (kind, count) => repairs.push({ kind, ring, count }));
    const [main, ...others] = loops.sort((a, b) => Math.abs(signedArea(b)) - Math.abs(signedArea(a)));
    if (!main) {
      if (ring === 0) return { prisms, repairs };
      continue;
    }
    if (ring === 0) prisms.push([oriented(main, true)]);
    else holes.push({ xy: main, ring });
    for (const loop of others) {
      const [x, y] = representativePoint([[loop]]);
      if (!pointInRing(x, y, main)) {
        if (ring === 0) prisms.push([oriented(loop, true)]);
        else holes.push({ xy: loop, ring });
      } else if (ring === 0 && signedArea(loop) > 0 !== signedArea(main) > 0) holes.push({ xy: loop, ring });
      // A loop inside the main one that turns the same way covers what is covered already.
    }
  }
  for (const { xy, ring } of holes) {
    const [x, y] = representativePoint([[xy]]);
    const owner = prisms.find(([outer]) => pointInRing(x, y, outer.xy));
    if (owner) owner.push(oriented(xy, false));
    else repairs.push({ kind: 'hole_outside', ring, count: 1 });
  }
  return { prisms, repairs };
}

/** Turns a ring about its first point where it runs the wrong way. */
function oriented(xy: number[], counterClockwise: boolean): CleanRing {
  if (signedArea(xy) > 0 === counterClockwise) return { xy, reversed: false };
  const turned = [xy[0], xy[1]];
  for (let i = xy.length - 2; i > 0; i -= 2) turned.push(xy[i], xy[i + 1]);
  return { xy: turned, reversed: true };
}
