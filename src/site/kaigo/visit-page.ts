import type { QualityFigure } from '../../contract/kaigo-quality.ts';
import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Html, html, phoneNumber, unbroken } from '../markup.ts';
import { answerOf } from '../sunlight/building-words.ts';
import type { Texts } from '../texts/texts.ts';
import { invalid, type KaigoAsk, notFound, type PageResult, pageLink, sentenceGap, textsOf } from '../view.ts';
import {
  caseAndResults,
  caseFaultText,
  caseIn,
  caseLine,
  crumbsFromSearch,
  homePath,
  RESULT_FIELD_NAMES,
} from './case.ts';
import {
  costNames,
  excludedOf,
  type FacilityService,
  isWithoutCare,
  monthlyOf,
  monthlyText,
  publishedFee,
  yenRange,
} from './money.ts';
import { addressOf, hazardSection, municipalityOf, sightOfHome } from './place.ts';
import { FROM_LEVEL_3, HOMES, STAYS, serviceName, serviceOrder } from './services.ts';

/** A value is high when at least this per cent of the prefecture's homes have a lower one. */
const UNUSUAL_PERCENTILE = 80;

/** An A4 sheet for a visit: questions from what is unknown or unusual there. */
export async function visitPage(ask: KaigoAsk): Promise<PageResult> {
  const texts = textsOf(ask);
  const { care } = texts;
  const { visit } = care;
  const id = ask.values.facility_id;
  const careCase = caseIn(ask.query);
  const fault = caseFaultText(ask);
  if (fault !== null) return invalid(fault);
  const facility = ask.kaigo.facility(id, careCase)?.toJSON() ?? null;
  if (facility === null) return notFound(care.unknownFacility(id));
  const name = texts.frame.apart(facility.name, municipalityOf(ask, facility));
  const [mainService] = facility.services.toSorted(
    (a, b) => serviceOrder(a.service_code) - serviceOrder(b.service_code),
  );
  const monthly = mainService === undefined ? null : monthlyOf(mainService.cost_estimate);
  const cost =
    mainService === undefined || monthly === null
      ? null
      : html`<p>${unbroken(monthlyText(texts, mainService.cost_estimate, yenRange(texts, monthly)))}</p>`;
  const hasNoCare = mainService !== undefined && isWithoutCare(mainService.cost_estimate);
  const phone = facility.phone === null ? null : html` · ${phoneNumber(facility.phone)}`;
  const path = homePath(ask, id);
  const sun = await sightOfHome(ask, facility);
  const sunLabel = texts.frame.labelled(care.sunHeading, '');
  const sunLine = sun && html`<p>${sunLabel}${answerOf(texts, sun.choice)}${sentenceGap(texts)}${care.sunFrom}</p>`;
  const service = mainService && `${serviceName(mainService.service_code, ask.language)} · `;
  const caseNote = hasNoCare ? html`<p class="note">${care.noCareInFigure}</p>` : caseLine(ask, careCase);
  const blanks = html`<table class="sheet n1" aria-label="${visit.title(facility.name)}"><tbody><tr><th class="blank" scope="row">${visit.visitDay}</th><td class="blank"></td><th class="blank" scope="row">${visit.guide}</th><td class="blank"></td></tr></tbody></table>`;
  const groups =
    mainService === undefined ? [] : Object.entries(questionsOf(texts, facility, mainService, levelsIn(ask.query)));
  return {
    kind: 'page',
    title: visit.title(name),
    description: texts.frame.labelled(name, visit.lead),
    crumbs: [...crumbsFromSearch(ask), { name: facility.name, path }],
    main: html`<div class="sheet-a4"><h1><bdi>${facility.name}</bdi> <small>${visit.heading}</small></h1><p class="no-print">${visit.lead}${sentenceGap(texts)}<a href="${pageLink(ask, path)}">${visit.back}</a></p>
<p class="quiet">${service}<bdi>${addressOf(facility) ?? facility.prefecture}</bdi>${phone}</p>
${cost}${caseNote}
${blanks}
${hazardSection(texts, facility)}${sunLine}
${groups.map(([group, questions]) => (questions.length === 0 ? null : questionTable(texts, visit.groups[group] ?? group, questions)))}
<p class="note">${care.careDate(ask.dataset.manifest.halves.kaigo?.data_through ?? null)}</p></div>`,
    notPrinted: RESULT_FIELD_NAMES,
    isPersonal: caseAndResults(ask.query).length > 0,
    ...(sun?.refusal != null && { incomplete: { refusal: sun.refusal, lacksAnswer: false } }),
  };
}

/** A group of questions as a table with blank cells for the answers. */
function questionTable({ care: { visit } }: Texts, name: string, questions: readonly string[]): Html {
  const rows = questions.map((question) => html`<tr><td>☐ ${unbroken(question)}</td><td class="blank"></td></tr>`);
  return html`<h2>${name}</h2><table aria-label="${name}">
<thead><tr><th scope="col">${visit.question}</th><th class="blank" scope="col">${visit.answer}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

type Questions = Record<'money' | 'care' | 'admission' | 'place', string[]>;

/** The care levels in a query: that of the case and that of a partner. */
const levelsIn = (query: URLSearchParams): string[] =>
  ['care_level', 'partner'].flatMap((name) => query.get(name) ?? []).filter((level) => level !== 'none');

/**
 * Questions for a visit, by group. The function of each group leaves out what does not concern the service: for rental,
 * all about living or staying there.
 * @param chosen the care levels that the visitor chose
 */
function questionsOf(texts: Texts, facility: Facility, service: FacilityService, chosen: readonly string[]): Questions {
  return {
    money: moneyQuestions(texts, service),
    care: careQuestions(texts, service),
    admission: admissionQuestions(texts, service, chosen),
    place: placeQuestions(texts, facility, service),
  };
}

/** The questions whose condition holds: the others are false or null. */
const present = (...questions: (string | null | false)[]): string[] =>
  questions.filter((one) => typeof one === 'string');

/** Questions about costs: fees that are standard ones, costs outside the figure, and additions. */
function moneyQuestions(
  { care, frame }: Texts,
  { service_code, cost_estimate: estimate, as_published, filed_additions: filed }: FacilityService,
): string[] {
  const { visit } = care;
  const { basis, parts, excludes } = estimate;
  const yen = (part: { low: number } | null | undefined): string => care.yen(part?.low ?? 0);
  const published = (...fields: string[]): string =>
    fields.flatMap((field) => publishedFee({ care }, as_published[field] ?? '') || []).join('、');
  const food = published('food_yen_per_day', 'food_yen_per_month');
  const room = published(
    'room_yen_per_day',
    'unit_room_yen_per_day',
    'private_room_yen_per_day',
    'shared_room_yen_per_day',
  );
  const rent = parts?.rent == null ? published('rent_yen_per_month') : '';
  const missing = costNames(
    { care },
    excludedOf(estimate).filter((name) => name !== 'initial_payment'),
  );
  const additionsYen = parts === null || parts.additions.typical === 0 ? null : care.yen(parts.additions.typical);
  const aboutAdditions = parts !== null && !isWithoutCare(estimate) && visit.additions(additionsYen);
  return present(
    basis?.food === 'standard' && visit.foodStandard(yen(parts?.food)),
    basis?.food === 'standard_refused' && visit.foodRefused(food, yen(parts?.food)),
    basis?.room === 'standard' && visit.roomStandard(yen(parts?.residence)),
    basis?.room === 'standard_refused' && visit.roomRefused(room, yen(parts?.residence)),
    missing.length > 0 && visit.notIncluded(frame.list(missing), missing.length),
    rent !== '' && visit.rentInWords(rent),
    isWithoutCare(estimate) && visit.careContract,
    excludes.includes('initial_payment') && visit.initialPayment,
    filed !== null && filed.length > 0 ? visit.filed(frame.list(filed)) : aboutAdditions,
    STAYS.includes(service_code) && visit.smallCosts,
  );
}

/** True when a value is higher than in most homes of the prefecture. */
const isHigh = (figure: QualityFigure | null | undefined): boolean =>
  (figure?.prefecture.percentile ?? 0) >= UNUSUAL_PERCENTILE;

/** Questions about staff and care, from values that are unknown or high. */
function careQuestions({ care: { visit } }: Texts, service: FacilityService): string[] {
  const { staffing, quality, medical_acceptance, third_party_evaluation, service_code } = service;
  const isStay = STAYS.includes(service_code);
  const ratio = quality?.users_per_care_staff ?? quality?.users_per_care_staff_fte;
  return present(
    isStay && staffing?.users_per_care_staff == null && visit.staffUnknown,
    staffing?.shared_with != null && visit.staffShared,
    staffing?.basis === 'head_count' && staffing.shared_with === null && visit.staffHeads,
    isHigh(ratio) && visit.staffFew(String(ratio?.value)),
    isHigh(quality?.turnover_percent) && visit.turnoverHigh(String(quality?.turnover_percent?.value)),
    quality?.turnover_percent == null && visit.turnoverUnknown,
    isStay && !quality?.nurses_at_night?.value && visit.nightNurses,
    isStay && medical_acceptance === null && visit.medical,
    HOMES.includes(service_code) && visit.endOfLife,
    third_party_evaluation !== true && visit.evaluation,
  );
}

/** Questions about vacancies, the waiting list and who is admitted. */
function admissionQuestions({ care }: Texts, service: FacilityService, chosenLevels: readonly string[]): string[] {
  const { visit } = care;
  const { waiting, vacancies, minimum_care_level, service_code } = service;
  if (!STAYS.includes(service_code)) return [];
  const isHome = HOMES.includes(service_code);
  // Homes that admit from level 3 may admit levels 1 and 2 by exception. A higher level needs no exception.
  const mayNeedException = chosenLevels.length === 0 || chosenLevels.includes('1') || chosenLevels.includes('2');
  const aboutLevel = FROM_LEVEL_3.includes(service_code) ? mayNeedException && visit.fromLevel3 : visit.fromLevel;
  return present(
    vacancies === null && visit.vacancies,
    waiting === null ? isHome && visit.waiting : waiting > 0 && visit.waitingMany(care.people(waiting)),
    isHome && minimum_care_level === null && aboutLevel,
    isHome && visit.couple,
  );
}

/** Questions about rooms, sun and position. */
function placeQuestions({ care, frame }: Texts, { location, hazards }: Facility, service: FacilityService): string[] {
  const { visit, roomNames } = care;
  const { rooms, capacity, cost_estimate, service_code } = service;
  const others = cost_estimate.other_rooms.map(({ room }) => roomNames[room] ?? room);
  const isHome = HOMES.includes(service_code);
  const isInZone = (hazards?.flood?.rank ?? 0) > 0 || (hazards?.landslide ?? []).length > 0;
  return present(
    isInZone && (STAYS.includes(service_code) ? visit.evacuation : visit.disaster),
    isHome && (rooms === null || rooms.kind === null) && visit.rooms,
    others.length > 0 && visit.otherRooms(frame.list(others)),
    STAYS.includes(service_code) && capacity === null && visit.capacity,
    isHome && visit.sun,
    location !== 'published' && visit.position,
  );
}
