import geodesic from 'geographiclib-geodesic';

/** A point on the ellipsoid. */
export interface LatLon {
  /** Degrees. */
  lat: number;
  lon: number;
}

/** The ellipsoid of JGD2011: GRS80. */
const GRS80 = new geodesic.Geodesic.Geodesic(6378137, 1 / 298.257222101);

/** Length of the shortest line between two points on the ellipsoid, metres (Karney 2013; better than a micrometre). */
export function geodesicMetres(a: LatLon, b: LatLon): number {
  return GRS80.Inverse(a.lat, a.lon, b.lat, b.lon, geodesic.Geodesic.DISTANCE).s12!;
}
