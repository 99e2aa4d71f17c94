import type { MunicipalityList } from '../../contract/operations/kaigo-municipality.ts';
import type { Language } from '../language.ts';
import { type Html, html } from '../markup.ts';
import { type KaigoAsk, type PageResult, pageLink, textsOf } from '../view.ts';

/** Short names of the 35 services, homes first. */
const NAMES: Readonly<Record<string, readonly [ja: string, en: string]>> = {
  '510': ['特別養護老人ホーム', 'Special nursing homes'],
  '540': ['地域密着型特養', 'Small special nursing homes'],
  '520': ['介護老人保健施設', 'Geriatric health facilities'],
  '550': ['介護医療院', 'Care and medical institutions'],
  '530': ['介護療養型医療施設', 'Long-term care wards'],
  '331': ['介護付有料老人ホーム', 'Fee-based homes with care'],
  '332': ['特定施設（軽費老人ホーム）', 'Low-cost homes with care'],
  '334': ['特定施設（サ高住）', 'Serviced housing with care'],
  '335': ['有料老人ホーム（外部サービス）', 'Fee-based homes, outside services'],
  '336': ['軽費老人ホーム（外部サービス）', 'Low-cost homes, outside services'],
  '337': ['サ高住（外部サービス）', 'Serviced housing, outside services'],
  '361': ['地域密着型有料老人ホーム', 'Small fee-based homes'],
  '362': ['地域密着型軽費老人ホーム', 'Small low-cost homes'],
  '364': ['地域密着型サ高住', 'Small serviced housing'],
  '320': ['グループホーム', 'Group homes'],
  '730': ['小規模多機能型', 'Multifunctional small homes'],
  '770': ['看護小規模多機能型', 'Multifunctional with nursing'],
  '551': ['短期入所（介護医療院）', 'Short stays, medical institutions'],
  '210': ['ショートステイ', 'Short stays'],
  '220': ['短期入所（老健）', 'Short stays, health facilities'],
  '230': ['短期入所（病院等）', 'Short stays, hospitals'],
  '150': ['デイサービス', 'Day services'],
  '155': ['療養通所介護', 'Day services with nursing'],
  '160': ['デイケア', 'Day rehabilitation'],
  '720': ['認知症対応型通所介護', 'Dementia day services'],
  '780': ['地域密着型通所介護', 'Small day services'],
  '110': ['訪問介護', 'Home visits'],
  '120': ['訪問入浴介護', 'Bathing at home'],
  '130': ['訪問看護', 'Nursing at home'],
  '140': ['訪問リハビリ', 'Rehabilitation at home'],
  '710': ['夜間対応型訪問介護', 'Night visits'],
  '760': ['定期巡回・随時対応', 'Regular and on-call visits'],
  '430': ['居宅介護支援', 'Care management'],
  '170': ['福祉用具貸与', 'Rental of equipment'],
  '410': ['福祉用具販売', 'Sale of equipment'],
};

const ORDER = new Map(
  [
    '510 540 520 550 530 331 332 334 335 336 337 361 362 364 320 730 770 551 210 220 230 150 155 160 720 780 110 120 130 140 710 760 430 170 410',
  ]
    .flatMap((codes) => codes.split(' '))
    .map((code, i) => [code, i]),
);

/** The name by which people know a service. */
export const serviceName = (code: string, language: Language): string =>
  NAMES[code]?.[language === 'ja' ? 0 : 1] ?? code;

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
