// The sun of one flat on the 15th of December: npx node examples/flat-sun.ts PLACE FLOOR
// PLACE is a town or a building ID; of a town the tallest building is taken. No package is needed.

const BASE = process.env.HIDAMARI_URL ?? 'http://127.0.0.1:8080';
const DECEMBER = 12;
const [place = '神田司町', floor = '1'] = process.argv.slice(2);

/** Of the answers, what is read here; docs/clients.md has the types of all. */
interface Search {
  places: { id: string }[];
}
interface Town {
  buildings: { building_id: string; height_m: number }[];
}
interface Floor {
  faces: { face: string; months: { month: number; direct_sun_hours: number; sunlit_windows: [string, string][] }[] }[];
}

/** Returns `data` of an answer. An error answer (RFC 9457) says in `detail` what to do. */
async function ask<Data>(path: string, query: Record<string, string> = {}): Promise<Data> {
  const response = await fetch(`${BASE}${path}?${new URLSearchParams(query)}`);
  const body = (await response.json()) as { data: Data; title: string; detail: string };
  if (!response.ok) throw new Error(`${body.title}: ${body.detail}`);
  return body.data;
}

/** The building of that ID, or the tallest building on the first page of that town. */
async function findBuilding(): Promise<string> {
  if (/^\d{5}-bldg-\d+$/.test(place)) return place;
  const [town] = (await ask<Search>('/api/v1/search', { q: place, kind: 'town', limit: '1' })).places;
  if (town === undefined) throw new Error(`No town is named ${place}. Try another spelling.`);
  const { buildings } = await ask<Town>(`/api/v1/sunlight/town/${town.id}/buildings`);
  const [tallest] = buildings.sort((a, b) => b.height_m - a.height_m);
  if (tallest === undefined) throw new Error(`${place} has no buildings.`);
  return tallest.building_id;
}

const building = await findBuilding();
const { faces } = await ask<Floor>(`/api/v1/sunlight/building/${building}/floor/${floor}`);
console.log(`${building}, floor ${floor}, on 15 December`);
for (const { face, months } of faces) {
  for (const { month, direct_sun_hours, sunlit_windows } of months) {
    if (month !== DECEMBER) continue;
    // In a window at least half of the wall is lit; hours are the mean of the wall.
    const windows = sunlit_windows.map(([from, to]) => `${from}–${to}`).join(', ');
    console.log(`${face.padEnd(2)} ${direct_sun_hours.toFixed(2)} h  ${windows || 'never on half of the wall'}`);
  }
}
