import { hoursClass } from '../../contract/sunlight-shapes.ts';
import type { TownSun } from '../../dataset/sunlight.ts';
import { type Gap, type Html, html, unbroken } from '../markup.ts';
import { readable, wardNamed } from '../names.ts';
import { notFound, type PageResult, pageLink, type SunlightAsk, textsOf } from '../view.ts';
import { legend } from './building-tables.ts';

/** The means of towns with fewer buildings are drawn pale. */
const FEW = 20;

type Column = 'december_top_hours' | 'december_first_hours' | 'annual_hours';
const COLUMNS: readonly Column[] = ['december_top_hours', 'december_first_hours', 'annual_hours'];

/** A row of a list: a ward or a town. */
interface Row {
  name: string;
  reading: string | null;
  path: string;
  /** Null when no building was computed. */
  sun: Pick<TownSun, 'buildings' | Column> | null;
}

/** Wards and their mean hours. */
export function wardsPage(ask: SunlightAsk): PageResult {
  const { sunlight } = textsOf(ask);
  const wards = new Map(ask.sunlight.towns().map(({ ward_code }) => [ward_code, ward_code]));
  const names = wardNames(ask);
  const rows = [...wards.keys()].map((code) => ({
    name: wardNamed(ask, code, names.get(code) ?? code),
    reading: null,
    path: `/sunlight/${code}/`,
    sun: together(sunOf(ask, (town) => town.startsWith(code))),
  }));
  const main = html`<h1>${sunlight.wardsTitle}</h1><p>${sunlight.wardsLead}</p><p class="note">${sunlight.meaning}</p>${rows.length === 0 ? html`<p>${sunlight.noTowns}</p>` : table(ask, sunlight.ward, rows, '/sunlight/')}`;
  return { kind: 'page', title: sunlight.wardsTitle, description: sunlight.wardsLead, main };
}

/** The towns of a ward and their mean hours. */
export function wardPage(ask: SunlightAsk): PageResult {
  const { frame, sunlight } = textsOf(ask);
  const code = ask.values.ward;
  const towns = ask.sunlight.towns().filter(({ ward_code }) => ward_code === code);
  if (towns.length === 0) return notFound(textsOf(ask).sunlight.noWard(code));
  const ward = wardNamed(ask, code, wardNames(ask).get(code) ?? code);
  const sums = new Map(ask.sunlight.townSun().map((town) => [town.town_code, town]));
  const rows = towns.map(({ town_code, name, reading }) => ({
    name: name === null ? town_code : readable(ask, name, reading),
    reading: ask.language === 'ja' ? reading : null,
    path: `/sunlight/town/${town_code}/`,
    sun: sums.get(town_code) ?? null,
  }));
  const main = html`<h1>${unbroken(sunlight.wardTitle(ward))}</h1><p>${sunlight.wardLead(ward)}</p><p class="note">${sunlight.meaning} ${sunlight.fewBuildings}</p>${table(ask, sunlight.town, rows, `/sunlight/${code}/`)}`;
  return {
    kind: 'page',
    title: sunlight.wardTitle(ward),
    description: sunlight.wardLead(ward),
    crumbs: [{ name: frame.sunlight, path: '/sunlight/' }],
    main,
  };
}

/** Names of wards by code, taken from their towns. */
function wardNames({ sunlight }: SunlightAsk): Map<string, string> {
  const names = new Map<string, string>();
  for (const { town_code, ward_code } of sunlight.towns()) {
    if (names.has(ward_code)) continue;
    const town = sunlight.town(town_code, 1, 1)?.toJSON().town;
    if (town !== undefined) names.set(ward_code, town.ward_name);
  }
  return names;
}

const sunOf = ({ sunlight }: SunlightAsk, isMeant: (code: string) => boolean): TownSun[] =>
  sunlight.townSun().filter(({ town_code }) => isMeant(town_code));

/** Several towns together: means weighted by their buildings. */
function together(towns: readonly TownSun[]): Row['sun'] {
  const buildings = towns.reduce((sum, town) => sum + town.buildings, 0);
  if (buildings === 0) return null;
  const mean = (column: Column): number =>
    towns.reduce((sum, town) => sum + town[column] * town.buildings, 0) / buildings;
  return {
    buildings,
    december_top_hours: mean(COLUMNS[0]),
    december_first_hours: mean(COLUMNS[1]),
    annual_hours: mean(COLUMNS[2]),
  };
}

function columnNames(ask: SunlightAsk): Record<Column, string> {
  const { sunlight } = textsOf(ask);
  return {
    december_top_hours: sunlight.decemberTop,
    december_first_hours: sunlight.decemberFirst,
    annual_hours: sunlight.annual,
  };
}

/** A list sorted as requested: by name, or by a column with the most sun first. */
function table(ask: SunlightAsk, first: string, rows: readonly Row[], path: string): Html {
  const { sunlight } = textsOf(ask);
  const names = columnNames(ask);
  const sort = COLUMNS.find((column) => column === ask.query.get('sort')) ?? null;
  const sorted = sort === null ? rows : [...rows].sort((a, b) => (b.sun?.[sort] ?? -1) - (a.sun?.[sort] ?? -1));
  const link = (column: Column | null, name: string): Html =>
    html`<a href="${pageLink(ask, path)}${column === null ? '' : `?sort=${column}`}"${column === sort ? html` aria-current="true"` : null}>${name}</a>`;
  return html`${legend(ask)}<p class="no-print">${sunlight.sortBy}: <span class="chips">${link(null, first)} ${COLUMNS.map((column) => html`${link(column, names[column])} `)}</span></p>
<div class="scroll" tabindex="0" role="region" aria-label="${first}"><table class="sheet list n${COLUMNS.length + 1}" aria-label="${first}"><thead><tr><th scope="col">${first}</th>${COLUMNS.map((column) => html`<th scope="col" class="number"${column === sort ? html` aria-sort="descending"` : null}>${names[column]}</th>`)}<th scope="col" class="number">${sunlight.buildings}</th></tr></thead>
<tbody>${sorted.map((row) => line(ask, row))}</tbody></table></div>`;
}

function line(ask: SunlightAsk, { name, reading, path, sun }: Row): Html {
  const few = sun !== null && sun.buildings < FEW ? ' few' : '';
  const cell = (column: Column): Gap =>
    sun === null
      ? html`<td class="number unknown" data-label="${columnNames(ask)[column]}">${textsOf(ask).frame.unknown}</td>`
      : html`<td class="number h${hoursClass(sun[column])}${few}" data-label="${columnNames(ask)[column]}">${sun[column].toFixed(2)}</td>`;
  return html`<tr><th scope="row"><a href="${pageLink(ask, path)}">${name}</a>${reading === null ? null : html`<small>${reading}</small>`}</th>${COLUMNS.map(cell)}<td class="number" data-label="${textsOf(ask).sunlight.buildings}">${sun?.buildings ?? 0}</td></tr>`;
}
