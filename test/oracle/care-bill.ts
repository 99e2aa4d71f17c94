import type { CareFacts } from './care-facts.ts';
import { type CarePrices, known, type ServicePrices } from './care-prices.ts';

/** What a family says of itself. */
export interface FamilyCase {
  /** `support_1` and `support_2` are 要支援. */
  careLevel: number | string;
  copaymentPercent: number;
  income: string;
  /** Null: any that the home has. */
  room: string | null;
  aid: string | null;
  partnerLevel: number | string | null;
}

const KINDS = ['low', 'typical', 'high'] as const;
type Kind = (typeof KINDS)[number];
type Range = Record<Kind, number>;

/** What 30 days come to, yen. */
export interface CareBill {
  monthly_yen: Range;
  after_refund: Range;
  /** Null where nothing is let off. */
  reductions: {
    food_limit: Range | null;
    residence_limit: Range | null;
    welfare_relief: Range | null;
    public_assistance: Range | null;
    high_cost_refund: Range | null;
    cap_yen: number;
    combined_cap_yen: number;
  };
  /** Of both where a partner is asked for; null where the partner has no figure. */
  couple?: { monthly_yen: Range; after_refund: Range; high_cost_refund: Range } | null;
  by_care_level: ({ care_level: number } & Range)[] | null;
  parts: Record<string, Range | null>;
  /** Units of the typical bill. */
  units: { daily: number; monthly: number };
  /** Where food, room and rent come from, and what is not in the bill. */
  basis: Record<'bill' | 'additions' | 'food' | 'room' | 'rent' | 'management_fees', string | null>;
  excludes: string[];
  room: string | null;
  other_rooms: (Pick<CareBill, 'monthly_yen' | 'after_refund' | 'couple'> & { room: string })[];
}

/** One way in which a bill can come out, yen. */
interface Way {
  care: number;
  additions: number;
  food: number;
  residence: number;
  total: number;
  foodOff: number;
  roomOff: number;
  relief: number;
  assistance: number;
  /** Of insured care, what the person pays before the cap. */
  ownShare: number;
  refund: number;
  after: number;
  units: { daily: number; monthly: number };
}

const DAYS = 30;
const LEVELS = [1, 2, 3, 4, 5];
const LOW_INCOMES = ['1', '2', '3-1', '3-2'];

/** Whether a home may have a room: one that publishes the fee without a charge does not charge for shared rooms. */
const mayHave = ({ kinds, roomFees }: CareFacts, room: string) =>
  room === 'shared_charged' && 'shared' in roomFees && !('shared_charged' in roomFees) ? false : offers(kinds, room);

/** Whether a home with these rooms has one: a shared room may be one that is charged for. */
const offers = (rooms: readonly string[] | null, room: string) =>
  rooms === null || rooms.includes(room) || (room === 'shared_charged' && rooms.includes('shared'));

const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** What the resident pays for care, and how much of that is the share of insured care, yen. @param outside units beyond the limit that are insured */
function careYen(
  units: number,
  permille: number,
  price: number,
  percent: number,
  limit: number,
  outside = 0,
): [number, number] {
  const cost = (of: number): bigint => {
    const treatment = (2n * BigInt(of) * BigInt(permille) + 1000n) / 2000n;
    return ((BigInt(of) + treatment) * BigInt(price)) / 100n;
  };
  const insured = cost(Math.min(units, limit + outside));
  const share = ceil(insured * BigInt(percent), 100n);
  return [Number(share + cost(units) - insured), Number(share)];
}

/** The bill of a service in a case, worked out anew for each home, or why there is none. */
export function careBill(
  prices: CarePrices,
  home: CareFacts,
  grade: string,
  wanted: FamilyCase,
  tell: (net: Partner['net']) => void = () => {},
): CareBill | string {
  if (['170', '410'].includes(home.service)) return 'goods';
  const isSupport = typeof wanted.careLevel === 'string';
  const service = isSupport ? prices.support(home.service) : (prices.service(home.service) ?? 'no_units_known');
  if (typeof service === 'string') return service;
  const nth = typeof wanted.careLevel === 'string' ? Number(wanted.careLevel.slice(8)) : wanted.careLevel;
  const unitsAt = ({ units }: (typeof service.variants)[number], level: number) => units[level - 1] ?? null;
  if (service.variants.every((variant) => unitsAt(variant, nth) === null)) return 'not_for_support_level';
  if (service.residence_class !== undefined && wanted.room !== null && !mayHave(home, wanted.room)) {
    return 'room_not_offered';
  }
  const rooms = (of: string[] | undefined): (string | null)[] =>
    service.residence_class === undefined ? [null] : (of ?? []).filter((room) => mayHave(home, room) && isMeant(room));
  const isMeant = (room: string) =>
    wanted.room === null ? home.main === null || offers([home.main], room) : room === wanted.room;
  const places = service.variants.flatMap((variant) => rooms(variant.rooms).map((room) => ({ variant, room })));
  if (places.length === 0) return 'no_units_for_room';
  const usual = places.filter(({ variant }) => service.usual?.variants.includes(variant.id) ?? true);
  const waysOf = (kind: Kind) =>
    (isSupport ? [1, 2] : LEVELS).map((level) =>
      (kind === 'typical' && usual.length > 0 ? usual : places).flatMap(({ variant, room }) => {
        const base = unitsAt(variant, level);
        const careLevel = isSupport ? `support_${level}` : level;
        return base === null ? [] : [wayOf(prices, service, home, grade, { ...wanted, careLevel }, kind, base, room)];
      }),
    );
  const made = { low: waysOf('low'), typical: waysOf('typical'), high: waysOf('high') };
  const ways = (kind: Kind, careLevel: number): readonly Way[] => made[kind][careLevel - 1] ?? [];
  const ranged = (by: 'total' | 'after', figure: (way: Way) => number, careLevel = nth): Range =>
    rangeOf((kind) => figure(chosen(ways(kind, careLevel), kind, by)));
  tell({
    low: chosen(ways('low', nth), 'low', 'after'),
    typical: chosen(ways('typical', nth), 'typical', 'after'),
    high: chosen(ways('high', nth), 'high', 'after'),
  });
  const unlessZero = (range: Range) => (Object.values(range).every((yen) => yen === 0) ? null : range);
  const hasFood = service.residence_class !== undefined || (home.food !== null && service.excludes.includes('food'));
  return {
    monthly_yen: ranged('total', ({ total }) => total),
    after_refund: ranged('after', ({ after }) => after),
    reductions: {
      food_limit: unlessZero(ranged('after', ({ foodOff }) => foodOff)),
      residence_limit: unlessZero(ranged('after', ({ roomOff }) => roomOff)),
      welfare_relief: unlessZero(ranged('after', ({ relief }) => relief)),
      public_assistance: unlessZero(ranged('after', ({ assistance }) => assistance)),
      high_cost_refund: unlessZero(ranged('after', ({ refund }) => refund)),
      cap_yen: prices.caps(wanted.income).one,
      combined_cap_yen: prices.combinedCap(wanted.income, wanted.partnerLevel !== null),
    },
    ...(wanted.partnerLevel !== null && {
      couple: together(
        prices,
        wanted,
        ranged('total', ({ total }) => total),
        (kind) => chosen(ways(kind, nth), kind, 'after'),
        waysOfPartner(prices, home, grade, wanted),
      ),
    }),
    by_care_level: isSupport
      ? null
      : LEVELS.map((level) => ({ care_level: level, ...ranged('total', ({ total }) => total, level) })),
    parts: {
      care: ranged('total', ({ care }) => care),
      additions: ranged('total', ({ additions }) => additions),
      food: hasFood ? ranged('total', ({ food }) => food) : null,
      residence: service.residence_class === undefined ? null : ranged('total', ({ residence }) => residence),
      rent: home.rent === null ? null : rangeOf(() => home.rent ?? 0),
      management_fees: home.management === null ? null : rangeOf(() => home.management ?? 0),
    },
    units: chosen(ways('typical', nth), 'typical', 'total').units,
    basis: {
      ...basisOf(
        service,
        home,
        places.flatMap(({ room }) => room ?? []),
      ),
      additions:
        !isSupport &&
        places.some(({ room }) => prices.additions(home.service, room).some(({ only_high }) => only_high !== true))
          ? 'typical'
          : null,
    },
    room: service.residence_class === undefined ? null : (wanted.room ?? home.main),
    other_rooms: wanted.room === null ? othersOf(prices, service, home, grade, wanted, places) : [],
    excludes: service.excludes.filter(
      (what) =>
        !(what === 'rent' && home.rent !== null) &&
        !(what === 'management_fees' && home.management !== null) &&
        !(what === 'food' && home.food !== null && service.residence_class === undefined),
    ),
  };
}

/** What one person pays, by kind of bill: the whole bill and the way that is chosen after reductions. */
interface Partner {
  gross: Range;
  net: Record<Kind, Pick<Way, 'after' | 'refund' | 'ownShare'>>;
}

function waysOfPartner(prices: CarePrices, home: CareFacts, grade: string, wanted: FamilyCase): Partner | null {
  if (wanted.partnerLevel === null) return null;
  const alone = { ...wanted, careLevel: wanted.partnerLevel, partnerLevel: null };
  let net: Partner['net'] | undefined;
  const bill = careBill(prices, home, grade, alone, (found) => {
    net = found;
  });
  return typeof bill === 'string' || net === undefined ? null : { gross: bill.monthly_yen, net };
}

/** Each pays up to the cap of a person, both up to that of the household. */
function together(
  prices: CarePrices,
  { income }: FamilyCase,
  gross: Range,
  own: (kind: Kind) => Way,
  partner: Partner | null,
): NonNullable<CareBill['couple']> | null {
  if (partner === null) return null;
  const { one, two } = prices.caps(income);
  // Where the two caps are the same, it is that of the household.
  const most = one === two ? Infinity : one;
  const shares = (kind: Kind) => [own(kind).ownShare, partner.net[kind].ownShare];
  const paid = (kind: Kind) =>
    Math.min(
      two,
      shares(kind).reduce((sum, share) => sum + Math.min(share, most), 0),
    );
  const back = rangeOf((kind) => shares(kind).reduce((a, b) => a + b, 0) - paid(kind));
  return {
    monthly_yen: rangeOf((kind) => gross[kind] + partner.gross[kind]),
    after_refund: rangeOf((kind) => {
      const [a, b] = [own(kind), partner.net[kind]];
      return a.after + a.refund + b.after + b.refund - back[kind];
    }),
    high_cost_refund: back,
  };
}

/** What the kinds of room cost that a home has besides those of a bill. */
function othersOf(
  prices: CarePrices,
  service: ServicePrices,
  home: CareFacts,
  grade: string,
  wanted: FamilyCase,
  places: readonly { room: string | null }[],
): CareBill['other_rooms'] {
  const { kinds } = home;
  const all = new Set(service.variants.flatMap(({ rooms }) => (service.residence_class ? (rooms ?? []) : [])));
  const others = [...all].filter(
    (room) => kinds !== null && mayHave(home, room) && !places.some((one) => one.room === room),
  );
  return others.flatMap((room) => {
    const bill = careBill(prices, home, grade, { ...wanted, room });
    if (typeof bill === 'string') return [];
    const { monthly_yen, after_refund, couple } = bill;
    return [{ room, monthly_yen, after_refund, ...(couple !== undefined && { couple }) }];
  });
}

/** Where each part of a bill comes from. @param rooms of the bill */
function basisOf(
  service: ServicePrices,
  home: CareFacts,
  rooms: readonly string[],
): Record<'bill' | 'food' | 'room' | 'rent' | 'management_fees', string | null> {
  const own = (fee: unknown) => (fee === null ? null : 'published');
  const isOwnRoom = rooms.every((room) => room in home.roomFees);
  const origin = (isOwn: boolean, isRefused: boolean) =>
    isOwn ? 'published' : isRefused ? 'standard_refused' : 'standard';
  const hasStandard = service.residence_class !== undefined;
  return {
    bill: billBasisOf(service, home, rooms),
    food: hasStandard ? origin(home.food !== null, home.refused.food) : own(home.food),
    room: hasStandard ? origin(isOwnRoom, home.refused.room) : null,
    rent: own(home.rent),
    management_fees: own(home.management),
  };
}

/** By docs/kaigo.md: fees of the home, standard ones, some of each, or care alone. @param rooms it can have */
function billBasisOf(service: ServicePrices, home: CareFacts, rooms: readonly string[]): string {
  if (service.residence_class === undefined) {
    const parts = service.excludes.includes('rent') ? [home.food, home.rent, home.management] : [];
    if (parts.every((part) => part === null)) return 'insured_part_only';
    return parts.includes(null) ? 'insured_part_and_published_fees' : 'published_fees';
  }
  const own = [home.food !== null, ...rooms.map((room) => room in home.roomFees)];
  if (own.every(Boolean)) return 'published_fees';
  return own.some(Boolean) ? 'published_and_standard_fees' : 'standard_fees';
}

const rangeOf = (figure: (kind: Kind) => number): Range => ({
  low: figure('low'),
  typical: figure('typical'),
  high: figure('high'),
});

/** The cheapest way, the lower of the middle ones (of the usual ways), or the dearest; equal ones by the total. */
function chosen(ways: readonly Way[], kind: Kind, by: 'total' | 'after'): Way {
  const sorted = ways.toSorted((a, b) => a[by] - b[by] || a.total - b.total);
  const nth = { low: 0, typical: Math.ceil(sorted.length / 2) - 1, high: sorted.length - 1 }[kind];
  return known(sorted[nth], 'way');
}

function wayOf(
  prices: CarePrices,
  service: ServicePrices,
  home: CareFacts,
  grade: string,
  { careLevel, copaymentPercent, income, aid }: FamilyCase,
  kind: Kind,
  base: number,
  room: string | null,
): Way {
  const additions = (typeof careLevel === 'string' ? [] : prices.additions(home.service, room)).filter(
    ({ only_high }) => kind === 'high' || (kind === 'typical' && !only_high),
  );
  const sum = (per: string) => additions.filter((one) => one.per === per).reduce((all, { units }) => all + units, 0);
  const units = { daily: sum('day'), monthly: sum('month') };
  const times = { day: DAYS, visit: service.reference?.visits ?? 1, month: 1 }[service.per];
  const extra = units.daily * (service.per === 'month' ? DAYS : times) + units.monthly;
  const permille = kind === 'low' ? 0 : prices.treatment(service.treatment_group)[kind];
  const price = prices.unitPrice(service.unit_price_group, grade);
  const percent = service.user_pays_nothing ? 0 : copaymentPercent;
  const limit = service.within_home_limit ? prices.homeLimit(careLevel) : Infinity;
  const free = additions.filter((one) => one.outside_home_limit);
  const outside = free.reduce((all, one) => all + one.units * (one.per === 'day' ? times : 1), 0);
  const [care, share] = careYen(base * times + extra, permille, price, percent, limit, outside);
  const [bare] = careYen(base * times, 0, price, percent, limit);

  const standard = room === null ? undefined : known(prices.room(service, room), `room ${room} of ${home.service}`);
  const ownFood = standard !== undefined || service.excludes.includes('food') ? home.food : null;
  const fee = ownFood ?? { yen: standard === undefined ? 0 : prices.food.standard, per: 'day' };
  const food = fee.per === 'day' ? DAYS * fee.yen : fee.yen;
  const residence = DAYS * (home.roomFees[room ?? ''] ?? standard?.standard ?? 0);
  // Limits hold where the insurance has standard fees, for households that pay no residence tax.
  const above = (yen: number, limits: Record<string, number> | null | undefined) =>
    standard === undefined || !LOW_INCOMES.includes(income)
      ? 0
      : Math.max(0, yen - DAYS * known(limits?.[income], `limit of stage ${income}`));
  const isShortStay = ['210', '220'].includes(home.service);
  const foodOff = above(food, isShortStay ? prices.food.short_stay_limits : prices.food.limits);
  const roomOff = above(residence, standard?.limits);
  const total = care + food + residence + (home.rent ?? 0) + (home.management ?? 0);
  // What is left of share, and of food and room that the insurance has standard fees for.
  const [foodLeft, roomLeft] = standard === undefined ? [0, 0] : [food - foodOff, residence - roomOff];
  const left = aid === 'social_welfare' && home.isSocialWelfare ? prices.leftByRelief(home.service, income) : 1000;
  const leftOf = (yen: number) => Number(ceil(BigInt(yen) * BigInt(left), 1000n));
  const relief = [share, foodLeft, roomLeft].reduce((sum, yen) => sum + yen - leftOf(yen), 0);
  const isAssisted = aid === 'public_assistance';
  const assistance = isAssisted ? share + (prices.isFoodAssisted(home.service) ? foodLeft : 0) : 0;
  const ownShare = isAssisted ? 0 : leftOf(share);
  const refund = Math.max(0, ownShare - prices.caps(income).one);
  const after = total - foodOff - roomOff - relief - assistance - refund;
  const parts = { care, additions: care - bare, food, residence, total, foodOff, roomOff };
  return { ...parts, relief, assistance, ownShare, refund, after, units };
}
