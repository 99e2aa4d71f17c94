/**
 * An independent oracle of the plane coordinates, without any series: on the central meridian a transverse Mercator
 * projection is the meridian arc as a function of the isometric latitude q, and it is conformal, so everywhere it is
 * that same function of the complex number q + i·Δλ. Here the function is evaluated as it stands: the complex latitude by
 * Newton's method, the arc by numerical integration.
 */
interface Complex {
  re: number;
  im: number;
}

const A = 6378137;
const F = 1 / 298.257222101;
const E2 = F * (2 - F);
const E = Math.sqrt(E2);
const M0 = 0.9999;

const c = (re: number, im = 0): Complex => ({ re, im });
const add = (a: Complex, b: Complex): Complex => c(a.re + b.re, a.im + b.im);
const sub = (a: Complex, b: Complex): Complex => c(a.re - b.re, a.im - b.im);
const mul = (a: Complex, b: Complex): Complex => c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
const scale = (a: Complex, k: number): Complex => c(a.re * k, a.im * k);
const div = (a: Complex, b: Complex): Complex => scale(mul(a, c(b.re, -b.im)), 1 / (b.re * b.re + b.im * b.im));
const log = (a: Complex): Complex => c(Math.log(Math.hypot(a.re, a.im)), Math.atan2(a.im, a.re));
const exp = (a: Complex): Complex => c(Math.exp(a.re) * Math.cos(a.im), Math.exp(a.re) * Math.sin(a.im));
const power = (a: Complex, k: number): Complex => exp(scale(log(a), k));
const sin = (a: Complex): Complex => c(Math.sin(a.re) * Math.cosh(a.im), Math.cos(a.re) * Math.sinh(a.im));
const cos = (a: Complex): Complex => c(Math.cos(a.re) * Math.cosh(a.im), -Math.sin(a.re) * Math.sinh(a.im));
const artanh = (a: Complex): Complex => scale(sub(log(add(c(1), a)), log(sub(c(1), a))), 0.5);

/** Isometric latitude. */
const isometric = (phi: Complex): Complex => {
  const s = sin(phi);
  return sub(artanh(s), scale(artanh(scale(s, E)), E));
};
const w2 = (phi: Complex): Complex => sub(c(1), scale(mul(sin(phi), sin(phi)), E2));
/** Radius of curvature along the meridian. */
const meridianRadius = (phi: Complex): Complex => scale(power(w2(phi), -1.5), A * (1 - E2));
/** d(isometric latitude) / d(latitude). */
const isometricRate = (phi: Complex): Complex => div(c(1 - E2), mul(w2(phi), cos(phi)));

/** Nodes and weights of Gauss–Legendre quadrature with five points. */
const NODES = [
  [0, 128 / 225],
  [Math.sqrt(5 - 2 * Math.sqrt(10 / 7)) / 3, (322 + 13 * Math.sqrt(70)) / 900],
  [-Math.sqrt(5 - 2 * Math.sqrt(10 / 7)) / 3, (322 + 13 * Math.sqrt(70)) / 900],
  [Math.sqrt(5 + 2 * Math.sqrt(10 / 7)) / 3, (322 - 13 * Math.sqrt(70)) / 900],
  [-Math.sqrt(5 + 2 * Math.sqrt(10 / 7)) / 3, (322 - 13 * Math.sqrt(70)) / 900],
] as const;
const PANELS = 40;

/** Arc of the meridian between two (complex) latitudes, along the straight line between them. */
function arc(from: Complex, to: Complex): Complex {
  const half = scale(sub(to, from), 1 / (2 * PANELS));
  let sum = c(0);
  for (let panel = 0; panel < PANELS; panel++) {
    const middle = add(from, scale(half, 2 * panel + 1));
    for (const [node, weight] of NODES) sum = add(sum, scale(meridianRadius(add(middle, scale(half, node))), weight));
  }
  return mul(sum, half);
}

/** Metres east and north of the origin, and the azimuth of grid north. All angles in degrees. */
export function transverseMercator(lat: number, lon: number, lat0: number, lon0: number) {
  const radians = Math.PI / 180;
  const wanted = add(isometric(c(lat * radians)), c(0, (lon - lon0) * radians));
  let phi = c(lat * radians);
  for (let i = 0; i < 30; i++) phi = sub(phi, div(sub(isometric(phi), wanted), isometricRate(phi)));
  const position = scale(arc(c(lat0 * radians), phi), M0);
  // d(north + i·east) / d(q + i·Δλ) turns a step to the north by the convergence.
  const rate = div(meridianRadius(phi), isometricRate(phi));
  return { x: position.im, y: position.re, convergenceDeg: -Math.atan2(rate.im, rate.re) / radians };
}
