import { isPartOfBill } from '../../contract/kaigo-cost.ts';
import { QUALITY_NAMES } from '../../contract/kaigo-quality.ts';
import {
  type ComparisonRow,
  type MunicipalityTable,
  SORTS,
  type Sort,
  STORED_SORTS,
} from '../../contract/operations/kaigo-municipality.ts';
import { latinName } from '../../search/romaji.ts';
import { stripPlot } from '../charts/distributions.ts';
import { type Fragment, type Html, html, unbroken, withBold, withMarked } from '../markup.ts';
import { placeNamed, wardNamed } from '../names.ts';
import { orderLink, otherDatasetNote, paging } from '../parts.ts';
import type { Texts } from '../texts/texts.ts';
import {
  fileLink,
  invalid,
  type KaigoAsk,
  notFound,
  type PageResult,
  pageLink,
  sentenceGap,
  textsOf,
} from '../view.ts';
import {
  careCrumb,
  caseFaultText,
  caseForm,
  caseIn,
  caseLine,
  caseLink,
  caseQuery,
  filterFields,
  filterIn,
  filterLine,
  filterQuery,
  hasCase,
  hidden,
  homePath,
  otherRoomNote,
  queryWithoutOtherRoom,
  tablePath,
  wrongNumbers,
} from './case.ts';
import { lackingText } from './lacking.ts';
import {
  billKind,
  type ComparedFigure,
  cheapestLine,
  comparable,
  costCell,
  groundsOf,
  isWithoutCare,
  monthlyOf,
  periodOf,
  rangeNote,
  sameCostText,
} from './money.ts';
import { addressOf, homesPlan } from './place.ts';
import { HOMES, serviceName } from './services.ts';

/** An export has the whole list on one page. */
const PAGE_SIZE = { served: 100, static: 100_000 } as const;

/** The page of a table: the homes of one service in one municipality with their costs. */
export function careTablePage(asked: KaigoAsk): PageResult {
  const { municipality_code: code, service_code: service } = asked.values as {
    municipality_code: string;
    service_code: string;
  };
  // `asked` is the request. `ask` leaves out a kind of room that is not in the prices of this service.
  const ask = { ...asked, query: queryWithoutOtherRoom(asked, service) };
  const texts = textsOf(ask);
  const { care } = texts;
  const requestedSort = SORTS.find((one) => one === ask.query.get('sort'));
  const page = Number(ask.query.get('page') ?? 1);
  const size = ask.isStatic ? PAGE_SIZE.static : PAGE_SIZE.served;
  const kaigo = ask.kaigo;
  const careCase = caseIn(ask.query);
  const fault = caseFaultText(ask);
  if (fault !== null) return invalid(fault);
  const wishes = { case: careCase, filter: filterIn(ask.query) };
  const tableBy = (sort: Sort): MunicipalityTable | null =>
    kaigo.municipality(code, service, sort, page, size, wishes)?.toJSON() ?? null;
  const first = tableBy(requestedSort ?? 'cost');
  // Without a request the order is by cost, or by staffing or number when all costs are equal.
  const table = first === null || requestedSort !== undefined || first.comparable_cost ? first : byStaffOrId(tableBy);
  if (table === null) return notFound(care.unknownPlace(code));
  const place = placeNamed(ask, code, table.municipality.prefecture, table.municipality.name);
  const name = serviceName(service, ask.language);
  const { facilities } = table;
  // A value that is unknown for all homes of this page may be known for one on another page.
  const rows = (table.page_count > 1 ? kaigo.rows(code, service, table.sort, wishes) : null) ?? facilities;
  const hasNoCare = facilities.length > 0 && facilities.every((row) => isWithoutCare(row.cost_estimate));
  const wrong = wrongNumbers(ask);
  const main = html`<h1>${unbroken(care.tableTitle(place, name))}</h1>
<p class="answer">${answerOf(ask, table, rows)}</p>
${hasNoCare ? html`<p class="note">${care.noCareInFigure}</p>` : caseLine(ask, careCase)}
${otherRoomNote(asked, service)}${filterLine(ask)}${wrong}
${caseForm(ask, pageLink(ask, path(table)), careCase, { rooms: kaigo.rooms(service), more: filterFields(ask), isOpen: table.total === 0 || wrong !== null })}
<div class="below">${table.total === 0 ? null : content(ask, table, rows)}
<p class="note">${care.careDate(ask.dataset.manifest.halves.kaigo?.data_through ?? null)}</p>${aroundOf(ask, table)}</div>`;
  return {
    kind: 'page',
    title: care.tableTitle(place, name),
    description: care.tableDescription(place, name, table.total),
    crumbs: [careCrumb(ask)],
    main,
    scripts: ['below.js'],
    isPersonal: hasCase(ask.query) || filterQuery(ask.query).length > 0,
  };
}

/** Sorted by staffing if it is known for any home, otherwise by office number. Homes with known staffing come first. */
function byStaffOrId(tableBy: (sort: Sort) => MunicipalityTable | null): MunicipalityTable | null {
  const table = tableBy('staff');
  return table?.facilities[0]?.staffing == null ? tableBy('id') : table;
}

/**
 * The answer of a table: the number of homes and their costs, and which is the cheapest or why none is; or why there are
 * no homes, or no costs.
 * @param rows those of all pages
 */
function answerOf(ask: KaigoAsk, table: MunicipalityTable, rows: readonly Row[]): Fragment {
  const texts = textsOf(ask);
  const { care } = texts;
  const { total } = table;
  if (total === 0) {
    const lacking = lackingText(ask, table.municipality.municipality_code, [table.service.service_code]);
    return lacking ?? (filterQuery(ask.query).length > 0 ? care.noMatch : care.empty);
  }
  const estimates = rows.map((row) => row.cost_estimate);
  // The whole bills; without any, all known figures.
  const known = comparable(estimates);
  const [first] = known;
  if (first === undefined) {
    const [reason = null, ...others] = new Set(estimates.map((one) => one.reason));
    const sharedReason = others.length === 0 ? reason : null;
    return care.answerNoCost(total, sharedReason === null ? null : (care.reason[sharedReason] ?? sharedReason));
  }
  const costs = known.flatMap((estimate) => monthlyOf(estimate) ?? []);
  // Figures that leave out a part of the bill are not in the range.
  const areSomeLeftOut = estimates.some((one) => monthlyOf(one) !== null && !known.includes(one));
  const low = care.yen(Math.min(...costs.map((one) => one.low)));
  const high = care.yen(Math.max(...costs.map((one) => one.high)));
  const sentence = care.answer(total, low, high, periodOf(texts, first), billKind(known), areSomeLeftOut);
  const priced = rows.filter((row) => known.includes(row.cost_estimate));
  const homes = priced.map(({ name, cost_estimate: estimate }) => ({ name, estimate }));
  const more = table.comparable_cost ? cheapestLine(texts, homes, 'low') : whyNotRanked(ask, priced, total);
  return html`${withBold(sentence, [low, high])}${more === null ? null : html`${sentenceGap(texts)}${more}`}`;
}

/**
 * Why a table without an order by cost calls no home the cheapest: one alone has a whole bill, or the figures of all come
 * from the same prices. The one is linked, because it may be on another page. Null for a table of one home,
 * and for one without comparable figures.
 * @param homes those with comparable figures (`comparable`)
 * @param total number of all homes of the table
 */
function whyNotRanked(ask: KaigoAsk, homes: readonly Row[], total: number): Fragment {
  const texts = textsOf(ask);
  const [first] = homes;
  if (first === undefined || total === 1) return null;
  // Only this home has a whole bill, so no other can be compared with it.
  if (homes.length === 1 && !isPartOfBill(first.cost_estimate)) {
    const { name, facility_id: id } = first;
    const link = html`<a href="${caseLink(ask, `/kaigo/facility/${id}/`)}"><bdi>${name}</bdi></a>`;
    // The bill of a home without insured care has its fees only, and its sentence says so.
    const { onlyFees, onlyWhole } = texts.care;
    const sentence = isWithoutCare(first.cost_estimate) ? onlyFees : onlyWhole;
    return withMarked(sentence(name), [name], () => link);
  }
  const estimates = homes.map((row) => row.cost_estimate);
  return html`<span class="unranked">${sameCostText(texts, estimates)}</span>`;
}

/**
 * What stands below the answer: a note when the data was renewed meanwhile, the origin of the figures, plots, sort
 * orders, and a page of the table.
 * @param rows those of all pages
 */
function content(ask: KaigoAsk, table: MunicipalityTable, rows: readonly Row[]): Html {
  const texts = textsOf(ask);
  const { care } = texts;
  const estimates = table.facilities.map((row) => row.cost_estimate);
  const haveDifferentCosts = new Set(comparable(estimates).map((one) => monthlyOf(one)?.low)).size > 1;
  const [first, ...others] = estimates;
  const columns = knownColumns(rows);
  const canSortBy = (sort: Sort): boolean => {
    if (sort === 'cost') return table.comparable_cost;
    return (sort !== 'staff' && sort !== 'opened') || columns.includes(sort);
  };
  const sorts = STORED_SORTS.filter(canSortBy);
  const sortedBy = care.sorts[table.sort] ?? care.qualityNames[table.sort] ?? table.sort;
  const sortChoice =
    sorts.length < 2 || ask.isStatic
      ? html`<p class="note">${care.sort} ${sortedBy}</p>`
      : html`<p class="no-print">${care.sort} <span class="chips">${sorts.map((one) => sortLink(ask, table, one, care.sorts[one] ?? one))}</span></p>`;
  const place = wardNamed(ask, table.municipality.municipality_code, table.municipality.name);
  const title = care.tableTitle(place, serviceName(table.service.service_code, ask.language));
  const homes = table.facilities.map((row, i) =>
    homeRow(ask, row, columns, { number: i + 1, about: orderedBy(ask, table.sort, row), figure: 'low' }),
  );
  return html`${otherDatasetNote(ask, tableLink(ask, table, table.sort))}${first === undefined ? null : groundsOf(texts, [first, ...others])}${rangeNote(texts, table.service.service_code, estimates)}
${haveDifferentCosts ? html`<figure class="no-print">${plotOf(ask, table)}</figure>` : null}
${homesPlan(ask, table.facilities, null, { figure: 'low', service: HOMES.find((code) => code === table.service.service_code) ?? null })}
${sortChoice}
${qualitySorts(ask, table, rows)}${compareForm(ask, homeTable(ask, title, homes, columns))}${unknownColumns(texts, columns)}
${paging(ask, table, pageLink(ask, path(table)), [['sort', table.sort], ...caseAndFilters(ask)])}
<p class="note no-print">${care.asPublished}${ask.isStatic ? null : html`${sentenceGap(texts)}<a href="${fileLink(ask, `${path(table)}table.csv?${new URLSearchParams([['sort', table.sort], ...caseAndFilters(ask)])}`)}">${care.download}</a>`}</p>`;
}

/** A table of homes in the form that compares the chosen ones; in an export the table alone. */
function compareForm(ask: KaigoAsk, table: Html): Html {
  if (ask.isStatic) return table;
  const { care } = textsOf(ask);
  return html`<form method="get" action="${pageLink(ask, '/kaigo/compare/')}">${hidden(caseQuery(ask.query))}
<p class="bar no-print"><button>${care.compareChosen}</button> <span class="quiet">${care.compareLead}</span></p>
${table}</form>`;
}

/**
 * The published value by which a row is sorted, in words; null when the order is not by a published value of quality.
 */
function orderedBy(ask: KaigoAsk, sort: MunicipalityTable['sort'], { quality }: ComparisonRow): string | null {
  const { care, frame } = textsOf(ask);
  const name = QUALITY_NAMES.find((one) => one === sort);
  return name === undefined
    ? null
    : frame.labelled(care.qualityNames[name] ?? name, String(quality?.[name]?.value ?? frame.unknown));
}

/** A link that sorts the table. */
const sortLink = (ask: KaigoAsk, table: MunicipalityTable, sort: Sort, name: string): Html =>
  orderLink(tableLink(ask, table, sort), name, sort === table.sort);

/** Sort orders by the published values of the table. */
function qualitySorts(ask: KaigoAsk, table: MunicipalityTable, rows: readonly Row[]): Fragment {
  const { care } = textsOf(ask);
  const known = QUALITY_NAMES.filter((name) => rows.some(({ quality }) => quality?.[name] != null));
  if (known.length === 0 || ask.isStatic) return null;
  const isUsed = known.some((name) => name === table.sort);
  return html`<details class="no-print"${isUsed ? html` open` : null}><summary>${care.sortByQuality}</summary><p class="chips">${known.map((name) => sortLink(ask, table, name, care.qualityNames[name] ?? name))}</p></details>`;
}

/** The path of a table's page. */
const path = ({ municipality, service }: MunicipalityTable): string =>
  `/kaigo/${municipality.municipality_code}/${service.service_code}/`;

/** The part of the query about the case and the filters, for links. */
const caseAndFilters = (ask: KaigoAsk): [string, string][] => [...caseQuery(ask.query), ...filterQuery(ask.query)];

/** The table in another order, for the same case and filters. */
const tableLink = (ask: KaigoAsk, table: MunicipalityTable, sort: string): string =>
  `${pageLink(ask, path(table))}?${new URLSearchParams([['sort', sort], ...caseAndFilters(ask)])}`;

/** The same service in the surrounding municipalities. */
function aroundOf(ask: KaigoAsk, { around, service }: MunicipalityTable): Fragment {
  if (around.length === 0) return null;
  const { care, sunlight } = textsOf(ask);
  const links = around.map(
    ({ municipality_code: code, name, facilities, distance_m: distance }) =>
      html`<a href="${pageLink(ask, tablePath(ask, code, service.service_code))}">${wardNamed(ask, code, name)} <small>${unbroken(`${sunlight.careDistance(distance)} · ${care.facilitiesCount(facilities)}`)}</small></a> `,
  );
  return html`<h2 class="no-print">${care.around}</h2><p class="chips no-print">${links}</p>`;
}

/** The plot of the lowest monthly costs of the homes on this page of a table, of those that can be compared. */
function plotOf(ask: KaigoAsk, table: MunicipalityTable): Html {
  const { care } = textsOf(ask);
  const shown = new Set(comparable(table.facilities.map((row) => row.cost_estimate)));
  const values = table.facilities.flatMap(({ facility_id, name, cost_estimate }) => {
    const monthly = monthlyOf(cost_estimate);
    return monthly === null || !shown.has(cost_estimate)
      ? []
      : [{ id: facility_id, name, yen: monthly.low, marked: false }];
  });
  return stripPlot(values, {
    title: care.plotTitle,
    description: care.plotDescription,
    axis: care.plotAxis,
    yen: care.yen,
    tick: care.yenShort,
  });
}

/** Columns that are shown only if any home has a value. */
const COLUMNS = ['staff', 'capacity', 'opened'] as const;
type Column = (typeof COLUMNS)[number];
type Row = Omit<ComparisonRow, 'compared_with'>;

/** True when a home has a value in a column. */
const hasValue = ({ staffing, capacity, opened_on }: Row, column: Column): boolean =>
  ({ staff: staffing?.users_per_care_staff, capacity, opened: opened_on })[column] != null;

/** The columns with a value of any home. */
export const knownColumns = (rows: readonly Row[]): readonly Column[] =>
  COLUMNS.filter((column) => rows.some((row) => hasValue(row, column)));

/** A note that names the columns without any value, which the table leaves out; null when there are none. */
export function unknownColumns({ care, frame }: Texts, shown: readonly Column[]): Fragment {
  const unknown = COLUMNS.filter((column) => !shown.includes(column));
  return unknown.length === 0
    ? null
    : html`<p class="note">${care.unknownColumns(frame.list(unknown.map((column) => care[column])))}</p>`;
}

/** A table of homes, each with a checkbox for comparison. */
export function homeTable(ask: KaigoAsk, label: string, rows: readonly Html[], columns: readonly Column[]): Html {
  const { care } = textsOf(ask);
  const headings = columns.map(
    (column) => html`<th scope="col"${column === 'opened' ? null : html` class="number"`}>${care[column]}</th>`,
  );
  return html`<table class="rows" aria-label="${label}">
<thead><tr><th scope="col">${care.name}</th><th scope="col" class="number">${care.cost}</th>${headings}</tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** How staff and users of a ratio were counted, in words. Ratios that were counted differently cannot be compared. */
export function countedOf(
  { care }: Texts,
  { basis, users_from, shared_with }: NonNullable<ComparisonRow['staffing']>,
): string[] {
  return [
    care.staffBasis[basis] ?? basis,
    ...(users_from === null ? [] : [care.usersFrom[users_from] ?? users_from]),
    ...(shared_with === null ? [] : [care.staffShared]),
  ];
}

/** The reading of the name of a home; in Latin letters if it is all kana. */
function readingOf(ask: KaigoAsk, id: string): string | null {
  const kana = ask.kaigo.facility(id)?.toJSON().name_kana ?? null;
  return kana === null ? null : (latinName(kana) ?? kana);
}

/**
 * A row of a table of homes.
 * @param number that of its pin on the plan
 * @param about text before the home's address
 * @param figure the cost that is shown first
 */
export function homeRow(
  ask: KaigoAsk,
  row: Row,
  columns: readonly Column[],
  { number, about, figure }: { number: number; about: string | null; figure: ComparedFigure },
): Html {
  const texts = textsOf(ask);
  const { care, frame } = texts;
  const cellOf = (label: string, value: string | null, more: Fragment = null, kind = 'number'): Html =>
    value === null
      ? html`<td class="${kind} unknown" data-label="${label}">${frame.unknown}</td>`
      : html`<td class="${kind}" data-label="${label}"><span class="nowrap">${value}</span>${more}</td>`;
  const { staffing, facility_id: id, name } = row;
  const ratio = staffing?.users_per_care_staff;
  const basis = staffing === null ? null : html`<small>${frame.list(countedOf(texts, staffing))}</small>`;
  const reading = ask.language === 'en' ? readingOf(ask, id) : null;
  const cells: Record<Column, Html> = {
    staff: cellOf(care.staff, ratio == null ? null : care.ratioValue(ratio.toFixed(2)), basis),
    capacity: cellOf(care.capacity, row.capacity === null ? null : care.people(row.capacity)),
    opened: cellOf(care.opened, row.opened_on, null, ''),
  };
  const checkbox = ask.isStatic
    ? null
    : html`<input class="no-print" type="checkbox" name="f" value="${id}" aria-label="${care.compareAlso(name)}">`;
  const details = html`${reading === null ? null : html`<bdi>${reading}</bdi><br>`}${about === null ? null : html`<b>${about}</b><br>`}<bdi>${addressOf(row) ?? ''}</bdi>`;
  return html`<tr id="home-${id}">
<th scope="row"><span class="pick">${checkbox}<span>${number}. <a href="${pageLink(ask, homePath(ask, id))}"><bdi>${name}</bdi></a><small>${details}</small></span></span></th>
${costCell(texts, row.cost_estimate, figure)}${columns.map((column) => cells[column])}</tr>`;
}
