import { StaticClient } from '../static-client.ts';

// The 404 page of an export as files: at the address of a building or a facility it shows that from the packs.
// Sibling modules and packs are found from this script, so the site may be in a folder of its host.

const base = new URL('..', import.meta.url);
const path = location.pathname.slice(base.pathname.length);
const language = path.startsWith('en/') ? 'en' : 'ja';

const WORDS = {
  ja: {
    needsServer: 'このサイトはファイルだけで動いています。検索・比較・計算の要るページはありません。',
    fromFiles: '保存された値だけの簡易表示です。',
    building: (/** @type {string} */ town) => `${town}の建物`,
    shape: (/** @type {number | null} */ height, /** @type {number} */ storeys) =>
      `${height === null ? '' : `高さ ${height} m、`}${storeys}階建て`,
    mean: (/** @type {number} */ hours) => `晴れた日の直射日光は、年の平均で ${hours} 時間です。`,
    table: '毎月15日に直射日光が当たる時間（晴れた日）',
    month: (/** @type {number} */ month) => `${month}月`,
    face: '面',
    faces: { N: '北', NE: '北東', E: '東', SE: '南東', S: '南', SW: '南西', W: '西', NW: '北西' },
    floor: (/** @type {number} */ floor) => `${floor}階`,
    town: 'この町の建物',
    map: '地図で見る',
    address: '住所',
    phone: '電話',
    corporation: '法人',
    capacity: '定員',
    people: (/** @type {number} */ count) => `${count}人`,
    cost: '月額の目安（要介護3・1割負担・30日）',
    costPart: '介護保険の自己負担のみ、月額の目安（要介護3・1割負担・30日）',
    yen: (/** @type {{ low: number, typical: number, high: number }} */ { low, typical, high }) =>
      `${typical.toLocaleString()}円（${low.toLocaleString()}〜${high.toLocaleString()}円）`,
  },
  en: {
    needsServer: 'This site consists of files: it has no search, no comparisons and no computed pages.',
    fromFiles: 'A short page, made of stored values.',
    building: (/** @type {string} */ town) => `Building in ${town}`,
    shape: (/** @type {number | null} */ height, /** @type {number} */ storeys) =>
      `${height === null ? '' : `${height} m high, `}${storeys} ${storeys === 1 ? 'storey' : 'storeys'}`,
    mean: (/** @type {number} */ hours) => `Direct sun on clear days: ${hours} hours, the mean of the year.`,
    table: 'Hours of direct sun on the 15th of each month, on clear days',
    month: (/** @type {number} */ month) => new Date(2001, month - 1).toLocaleDateString('en', { month: 'short' }),
    face: 'Wall',
    faces: { N: 'N', NE: 'NE', E: 'E', SE: 'SE', S: 'S', SW: 'SW', W: 'W', NW: 'NW' },
    floor: (/** @type {number} */ floor) => `floor ${floor}`,
    town: 'Buildings of this town',
    map: 'On the map',
    address: 'Address',
    phone: 'Phone',
    corporation: 'Corporation',
    capacity: 'Capacity',
    people: (/** @type {number} */ count) => String(count),
    cost: 'Estimate a month (care level 3, copayment 10 %, 30 days)',
    costPart: 'Share of insured care alone, estimate a month (care level 3, copayment 10 %, 30 days)',
    yen: (/** @type {{ low: number, typical: number, high: number }} */ { low, typical, high }) =>
      `¥${typical.toLocaleString()} (¥${low.toLocaleString()} to ¥${high.toLocaleString()})`,
  },
};
const words = WORDS[language];

/**
 * @param {string} name of the element
 * @param {(Node | string)[]} inside
 */
function element(name, ...inside) {
  const made = document.createElement(name);
  made.append(...inside);
  return made;
}

/**
 * @param {string} to path of a page below the root of the language
 * @param {string} text
 */
function link(to, text) {
  const made = document.createElement('a');
  made.href = new URL((language === 'en' ? 'en/' : '') + to, base).href;
  made.append(text);
  return made;
}

/** @param {[name: string, value: string | null][]} rows */
const facts = (rows) =>
  element(
    'dl',
    ...rows.flatMap(([name, value]) => (value === null ? [] : [element('dt', name), element('dd', value)])),
  );

/**
 * The page of a building: a row for each wall and stored floor, a column for each month.
 * @param {import('../../contract/operations/sunlight-building.ts').BuildingFull} building
 */
function buildingPage(building) {
  const { building_id: id, town_code, town_name, ward_code, height_m, storeys, annual_mean_hours, faces } = building;
  const rows = faces.flatMap(({ face, floors }) => {
    // A building of one or two storeys has the same floor twice.
    const stored = new Map([floors.first, floors.middle, floors.top].map((one) => [one.floor, one]));
    return [...stored.values()].map(({ floor, months }) =>
      element(
        'tr',
        element('th', `${words.faces[face]} · ${words.floor(floor)}`),
        ...months.map(({ direct_sun_hours }) => element('td', direct_sun_hours.toFixed(1))),
      ),
    );
  });
  const months = Array.from({ length: 12 }, (_, i) => element('th', words.month(i + 1)));
  const table = element(
    'table',
    element('caption', words.table),
    element('thead', element('tr', element('th', words.face), ...months)),
    element('tbody', ...rows),
  );
  const scroll = element('div', table);
  table.className = 'sheet';
  scroll.className = 'scroll';
  return [
    element('h1', words.building(town_name ?? ward_code), ' ', element('small', id)),
    element('p', words.shape(height_m, storeys)),
    ...(annual_mean_hours === null ? [] : [element('p', words.mean(annual_mean_hours))]),
    scroll,
    element('p', words.fromFiles),
    element('p', link(`map/?pick=${id}`, words.map)),
    ...(town_code === null ? [] : [element('p', link(`sunlight/town/${town_code}/`, words.town))]),
  ];
}

/**
 * The page of a facility: a section for each service.
 * @param {import('../../contract/operations/kaigo-facility.ts').Facility} facility
 */
function facilityPage({ name, address, phone, corporation, services }) {
  const sections = services.map(({ service_name, capacity, cost_estimate }) => {
    const { monthly_yen: cost, basis } = cost_estimate;
    const isPart = basis?.bill.startsWith('insured_part') ?? false;
    return element(
      'section',
      element('h2', service_name),
      facts([
        [words.capacity, capacity === null ? null : words.people(capacity)],
        [isPart ? words.costPart : words.cost, cost === null ? null : words.yen(cost)],
      ]),
    );
  });
  return [
    element('h1', name),
    facts([
      [words.address, address],
      [words.phone, phone],
      [words.corporation, corporation?.name ?? null],
    ]),
    ...sections,
    element('p', words.fromFiles),
  ];
}

/** The content of the page; null when the packs have nothing at this address. */
async function content() {
  const [, building, facility] =
    /^(?:en\/)?(?:sunlight\/building\/([^/]+)|kaigo\/facility\/([^/]+))\/$/.exec(path) ?? [];
  if (building === undefined && facility === undefined) return null;
  const client = await StaticClient.open(base.href);
  const answer = building === undefined ? await client.facility(facility ?? '') : await client.full(building);
  if (answer === null) return null;
  const { data } = JSON.parse(answer);
  return building === undefined ? facilityPage(data) : buildingPage(data);
}

// A host has one 404 page for all addresses. The English one has another frame.
if (document.documentElement.lang !== language) {
  const text = await (await fetch(new URL(language === 'en' ? 'en/404.html' : '404.html', base))).text();
  const other = new DOMParser().parseFromString(text, 'text/html');
  document.documentElement.lang = language;
  document.title = other.title;
  document.body.replaceWith(other.body);
}
const toOther = /** @type {HTMLAnchorElement | null} */ (document.querySelector('header a[hreflang]'));
if (toOther !== null) toOther.href = base.pathname + (language === 'en' ? path.slice('en/'.length) : `en/${path}`);
const main = document.querySelector('main');
const made = await content();
if (made === null) main?.append(element('p', words.needsServer));
else {
  main?.replaceChildren(...made);
  document.title = main?.querySelector('h1')?.textContent ?? '';
}
