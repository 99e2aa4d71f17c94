import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { pageText as text } from '../support/page-text.ts';

test('lists of buildings tell the way from the nearest station, if one is within 2 km', async (t) => {
  const page = `/sunlight/town/${KNOWN.town}/`;
  const { lat, lon } = new FakeDataset().sunlight!.town(KNOWN.town, 1, 1)!.toJSON().buildings[0]!;
  const station = (name: string, reading: string | null, metresNorth: number, metresEast: number) => ({
    name,
    reading,
    lat: lat + metresNorth / 110_950,
    lon: lon + metresEast / 90_600,
  });
  const far = new FakeDataset();
  far.stations = [station('遠山', null, 2100, 0)];
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
