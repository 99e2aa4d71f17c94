import { StaticClient } from '../static-client.ts';

// The 404 page of an export as files. A building and a facility have no file of their own: at their addresses this script
// shows them from the packs. It finds modules and packs by its own URL, so the site may be in a folder of its host.

const base = new URL('..', import.meta.url);
const path = location.pathname.slice(base.pathname.length);
const language = path.startsWith('en/') ? 'en' : 'ja';

// A host has one 404 page for all addresses. The English one has another frame.
if (document.documentElement.lang !== language) {
  const text = await (await fetch(new URL(language === 'en' ? 'en/404.html' : '404.html', base))).text();
  const other = new DOMParser().parseFromString(text, 'text/html');
  document.documentElement.lang = language;
  document.title = other.title;
  document.body.replaceWith(other.body);
}
/**
 * The texts of the site in the language of the page; `{}` stands for a value.
 * @type {Record<'building' | 'height' | 'heightUnknown' | 'storeys' | 'annual' | 'unit' | 'hours' | 'face' | 'floor' | 'map' | 'address' | 'phone' | 'corporation' | 'capacity' | 'cost' | 'insuredPart' | 'noCost' | 'case' | 'short', string> & { months: string[], faces: Record<string, string> }}
 */
const words = JSON.parse(document.getElementById('missing-words')?.textContent ?? '');

/**
 * A text with a value in place of `{}`.
 * @param {string} text with `{}`
 * @param {string | number} value
 */
const filled = (text, value) => text.replace('{}', String(value));

/**
 * An element with texts and elements in it.
 * @param {string} name of the element
 * @param {(Node | string)[]} inside
 */
function element(name, ...inside) {
  const parent = document.createElement(name);
  parent.append(...inside);
  return parent;
}

/**
 * A link to a page of the site.
 * @param {string} to path of a page below the root of the language
 * @param {string} text
 */
function link(to, text) {
  const anchor = document.createElement('a');
  anchor.href = new URL((language === 'en' ? 'en/' : '') + to, base).href;
  anchor.append(text);
  return anchor;
}

/**
 * A list of names and values. A row without a value is left out.
 * @param {[name: string, value: string | null][]} rows
 */
function facts(rows) {
  const items = rows.flatMap(([name, value]) => (value === null ? [] : [element('dt', name), element('dd', value)]));
  const list = element('dl', ...items);
  list.className = 'facts';
  return list;
}

/**
 * The page of a building: a row for each wall and stored floor, a column for each month.
 * @param {import('../../contract/operations/sunlight-building.ts').BuildingFull} building
 */
function buildingPage(building) {
  const { building_id: id, town_code, town_name, ward_code, height_m, storeys, annual_mean_hours, faces } = building;
  const { lat, lon, quality, storeys_estimated } = building;
  // `isHeightUnknown` of the contract, which has more than a browser needs.
  const isHeightUnknown = quality.height_method === 'placeholder' && quality.height_source === 'solid';
  const rows = faces.flatMap(({ face, floors }) => {
    // A building of one or two storeys has the same floor twice.
    const stored = new Map([floors.first, floors.middle, floors.top].map((one) => [one.floor, one]));
    return [...stored.values()].map(({ floor, months }) =>
      element(
        'tr',
        element('th', `${words.faces[face]} · ${filled(words.floor, floor)}`),
        ...months.map(({ direct_sun_hours }) => element('td', direct_sun_hours.toFixed(1))),
      ),
    );
  });
  const months = words.months.map((month) => element('th', month));
  const table = element(
    'table',
    element('caption', words.hours),
    element('thead', element('tr', element('th', words.face), ...months)),
    element('tbody', ...rows),
  );
  const scroll = element('div', table);
  table.className = 'sheet';
  scroll.className = 'scroll';
  return [
    element('h1', filled(words.building, town_name ?? ward_code), ' ', element('small', id)),
    facts([
      [words.height, isHeightUnknown ? null : `${height_m} m`],
      [words.storeys, isHeightUnknown && storeys_estimated ? null : String(storeys)],
      [words.annual, annual_mean_hours === null ? null : `${annual_mean_hours.toFixed(2)} ${words.unit}`],
    ]),
    ...(isHeightUnknown ? [element('p', words.heightUnknown)] : []),
    scroll,
    element('p', words.short),
    element('p', link(`map/#17/${lat}/${lon}`, words.map)),
    ...(town_code === null ? [] : [element('p', link(`sunlight/town/${town_code}/`, town_name ?? town_code))]),
  ];
}

/**
 * The page of a facility: a section for each service.
 * @param {import('../../contract/operations/kaigo-facility.ts').Facility} facility
 */
function facilityPage({ name, address, phone, corporation, services }) {
  const sections = services.map(({ service_name, capacity, cost_estimate }) => {
    const { monthly_yen: cost, basis } = cost_estimate;
    const isInsuredPart = basis?.bill.startsWith('insured_part') ?? false;
    return element(
      'section',
      element('h2', service_name),
      facts([[words.capacity, capacity === null ? null : String(capacity)]]),
      element('p', cost === null ? words.noCost : filled(words.cost, range(cost))),
      ...(cost !== null && isInsuredPart ? [element('p', words.insuredPart)] : []),
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
    element('p', words.case),
    element('p', words.short),
  ];
}

/** A range of yen as text; one number when both ends are equal. @param {{ low: number, high: number }} yen */
const range = ({ low, high }) => [...new Set([low, high])].map((yen) => yen.toLocaleString('ja')).join('–');

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

const otherLanguageLink = /** @type {HTMLAnchorElement | null} */ (document.querySelector('header a[hreflang]'));
if (otherLanguageLink !== null)
  otherLanguageLink.href = base.pathname + (language === 'en' ? path.slice('en/'.length) : `en/${path}`);
const main = document.querySelector('main');
const page = await content();
if (page !== null) {
  main?.replaceChildren(...page);
  document.title = main?.querySelector('h1')?.textContent ?? '';
}
