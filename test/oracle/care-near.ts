import type { SecondRow } from './care-table.ts';

/** Degrees. */
interface Spot {
  lat: number;
  lon: number;
}

/** Half axes of GRS80, metres. */
const [EQUATOR, FLATTENING] = [6_378_137, 1 / 298.257222101];
const POLE = EQUATOR * (1 - FLATTENING);
const RADIANS = Math.PI / 180;

/** Metres between two spots on the ellipsoid, by Vincenty's inverse formula. */
function vincentyMetres(a: Spot, b: Spot): number {
  if (a.lat === b.lat && a.lon === b.lon) return 0;
  const reduced = ({ lat }: Spot) => Math.atan((1 - FLATTENING) * Math.tan(lat * RADIANS));
  const [sinA, cosA, sinB, cosB] = [reduced(a), reduced(b)].flatMap((u) => [Math.sin(u), Math.cos(u)]) as [
    number,
    number,
    number,
    number,
  ];
  const apart = (b.lon - a.lon) * RADIANS;
  let lambda = apart;
  for (let round = 0; ; round++) {
    const sine = Math.hypot(cosB * Math.sin(lambda), cosA * sinB - sinA * cosB * Math.cos(lambda));
    const cosine = sinA * sinB + cosA * cosB * Math.cos(lambda);
    const sigma = Math.atan2(sine, cosine);
    const sinAlpha = (cosA * cosB * Math.sin(lambda)) / sine;
    const cos2Alpha = 1 - sinAlpha ** 2;
    const middle = cosine - (2 * sinA * sinB) / cos2Alpha;
    const c = (FLATTENING / 16) * cos2Alpha * (4 + FLATTENING * (4 - 3 * cos2Alpha));
    const before = lambda;
    lambda =
      apart + (1 - c) * FLATTENING * sinAlpha * (sigma + c * sine * (middle + c * cosine * (2 * middle ** 2 - 1)));
    if (Math.abs(lambda - before) > 1e-13 && round < 50) continue;
    const u2 = (cos2Alpha * (EQUATOR ** 2 - POLE ** 2)) / POLE ** 2;
    const big = 1 + (u2 / 16384) * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)));
    const small = (u2 / 1024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2)));
    const last = (small / 6) * middle * (4 * sine ** 2 - 3) * (4 * middle ** 2 - 3);
    const delta = small * sine * (middle + (small / 4) * (cosine * (2 * middle ** 2 - 1) - last));
    return POLE * big * (sigma - delta);
  }
}

/** Where the row of an office says that it is; null where it does not. */
export function spotOf({ office }: SecondRow['one']): Spot | null {
  const [lat, lon] = [office.緯度 ?? '', office.経度 ?? ''];
  return lat === '' ? null : { lat: Number(lat), lon: Number(lon) };
}

/** Offices within a radius that have one of some services (null: any), nearest first, equals by number; metres to 0.1. */
export function officesNear(
  rows: readonly SecondRow[],
  from: Spot,
  radius: number,
  services: readonly string[] | null,
): { id: string; metres: number; services: string[] }[] {
  return [...Map.groupBy(rows, ({ one }) => one.facilityId)]
    .flatMap(([id, own]) => {
      const spot = own[0] === undefined ? null : spotOf(own[0].one);
      if (spot === null) return [];
      const metres = vincentyMetres(from, spot);
      const codes = own.map(({ one }) => one.service);
      const isWanted = services === null || codes.some((code) => services.includes(code));
      return metres <= radius && isWanted ? { id, metres: Math.round(10 * metres) / 10, services: codes } : [];
    })
    .sort((a, b) => a.metres - b.metres || (a.id < b.id ? -1 : 1));
}

/** The middle of the offices of a municipality: the medians of their degrees. */
function middleOf(rows: readonly SecondRow[]): Spot | null {
  const spots = rows.flatMap(({ one }) => spotOf(one) ?? []);
  if (spots.length === 0) return null;
  const median = (all: number[]) => {
    const sorted = all.toSorted((x, y) => x - y);
    const [low = NaN, high = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
    return (low + high) / 2;
  };
  return { lat: median(spots.map(({ lat }) => lat)), lon: median(spots.map(({ lon }) => lon)) };
}

/** Municipalities around one that have a service, nearest first, with metres between the middles. */
export function aroundOf(rows: readonly SecondRow[], municipality: string, service: string) {
  const places = Map.groupBy(rows, ({ one }) => one.municipality);
  const from = middleOf(places.get(municipality) ?? []);
  return [...places]
    .flatMap(([code, own]) => {
      const middle = middleOf(own);
      const facilities = own.filter(({ one }) => one.service === service).length;
      if (code === municipality || from === null || middle === null || facilities === 0) return [];
      return { municipality_code: code, distance_m: Math.round(vincentyMetres(from, middle)), facilities };
    })
    .sort((a, b) => a.distance_m - b.distance_m);
}
