import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { randomFrom } from '../../samples/random.ts';
import type { Case } from '../../src/contract/kaigo-cost.ts';
import { QUALITY, type QualityName } from '../../src/contract/kaigo-quality.ts';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import type { ComparisonRow, MunicipalityTable, Sort } from '../../src/contract/operations/kaigo-municipality.ts';
import type { FacilitiesNear } from '../../src/contract/operations/kaigo-near.ts';
import { type KaigoAnswers, NO_FILTER, STANDARD_REQUEST, type TableRequest } from '../../src/dataset/kaigo.ts';
import { type CareBill, careBill } from '../oracle/care-bill.ts';
import { type CareFacts, careFacts } from '../oracle/care-facts.ts';
import { aroundOf, officesNear, spotOf } from '../oracle/care-near.ts';
import { CarePrices } from '../oracle/care-prices.ts';
import {
  comparedOf,
  corporationsOf,
  filterOf,
  isNumber,
  orderByFigure,
  orderOf,
  plain,
  qualityOf,
  reportOf,
  rowsWithin,
  type SecondRow,
} from '../oracle/care-table.ts';
import { sharedBuild } from './support/build.ts';
import { generateCare } from './support/generated-care.ts';
import { filesOfFile } from './support/sample.ts';

/** Every figure over generated lists is worked out a second time from their raw rows and fees.json; `CARE_SEED` takes other lists. */
const SEED = Number(process.env.CARE_SEED ?? 20261122);
const CASES_OF_TABLE = 4;

const prices = new CarePrices('2026-11-20');
const care = generateCare(SEED, [...prices.serviceCodes, '170', '155']);
const folder = filesOfFile(care.files);
const built = sharedBuild({ offices: [`${folder}/lists`], details: [`${folder}/details.csv`] });

/** What the homes of each corporation ask for rooms, each claim with those that make it. */
const claims = new Map<string, Set<string>>();
const corporationOf = ({ office }: (typeof care.services)[number]) =>
  isNumber(office.法人番号 ?? '') ? office.法人番号 : plain(office.法人の名称);
const claimKey = (one: (typeof care.services)[number], claim: string) =>
  `${corporationOf(one)} ${one.service} ${claim}`;
for (const one of care.services) {
  for (const claim of careFacts(prices, one.service, one.office, one.detail).claims) {
    const key = claimKey(one, claim);
    claims.set(key, (claims.get(key) ?? new Set()).add(one.facilityId));
  }
}
const homes = care.services.map((one) => {
  const isSupported = (claim: string) => corporationOf(one) !== '' && (claims.get(claimKey(one, claim))?.size ?? 0) > 1;
  return { one, facts: careFacts(prices, one.service, one.office, one.detail, isSupported) };
});
const STANDARD: Case = STANDARD_REQUEST.case;
const rowsIn = (wanted: Case, only: readonly Pick<SecondRow, 'one' | 'facts'>[] = homes): SecondRow[] =>
  only.map(({ one, facts }) => ({ one, facts, bill: careBill(prices, facts, one.grade, wanted) }));
const standard = rowsIn(STANDARD);

const random = randomFrom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const seen = <T>(answer: unknown): T => JSON.parse(JSON.stringify(answer)) as T;

/** Every level, copayment, income stage and room of a case so far. */
const asked = new Set<unknown>();

/** A case of a family; kinds of room where the tariff of the service distinguishes them. */
function anyCase(service: string): Case {
  const variants = prices.service(service)?.residence_class === undefined ? [] : prices.service(service)?.variants;
  const rooms = [...new Set(variants?.flatMap((one) => one.rooms ?? []))];
  const income = pick(['standard', 'taxed_380', 'taxed_690', '1', '2', '3-1', '3-2'] as const);
  const wanted: Case = {
    careLevel: random() < 0.2 ? pick(['support_1', 'support_2'] as const) : pick([1, 2, 3, 4, 5]),
    copaymentPercent: /^\d/.test(income) ? 10 : pick([10, 20, 30]),
    income,
    aid: !/^\d/.test(income)
      ? null
      : pick([null, 'social_welfare', income === '1' ? 'public_assistance' : null] as const),
    partnerLevel: random() < 0.7 ? null : pick([1, 4, 'support_2'] as const),
    room: rooms.length === 0 || random() < 0.4 ? null : (pick(rooms) as Case['room']),
  };
  for (const value of Object.values(wanted)) asked.add(value);
  return wanted;
}

function assertBill(estimate: ComparisonRow['cost_estimate'], bill: CareBill | string, about: string): void {
  const { monthly_yen, after_refund, reductions, by_care_level, parts, additions, basis, excludes, reason } = estimate;
  const { room, other_rooms, couple } = estimate;
  if (typeof bill === 'string') {
    assert.deepEqual(
      [monthly_yen, after_refund, reductions, by_care_level, parts, reason],
      [null, null, null, null, null, bill],
      about,
    );
    return;
  }
  const units = { daily: additions?.daily_units ?? 0, monthly: additions?.monthly_units ?? 0 };
  assert.deepEqual(
    {
      monthly_yen,
      after_refund,
      reductions,
      by_care_level,
      parts,
      units,
      basis,
      excludes,
      room,
      other_rooms,
      ...(couple !== undefined && { couple }),
    },
    bill,
    about,
  );
}

function assertFacts(row: ComparisonRow | Facility['services'][number], facts: CareFacts, about: string): void {
  const { capacity, users, opened_on, rooms, staffing, cost_estimate } = row;
  const { ratio, usersFrom } = facts;
  const orNull = <T extends object>(group: T) => (Object.values(group).every((one) => one === null) ? null : group);
  const staff = orNull(facts.staff);
  assert.deepEqual(
    { capacity, users, opened_on, rooms, staffing },
    {
      capacity: facts.capacity,
      users: facts.users,
      opened_on: facts.opened_on,
      rooms: orNull(facts.rooms),
      staffing: staff && {
        ...staff,
        users_per_care_staff: ratio === null ? null : ratio / 100,
        basis: facts.basis,
        users_from: usersFrom,
        shared_with: null,
      },
    },
    about,
  );
  if (facts.replaced && cost_estimate.basis !== null && prices.service(facts.service)?.residence_class !== undefined) {
    assert.equal(cost_estimate.confidence, 'unconfirmed', about);
  }
}

/** All pages of a table, one behind the other. */
function wholeTable(
  answers: KaigoAnswers,
  [code, service]: readonly [string, string],
  sort: Sort,
  request: TableRequest,
): ComparisonRow[] {
  const pages: ComparisonRow[][] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const table = seen<MunicipalityTable>(answers.municipality(code, service, sort, page, 5, request));
    last = table.page_count;
    pages.push(table.facilities);
  }
  return pages.flat();
}

const tables = [...Map.groupBy(standard, ({ one }) => `${one.municipality} ${one.service}`)].map(([key, rows]) => ({
  at: key.split(' ') as [string, string],
  rows,
}));

test(`every figure of facilities is that of a second way (seed ${SEED})`, () =>
  built(({ answers }) => {
    const corporations = corporationsOf(care.services);
    for (const { one, facts, bill } of standard) {
      const facility = seen<Facility>(answers.facility(one.facilityId));
      const service = facility.services.find(({ service_code }) => service_code === one.service) ?? assert.fail();
      const about = JSON.stringify({ one, facts });
      assertFacts(service, facts, about);
      assertBill(service.cost_estimate, bill, about);
      assert.equal(service.waiting, facts.waiting);
      const row = standard.find((other) => other.one === one) ?? assert.fail();
      assert.deepEqual(service.quality, qualityOf(standard, row), about);
      const { capacity, users } = facts;
      const occupancy =
        capacity === null || users === null ? null : Math.floor((2000 * users + capacity) / (2 * capacity)) / 1000;
      assert.equal(service.occupancy, occupancy, about);
      assert.deepEqual(service.compared_with, comparedOf(standard, prices, one), about);
      assert.deepEqual(facility.corporation, corporations(one), about);
      const { lat, lon, location } = facility;
      assert.deepEqual(lat === null || lon === null ? null : { lat, lon }, spotOf(one), about);
      assert.equal(location, spotOf(one) === null ? 'unknown' : 'published', about);
      const wanted = anyCase(facility.services.length === 1 ? one.service : '110');
      const own = seen<Facility>(answers.facility(one.facilityId, wanted)).services.find(
        (s) => s.service_code === one.service,
      );
      assertBill(own?.cost_estimate ?? assert.fail(), careBill(prices, facts, one.grade, wanted), about);
    }
    assert.ok(standard.length > 300 && standard.filter(({ facts }) => facts.replaced).length > 50);
  }));

test(`every table, order and filter is that of a second way (seed ${SEED})`, () =>
  built(({ answers }) => {
    let ties = 0;
    for (const { at, rows } of tables) {
      const compare = (sort: Parameters<typeof orderOf>[0], request: TableRequest, wanted: SecondRow[]) => {
        const about = `${at} ${sort} ${JSON.stringify(request)}`;
        const found = wholeTable(answers, at, sort, request);
        assert.deepEqual(
          found.map(({ facility_id }) => facility_id),
          wanted.map(({ one }) => one.facilityId),
          about,
        );
        for (const [i, { facts, bill }] of wanted.entries()) {
          const row = found[i] ?? assert.fail();
          assertFacts(row, facts, about);
          assertBill(row.cost_estimate, bill, `${about} ${row.facility_id}`);
        }
      };
      for (const sort of ['id', 'cost', 'staff', 'opened'] as const) {
        compare(sort, STANDARD_REQUEST, orderOf(sort, prices, rows));
      }
      for (const [name, { first }] of Object.entries(QUALITY)) {
        const found = wholeTable(answers, at, name as QualityName, STANDARD_REQUEST).map(
          ({ facility_id }) => facility_id,
        );
        const wanted = orderByFigure(name, first === 'highest', rows).map(({ one }) => one.facilityId);
        assert.deepEqual(found, wanted, `${at} ${name}`);
      }
      const lows = rows.flatMap(({ bill }) => (typeof bill === 'string' ? [] : bill.after_refund.low));
      ties += lows.length - new Set(lows).size;
      for (let i = 0; i < CASES_OF_TABLE; i++) {
        const wanted = anyCase(at[1]);
        const inCase = rowsIn(wanted, rows);
        compare('cost', { case: wanted, filter: NO_FILTER }, orderOf('cost', prices, inCase));
        const { filter, passes } = filterOf(pick, inCase);
        compare(
          'cost',
          { case: wanted, filter },
          orderOf('cost', prices, rowsWithin(prices, wanted, filter.maxYen, inCase)).filter(passes),
        );
      }
    }
    assert.equal(asked.size, 7 + 3 + 7 + 6 + 2, 'every level, copayment, income stage, room and help');
    assert.ok(ties > 20, `${ties} equal costs`);
  }));

test(`what lies near, and around a municipality, is that of a second way (seed ${SEED})`, () =>
  built(({ answers }) => {
    const spots = standard.flatMap(({ one }) => spotOf(one) ?? []);
    let [truncated, found] = [0, 0];
    for (let i = 0; i < 60; i++) {
      const { lat, lon } = pick(spots);
      const from = { lat: lat + (random() - 0.5) / 50, lon: lon + (random() - 0.5) / 50 };
      const service = pick(standard).one.service;
      const [radius, services] = [pick([300, 1000, 2500, 40_000]), pick([null, [service], [service, '510', '110']])];
      const wanted = pick([STANDARD, { ...anyCase('110'), room: null }]);
      const near = seen<FacilitiesNear>(answers.near(from.lat, from.lon, radius, services, 20, wanted));
      const expected = officesNear(standard, from, radius, services);
      const about = JSON.stringify({ from, radius, services, wanted });
      assert.deepEqual(
        near.facilities.map(({ facility_id, distance_m }) => [facility_id, distance_m]),
        expected.slice(0, 20).map(({ id, metres }) => [id, metres]),
        about,
      );
      assert.deepEqual([near.count, near.truncated], [Math.min(20, expected.length), expected.length > 20], about);
      truncated += Number(near.truncated);
      found += near.count;
      for (const [k, { facility_id, service_codes, cost_estimate }] of near.facilities.entries()) {
        const [shown] = service_codes;
        assert.deepEqual([...service_codes].sort(), expected[k]?.services.sort(), about);
        const first = services?.find((code) => service_codes.includes(code));
        if (first !== undefined) assert.equal(shown, first, about);
        const home = homes.find(({ one }) => one.facilityId === facility_id && one.service === shown) ?? assert.fail();
        assertBill(cost_estimate, careBill(prices, home.facts, home.one.grade, wanted), about);
      }
      for (const { service_code, prefecture_code, ...compared } of near.compared_with) {
        const about = standard.find(
          ({ one }) => one.service === service_code && one.municipality.startsWith(prefecture_code),
        );
        const second = comparedOf(standard, prices, about?.one ?? assert.fail());
        assert.deepEqual(compared, isDeepStrictEqual(wanted, STANDARD) ? second : { ...second, cost: null });
      }
    }
    assert.ok(truncated > 5 && found > 200, `${truncated} of 60 cut short, ${found} facilities`);
    const towns = new Set(standard.map(({ one }) => one.municipality));
    let neighbours = 0;
    for (const { at } of tables) {
      const table = seen<MunicipalityTable>(answers.municipality(at[0], at[1], 'id', 1, 5, STANDARD_REQUEST));
      const around = table.around.filter(({ municipality_code }) => towns.has(municipality_code));
      assert.deepEqual(
        around.map(({ name: _, ...shown }) => shown),
        aroundOf(standard, ...at),
      );
      const one = standard.find(
        ({ one: { municipality, service } }) => municipality === at[0] && service === at[1],
      )?.one;
      assert.deepEqual(table.compared_with, comparedOf(standard, prices, one ?? assert.fail()));
      neighbours += around.length;
    }
    assert.ok(neighbours > tables.length, `${neighbours} neighbours of ${tables.length} tables`);
  }));

test(`every line of the report is that of a second count (seed ${SEED})`, () =>
  built(({ half }) => {
    const expected = reportOf(standard, care.spare);
    const { findings } = half.report;
    assert.deepEqual(
      Object.fromEntries(Object.entries(findings).map(([kind, { count }]) => [kind, count])),
      Object.fromEntries([...expected].map(([kind, places]) => [kind, places.length])),
    );
    for (const [kind, places] of expected) {
      for (const example of findings[kind]?.examples ?? []) {
        assert.ok(
          places.some((place) => example === place || example.startsWith(`${place}: `)),
          `${kind} ${example}`,
        );
      }
    }
  }));
