/** GRS80. */
const A = 6378137;
const F = 1 / 298.257222101;
const E2 = F * (2 - F);
const RADIANS = Math.PI / 180;

/**
 * The plane that touches the ellipsoid at a point, good to a millimetre within some kilometres: metres from the point, x
 * east, y north. North goes along the meridian's radius of curvature, east along the parallel at the middle latitude
 * (the mid-latitude formula; Rapp, Geometric Geodesy I, §6.4).
 */
export class LocalPlane {
  readonly lat: number;
  readonly lon: number;
  /** Metres in a degree of latitude. */
  readonly perLat: number;
  /** Metres in a degree of longitude at the point, and how many fewer there are for each degree of latitude from there. */
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

  x(lat: number, lon: number): number {
    return (lon - this.lon) * (this.#perLon - this.#fewer * (lat - this.lat));
  }

  y(lat: number): number {
    return (lat - this.lat) * this.perLat;
  }

  /** Metres in a degree of longitude where the parallels between two latitudes are shortest. */
  leastPerLon(south: number, north: number): number {
    return Math.min(this.x(south, this.lon + 1), this.x(north, this.lon + 1));
  }
}
