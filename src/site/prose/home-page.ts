import { type Dataset, isTokyo } from '../../dataset/dataset.ts';
import { exampleBuilding } from '../example-urls.ts';
import { ENDED, serviceName, serviceOrder } from '../kaigo/services.ts';
import { FIRST_CHOICES } from '../map/choices.ts';
import { hereButton, mapLink } from '../map/map-page.ts';
import { mapPicture } from '../map/picture.ts';
import { type Fragment, type Html, html } from '../markup.ts';
import { hasTowns, townNamed, townOfEachWard, wardNamed } from '../names.ts';
import { savedList, searchForm } from '../parts.ts';
import { townLabel } from '../sunlight/building-tables.ts';
import { type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';

/** The first page: a search field, examples that work with the data, and what the service is and is not. */
export function homePage(ask: PageAsk): PageResult {
  const { frame, prose } = textsOf(ask);
  const inTokyo = isTokyo(ask.dataset);
  const { sunlight, kaigo, map } = ask.dataset;
  const description = prose.homeDescription(inTokyo, { sunlight: sunlight !== null, kaigo: kaigo !== null });
  const title = sunlight === null ? prose.careTitle : prose.homeTitle;
  const can = [...(sunlight ? prose.homeSunItems(inTokyo) : []), ...(kaigo ? prose.homeCareItems : [])];
  const cannot = [...(sunlight ? prose.homeNotSun : []), ...(kaigo ? prose.homeNotCare : [])];
  const exampleCards = examples(ask);
  const items = (list: readonly string[]): Html => html`<ul>${list.map((item) => html`<li>${item}</li>`)}</ul>`;
  const button = (path: string, name: string): Html =>
    html`<a class="button" href="${pageLink(ask, path)}">${name}</a> `;
  const main = html`<div class="hero"><h1>${title}</h1><p class="answer">${description}</p>
${searchForm(ask, 'home-q', frame.searchLabel(ask.dataset.manifest.halves))}
<p class="ways">${map && [hereButton(ask), button('/map/', prose.openMap)]}${sunlight && button('/sunlight/', prose.browseTowns(hasTowns(ask)))}${kaigo && button('/kaigo/', prose.browseCare)}</p></div>
${liveMap(ask)}${ask.isStatic ? null : html`<div id="saved">${sunlight && savedList(ask, 'flats')}${kaigo && savedList(ask, 'homes')}</div>`}
${exampleCards.length === 0 ? null : html`<h2>${prose.homeExamples}</h2><ul class="cards">${exampleCards}</ul>`}
<div class="columns"><section><h2>${prose.homeIs}</h2>${items(can)}</section><section><h2>${prose.homeNot}</h2>${items(cannot)}</section></div>`;
  return {
    kind: 'page',
    title,
    description,
    main,
    hasSearch: true,
    scripts: ['here.js'],
  };
}

/** Pixels and zoom of the map on the first page. */
const CROP = { width: 1020, height: 230, zoom: 15.6 } as const;

/**
 * The map around the town with the most buildings; in a dataset without towns, around a building. A press opens the map
 * page there.
 */
function liveMap(ask: PageAsk): Fragment {
  const { map, sunlight } = ask.dataset;
  const code = exampleTown(ask.dataset)?.town_code;
  const town = sunlight?.towns().find(({ town_code }) => town_code === code);
  const building = firstBuilding(ask);
  const place = town ?? building;
  if (map === null || place === undefined) return null;
  const [path, name] =
    town !== undefined
      ? [mapLink(ask, town), townNamed(ask, town.town_code, town.name)]
      : [pageLink(ask, '/map/'), building === undefined ? '' : townLabel(ask, building)];
  const { zoom, ...size } = CROP;
  const picture = mapPicture({
    map,
    choices: FIRST_CHOICES,
    isLatin: ask.language === 'en',
    view: { lat: place.lat, lon: place.lon, zoom, ...size },
    hrefOf: () => null,
  });
  return html`<a class="home-map" href="${path}">${picture}<span>${textsOf(ask).prose.liveMap(name)}</span></a>`;
}

/** Cards that link to example pages of this dataset. */
function examples(ask: PageAsk): Html[] {
  const { prose, sunlight, frame } = textsOf(ask);
  const card = (path: string, name: string, text: string): Html =>
    html`<li><a href="${pageLink(ask, path)}"><b>${name}</b></a><br><span class="quiet">${text}</span></li>`;
  const cards: Html[] = [];
  const town = exampleTown(ask.dataset);
  if (town !== null) {
    const [brightest] = town.brightest;
    if (brightest !== undefined) {
      cards.push(
        card(
          `/sunlight/building/${brightest.building_id}/`,
          prose.exampleBuilding(townNamed(ask, town.town_code, town.name)),
          `${sunlight.decemberTop} ${frame.hoursUnit(brightest.hours)}`,
        ),
      );
    }
    cards.push(
      card(
        `/sunlight/town/${town.town_code}/`,
        prose.exampleTown(townNamed(ask, town.town_code, town.name)),
        `${sunlight.decemberTop} ${frame.hoursUnit(town.december_top_hours)}`,
      ),
    );
  }
  if (town === null) {
    const building = firstBuilding(ask);
    if (building !== undefined) {
      const { building_id: id } = building;
      cards.push(card(`/sunlight/building/${id}/`, sunlight.heading(townLabel(ask, building)), id));
    }
  }
  const care = exampleCare(ask.dataset);
  if (care !== null) {
    cards.push(
      card(
        `/kaigo/${care.code}/${care.service}/`,
        prose.exampleCare(wardNamed(ask, care.code, care.place), serviceName(care.service, ask.language)),
        textsOf(ask).care.facilitiesCount(care.facilities),
      ),
    );
  }
  return cards;
}

/** The first building: the example of a dataset without towns. */
const firstBuilding = ({ dataset }: PageAsk) => dataset.sunlight?.summary(exampleBuilding(dataset) ?? '')?.toJSON();

/** The town with the most buildings. */
function exampleTown({ sunlight }: Dataset) {
  const largest = sunlight?.townSun().reduce((a, b) => (b.buildings > a.buildings ? b : a), sunlight.townSun()[0]);
  if (sunlight === null || largest === undefined) return null;
  const name = sunlight.towns().find(({ town_code }) => town_code === largest.town_code)?.name ?? null;
  return { ...largest, name };
}

/**
 * The municipality with the most facilities of the most wanted service, among services that still exist. One whose
 * sunlight is here, too, comes before the others.
 */
function exampleCare(dataset: Dataset) {
  const sunny = townOfEachWard(dataset);
  const tables = (dataset.kaigo?.municipalities() ?? []).flatMap(({ municipality_code, name, services }) =>
    services
      .filter(({ service_code }) => !ENDED.includes(service_code))
      .map(({ service_code, facilities }) => ({
        code: municipality_code,
        place: name,
        service: service_code,
        facilities,
        elsewhere: sunny.has(municipality_code.slice(0, 5)) ? 0 : 1,
      })),
  );
  const best = tables.sort(
    (a, b) =>
      serviceOrder(a.service) - serviceOrder(b.service) || a.elsewhere - b.elsewhere || b.facilities - a.facilities,
  )[0];
  return best ?? null;
}
