import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { DETAIL_FIELDS } from '../../src/kaigo/lists/details.ts';
import { type Built, buildTemporarily } from './support/build.ts';
import { withFiles } from './support/sample.ts';
import { facility, IDS, office, officeAt, serviceOf, withFields } from './support/small-lists.ts';

const list = (...ids: string[]) => officeList(ids.map((id) => office(id)));
const [OLD, NEW, BOTH] = IDS;

const build = <T>(files: [string, Uint8Array | string][], options: object, use: (built: Built) => T) =>
  withFiles(new Map(files), (folder) => buildTemporarily({ offices: [folder], ...options }, use));
const ids = (built: Built) => built.ids;

test('only the newest list of a service is read, a dated list counts as newer, and the report names the older one', async () => {
  const files: [string, Uint8Array | string][] = [
    ['jigyosho_331.csv', list(OLD, BOTH)],
    ['jigyosho_331_all_20260101000000.csv', list(OLD, BOTH)],
    ['jigyosho_331_all_20260709180754.csv', list(NEW, BOTH)],
  ];
  await build(files, {}, (built) => {
    assert.deepEqual(built.ids, [NEW, BOTH].sort());
    const { file_superseded } = built.half.report.findings;
    assert.equal(file_superseded!.count, 2);
    assert.match(file_superseded!.examples.join('\n'), /jigyosho_331\.csv: by jigyosho_331_all_20260709180754\.csv/);
    assert.equal(built.half.manifest.data_through, '2026-07-09');
    assert.deepEqual(
      built.half.manifest.sources.map(({ date }) => date),
      ['2026-07-09'],
    );
  });
  assert.deepEqual(await build(files, { mergeLists: true }, ids), [OLD, NEW, BOTH].sort());
});

test('two undated lists of a service stop the build with an error that names both', async () => {
  const files: [string, Uint8Array | string][] = [
    ['a/jigyosho_331.csv', list(OLD)],
    ['b/jigyosho_331.csv', list(NEW)],
  ];
  await assert.rejects(
    build(files, {}, ids),
    (error: Error) => error.name === 'InputError' && /jigyosho_331\.csv and .*--merge-lists/.test(error.message),
  );
  assert.deepEqual(await build(files, { mergeLists: true }, ids), [OLD, NEW].sort());
  // Named outright, of two folders: their names are the same, and their paths tell them apart.
  await withFiles(new Map(files), (folder) =>
    assert.rejects(
      buildTemporarily({ offices: files.map(([name]) => join(folder, name)) }, () => {}),
      /^InputError: jigyosho_331\.csv \(.*a.jigyosho_331\.csv\) and jigyosho_331\.csv \(.*b.jigyosho_331\.csv\) are both/,
    ),
  );
});

test('data_through is the day of a list or the stated day', async () => {
  const through = ({ half }: Built) => half.manifest.data_through;
  const files: [string, Uint8Array | string][] = [['jigyosho_331.csv', list(OLD)]];
  assert.equal(await build(files, {}, through), null);
  assert.equal(await build(files, { dataThrough: '2025-12-31' }, through), '2025-12-31');
  // A day that the calendar does not have is none.
  const odd: [string, Uint8Array | string][] = [['jigyosho_331_all_20260230.csv', list(OLD)]];
  const said = await build(odd, {}, (built) => [through(built), built.half.report.findings.file_date?.examples]);
  assert.deepEqual(said, [null, ['jigyosho_331_all_20260230.csv: 20260230']]);
});

test('a position among the offices of another ward is suspect, one at a border or alone in its municipality is not', () => {
  const rows = [
    ...Array.from({ length: 8 }, (_, i) => officeAt(i, '131016', '千代田区', 35.69 + i * 0.001, 139.75)),
    ...Array.from({ length: 8 }, (_, i) => officeAt(20 + i, '132012', '八王子市', 35.65 + i * 0.001, 139.32)),
    officeAt(40, '132012', '八王子市', 35.6925, 139.7505),
    officeAt(41, '131016', '千代田区', 35.6985, 139.7502),
    officeAt(42, '133035', '瑞穂町', 35.66, 139.321),
  ];
  return build([['jigyosho_331.csv', officeList(rows)]], {}, (built) => {
    const where = (id: string) => facility(built, id).location;
    assert.deepEqual(['1370100040', '1370100041', '1370100042'].map(where), ['suspect', 'published', 'published']);
    assert.equal(built.half.report.findings.position_elsewhere!.count, 1);
  });
});

test('a probable corporate number is found by the name and counts in no total', () => {
  const number = '4999990000005';
  const named = (id: string, corporation: string, corporateNumber = '') =>
    office(id, { 法人の名称: corporation, 法人番号: corporateNumber });
  const rows = [named(OLD, '株式会社 陽', number), named(NEW, '株式会社　陽'), named(BOTH, '株式会社月')];
  return build([['jigyosho_331.csv', officeList(rows)]], {}, (built) => {
    const of = (id: string) => facility(built, id).corporation;
    assert.deepEqual(of(NEW).probable_number, { number, basis: 'name' });
    assert.deepEqual([of(OLD).probable_number, of(BOTH).probable_number, of(OLD).offices_total], [null, null, 1]);
  });
});

test('all details are in the answer, contradictory values are null and kept as published', () => {
  const fields = [
    ...['capacity', 'vacancies', 'vacancies_on', 'care_level_1', 'care_level_5', 'staff_total', 'care_staff'],
    ...['medical_acceptance', 'ministry_url', 'rent_yen_per_month', 'management_yen_per_month', 'food_yen_per_month'],
  ];
  const url = 'https://www.kaigokensaku.mhlw.go.jp/13/';
  const files = new Map<string, Uint8Array | string>([
    ['offices/jigyosho_331.csv', officeList(IDS.map((id) => office(id, { 定員: '' })))],
    ...withFields(fields, '331', [
      [OLD, 30, 3, '2026-06-30', 5, 2, 9, 20, '経管栄養、インスリン', url, 65000, 30000, 48000],
      [NEW, 99999, '', '', '', '', 50, 81, '', '', '', '', ''],
      [BOTH, 10, '', '', '', '', 90, 81, '', '', '', '', ''],
    ]),
  ]);
  return withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'offices')], details: [join(folder, 'details.csv')] }, (built) => {
      const of = (id: string) => serviceOf(built, id);
      const first = of(OLD);
      assert.deepEqual(
        [first.vacancies, first.vacancies_on, first.care_levels],
        [3, '2026-06-30', [5, null, null, null, 2]],
      );
      assert.deepEqual(first.medical_acceptance, ['経管栄養', 'インスリン']);
      assert.deepEqual([first.staffing!.staff_total, first.as_published.staff_total], [null, '9']);
      const { parts, basis, monthly_yen, excludes, note } = first.cost_estimate;
      assert.deepEqual(
        [parts!.rent!.low, parts!.management_fees!.low, parts!.food!.low, basis!.bill],
        [65000, 30000, 48000, 'published_fees'],
      );
      assert.equal(monthly_yen!.low, parts!.care.low + 65000 + 30000 + 48000);
      assert.ok(!excludes.includes('rent') && !excludes.includes('food'));
      assert.equal(note, 'Not in the figure: an initial payment.');
      assert.equal(of(NEW).cost_estimate.note, 'Not in the figure: rent, management fees, food, an initial payment.');
      assert.deepEqual([of(NEW).capacity, of(NEW).as_published.capacity], [null, '99999']);
      assert.deepEqual([of(BOTH).staffing!.care_staff, of(BOTH).as_published.care_staff], [null, '81']);
      // Capacity, staff totals below their parts twice, care staff for ten places.
      assert.equal(built.half.report.findings.detail_implausible!.count, 4);
    }),
  );
});

test('every bound of details names its fields and its reason', () => {
  const { ranges, ratios } = JSON.parse(
    readFileSync(new URL('../../src/kaigo/facts/plausible.json', import.meta.url), 'utf8'),
  ) as {
    ranges: { fields: string[]; least: number; most: number; reason: string }[];
    ratios: Record<string, { least?: number; most: number; of: string; reason: string }>;
  };
  for (const { fields, least, most, reason } of ranges) {
    for (const field of fields) assert.ok(field in DETAIL_FIELDS, field);
    assert.ok(least < most && reason.endsWith('.'), reason);
  }
  for (const { least = 0, most, of, reason } of Object.values(ratios)) {
    assert.ok(least < most && of.length > 0 && reason.endsWith('.'), of);
  }
  // Whoever reads a number as a whole or a decimal bounds it, but for fees that the fee table bounds.
  const bounded = new Set(ranges.flatMap(({ fields }) => fields));
  const numbers = Object.entries(DETAIL_FIELDS).filter(([, form]) => form === 'whole' || form === 'decimal');
  for (const [name] of numbers) assert.ok(bounded.has(name) || /^(food|.*room)_yen_per_/.test(name), name);
});
