import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cityModelsOf, listCities } from '../../src/fetch/city-models.ts';
import { Replica } from '../fetch/replica.ts';
import { fetchAll, publish } from '../fetch/support.ts';

const replica = new Replica();
before(() => replica.listen());
after(() => replica.close());

const STEERING = '\u001b]0;title\u0007\u009b2J\r\n';

// Names of cities were shown without control characters, but not their codes and specifications, remarks and errors.
test('what a catalogue says steers no terminal, in lists, remarks and errors', async (t) => {
  const { options } = publish(replica, t);
  const { client, publishers } = options;
  const city = { city_code: `131${STEERING}01`, pref: STEERING, city: '区', year: 2023, spec: `3${STEERING}` };
  replica.put('/list', JSON.stringify({ citygml: [city] }));
  const list = { ...publishers.plateau, urls: { ...publishers.plateau.urls, list: `${replica.origin}/list` } };
  const [shown] = await listCities(client, list);
  const bldg = [
    { code: `x${STEERING}`, url: `${replica.origin}/models/53394600.gml` },
    { code: '53394600', url: `${replica.origin}/nowhere?${STEERING}` },
  ];
  const cities = [{ cityCode: '13101', year: 2023, spec: '3.2', files: { bldg } }];
  replica.put('/catalogue/13101?types=bldg', JSON.stringify({ cities }));
  const { remarks } = await cityModelsOf(client, publishers.plateau, ['13101'], { year: null, spec: null });
  const { failed } = await fetchAll(options);
  assert.deepEqual([remarks.length, failed.length], [1, 1]);
  for (const text of [shown?.code, shown?.name, shown?.spec, ...remarks, failed[0]?.reason])
    assert.doesNotMatch(text ?? '\0', /(?!\n)\p{Cc}/u);
});
