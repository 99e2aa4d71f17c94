import type { MunicipalityList } from '../../contract/operations/kaigo-municipality.ts';
import { type Html, html } from '../markup.ts';
import { prefectureNamed, wardNamed } from '../names.ts';
import { type KaigoAsk, notFound, type PageResult, pageLink, textsOf, withQuery } from '../view.ts';
import { careCrumb, caseLink, caseQuery, tablePath } from './case.ts';
import { lackingText } from './lacking.ts';
import { nearForm } from './near-page.ts';
import { COMMON_HOMES, serviceName, serviceOrder } from './services.ts';

/** Groups of services in lists. A group begins behind the one before it and ends with this service code. */
const GROUPS = [
  ['homes', '320'],
  ['stays', '230'],
  ['day', '780'],
  ['visits', '760'],
  ['other', '410'],
] as const;

/**
 * The entry page of care, and the page of a prefecture. It lists the municipalities of the prefecture with their
 * services; the entry page lists the prefectures when the data has several.
 */
export function placesPage(ask: KaigoAsk): PageResult {
  const { care } = textsOf(ask);
  const prefectures = Map.groupBy(ask.kaigo.municipalities(), ({ municipality_code: code }) => code.slice(0, 2));
  const [only] = prefectures.size === 1 ? [...prefectures.keys()] : [];
  const chosen = ask.values.prefecture_code ?? only ?? null;
  const opened = ask.query.get('municipality');
  const places = chosen === null ? null : (prefectures.get(chosen) ?? []);
  if (places?.length === 0) return notFound(care.unknownPrefecture(chosen ?? ''));
  const name = prefectureNamed(ask, chosen ?? '', places?.[0]?.prefecture ?? '');
  const compare = html`<p class="ways"><a class="button" href="${caseLink(ask, '/kaigo/compare/')}">${care.compareByName}</a></p>`;
  const others =
    prefectures.size === 1
      ? null
      : html` <small>${name} <a href="${caseLink(ask, '/kaigo/')}">${care.otherPrefectures}</a></small>`;
  const lacking = chosen === null ? null : lackingText(ask, chosen, COMMON_HOMES);
  const list =
    places === null
      ? prefectureList(ask, [...prefectures])
      : html`<h2>${care.choosePlace}${others}</h2>
<div class="places">${places.map((place) => municipality(ask, place, places.length === 1 || place.municipality_code === opened))}</div>${places.length < 2 ? null : html`<p class="note">${care.placesByCode}</p>`}${lacking === null ? null : html`<p class="note">${lacking}</p>`}`;
  const main = html`<h1>${care.title}</h1><p class="answer">${care.lead}</p>
${nearForm(ask, null)}${ask.isStatic ? null : compare}
${list}`;
  if (ask.values.prefecture_code === undefined)
    return { kind: 'page', title: care.title, description: care.lead, crumbs: [], main };
  return {
    kind: 'page',
    title: `${care.title} · ${name}`,
    description: textsOf(ask).frame.labelled(name, care.lead),
    crumbs: [careCrumb(ask)],
    main,
  };
}

/** The prefectures with their number of facilities, as links. */
function prefectureList(
  ask: KaigoAsk,
  prefectures: readonly (readonly [code: string, places: MunicipalityList])[],
): Html {
  const { care } = textsOf(ask);
  // Not a sum over the municipalities: a designated city has the facilities of its wards.
  const facilities = ask.kaigo.facilitiesByPrefecture();
  const links = prefectures.map(([code, places]) => {
    const url = withQuery(pageLink(ask, `/kaigo/${code}/`), caseQuery(ask.query));
    const name = prefectureNamed(ask, code, places[0]?.prefecture ?? code);
    return html`<a href="${url}">${name} <small>${care.facilitiesCount(facilities.get(code) ?? 0)}</small></a> `;
  });
  return html`<details><summary>${care.choosePrefecture}</summary><p class="chips">${links}</p><p class="note">${care.countedOnce}</p></details>`;
}

/** A municipality with its services by group. */
function municipality(
  ask: KaigoAsk,
  { municipality_code: code, name, facilities, services }: MunicipalityList[number],
  isOpen: boolean,
): Html {
  const { care } = textsOf(ask);
  const link = ({ service_code, facilities: offices }: (typeof services)[number]): Html =>
    html`<a href="${pageLink(ask, tablePath(ask, code, service_code))}">${serviceName(service_code, ask.language)} <small>${care.facilitiesCount(offices)}</small></a> `;
  const groups = GROUPS.map(([group, last], i) => {
    // A group begins after the last service of the group before.
    const lastBefore = i === 0 ? -1 : serviceOrder(GROUPS[i - 1]?.[1] ?? '');
    const inGroup = services
      .filter(({ service_code: own }) => serviceOrder(own) > lastBefore && serviceOrder(own) <= serviceOrder(last))
      .toSorted((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code));
    return inGroup.length === 0
      ? null
      : html`<h3>${care.serviceGroups[group]}</h3><p class="chips">${inGroup.map(link)}</p>`;
  });
  return html`<details id="m${code}"${isOpen ? html` open` : null}><summary><b>${wardNamed(ask, code, name)}</b> <span class="quiet nowrap">${care.facilitiesCount(facilities)}</span></summary>${groups}</details>`;
}
