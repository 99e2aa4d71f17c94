import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import { BuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import { JsonBytes } from '../../src/formats/json-bytes.ts';
import { startServer } from '../support/api-server.ts';
import { tokyoExample } from '../support/example.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

/** The page showed the wall with most sun, even when it was 11 cm long. */
test('the page of a building shows its best long wall first; a short wall with more sun is marked', async (t) => {
  const dataset = new FakeDataset();
  const full = tokyoExample(BuildingFull);
  const computed = tokyoExample(BuildingFloor);
  const long = { face: 'SW', azimuth_deg: 221, wall_length_m: 96.9, headline: true } as const;
  const short = { face: 'S', azimuth_deg: 180, wall_length_m: 0.11, headline: false } as const;
  const months = <M extends { month: number }>(month: M | undefined, direct_sun_hours: number): M[] =>
    Array.from({ length: 12 }, (_, i) => ({ ...month!, month: i + 1, direct_sun_hours, unshaded_hours: 8 }));
  const [stored, found] = [full.faces[0]!, computed.faces[0]!];
  const storedWall = (wall: typeof long | typeof short, hours: number) => {
    const onFloor = (floor: number) => ({
      ...stored.floors.top,
      floor,
      months: months(stored.floors.top.months[0], hours),
    });
    return { ...stored, ...wall, floors: { first: onFloor(1), middle: onFloor(5), top: onFloor(9) } };
  };
  const faces = [storedWall(short, 6.7), storedWall(long, 6.38)];
  Object.assign(dataset.sunlight ?? {}, {
    full: () => new JsonBytes(Buffer.from(JSON.stringify({ ...full, building_id: KNOWN.building, faces }))),
  });
  const usual = dataset.compute.bind(dataset);
  dataset.compute = async (demand) => {
    if (demand.kind !== 'floor') return usual(demand);
    const wall = (of: typeof long | typeof short, hours: number) => ({
      ...found,
      ...of,
      days: null,
      day: null,
      shade: null,
      receptor_details: null,
      months: months(found.months?.[0], hours),
    });
    return { ...computed, floor: demand.floor, faces: [wall(short, 6.7), wall(long, 6.38)] };
  };
  const { url } = await startServer(t, { dataset });
  const page = async (query: string) => (await fetch(`${url}/sunlight/building/${KNOWN.building}/${query}`)).text();
  const answer = (text: string): string =>
    (/<p class="answer">(.*?)<\/p>/s.exec(text)?.[1] ?? '').replace(/<[^>]*>/g, '');
  assert.match(answer(await page('')), /南西面には.*6\.38時間/s);
  // The map has long walls only. Its link, without a floor, must lead to the wall that the map shows.
  assert.match(answer(await page('?level=top&face=S')), /南寄り（221°、南西）面には.*6\.38時間/s);
  const chosen = await page('?floor=9&face=S');
  assert.match(answer(chosen), /南面には.*6\.70時間/s);
  assert.match(chosen.replace(/<[^>]*>/g, ''), /合わせて0\.11 mと短く/);
  assert.doesNotMatch(chosen, /最も日が当たるのは/);
});
