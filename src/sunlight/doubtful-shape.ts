/** A solid is higher than this many times the square root of its footprint: */
const SLENDER = 8;
/** no building of Japan that people live or work in; very high ones stand on more, */
const VERY_HIGH_M = 250;
/** but Tokyo Tower (333 m, 4.8) does not. */
const SLENDER_AND_VERY_HIGH = 4.5;

/** Whether the solid of a building can hardly be what stands there: a mast, a lattice, a chimney. */
export function isDoubtfulShape(heightM: number, footprintM2: number): boolean {
  const slenderness = heightM / Math.sqrt(footprintM2);
  return slenderness > SLENDER || (heightM >= VERY_HIGH_M && slenderness > SLENDER_AND_VERY_HIGH);
}
