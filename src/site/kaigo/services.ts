import { SERVICES } from '../../contract/identifiers.ts';
import type { MunicipalityList } from '../../contract/operations/kaigo-municipality.ts';
import type { Language } from '../language.ts';
import { type Html, html } from '../markup.ts';
import { type KaigoAsk, type PageResult, pageLink, textsOf } from '../view.ts';

const NAMES = new Map<string, readonly [ja: string, en: string]>(SERVICES.map(([code, ...names]) => [code, names]));
const ORDER = new Map<string, number>(SERVICES.map(([code], i) => [code, i]));

/** The name by which people know a service. */
export const serviceName = (code: string, language: Language): string =>
  NAMES.get(code)?.[language === 'ja' ? 0 : 1] ?? code;

/** Where a service stands in lists: homes first, rental of equipment last. */
export const serviceOrder = (code: string): number => ORDER.get(code) ?? ORDER.size;

/** Where to begin: municipalities by prefecture, each with its services. */
export function placesPage(ask: KaigoAsk): PageResult {
  const { care } = textsOf(ask);
  const prefectures = Map.groupBy(ask.kaigo.municipalities(), ({ prefecture }) => prefecture);
  const main = html`<h1>${care.title}</h1><p class="answer">${care.lead}</p><h2>${care.choosePlace}</h2>
${[...prefectures].map(([name, places]) => prefecture(ask, name, places, prefectures.size === 1))}`;
  return { kind: 'page', title: care.title, description: care.lead, main };
}

function prefecture(ask: KaigoAsk, name: string, places: MunicipalityList, isOnly: boolean): Html {
  const { care } = textsOf(ask);
  const total = places.reduce((sum, { facilities }) => sum + facilities, 0);
  return html`<details${isOnly ? html` open` : null}><summary><b>${name}</b> <span class="quiet">${care.facilitiesCount(total)}</span></summary><ul class="plain">${places.map((place) => municipality(ask, place))}</ul></details>`;
}

function municipality(ask: KaigoAsk, { municipality_code, name, services }: MunicipalityList[number]): Html {
  const { care } = textsOf(ask);
  const links = [...services]
    .sort((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code))
    .map(
      ({ service_code, facilities }) =>
        html`<a href="${pageLink(ask, `/kaigo/${municipality_code}/${service_code}/`)}">${serviceName(service_code, ask.language)} <small>${care.facilitiesCount(facilities)}</small></a> `,
    );
  return html`<li><b>${name}</b> <span class="chips">${links}</span></li>`;
}
