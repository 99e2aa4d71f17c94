/** Origin of a zone, degrees. */
export interface PlaneOrigin {
  lat: number;
  lon: number;
}

const minutes = (degrees: number, minutes: number): number => degrees + minutes / 60;

/** Origins of zones I–XIX: 平成14年国土交通省告示第9号 (the plane rectangular coordinate systems). */
const ORIGINS: readonly PlaneOrigin[] = [
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

/** Origin of a zone. Throws `RangeError` unless `zone` is 1 to 19. */
export function planeOrigin(zone: number): PlaneOrigin {
  const origin = ORIGINS[zone - 1];
  if (!origin) throw new RangeError(`There is no plane coordinate zone ${zone}: expected 1 to 19.`);
  return origin;
}

/** The zone to use at a place: the one whose central meridian is nearest, among those of its latitude. Degrees. */
export function zoneOf(lat: number, lon: number): number {
  const candidates = lat < 28 ? [14, 15, 16, 17, 18, 19] : lat >= 41.3 ? [11, 12, 13] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  let best = candidates[0]!;
  let bestDistance = Infinity;
  for (const zone of candidates) {
    const origin = planeOrigin(zone);
    const distance = Math.hypot((lon - origin.lon) * 0.82, lat - origin.lat);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = zone;
    }
  }
  return best;
}
