import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { pageText as text } from '../support/page-text.ts';

test('lists of buildings tell the way from the nearest station, if one is within 1 km', async (t) => {
  const page = `/sunlight/town/${KNOWN.town}/`;
  const { lat, lon } = new FakeDataset().sunlight!.town(KNOWN.town, 1, 1)!.toJSON().buildings[0]!;
  const station = (name: string, reading: string | null, metresNorth: number, metresEast: number) => ({
    name,
    reading,
    town_code: null,
    lat: lat + metresNorth / 110_950,
    lon: lon + metresEast / 90_600,
  });
  const far = new FakeDataset();
  far.stations = [station('遠山', null, 1100, 0)];
  assert.doesNotMatch(await text((await startServer(t, { dataset: far })).url + page), /駅の/);

  const near = new FakeDataset();
  near.stations = [
    station('遠山', null, 0, -500),
    station('水道橋', 'すいどうばし', -300, -200),
    station('近山', null, 900, 0),
  ];
  const { url } = await startServer(t, { dataset: near });
  assert.match(await text(url + page), /水道橋駅の北東360 m/);
  assert.match(await text(`${url}/en${page}`), /360 m north-east of Suidobashi \(水道橋\) station/);
});

test('a station of a search leads to the map and to the sun of the nearest town, and a ward to its map', async (t) => {
  const dataset = new FakeDataset();
  const { lat, lon, town_code, ward_code } = dataset.sunlight!.towns()[0]!;
  const [found] = dataset.search!.find('x', null, 1).places;
  const station = { ...found!, kind: 'station', name: '水道橋駅', lat, lon };
  Object.assign(dataset, { map: { bounds: [lon, lat, lon, lat], leastZoom: 0 } });
  Object.assign(dataset.search!, {
    find: () => ({ places: [station], ignored: null }),
    municipality: () => ({ name: '千代田区', lat, lon, reading: null }),
  });
  const { url } = await startServer(t, { dataset });
  const results = await text(`${url}/search/?q=x`);
  assert.match(results, new RegExp(`<a href="/map/\\?lat=${lat}&(amp;)?lon=${lon}">`));
  assert.match(results, new RegExp(`<a href="/sunlight/town/${town_code}/">[^<]*の日当たり</a>`));
  assert.match(await text(`${url}/sunlight/${ward_code}/`), new RegExp(`<a href="/map/#13/${lat}/${lon}">`));
});
