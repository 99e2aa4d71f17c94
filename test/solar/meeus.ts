/**
 * The sun's place by the low-accuracy method of J. Meeus, Astronomical Algorithms (2nd ed.), chapters 12, 13 and 25
 * (good to 0.01°), and the refraction of G. Bennett (1982), chapter 16. Shares nothing with the code under test.
 */
const RAD = Math.PI / 180;

/** Altitude without refraction and azimuth from north, degrees, at an instant given in milliseconds of UTC. */
export function meeusSun(utc: number, lat: number, lon: number): { altitude: number; azimuth: number } {
  const ut = utc / 86_400_000 + 2440587.5;
  // Dynamical time runs about 69 s ahead of UTC in these years.
  const t = (ut + 69 / 86400 - 2451545) / 36525;
  const meanLongitude = 280.46646 + 36000.76983 * t + 0.0003032 * t * t;
  const anomaly = (357.52911 + 35999.05029 * t - 0.0001537 * t * t) * RAD;
  const centre =
    (1.914602 - 0.004817 * t - 0.000014 * t * t) * Math.sin(anomaly) +
    (0.019993 - 0.000101 * t) * Math.sin(2 * anomaly) +
    0.000289 * Math.sin(3 * anomaly);
  const node = (125.04 - 1934.136 * t) * RAD;
  const longitude = (meanLongitude + centre - 0.00569 - 0.00478 * Math.sin(node)) * RAD;
  const obliquity = (23.4392911 - 0.0130042 * t + 0.00256 * Math.cos(node)) * RAD;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(longitude));
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude));
  const u = (ut - 2451545) / 36525;
  const sidereal = 280.46061837 + 360.98564736629 * (ut - 2451545) + 0.000387933 * u * u;
  const hour = (sidereal + lon) * RAD - ascension;
  const phi = lat * RAD;
  const altitude = Math.asin(
    Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(hour),
  );
  const fromSouth = Math.atan2(Math.sin(hour), Math.cos(hour) * Math.sin(phi) - Math.tan(declination) * Math.cos(phi));
  return { altitude: altitude / RAD, azimuth: fromSouth / RAD + 180 };
}

/** Degrees by which the air lifts what is seen at this altitude (degrees). */
export const bennettRefraction = (apparent: number): number =>
  1 / Math.tan((apparent + 7.31 / (apparent + 4.4)) * RAD) / 60;
