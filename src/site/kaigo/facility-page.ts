import type { CostEstimate } from '../../contract/kaigo-cost.ts';
import { isPartOfBill, lacksRent } from '../../contract/kaigo-cost.ts';
import { QUALITY_NAMES, type QualityFigure } from '../../contract/kaigo-quality.ts';
import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { latinName } from '../../search/romaji.ts';
import { homesMapLink } from '../map/map-page.ts';
import { type Fragment, type Html, html, isolated, phoneNumber, scrolling, webAddress, withMarked } from '../markup.ts';
import { kanaOf, latinWard, prefectureNamed } from '../names.ts';
import { saveButton } from '../parts.ts';
import { numberColumn, table } from '../table.ts';
import type { Texts } from '../texts/texts.ts';
import { invalid, type KaigoAsk, notFound, type PageResult, pageLink, textsOf } from '../view.ts';
import {
  caseAndResults,
  caseFaultText,
  caseForm,
  caseIn,
  caseLine,
  caseQuery,
  crumbsFromSearch,
  hidden,
  homePath,
  RESULT_FIELD_NAMES,
  resultsQuery,
  roomsAt,
  searchQuery,
  tablePath,
} from './case.ts';
import {
  bill,
  coupleText,
  coverageText,
  type FacilityService,
  groundsOf,
  isReduced,
  isWithoutCare,
  levels,
  monthlyOf,
  monthlyText,
  otherRooms,
  publishedFee,
  rangeNote,
  typicalText,
  yenCell,
  yenRange,
} from './money.ts';
import { addressOf, hazardSection, isCovered, municipalityOf, ownSun } from './place.ts';
import { FROM_LEVEL_3, nearPath, serviceName, serviceOrder } from './services.ts';
import { countedOf } from './table-page.ts';

/** Everything about one facility: its monthly costs, its staff, its rooms, and the sun of its own building. */
export function facilityPage(ask: KaigoAsk): PageResult {
  const { care, frame } = textsOf(ask);
  const id = ask.values.facility_id;
  const kaigo = ask.kaigo;
  const careCase = caseIn(ask.query);
  const fault = caseFaultText(ask);
  if (fault !== null) return invalid(fault);
  const facility = kaigo.facility(id, careCase)?.toJSON() ?? null;
  if (facility === null) return notFound(care.unknownFacility(id));
  const { municipality_code: code } = facility;
  const place = municipalityOf(ask, facility);
  const services = [...facility.services].sort((a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code));
  const crumbs = crumbsFromSearch(ask);
  const mainService = services[0];
  if (code !== null && mainService !== undefined && searchQuery(ask.query).length === 0) {
    crumbs.push({
      name: `${place} ${serviceName(mainService.service_code, ask.language)}`,
      path: tablePath(ask, code, mainService.service_code, resultsQuery(ask.query)),
    });
  }
  const rooms = roomsAt(kaigo, [facility]);
  const form = caseForm(ask, pageLink(ask, `/kaigo/facility/${id}/`), careCase, {
    rooms,
    first: hidden(resultsQuery(ask.query)),
  });
  // The case and the links are those of the page: they stand once, in the section of the main service.
  const inMainSection = mainService && [
    isWithoutCare(mainService.cost_estimate) ? null : caseLine(ask, careCase),
    form,
    furtherLinks(ask, facility, mainService),
  ];
  return {
    kind: 'page',
    title: care.facilityTitle(frame.apart(facility.name, place)),
    description: care.facilityDescription(facility.name, place),
    crumbs,
    main: html`<div class="sheet-a4"><h1><bdi>${facility.name}</bdi><small><bdi>${kanaOf(ask, facility)}</bdi></small></h1>
<p class="quiet"><bdi>${addressOf(facility) ?? place}</bdi> · <span class="nowrap">${frame.list(services.map(({ service_code }) => serviceName(service_code, ask.language)))}</span></p>
${services.map((service) => serviceSection(ask, service, services.length > 1, service === mainService ? inMainSection : null))}
${ownSun(ask, facility)}
${hazardSection(textsOf(ask), facility)}
<div class="columns"><section><h2>${care.contact}</h2>${contact(ask, facility)}</section><section><h2>${care.corporation}</h2>${corporation(ask, facility)}</section></div>
<p class="note">${care.careDate(ask.dataset.manifest.halves.kaigo?.data_through ?? null)}</p></div>`,
    scripts: ['below.js'],
    notPrinted: RESULT_FIELD_NAMES,
    isPersonal: caseAndResults(ask.query).length > 0,
  };
}

/** The button that saves the home, and links to other pages about it. */
function furtherLinks(
  ask: KaigoAsk,
  { facility_id: id, name, name_kana: kana, lat, lon }: Facility,
  service: FacilityService,
): Html {
  const { care } = textsOf(ask);
  const compare = `/kaigo/compare/?${new URLSearchParams([['f', id], ...caseAndResults(ask.query)])}`;
  const map =
    ask.dataset.map === null || lat === null || lon === null || !isCovered(ask, lat, lon)
      ? null
      : homesMapLink(ask, { lat, lon });
  const near = lat === null || lon === null ? null : nearPath(lat, lon, caseQuery(ask.query));
  const saved = { kind: 'homes', id, name, latin: latinName(kana ?? name) ?? '' } as const;
  // The list of saved homes may be read in the other language.
  const notes = {
    about: savedNote({ ...ask, language: 'ja' }, service),
    aboutLatin: savedNote({ ...ask, language: 'en' }, service),
  };
  return html`<p class="chips no-print">${saveButton(ask, { ...saved, ...notes }, caseQuery(ask.query), resultsQuery(ask.query))}
<a href="${pageLink(ask, compare)}">${care.compareLink}</a>
<a href="${pageLink(ask, homePath(ask, id, 'visit/'))}">${care.visit.link}</a>
${near === null ? null : html`<a href="${pageLink(ask, near)}">${care.nearLink}</a>`}
${map === null ? null : html`<a href="${map}">${care.mapLink}</a>`}</p>`;
}

/** The kind of a home and its monthly cost, as they are saved with it. */
function savedNote(ask: KaigoAsk, { service_code: code, cost_estimate: estimate }: FacilityService): string {
  const texts = textsOf(ask);
  const typical = isPartOfBill(estimate) ? null : (monthlyOf(estimate)?.typical ?? null);
  const cost = typical === null ? null : typicalText(texts, estimate, typical);
  return texts.frame.list([serviceName(code, ask.language), ...(cost === null ? [] : [cost])]);
}

/**
 * The cost of a service with its origin, its parts, staff and rooms.
 * @param more content below the first answer; null for services other than the main one, of which only the answer is on
 * the printed page
 */
function serviceSection(ask: KaigoAsk, service: FacilityService, isOneOfSeveral: boolean, more: Fragment): Html {
  const texts = textsOf(ask);
  const { care } = texts;
  const { cost_estimate: estimate } = service;
  const byLevel = levels(ask, service);
  const couple = coupleText(texts, estimate);
  const missing = coverageText(texts, estimate);
  const coverage = missing === null ? null : html`<p class="note">${missing}</p>`;
  const heading = (text: string): Html => (isOneOfSeveral ? html`<h3>${text}</h3>` : html`<h2>${text}</h2>`);
  return html`${isOneOfSeveral ? html`<h2>${serviceName(service.service_code, ask.language)}</h2>` : null}
<p class="answer range">${costAnswer(texts, estimate)}</p>${costMedian(ask, service)}${couple === null ? null : html`<p>${couple}</p>`}${more}
<div${isOneOfSeveral && more === null ? html` class="no-print"` : null}>${groundsOf(texts, [estimate])}${rangeNote(texts, service.service_code, [estimate])}${ownSources(texts, service)}${feesNotUsed(ask, service)}
${otherRooms(ask, service)}
${heading(care.steps)}${bill(ask, service)}
<div class="columns">
<section>${byLevel === null ? null : [heading(isReduced(estimate) ? care.byLevelBefore : care.byLevel), byLevel, coverage, admission(texts, service)]}${heading(care.rooms)}${rooms(ask, service)}</section>
<section>${heading(care.staffing)}${staffing(ask, service)}</section></div>
${quality(ask, service, heading)}</div>`;
}

/** The monthly cost in a sentence, or the reason why it is unknown. */
function costAnswer(texts: Texts, estimate: CostEstimate): Fragment {
  const { care } = texts;
  const monthly = monthlyOf(estimate);
  if (monthly === null) {
    const { reason } = estimate;
    return reason === null ? care.unknownCost : `${care.unknownCost} (${care.reason[reason] ?? reason})`;
  }
  const range = yenRange(texts, monthly);
  return withMarked(monthlyText(texts, estimate, range), [range], () => html`<b>${yenCell(texts, monthly)}</b>`);
}

/** The parts of a figure that come from a register or a list of filings, and the deposit. */
function ownSources(
  { care, frame }: Texts,
  { register, filed_additions, cost_estimate, deposit_yen }: FacilityService,
): Fragment {
  const lines: string[] = [];
  if (register !== null) {
    // A home that only the register has: there was no office to match.
    if (register.matched_by === null)
      lines.push(isWithoutCare(cost_estimate) ? care.fromRegister : care.fromRegisterWithCare);
    const fees = (['rent', 'management_fees', 'food'] as const).filter(
      (fee) => cost_estimate.basis?.[fee] === 'register',
    );
    if (fees.length > 0) {
      const how = register.matched_by === null ? '' : (care.matchedBy[register.matched_by] ?? '');
      const names = frame.list(fees.map((fee) => care.parts[fee] ?? fee));
      lines.push(care.registerFees(names, care.registerKinds[register.kind] ?? register.kind, how));
    }
  }
  if (cost_estimate.basis?.additions === 'filed') {
    const names = filed_additions ?? [];
    lines.push(names.length === 0 ? care.filedNone : care.filedAdditions(frame.list(names)));
    if (cost_estimate.additions?.confidence === 'unconfirmed') lines.push(care.filedUnconfirmed);
  }
  if (deposit_yen !== null) lines.push(care.deposit(care.yen(deposit_yen)));
  return lines.map((line) => html`<p class="note">${line}</p>`);
}

/** A table of a service's values and of their position among those of other homes; null when no value is known. */
function quality(
  ask: KaigoAsk,
  { quality: qualityFigures, service_name }: FacilityService,
  heading: (text: string) => Html,
): Fragment {
  if (qualityFigures === null) return null;
  const { care } = textsOf(ask);
  const label = `${service_name}: ${care.quality}`;
  const standing = ({ percentile, known: count, of }: QualityFigure['japan']): string => {
    const percent = Math.round((100 * count) / of);
    return percentile === null ? care.standingUnknown(percent) : care.standing(Math.round(percentile), percent);
  };
  const rows = QUALITY_NAMES.flatMap((name) => {
    const figure = qualityFigures[name];
    return figure === null ? [] : { name, figure };
  });
  const figures = table<(typeof rows)[number]>(
    { label },
    'sheet n3',
    [
      { name: care.qualityFigure, content: ({ name }) => care.qualityNames[name] ?? name },
      numberColumn(care.qualityValue, ({ figure }) => figure.value),
      { name: care.inPrefecture, content: ({ figure }) => standing(figure.prefecture) },
      { name: care.inJapan, content: ({ figure }) => standing(figure.japan) },
    ],
    rows,
  );
  return html`${heading(care.quality)}${scrolling(label, figures)}<p class="note">${care.qualityNote}</p>`;
}

/** The legal least care level, for a service that has one and whose facility publishes none; otherwise null. */
function admission({ care }: Texts, { service_code, minimum_care_level }: FacilityService): Fragment {
  if (minimum_care_level !== null || !FROM_LEVEL_3.includes(service_code)) return null;
  return html`<p class="note">${care.admission}</p>`;
}

/** True for a published fee that is one sum; false for a fee in words, such as 3万円～ or 要相談. */
const isOneSum = (text: string): boolean => /^\D*[\d,.]+\D*$/.test(text) && !/[～〜~]|以[上下内]/.test(text);

/**
 * Published fees of the home that are not used in the figure, with the reason: a fee is no single sum, equals an amount
 * of the price lists, or differs from what can be right.
 */
function feesNotUsed(ask: KaigoAsk, { service_code, as_published, cost_estimate }: FacilityService): Fragment {
  const { care, frame } = textsOf(ask);
  // Without a figure, the page says why there is none. Only of a home whose rent is unknown the fees are shown as well.
  if (cost_estimate.monthly_yen === null && cost_estimate.reason !== 'no_rent_known') return null;
  const lines = Object.entries(care.feeNames).flatMap(([field, name]) => {
    const text = as_published[field];
    if (text === undefined || !/[\p{L}\p{N}]/u.test(text)) return [];
    const fee = publishedFee({ care }, text);
    // No figure uses the deposit: it is shown as published, like a fee in words (家賃の2か月分).
    const isInWords = !isOneSum(text) || field === 'deposit_yen';
    if (isInWords) return [isolated(care.feeInWords(name, fee), [fee])];
    const listed = ask.kaigo.feeInLists(service_code, field, text);
    if (listed === null) return [isolated(care.feeNotUsed(name, fee), [fee])];
    const stages = listed.stages.map((stage) => care.incomeNames[stage] ?? stage);
    return [isolated(care.feeOfLists(name, fee, frame.list(stages), listed.until), [fee])];
  });
  return lines.map((line) => html`<p class="note">${line}</p>`);
}

/**
 * The typical bill beside the median of the prefecture; null when the median is unknown, as in all but the standard
 * case, and when the bill is unknown or lacks the rent.
 */
function costMedian(ask: KaigoAsk, { compared_with, cost_estimate }: FacilityService): Fragment {
  const { care, frame } = textsOf(ask);
  const ofPrefecture = compared_with.cost?.prefecture ?? null;
  if (ofPrefecture === null || cost_estimate.monthly_yen === null || lacksRent(cost_estimate)) return null;
  const typical = typicalText(textsOf(ask), cost_estimate, cost_estimate.monthly_yen.typical);
  if (typical === null) return null;
  return html`<p>${frame.list([typical, care.median(care.yen(Math.round(ofPrefecture.median)))])}</p>`;
}

/** Medians and quartiles of a value among the same services elsewhere. */
type ComparedValue = FacilityService['compared_with']['occupancy'];

/** A name and its value; null: unknown. */
type Fact = readonly [name: string, value: Fragment];

/** Limit of the unknown values with a line each. More of them share one line. */
const MOST_UNKNOWN = 2;

/** Names and values. Unknown values are hatched and labelled. */
function facts(ask: KaigoAsk, pairs: readonly Fact[]): Html {
  const { frame } = textsOf(ask);
  const isKnown = ([, value]: Fact): boolean => value !== null && value !== undefined;
  const unknown = pairs.filter((fact) => !isKnown(fact)).map(([name]) => name);
  const areFew = unknown.length <= MOST_UNKNOWN;
  const row = (fact: Fact): Fragment => {
    const [name, value] = fact;
    if (isKnown(fact)) return html`<dt>${name}</dt><dd>${value}</dd>`;
    return areFew ? html`<dt>${name}</dt><dd class="unknown">${frame.unknown}</dd>` : null;
  };
  return html`<dl class="facts">${pairs.map(row)}${areFew ? null : html`<dt>${frame.unknown}</dt><dd class="unknown">${frame.list(unknown)}</dd>`}</dl>`;
}

/** Staff, places and residents of a service, beside the medians of its prefecture. */
function staffing(ask: KaigoAsk, service: FacilityService): Html {
  const { staffing: staff, capacity, users, occupancy, opened_on, compared_with } = service;
  const texts = textsOf(ask);
  const { care } = texts;
  const people = (value: number | null | undefined): Fragment =>
    value === null || value === undefined ? null : care.people(value);
  const countedOn = (value: number | null, day: string | null): Fragment =>
    value === null || day === null ? people(value) : care.counted(care.people(value), day);
  const besideMedian = (
    value: string | Html,
    elsewhere: ComparedValue,
    shown: (median: number) => string,
  ): Fragment => {
    const median = elsewhere.prefecture?.median;
    return html`${value}${median === undefined ? null : html`<br><small>${care.median(shown(median))}</small>`}`;
  };
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  return facts(ask, [
    [
      care.ratio,
      staff?.users_per_care_staff == null
        ? null
        : besideMedian(
            html`${care.ratioValue(staff.users_per_care_staff.toFixed(2))}<br><small>${texts.frame.list(countedOf(texts, staff))}</small>`,
            compared_with[staff.basis === 'fte' ? 'users_per_care_staff_fte' : 'users_per_care_staff'],
            (median) => care.ratioValue(median.toFixed(2)),
          ),
    ],
    [care.staffTotal, people(staff?.staff_total)],
    [care.careStaff, people(staff?.care_staff)],
    [care.nurses, people(staff?.nurses)],
    [care.capacity, people(capacity)],
    [care.users, people(users)],
    [care.occupancy, occupancy === null ? null : besideMedian(percent(occupancy), compared_with.occupancy, percent)],
    ...(service.vacancies === null
      ? []
      : [[care.vacancies, countedOn(service.vacancies, service.vacancies_on)] as const]),
    [care.waiting, countedOn(service.waiting, service.waiting_on)],
    [care.opened, opened_on],
    ...(service.third_party_evaluation === null
      ? []
      : [
          [
            care.evaluation,
            service.third_party_evaluation ? care.evaluated(service.evaluated_on) : care.notEvaluated,
          ] as const,
        ]),
  ]);
}

/** The number and kind of a service's rooms. */
function rooms(ask: KaigoAsk, { rooms: known }: FacilityService): Html {
  const { care } = textsOf(ask);
  return facts(ask, [
    [care.privateRooms, known?.private == null ? null : care.roomsCount(known.private)],
    [care.sharedRooms, known?.shared == null ? null : care.roomsCount(known.shared)],
    [care.roomKind, known === null || known.kind === null ? null : (care.roomKinds[known.kind] ?? known.kind)],
  ]);
}

/** The published address; in English followed by its municipality in Latin letters. */
function addressHtml(ask: KaigoAsk, facility: Facility): Fragment {
  const { municipality_code: code, prefecture_code, prefecture } = facility;
  const address = addressOf(facility);
  const latin = code === null ? null : latinWard(ask, code);
  if (address === null) return null;
  if (latin === null) return html`<bdi>${address}</bdi>`;
  return html`<bdi>${address}</bdi><br><small>${latin}, ${prefectureNamed(ask, prefecture_code, prefecture)}</small>`;
}

/** A telephone number that a press calls; null when it is unknown. */
const phoneLink = (phone: string | null): Fragment =>
  phone === null ? null : html`<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phoneNumber(phone)}</a>`;

/** Address, telephone, pages and position of a facility. */
function contact(ask: KaigoAsk, facility: Facility): Html {
  const { care } = textsOf(ask);
  const address = webAddress(facility.url);
  // The page of the ministry about each service that has one.
  const pages = facility.services.flatMap(({ service_code, ministry_url }) => {
    const page = webAddress(ministry_url);
    return page === null ? [] : [{ service: serviceName(service_code, ask.language), page }];
  });
  const position =
    facility.lat === null || facility.lon === null
      ? (care.locationNote[facility.location] ?? null)
      : `${facility.lat.toFixed(5)}, ${facility.lon.toFixed(5)}`;
  return facts(ask, [
    [care.address, addressHtml(ask, facility)],
    [care.phone, phoneLink(facility.phone)],
    ...facility.services.flatMap(({ service_code, phone }): Fact[] =>
      phone === null || phone === facility.phone
        ? []
        : [[care.phoneOf(serviceName(service_code, ask.language)), phoneLink(phone)]],
    ),
    [care.website, address === null ? null : html`<a rel="nofollow noreferrer" href="${address}">${address}</a>`],
    ...pages.map(
      ({ service, page }) =>
        [care.ministryPage, html`<a rel="nofollow noreferrer" href="${page}">${service}</a>`] as const,
    ),
    [care.location, position],
  ]);
}

/** The corporation of a facility and its number of offices. */
function corporation(
  ask: KaigoAsk,
  { corporation: { name, corporate_number, offices_total, offices_in_prefecture } }: Facility,
): Html {
  const { care } = textsOf(ask);
  return facts(ask, [
    [care.corporation, name && html`<bdi>${name}</bdi>`],
    [care.corporateNumber, corporate_number],
    [care.officesLabel, offices_total === null ? null : care.offices(offices_total, offices_in_prefecture)],
  ]);
}
