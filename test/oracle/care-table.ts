import { type CareBill, careBill, type FamilyCase } from './care-bill.ts';
import { type CareFacts, half } from './care-facts.ts';
import type { CarePrices } from './care-prices.ts';

/** One service of one office: where it stands, what its rows say and what it costs in a case, or why that is not known. */
export interface SecondRow {
  one: {
    service: string;
    facilityId: string;
    municipality: string;
    grade: string;
    office: Readonly<Record<string, string>>;
    listPlace: string;
    detailPlace: string;
  };
  facts: CareFacts;
  bill: CareBill | string;
}

type Sort = 'id' | 'cost' | 'staff' | 'opened';

/** The figures of quality of a service, in hundredths. */
function figuresOf({ facts }: SecondRow): Record<string, number | null> {
  const ratio = (basis: string) =>
    facts.basis === basis && facts.usersFrom !== 'estimated_capacity' ? facts.ratio : null;
  return {
    users_per_care_staff: ratio('head_count'),
    users_per_care_staff_fte: ratio('fte'),
    ...facts.quality,
  };
}

/** Where each figure of a service stands among the others that are known: equal ones count half. */
export function qualityOf(rows: readonly SecondRow[], row: SecondRow): object | null {
  const same = rows.filter(({ one }) => one.service === row.one.service);
  const near = same.filter(({ one }) => one.municipality.slice(0, 2) === row.one.municipality.slice(0, 2));
  const among = (all: readonly SecondRow[], name: string, own: number) => {
    const known = all.map((one) => figuresOf(one)[name] ?? null).filter((value) => value !== null);
    const twice = known.reduce((sum, value) => sum + (value < own ? 2 : value === own ? 1 : 0), -1);
    const percentile = known.length < 5 ? null : half(1000 * twice, 2 * (known.length - 1)) / 10;
    return { percentile, known: known.length, of: all.length };
  };
  const figures = Object.entries(figuresOf(row)).map(([name, own]) => [
    name,
    own === null ? null : { value: own / 100, prefecture: among(near, name, own), japan: among(same, name, own) },
  ]);
  return figures.every(([, figure]) => figure === null) ? null : Object.fromEntries(figures);
}

/** The rows by a figure of quality, unknown last, equals by office number. */
export function orderByFigure(name: string, isHighestFirst: boolean, rows: readonly SecondRow[]): SecondRow[] {
  const key = (row: SecondRow) => {
    const value = figuresOf(row)[name] ?? null;
    return value === null ? Infinity : isHighestFirst ? -value : value;
  };
  return rows.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    return x === y ? (a.one.facilityId < b.one.facilityId ? -1 : 1) : x - y;
  });
}

/** Whether rent, management fees and food are all known, where the home asks them itself. */
function isWhole(prices: CarePrices, { service, rent, management, food }: CareFacts): boolean {
  if (prices.service(service)?.residence_class !== undefined) return true;
  return rent !== null && management !== null && food !== null;
}

/** What is left to pay, by both people where a partner is asked for; null: no figure. */
function left({ bill }: SecondRow): CareBill['after_refund'] | null {
  if (typeof bill === 'string') return null;
  return bill.couple === undefined ? bill.after_refund : (bill.couple?.after_refund ?? null);
}

const leastLeft = (row: SecondRow): number | null => left(row)?.low ?? null;

/** The rows with a room within a limit, each in that room: that of most residents before the cheapest of the others. */
export function rowsWithin(prices: CarePrices, wanted: FamilyCase, maxYen: number | null, rows: readonly SecondRow[]) {
  if (maxYen === null) return rows;
  return rows.flatMap((row): SecondRow[] => {
    const { facts, one, bill } = row;
    if (typeof bill === 'string') return [];
    const others = facts.main === null ? [] : bill.other_rooms;
    const inOthers = others.map(({ room }) => {
      const inRoom = { ...facts, main: room };
      return { ...row, facts: inRoom, bill: careBill(prices, inRoom, one.grade, wanted) };
    });
    const least = (other: SecondRow) => leastLeft(other) ?? Infinity;
    const granted = ({ facts: { main } }: SecondRow) =>
      wanted.aid !== 'public_assistance' || ['shared', 'shared_charged', null].includes(wanted.room ?? main);
    return [row, ...inOthers.toSorted((a, b) => least(a) - least(b))]
      .filter((other) => granted(other) && least(other) <= maxYen)
      .slice(0, 1);
  });
}

/** The rows of a table in an order: what is not known last, equals by office number. */
export function orderOf(sort: Sort, prices: CarePrices, rows: readonly SecondRow[]): SecondRow[] {
  const asksRent = (service: string) => prices.service(service)?.excludes.includes('rent') ?? false;
  const key = (row: SecondRow): [group: number, value: number | string] => {
    const { facts } = row;
    const least = leastLeft(row);
    if (sort === 'cost' && least !== null) {
      return [asksRent(facts.service) && !isWhole(prices, facts) ? 1 : 0, least];
    }
    if (sort === 'staff' && facts.ratio !== null) {
      return [facts.usersFrom === 'estimated_capacity' ? 1 : 0, facts.ratio];
    }
    return sort === 'opened' && facts.opened_on !== null ? [0, facts.opened_on] : [2, 0];
  };
  return rows.toSorted((a, b) => {
    const [[groupA, valueA], [groupB, valueB]] = [key(a), key(b)];
    if (groupA !== groupB) return groupA - groupB;
    if (valueA !== valueB) return valueA < valueB ? -1 : 1;
    return a.one.facilityId < b.one.facilityId ? -1 : 1;
  });
}

const OPEN: Readonly<Record<string, string>> = {
  平日: 'weekday',
  土曜日: 'saturday',
  日曜日: 'sunday',
  祝日: 'holiday',
};
const openDays = (text = '') => text.split(',').map((word) => OPEN[word]);
export const plain = (name = '') => name.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase();

/** What each field of `has` asks. */
const HAS = {
  capacity: ({ facts }: SecondRow) => facts.capacity !== null,
  users: ({ facts }: SecondRow) => facts.users !== null,
  waiting: ({ facts }: SecondRow) => facts.waiting !== null,
  opened_on: ({ facts }: SecondRow) => facts.opened_on !== null,
  rooms: ({ facts }: SecondRow) => Object.values(facts.rooms).some((one) => one !== null),
  staffing: ({ facts }: SecondRow) => Object.values(facts.staff).some((one) => one !== null),
  cost: (row: SecondRow) => leastLeft(row) !== null,
  position: ({ one }: SecondRow) => one.office.緯度 !== '',
  vacancies: () => false,
  open_days: ({ one }: SecondRow) => one.office.利用可能曜日 !== '',
  published_fees: ({ bill }: SecondRow) => typeof bill !== 'string' && bill.basis.bill === 'published_fees',
};

/** A filter of one or more questions, and which rows pass it besides the limit of {@link rowsWithin}. */
export function filterOf(pick: <T>(list: readonly T[]) => T, rows: readonly SecondRow[]) {
  const sums = rows.flatMap((row) => left(row)?.typical ?? []);
  const fields = Object.keys(HAS) as (keyof typeof HAS)[];
  const filter = {
    maxYen: pick([null, pick([...sums, 0])]),
    minCapacity: pick([null, null, 1, 29, 30, 60]),
    openOn: pick([null, null, 'weekday', 'saturday', 'sunday'] as const),
    has: pick([[], [], [pick(fields)], [pick(fields), pick(fields)]]),
    name: pick([null, null, 'ヒナタ', 'こもれび', 'ｺﾓﾚﾋﾞ', 'abc', '縁側の']),
    atLeast: pick([[], [], [['qualified_percent', 50]]] as [] | [['qualified_percent', number]][]),
    atMost: pick([[], [], [['turnover_percent', 23.4]]] as [] | [['turnover_percent', number]][]),
  };
  const bounded = (row: SecondRow, name: string, isIn: (value: number) => boolean) => {
    const value = figuresOf(row)[name] ?? null;
    return value !== null && isIn(value / 100);
  };
  const passes = (row: SecondRow) =>
    (filter.minCapacity === null || (row.facts.capacity ?? 0) >= filter.minCapacity) &&
    (filter.openOn === null || openDays(row.one.office.利用可能曜日).includes(filter.openOn)) &&
    filter.has.every((field) => HAS[field](row)) &&
    filter.atLeast.every(([name, least]) => bounded(row, name, (value) => value >= least)) &&
    filter.atMost.every(([name, most]) => bounded(row, name, (value) => value <= most)) &&
    plain(row.one.office.事業所名).includes(plain(filter.name ?? ''));
  return { filter, passes };
}

/** Median and quartiles to two decimals of values that are given as whole numbers of a `scale`-th; null of fewer than five. */
function quartiles(values: readonly number[], scale: number) {
  if (values.length < 5) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const quarter = (n: number) => {
    const [below, part] = [Math.floor((n * (sorted.length - 1)) / 4), (n * (sorted.length - 1)) % 4];
    const fourfold = (sorted[below] ?? 0) * (4 - part) + (sorted[below + 1] ?? 0) * part;
    return half(100 * fourfold, 4 * scale) / 100;
  };
  return { count: sorted.length, lower_quartile: quarter(1), median: quarter(2), upper_quartile: quarter(3) };
}

/** What the values of a service are set beside: those of its prefecture and of the country, in the standard scenario. */
export function comparedOf(rows: readonly SecondRow[], prices: CarePrices, one: SecondRow['one']) {
  const same = rows.filter((row) => row.one.service === one.service);
  const near = same.filter((row) => row.one.municipality.slice(0, 2) === one.municipality.slice(0, 2));
  const asksRent = prices.service(one.service)?.excludes.includes('rent');
  const both = (scale: number, value: (row: SecondRow) => number | null) => {
    const known = (of: readonly SecondRow[]) => of.map(value).filter((found) => found !== null);
    return { prefecture: quartiles(known(near), scale), japan: quartiles(known(same), scale) };
  };
  const ratio = (basis: string) => (row: SecondRow) =>
    row.facts.basis === basis && row.facts.usersFrom !== 'estimated_capacity' ? row.facts.ratio : null;
  return {
    cost: both(1, ({ facts, bill }) =>
      typeof bill === 'string' || (asksRent && !isWhole(prices, facts)) ? null : bill.monthly_yen.typical,
    ),
    users_per_care_staff: both(100, ratio('head_count')),
    users_per_care_staff_fte: both(100, ratio('fte')),
    occupancy: both(1000, ({ facts: { users, capacity } }) =>
      users === null || capacity === null ? null : half(1000 * users, capacity),
    ),
  };
}

/** Whether the first of thirteen digits follows from the others. */
export function isNumber(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false;
  const weighted = [...text].map((digit, i) => Number(digit) * (i === 0 ? 1 : 2 - ((i + 1) % 2)));
  return weighted.reduce((sum, one) => sum + one, 0) % 9 === 0 && text[0] !== '0';
}

const spaced = (name = '') => name.replaceAll(/[\s　]+/g, ' ').trim();

/** The corporation of each office, counted over all rows. */
export function corporationsOf(rows: readonly SecondRow['one'][]): (one: SecondRow['one']) => object {
  const said = (one: SecondRow['one']) => {
    const [number = '', name = ''] = [one.office.法人番号, one.office.法人の名称];
    return { id: one.facilityId, number: isNumber(number) ? number : null, name: spaced(name), plain: plain(name) };
  };
  const all = rows.map(said);
  return (one) => {
    const { number, name, plain: spelling } = said(one);
    const own = all.filter((row) => number !== null && row.number === number);
    const offices = (prefix: string) => new Set(own.map(({ id }) => id).filter((id) => id.startsWith(prefix))).size;
    const mentions = [...Map.groupBy(own, (row) => row.name)].map(([text, same]) => ({
      name: text,
      count: same.length,
    }));
    mentions.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
    const sameName = all.filter((row) => row.plain === spelling && row.number !== null);
    const [probable, ...others] = new Set(sameName.map((row) => row.number));
    const isProbable = number === null && probable !== undefined && others.length === 0;
    return {
      corporate_number: number,
      probable_number: isProbable ? { number: probable, basis: 'name' } : null,
      name: mentions[0]?.name ?? name,
      offices_total: number === null ? null : offices(''),
      offices_in_prefecture: number === null ? null : offices(one.municipality.slice(0, 2)),
      name_variants: mentions.slice(1).map((mention) => mention.name),
    };
  };
}

/** Places of every line of the report, by its name. */
export function reportOf(rows: readonly SecondRow[], spare: Record<string, string[]>): Map<string, string[]> {
  const found: [kind: string, place: string][] = [];
  for (const { one, facts } of rows) {
    const number = one.office.法人番号 ?? '';
    if (number === '') found.push(['corporation_missing', one.listPlace]);
    else if (!isNumber(number)) found.push(['corporation_number', one.listPlace]);
    if (one.office.緯度 === '') found.push(['position_missing', one.listPlace]);
    for (const kind of facts.listLines) found.push([kind, one.listPlace]);
    for (const line of facts.detailLines) {
      const [kind = '', field] = line.split(' ');
      found.push([
        kind,
        field === undefined || kind.startsWith('detail_date_') ? one.detailPlace : `${one.detailPlace}: ${field}`,
      ]);
    }
  }
  for (const [id, all] of Map.groupBy(rows, ({ one }) => one.facilityId)) {
    if (all.length > 1) found.push(['facility_several_services', id]);
  }
  const named = rows.filter(({ one }) => isNumber(one.office.法人番号 ?? ''));
  for (const [number, all] of Map.groupBy(named, ({ one }) => one.office.法人番号 ?? '')) {
    if (new Set(all.map(({ one }) => spaced(one.office.法人の名称))).size > 1)
      found.push(['corporation_names', number]);
  }
  for (const [kind, places] of Object.entries(spare)) for (const place of places) found.push([kind, place]);
  return new Map([...Map.groupBy(found, ([kind]) => kind)].map(([kind, all]) => [kind, all.map(([, place]) => place)]));
}
