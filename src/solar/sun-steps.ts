import { DEGREES } from '../geo/degree.ts';
import { azimuthDeg } from '../geo/plane.ts';
import { apparentAltitudeDeg, type DayPath, hourAngle } from './day-path.ts';
import { valueAt } from './solar-day.ts';

/** Minutes of a day. */
const DAY = 1440;
/** Accuracy of the azimuth, degrees. */
const ACCURACY = 1e-7;
/** Limit of the secants of one search. */
const MOST_SECANTS = 8;
/** Tangent of the largest angle for which a series is used. */
const NARROW = 1 / 64;

/**
 * Follows the sun of one day in steps of about a minute, to find when it passes given azimuths. Between two steps it
 * needs no trigonometry: hour angle and declination grow so little that short series give their sines. It agrees with
 * `sunAt` to 10⁻¹² degrees, in a fraction of the time.
 */
export class SunSteps {
  /** This step and the previous one: minutes, and azimuths in degrees. */
  to: number;
  toAzimuth = Number.NaN;
  from = Number.NaN;
  fromAzimuth = Number.NaN;
  readonly #path: DayPath;
  readonly #sinLat: number;
  readonly #cosLat: number;
  /** Sine and cosine of hour angle and declination at this step. */
  #sinHour = Number.NaN;
  #cosHour = Number.NaN;
  #sinDec = Number.NaN;
  #cosDec = Number.NaN;
  /** How both change in t minutes after this step: by growth · t + bend · t², radians. */
  /** Growth: the change in a minute. Bend: half of the change of the growth in a minute. */
  #hourGrowth = Number.NaN;
  #decGrowth = Number.NaN;
  readonly #hourBend: number;
  readonly #decBend: number;

  /** @param minute the first step, minutes after 00:00 JST */
  constructor(path: DayPath, minute: number) {
    const { declination, sidereal, rightAscension } = path.solarDay;
    this.#path = path;
    this.#sinLat = Math.sin(path.lat / DEGREES);
    this.#cosLat = Math.cos(path.lat / DEGREES);
    this.#hourBend = (sidereal[2] - rightAscension[2]) / DAY ** 2;
    this.#decBend = declination[2] / DAY ** 2;
    this.to = minute;
    this.stepTo(minute);
  }

  /**
   * Moves to a minute after 00:00 JST: this step becomes the previous one. Computes the sun's azimuth there, and what
   * `find` needs of the step: sines and cosines of hour angle and declination, and how both change.
   */
  stepTo(minute: number): void {
    const { declination, sidereal, rightAscension } = this.#path.solarDay;
    const hour = hourAngle(this.#path, minute);
    const dec = valueAt(declination, minute / DAY);
    this.#sinHour = Math.sin(hour);
    this.#cosHour = Math.cos(hour);
    this.#sinDec = Math.sin(dec);
    this.#cosDec = Math.cos(dec);
    // Hour angle and declination are quadratic polynomials in days; these are their derivatives by minutes.
    this.#hourGrowth = (sidereal[1] - rightAscension[1]) / DAY + 2 * minute * this.#hourBend;
    this.#decGrowth = declination[1] / DAY + 2 * minute * this.#decBend;
    const north = this.#sinDec * this.#cosLat - this.#cosDec * this.#cosHour * this.#sinLat;
    [this.from, this.fromAzimuth] = [this.to, this.toAzimuth];
    this.to = minute;
    this.toAzimuth = azimuthDeg(-this.#cosDec * this.#sinHour, north);
  }

  /**
   * Finds when the sun passes an azimuth between the last two steps, by false position (regula falsi): the azimuth is
   * almost linear in time there.
   * @param azimuth degrees
   * @param east with `north` a vector of length 1 towards the azimuth
   * @param out gets the minute, then the altitude in degrees
   */
  find(azimuth: number, east: number, north: number, out: Float64Array): void {
    let from = this.from;
    // How far the sun is past the azimuth at both ends, degrees.
    let fromPast = this.fromAzimuth - azimuth;
    let to = this.to;
    let toPast = this.toAzimuth - azimuth;
    let minute = from;
    let up = 0;
    for (let i = 0; i < MOST_SECANTS; i++) {
      minute = from - ((to - from) * fromPast) / (toPast - fromPast);
      const since = minute - this.to;
      // How much hour angle and declination have grown since this step, radians (negative before it).
      const hour = since * (this.#hourGrowth + since * this.#hourBend);
      const dec = since * (this.#decGrowth + since * this.#decBend);
      const sinHour = sine(hour);
      const cosHour = cosine(hour);
      const sinDec = sine(dec);
      const cosDec = cosine(dec);
      // Addition theorems: sines and cosines of the angles at this step, plus their growth since.
      const sinDecNow = this.#sinDec * cosDec + this.#cosDec * sinDec;
      const cosDecNow = this.#cosDec * cosDec - this.#sinDec * sinDec;
      const sinHourNow = this.#sinHour * cosHour + this.#cosHour * sinHour;
      const cosHourNow = this.#cosHour * cosHour - this.#sinHour * sinHour;
      // The direction to the sun, of length 1: its part in the plane of the equator towards the meridian; then at the
      // place, east, north and up.
      const toMeridian = cosDecNow * cosHourNow;
      const sunEast = -cosDecNow * sinHourNow;
      const sunNorth = sinDecNow * this.#cosLat - toMeridian * this.#sinLat;
      up = sinDecNow * this.#sinLat + toMeridian * this.#cosLat;
      const past = arcTangent(sunEast * north - sunNorth * east, sunEast * east + sunNorth * north) * DEGREES;
      if (past < ACCURACY && past > -ACCURACY) break;
      if (past > 0) {
        to = minute;
        toPast = past;
      } else {
        from = minute;
        fromPast = past;
      }
    }
    out[0] = minute;
    out[1] = apparentAltitudeDeg(this.#path, up);
  }
}

/** Sine of at most 0.01 radians, with an error below 10⁻¹⁷. */
const sine = (angle: number): number => {
  const square = angle * angle;
  return angle - angle * square * (1 / 6 - square * (1 / 120 - square * (1 / 5040)));
};

/** Cosine of at most 0.01 radians. */
const cosine = (angle: number): number => {
  const square = angle * angle;
  return 1 - square * (1 / 2 - square * (1 / 24 - square * (1 / 720)));
};

/** `Math.atan2`, faster for small angles: there a series with an error below 10⁻²⁰. */
function arcTangent(across: number, along: number): number {
  const t = across / along;
  if (!(along > 0 && t < NARROW && t > -NARROW)) return Math.atan2(across, along);
  const square = t * t;
  return t * (1 - square * (1 / 3 - square * (1 / 5 - square * (1 / 7 - square * (1 / 9)))));
}
