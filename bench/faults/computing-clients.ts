import { setTimeout as delay } from 'node:timers/promises';

// Sends thirty requests at once from ten clients until SIGTERM, for points, floors and skies that were not requested
// before. Then prints the number of answers of each status as JSON.
//
//   node bench/faults/computing-clients.ts URL BUILDING_ID LAT LON FACE

const CLIENTS = 10;
const AT_ONCE = 30;
const [url, buildingId, lat, lon, face] = process.argv.slice(2);
const counts: Record<string, number> = {};
process.on('SIGTERM', () => {
  console.log(JSON.stringify(counts));
  process.exit();
});

/** Makes each request different from all before: another height or another day. */
function target(n: number): string {
  const date = new Date(Date.UTC(2000, 0, 1 + Math.floor(n / 4))).toISOString().slice(0, 10);
  const building = `/api/v1/sunlight/building/${buildingId}`;
  if (n % 4 === 1) return `${building}/floor/1?date=${date}`;
  if (n % 4 === 3) return `${building}/floor/1?date=${date}&face=${face}&receptors=true`;
  return `/api/v1/sunlight/point?lat=${lat}&lon=${lon}&height_m=${(n % 40_000) / 100}`;
}

let asked = 0;
for (let i = 0; i < AT_ONCE; i++) void askOn(`192.0.2.${i % CLIENTS}`);

async function askOn(client: string): Promise<never> {
  for (;;) {
    const answer = await fetch(url + target(asked++), { headers: { 'x-forwarded-for': client } });
    await answer.arrayBuffer();
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    if (answer.status === 503) await delay(50);
  }
}
