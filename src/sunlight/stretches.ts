import { FIRST_AZIMUTH, LAST_AZIMUTH, placeOfAzimuth } from './image-planes.ts';

/** Places among the bins of all that the planes span: the one stretch of an eye without a wall. */
export const wholeStretch = (planeBins: number): number[] => [
  placeOfAzimuth(FIRST_AZIMUTH, planeBins),
  placeOfAzimuth(LAST_AZIMUTH, planeBins),
];

/**
 * The stretches of the planes that lie in front of a wall with the outward normal `azimuth` (degrees from grid north,
 * any turn): [from, to, …], places among the bins in the order of the sun; one stretch or two.
 */
export function stretchesBefore(azimuth: number, planeBins: number): number[] {
  const normal = ((azimuth % 360) + 360) % 360;
  const stretches: number[] = [];
  for (let turn = -360; turn <= 360; turn += 360) {
    const from = Math.max(FIRST_AZIMUTH, normal + turn - 90);
    const to = Math.min(LAST_AZIMUTH, normal + turn + 90);
    if (from < to) stretches.push(placeOfAzimuth(from, planeBins), placeOfAzimuth(to, planeBins));
  }
  return stretches;
}
