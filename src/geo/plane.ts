import { type LatLon, RADIANS } from './degree.ts';
import { planeOrigin } from './zones.ts';

/**
 * The plane rectangular coordinates of Japan (平面直角座標系, JGD2011): a Gauss–Krüger projection for each zone. Formulas: K.
 * Kawase, "A General Formula for Calculating Meridian Arc Length and its Application to Coordinate Conversion in the
 * Gauss–Krüger Projection", Bulletin of the GSI 59 (2011). Series to n⁵ (inverse: n⁶): below 0.1 mm anywhere in a zone.
 * Variables have the names of that paper: phi is the latitude, chi the conformal latitude, and xi and eta are north and
 * east on the sphere.
 * Here x is metres **east** and y metres **north**; the authority names them the other way round.
 */
export interface Plane {
  zone: number;
  /** Central meridian, radians. */
  lon0: number;
  /** Meridian arc from the equator to the origin's latitude, scaled, metres. */
  arc0: number;
}

/** The ellipsoid GRS80: semi-major axis, metres, and flattening. */
const A = 6378137;
const INVERSE_FLATTENING = 298.257222101;
/** Scale on the central meridian (平成14年国土交通省告示第9号). */
const M0 = 0.9999;

const n = 1 / (2 * INVERSE_FLATTENING - 1);
const [n2, n3, n4, n5, n6] = [n ** 2, n ** 3, n ** 4, n ** 5, n ** 6];

/** Ellipsoidal → spherical transverse Mercator, α of Kawase (2011). */
const ALPHA = [
  n / 2 - (2 / 3) * n2 + (5 / 16) * n3 + (41 / 180) * n4 - (127 / 288) * n5,
  (13 / 48) * n2 - (3 / 5) * n3 + (557 / 1440) * n4 + (281 / 630) * n5,
  (61 / 240) * n3 - (103 / 140) * n4 + (15061 / 26880) * n5,
  (49561 / 161280) * n4 - (179 / 168) * n5,
  (34729 / 80640) * n5,
] as const;
/** The inverse, β. */
const BETA = [
  n / 2 - (2 / 3) * n2 + (37 / 96) * n3 - n4 / 360 - (81 / 512) * n5,
  n2 / 48 + n3 / 15 - (437 / 1440) * n4 + (46 / 105) * n5,
  (17 / 480) * n3 - (37 / 840) * n4 - (209 / 4480) * n5,
  (4397 / 161280) * n4 - (11 / 504) * n5,
  (4583 / 161280) * n5,
] as const;
/** Conformal → geodetic latitude, δ. */
const DELTA = [
  2 * n - (2 / 3) * n2 - 2 * n3 + (116 / 45) * n4 + (26 / 45) * n5 - (2854 / 675) * n6,
  (7 / 3) * n2 - (8 / 5) * n3 - (227 / 45) * n4 + (2704 / 315) * n5 + (2323 / 945) * n6,
  (56 / 15) * n3 - (136 / 35) * n4 - (1262 / 105) * n5 + (73814 / 2835) * n6,
  (4279 / 630) * n4 - (332 / 35) * n5 - (399572 / 14175) * n6,
  (4174 / 315) * n5 - (144838 / 6237) * n6,
  (601676 / 22275) * n6,
] as const;
/** The length of the meridian from the equator to the latitude φ: coefficients of φ, sin 2φ, sin 4φ … */
const ARC = [
  1 + n2 / 4 + n4 / 64,
  (-3 / 2) * (n - n3 / 8 - n5 / 64),
  (15 / 16) * (n2 - n4 / 4),
  (-35 / 48) * (n3 - (5 / 16) * n5),
  (315 / 512) * n4,
  (-693 / 1280) * n5,
] as const;

/** Metres in a length of ARC. */
const UNIT = (M0 * A) / (1 + n);
/** Scaled radius of the rectifying sphere, metres. */
const RADIUS = UNIT * ARC[0];
/** First eccentricity of the ellipsoid, and its square. */
const ECCENTRICITY = (2 * Math.sqrt(n)) / (1 + n);
const F = 1 / INVERSE_FLATTENING;
const E2 = F * (2 - F);

/**
 * The projection of one zone (1–19).
 * @throws RangeError for any other number
 */
export function planeOf(zone: number): Plane {
  const origin = planeOrigin(zone);
  const phi0 = origin.lat * RADIANS;
  // The length of the meridian from the equator to the origin, in UNITs.
  let arc = ARC[0] * phi0;
  for (let j = 1; j < ARC.length; j++) arc += ARC[j] * Math.sin(2 * j * phi0);
  return { zone, lon0: origin.lon * RADIANS, arc0: UNIT * arc };
}

/** tan of the conformal latitude. */
const conformalTangent = (phi: number): number => {
  const s = Math.sin(phi);
  return Math.sinh(Math.atanh(s) - ECCENTRICITY * Math.atanh(ECCENTRICITY * s));
};

/**
 * Degrees → metres east and north of the zone's origin, written to `out[at]`, `out[at + 1]`. The Gauss–Krüger
 * projection by the formulas of Kawase (see `Plane`), with the names of that paper.
 */
export function toPlane(plane: Plane, lat: number, lon: number, out: { [index: number]: number }, at = 0): void {
  const t = conformalTangent(lat * RADIANS);
  const dLon = lon * RADIANS - plane.lon0;
  const xi0 = Math.atan2(t, Math.cos(dLon));
  const eta0 = Math.atanh(Math.sin(dLon) / Math.sqrt(1 + t * t));
  let xi = xi0;
  let eta = eta0;
  for (let j = 0; j < 5; j++) {
    const k = 2 * (j + 1);
    xi += ALPHA[j] * Math.sin(k * xi0) * Math.cosh(k * eta0);
    eta += ALPHA[j] * Math.cos(k * xi0) * Math.sinh(k * eta0);
  }
  out[at] = RADIUS * eta;
  out[at + 1] = RADIUS * xi - plane.arc0;
}

/**
 * Metres east and north of the zone's origin → latitude and longitude in degrees, written to `out[0]`, `out[1]`. The
 * inverse Gauss–Krüger projection by the formulas of Kawase (see `Plane`), with the names of that paper.
 */
export function toDegrees(plane: Plane, x: number, y: number, out: { [index: number]: number }): void {
  const xi = (y + plane.arc0) / RADIUS;
  const eta = x / RADIUS;
  let xi0 = xi;
  let eta0 = eta;
  for (let j = 0; j < 5; j++) {
    const k = 2 * (j + 1);
    xi0 -= BETA[j] * Math.sin(k * xi) * Math.cosh(k * eta);
    eta0 -= BETA[j] * Math.cos(k * xi) * Math.sinh(k * eta);
  }
  const chi = Math.asin(Math.sin(xi0) / Math.cosh(eta0));
  let phi = chi;
  for (let j = 0; j < 6; j++) phi += DELTA[j] * Math.sin(2 * (j + 1) * chi);
  out[0] = phi / RADIANS;
  out[1] = (plane.lon0 + Math.atan2(Math.sinh(eta0), Math.cos(xi0))) / RADIANS;
}

/**
 * The azimuth of grid north from true north at a place, degrees clockwise: positive east of the central meridian.
 * An azimuth from true north is the azimuth from grid north plus this. (The authority's 真北方向角 is its negative.) The
 * formula of Kawase (see `Plane`), with the names of that paper.
 */
export function convergenceDeg(plane: Plane, lat: number, lon: number): number {
  const t = conformalTangent(lat * RADIANS);
  const dLon = lon * RADIANS - plane.lon0;
  const secant = Math.sqrt(1 + t * t);
  const xi0 = Math.atan2(t, Math.cos(dLon));
  const eta0 = Math.atanh(Math.sin(dLon) / secant);
  let sigma = 1;
  let tau = 0;
  for (let j = 0; j < 5; j++) {
    const k = 2 * (j + 1);
    sigma += k * ALPHA[j] * Math.cos(k * xi0) * Math.cosh(k * eta0);
    tau += k * ALPHA[j] * Math.sin(k * xi0) * Math.sinh(k * eta0);
  }
  const tangent = t * Math.tan(dLon);
  return Math.atan2(tau * secant + sigma * tangent, sigma * secant - tau * tangent) / RADIANS;
}

/** Azimuth of the plane vector (dx east, dy north) from grid north, degrees clockwise in [0, 360). */
export function azimuthDeg(dx: number, dy: number): number {
  const degrees = Math.atan2(dx, dy) / RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}

/**
 * The plane that touches the ellipsoid at a point, exact to a millimetre within some kilometres: metres from the point,
 * x east, y north. North uses the meridian's radius of curvature, east the parallel at the middle latitude (the
 * mid-latitude formula; Rapp, Geometric Geodesy I, §6.4).
 */
export class LocalPlane {
  readonly lat: number;
  readonly lon: number;
  /** Metres in a degree of latitude. */
  readonly perLat: number;
  /** Metres in a degree of longitude at the point, and the decrease for each degree of latitude. */
  readonly #perLon: number;
  readonly #fewer: number;

  constructor(lat: number, lon: number) {
    const phi = lat * RADIANS;
    const w = 1 - E2 * Math.sin(phi) ** 2;
    const normal = (A / Math.sqrt(w)) * RADIANS;
    this.lat = lat;
    this.lon = lon;
    this.perLat = ((A * (1 - E2)) / w ** 1.5) * RADIANS;
    this.#perLon = normal * Math.cos(phi);
    this.#fewer = (normal * Math.sin(phi) * RADIANS) / 2;
  }

  /** Metres east of the point. */
  x(lat: number, lon: number): number {
    return (lon - this.lon) * (this.#perLon - this.#fewer * (lat - this.lat));
  }

  /** Metres north of the point. */
  y(lat: number): number {
    return (lat - this.lat) * this.perLat;
  }

  /** The place nearest to the point and nearer than `withinM`, with its metres east and north; null without one. */
  nearest<Place extends LatLon>(
    places: readonly Place[],
    withinM: number,
  ): { place: Place; east: number; north: number } | null {
    let nearest: { place: Place; east: number; north: number } | null = null;
    let least = withinM;
    for (const place of places) {
      const [east, north] = [this.x(place.lat, place.lon), this.y(place.lat)];
      const metres = Math.hypot(east, north);
      if (metres < least) [nearest, least] = [{ place, east, north }, metres];
    }
    return nearest;
  }

  /** A ring `[lat, lon, …]` in degrees as `[x, y, …]`, metres. */
  ring(ring: ArrayLike<number>): Float64Array {
    const xy = new Float64Array(ring.length);
    for (let i = 0; i < ring.length; i += 2) {
      xy[i] = this.x(ring[i], ring[i + 1]);
      xy[i + 1] = this.y(ring[i]);
    }
    return xy;
  }

  /** The smallest number of metres in a degree of longitude between two latitudes (degrees). */
  leastPerLon(south: number, north: number): number {
    return Math.min(this.x(south, this.lon + 1), this.x(north, this.lon + 1));
  }
}
