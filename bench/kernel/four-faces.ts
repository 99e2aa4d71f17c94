import type { Receptors } from '../../src/sunlight/receptors.ts';

/**
 * Keeps the middle column on each of the building's four longest faces (fewer when it has fewer). This matches the
 * first budget of the design, so that kernels with different receptor rules can be compared.
 */
export function keepFourColumns(receptors: Receptors): void {
  const { wallLengthM, faceStart } = receptors;
  const faces = [...wallLengthM.keys()].filter((face) => wallLengthM[face] > 0);
  const kept = new Set(faces.sort((a, b) => wallLengthM[b] - wallLengthM[a] || a - b).slice(0, 4));
  let count = 0;
  let from = faceStart[0];
  for (let face = 0; face < wallLengthM.length; face++) {
    const to = faceStart[face + 1];
    faceStart[face] = count;
    if (kept.has(face)) {
      const middle = (from + to) >> 1;
      for (const values of [
        receptors.x,
        receptors.y,
        receptors.normalX,
        receptors.normalY,
        receptors.edge,
        receptors.face,
      ]) {
        values[count] = values[middle];
      }
      count++;
    } else wallLengthM[face] = 0;
    from = to;
  }
  faceStart[wallLengthM.length] = count;
  receptors.count = count;
}
