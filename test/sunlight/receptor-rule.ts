import { signedArea } from '../../src/geo/polygon.ts';

/**
 * The rule as an outsider reads it, from the published rings in the plane: take each ring as it is written, from its first
 * point; put the walls of a face end to end; a receptor before the centre of each of n equal pieces.
 */
export function byTheRule(footprints: number[][][], convergence: number): { face: number; x: number; y: number }[] {
  const walls: { face: number; ax: number; ay: number; ux: number; uy: number; out: number; length: number }[] = [];
  for (const rings of footprints) {
    rings.forEach((ring, index) => {
      // Which hand is outside? The right one, if the outer ring turns left (or a hole turns right).
      const out = signedArea(ring) > 0 === (index === 0) ? 1 : -1;
      for (let i = 0; i < ring.length; i += 2) {
        const j = (i + 2) % ring.length;
        const [dx, dy] = [ring[j]! - ring[i]!, ring[j + 1]! - ring[i + 1]!];
        const length = Math.hypot(dx, dy);
        const azimuth = (Math.atan2(out * dy, -out * dx) * 180) / Math.PI + convergence;
        const face = Math.round((azimuth + 720) / 45) % 8;
        walls.push({ face, ax: ring[i]!, ay: ring[i + 1]!, ux: dx / length, uy: dy / length, out, length });
      }
    });
  }
  const found: { face: number; x: number; y: number }[] = [];
  for (let face = 0; face < 8; face++) {
    const own = walls.filter((wall) => wall.face === face);
    const total = own.reduce((sum, { length }) => sum + length, 0);
    const pieces = Math.min(8, Math.max(1, Math.ceil(total / 5)));
    for (let i = 0; i < pieces && own.length > 0; i++) {
      let along = ((i + 0.5) * total) / pieces;
      let at = 0;
      while (along > own[at]!.length && at < own.length - 1) along -= own[at++]!.length;
      const { ax, ay, ux, uy, out } = own[at]!;
      found.push({ face, x: ax + ux * along + out * uy * 0.05, y: ay + uy * along - out * ux * 0.05 });
    }
  }
  return found;
}
