import { careFees, type FoodFee } from './care-fees.ts';
import type { CarePrices } from './care-prices.ts';

/** What the rows of an office list and of details say of one service, by docs/kaigo.md. */
export interface CareFacts {
  service: string;
  capacity: number | null;
  users: number | null;
  waiting: number | null;
  opened_on: string | null;
  rooms: {
    private: number | null;
    shared: number | null;
    shared_beds: number | null;
    kind: string | null;
    kind_from: string | null;
  };
  staff: { staff_total: number | null; care_staff: number | null; nurses: number | null };
  basis: 'fte' | 'head_count';
  /** Hundredths of users for each of the care staff, and what stands for the users. */
  ratio: number | null;
  usersFrom: 'users' | 'capacity' | 'estimated_capacity' | null;
  /** Figures of quality but for the ratios, times 100. */
  quality: Record<string, number | null>;
  /** The kinds of room that a resident can have; null for any. */
  kinds: string[] | null;
  /** The kind that most have; null where it is not known. */
  main: string | null;
  /** What it asks for rooms, by kind. */
  claims: string[];
  refused: { food: boolean; room: boolean };
  food: FoodFee | null;
  roomFees: Record<string, number>;
  rent: number | null;
  management: number | null;
  /** Whether a social welfare corporation runs it. */
  isSocialWelfare: boolean;
  /** Whether a fee was published that cannot be one. */
  replaced: boolean;
  /** Lines of the report: of the list's row, and of the details with their field. */
  listLines: string[];
  detailLines: string[];
}

const WORDS = ['facility_id', 'service_code', 'opened_on', 'room_kind', 'staff_basis', 'capacity_estimated'];
type Cells = Readonly<Record<string, string>>;

const SMALL = ['361', '362', '364', '540'];
const HOMES = ['320', '331', '332', '334', '335', '336', '337', '361', '362', '364', '510', '520', '530', '540', '550'];
/** What each kind of number can be at most. */
const MOST: Record<string, number> = {
  users: 2000,
  waiting: 10_000,
  rooms_private: 1000,
  rooms_shared: 1000,
  rooms_shared_beds: 1000,
  staff_total: 1000,
  care_staff: 1000,
  nurses: 1000,
  staff_left: 1000,
  experienced_percent: 100,
  qualified_percent: 100,
  qualified_staff: 1000,
  experience_years: 60,
  nurses_at_night: 100,
  rent_yen_per_month: 3_000_000,
  management_yen_per_month: 1_000_000,
};
/** Days as the rows spell them, what they say, and the line of the report they come to. */
export const DAY_TEXTS: Readonly<Record<string, readonly [day: string | null, line: string | null]>> = {
  '': [null, null],
  '2013-6-1': ['2013-06-01', null],
  '2013/06/01': ['2013-06-01', null],
  平成25年8月26日: ['2013-08-26', null],
  'S60.4.1': ['1985-04-01', null],
  '0025-08-26': ['2013-08-26', 'detail_date_era opened_on'],
  '0000-00-00': [null, 'detail_date_unknown opened_on'],
  '2030/1/1': [null, 'detail_date_to_come opened_on'],
  '2013-02-30': [null, 'detail_value opened_on'],
};

/** A whole number as people write it; null for an empty cell, NaN for what is none. */
function typed(cell = ''): number | null {
  const plain = cell.normalize('NFKC').replaceAll(/[,\s¥]|[人円]$/g, '');
  return cell === '' ? null : /^\d+$/.test(plain) ? Number(plain) : NaN;
}

/** A quotient rounded to a whole number, halves up. */
export const half = (dividend: number, divisor: number) => Math.floor((2 * dividend + divisor) / (2 * divisor));

/** Numbers of a row of details that are believed so far, and the lines of the report for the others. */
class Numbers {
  readonly lines: string[] = [];
  /** What fees are of that say something that is no number. */
  readonly unread: ('food' | 'room')[] = [];
  readonly #values = new Map<string, number | null>();

  constructor(detail: Cells) {
    for (const [field, cell] of Object.entries(detail)) {
      if (WORDS.includes(field)) continue;
      const value = cell === '―' ? null : typed(cell);
      this.#values.set(field, Number.isNaN(value) ? null : value);
      if (value === null || !Number.isNaN(value)) continue;
      this.lines.push(`detail_value ${field}`);
      const of = (['food', 'room'] as const).find((one) => field.includes(`${one}_yen`));
      if (of !== undefined && /[\p{L}\p{N}]/u.test(cell)) this.unread.push(of);
    }
  }

  get(field: string): number | null {
    return this.#values.get(field) ?? null;
  }

  /** A number that is not possible, or contradicts another, is not known. */
  refuse(field: string): void {
    if (this.get(field) !== null) this.lines.push(`detail_implausible ${field}`);
    this.#values.set(field, null);
  }
}

/** Reads the two rows of one service; the details may be missing. @param isSupported whether another home of the corporation asks the same */
export function careFacts(
  prices: CarePrices,
  service: string,
  office: Cells,
  detail: Cells | null,
  isSupported: (claim: string) => boolean = () => false,
): CareFacts {
  const most = SMALL.includes(service) ? 29 : 1000;
  const places = typed(office.定員);
  const listed = places !== null && places > 0 && places <= most ? places : null;
  const fault = places === null ? 'capacity_missing' : places === 0 ? 'capacity_zero' : 'capacity_text';
  const numbers = new Numbers(detail ?? {});
  const get = (field: string) => numbers.get(field);
  for (const [field, limit] of Object.entries(MOST)) if ((get(field) ?? 0) > limit) numbers.refuse(field);
  if ((get('capacity') ?? 1) < 1 || (get('capacity') ?? 1) > most) numbers.refuse('capacity');
  const [opened_on, dayLine] = DAY_TEXTS[detail?.opened_on ?? ''] ?? [null, null];
  const staffed = (get('care_staff') ?? 0) + (get('nurses') ?? 0);
  if ((get('staff_total') ?? Infinity) < staffed) numbers.refuse('staff_total');
  if ((get('qualified_staff') ?? 0) > (get('care_staff') ?? Infinity)) numbers.refuse('qualified_staff');

  // What stands against the places: those of the office list, else of details unless they are an estimate.
  const estimated = detail?.capacity_estimated === 'はい';
  const own = listed ?? (estimated ? null : get('capacity'));
  const isHome = HOMES.includes(service);
  const published = { ユニット型: 'unit', 従来型: 'conventional' }[detail?.room_kind ?? ''] ?? null;
  againstPlaces(numbers, isHome ? own : null);
  const [count, staff] = [get('users') ?? listed ?? get('capacity'), get('care_staff')];
  const [least, highest] = isHome ? [0.5, 10] : [0.1, 200];
  if (count && staff && (count < least * staff || count > highest * staff)) {
    numbers.refuse(get('users') === null && listed === null && estimated ? 'capacity' : 'care_staff');
  }
  const rooms = roomsOf(published, get, own);
  const fees = careFees(prices, service, rooms.kinds, get, isSupported);
  const refused = (of: string) => fees.lines.some((line) => line.includes(of));
  return {
    service,
    capacity: listed ?? (estimated ? null : get('capacity')),
    users: get('users'),
    waiting: get('waiting'),
    opened_on,
    rooms: {
      private: get('rooms_private'),
      shared: get('rooms_shared'),
      shared_beds: get('rooms_shared_beds'),
      kind: published,
      kind_from: published && 'details',
    },
    staff: { staff_total: get('staff_total'), care_staff: get('care_staff'), nurses: get('nurses') },
    basis: detail?.staff_basis === '常勤換算' ? 'fte' : 'head_count',
    ...ratioOf(get, listed, own),
    quality: qualityOf(get, listed ?? (estimated ? null : get('capacity'))),
    ...byFees(rooms, fees.roomFees),
    claims: fees.claims,
    refused: {
      food: numbers.unread.includes('food') || refused(' food_'),
      room: numbers.unread.includes('room') || refused('room_yen'),
    },
    food: fees.food,
    roomFees: fees.roomFees,
    rent: get('rent_yen_per_month'),
    management: get('management_yen_per_month'),
    isSocialWelfare: isOfSocialWelfare(service, office.法人の名称 ?? ''),
    replaced: numbers.unread.length > 0 || fees.lines.length > 0,
    listLines: listed === null ? [fault] : [],
    detailLines: [...numbers.lines, ...(dayLine === null ? [] : [dayLine]), ...fees.lines],
  };
}

/** A special nursing home (510, 540) of an operator without a form of corporation belongs to one too. */
function isOfSocialWelfare(service: string, corporation: string): boolean {
  const name = corporation.normalize('NFKC').replaceAll(' ', '');
  if (name.includes('社会福祉法人')) return true;
  return (service === '510' || service === '540') && name !== '' && !name.includes('法人') && !name.includes('会社');
}

/** Users and beds of a home that there cannot be. @param places null outside homes */
function againstPlaces(numbers: Numbers, places: number | null): void {
  const get = (field: string) => numbers.get(field);
  if (places !== null && (get('users') ?? 0) > 1.5 * places) numbers.refuse('users');
  if ((get('rooms_shared_beds') ?? Infinity) < (get('rooms_shared') ?? 0)) numbers.refuse('rooms_shared_beds');
  if ((get('staff_left') ?? 0) > 3 * (get('staff_total') ?? Infinity)) numbers.refuse('staff_left');
  const beds = (get('rooms_private') ?? 0) + (get('rooms_shared_beds') ?? get('rooms_shared') ?? 0);
  if (places === null || beds <= places) return;
  if (beds <= 1.5 * places) numbers.lines.push('detail_beds_shared');
  else for (const field of ['rooms_private', 'rooms_shared', 'rooms_shared_beds']) numbers.refuse(field);
}

function ratioOf(
  get: (field: string) => number | null,
  listed: number | null,
  own: number | null,
): Pick<CareFacts, 'ratio' | 'usersFrom'> {
  const [people, staff] = [get('users') ?? listed ?? get('capacity'), get('care_staff')];
  if (!people || !staff) return { ratio: null, usersFrom: null };
  const usersFrom = get('users') !== null ? 'users' : own !== null ? 'capacity' : 'estimated_capacity';
  return { ratio: half(100 * people, staff), usersFrom };
}

/** Figures of quality by docs/kaigo.md, in hundredths. */
function qualityOf(get: (field: string) => number | null, capacity: number | null): Record<string, number | null> {
  const hundredfold = (field: string) => {
    const value = get(field);
    return value === null ? null : 100 * value;
  };
  const [left, total, waiting, users] = ['staff_left', 'staff_total', 'waiting', 'users'].map(get);
  const [qualified, care] = [get('qualified_staff'), get('care_staff')];
  const percent = (part: number | null | undefined, of: number | null | undefined) =>
    part == null || !of ? null : 10 * half(1000 * part, of);
  return {
    nurses_at_night: hundredfold('nurses_at_night'),
    turnover_percent: percent(left, total),
    experience_years: hundredfold('experience_years'),
    experienced_percent: hundredfold('experienced_percent'),
    qualified_percent: hundredfold('qualified_percent') ?? percent(qualified, care),
    occupancy_percent: percent(users, capacity),
    waiting_per_place: waiting == null || !capacity ? null : half(100 * waiting, capacity),
  };
}

type Rooms = Pick<CareFacts, 'kinds' | 'main'>;

/** By docs/kaigo.md: the kinds of room that a home has, and the one that most of its residents have. @param places as published */
function roomsOf(kind: string | null, get: (field: string) => number | null, places: number | null): Rooms {
  const [own, shared] = [get('rooms_private'), get('rooms_shared')];
  const [hasPrivate, hasShared] = [Boolean(own), Boolean(shared)];
  const left = places === null ? -1 : places - (own ?? 0);
  const inShared = get('rooms_shared_beds') ?? (left >= (shared ?? 0) ? left : 3.5 * (shared ?? 0));
  const most = (one: string) => ((own ?? 0) >= inShared ? one : 'shared');
  if (kind === 'unit') {
    if (!hasShared) return { kinds: ['unit'], main: 'unit' };
    return hasPrivate
      ? { kinds: ['unit', 'private', 'shared'], main: most('unit') }
      : { kinds: ['unit_shared', 'shared'], main: null };
  }
  if (hasPrivate !== hasShared) {
    if (hasShared) return { kinds: ['shared'], main: 'shared' };
    return kind === null ? { kinds: ['unit', 'private'], main: null } : { kinds: ['private'], main: 'private' };
  }
  if (kind === null) return { kinds: null, main: null };
  return { kinds: ['private', 'shared'], main: hasPrivate ? most('private') : null };
}

/** What fees tell: of which kind private rooms are, and whether shared ones are charged for. */
function byFees({ kinds, main }: Rooms, fees: Record<string, number>): Rooms {
  if (kinds === null) {
    const [only, ...others] = Object.keys(fees);
    return { kinds, main: only !== undefined && others.length === 0 ? only : null };
  }
  const isEither = kinds.includes('unit') && kinds.includes('private');
  const told = isEither && 'unit' in fees !== 'private' in fees ? ('unit' in fees ? 'unit' : 'private') : null;
  const left = isEither && main !== null && !('private' in fees) ? kinds.filter((kind) => kind !== 'private') : kinds;
  const most = told !== null && main !== 'shared' ? told : main;
  const charged = 'shared_charged' in fees && !('shared' in fees);
  const named = (kind: string) => (kind === 'shared' && charged ? 'shared_charged' : kind);
  return { kinds: left.map(named), main: most && named(most) };
}
