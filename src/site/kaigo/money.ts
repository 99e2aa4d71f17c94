import { type CostEstimate, hasPublishedFees, isPartOfBill, leftToPay } from '../../contract/kaigo-cost.ts';
import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import { type Fragment, type Html, html, isolated, scrolling, unbroken, withMarked } from '../markup.ts';
import { type Column, numberColumn, table } from '../table.ts';
import type { BillKind } from '../texts/care.ts';
import type { Texts } from '../texts/texts.ts';
import { type KaigoAsk, type PageAsk, sentenceGap, textsOf } from '../view.ts';
import { caseIn } from './case.ts';

/** One service of a facility. */
export type FacilityService = Facility['services'][number];

/** A range of yen as text. */
export const yenRange = ({ care }: Texts, { low, high }: { low: number; high: number }): string =>
  care.range(care.yen(low), care.yen(high));

/** Text that stays on one line. */
const oneLine = (text: string): Html => html`<span class="nowrap">${text}</span>`;

/** A range of yen in which a line may break only between its two numbers. */
export function yenCell({ care }: Texts, { low, high }: { low: number; high: number }): Html {
  return low === high
    ? oneLine(care.yen(low))
    : html`${oneLine(care.yen(low) + care.rangeMark)}<wbr>${oneLine(care.yen(high))}`;
}

type Bill = NonNullable<CostEstimate['monthly_yen']>;

/** The figure by which a page compares homes, and which it shows first: tables by `low`, other pages by `typical`. */
export type ComparedFigure = 'low' | 'typical';

/** The monthly amount after refunds. */
export const monthlyOf = ({ after_refund, monthly_yen }: CostEstimate): Bill | null => after_refund ?? monthly_yen;

/** The monthly amount after refunds, of both people of a couple: what homes are compared by. */
export const paidTogether = (estimate: CostEstimate): Bill | null =>
  estimate.couple === undefined ? monthlyOf(estimate) : leftToPay(estimate);

/** Small costs that every home has, paid by the day or by the item. Every figure leaves them out. */
const SMALL = ['other_additions', 'daily_necessities', 'medical_costs', 'hairdressing', 'high_cost_refund'];

const isLarge = (cost: string): boolean => !SMALL.includes(cost);

/** Further monthly costs that the figure leaves out: rent, food and so on. In order of their codes. */
export const excludedOf = ({ excludes }: CostEstimate): string[] => excludes.filter(isLarge).sort();

/** All that the shown figure leaves out. A figure after the refund does not leave the refund out. */
export const leftOutOf = ({ excludes, after_refund }: CostEstimate): string[] =>
  excludes.filter((name) => after_refund === null || name !== 'high_cost_refund');

/** The names of costs for readers. */
export const costNames = ({ care }: Pick<Texts, 'care'>, costs: readonly string[]): string[] =>
  costs.map((name) => care.excludeNames[name] ?? name);

/** The monthly costs in one sentence, with the large ones that the figure leaves out, in the order of the estimate. */
export function monthlyText({ care, frame }: Texts, estimate: CostEstimate, range: string): string {
  const excluded = costNames({ care }, estimate.excludes.filter(isLarge));
  const sentence = care.monthly(range, periodOf({ care }, estimate), billKind([estimate]));
  return excluded.length === 0 ? sentence : frame.sentences(sentence, care.besides(frame.list(excluded)));
}

/** True when limits or refunds reduce a bill. */
export const isReduced = ({ after_refund: after, monthly_yen: bill }: CostEstimate): boolean =>
  after !== null && bill !== null && (after.low < bill.low || after.high < bill.high);

/** The costs of two people together, in one sentence; null without a partner. */
export function coupleText(texts: Texts, { couple }: CostEstimate): string | null {
  if (couple === undefined) return null;
  return couple === null ? texts.care.coupleUnknown : texts.care.couple(yenRange(texts, couple.after_refund));
}

/**
 * A table cell with the monthly amount after refunds; or why there is none. In bold stands the typical amount, if
 * `figure` is `typical`, additions are known, and the bill is a range; otherwise the range. The other of the two is
 * below it, with the bill before refunds and notes.
 */
export function costCell(texts: Texts, estimate: CostEstimate, figure: ComparedFigure): Html {
  const { care } = texts;
  const { reason, monthly_yen: bill } = estimate;
  const monthly = monthlyOf(estimate);
  if (monthly === null || bill === null) {
    return html`<td class="number unknown" data-label="${care.costShort}">${care.unknownCost}${reason === null ? null : html`<small>${care.reason[reason] ?? reason}</small>`}</td>`;
  }
  const typical = monthly.low === monthly.high ? null : typicalText(texts, estimate, monthly.typical);
  const range = yenCell(texts, monthly);
  const typicalHtml = typical === null ? null : withMarked(typical, [care.yen(monthly.typical)], oneLine);
  const isTypicalBold = figure === 'typical' && typicalHtml !== null;
  const lines: Fragment[] = [
    isTypicalBold ? range : null,
    coupleText(texts, estimate),
    coverageText(texts, estimate),
    isTypicalBold ? null : typicalHtml,
    isReduced(estimate)
      ? withMarked(care.beforeRefund(yenRange(texts, bill)), [care.yen(bill.low), care.yen(bill.high)], oneLine)
      : null,
    roomsHtml(texts, estimate),
    feesText(texts, estimate),
    estimate.area_grade_from === 'assumed' && bill.high > 0 ? care.areaAssumed : null,
  ];
  const [first = null, ...others] = lines.filter((line) => line !== null);
  return html`<td class="number" data-label="${care.costShort}" data-low="${monthly.low}" data-high="${monthly.high}"><b>${isTypicalBold ? typicalHtml : range}</b><small>${first}${others.map((line) => html`<br>${line}`)}</small></td>`;
}

/** The typical bill in words; null when no additions to the base fee are known. */
export function typicalText({ care }: Pick<Texts, 'care'>, estimate: CostEstimate, typical: number): string | null {
  if (isWithoutCare(estimate)) return care.typicalRent(care.yen(typical));
  if (estimate.basis?.additions === 'filed') return care.typicalFiled(care.yen(typical));
  if (estimate.additions !== null) return care.typical(care.yen(typical));
  return estimate.treatment_permille === null ? null : care.typicalTreatment(care.yen(typical));
}

/**
 * The large costs that the figure of a home leaves out, in words; null when it leaves out none. By what the figure is:
 * - the share of the base fee of insured care: all other costs;
 * - the share of insured care: the costs of living (none for a service in which nobody lives or eats);
 * - insured care and some published fees: the other costs of living, and management fees;
 * - a whole bill: costs of living that are unknown.
 */
export function coverageText(texts: Texts, estimate: CostEstimate): string | null {
  const { care } = texts;
  if (isBasePart(estimate)) return care.basePartOnly;
  const withoutLiving = livingCosts(texts, estimate);
  if (isInsuredPart(estimate)) return withoutLiving === null ? null : care.insuredPartOnly(withoutLiving);
  const missing = isPartOfBill(estimate)
    ? costsLeftOut(texts, estimate, [...LIVING, 'management_fees'])
    : withoutLiving;
  return missing === null ? null : care.leftOut(missing);
}

/** The costs of living of which a figure of insured care has none. */
const LIVING = ['rent', 'food', 'meals', 'lodging'];

/** The costs of living that a figure leaves out, in words; null when there are none. */
const livingCosts = (texts: Texts, estimate: CostEstimate): string | null => costsLeftOut(texts, estimate, LIVING);

/** Those of some costs that a figure leaves out, in words; null when there are none. */
function costsLeftOut({ care, frame }: Texts, { excludes }: CostEstimate, costs: readonly string[]): string | null {
  const missing = costs.filter((name) => excludes.includes(name));
  return missing.length === 0 ? null : frame.list(costNames({ care }, missing));
}

/** The name of a kind of room. */
const roomName = ({ care }: Pick<Texts, 'care'>, kind: string): string => care.roomNames[kind] ?? kind;

/** The kind of room of a figure, and the cost in each other kind of the home; null when the price does not depend on it. */
function roomsHtml(texts: Texts, { room, parts, other_rooms: others }: CostEstimate): Html | null {
  const { care } = texts;
  if (room === null) return parts?.residence == null ? null : html`${care.roomUnknown}`;
  const lines = others.map((other) => {
    // A couple whose cost together is unknown: that of one person.
    const { low, typical, high } = leftToPay(other) ?? other.after_refund;
    const least = other.couple ? care.yenOfTwo(care.yen(low)) : care.yen(low);
    return html`<br>${unbroken(care.otherRoom(roomName(texts, other.room), least, low === high ? null : care.yen(typical)))}`;
  });
  return html`${care.figuresOf(roomName(texts, room))}${lines}`;
}

/**
 * The fees of a figure that are standard ones, or that the home publishes as ranges, in words; null when there are none.
 * A standard fee stands for one that is not published, or that is refused because it cannot be right.
 */
function feesText({ care, frame }: Texts, { basis, parts }: CostEstimate): string | null {
  const fees = [
    [care.parts.food, basis?.food],
    [care.parts.residence, basis?.room],
  ] as const;
  const namesFrom = (origin: string): string =>
    frame.list(fees.flatMap(([name = '', feeOrigin]) => (feeOrigin === origin ? [name] : [])));
  const [standard, refused] = [namesFrom('standard'), namesFrom('standard_refused')];
  const ranges = frame.list(
    (['rent', 'management_fees', 'food'] as const).flatMap((part) => {
      const range = parts?.[part];
      return range != null && range.low < range.high ? [care.parts[part] ?? part] : [];
    }),
  );
  const notes = [
    standard && care.feeStandard(standard),
    refused && care.feeRefused(refused),
    ranges && care.feeRange(ranges),
  ].filter(Boolean);
  return notes.length === 0 ? null : notes.join(care.clause);
}

/** A home with its costs. */
interface Priced {
  name: string;
  estimate: CostEstimate;
}

/** Limit of the named homes with the same lowest cost. */
const MOST_NAMED = 3;

/** One figure of a home. */
interface RoomPrice {
  name: string;
  /** The kind of room of the figure; null when the price does not depend on it. */
  room: string | null;
  yen: number;
  /** `yen` in words, which say what it is. */
  words: string;
}

/** The figure of a home, and those of its other kinds of room. */
interface HomePrice extends RoomPrice {
  inOtherRooms: (RoomPrice & { room: string })[];
}

/**
 * The compared figure of a bill in words. `low`: from this sum, then the typical bill. `typical`: the typical bill,
 * which says what additions are in it. Of a couple, and for a bill of one amount, only the sum.
 */
function figureText(texts: Texts, estimate: CostEstimate, bill: Bill, figure: ComparedFigure): string {
  const { care } = texts;
  const yen = care.yen(bill[figure]);
  if (estimate.couple !== undefined) return care.yenOfTwo(yen);
  if (bill.low === bill.high) return yen;
  // Null when no additions are known.
  const typical = typicalText(texts, estimate, bill.typical);
  return figure === 'low' ? care.fromYen(yen, typical) : (typical ?? yen);
}

/**
 * The compared figure of a home, after refunds and for both persons of a couple, and the same of its other kinds of room;
 * null when its cost is unknown.
 */
function priceOf(texts: Texts, { name, estimate }: Priced, figure: ComparedFigure): HomePrice | null {
  const monthly = paidTogether(estimate);
  if (monthly === null) return null;
  const wordsOf = (bill: Bill): string => figureText(texts, estimate, bill, figure);
  const inOtherRooms = estimate.other_rooms.flatMap((other) => {
    // As `paidTogether`, for both persons of a couple.
    const bill = leftToPay(other);
    return bill === null ? [] : [{ name, room: other.room, yen: bill[figure], words: wordsOf(bill) }];
  });
  return { name, yen: monthly[figure], words: wordsOf(monthly), room: estimate.room, inOtherRooms };
}

/**
 * Which homes are the cheapest by a figure, in sentences:
 * - the cheapest of the homes that publish their fees;
 * - those with a room of another kind that is cheaper, if any;
 * - if other homes have standard fees: how many of these would cost less or the same, or that all this is only a guide.
 *
 * With fewer than two homes that publish fees, none is named. Then the result is null; but for a list in order of cost
 * that has homes with standard fees, it says that the order is only a guide.
 */
export function cheapestLine(texts: Texts, homes: readonly Priced[], figure: ComparedFigure): Html | null {
  const { care } = texts;
  const pricesOf = (some: readonly Priced[]): HomePrice[] => some.flatMap((home) => priceOf(texts, home, figure) ?? []);
  const published = pricesOf(homes.filter(({ estimate }) => hasPublishedFees(estimate)));
  const others = pricesOf(homes.filter(({ estimate }) => !hasPublishedFees(estimate)));
  // Only tables are in order of cost, and only tables compare the low figure.
  const isOrderOfCost = figure === 'low';
  if (published.length < 2) return others.length > 0 && isOrderOfCost ? html`${care.orderIsGuide}` : null;
  const least = Math.min(...published.map(({ yen }) => yen));
  const cheaperRooms = published.flatMap((home) => home.inOtherRooms).filter(({ yen }) => yen < least);
  // The homes with standard fees are compared with the least cost that is named.
  const leastNamed = Math.min(least, ...cheaperRooms.map(({ yen }) => yen));
  const inOtherRoom = cheapestInOtherRoom(texts, cheaperRooms);
  const guide = guideOf(texts, others, leastNamed, isOrderOfCost ? care.orderIsGuide : care.comparisonIsGuide);
  const more = [inOtherRoom, others.length === 0 ? null : guide].filter((sentence) => sentence !== null);
  return html`${cheapestOf(texts, published, least)}${more.map((sentence) => html`${sentenceGap(texts)}${sentence}`)}`;
}

/**
 * A sentence about the homes that publish no fees: how many of them would cost less than the cheapest home that
 * publishes its fees, or the same.
 * @param homes those that publish no fees, with their costs at standard fees
 * @param leastNamed the cost of the cheapest home that was named
 * @param general the sentence when none would cost less or the same
 */
function guideOf({ care }: Texts, homes: readonly HomePrice[], leastNamed: number, general: string): string {
  const costs = homes.map((home) => Math.min(home.yen, ...home.inOtherRooms.map(({ yen }) => yen)));
  const cheaper = costs.filter((yen) => yen < leastNamed);
  if (cheaper.length > 0) return care.cheaperUnpublished(cheaper.length, care.yen(Math.min(...cheaper)));
  const tied = costs.filter((yen) => yen === leastNamed).length;
  return tied > 0 ? care.tiedUnpublished(tied) : general;
}

/**
 * A sentence that names the homes with the least cost, this cost, and their kind of room when all have the same one.
 * The cost is told as for the homes (`RoomPrice.words`) when they have the same words, otherwise as the sum alone.
 */
function cheapestOf(texts: Texts, homes: readonly HomePrice[], least: number): Html {
  const { care, frame } = texts;
  const cheapest = homes.filter(({ yen }) => yen === least);
  const names = cheapest.map(({ name }) => name);
  const sum = care.yen(least);
  const sameRoom = sameOf(cheapest.map((home) => home.room && roomName(texts, home.room)));
  const cost = sameOf(cheapest.map((home) => home.words)) ?? sum;
  const sentence =
    names.length > MOST_NAMED
      ? care.cheapestOf(homes.length, names.length, cost, sameRoom)
      : care.cheapest(homes.length, frame.list(names), cost, sameRoom);
  return withMarked(sentence, [...names, sum], (part) =>
    part === sum ? html`<b>${part}</b>` : html`<bdi>${part}</bdi>`,
  );
}

/** The value that all have; null when they differ. */
function sameOf(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}

/** A sentence about the cheapest of some homes in rooms of another kind than that of their figures; null for no homes. */
function cheapestInOtherRoom(texts: Texts, homes: HomePrice['inOtherRooms']): Html | null {
  const { care, frame } = texts;
  const [cheapest] = homes.toSorted((a, b) => a.yen - b.yen);
  if (cheapest === undefined) return null;
  const names = homes.filter(({ room, yen }) => room === cheapest.room && yen === cheapest.yen).map(({ name }) => name);
  const named = names.length > MOST_NAMED ? care.facilitiesCount(names.length) : frame.list(names);
  const sentence = care.cheapestInOtherRoom(roomName(texts, cheapest.room), named, cheapest.words);
  return html`${isolated(sentence, names)}`;
}

/** The reason why all homes of a list have the same costs, or costs that differ only by the kind of room. */
export function sameCostText(texts: Texts, estimates: readonly CostEstimate[]): string {
  const { care } = texts;
  if (new Set(estimates.map(({ room }) => room)).size > 1) return care.nationalPriceByRoom;
  // All homes of a list are of one service, so the first one tells what their figures leave out.
  const [first] = estimates;
  const leftOut = first === undefined ? null : livingCosts(texts, first);
  // Before the reductions: rent and food, which shares of insured care leave out, differ also after reductions.
  if (estimates.every(isInsuredPart) && leftOut !== null) return care.nationalInsuredPart(billKind(estimates), leftOut);
  if (estimates.some(isReduced)) return care.sameAfterReductions;
  return estimates.some(hasPublishedFees) ? care.sameFees : care.nationalPrice;
}

/**
 * The meaning of the ends of a range when the kind of room or the tariff of a home is unknown; otherwise null. Only care
 * levels have such ranges; for a support level, `care_level` is null.
 */
export function rangeNote(
  { care }: Pick<Texts, 'care'>,
  service: string,
  estimates: readonly CostEstimate[],
): Fragment {
  const note = care.rangeNotes[service];
  const isRange = ({ monthly_yen: bill, room, scenario }: CostEstimate): boolean =>
    bill !== null && room === null && bill.low < bill.high && typeof scenario.care_level === 'number';
  return note === undefined || !estimates.some(isRange) ? null : html`<p class="note">${note}</p>`;
}

/** True when a figure is only the share of insured care. */
export const isInsuredPart = ({ basis }: CostEstimate): boolean => basis?.bill === 'insured_part_only';

/** True when the figure is only the share of the base fee: the insured services of other offices are not in it. */
const isBasePart = ({ excludes }: CostEstimate): boolean => excludes.includes('delegated_services');

/** True for a home without insured care, which is only in a register. It has a figure if its rent is known. */
export const isWithoutCare = ({ excludes, reason }: CostEstimate): boolean =>
  excludes.includes('insured_care') || reason === 'no_rent_known';

/**
 * What some figures are alike, so that one sentence fits all of them. When all are a share of insured care: `base` if
 * all are the share of the base fee only, else `insured`. When all are of homes without insured care: `home` if all
 * have rent, food and management fees, else `home_part`. Otherwise `part` if all leave out some of rent and food, else
 * `whole`.
 */
export function billKind(estimates: readonly CostEstimate[]): BillKind {
  if (estimates.every(isInsuredPart)) return estimates.every(isBasePart) ? 'base' : 'insured';
  if (estimates.every(isWithoutCare)) {
    const areWhole = estimates.every(({ parts }) => parts?.rent && parts.food && parts.management_fees);
    return areWhole ? 'home' : 'home_part';
  }
  return estimates.every(isPartOfBill) ? 'part' : 'whole';
}

/** The period or number of visits of a figure, in words. */
export const periodOf = ({ care }: Pick<Texts, 'care'>, { scenario: { visits, visit = '' } }: CostEstimate): string =>
  care.period(visits ?? null, care.visitNames[visit] ?? null);

/** The known figures of whole bills; if there are none, all known figures. */
export function comparable(estimates: readonly CostEstimate[]): readonly CostEstimate[] {
  const known = estimates.filter((estimate) => monthlyOf(estimate) !== null);
  const whole = known.filter((estimate) => !isPartOfBill(estimate));
  return whole.length === 0 ? known : whole;
}

/**
 * The origin of the fees for food, room and rent, as one code for several figures:
 * - null: no figure has an origin
 * - `published_part`: all have insured care and published fees, but of homes without insured care
 * - `published_rent`: all have published fees, with a rent
 * - another origin that all figures share
 * - `mixed`: the origins differ, and some figures leave out a part of the bill
 * - `published_and_standard_fees`: the origins of whole bills differ
 */
export function basisOf(estimates: readonly CostEstimate[]): string | null {
  const [origin = null, ...others] = new Set(estimates.flatMap(({ basis }) => basis?.bill ?? []));
  if (others.length === 0) {
    if (origin === 'insured_part_and_published_fees' && estimates.every(isWithoutCare)) return 'published_part';
    const hasRent = estimates.some(({ parts }) => parts?.rent != null);
    return origin === 'published_fees' && hasRent ? 'published_rent' : origin;
  }
  return estimates.some(isPartOfBill) ? 'mixed' : 'published_and_standard_fees';
}

/**
 * The basis of the figures of one service, whether they are confirmed, and their price list, in one line; below it what
 * they leave out. Null without any basis: then there are no figures.
 */
export function groundsOf({ care, frame }: Texts, estimates: readonly [CostEstimate, ...CostEstimate[]]): Fragment {
  const name = basisOf(estimates);
  // Figures by the price list have a confidence. It does not apply to a home without insured care.
  const confidences = estimates.every(isWithoutCare) ? [] : estimates.flatMap(({ confidence }) => confidence ?? []);
  // One figure that is not confirmed makes all of them so.
  const confidence = confidences.find((one) => one !== 'confirmed') ?? confidences[0];
  const parts = [
    name === null ? null : (care.basis[name] ?? name),
    confidence === undefined ? null : (care.confidence[confidence] ?? confidence),
    confidences.length === 0 ? null : care.priceList(estimates[0].price_list),
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const leftOut = estimates.map(leftOutOf);
  const isOfAll = (name: string): boolean => leftOut.every((names) => names.includes(name));
  const names = [...new Set(leftOut.flat())];
  const [ofAll, ofSome] = [names.filter(isOfAll), names.filter((name) => !isOfAll(name))];
  const line = (lead: string, some: readonly string[]): Fragment =>
    some.length === 0 ? null : html`<br>${frame.labelled(lead, frame.list(costNames({ care }, some)))}`;
  return html`<p class="note">${parts.join(care.clause)}${line(care.excludes, ofAll)}${line(care.excludesOfSome, ofSome)}</p>`;
}

/** A line of a bill: a part of it, a reduction, or a sum. */
interface BillRow {
  name: string;
  range: Bill;
  sign?: string;
  isSum?: boolean;
}

/** The name of the sum of a bill. It names the large monthly costs that are not in the sum. */
function totalName({ care, frame }: Texts, estimate: CostEstimate): string {
  const missing = excludedOf(estimate).filter((name) => name !== 'initial_payment');
  if (missing.length > 0) return care.totalWithout(frame.list(costNames({ care }, missing)));
  return isInsuredPart(estimate) ? care.totalInsured : care.total;
}

/** A published fee as text: a number alone gets its unit. */
export const publishedFee = ({ care }: Pick<Texts, 'care'>, text: string): string =>
  /^[\d,]+$/.test(text.normalize('NFKC')) ? care.yen(Number(text.normalize('NFKC').replaceAll(',', ''))) : text;

/** The lines of a bill: its parts, their sum, the reductions, and the amount after them. */
function billRows(
  texts: Texts,
  estimate: CostEstimate,
  parts: NonNullable<CostEstimate['parts']>,
  monthly: Bill,
): BillRow[] {
  const { care } = texts;
  const { after_refund: after, reductions } = estimate;
  // No lines for the additions, which are a part of the care fee, nor for the caps, which are limits: they are in notes.
  const { additions: _additions, care: careFee, ...fees } = parts;
  const { cap_yen: _cap, combined_cap_yen: _yearlyCap, ...amounts } = reductions ?? {};
  const summands = isWithoutCare(estimate) ? fees : { care: careFee, ...fees };
  return [
    ...Object.entries(summands).flatMap(([name, range]) =>
      range === null ? [] : { name: care.parts[name] ?? name, range },
    ),
    { name: totalName(texts, estimate), range: monthly, isSum: true },
    ...Object.entries(amounts).flatMap(([name, range]) =>
      range === null ? [] : { name: care.reductions[name] ?? name, range, sign: '−' },
    ),
    ...(after !== null && isReduced(estimate) ? [{ name: care.afterTotal, range: after, isSum: true }] : []),
  ];
}

/** The parts of a monthly bill, step by step, to the amount after refunds. */
export function bill(ask: KaigoAsk, { cost_estimate, service_name }: FacilityService): Fragment {
  const texts = textsOf(ask);
  const { care, frame } = texts;
  const { parts, monthly_yen: monthly, reductions } = cost_estimate;
  if (parts === null || monthly === null) return html`<p class="unknown">${frame.unknown}</p>`;
  const { additions } = parts;
  // The bill of a home without insured care has no caps.
  const lacksCare = isWithoutCare(cost_estimate);
  const cap = lacksCare ? null : (reductions?.cap_yen ?? null);
  // The estimate has only the highest of the yearly caps that the case can have. The page names all of them.
  const yearlyCaps = lacksCare ? [] : ask.kaigo.combinedCaps(caseIn(ask.query));
  const notes =
    additions.high === 0
      ? []
      : [
          frame.labelled(care.parts.additions, yenRange(texts, additions)),
          `${care.typicalColumn} ${care.yen(additions.typical)}`,
        ];
  if (cap !== null) notes.push(care.cap(care.yen(cap)));
  // The case asks for the relief, but the home does not grant it.
  const lacksRelief = cost_estimate.scenario.aid === 'social_welfare' && reductions?.welfare_relief == null;
  const label = `${service_name}: ${care.steps}`;
  const yenColumn = (name: string, of: keyof Bill): Column<BillRow> =>
    numberColumn(name, ({ range, sign = '', isSum = false }) =>
      isSum ? html`<b>${oneLine(care.yen(range[of]))}</b>` : oneLine(`${sign}${care.yen(range[of])}`),
    );
  const lines = table<BillRow>(
    { label },
    'sheet n3',
    [
      { name: care.part, content: ({ name }) => name },
      yenColumn(care.low, 'low'),
      yenColumn(care.typicalColumn, 'typical'),
      yenColumn(care.high, 'high'),
    ],
    billRows(texts, cost_estimate, parts, monthly),
  );
  return html`${scrolling(label, lines)}
<p class="note">${unbroken(frame.list(notes))}${cap === null ? null : html`<br>${unbroken(care.capOfHousehold)}`}
${yearlyCaps.length === 0 ? null : html`<span class="no-print"><br>${unbroken(care.combinedCap(yearlyCaps.map((one) => ({ ...one, yen: care.yen(one.yen) }))))}</span>`}
${lacksRelief ? html`<br>${care.reliefNotHere}` : null}</p>`;
}

/** The monthly costs in the other kinds of room of the home, one line each. */
export function otherRooms(ask: PageAsk, { cost_estimate: { room, other_rooms: others } }: FacilityService): Fragment {
  const texts = textsOf(ask);
  const { care, frame } = texts;
  if (room === null) return null;
  if (others.length === 0) return html`<p class="note">${care.figuresOf(roomName(texts, room))}</p>`;
  return html`<p>${care.mainRoom(roomName(texts, room))}</p><ul>${others.map((other) => html`<li>${frame.labelled(roomName(texts, other.room), '')}${yenCell(texts, other.after_refund)}</li>`)}</ul>`;
}

/** The bill by care level, a table. */
export function levels(ask: PageAsk, { cost_estimate, service_name }: FacilityService): Fragment {
  const { care } = textsOf(ask);
  const { by_care_level } = cost_estimate;
  if (by_care_level === null || isWithoutCare(cost_estimate)) return null;
  const name = `${service_name}: ${care.byLevel}`;
  const byLevel = table<(typeof by_care_level)[number]>(
    { label: name },
    '',
    [
      { name: care.careLevel, content: ({ care_level }) => care.careLevelOption(care_level) },
      numberColumn(care.low, ({ low }) => oneLine(care.yen(low))),
      numberColumn(care.high, ({ high }) => oneLine(care.yen(high))),
    ],
    by_care_level,
  );
  return scrolling(name, byLevel);
}
