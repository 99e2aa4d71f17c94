import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import type { BuildingSky } from '../../src/contract/operations/sunlight-building-sky.ts';
import { NEW_RESULTS_A_MINUTE } from '../../src/http/rate-limiter.ts';
import { pageText } from '../support/page-text.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('any floor on a page', () => {
  let url: string;
  let dataFolder: string;
  let page: string;
  let floor: number;
  const ends: (() => unknown)[] = [];
  const owner = { after: (end: unknown) => void ends.push(end as () => unknown) };
  const json = async <T>(path: string): Promise<T> => (await fetch(url + path)).json() as Promise<T>;

  before(async () => {
    dataFolder = await generatedDataset(join(tempFolder(owner), 'data'));
    ({ url } = await startSample(owner, dataFolder));
    const home = await pageText(url);
    const town = /\/sunlight\/town\/\d+\//.exec(home)?.[0] ?? assert.fail('no town on the first page');
    const { data: listed } = await json<{ data: { buildings: { building_id: string; storeys: number }[] } }>(
      `${town}index.json`,
    );
    const tall = listed.buildings.toSorted((a, b) => b.storeys - a.storeys)[0] ?? assert.fail('no building');
    assert.ok(tall.storeys >= 4, 'no building has a floor that is not stored');
    page = `/sunlight/building/${tall.building_id}/`;
    floor = 2;
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  it('its twin with floor= is the answer of the floor operation, with its cost and its refusals', async () => {
    const api = await fetch(`${url}/api/v1${page.slice(0, -1)}/floor/${floor}`);
    const twin = await fetch(`${url}${page}index.json?floor=${floor}`);
    assert.equal(twin.headers.get('x-cost-units'), api.headers.get('x-cost-units'));
    assert.deepEqual(await twin.json(), await api.json());
    const compared = `${/13\d{3}-bldg-\d+/.exec(page)?.[0]}:${floor}`;
    const { data } = await json<{ data: { parts: [{ answer: unknown }] } }>(`/compare/index.json?b=${compared}`);
    assert.deepEqual(data.parts[0].answer, await json(`/api/v1${page.slice(0, -1)}/floor/${floor}`), 'in a comparison');
    assert.equal((await fetch(`${url}${page}index.json?floor=299`)).status, 404);
    assert.equal((await fetch(`${url}${page}index.json?floor=none`)).status, 400);
  });

  it('the map names the floor whose hours it shows, and leads back to the chosen one', async () => {
    const id = page.split('/')[3];
    const { data } = await json<{ data: { faces: { floors: { middle: { floor: number } } }[] } }>(`${page}index.json`);
    const middle = data.faces[0]!.floors.middle.floor;
    assert.notEqual(middle, floor);
    const map = await pageText(`${url}/map/?pick=${id}&floor=middle&storey=${floor}`);
    const note = `これは${middle}階の値です。${floor}階の値は建物のページにあります。`;
    assert.match(map, new RegExp(`<p>${note}</p><p><a [^>]*floor=${floor}">${floor}階の日当たりを見る</a>`));
    assert.match(map, new RegExp(`"note":"${note}"`), 'for the script');
    for (const other of [middle, 199])
      assert.doesNotMatch(await pageText(`${url}/map/?pick=${id}&floor=middle&storey=${other}`), /これは\d+階の値です/);
  });

  it('the table of the scene has the chosen floor, and the chosen building leads back to it', async () => {
    const scene = await pageText(`${url}${page}3d/?floor=${floor}&month=3`);
    assert.match(scene, new RegExp(`<td class="(lit|shaded)" data-floor="${floor}"`));
    const data = JSON.parse(/id="scene-data">([^<]*)</.exec(scene)![1]!);
    assert.equal(data.ownPath, `${page}?floor=${floor}&month=3`);
  });

  it('flats of two buildings that would be called the same have their heights in the answer', async () => {
    const { data } = await json<{ data: { town_code: string } }>(`${page}index.json`);
    const town = await json<{ data: { buildings: { building_id: string; height_m: number }[] } }>(
      `/sunlight/town/${data.town_code}/index.json`,
    );
    const pairs = town.data.buildings.slice(0, 8).map(({ building_id }) => building_id);
    const names = async (flats: string[]): Promise<string[]> => {
      const compared = await pageText(`${url}/compare/?b=${flats.join()}`);
      return [...compared.matchAll(/<th scope="col">[A-D]<small>([^<]*)</g)].map(([, name]) => name!);
    };
    const several = await Promise.all(pairs.slice(1).map((id) => names([`${pairs[0]}:1:S`, `${id}:1:S`])));
    const alike = several.filter(([a = '', b = '']) => a.split('（')[0] === b.split('（')[0]);
    assert.ok(alike.length > 0, 'no two flats with one name');
    for (const [a, b] of alike) assert.match(`${a} ${b}`, /（高さ[\d.]+ m）.*（高さ[\d.]+ m）$/);
    assert.doesNotMatch((await names([`${pairs[0]}:1`, `${pairs[0]}:1`])).join(), /高さ/);
  });

  it('an interval costs two units more, however often it is asked for', async () => {
    const path = `/api/v1${page.slice(0, -1)}/floor/${floor}?interval=true`;
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(url + path);
      const { data, meta } = (await answer.json()) as { data: BuildingFloor; meta: { cost_units: number } };
      assert.deepEqual([answer.headers.get('x-cost-units'), meta.cost_units], ['5', 5]);
      for (const { interval } of data.faces[0]!.months!) assert.ok(interval!.p10_hours <= interval!.p90_hours);
    }
    for (const wrong of ['perhaps', '', 'TRUE', '1', 'true&interval=true']) {
      const refused = await fetch(`${url}/api/v1${page.slice(0, -1)}/floor/${floor}?interval=${wrong}`);
      assert.deepEqual([refused.status, refused.headers.get('x-cost-units')], [400, '0'], wrong);
    }
  });

  it('the table, the chart and the sky are those of the floor', async () => {
    const { data } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=${floor}&receptors=true`);
    const text = await pageText(`${url}${page}?floor=${floor}`);
    for (const { face, months, receptor_details } of data.faces) {
      const hours = months![11]!.direct_sun_hours;
      assert.ok(text.includes(`data-face="${face}" data-floor="${floor}" data-hours="${hours}"`), face);
      for (const { receptor, months: own } of receptor_details!) {
        const dot = `data-face="${face}" data-receptor="${receptor}" data-hours="${own![11]!.direct_sun_hours}"`;
        assert.ok(text.includes(dot), dot);
      }
    }
    assert.ok(text.includes('id="sky-t"'));
    assert.equal((await fetch(`${url}${page}?floor=299`)).status, 400);
  });

  it('each gap between the times of sun names what shades the wall, or that the sun is behind it', async () => {
    const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
    const spansIn = (text: string): [number, number][] =>
      [...text.matchAll(/(\d\d:\d\d)[–〜](\d\d:\d\d)/g)].map(([, from, to]) => [minutes(from!), minutes(to!)]);
    const { data } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=1`);
    let gaps = 0;
    for (const { face } of data.faces) {
      for (const month of [6, 12]) {
        const text = await pageText(`${url}${page}?floor=1&face=${face}&month=${month}`);
        const sun = spansIn(/<p class="answer">(.*?)<\/p>/s.exec(text)?.[1] ?? '');
        const shade = spansIn(String(text.match(/<p class="more">.*?<\/p>/gs) ?? ''));
        for (const [i, [from]] of sun.slice(1).entries()) {
          gaps++;
          for (let minute = sun[i]![1]; minute < from; minute++)
            assert.ok(
              [...shade, ...sun].some(([start, end]) => start <= minute && minute < end),
              `${face}, month ${month}, minute ${minute}`,
            );
        }
      }
    }
    assert.ok(gaps > 0, 'no wall has two times of sun');
  });

  it('chosen days stand beside the 15ths, and are kept with floor, wall and month', async () => {
    const solstices = '2026-06-21,2026-12-22';
    const { data } = await json<{ data: BuildingFloor }>(
      `${page}index.json?floor=${floor}&date=${solstices}&receptors=true`,
    );
    const { data: usual } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=${floor}`);
    const { face, days, receptor_details } = data.faces[0]!;
    const chosen = `floor=${floor}&face=${face}&month=6`;
    const rowsOf = (text: string): string[] => text.match(/<tr data-date=.*?<\/tr>/gs) ?? [];
    for (const language of ['', '/en']) {
      const address = `${url}${language}${page}?${chosen}`;
      const plain = await pageText(address);
      assert.deepEqual(rowsOf(plain), []);
      const [, link] = /href="([^"]*date=[^"]*)"/.exec(plain) ?? assert.fail('no link to the solstices');
      const linked = await pageText(new URL(link!.replaceAll('&amp;', '&'), address));
      // As the form sends it: the ticked box and the empty field.
      const sent = await pageText(`${address}&date=${encodeURIComponent(solstices)}&date=`);
      for (const text of [linked, sent]) {
        const rows = rowsOf(text);
        assert.equal(rows.length, 2);
        for (const [i, { date, direct_sun_hours }] of days!.entries()) {
          assert.ok(rows[i]!.includes(`data-date="${date}" data-hours="${direct_sun_hours}"`), date);
          const fifteenth = usual.faces[0]!.months![Number(date.slice(5, 7)) - 1]!.direct_sun_hours;
          const shown = /data-label="(?:その月の15日|On the 15th)">([\d.]+)/.exec(rows[i]!)?.[1];
          assert.equal(Number(shown), fifteenth, date);
        }
        const others = text.match(/data-floor="\d+" data-hours="[^"]*"><a href="[^"]*"/g) ?? [];
        assert.ok(others.length > 0 && others.every((one) => one.includes('date=2026-06-21%2C2026-12-22')));
        assert.match(text, /name="date" value="2026-06-21,2026-12-22" checked/);
      }
    }
    const spot = await pageText(`${url}${page}?${chosen}&receptor=1&date=${solstices}&date=2024-02-29`);
    assert.match(spot, /<input type="date"[^>]* value="2024-02-29"/);
    assert.equal(rowsOf(spot).length, 3);
    const own = receptor_details![0]!.days!;
    for (const [i, row] of rowsOf(spot).slice(1).entries())
      assert.ok(row.includes(`data-hours="${own[i]!.direct_sun_hours}"`));
    for (const wrong of ['2026-02-30', '1999-12-31', 'today', Array(13).fill('2026-12-22').join()])
      assert.equal((await fetch(`${url}${page}?${chosen}&date=${wrong}`)).status, 400, wrong);
    assert.equal((await fetch(`${url}${page}?${chosen}&date=`)).status, 200, 'no day');
  });

  it('a letter names one building on the page of the building, in its drawings and on the what-if page', async () => {
    const { data } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=1`);
    for (const { face } of data.faces) {
      const query = `?floor=1&face=${face}`;
      const read = (path: string, part: RegExp): string =>
        part.exec(texts[path]!)?.[0] ?? assert.fail(`${path} ${part}`);
      const texts: Record<string, string> = {};
      for (const path of ['', 'what-if/', '3d/']) texts[path] = await pageText(url + page + path + query);
      const badges = (text: string): string[] =>
        [...text.matchAll(/class="badge"><title>([^<]*)<.*?<text[^>]*>([A-Z])</g)].map(
          ([, title, letter]) => `${letter} ${title!.split(' ').at(-1)}`,
        );
      const listed = (text: string): string[] =>
        [...text.matchAll(/class="letter">([A-Z])<\/b>.*?building\/([\w-]+)/gs)].map(
          ([, letter, id]) => `${letter} ${id}`,
        );
      const plan = badges(read('', /<figure class="plan">.*?<\/figure>/s));
      const sky = badges(read('', /<svg[^>]*aria-labelledby="sky-t.*?<\/svg>/s));
      const skyList = listed(/<ul class="plain letters".*?<\/ul>/s.exec(texts['']!)?.[0] ?? '');
      const shaders = listed(read('', /<section id="shade">.*?<\/section>/s));
      const offered = [...texts['what-if/']!.matchAll(/<option value="([\w-]+)"[^>]*>([A-Z]) /g)].map(
        ([, id, letter]) => `${letter} ${id}`,
      );
      const whatIf = badges(read('what-if/', /<figure id="what-if-plan".*?<\/figure>/s));
      const scene = badges(read('3d/', /<figure id="scene-plan">.*?<\/figure>/s));
      assert.deepEqual(sky, skyList, `${face}: the sky and its list`);
      assert.deepEqual(whatIf, offered, `${face}: the what-if plan and its list`);
      assert.ok(
        plan.length > 0 && offered.length > plan.length,
        `${face}: ${plan.length} and ${offered.length} letters`,
      );
      for (const one of [...plan, ...sky, ...shaders, ...scene]) assert.ok(offered.includes(one), `${face}: ${one}`);
      for (const one of [...sky, ...shaders]) assert.ok(plan.includes(one), `${face}: ${one} is on the plan`);
      const [letter = '', id = ''] = offered[0]!.split(' ');
      const raised = await pageText(`${url}${page}what-if/${query}&pick=${id}&up=50`);
      assert.match(raised, new RegExp(`建物${letter}の高さを50 m`));
    }
  });

  it('the plan has all buildings within 60 m, and its scale is below it', async () => {
    const { data } = await json<{ data: { building_id: string; lat: number; lon: number } }>(`${page}index.json`);
    const { building_id: own, lat, lon } = data;
    type Near = { data: { buildings: { building_id: string }[] } };
    const { data: found } = await json<Near>(`/api/v1/sunlight/near?lat=${lat}&lon=${lon}&r=60`);
    const near = found.buildings.filter(({ building_id }) => building_id !== own);
    assert.ok(near.length > 5, `${near.length} buildings`);
    const text = await pageText(`${url}${page}`);
    const [, plan = '', below = ''] = /<figure class="plan">(<svg.*?<\/svg>)(.*?)<\/figure>/s.exec(text) ?? [];
    for (const { building_id } of near) assert.ok(plan.includes(building_id), building_id);
    assert.ok(
      !plan.includes('class="scale-bar"') && below.includes('class="scale-bar"'),
      'the scale covers no building',
    );
  });

  it('comparison, 3D and what-if show a date in place of the 15th', async () => {
    const id = page.split('/')[3];
    const date = '2026-06-21';
    const { data } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=${floor}&date=${date}`);
    const { face, day } = data.faces[0]!;
    const read = (path: string): Promise<string> => pageText(url + path);
    const compared = await read(`/compare/?b=${id}:${floor}:${face},${id}:1:${face}&date=${date}`);
    assert.match(compared, /2026年6月21日に(最も日が|日が当たる)/);
    assert.ok(compared.includes(`>${day!.direct_sun_hours.toFixed(1)}時間<`), `${day!.direct_sun_hours} h`);
    const scene = await read(`${page}3d/?date=${date}&clock=600`);
    assert.match(scene, /2026年6月21日 10:00/);
    const { data: first } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=1&date=${date}`);
    for (const wall of first.faces) {
      const isLit = wall.day!.sunlit_windows.some(([from, to]) => from! <= '10:00' && to! >= '10:00');
      assert.match(scene, new RegExp(`class="${isLit ? 'lit' : 'shaded'}" data-floor="1" data-face="${wall.face}"`));
    }
    const changed = `what-if/?east=0&north=-40&width=30&depth=10&up=40&floor=${floor}&face=${face}`;
    const whatIf = await read(`/en${page}${changed}&date=${date}`);
    assert.match(whatIf, /on 21 Jun 2026/);
    assert.ok(whatIf.includes(`${day!.direct_sun_hours.toFixed(1)} h`));
    const stated = `floor=60&storeys=70&height_m=240&face=${face}`;
    const linked = /href="([^"]*what-if[^"]*)"/.exec(await read(`${page}?${stated}`))?.[1] ?? assert.fail('no link');
    assert.match(await read(linked.replaceAll('&amp;', '&')), /name="storeys" value="70"/);
    for (const path of [`/compare/?b=${id}`, `${page}3d/?clock=600`, `${page}${changed}`]) {
      for (const wrong of ['2026-02-30', '1999-12-31', 'today', `${date},${date}`])
        assert.equal((await fetch(`${url}${path}&date=${wrong}`)).status, 400, `${path} ${wrong}`);
      assert.equal((await fetch(`${url}${path}&date=`)).status, 200, 'no day');
    }
  });

  it('the balcony above is kept from floor to sky, to the JSON, to a comparison and to the other language', async () => {
    const text = async (path: string): Promise<string> => (await pageText(url + path)).replaceAll('&amp;', '&');
    const { data } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=${floor}&overhang=1.8`);
    const face = data.faces.toSorted((a, b) => b.months![11]!.direct_sun_hours - a.months![11]!.direct_sun_hours)[0]!;
    const hours = face.months![11]!.direct_sun_hours;
    const shown = await text(`${page}?floor=${floor}&face=${face.face}&balcony=1`);
    assert.ok(shown.includes(`data-face="${face.face}" data-floor="${floor}" data-hours="${hours}"`), 'the floor');
    assert.ok(shown.includes(`index.json?floor=${floor}&month=12&overhang=1.8"`), 'the JSON');
    const linkTo = (what: RegExp): string => what.exec(shown)?.[1] ?? assert.fail(`no link like ${what}`);
    assert.match(linkTo(/href="([^"]*)" hreflang="en"/), /^\/en\/.*balcony=1/);
    const sky = await text(linkTo(/href="([^"]*sky\.svg[^"]*balcony=1[^"]*)"/));
    assert.match(sky, /<title>上の階のバルコニー<\/title>/);
    assert.doesNotMatch(await text(`${page}sky.svg?floor=${floor}&face=${face.face}`), /上の階のバルコニー/);
    const compared = await text(linkTo(/href="(\/compare\/[^"]*balcony=1)"/));
    assert.match(compared, /name="balcony" value="1" checked/);
    assert.ok(compared.includes(`data-hours="${hours}"`), 'the comparison has the hours behind the balcony');
    const twin = /href="(\/compare\/index\.json[^"]*)"/.exec(compared)?.[1] ?? assert.fail('no JSON');
    const { data: parts } = await json<{ data: { parts: [{ answer: { data: BuildingFloor } }] } }>(twin);
    assert.equal(parts.parts[0].answer.data.faces[0]!.months![11]!.direct_sun_hours, hours);
    assert.match(compared, /href="\/en\/compare\/[^"]*balcony=1[^"]*" hreflang="en"/);
  });

  it('who cannot see the plan and the sky reads them: the measuring points as links, the skyline by direction', async () => {
    const { data } = await json<{ data: BuildingFloor }>(`${page}index.json?floor=${floor}&receptors=true`);
    const { face, receptor_details } = data.faces[0]!;
    const text = await pageText(`${url}${page}?floor=${floor}&face=${face}&receptor=1`);
    const links = text.match(/<ol class="plain spots">.*?<\/ol>/s)?.[0].match(/receptor=\d+/g);
    assert.deepEqual(
      links,
      receptor_details!.map(({ receptor }) => `receptor=${receptor}`),
    );
    const { data: sky } = await json<{ data: BuildingSky }>(`/api/v1${page}sky?floor=${floor}&face=${face}&receptor=1`);
    const rows = [
      ...text.matchAll(/data-azimuth="(\d+)".*?<td class="number"[^>]*>(\d+)°<\/td><td[^>]*>(.*?)<\/td>/gs),
    ];
    assert.equal(rows.length, 12);
    for (const [i, [, azimuth, altitude, building]] of rows.entries()) {
      const from = (sky.wall_azimuth_deg - 90 + 15 * i + 360) % 360;
      const inside = sky.skyline.flatMap(({ building_id, points }) =>
        points.filter(([at]) => (at - from + 360) % 360 < 15).map(([, height]) => ({ building_id, height })),
      );
      const heights = inside.map(({ height }) => Math.max(0, height));
      const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
      assert.ok(Math.abs(Number(azimuth) - ((from + 7.5) % 360)) <= 0.5 || Number(azimuth) === 0);
      assert.equal(altitude, mean.toFixed(0), `${azimuth}°`);
      const litShares = (id: string | null): number =>
        inside.reduce((sum, one) => (one.building_id === id ? sum + Math.max(0, one.height) : sum), 0);
      const named = />([^<]+)</.exec(building!)?.[1] ?? null;
      for (const { building_id } of named ? inside : [])
        assert.ok(litShares(building_id) <= litShares(named) + 1e-9, `${azimuth}°`);
      assert.ok(named || mean === 0 || inside.some((one) => one.building_id === null), `${azimuth}° names nobody`);
    }
  });

  it('of flats whose hours read the same in a comparison none is named before the other', async () => {
    const { data } = await json<{ data: { storeys: number } }>(`${page}index.json`);
    const id = page.split('/')[3];
    const [same, none] = [`${id},${id}:${data.storeys}`, `${id}:1:N,${id}:1:N,${id}:${data.storeys}:N`];
    const text = await pageText(`${url}/en/compare/?b=${same}`);
    assert.match(text, / and .* get the most sun on 15 Dec: <b>[\d.]+ h<\/b> each/);
    assert.match(await pageText(`${url}/compare/?b=${none}`), /どれにも直射日光が当たりません|いずれも/);
  });

  it('a comparison has the interval of each flat, and says when the order is not certain', async () => {
    const id = page.split('/')[3];
    const compared = await pageText(`${url}/compare/?b=${id}:1,${id}:2`);
    const intervals = [...compared.matchAll(/モデルの誤差で(?:<[^>]*>)?([\d.]+)〜([\d.]+)時間/g)];
    const ranges = intervals.map(([, low, high]) => [Number(low), Number(high)] as const).slice(-2);
    assert.equal(ranges.length, 2, compared.slice(0, 3000));
    const overlaps = ranges[0]![1] >= ranges[1]![0] && ranges[1]![1] >= ranges[0]![0];
    assert.equal(compared.includes('順位は確かではありません'), overlaps, intervals.join(' '));
  });

  it('a client has so many new results in a minute; above, stored floors are shown, and nobody keeps the page', async (t) => {
    // Its own server: the other tests have used results of this minute.
    const { url } = await startSample(t, dataFolder);
    const { data } = await json<{ data: { faces: { face: string; receptors: number }[]; storeys: number } }>(
      `${page}index.json`,
    );
    const asked = data.faces.flatMap(({ face, receptors }) =>
      Array.from({ length: data.storeys }, (_, n) => n + 1).flatMap((n) =>
        Array.from({ length: receptors }, (_, i) => `${page}sky.svg?floor=${n}&face=${face}&receptor=${i + 1}`),
      ),
    );
    assert.ok(asked.length > NEW_RESULTS_A_MINUTE, `only ${asked.length} drawings to ask for`);
    const answers = [];
    for (const path of asked) {
      answers.push(await fetch(url + path));
      if (answers.at(-1)!.status !== 200) break;
    }
    const last = answers.at(-1)!;
    // The view from the middle of a wall is kept with that from another point: its drawing does not count.
    assert.ok(answers.length > NEW_RESULTS_A_MINUTE, `${answers.length} drawings`);
    assert.equal(last.status, 429);
    assert.ok(Number(last.headers.get('retry-after')) >= 1);
    assert.equal((await fetch(url + asked[0]!)).status, 200, 'what is kept does not count');
    const { dataset_id } = await json<{ dataset_id: string }>('/readyz');
    assert.equal((await fetch(`${url}/tiles/${dataset_id}/14/1/1.mvt`)).status, 200, 'tiles are not computed');
    const short = await fetch(`${url}${page}?floor=3&month=5`);
    const stored = await fetch(`${url}${page}?floor=1&month=5&face=${data.faces[0]!.face}`);
    assert.ok(short.status === 429 || short.status === 200);
    assert.equal(stored.status, 200);
    const refusal = await short.clone().text();
    const again = refusal.indexOf('もう一度計算する');
    assert.ok(
      short.status === 200 || (again > 0 && again < refusal.indexOf('<form class="picker')),
      'first what helps',
    );
    for (const answer of [short, stored]) {
      const isShort = (await answer.text()).match(/class="(unknown|answer)" role="status"/) !== null;
      assert.equal(answer.headers.get('cache-control') === 'no-store', isShort);
    }
  });
});
