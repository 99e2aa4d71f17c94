import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import { startServer } from '../support/api-server.ts';
import { tokyoExample } from '../support/example.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

/** A dataset in which the wall of a floor has the given hours in every month. */
function withHours(hours: Record<number, number>): FakeDataset {
  const dataset = new FakeDataset();
  const usual = dataset.compute.bind(dataset);
  dataset.compute = async (demand) => {
    if (demand.kind !== 'floor') return usual(demand);
    const computed = tokyoExample(BuildingFloor);
    const direct_sun_hours = hours[demand.floor] ?? 0;
    const faces = computed.faces.map((face) => ({
      ...face,
      months: Array.from({ length: 12 }, (_, i) => ({ ...face.months![0]!, month: i + 1, direct_sun_hours })),
    }));
    return { ...computed, floor: demand.floor, faces };
  };
  return dataset;
}

const answerIn = (page: string): string =>
  (/<p class="answer">(.*?)<\/p>/s.exec(page)?.[1] ?? '').replace(/<[^>]*>/g, '');

/** 0.02 h made a winner, though its bar looked like the other. */
test('flats whose hours differ by at most five minutes are called about equal', async (t) => {
  const { url } = await startServer(t, { dataset: withHours({ 1: 3.0, 2: 3.02, 3: 3.09, 4: 1 }) });
  const answer = async (floors: number[], language = ''): Promise<string> => {
    const entries = floors.map((floor) => `${KNOWN.building}:${floor}`);
    return answerIn(await (await fetch(`${url}${language}/compare/?b=${entries.join(',')}`)).text());
  };
  assert.match(
    await answer([1, 2]),
    /日が当たる時間は、A\s.*1階.*とB\s.*2階.*がほぼ同じです（3\.00時間〜3\.02時間、差は5分以内）/,
  );
  assert.match(await answer([1, 2, 4]), /最も日が当たるのは、A\s.*とB\s.*で、ほぼ同じです/);
  assert.match(
    await answer([1, 2], '/en'),
    /about the same sun on 15 Dec: 3\.00 h to 3\.02 h, at most 5 minutes apart/,
  );
  const partly = await answer([1, 2, 4], '/en');
  assert.match(partly, /^A\s.* and B\s.* get the most sun on 15 Dec, about the same: 3\.00 h to/);
  assert.match(await answer([1, 3]), /最も日が当たるのはB\s.*3階.*（3\.09時間）です/);
});

/** 外す meant both: to take a flat out of a comparison, and to forget a saved flat. */
test('taking a flat out of a comparison and forgetting a saved one have words of their own', async (t) => {
  const { url } = await startServer(t, { dataset: new FakeDataset() });
  const flats = [1, 2].map((floor) => `${KNOWN.building}:${floor}`);
  const page = await (await fetch(`${url}/compare/?b=${flats.join(',')}`)).text();
  const href = /<a class="no-print remove" href="([^"]*)">この比較から外す<\/a>/.exec(page)?.[1] ?? assert.fail();
  assert.match(page, /data-remove="保存を取り消す"/);
  const without = await (await fetch(url + href.replaceAll('&amp;', '&'))).text();
  assert.match(without.replace(/<[^>]*>/g, ''), /「[^」]*1階」を比較から外しました。/);
});

/** The colours of the small map were those of December in each month. */
test('the plan beside a comparison shows the chosen month', async (t) => {
  const dataset = new FakeDataset();
  Object.assign(dataset.sunlight ?? {}, { hours: (_: string, { month }: { month: number }) => (month === 7 ? 2 : 9) });
  const { url } = await startServer(t, { dataset });
  const page = async (query: string): Promise<string> =>
    (await fetch(`${url}/compare/?b=${KNOWN.building}:1${query}`)).text();
  const [december, july] = [await page(''), await page('&month=7')];
  assert.match(july, /色は7月15日・最上階の日照時間/);
  assert.match(july, /roof h2/);
  assert.match(december, /色は12月15日・最上階の日照時間/);
  assert.match(december, /roof h7/);
});

/** The list of a day in July named the buildings that shade in December. */
test('the list beside the scene is about the month of the date', async (t) => {
  const { url } = await startServer(t, { dataset: new FakeDataset() });
  const page = await (await fetch(`${url}/sunlight/building/${KNOWN.building}/3d/?date=2026-07-20`)).text();
  assert.match(page, /id="scene-shaders"><p class="note">7月15日に/);
});

/** A town listed its buildings by bare IDs. */
test('a list names a building by height, storeys and where it stands, with its ID last', async (t) => {
  const firstRow = async (dataset: FakeDataset): Promise<string> => {
    const { url } = await startServer(t, { dataset });
    const page = await (await fetch(`${url}/sunlight/town/${KNOWN.town}/`)).text();
    return (/<th scope="row">(.*?)<\/th>/s.exec(page)?.[1] ?? '').replace(/<[^>]*>/g, '');
  };
  const dataset = new FakeDataset();
  assert.match(await firstRow(dataset), /^高さ約[\d.]+ m・約?\d+階(建て)?.*\d{5}-bldg-\d+$/s);
  const { lat = 0, lon = 0 } = dataset.sunlight?.summary(KNOWN.building)?.toJSON() ?? {};
  const beside = new FakeDataset('fake-2');
  beside.stations = [{ name: '大手町', reading: null, town_code: null, lat: lat + 0.002, lon }];
  assert.match(await firstRow(beside), /大手町駅の南\d+ m · \d{5}-bldg-\d+$/);
});

/** 最寄りの町名で探せます stood there without any name. */
test('a station that is not in the data is answered by places with its name or by none', async (t) => {
  const { url } = await startServer(t, { dataset: new FakeDataset() });
  const text = async (q: string): Promise<string> =>
    (await fetch(`${url}/search/?${new URLSearchParams({ q })}`)).text();
  assert.match(await text('丸の内駅'), /その駅はこのサーバーのデータにありません。似た名前の所を示します。.*<li>/s);
  const dataset = new FakeDataset('fake-2');
  Object.assign(dataset.search ?? {}, { find: () => ({ places: [], ignored: null }) });
  const { url: empty } = await startServer(t, { dataset });
  const none = await (await fetch(`${empty}/search/?${new URLSearchParams({ q: '池袋駅' })}`)).text();
  assert.match(none, /その駅はこのサーバーのデータにありません。</);
});

/** A line ended between 236° and the distance behind it. */
test('a line does not end within the place of a building', async (t) => {
  const { url } = await startServer(t, { dataset: new FakeDataset() });
  const page = await (await fetch(`${url}/sunlight/building/${KNOWN.building}/3d/`)).text();
  const places = page.match(/[東西南北]{1,2} ?\d+°・/g) ?? [];
  assert.ok(places.length > 0, 'no place');
  assert.equal(page.match(/<span class="nowrap">（?[東西南北]{1,2} ?\d+°・(\d+ m|すぐ隣)/g)?.length, places.length);
});

/** The class of 6 to 8 hours was as wide as the others, and so looked twice as full. */
test('in the distribution of hours the area of a bar is the number of its buildings', async (t) => {
  const dataset = new FakeDataset();
  const classes = [0, 0, 0, 10, 20, 30, 60, 80];
  const sun = {
    town_code: KNOWN.town,
    buildings: 200,
    december_top_hours: 5,
    december_first_hours: 1,
    annual_hours: 5,
    brightest: [],
    darkest: [],
    classes,
  };
  Object.assign(dataset.sunlight ?? {}, { townSun: () => [sun] });
  const { url } = await startServer(t, { dataset });
  const page = await (await fetch(`${url}/sunlight/town/${KNOWN.town}/`)).text();
  const bars = [...page.matchAll(/<rect class="bar h\d"[^>]* width="([\d.]+)" height="([\d.]+)"/g)];
  const areas = bars.map(([, width, height]) => (Number(width) + 4) * Number(height));
  assert.equal(areas.length, classes.length);
  for (const [i, count] of classes.entries())
    assert.ok(Math.abs(areas[i]! / areas[3]! - count / 10) < 0.05, `class ${i}: ${areas[i]}`);
  assert.match(page, />6–8</);
});
