/** The height of a doubtful solid exceeds this many times the square root of its footprint. */
const SLENDER = 8;
/** From this height on a smaller ratio is doubtful, metres: inhabited towers have a larger footprint. */
const VERY_HIGH_M = 250;
/** The ratio that is doubtful from this height on. Tokyo Tower (333 m) has 4.8. */
const SLENDER_AND_VERY_HIGH = 4.5;

/** True when a solid is probably not the shape of the real building: a mast, a lattice, a chimney. */
export function isDoubtfulShape(heightM: number, footprintM2: number): boolean {
  const slenderness = heightM / Math.sqrt(footprintM2);
  return slenderness > SLENDER || (heightM >= VERY_HIGH_M && slenderness > SLENDER_AND_VERY_HIGH);
}
