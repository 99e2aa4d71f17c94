import { type LatLon, LONGITUDE_SCALE } from './degree.ts';

/** Degrees and minutes as degrees. */
const minutes = (degrees: number, minutes: number): number => degrees + minutes / 60;

/** Origins of zones I–XIX: 平成14年国土交通省告示第9号 (the plane rectangular coordinate systems). */
const ORIGINS: readonly LatLon[] = [
  { lat: 33, lon: minutes(129, 30) },
  { lat: 33, lon: 131 },
  { lat: 36, lon: minutes(132, 10) },
  { lat: 33, lon: minutes(133, 30) },
  { lat: 36, lon: minutes(134, 20) },
  { lat: 36, lon: 136 },
  { lat: 36, lon: minutes(137, 10) },
  { lat: 36, lon: minutes(138, 30) },
  { lat: 36, lon: minutes(139, 50) },
  { lat: 40, lon: minutes(140, 50) },
  { lat: 44, lon: minutes(140, 15) },
  { lat: 44, lon: minutes(142, 15) },
  { lat: 44, lon: minutes(144, 15) },
  { lat: 26, lon: 142 },
  { lat: 26, lon: minutes(127, 30) },
  { lat: 26, lon: 124 },
  { lat: 26, lon: 131 },
  { lat: 20, lon: 136 },
  { lat: 26, lon: 154 },
];

/**
 * Origin of a zone.
 * @throws RangeError unless `zone` is 1 to 19
 */
export function planeOrigin(zone: number): LatLon {
  const origin = ORIGINS[zone - 1];
  if (!origin) throw new RangeError(`There is no plane coordinate zone ${zone}: expected 1 to 19.`);
  return origin;
}

/**
 * Places that represent the parts of each zone, `[lat, lon, …]` in degrees: a place belongs to the zone of the nearest
 * of them. The official zones follow the borders of prefectures (in Hokkaido, of subprefectures). Of 17,800 care
 * offices in the country 99.0 % get the official zone (a test checks it). The others are some kilometres from its
 * border, where the neighbouring zone is equally exact.
 */
const PLACES: readonly (readonly number[])[] = [
  [28.4, 129.5, 32.7, 128.8, 32.7, 130.1, 32.8, 129.8, 33.75, 129.7, 34.3, 129.3],
  [31.6, 130.6, 32, 131.4, 32.4, 130.2, 32.8, 130.7, 33.2, 131.6, 33.3, 130.2, 33.6, 130.5, 33.6, 131.2, 33.7, 131.6],
  [34, 131.4, 34, 132.1, 34.4, 132.6, 34.6, 133.2, 35.3, 132.8, 35.6, 133.1],
  [33.4, 132.1, 33.5, 133.5, 33.8, 132.8, 34.1, 134.5, 34.3, 134],
  [34.3, 134.9, 34.6, 133.9, 34.7, 133.5, 34.7, 135.1, 34.7, 135.3, 34.7, 135.4, 35.5, 133.5],
  [
    34.2, 135.2, 34.5, 135.4, 34.6, 135.4, 34.6, 135.8, 34.7, 135.5, 34.7, 136.5, 35, 135.7, 35.1, 136, 35.1, 136.5,
    35.1, 136.6, 36, 136.2,
  ],
  [35.1, 137, 35.2, 136.7, 35.4, 136.8, 36.6, 136.6, 36.7, 137.2],
  [34.7, 138.9, 35, 138.4, 35.6, 138.6, 36.3, 138.1, 37, 138.7, 37.4, 139.1, 37.8, 139],
  [
    33.1, 139.8, 34.7, 139.4, 35.5, 139.5, 35.7, 139.7, 35.7, 140, 35.9, 139.6, 36.2, 140.3, 36.4, 139.1, 36.5, 139.8,
    36.7, 139, 37.3, 139.4, 37.4, 140.4,
  ],
  [38.3, 140.2, 38.3, 140.9, 39.5, 141.2, 39.7, 140.2, 40.7, 140.8, 41.4, 141.2],
  [41.8, 140.7, 42.5, 140.9, 43.1, 140.9],
  [42.3, 142.4, 42.4, 141.1, 43.1, 141.5, 43.8, 142.4],
  [42.9, 143.2, 43, 144.4],
  [27.1, 142.2],
  [26.2, 127.7],
  [24.4, 124.2],
  [25.8, 131.2],
  [20.4, 136.1],
  [24.3, 154],
];

/** The zone to use at a place (degrees): that of the nearest of {@link PLACES}. */
export function zoneOf(lat: number, lon: number): number {
  let zone = 0;
  let least = Infinity;
  PLACES.forEach((places, index) => {
    for (let i = 0; i < places.length; i += 2) {
      const squared = (lat - places[i]) ** 2 + ((lon - places[i + 1]) * LONGITUDE_SCALE) ** 2;
      if (squared < least) [zone, least] = [index + 1, squared];
    }
  });
  return zone;
}
